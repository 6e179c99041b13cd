package stance

import (
	"slices"
	"strings"
	"testing"
)

// sentenceOf cuts a text as simply as the tests need it.
func sentenceOf(text string) (all []Word, asked bool) {
	asked = strings.HasSuffix(text, "?")
	for _, w := range strings.Fields(strings.ToLower(text)) {
		bare := strings.Trim(strings.ReplaceAll(w, "'", ""), ",:.?!")
		all = append(all, Word{bare, strings.HasSuffix(w, ",") || strings.HasSuffix(w, ":")})
	}
	return all, asked
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Kind
	}{
		{"we use pnpm", nil},
		{"use pnpm, please", nil},
		{"should be npm from now on, ok?", nil},
		{"could you please always run the linter?", nil},
		{"the linter is used to find typos", nil},
		{"our policy says that main is protected", nil},
		{"as Anna said, main is protected", nil},
		{"I would prefer tabs", nil},
		{"nehmen wir pnpm, verstanden?", nil},
		{"do we use pnpm", []Kind{Asks}},
		{"we use pnpm, right?", []Kind{Asks}},
		{"what if we use pnpm", []Kind{Asks}},
		{"warum nehmen wir pnpm", []Kind{Asks}},
		{"if it rains, we stay", []Kind{Supposes}},
		{"when it rains, we stay", []Kind{Supposes}},
		{"we met when it rained", nil},
		{"maybe we stay", []Kind{Supposes}},
		{"we could stay", []Kind{Supposes}},
		{"früher hatten wir Zeit", []Kind{Supposes}},
		{"Anna said we stay", []Kind{Reports}},
		{"we stay, said Anna", []Kind{Reports}},
		{"I was told to stay", []Kind{Reports}},
		{"laut Anna bleiben wir", []Kind{Reports}},
		{"we never stay", []Kind{Denies}},
		{"wir bleiben nicht", []Kind{Denies}},
		{"staying is forbidden", []Kind{Denies}},
		{"if it rains, we never stay", []Kind{Supposes, Denies}},
	} {
		words, asked := sentenceOf(c.text)
		var got []Kind
		for _, g := range Of(words, asked) {
			got = append(got, g.Kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}

// TestClaims holds what of a sentence goes without the words that turn it.
func TestClaims(t *testing.T) {
	words, _ := sentenceOf("never push to main, we use branches")
	g := Of(words, false)
	if len(g) != 1 || g[0].Claims(1, 4) || !g[0].Claims(0, 4) || !g[0].Claims(4, 7) || !g[0].Claims(0, 7) {
		t.Errorf("%+v", g)
	}
}

func TestQuotations(t *testing.T) {
	for text, want := range map[string]string{
		`say "one two" and 'three four' now`:        `"one two"|'three four'`,
		"it's the user's, isn't it":                 "",
		"er sagt „eins zwei“, so":                   "„eins zwei“",
		"> one two\nthree":                          "> one two",
		`"` + strings.Repeat("long ", 100) + `end"`: "",
	} {
		var got []string
		for _, q := range Quotations(text) {
			got = append(got, text[q.From:q.To])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add("if we never push, Anna said, could you?")
	f.Add("laut Anna, nicht \"so\"")
	f.Fuzz(func(t *testing.T, text string) {
		words, asked := sentenceOf(text)
		for _, g := range Of(words, asked) {
			if g.From < 0 || g.To > len(words) || g.At < 0 || g.End > len(words) || g.Kind == 0 {
				t.Errorf("%+v of %d words", g, len(words))
			}
			if g.Kind != Asks && !g.Claims(0, len(words)) {
				t.Errorf("%+v: the whole is no claim", g)
			}
		}
		for _, q := range Quotations(text) {
			if q.From < 0 || q.To > len(text) || q.From >= q.To {
				t.Errorf("%+v of %d bytes", q, len(text))
			}
		}
	})
}
