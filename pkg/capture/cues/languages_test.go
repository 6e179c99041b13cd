package cues

import (
	"strings"
	"testing"
)

func TestFindTellsTheFamilies(t *testing.T) {
	for _, tt := range []struct {
		lang, text string
		want       string // families that must be found
		not        string // families that must not
	}{
		{"en", "Let's go with sqlite, it's simpler than running a server.",
			"choice advantage", "deferral correction"},
		{"en", "The server logs every request of the last hour.", "scope", "choice rule fix cause deferral"},
		{"en", "yes, do that", "agreement", "correction"},
		{"en", "He said yes, and we don't go there.", "story", "agreement pick"},
		{"en", "Let’s take the second one", "pick", "fix"},
		{"en", "It fails with ENOENT; root cause was a missing symlink, fixed by recreating it",
			"symptom cause fix", "deferral"},
		{"en", "The API returns at most 100 rows per request", "limit source measure", "deferral"},
		{"en", "A no-op costs little", "", "negation correction"},
		{"en", "no, that's wrong", "correction negation", "agreement"},
		{"en", "**TODO**: follow up on the cache", "deferral", "rule"},
		{"en", "Never amend commits in this repo", "rule scope", "deferral choice"},
		{"en", "scratch that, back to REST", "reversal", "deferral"},
		{"en", "It can't take more than 30ms", "limit measure negation", "deferral"},
		{"en", "I’ll run `make test` and report v1.2.3", "narration code version", "choice rule"},

		{"de", "Wir nehmen sqlite, weil’s einfacher ist", "choice advantage", "deferral fix"},
		{"de", "dann halt die zweite, reicht erstmal", "choice pick tradeoff deferral", "correction"},
		{"de", "Lag am Proxy, jetzt läuft’s wieder nach einem Neustart", "cause fix", "deferral"},
		{"de", "lassen wir liegen, kommt spaeter", "deferral", "rule"},
		{"de", "Das Fenster ist blau", "", "choice pick cause fix limit deferral rule agreement"},
		{"fr", "on part sur sqlite, comme ça pas de serveur à gérer", "choice reason", "fix"},
		{"fr", "Ça venait du proxy, c'est corrigé", "cause fix", "deferral"},
		{"fr", "on verra plus tard, c’est a cause du client", "deferral cause", "agreement"},
		{"fr", "oui fais ça", "agreement", "correction"},
		{"fr", "La fenêtre est bleue", "", "choice pick cause fix limit deferral rule agreement"},
		{"es", "vale, la segunda, así no montamos otro servidor", "agreement pick reason", "fix"},
		{"es", "el problema era el proxy; ya funciona", "cause fix", "agreement"},
		{"es", "lo dejamos para mas adelante", "deferral", "rule"},
		{"es", "La ventana es azul", "", "choice pick cause fix limit deferral rule agreement"},
		{"pt", "bora de sqlite, não precisa de servidor", "choice rejection", "fix"},
		{"pt", "a culpa era do proxy, agora funciona", "cause fix", "agreement"},
		{"pt", "deixa pra depois, aqui a gente não usa mock", "deferral rule", "agreement"},
		{"pt", "A janela é azul", "", "choice pick cause fix limit deferral rule agreement"},
		{"ru", "давай второй вариант, так проще", "agreement pick advantage", "fix"},
		{"ru", "Причина в прокси, теперь работает", "cause fix", "agreement"},
		{"ru", "пока отложим, больше никогда так не делай", "deferral rule", "agreement"},
		{"ru", "всё ещё берём старую схему", "choice", "deferral"},
		{"ru", "Окно синее", "", "choice pick cause fix limit deferral rule agreement"},
		{"zh", "就用第二个吧，因为更简单", "choice pick reason advantage", "fix"},
		{"zh", "原因是代理，改成直连就好了", "cause fix", "agreement"},
		{"zh", "先不管，以后提交前必须跑测试", "deferral rule limit", "agreement"},
		{"zh", "窗户很蓝", "", "choice pick cause fix limit deferral rule agreement"},
		{"ja", "2番でお願いします、シンプルなので", "pick reason advantage", "fix"},
		{"ja", "原因はプロキシでした。再起動で直りました", "cause fix", "agreement"},
		{"ja", "後回しにしよう。今後は必ず聞いてから", "deferral rule choice", "correction"},
		{"ja", "窓は青い", "", "choice pick cause fix limit deferral rule agreement"},
		{"ko", "두 번째로 하자, 간단하니까", "choice pick reason advantage", "correction"},
		{"ko", "프록시가 원인이었어요. 재시작하니 해결됐습니다", "cause fix", "agreement"},
		{"ko", "나중에 하자. 앞으로는 꼭 물어보고 해", "deferral rule", "correction"},
		{"ko", "ㅇㅋ 시트로 ㄱㄱ", "agreement", "correction"},
		{"ko", "창문이 파랗다", "", "choice pick cause fix limit deferral rule agreement"},
	} {
		got := Find(tt.text)
		for name := range strings.FieldsSeq(tt.want) {
			if !got.Has(family(t, name)) {
				t.Errorf("%s: Find(%q) = %v, want %s", tt.lang, tt.text, got.families(), name)
			}
		}
		for name := range strings.FieldsSeq(tt.not) {
			if got.Has(family(t, name)) {
				t.Errorf("%s: Find(%q) = %v, want no %s", tt.lang, tt.text, got.families(), name)
			}
		}
	}
}

func family(t *testing.T, name string) Family {
	t.Helper()
	for f := range Family(Count) {
		if f.String() == name {
			return f
		}
	}
	t.Fatalf("no family is called %q", name)
	return 0
}

// TestFamiliesAreAllNamed: a family without a phrase is never found, and one without a reason has no reader.
func TestFamiliesAreAllNamed(t *testing.T) {
	if Count > 64 {
		t.Errorf("%d families, want at most 64: Set is a word", Count)
	}
	seen := map[string]bool{}
	for _, s := range readSections(t) {
		if len(s.phrases) == 0 {
			t.Errorf("data/%s.txt: [%s] has no phrases", s.lang, s.name)
		}
		seen[s.name] = true
	}
	for f := range Family(Count) {
		if !seen[f.String()] {
			t.Errorf("no phrase is of family %d, %q", f, f)
		}
	}
	if got := Family(Count).String(); got != "unknown" {
		t.Errorf("the family after the last is %q, want unknown", got)
	}
}

func TestFindAllocatesNothing(t *testing.T) {
	for _, text := range []string{english, strings.Repeat("第二个，因为更简单。", 20)} {
		if n := testing.AllocsPerRun(10, func() { Find(text) }); n != 0 {
			t.Errorf("Find(%.20q) allocates %g times", text, n)
		}
	}
}
