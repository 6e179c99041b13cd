package memory

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// ofStatus returns a record that got its status as records do.
func ofStatus(s Status) Record {
	r := Record{
		SchemaVersion: "1.0", Category: Preference, ID: "tabs", Title: "Tabs", Status: Active,
		CreatedAt: "2026-11-01T09:00:00Z", UpdatedAt: "2026-11-01T09:00:00Z", Tags: []string{"style"},
		Content: Content{"topic": "t", "value": "v", "reason": "r", "strength": "soft"},
	}
	switch s {
	case Retired:
		m, _ := r.Retire("old", noon.Add(-48*time.Hour))
		r = m.Record
	case Archived:
		m, _ := r.Archive("keep", noon.Add(-48*time.Hour))
		r = m.Record
	}
	return r
}

func yes(string) bool { return true }

// TestTransitions checks the whole table of transitions.
func TestTransitions(t *testing.T) {
	type to struct {
		status  Status
		already bool
		code    Code
	}
	verbs := map[string]func(Record) (Moved, error){
		"retire":    func(r Record) (Moved, error) { return r.Retire("why\nnot", noon) },
		"archive":   func(r Record) (Moved, error) { return r.Archive("", noon) },
		"unarchive": func(r Record) (Moved, error) { return r.Unarchive(noon) },
		"restore":   func(r Record) (Moved, error) { return r.Restore(noon) },
		"shelve":    func(r Record) (Moved, error) { return r.Shelve(noon) },
	}
	table := map[string]map[Status]to{
		"retire": {Active: {Retired, false, ""}, Retired: {Retired, true, ""},
			Archived: {code: CodeRetire}},
		"archive": {Active: {Archived, false, ""}, Archived: {Archived, true, ""},
			Retired: {code: CodeArchive}},
		"unarchive": {Archived: {Active, false, ""}, Active: {Active, true, ""},
			Retired: {code: CodeUnarchive}},
		"restore": {Retired: {Active, false, ""}, Active: {Active, true, ""},
			Archived: {code: CodeRestore}},
		"shelve": {Retired: {Archived, false, ""}, Active: {code: CodeArchive},
			Archived: {code: CodeArchive}},
	}
	reasons := map[string]string{"retire": "why not", "archive": NoReason, "unarchive": "Unarchived",
		"restore": "Restored", "shelve": "Grace period over: old"}
	for verb, rows := range table {
		for from, want := range rows {
			t.Run(fmt.Sprint(verb, " ", from), func(t *testing.T) {
				old := ofStatus(from)
				m, err := verbs[verb](old)
				var no *Refusal
				if errors.As(err, &no) != (want.code != "") || no != nil &&
					(no.Code != want.code || no.Field != "record_status") {
					t.Fatalf("got %v, want %q", err, want.code)
				}
				if err != nil {
					return
				}
				if m.Status != want.status || m.Already != want.already {
					t.Errorf("got %s, already %v", m.Status, m.Already)
				}
				if m.Already {
					if !reflect.DeepEqual(m.Record, old) {
						t.Errorf("changed: %+v", m.Record)
					}
					return
				}
				last := m.Changes[len(m.Changes)-1]
				if want := (Change{Stamp(noon), reasons[verb], "record_status", string(from),
					string(m.Status)}); last != want {
					t.Errorf("change %+v, want %+v", last, want)
				}
				if len(m.Changes) != len(old.Changes)+1 || m.UpdatedAt != Stamp(noon) ||
					m.CreatedAt != old.CreatedAt || m.TimesUpdated != old.TimesUpdated {
					t.Errorf("got %+v", m.Record)
				}
				for name, f := range map[string]struct {
					value *string
					want  bool
				}{
					"retired_at":      {m.RetiredAt, m.Status == Retired},
					"retired_reason":  {m.RetiredReason, m.Status == Retired},
					"archived_at":     {m.ArchivedAt, m.Status == Archived},
					"archived_reason": {m.ArchivedReason, m.Status == Archived},
				} {
					if (f.value != nil) != f.want {
						t.Errorf("%s is set: %v", name, f.value != nil)
					}
				}
				if err := m.Validate(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestMoveOfTheOriginalsRecords: limits that only writers keep must not prevent a record of the original from
// being retired.
func TestMoveOfTheOriginalsRecords(t *testing.T) {
	r := ofStatus(Active)
	for i := range 20 {
		r.Tags = append(r.Tags, fmt.Sprint("tag-", i))
	}
	for i := range 60 {
		r.Changes = append(r.Changes, Change{Date: "d", Summary: fmt.Sprint(i)})
	}
	m, err := r.Retire(strings.Repeat("long ", 100), noon)
	if err != nil || m.Validate() != nil || len(m.Tags) != MaxTags || len(m.Changes) != MaxChanges {
		t.Errorf("%v, %v: %d tags, %d changes", err, m.Validate(), len(m.Tags), len(m.Changes))
	}
	if err := CheckMove(CodeRetire, r, m.Record, Retired, yes, Active); err != nil {
		t.Error(err)
	}
}

func TestRetiredLately(t *testing.T) {
	for stamp, want := range map[string]bool{
		"2026-11-19T12:00:01Z": true, "2026-11-19T12:00:00Z": false, "2026-11-01T00:00:00Z": false,
		"2026-11-21T00:00:00Z": true, "yesterday": true,
		"2026-11-20T08:00:00": true, "2026-11-01T00:00:00.25": false, "2026-11-01 00:00:00": false,
		"2026-11-01": false,
	} {
		r := ofStatus(Retired)
		r.RetiredAt = &stamp
		if got := r.RetiredLately(noon); got != want {
			t.Errorf("%s: %v", stamp, got)
		}
		var no *Refusal
		if err := CheckCreate(r, noon); !errors.As(err, &no) || (no.Code == CodeAntiResurrection) != want ||
			(no.Code == CodeOverwrite) == want {
			t.Errorf("%s: %v", stamp, err)
		}
	}
	if r := ofStatus(Active); r.RetiredLately(noon) {
		t.Error("an active record was retired")
	}
	// Two sessions of a day may have the same title, and the window retires the first.
	r := ofStatus(Retired)
	now := Stamp(noon)
	r.Category, r.RetiredAt = SessionSummary, &now
	var no *Refusal
	if err := CheckCreate(r, noon); !errors.As(err, &no) || no.Code != CodeOverwrite {
		t.Error(err)
	}
}

// TestCheckUpdate breaks each protection.
func TestCheckUpdate(t *testing.T) {
	base := func() Record {
		r := ofStatus(Active)
		r.Tags = []string{"style", "Go Code"}
		r.RelatedFiles = []string{"there.go", "gone.go"}
		r.Changes = []Change{{Date: "d", Summary: "first"}}
		return r
	}
	exists := func(file string) bool { return file == "there.go" }
	text := "x"
	for name, tt := range map[string]struct {
		change func(old, next *Record)
		field  string // "" if it is allowed
	}{
		"an update":      {func(o, n *Record) { n.Title, n.Content = "New", Content{} }, ""},
		"schema grows":   {func(o, n *Record) { n.Provenance = &Provenance{} }, ""},
		"schema shrinks": {func(o, n *Record) { o.SchemaVersion = "1.1" }, "schema_version"},
		"created_at":     {func(o, n *Record) { n.CreatedAt = "x" }, "created_at"},
		"category":       {func(o, n *Record) { n.Category = Decision }, "category"},
		"id":             {func(o, n *Record) { n.ID = "x" }, "id"},
		"retires":        {func(o, n *Record) { n.Status = Retired }, "record_status"},
		"of a retired one": {func(o, n *Record) {
			o.Status, n.Status = Retired, Retired
		}, "record_status"},
		"brings a retired one up": {func(o, n *Record) { o.Status = Retired }, "record_status"},
		"retired_at":              {func(o, n *Record) { n.RetiredAt = &text }, "retired_at"},
		"retired_reason":          {func(o, n *Record) { n.RetiredReason = &text }, "retired_reason"},
		"archived_at":             {func(o, n *Record) { n.ArchivedAt = &text }, "archived_at"},
		"archived_reason":         {func(o, n *Record) { o.ArchivedReason = &text }, "archived_reason"},
		"not counted":             {func(o, n *Record) { n.TimesUpdated = 0 }, "times_updated"},
		"a tag less":              {func(o, n *Record) { n.Tags = n.Tags[:1] }, "tags"},
		"a tag written otherwise": {func(o, n *Record) { n.Tags = []string{"go-code", "Style"} }, ""},
		"no tag becomes one":      {func(o, n *Record) { o.Tags = []string{Untagged} }, ""},
		"a tag makes room": {func(o, n *Record) {
			n.Tags = strings.Fields("a b c d e f g h i j k l")
		}, ""},
		"dangling file": {func(o, n *Record) { n.RelatedFiles = n.RelatedFiles[:1] }, ""},
		"file that is there": {func(o, n *Record) {
			n.RelatedFiles = n.RelatedFiles[1:]
		}, "related_files"},
		"files": {func(o, n *Record) {
			n.RelatedFiles = append(n.RelatedFiles, "new")
		}, ""},
		"branch taken away": {func(o, n *Record) {
			o.Branch = &Branch{"feat/x", strings.Repeat("1", 40), ""}
			o.SchemaVersion, n.SchemaVersion = "1.3", "1.3"
		}, ""},
		"branch kept": {func(o, n *Record) {
			o.Branch, n.Branch = &Branch{Name: "feat/x"}, &Branch{Name: "feat/x"}
		}, ""},
		"another branch": {func(o, n *Record) {
			o.Branch, n.Branch = &Branch{Name: "feat/x"}, &Branch{Name: "feat/y"}
		}, "branch"},
		"bound later": {func(o, n *Record) { n.Branch = &Branch{Name: "feat/y"} }, "branch"},
		"no change":   {func(o, n *Record) { n.Changes = o.Changes }, "changes"},
		"history rewritten": {func(o, n *Record) {
			n.Changes = []Change{{Date: "d", Summary: "First"}, {}}
		}, "changes"},
		"history lost": {func(o, n *Record) { n.Changes = []Change{{}, {}} }, "changes"},
		"full": {func(o, n *Record) {
			o.Changes = many(0, 50)
			n.Changes = many(1, 51)
		}, ""},
		"full, several": {func(o, n *Record) {
			o.Changes = many(0, 48)
			n.Changes = many(5, 55)
		}, ""},
		"full, more than it takes": {func(o, n *Record) {
			o.Changes = many(0, 50)
			n.Changes = many(5, 51)
		}, "changes"},
		"full, nothing new": {func(o, n *Record) {
			o.Changes = many(0, 50)
			n.Changes = many(0, 50)
		}, "changes"},
		"full, rewritten": {func(o, n *Record) {
			o.Changes = many(0, 50)
			n.Changes = append(many(100, 110), many(11, 51)...)
		}, "changes"},
		"the original's 60": {func(o, n *Record) {
			o.Changes = many(0, 60)
			n.Changes = many(11, 61)
		}, ""},
	} {
		old, next := base(), base()
		next.TimesUpdated++
		next.Changes = append(next.Changes, Change{Date: "d", Summary: "second"})
		tt.change(&old, &next)
		err := CheckUpdate(old, next, exists)
		var no *Refusal
		errors.As(err, &no)
		code := CodeMerge
		if old.Status != Active {
			code = CodeUpdate
		}
		switch {
		case tt.field == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case tt.field != "" && (no == nil || no.Field != tt.field || no.Code != code || no.Expected == "" ||
			no.Got == ""):
			t.Errorf("%s: got %v, want %s", name, err, tt.field)
		}
	}
}

func many(from, to int) (out []Change) {
	for i := from; i < to; i++ {
		out = append(out, Change{Date: "d", Summary: fmt.Sprint(i)})
	}
	return out
}

// TestCheckMove: a transition made by hand must be one of the table.
func TestCheckMove(t *testing.T) {
	old := ofStatus(Active)
	good, err := old.Retire("why", noon)
	if err != nil {
		t.Fatal(err)
	}
	check := func(r Record) error { return CheckMove(CodeRetire, old, r, Retired, yes, Active) }
	if err := check(good.Record); err != nil {
		t.Error(err)
	}
	empty := ""
	for field, change := range map[string]func(*Record){
		"record_status":   func(r *Record) { r.Status = Archived },
		"retired_at":      func(r *Record) { r.RetiredAt = nil },
		"retired_reason":  func(r *Record) { r.RetiredReason = &empty },
		"archived_reason": func(r *Record) { r.ArchivedReason = &empty },
		"created_at":      func(r *Record) { r.CreatedAt = "x" },
		"changes":         func(r *Record) { r.Changes = nil },
		"times_updated":   func(r *Record) { r.TimesUpdated = -1 },
	} {
		r := good.Record
		change(&r)
		var no *Refusal
		if err := check(r); !errors.As(err, &no) || no.Code != CodeRetire || no.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := CheckMove(CodeRetire, ofStatus(Archived), good.Record, Retired, yes, Active); err == nil {
		t.Error("archived became retired")
	}
	if CheckDelete(good.Record) != nil || CheckDelete(old) == nil || CheckDelete(ofStatus(Archived)) == nil {
		t.Error("only what is retired may be deleted")
	}
}

// TestChangesOnlyGrow: after any number of updates the next is allowed, and none without its entry.
func TestChangesOnlyGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ofStatus(Active)
		n := 0
		for range rapid.IntRange(1, 30).Draw(t, "updates") {
			next := r
			next.TimesUpdated++
			k := rapid.IntRange(0, 12).Draw(t, "entries")
			next.Changes = AppendChanges(r.Changes, many(n, n+k)...)
			n += k
			if err := CheckUpdate(r, next, yes); (err == nil) != (k > 0) {
				t.Fatalf("%d entries on %d: %v", k, len(r.Changes), err)
			}
			if k > 0 {
				r = next
			}
		}
	})
}
