package answer

import (
	"fmt"
	"testing"
	"time"

	"keepsake/pkg/text"
)

func TestIntentOf(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) // a Monday
	for prompt, want := range map[string]string{
		"list our decisions":                               "[decision] all",
		"List all the decisions we made so far.":           "[decision] all",
		"what are our rules?":                              "[constraint preference] all",
		"show me the preferences":                          "[preference] all",
		"technical debt we left":                           "[tech_debt] all",
		"What is left?":                                    "[tech_debt] all",
		"what's left to do on the importer":                "[tech_debt] to do on the importer",
		"what did we decide about StripeWebhook retries?":  "[decision] about StripeWebhook retries?",
		"Hm. How did we fix the flaky login test?":         "[runbook] Hm. the flaky login test?",
		"why do we use Postgres":                           "[decision] reason",
		"I don't know why this fails":                      "",
		"list our decisions about auth":                    "",
		"rename the rules file":                            "",
		"the list of limits is empty when I open the page": "",
		"fix the tech debt in the parser":                  "[tech_debt] fix the in the parser",
		"Liste unsere Entscheidungen auf":                  "[decision] all",
		"welche technischen Schulden haben wir?":           "[tech_debt] all",
		"Was haben wir zu den Zertifikaten entschieden?":   "[decision] zu den Zertifikaten ?",
		"Wie haben wir den Absturz behoben":                "[runbook] den Absturz",
		"liste nos décisions":                              "[decision] all",
		"quelle dette technique reste-t-il ?":              "[tech_debt] all",
		"pourquoi Redis ?":                                 "[decision] reason",
		"lista nuestras decisiones":                        "[decision] all",
		"¿por qué usamos Kafka?":                           "[decision] reason",
		"quais são as nossas regras?":                      "[constraint preference] all",
		"dívida técnica que deixamos":                      "[tech_debt] all",
		"покажи наши решения":                              "[decision] all",
		"почему мы выбрали Postgres":                       "[decision] reason",
		"какой технический долг остался?":                  "[tech_debt] all",
		"列出我们的决定":                                          "[decision] all",
		"我们还有哪些技术债？":                                       "[tech_debt] all",
		"为什么用 Redis":                                       "[decision] reason",
		"怎么解决登录超时":                                         "[runbook] 登录超时",
		"私たちの決定事項を一覧にして":                                   "[decision] all",
		"残っている技術的負債は？":                                     "[tech_debt] all",
		"どうやって直しましたか、ログインのタイムアウト":                          "[runbook] ましたか、ログインのタイムアウト",
		"우리의 결정을 나열해줘":                                     "[decision] all",
		"남은 기술 부채 보여줘":                                     "[tech_debt] all",
		"왜 Redis 를 쓰나요":                                    "[decision] reason",
		"what did we decide last week?":                    "[decision] all 2026-11-16",
		"what did we decide about auth last week?":         "[decision] about auth last week?",
		"list our decisions of October":                    "[decision] all October",
		"what technical debt did we leave in May 2026?":    "[tech_debt] all 2026-05-01",
		"Was haben wir gestern entschieden?":               "[decision] all 2026-11-22",
		"qu'avons-nous décidé la semaine dernière ?":       "[decision] all 2026-11-16",
		"¿qué decidimos ayer?":                             "[decision] all 2026-11-22",
		"o que nós decidimos em março?":                    "[decision] all March",
		"что мы решили на прошлой неделе?":                 "[decision] all 2026-11-16",
		"上周我们决定了什么？":                                       "[decision] all 2026-11-16",
		"先週何を決めましたか":                                       "[decision] all 2026-11-16",
		"지난주에 무엇을 결정했어?":                                   "[decision] all 2026-11-16",
		"qué deuda técnica queda?":                         "[tech_debt] all",
		"what have we agreed on login?":                    "[decision] what on login?",
		"how was the deploy problem solved":                "[runbook] the deploy problem",
	} {
		in, got := intentOf(prompt, now), ""
		switch {
		case in.all && in.when.Month != 0:
			got = fmt.Sprint(in.categories, " all ", in.when.Month)
		case in.all && in.dated:
			first := time.Unix(int64(in.when.First)*24*60*60, 0).UTC()
			got = fmt.Sprint(in.categories, " all ", first.Format(time.DateOnly))
		case in.all:
			got = fmt.Sprint(in.categories, " all")
		case in.reason:
			got = fmt.Sprint(in.categories, " reason")
		case len(in.categories) > 0:
			got = fmt.Sprint(in.categories, " ", text.OneLine(in.about))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}
