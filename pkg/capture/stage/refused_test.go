package stage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

// TestRefused follows refused drafts from session to session until they are
// handled.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	p := Pending{filepath.Join(dir, "pending")}
	refuse := func(session string, c memory.Category, draft string) {
		t.Helper()
		if err := p.Refuse(session,
			Refused{Category: c, Title: "T", Reason: "no steps", Draft: draft}); err != nil {
			t.Fatal(err)
		}
	}
	listed := func(want ...string) {
		t.Helper()
		all, err := p.Refused()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range all {
			got = append(got, fmt.Sprintf("%s/%s %s", k.Session, filepath.Base(k.Path), k.Draft))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("listed %q, want %q", got, want)
		}
	}
	listed()
	refuse("s1", memory.Runbook, "one")
	refuse("s1", memory.Runbook, "one") // a save that was cut short, run again
	refuse("s1", memory.Runbook, "two")
	refuse("s1", memory.Decision, "api_key = sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz")
	if all, err := p.Refused(); err != nil || len(all) != 3 || all[0].Draft == "" ||
		slices.Contains([]byte(all[0].Draft), '3') {
		t.Fatalf("a secret is kept: %+v, %v", all, err)
	}
	if err := os.Remove(filepath.Join(p.Dir, "s1", "rejected-decision.json")); err != nil {
		t.Fatal(err)
	}
	listed("s1/rejected-runbook.2.json two", "s1/rejected-runbook.json one")

	// Nothing was claimed: a save of something else handles nothing.
	if err := p.Handled("s1", []memory.Category{memory.Runbook}, func(int) bool { return false },
		all(p)); err != nil {
		t.Fatal(err)
	}
	listed("s1/rejected-runbook.2.json two", "s1/rejected-runbook.json one")

	p.Add("s1", Context{Category: memory.Runbook, Excerpt: "x", Snippets: []Snippet{{Text: "x"}}})
	refuse("s0", memory.Runbook, "elsewhere") // without a context there is nothing to claim
	if _, err := p.Claim(Desk{filepath.Join(dir, "run", "s2")}); err != nil {
		t.Fatal(err)
	}
	listed("s0/rejected-runbook.json elsewhere", "s2/retried-runbook.2.json two",
		"s2/retried-runbook.json one")
	if err := p.Handled("s2", []memory.Category{memory.Decision}, func(int) bool { return false },
		all(p)); err != nil {
		t.Fatal(err)
	}
	refuse("s2", memory.Runbook, "one") // refused again
	listed("s0/rejected-runbook.json elsewhere", "s2/rejected-runbook.json one",
		"s2/retried-runbook.2.json two", "s2/retried-runbook.json one")
	if err := p.Handled("s2", []memory.Category{memory.Runbook}, func(int) bool { return false },
		all(p)); err != nil {
		t.Fatal(err)
	}
	listed("s0/rejected-runbook.json elsewhere", "s2/rejected-runbook.json one")

	// A file that cannot be read is listed all the same.
	if err := os.WriteFile(filepath.Join(p.Dir, "s0", "rejected-runbook.json"), []byte("{"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := p.Refused(); err != nil || len(all) != 2 || all[0].Category != memory.Runbook ||
		all[0].Reason == "" {
		t.Errorf("%+v, %v", all, err)
	}
}

// What a newer version kept is named, and nobody takes it away; what was kept
// before there were versions is read.
func TestRefusedByOthers(t *testing.T) {
	p := Pending{t.TempDir()}
	d := Desk{filepath.Join(p.Dir, "s1")}
	for name, text := range map[string]string{
		"retried-decision.json":   `{"version": 99, "category": "decision", "reason": {"new": "form"}}`,
		"retried-decision.2.json": `{"category": "decision", "reason": "old form", "draft": "d"}`,
	} {
		if err := d.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	reasons := func() (out []string) {
		all, err := p.Refused()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range all {
			out = append(out, k.Reason)
		}
		return out
	}
	newer := "cannot be read: retried-decision.json: version 99: written by a newer version of keepsake"
	if got := reasons(); !slices.Equal(got, []string{"old form", newer}) {
		t.Errorf("%q", got)
	}
	if err := p.Handled("s1", []memory.Category{memory.Decision}, func(int) bool { return false },
		all(p)); err != nil {
		t.Fatal(err)
	}
	if got := reasons(); !slices.Equal(got, []string{newer}) {
		t.Errorf("after a save: %q", got)
	}
	if err := p.Refuse("s1", Refused{Category: memory.Decision, Reason: "r", Draft: "d"}); err != nil {
		t.Fatal(err)
	}
	if b, err := d.Read("rejected-decision.json"); err != nil ||
		!strings.Contains(string(b), `"version": 1,`) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestTriageOfOthers(t *testing.T) {
	d := Desk{filepath.Join(t.TempDir(), "desk")}
	if err := d.Put(Context{Category: memory.Decision, Excerpt: "x",
		Snippets: []Snippet{{Text: "x"}}}); err != nil {
		t.Fatal(err)
	}
	newer := `{"version": 99, "categories": "another form"}`
	if err := d.Write(TriageName, []byte(newer)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Triage(); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), TriageName) {
		t.Error(err)
	}
	if _, _, err := d.Announce(ParallelConfig{}, time.Now()); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
	if b, err := d.Read(TriageName); err != nil || string(b) != newer {
		t.Errorf("it was written over: %s, %v", b, err)
	}
	if err := d.Write(TriageName, []byte(`{"categories": [{"category": "decision"}]}`)); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Triage(); err != nil || len(got.Categories) != 1 {
		t.Errorf("an old one: %+v, %v", got, err)
	}
	if _, data, err := d.Announce(ParallelConfig{}, time.Now()); err != nil || data.Version != FileVersion {
		t.Errorf("%+v, %v", data, err)
	}
}

// all are the refused drafts that there are.
func all(p Pending) []Kept {
	kept, _ := p.Refused()
	return kept
}
