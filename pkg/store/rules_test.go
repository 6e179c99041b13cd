package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"

	"pgregory.net/rapid"
)

// moved returns an edit that takes a record through a transition, as the verbs do.
func moved(t testing.TB, was memory.Stored, verb plan.Verb, m memory.Moved, err error) plan.Edit {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	e := update(was, m.Record)
	e.Verb = verb
	return e
}

func read(t testing.TB, s *Store, path string) memory.Stored {
	t.Helper()
	r, err := s.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// codes returns the codes of all refusals in an error.
func codes(err error) (out []memory.Code) {
	var walk func(error)
	walk = func(err error) {
		if r, ok := err.(*memory.Refusal); ok {
			out = append(out, r.Code)
		}
		switch w := err.(type) {
		case interface{ Unwrap() error }:
			walk(w.Unwrap())
		case interface{ Unwrap() []error }:
			for _, e := range w.Unwrap() {
				walk(e)
			}
		}
	}
	walk(err)
	return out
}

// TestNoWayRoundTheRules: a plan made by hand, with valid guards, cannot do what the verbs cannot. Each row
// breaks one of the protections of a record.
func TestNoWayRoundTheRules(t *testing.T) {
	now := time.Now()
	root := newRoot(t)
	s := Open(root, Options{})
	write(t, filepath.Join(root, "..", "..", "there.go"), "")
	rec := preference("a", 1)
	rec.RelatedFiles = []string{"there.go", "gone.go"}
	apply(t, s, create(rec), create(preference("retired", 1)), create(preference("archived", 1)),
		create(preference("old", 1)))
	a, retired, archived, old := read(t, s, "preferences/a.json"), read(t, s, "preferences/retired.json"),
		read(t, s, "preferences/archived.json"), read(t, s, "preferences/old.json")
	m1, err1 := retired.Retire("why", now)
	m2, err2 := archived.Archive("why", now)
	m3, err3 := old.Retire("why", now.Add(-25*time.Hour))
	apply(t, s, moved(t, retired, plan.Retire, m1, err1), moved(t, archived, plan.Archive, m2, err2),
		moved(t, old, plan.Retire, m3, err3))
	retired, archived = read(t, s, retired.Path), read(t, s, archived.Path)

	// next returns an allowed update, so that each row breaks only one rule.
	next := func(change func(*memory.Record)) memory.Record {
		r := preference("a", 2)
		r.RelatedFiles = slices.Clone(rec.RelatedFiles)
		change(&r)
		return r
	}
	verb := func(e plan.Edit, v plan.Verb) plan.Edit { e.Verb = v; return e }
	status := func(was memory.Stored, to memory.Status, v plan.Verb) plan.Edit {
		r := was.Record
		r.Status = to
		r.RetiredAt, r.RetiredReason, r.ArchivedAt, r.ArchivedReason = nil, nil, nil, nil
		stamp, why := memory.Stamp(now), "why"
		switch to {
		case memory.Retired:
			r.RetiredAt, r.RetiredReason = &stamp, &why
		case memory.Archived:
			r.ArchivedAt, r.ArchivedReason = &stamp, &why
		}
		r.Changes = memory.AppendChanges(r.Changes, memory.Change{Date: stamp, Summary: "by hand"})
		r.TimesUpdated++
		return verb(update(was, r), v)
	}
	before := tree(t, root)
	for name, tt := range map[string]struct {
		edit plan.Edit
		code memory.Code
	}{
		"created_at": {update(a, next(func(r *memory.Record) {
			r.CreatedAt = "2020-01-01T00:00:00Z"
		})), memory.CodeMerge},
		"no new change": {update(a, next(func(r *memory.Record) {
			r.Changes = a.Changes
		})), memory.CodeMerge},
		"changes rewritten": {update(a, next(func(r *memory.Record) {
			r.Changes[0].Summary = "no"
		})), memory.CodeMerge},
		"a tag less": {update(a, next(func(r *memory.Record) {
			r.Tags = []string{"a"}
		})), memory.CodeMerge},
		"a file that exists": {update(a, next(func(r *memory.Record) {
			r.RelatedFiles = []string{"gone.go"}
		})), memory.CodeMerge},
		"status by update":              {status(a, memory.Retired, plan.Update), memory.CodeMerge},
		"update of a retired record":    {status(retired, memory.Retired, plan.Update), memory.CodeUpdate},
		"update revives":                {status(retired, memory.Active, plan.Update), memory.CodeUpdate},
		"archived becomes retired":      {status(archived, memory.Retired, plan.Retire), memory.CodeRetire},
		"retire that archives":          {status(a, memory.Archived, plan.Retire), memory.CodeRetire},
		"archive that retires":          {status(a, memory.Retired, plan.Archive), memory.CodeArchive},
		"restore of an archived record": {status(archived, memory.Active, plan.Restore), memory.CodeRestore},
		"unarchive of a retired record": {status(retired, memory.Active, plan.Unarchive),
			memory.CodeUnarchive},
		"delete of an active record": {plan.Edit{Path: a.Path, Verb: plan.Delete, Before: a.Digest},
			memory.CodeDelete},
		"delete of an archived record": {plan.Edit{Path: archived.Path, Verb: plan.Delete,
			Before: archived.Digest}, memory.CodeDelete},
		"revert to what never was": {verb(update(a, preference("a", 0)), plan.Revert), memory.CodeUndo},
		"revert that deletes": {plan.Edit{Path: retired.Path, Verb: plan.Revert,
			Before: retired.Digest}, memory.CodeUndo},
		"revert that creates": {plan.Edit{Path: "preferences/x.json", Verb: plan.Revert,
			After: preference("x", 0).Encode()}, memory.CodeUndo},
		"create over an active record":  {create(preference("a", 5)), memory.CodeOverwrite},
		"create over an archived one":   {create(preference("archived", 5)), memory.CodeOverwrite},
		"create over an old retirement": {create(preference("old", 5)), memory.CodeOverwrite},
		"resurrection":                  {create(preference("retired", 5)), memory.CodeAntiResurrection},
	} {
		err := s.Apply(background, planOf(tt.edit))
		if got := codes(err); !slices.Contains(got, tt.code) {
			t.Errorf("%s: %v, codes %v, want %s", name, err, got, tt.code)
		}
		if err != nil && !strings.Contains(err.Error(), tt.edit.Path) {
			t.Errorf("%s: does not name the path: %v", name, err)
		}
	}
	after := tree(t, root)
	if len(after) != len(before) {
		t.Errorf("left behind: %d files, were %d", len(after), len(before))
	}
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
	// An allowed update is made.
	apply(t, s, update(a, next(func(r *memory.Record) { r.RelatedFiles = []string{"there.go", "new.go"} })))
	// A refused edit refuses the whole plan.
	a = read(t, s, a.Path)
	err := s.Apply(background, planOf(update(a, preference("a", 3)), create(preference("retired", 0))))
	if err == nil || read(t, s, a.Path).TimesUpdated != 2 {
		t.Errorf("half a plan was applied: %v", err)
	}
}

// TestTagsNeverStickAtTheCap is for fault 1.6 of failures-of-the-original.md: eleven tags and three new
// ones could never be saved.
func TestTagsNeverStickAtTheCap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "store")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s := Open(dir, Options{})
		tag := rapid.StringMatching(`[a-z]{1,3}`)
		r := preference("a", 0)
		r.Tags = memory.CleanTags(rapid.SliceOfN(tag, 11, 12).Draw(t, "tags"))
		if err := s.Apply(background, planOf(create(r))); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			was, err := s.Read("preferences/a.json")
			if err != nil {
				t.Fatal(err)
			}
			next := preference("a", i+1)
			more := rapid.SliceOfN(tag, 1, 5).Draw(t, "more")
			next.Tags = memory.CleanTags(slices.Concat(more, was.Tags))
			if err := s.Apply(background, planOf(update(was, next))); err != nil {
				t.Fatalf("%v and %v: %v", was.Tags, more, err)
			}
		}
	})
}

