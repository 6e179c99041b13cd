package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
)

// spoken is a session in which the person said something that no Stop has heard.
func spoken(t *testing.T, id, text string) *Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), id+".jsonl")
	line := fmt.Sprintf(`{"type":"user","uuid":"u-%s","timestamp":"2026-11-20T09:00:00.000Z","promptSource":"typed","origin":{"kind":"human"},"message":{"role":"user","content":%q}}`+"\n", id, text)
	if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(Call{ID: id, Transcript: path, Cwd: "/"})
	if err != nil {
		t.Fatal(err)
	}
	touch(t, s, func(st *stage.State) { st.Fresh = true })
	return s
}

// TestHold: what is staged before a compaction is due where somebody sits and the
// budget is not used up, and a save that is under way is left alone.
func TestHold(t *testing.T) {
	const decided = "We decided to use Postgres instead of SQLite because billing needs concurrent writers."
	for name, c := range map[string]struct {
		client      string
		state       func(*stage.State)
		staged, due bool
	}{
		"somebody":  {"cli", func(*stage.State) {}, true, true},
		"nobody":    {"sdk-cli", func(*stage.State) {}, true, false},
		"no budget": {"cli", func(st *stage.State) { st.Saves = 3 }, true, false},
		"saving":    {"cli", func(st *stage.State) { st.Saving = true }, false, false},
		"saved":     {"cli", func(st *stage.State) { st.Applied = true }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			home(t)
			t.Setenv("CLAUDE_CODE_ENTRYPOINT", c.client)
			s := spoken(t, "s1", decided)
			touch(t, s, c.state)
			for range 2 {
				if err := s.Hold("precompact"); err != nil {
					t.Fatal(err)
				}
			}
			_, err := s.Desk.Context(memory.Decision)
			if (err == nil) != c.staged || s.State.Due != c.due || (s.State.Mark.Offset > 0) != c.staged {
				t.Errorf("staged %v, due %v, read to %d", err == nil, s.State.Due, s.State.Mark.Offset)
			}
		})
	}
}

// TestHoldTakesWhatIsNear: what comes near its threshold may be left out of the summary.
func TestHoldTakesWhatIsNear(t *testing.T) {
	home(t)
	t.Setenv("KEEPSAKE_TRIAGE_THRESHOLDS_DECISION", "0.6")
	s := spoken(t, "s1", "We chose Postgres. Tom joined the team.")
	if err := s.Hold("precompact"); err != nil {
		t.Fatal(err)
	}
	all, err := s.Unsaved()
	if err != nil || len(all) != 2 || all[0].Label != "DECISION" || all[1].Label != "ENTITY" {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestFill(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	var st stage.State
	s.Runs(&st, "claude-haiku-4-5", "startup")
	used := func(n int64) transcript.Span {
		return transcript.Span{Usage: transcript.Usage{Input: n - 5, CacheRead: 5, Output: 1 << 20},
			Model: "claude-haiku-4-5"}
	}
	for _, step := range []struct {
		span transcript.Span
		at   triage.Pressure
	}{
		{used(90_000), triage.Calm}, {used(100_000), triage.Alert}, {transcript.Span{}, triage.Alert},
		{used(171_000), triage.Emergency},
		{transcript.Span{Compacted: true}, triage.Calm}, {used(140_000), triage.Flush},
		{transcript.Span{Compacted: true, Usage: transcript.Usage{Input: 101_000}, Model: "claude-haiku-4-5"},
			triage.Alert},
		// perhaps with a wide window
		{transcript.Span{Usage: transcript.Usage{Input: 150_000}, Model: "claude-sonnet-4-6"}, triage.Calm},
	} {
		s.noteFill(&st, step.span)
		if got := s.Full(st).At; got != step.at {
			t.Errorf("%+v: %d, want %d", step.span, got, step.at)
		}
	}
	s.Config.Capture.Window = 200_000
	s.noteFill(&st, transcript.Span{})
	if got := s.Full(st); got.At != triage.Flush || got.Percent != 75 {
		t.Errorf("with a window that is set: %+v", got)
	}
}
