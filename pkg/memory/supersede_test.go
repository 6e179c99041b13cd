package memory

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// TestSchemaVersions: a record is written with the lowest version that can hold it, and nothing is lost on
// the way.
func TestSchemaVersions(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Record)
		want   string
	}{
		"plain":         {func(r *Record) {}, "1.0"},
		"provenance":    {func(r *Record) { r.Provenance = &Provenance{Session: "s"} }, "1.1"},
		"superseded_by": {func(r *Record) { r.SupersededBy = "preferences/spaces.json" }, "1.2"},
		"supersedes": {func(r *Record) {
			r.Supersedes = []string{"preferences/a.json",
				"preferences/b.json"}
		}, "1.2"},
		"ext": {func(r *Record) {
			r.Ext = map[string]any{"x.tool": map[string]any{"n": []any{"a",
				true}}}
		}, "1.2"},
		"verify":      {func(r *Record) { r.Verify = []string{"path_exists a.go"} }, "1.3"},
		"branch":      {func(r *Record) { r.Branch = &Branch{"feat/x", strings.Repeat("1", 40), ""} }, "1.3"},
		"read as 1.1": {func(r *Record) { r.SchemaVersion = "1.1" }, "1.1"},
		"read as 1.2": {func(r *Record) { r.SchemaVersion = "1.2" }, "1.2"},
	} {
		r := ofStatus(Retired)
		r.SchemaVersion = ""
		tt.change(&r)
		back, err := Decode(r.Encode())
		if err != nil || back.SchemaVersion != tt.want {
			t.Errorf("%s: schema %q, %v", name, back.SchemaVersion, err)
			continue
		}
		r.SchemaVersion = tt.want
		if !reflect.DeepEqual(back, r) {
			t.Errorf("%s: came back as %+v", name, back)
		}
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNewerMinor: what a later version adds at the top is kept. If it changes anything else, the record
// cannot be read here and must not be repaired.
func TestNewerMinor(t *testing.T) {
	good := string(whole().Encode())
	later := strings.Replace(good, `"schema_version": "1.1"`,
		`"mood": {"is": ["good", 1e3]}, "schema_version": "1.7", "ext": {"n": 12345678901234567890}`, 1)
	r, err := Decode([]byte(later))
	if err != nil || r.SchemaVersion != "1.7" {
		t.Fatal(r.SchemaVersion, err)
	}
	again := string(r.Encode())
	for _, part := range []string{`"mood": {`, `1e3`, `12345678901234567890`, `"schema_version": "1.7"`} {
		if !strings.Contains(again, part) {
			t.Errorf("%s is lost:\n%s", part, again)
		}
	}
	if back, err := Decode([]byte(again)); err != nil || string(back.Encode()) != again ||
		back.Validate() != nil {
		t.Errorf("%v\n%s", err, back.Encode())
	}
	for _, other := range []string{
		strings.Replace(later, `"context": "c"`, `"context": ["c"]`, 1),
		strings.Replace(later, `"context": "c"`, `"context": "c", "mood": "good"`, 1),
	} {
		if _, err := Decode([]byte(other)); !errors.Is(err, ErrNewer) {
			t.Errorf("got %v, want ErrNewer", err)
		}
	}
}

func TestSupersede(t *testing.T) {
	old := ofStatus(Active)
	m, err := old.Supersede("preferences/spaces.json", "The person changed their mind", noon)
	if err != nil || m.Status != Retired || m.SupersededBy != "preferences/spaces.json" ||
		*m.RetiredReason != "The person changed their mind" {
		t.Fatalf("%+v %v", m, err)
	}
	exists := func(string) bool { return false }
	if err := CheckMove(CodeRetire, old, m.Record, Retired, exists, Active); err != nil {
		t.Error(err)
	}
	back, err := m.Restore(noon)
	if err != nil || back.SupersededBy != "" || back.Validate() != nil {
		t.Errorf("%+v %v", back, err)
	}
	if err := CheckMove(CodeRestore, m.Record, back.Record, Active, exists, Retired); err != nil {
		t.Error(err)
	}
	back.SupersededBy = "x"
	if err := CheckMove(CodeRestore, m.Record, back.Record, Active, exists, Retired); err == nil ||
		back.Validate() == nil {
		t.Error("an active record is superseded")
	}
	shelved, err := m.Shelve(noon)
	if err != nil || shelved.SupersededBy != "preferences/spaces.json" ||
		CheckMove(CodeArchive, m.Record, shelved.Record, Archived, exists, Retired) != nil {
		t.Errorf("%+v %v", shelved, err)
	}
	if again, err := m.Supersede("preferences/x.json", "", noon); err != nil || !again.Already ||
		again.SupersededBy != "preferences/spaces.json" {
		t.Errorf("%+v %v", again, err)
	}
}

// TestUpdateKeepsLinks: an update can neither mark a record as superseded nor drop what it superseded.
func TestUpdateKeepsLinks(t *testing.T) {
	old := ofStatus(Active)
	old.Supersedes, old.Ext = []string{"preferences/a.json"}, map[string]any{"x": "y"}
	next := old
	next.TimesUpdated++
	next.Changes = AppendChanges(old.Changes, Change{Date: "d", Summary: "s"})
	exists := func(string) bool { return false }
	if err := CheckUpdate(old, next, exists); err != nil {
		t.Error(err)
	}
	for field, change := range map[string]func(*Record){
		"supersedes":    func(r *Record) { r.Supersedes = nil },
		"superseded_by": func(r *Record) { r.SupersededBy = "x" },
		"ext.x":         func(r *Record) { r.Ext = nil },
	} {
		n := next
		change(&n)
		if err := CheckUpdate(old, n, exists); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestMergeLinks(t *testing.T) {
	base := ofStatus(Active)
	base.Ext = map[string]any{"a": "1", "b": "1", "c": "1"}
	ours, theirs := base, base
	ours.Supersedes, theirs.Supersedes = []string{"preferences/a.json"}, []string{"preferences/b.json"}
	ours.Ext = map[string]any{"a": "2", "b": "1", "c": "1", "d": "1"}
	theirs.Ext = map[string]any{"a": "1", "c": "3"}
	retired, err := theirs.Supersede("preferences/z.json", "", noon)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Merge(&base, ours, retired.Record)
	if err != nil || len(m.Conflicts) > 0 {
		t.Fatal(m.Conflicts, err)
	}
	if m.Status != Retired || m.SupersededBy != "preferences/z.json" || len(m.Supersedes) != 2 ||
		m.schema() != "1.2" {
		t.Errorf("%+v", m.Record)
	}
	if want := (map[string]any{"a": "2", "c": "3", "d": "1"}); !reflect.DeepEqual(m.Ext, want) {
		t.Errorf("ext %v, want %v", m.Ext, want)
	}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
}