// TestOriginalWithTooMuch: a record of the original with more tags and changes than are written now is
// updated and retired like any other.
func TestOriginalWithTooMuch(t *testing.T) {
	s := Open(newRoot(t), Options{})
	r := preference("a", 0)
	for i := range 20 {
		r.Tags = append(r.Tags, fmt.Sprint("t", i))
	}
	for i := range 60 {
		r.Changes = append(r.Changes, memory.Change{Date: "d", Summary: fmt.Sprint(i)})
	}
	write(t, s.file("preferences/a.json"), string(r.Encode()))
	was := read(t, s, "preferences/a.json")
	next := was.Record
	next.TimesUpdated++
	next.Tags = memory.CleanTags(next.Tags)
	next.Changes = memory.AppendChanges(next.Changes, memory.Change{Date: "d", Summary: "new"})
	apply(t, s, update(was, next))
	was = read(t, s, "preferences/a.json")
	m, err := was.Retire("", time.Now())
	apply(t, s, moved(t, was, plan.Retire, m, err))
}

// TestLockTimeout is for fault 1.10 of failures-of-the-original.md: a process without the lock does not
// write.
func TestLockTimeout(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{LockWait: 30 * time.Millisecond})
	apply(t, s, create(preference("a", 0)))
	defer hold(t, s).close()
	before := tree(t, root)
	if err := s.Apply(background, planOf(create(preference("b", 0)))); err == nil ||
		!strings.Contains(err.Error(), "locked by another process") {
		t.Errorf("got %v", err)
	}
	if after := tree(t, root); len(after) != len(before) {
		t.Error("wrote without the lock")
	}
}

// TestCorruptIsKept is for the other half of fault 1.8 of failures-of-the-original.md: a file that
// cannot be read is set aside, not overwritten.
func TestCorruptIsKept(t *testing.T) {
	s := Open(newRoot(t), Options{})
	write(t, s.file("preferences/a.json"), `{"half`)
	apply(t, s, create(preference("a", 0)))
	kept, err := filepath.Glob(s.file("preferences/a.json.invalid.*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v %v", kept, err)
	}
	if b, err := os.ReadFile(kept[0]); err != nil || string(b) != `{"half` {
		t.Errorf("%q, %v", b, err)
	}
}
