package cues

import (
	"strings"
	"testing"
)

func TestFindTellsTheFamilies(t *testing.T) {
	for _, tt := range []struct {
		lang, text string
		want       string // families that must be found
		not        string // families that must not
	}{
		{"en", "Let's go with sqlite, it's simpler than running a server.",
			"choice advantage", "deferral correction"},
		{"en", "The server logs every request of the last hour.", "scope", "choice rule fix cause deferral"},
		{"en", "yes, do that", "agreement", "correction"},
		{"en", "He said yes, and we don't go there.", "story", "agreement pick"},
		{"en", "Let’s take the second one", "pick", "fix"},
		{"en", "It fails with ENOENT; root cause was a missing symlink, fixed by recreating it",
			"symptom cause fix", "deferral"},
		{"en", "The API returns at most 100 rows per request", "limit source measure", "deferral"},
		{"en", "A no-op costs little", "", "negation correction"},
		{"en", "no, that's wrong", "correction negation", "agreement"},
		{"en", "**TODO**: follow up on the cache", "deferral", "rule"},
		{"en", "Never amend commits in this repo", "rule scope", "deferral choice"},
		{"en", "scratch that, back to REST", "reversal", "deferral"},
		{"en", "It can't take more than 30ms", "limit measure negation", "deferral"},
		{"en", "I’ll run `make test` and report v1.2.3", "narration code version", "choice rule"},
	} {
		got := Find(tt.text)
		for name := range strings.FieldsSeq(tt.want) {
			if !got.Has(family(t, name)) {
				t.Errorf("%s: Find(%q) = %v, want %s", tt.lang, tt.text, got.families(), name)
			}
		}
		for name := range strings.FieldsSeq(tt.not) {
			if got.Has(family(t, name)) {
				t.Errorf("%s: Find(%q) = %v, want no %s", tt.lang, tt.text, got.families(), name)
			}
		}
	}
}

func family(t *testing.T, name string) Family {
	t.Helper()
	for f := range Family(Count) {
		if f.String() == name {
			return f
		}
	}
	t.Fatalf("no family is called %q", name)
	return 0
}

// TestFamiliesAreAllNamed: a family without a phrase is never found, and one without a reason has no reader.
func TestFamiliesAreAllNamed(t *testing.T) {
	if Count > 64 {
		t.Errorf("%d families, want at most 64: Set is a word", Count)
	}
	seen := map[string]bool{}
	for _, s := range readSections(t) {
		if len(s.phrases) == 0 {
			t.Errorf("data/%s.txt: [%s] has no phrases", s.lang, s.name)
		}
		seen[s.name] = true
	}
	for f := range Family(Count) {
		if !seen[f.String()] {
			t.Errorf("no phrase is of family %d, %q", f, f)
		}
	}
	if got := Family(Count).String(); got != "unknown" {
		t.Errorf("the family after the last is %q, want unknown", got)
	}
}

func TestFindAllocatesNothing(t *testing.T) {
	for _, text := range []string{english, strings.Repeat("第二个，因为更简单。", 20)} {
		if n := testing.AllocsPerRun(10, func() { Find(text) }); n != 0 {
			t.Errorf("Find(%.20q) allocates %g times", text, n)
		}
	}
}
