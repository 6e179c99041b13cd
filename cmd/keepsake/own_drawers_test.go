package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/doctor"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/mempalace"
)

// TestAuditOwnDrawers: what a person promotes at the terminal or said yes to is no
// surprise at the turn's end nor to doctor, what somebody puts beside it is.
func TestAuditOwnDrawers(t *testing.T) {
	d := newDesk(t)
	look := func(m mempalace.Moment) string {
		t.Helper()
		s, err := session.Open(session.Call{ID: "s1",
			Transcript: filepath.Join(d.client, "projects", "-p", "s1.jsonl"), Cwd: d.project})
		if err != nil {
			t.Fatal(err)
		}
		return s.Audit(t.Context(), m)
	}
	palaceSays := func() (all string) {
		out, _, _ := d.run("doctor", "--json")
		var found []doctor.Diagnosis
		if err := json.Unmarshal([]byte(out), &found); err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Check == "palace" {
				all += f.What + "\n"
			}
		}
		return all
	}
	first := d.note("Decided to use Postgres over SQLite.")
	if _, errs, code := d.typing("y\n", "promote", first); code != exitDone {
		t.Fatal(errs)
	}
	look(mempalace.Start)
	mine := d.note("Deploys go out on Tuesdays, because support is there.")
	if _, errs, code := d.typing("y\n", "promote", mine); code != exitDone {
		t.Fatal(errs)
	}
	if said := palaceSays(); !strings.HasSuffix(said, "2 drawers of Keepsake's own\n") ||
		strings.Contains(said, "appeared") {
		t.Errorf("doctor says %q", said)
	}
	if said := look(mempalace.Turn); said != "" {
		t.Errorf("of what the person promoted it said %q", said)
	}
	if _, errs, code := d.run(d.approve("save", "Invoices are numbered per year.",
		"--tier=why")...); code != exitDone {
		t.Fatal(errs)
	}
	if said := look(mempalace.Turn); said != "" {
		t.Errorf("of what the person said yes to it said %q", said)
	}
	files, err := filepath.Glob(filepath.Join(d.data, "keepsake", "drawers", "shop", "decisions"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(filepath.Join(files[0], "planted-1.md"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	const told = "1 drawer appeared among Keepsake's own without an approval: planted-1."
	if said := palaceSays(); !strings.Contains(said, "since the last turn: ") ||
		!strings.Contains(said, told) {
		t.Errorf("doctor says %q", said)
	}
	if said := look(mempalace.Turn); !strings.Contains(said, told) {
		t.Errorf("it said %q", said)
	}
	if said := look(mempalace.Turn); said != "" {
		t.Errorf("it said again %q", said)
	}
}
