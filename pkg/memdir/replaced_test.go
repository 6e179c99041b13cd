package memdir_test

import (
	"fmt"
	"slices"
	"testing"

	"keepsake/pkg/memdir"
)

// TestReplacements: what a note replaced is known by its mark, with its reasons and points, and leads to the
// statement that holds now.
func TestReplacements(t *testing.T) {
	const mark = "_Updated: 2026-11-20_ (the new version is at the end)"
	const stamp = "_Updated: 2026-11-20_\n"
	for name, c := range map[string]struct {
		text string
		want []string // from-to, by
	}{
		"none": {"A statement.\n\n_Updated: 2026-11-20_\n", nil},
		"a paragraph": {"Old tea.\n\n" + mark + "\n\nOther.\n\nNew tea.\n\n" + stamp,
			[]string{"0-3 6"}},
		"with reasons": {"Old tea.\n\n" + mark + "\n\n**Why:** so\n\nNew tea.\n\n" + stamp,
			[]string{"0-5 6"}},
		"an item": {"- Old tea\n  " + mark + "\n  - green\n- Other\n\n- New tea\n\n" + stamp,
			[]string{"0-3 5"}},
		"of a day before": {"Old tea.\n\n" + mark + "\n\nNew tea.\n\n_Updated: 2026-11-19_\n",
			[]string{"0-3 -1"}},
		"of a dated entry": {"## 2026-01-02 Tea\n\nOld tea.\n\n" + mark +
			"\n\n## 2026-11-20 Tea\n\nNew tea.\n", []string{"2-5 8"}},
		"twice": {"Old tea.\n\n" + mark + "\n\nNew tea.\n\n" +
			"_Updated: 2026-11-22_ (the new version is at the end)\n\n" + stamp +
			"\nNewest tea.\n\n_Updated: 2026-11-22_\n", []string{"0-3 10", "4-9 10"}},
		"two of a day": {"Old tea.\n\n" + mark + "\n\nOld milk.\n\n" + mark + "\n\nNew tea.\n\n" + stamp +
			"\nNew milk.\n\n" + stamp, []string{"0-3 8", "4-7 12"}},
		"nobody knows which": {"Old tea.\n\n" + mark + "\n\nNew milk.\n\n" + stamp +
			"\nNew rice.\n\n" + stamp, []string{"0-3 -1"}},
		"in code": {"```\nOld tea.\n" + mark + "\n```\n", nil},
		"alone":   {mark + "\n", nil},
		"no date": {"Old tea.\n\n_Updated: soon_ (the new version is at the end)\n", nil},
	} {
		var got []string
		for _, r := range memdir.Replacements(memdir.Parse([]byte(c.text))) {
			got = append(got, fmt.Sprintf("%d-%d %d", r.From, r.To, r.By))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
