package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// TestTurnsInTime: words turn against what was said before them, in whatever order they are said yes to,
// and are overtaken by what was said after them.
func TestTurnsInTime(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	project := t.TempDir()
	if err := os.Mkdir(filepath.Join(project, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := Open(Call{ID: "s1", Transcript: "/t/s1.jsonl", Cwd: project})
	if err != nil {
		t.Fatal(err)
	}
	day := func(d int) time.Time { return time.Date(2025, 1, d, 9, 0, 0, 0, time.UTC) }
	note := func(text string, at time.Time) finding.Finding {
		t.Helper()
		f := finding.Finding{Text: text, By: finding.Typed, Origin: finding.FromPerson, Session: "s0",
			Time: at, Category: memory.Decision, Level: finding.Candidate, Imported: true}
		all, err := s.NoteFindings([]finding.Finding{f}, day(28))
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0]
	}
	older := note("We decided to use Redis for the job queue.", day(10))
	newer := note("Switch the job queue from Redis to Postgres.", day(20))
	other := note("We decided to use Redis for the session cache.", day(11))
	turned := func(f finding.Finding) string {
		t.Helper()
		against, err := s.Turns(f.Text, f.Time)
		if err != nil || against.Record.Ref != "" {
			t.Errorf("%q: %+v, %v", f.Text, against, err)
		}
		return against.Finding.Ref
	}
	if got := turned(newer); got != FindingPath(older.Number) {
		t.Errorf("the newer turns against %q", got)
	}
	early := newer
	early.Time = day(5)
	if got := turned(early); got != "" {
		t.Errorf("said before all others it turns against %q", got)
	}
	overtaken, err := s.Overtaken()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		finding.Finding
		by string
	}{{older, FindingPath(newer.Number)}, {newer, ""}, {other, ""}} {
		by, err := overtaken(tt.Finding)
		if err != nil || by.Ref != tt.by {
			t.Errorf("%q is overtaken by %q, want %q", tt.Text, by.Ref, tt.by)
		}
	}

	// Of very many, the newest are compared, and it is said that the others are not.
	var many []finding.Finding
	for i := range 400 {
		text := fmt.Sprintf("Switch unit%d from alpha%d to beta%d.", i, i, i)
		many = append(many, finding.Finding{Text: text, By: finding.Typed, Origin: finding.FromPerson,
			Session: "s0", Category: memory.Decision, Time: day(21).Add(time.Duration(i) * time.Minute),
			Level: finding.Candidate, Imported: true})
	}
	all, err := s.NoteFindings(many, day(28))
	if err != nil || len(all) != len(many) {
		t.Fatal(len(all), err)
	}
	if overtaken, err = s.Overtaken(); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		_, err := overtaken(all[len(all)-1-i])
		if i < 300 && err != nil || i == len(all)-1 && !errors.Is(err, ErrTooMany) {
			t.Fatal(i, err)
		}
	}
}
