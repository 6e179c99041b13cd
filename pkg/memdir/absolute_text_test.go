package memdir_test

import (
	"testing"

	"keepsake/pkg/memdir"
)

func TestAbsolute(t *testing.T) {
	for text, want := range map[string]string{
		"We agreed on it yesterday":             "We agreed on it on 2026-11-19",
		"Yesterday we agreed, tomorrow we ship": "On 2026-11-19 we agreed, on 2026-11-21 we ship",
		"It broke recently":                     "It broke recently",
		`He said "yesterday" on 2026-11-02`:     `He said "yesterday" on 2026-11-02`,
		"Nothing in it is relative":             "Nothing in it is relative",
		"":                                      "",
		"The report of last week says so, said 2 days ago": "The report of the week of 2026-11-09 says so, " +
			"said on 2026-11-18",
	} {
		if got := memdir.Absolute(text, now); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
