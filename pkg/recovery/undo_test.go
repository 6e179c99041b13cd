package recovery

import (
	"errors"
	"path/filepath"
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
	for want, got := range map[string]string{
		Latest: "undo: nothing is left to take back: no change was made here, or all are taken back",
		"abcd1234": "undo: digest: expected a plan that was applied here and is still kept, got abcd1234; " +
			"hint: keepsake records history ID shows the plans of a memory",
	} {
		in, found, err := FindPlan([]*store.Store{records}, want, nil)
		if in != 0 || found != nil || err != nil {
			t.Fatal(in, found, err)
		}
		var no *memory.Refusal
		if err := CheckUndo(records, found, want); !errors.As(err, &no) || no.Code != memory.CodeUndo ||
			err.Error() != got {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := CheckUndo(records, &store.Applied{}, "abcd1234"); err != nil {
		t.Error(err)
	}
}

// A bare undo goes back plan by plan, and what was done again can be taken back again, however often.
func TestFindPlanPassesUndos(t *testing.T) {
	top := t.TempDir()
	records := store.OpenNotes(filepath.Join(top, "memory"), filepath.Join(top, "own"), store.Options{})
	apply := func(p plan.Plan) string {
		t.Helper()
		if err := records.Apply(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		return p.Digest()
	}
	find := func(want string) *store.Applied {
		t.Helper()
		_, found, err := FindPlan([]*store.Store{records}, want, nil)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	undo := func(want string, of string, again bool) string {
		t.Helper()
		found := find(want)
		if found == nil {
			t.Fatalf("%s: no plan", want)
		}
		original, redo, err := Original(records, *found)
		if err != nil || original.Digest != of || redo != again {
			t.Errorf("%s: %s, done again: %v, %v", want, original.Digest, redo, err)
		}
		return apply(found.Undo())
	}
	edit := func(name string) plan.Plan {
		return plan.Plan{Version: plan.Version, Edits: []plan.Edit{{Path: "user/" + name + ".md",
			Verb: plan.Create, After: []byte("# " + name + "\n"), Category: "memory", Title: name}}}
	}
	stands := func(digest string, want bool) {
		t.Helper()
		if undone, err := IsTakenBack(records, digest); err != nil || undone == want {
			t.Errorf("taken back: %v, %v", undone, err)
		}
	}
	a, b := apply(edit("one")), apply(edit("two"))
	stands(b, true)
	undo(Latest, b, false)
	stands(b, false)
	stands(a, true)
	taken := undo(Latest, a, false)
	stands(a, false)
	if found := find(Latest); found != nil {
		t.Fatal(found)
	}
	again := undo(taken, a, true)
	stands(a, true)
	stands(b, false)
	undo(again, a, false)
	undo(taken, a, true)
	undo(Latest, a, false)
	undo(taken, a, true)
	c := apply(edit("three"))
	stands(c, true)
	stands("a plan that was pruned", true)
	undo(Latest, c, false)
	undo(Latest, a, false)
	if found := find(Latest); found != nil {
		t.Fatal(found)
	}
}
