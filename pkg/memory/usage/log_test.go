package usage

import (
	"testing"
	"time"
)

// TestKept: a memory that the person wants to keep is idle no more, also once its notes are put together, and
// each of two calls that broke a rule counts.
func TestKept(t *testing.T) {
	day := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	var lines []byte
	for i := range Idle {
		lines = Note{Memory: "a", At: day, Session: "s", With: Prompt, Offset: int64(i)}.Append(lines)
	}
	if l := Parse(lines); !l.Counts()["a"].IsIdle() {
		t.Fatal("it came often and was never used")
	}
	for range 2 {
		lines = Note{Memory: "a", At: day.Add(time.Hour), Kept: true}.Append(lines)
		lines = Note{Memory: "a", At: day, Session: "s", Broken: true}.Append(lines)
	}
	lines = Note{Memory: "a", At: day.Add(time.Second), Session: "s", Broken: true}.Append(lines)
	for _, at := range []time.Time{day, day.Add(24 * time.Hour)} {
		lines = Parse(lines).Folded(at)
		if c := Parse(lines).Counts()["a"]; c.IsIdle() || !c.Kept || c.Prompts != Idle || c.Broken != 2 ||
			c.Guarded != 0 {
			t.Errorf("put together before %s: %+v", at, c)
		}
	}
}
