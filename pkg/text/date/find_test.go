package date

import (
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) // a Monday
	const lastWeek, yesterday = "2026-11-16 2026-11-22", "2026-11-22 2026-11-22"
	for question, want := range map[string]string{
		"what did we change in May 2026?":          "2026-05-01 2026-05-31",
		"on 8 may, 2023, who called?":              "2023-05-01 2023-05-31",
		"the outage of 2026-10-02":                 "2026-10-02 2026-10-02",
		"releases in 2026-02":                      "2026-02-01 2026-02-28",
		"what broke last week":                     lastWeek,
		"What did we decide yesterday?":            yesterday,
		"the import we wrote 3 days ago":           "2026-11-20 2026-11-20",
		"what happened in march":                   "March",
		"may I march on":                           "",
		"why did the last test fail this morning":  "",
		"let us finish it on friday or next week":  "",
		"in 2 weeks":                               "",
		"Was haben wir letzte Woche entschieden?":  lastWeek,
		"Was war im März?":                         "March",
		"die Entscheidungen vom 3. Oktober 2026":   "2026-10-01 2026-10-31",
		"qu'avons-nous décidé la semaine dernière": lastWeek,
		"les décisions d'octobre":                  "October",
		"les choix d'hier":                         yesterday,
		"¿qué decidimos la semana pasada?":         lastWeek,
		"decisiones de mayo de 2026":               "2026-05-01 2026-05-31",
		"o que decidimos ontem?":                   yesterday,
		"decisões de março":                        "March",
		"что мы решили на прошлой неделе":          lastWeek,
		"решения в мае 2026 года":                  "2026-05-01 2026-05-31",
		"上周我们决定了什么":                                lastWeek,
		"2026年5月12日的决定":                            "2026-05-12 2026-05-12",
		"先週何を決めましたか":                               lastWeek,
		"5月に決めたこと":                                 "May",
		"지난주에 무엇을 결정했어":                            lastWeek,
		"2026년 5월의 결정":                             "2026-05-01 2026-05-31",
		"13月":                                      "",
		"月":                                        "",
		strings.Repeat("word ", 100) + "yesterday": "",
		"": "",
	} {
		got := ""
		p, rest, ok := Find(question, now)
		if ok && p.Month != 0 {
			got = p.Month.String()
		} else if ok {
			day := func(n int) string { return time.Unix(int64(n)*86400, 0).UTC().Format(time.DateOnly) }
			got = day(p.First) + " " + day(p.Last)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
		if _, _, again := Find(rest, now); !ok && rest != question || ok && again {
			t.Errorf("%q: the rest is %q", question, rest)
		}
	}
	if _, _, ok := Find("what broke last week", time.Time{}); ok {
		t.Error("last week is read without a now")
	}
}

func TestPeriod(t *testing.T) {
	day := func(s string) int {
		at, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return Day(at)
	}
	may := Period{Month: time.May}
	days := Period{First: day("2026-05-02"), Last: day("2026-05-03")}
	for _, tt := range []struct {
		p    Period
		day  int
		want bool
	}{{may, day("2024-05-31"), true}, {may, day("2024-06-01"), false}, {days, day("2026-05-02"), true},
		{days, day("2026-05-03"), true}, {days, day("2026-05-04"), false}, {days, 0, false}, {may, 0, false},
		{Period{First: -1, Last: 1}, day("1969-12-31"), true}} {
		if tt.p.Has(tt.day) != tt.want {
			t.Errorf("%+v has %d: %v", tt.p, tt.day, !tt.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"in May 2026", "2026年5月12日", "5월 ", "年月日", "d'hier", "3 days ago",
		"\xff月"} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		p, rest, ok := Find(s, now)
		bad := len(rest) > len(s)+1 || p.Month < 0 || p.Month > 12 || p.First > p.Last
		if ok && bad || !ok && rest != s {
			t.Errorf("%q: %+v %q %v", s, p, rest, ok)
		}
	})
}
