package brief

import (
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/text"
)

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		old, new string
		want     []string
	}{
		{"Use Redis for the job queue.", "Use Postgres for the job queue",
			[]string{"  Use", "- Redis", "+ Postgres", "  for the job queue"}},
		{"Use tabs", "Use tabs.", []string{"  Use tabs."}},
		{"Use tabs", "Use tabs in Go files", []string{"  Use tabs", "+ in Go files"}},
		{"Always use tabs", "use tabs", []string{"- Always", "  use tabs"}},
		{"Deploy on Fridays", "Staging is called egret",
			[]string{"- Deploy on Fridays", "+ Staging is called egret"}},
		{"", "one", []string{"+ one"}},
		{"one", "", []string{"- one"}},
		{"", "", nil},
		{"a b", "a\x1b[31m b", []string{"- a", `+ a\x1b[31m`, "  b"}},
	} {
		got := Compare(tt.old, tt.new)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q, %q: %q, want %q", tt.old, tt.new, got, tt.want)
		}
		if strings.Contains(strings.Join(got, ""), "\x1b") {
			t.Errorf("%q is not safe", got)
		}
	}
}

// FuzzCompare: every word of both texts is in one of the lines that say so.
func FuzzCompare(f *testing.F) {
	f.Add("Use Redis for jobs", "use Postgres for jobs, not Redis")
	f.Fuzz(func(t *testing.T, old, new string) {
		var was, is []string
		for _, l := range Compare(old, new) {
			words := strings.Fields(l[2:])
			if l[0] != '+' {
				was = append(was, words...)
			}
			if l[0] != '-' {
				is = append(is, words...)
			}
		}
		if want := strings.Fields(text.Safe(text.OneLine(new))); !slices.Equal(is, want) {
			t.Errorf("new: %q, want %q", is, want)
		}
		if n := len(strings.Fields(text.Safe(text.OneLine(old)))); len(was) != n {
			t.Errorf("old: %q has not %d words", was, n)
		}
	})
}
