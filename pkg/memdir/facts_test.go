package memdir_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// TestShow: a statement is shown with what it is a point of, its exceptions and its points, and what there is
// no room for is left out before an exception is.
func TestShow(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("and a long word or two ", 12))
	for name, c := range map[string]struct{ text, find, want string }{
		"alone": {"- Deploys run at noon\n- Tests at night\n", "noon", "Deploys run at noon"},
		"with its exception": {"- 50 rps for every customer\n  - except Acme: 200 rps\n- other\n", "50",
			"50 rps for every customer, except Acme: 200 rps"},
		"what it excepts from": {"- 50 rps for every customer\n  - except Acme: 200 rps\n", "Acme",
			"50 rps for every customer, except Acme: 200 rps"},
		"an exception beside it": {"- 10 MB per upload\n- Except Globex: 100 MB\n", "upload",
			"10 MB per upload, except Globex: 100 MB"},
		"and back": {"- 10 MB per upload\n- Except Globex: 100 MB\n", "Globex",
			"10 MB per upload, except Globex: 100 MB"},
		"a point of a point": {"Limits:\n\n- Acme:\n  - 200 rps\n  - 5 seeds\n- Globex: 7 rps\n", "seeds",
			"Limits: Acme: 5 seeds"},
		"its points": {"- Limits\n  - 200 rps\n  - 5 seeds\n", "Limits", "Limits; 200 rps; 5 seeds"},
		"its reasons": {"Tabs.\n\n**Why:** gofmt\n\n**How to apply:** run it\n", "Tabs",
			"Tabs. **Why:** gofmt; **How to apply:** run it"},
		"the statement of a reason": {"Tabs\n\n**Why:** gofmt\n", "gofmt", "Tabs; **Why:** gofmt"},
		"without stamps":            {"- Tabs\n  _Updated: 2026-01-02_\n", "Tabs", "Tabs"},
		"a row": {"| host | port |\n|---|---|\n| api | 8001 |\n", "8001",
			"api; port: 8001"},
		"of many points": {"- Limits\n  - " + long + "\n  - 5 seeds\n  - except Acme\n", "Limits",
			"Limits; " + long + "; 5 seeds, except Acme"},
		"a long one in any case": {"- " + long + "\n  - except Acme\n  - so\n", "long",
			text.CutRunes(long, 160) + ", except Acme; so"},
		"of points without room": {"- Limits\n  - " + long + "\n  - " + long + "\n  - except Acme\n",
			"Limits",
			"Limits; " + long + " …"},
		"the exception in a long text": {"We cache all pages. Except the cart. " + long, "cache",
			"We cache all pages, except the cart."},
		"and back in a long text": {"We cache all pages. Except the cart. " + long, "cart",
			"We cache all pages, except the cart"},
		"what holds has no replaced point": {"- Limits\n  - 5 seeds\n    _Updated: 2026-01-02_ (the new " +
			"version is at the end)\n  - 6 seeds\n", "Limits", "Limits; 6 seeds"},
	} {
		facts := memdir.Facts(memdir.Parse([]byte(c.text)))
		around := func(s string, limit int) string {
			for one := range strings.SplitSeq(s, ". ") {
				if strings.Contains(one, c.find) {
					return text.CutRunes(one, limit)
				}
			}
			return text.CutRunes(s, limit)
		}
		got := ""
		for i, f := range facts {
			if strings.Contains(f.Text, c.find) {
				got = memdir.Show(facts, i, around)
				break
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if n := utf8.RuneCountInString(got); n > 700 {
			t.Errorf("%s: %d characters", name, n)
		}
	}
}

// FuzzShow: whatever a file says, no statement is lost from Facts, and what is shown is short and one line.
func FuzzShow(f *testing.F) {
	f.Add("# A\n\n- b\n  - except c\n\nd:\n- e\n\n| f | g |\n|---|---|\n| h | i |\n")
	f.Add("- a\n  _Updated: 2026-01-02_ (the new version is at the end)\n\n- b\n\n_Updated: 2026-01-02_\n")
	f.Fuzz(func(t *testing.T, said string) {
		facts := memdir.Facts(memdir.Parse([]byte(said)))
		for i, fact := range facts {
			if fact.Parent >= i || fact.Text == "" || fact.From >= fact.To {
				t.Errorf("%+v", fact)
			}
			if got := memdir.Show(facts, i, text.CutRunes); strings.Contains(got, "\n") {
				t.Errorf("%q", got)
			}
		}
	})
}
