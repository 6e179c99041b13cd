package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func cutAll(text string) []string {
	var all []string
	c := Tokenizer{Emit: func(term []byte) bool {
		all = append(all, string(term))
		return true
	}}
	c.Cut(text)
	return all
}

func TestTerms(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"words":               {"The migration is locked, again!", "migrat lock"},
		"stop words":          {"please can you do this with me", ""},
		"case and accents":    {"Café RÉSUMÉ naïve Łódź Straße", "cafe resum naiv lodz strass"},
		"decomposed accents":  {"re\u0301sume\u0301", "resum"},
		"full width":          {"ＡＰＩ", "api"},
		"camel case":          {"useEffect", "us effect useeffect"},
		"acronym in camel":    {"HTTPServer parseURL", "http server httpserver pars url parseurl"},
		"snake case":          {"lock_timeout", "lock timeout locktimeout"},
		"kebab case":          {"no-default-exports", "default export nodefaultexport"},
		"dotted":              {"store.Apply go.mod", "store appli storeappli go mod gomod"},
		"one word, two hands": {"RabbitMQ rabbitmq", "rabbit mq rabbitmq rabbitmq"},
		"path":                {"pkg/recall/index.go:12", "pkg recal index go indexgo 12"},
		"version":             {"Python 3.9 v1.2.3 utf-8", "python 3.9 v1 v123 utf utf8"},
		"numbers":             {"port 5173 in 2026", "port 5173 2026"},
		"possessive":          {"user's team's", "user user team team"},
		"short forms": {"authentication databases k8s Kubernetes PostgreSQL",
			"auth db k8s k8s postgr sql postgr"},
		"letters alone": {"C a b x", ""},
		"too long":      {strings.Repeat("a", MaxToken+1), ""},
		"long enough":   {strings.Repeat("7", MaxToken), strings.Repeat("7", MaxToken)},
		"Chinese":       {"代码评审", "代码 码评 评审"},
		"one character": {"用 pnpm", "用 pnpm"},
		"Japanese":      {"ログ出力", "ログ グ出 出力"},
		"Korean":        {"결제 점검은", "결제 점검 검은"},
		"Thai":          {"ไทย", "ไท ทย"},
		"mixed":         {"JSONログ", "json ログ"},
		"Russian":       {"Очередь зависла", "очередь зависла"},
		"Hindi":         {"हिन्दी भाषा", "हिन्दी भाषा"},
		"broken UTF-8":  {"re\xffplay \xf0\x9f", "play"},
		"small talk":    {"do_the_thing run running", "thing dotheth run run"},
		"emoji":         {"🎉Emoji commit ✅ 👍🏽 ⚠️ 👩‍💻 🇩🇪", "🎉 emoji commit ✅ 👍 ⚠ 👩 💻 🇩 🇪"},
		"nothing":       {" \n\t…!?", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(cutAll(tt.in), " "); got != tt.want {
				t.Errorf("%q gives %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "useEffect store.Apply", "v1.2.3-rc_4", "代码 ログ 결제 ไทย",
		"e\u0301\u0327\xff", "''..--__", "AAAaaaBBB", strings.Repeat("ßæ", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		terms := cutAll(s)
		for _, term := range terms {
			if term == "" || len(term) > MaxToken || !utf8.ValidString(term) {
				t.Fatalf("%q gives the term %q", s, term)
			}
		}
		if again := cutAll(s); !slices.Equal(again, terms) {
			t.Fatalf("%q gives %q, then %q", s, terms, again)
		}
	})
}
