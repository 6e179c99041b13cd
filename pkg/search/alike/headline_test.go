package alike

import "testing"

// TestHeadline: a title begins with what is said, and not with the request to remember it.
func TestHeadline(t *testing.T) {
	for said, want := range map[string]string{
		"We use Postgres for jobs because they must survive.": "We use Postgres for jobs",
		"Remember: staging is called heron.":                  "staging is called heron",
		"Remember that staging is called heron.":              "staging is called heron",
		"Again: never force-push to main!":                    "never force-push to main",
		"Merke dir: Staging heißt heron.":                     "Staging heißt heron",
		"Souviens-toi : le serveur s'appelle heron":           "le serveur s'appelle heron",
		"Por favor, recuerda: usamos pnpm":                    "usamos pnpm",
		"Lembre-se: usamos pnpm":                              "usamos pnpm",
		"Запомни: сервер называется heron":                    "сервер называется heron",
		"请记住：服务器叫heron":                                       "服务器叫heron",
		"覚えておいて：サーバーはheronです":                                 "サーバーはheronです",
		"기억해줘: 서버 이름은 heron":                                  "서버 이름은 heron",
		// What else stands before a colon says what the rest is about.
		"Règle : toujours pnpm":       "Règle : toujours pnpm",
		"Decisión: usamos pnpm":       "Decisión: usamos pnpm",
		"Staging: it is called heron": "Staging: it is called heron",
		"Recuerda el servidor: heron": "Recuerda el servidor: heron",
		"Remember!":                   "Remember",
	} {
		if got := Headline(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
