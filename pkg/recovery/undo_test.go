package recovery

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

func TestBesideASave(t *testing.T) {
	edit := func(verb plan.Verb, category string) store.Done {
		return store.Done{Edit: plan.Edit{Verb: verb, Category: category}}
	}
	for name, tt := range map[string]struct {
		edits []store.Done
		want  bool
	}{
		"a line in the log of the day": {[]store.Done{edit(plan.Update, classify.LogCategory)}, true},
		"a statement with its line": {[]store.Done{edit(plan.Create, "memory"),
			edit(plan.Update, classify.LogCategory)}, false},
		"a record": {[]store.Done{edit(plan.Create, string(memory.Decision))}, false},
		"a summary that was asked for": {[]store.Done{edit(plan.Create, string(memory.SessionSummary))},
			false},
	} {
		if got := besideASave(store.Applied{Edits: tt.edits}); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestCheckUndoOfNothing(t *testing.T) {
	records := store.Open(filepath.Join(t.TempDir(), "memory"), store.Options{})
	for want, got := range map[string]string{Latest: "no plan was applied yet", "abcd1234": "abcd1234"} {
		in, found, err := FindPlan([]*store.Store{records}, want, nil)
		if in != 0 || found != nil || err != nil {
			t.Fatal(in, found, err)
		}
		var no *memory.Refusal
		if err := CheckUndo(records, found, want); !errors.As(err, &no) || no.Code != memory.CodeUndo ||
			!strings.Contains(no.Problem.Got, got) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := CheckUndo(records, &store.Applied{}, "abcd1234"); err != nil {
		t.Error(err)
	}
}
