package wording

import (
	"testing"
	"unicode/utf8"
)

func TestLanguage(t *testing.T) {
	for said, want := range map[string]Language{
		"la deuxième": French, "d'accord, vas-y": French, "on prend la 2": French,
		"Tu préfères laquelle ?": French,
		"opción 2":               Spanish, "la segunda": Spanish, "sí, dale": Spanish, "¿cuál?": Spanish,
		"a segunda": Portuguese, "sim, pode fazer": Portuguese, "não": Portuguese,
		"второй вариант": Russian, "давай option B": Russian,
		"第二个": Chinese, "用 Redis": Chinese, "2番で": Japanese, "案Aで": Japanese, "두 번째로": Korean,

		"": None, "2": None, "the second one": None, "let's do option 2": None, "die zweite, bitte": None,
		"nimm B": None, "fix the test in 说明.md": None, "la di da, do it": None, "ja, mach das so": None,
		"No, use a mutex": None, "plus 2 option B": None, "Größe ändern": None, "do A": None,
	} {
		if got := Of(said); got != want {
			t.Errorf("%q is of language %d, want %d", said, got, want)
		}
		if got := Of([]byte(said)); got != want {
			t.Errorf("the bytes of %q are of language %d, want %d", said, got, want)
		}
	}
}

func TestEnglish(t *testing.T) {
	for said, want := range map[string]string{
		"l'option 2":         "option 2",
		"d'accord, vas-y":    "agreed, go!",
		"opción a":           "option a",
		"vou de segunda":     "take the second",
		"2-й":                "option 2",
		"选2":                 "take 2",
		"2番で":                "option 2 please",
		"2안으로 하시죠":           "option 2 go!",
		"두 번째로":              "the second",
		"두번째로":               "the second",
		"네트워크":               "네트워크",
		"네이버로":               "네이버",
		"запомни: файлы":     "remember: файлы",
		"１番":                 "option 1",
		"数据库用Redis":          "数据 库 take redis",
		"la 2, parce que ça": "the 2, because that",
	} {
		if got := English(Of(said), said); got != want {
			t.Errorf("%q says %q, want %q", said, got, want)
		}
	}
}

func TestCutOption(t *testing.T) {
	for item, want := range map[string]string{
		"方案A：x": "A：x", "案B: x": "B: x", "案：x": "：x", "方案二：x": "2：x", "オプションA": "A", "옵션 A": " A",
		"A案": "", "Option A": "", "": "", "数据": "",
	} {
		rest, ok := CutOption(item)
		if ok != (want != "") || ok && rest != want {
			t.Errorf("of %q is left %q, want %q", item, rest, want)
		}
	}
}

// FuzzSplit: every text is cut, and nothing of a clause gets lost behind its words.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"la 2", "¿cuál?", "第二个", "두 번째로 ㄱㄱ", "2番", "l'", "'", "a.b", "\xff한",
		"方案", "й"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		Of(s)
		CutOption(s)
		WithOr(s)
		for l := French; l <= Korean; l++ {
			words := Split(l, s)
			for _, w := range words {
				if w.Text == "" || w.Raw == "" {
					t.Fatalf("%q has an empty word: %q", s, words)
				}
				if utf8.ValidString(s) && !utf8.ValidString(w.Text) {
					t.Fatalf("%q is cut within a character: %q", s, words)
				}
			}
			if n := len(words); n > 0 && words[n-1].End == 0 {
				t.Fatalf("%q does not end: %q", s, words)
			}
		}
	})
}
