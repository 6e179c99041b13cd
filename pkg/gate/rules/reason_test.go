package rules

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLine: a line of a reason shows all its characters, and a terminal obeys none of them.
func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                           "plain",
		"grün 日本":                         "grün 日本",
		"a\x1b[31mb":                      `a\x1b[31mb`,
		"a\u202eb":                        `a\u202eb`,
		"a\u200bb":                        `a\u200bb`,
		"a\u2066b\u2069":                  `a\u2066b\u2069`,
		"a\nb\tc\rd":                      `a b c\rd`,
		"a\x00b":                          `a\x00b`,
		"a\xffb":                          `a\xffb`,
		"a\ufe0fb":                        `a\ufe0fb`,
		"a\u3164b":                        `a\u3164b`,
		"a\U000e0041b":                    `a\U000e0041b`,
		"e\u0301":                         "e\u0301",
		"Z\u0300\u0301\u0302\u0303\u0304": "Z\u0300\u0301" + `\u0302\u0303\u0304`,
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line(strings.Repeat("x", 500)); utf8.RuneCountInString(got) != MaxRunes ||
		!strings.HasSuffix(got, "…") {
		t.Errorf("a long line became %d characters", utf8.RuneCountInString(got))
	}
}
