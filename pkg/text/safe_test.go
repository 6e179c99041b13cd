package text_test

import (
	"testing"

	"keepsake/pkg/text"
)

func TestSafe(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, ümlaut, 价格": "plain text, ümlaut, 价格",
		"a\nb\tc":                "a b c",
		"\x1b[31mred":            `\x1b[31mred`,
		"\u202eback":             `\u202eback`,
		"zero\u200bwidth":        `zero\u200bwidth`,
		"blank\u3164":            `blank\u3164`,
		"broken\xff":             `broken\xff`,
		"e\u0301\u0301\u0301x":   "e\u0301\u0301" + `\u0301x`,
		"\U000e0041":             `\U000e0041`,
	} {
		if got := text.Safe(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
