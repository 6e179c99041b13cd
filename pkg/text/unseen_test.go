package text_test

import (
	"slices"
	"testing"

	"keepsake/pkg/text"
)

// TestUnseen: what nobody sees is counted, and what only joins is not.
func TestUnseen(t *testing.T) {
	for in, want := range map[string]int{
		"plain text,\n\ttwo lines\r\n":       0,
		"non\u00a0breaking":                  0,
		"👩\u200d💻 and ✔\ufe0f 1\ufe0f\u20e3": 0,
		"می\u200cخواهم":                      0,
		"क्\u200dष":                          0,
		"a\u200db":                           1,
		"日\u200c":                            1,
		"a\ufe0fb":                           1,
		"line\rover":                         1,
		"bell\a":                             1,
		"soft\u00adhyphen":                   1,
		"\ufeffmark":                         1,
		"\u2066a\u2069":                      2,
		"a\u3164":                            1,
		"a\u2028b":                           1,
		"a\xffb\ufffd":                       1,
	} {
		if got := slices.Collect(text.Unseen(in)); len(got) != want || text.HasUnseen(in) != (want > 0) {
			t.Errorf("%q: %q, want %d", in, got, want)
		}
	}
}
