package stop

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/project/session"
)

// TestRealSessions puts recorded sessions of the client through Stop as growing files, turn by turn.
func TestRealSessions(t *testing.T) {
	recorded := filepath.Join("..", "..", "pkg", "client", "transcript", "testdata")
	files, err := filepath.Glob(filepath.Join(recorded, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded sessions (%v)", err)
	}
	turns, feedbacks, signals := 0, 0, 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			r := replay(t, file)
			turns, feedbacks, signals = turns+r.turns, feedbacks+r.feedbacks, signals+r.signals
			t.Logf("%d turns (%d with the last message still to come), %d feedbacks, %d signals, slowest "+
				"stop %v, most memory %d KB", r.turns, r.withheld, r.feedbacks, r.signals,
				r.slowest.Round(time.Millisecond/10), r.most>>10)
		})
	}
	t.Logf("%d sessions, %d turns: %.1f signals a session, %.1f feedbacks per 100 turns", len(files), turns,
		float64(signals)/float64(len(files)), 100*float64(feedbacks)/float64(max(turns, 1)))
}

type replayed struct {
	turns, feedbacks, signals int
	withheld                  int // stops whose last message was not in the file yet
	slowest                   time.Duration
	most                      uint64 // bytes allocated by one stop
}

func replay(t *testing.T, file string) (r replayed) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t)
	whole := wholeOf(t, file)
	heard := map[string]int{}
	var mark transcript.Mark
	for _, end := range turnEnds(whole, int64(len(text))) {
		now, last := withheld(whole, text[:end])
		if err := os.WriteFile(l.file, now, 0o600); err != nil {
			t.Fatal(err)
		}
		// What the hook will read, read beside it with a mark of its own.
		span, next := read(t, l.file, mark, last)
		mark = next
		for _, p := range session.Passages(span) {
			heard[key(p)]++
		}
		before := l.open()
		if last != "" {
			r.withheld++
		}
		var mem, after runtime.MemStats
		runtime.ReadMemStats(&mem)
		start := time.Now()
		said, err := turn{Session: before,
			in: hook.Stop{Common: hook.Common{Session: "s1", Transcript: l.file, Mode: "default"},
				LastAssistant: last}, attended: true, now: l.now}.end()
		r.slowest = max(r.slowest, time.Since(start))
		runtime.ReadMemStats(&after)
		r.most = max(r.most, after.TotalAlloc-mem.TotalAlloc)
		if err != nil {
			t.Fatalf("turn %d: %v", r.turns, err)
		}
		r.turns++
		if said.context != "" {
			r.feedbacks++
			data, err := l.open().Desk.Triage()
			if err != nil {
				t.Fatal(err)
			}
			r.signals += len(data.Categories)
			l.applied()
			if again := l.stopAgain(); again != "" {
				t.Errorf("turn %d: the same text was told twice: %s", r.turns, again)
			}
		}
	}
	os.WriteFile(l.file, text, 0o600)
	rest, _ := read(t, l.file, mark, "")
	for _, p := range session.Passages(rest) {
		heard[key(p)]++
	}
	want := map[string]int{}
	for _, p := range session.Passages(whole) {
		want[key(p)]++
	}
	if !maps.Equal(heard, want) {
		for k := range want {
			if heard[k] != want[k] {
				t.Errorf("said %d times, heard %d times: %.120q", want[k], heard[k], k)
			}
		}
		for k := range heard {
			if want[k] == 0 {
				t.Errorf("never said, heard %d times: %.120q", heard[k], k)
			}
		}
	}
	return r
}

// stopAgain is the Stop that follows the save.
func (l *lab) stopAgain() string {
	in := hook.Stop{Common: hook.Common{Session: "s1", Transcript: l.file, Mode: "default"}, Active: true}
	said, err := turn{Session: l.open(), in: in, attended: true, now: l.now}.end()
	if err != nil {
		l.t.Fatal(err)
	}
	return said.context
}

func key(p triage.Passage) string {
	return string('0'+rune(p.By)) + strings.TrimSpace(p.Text)
}

func read(t *testing.T, path string, from transcript.Mark, last string) ([]transcript.Entry,
	transcript.Mark) {
	t.Helper()
	f, err := session.OpenTranscript(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	span, err := transcript.Read(f, transcript.Request{From: from, Device: f.Device, Inode: f.Inode,
		LastAssistant: last, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	return span.Entries, span.Next
}

func wholeOf(t *testing.T, path string) []transcript.Entry {
	entries, _ := read(t, path, transcript.Mark{}, "")
	return entries
}

// turnEnds are the places in the file where a turn had ended: before each
// prompt of the person, and at the end.
func turnEnds(entries []transcript.Entry, size int64) []int64 {
	var ends []int64
	for i, e := range entries {
		if e.Who == transcript.Person && i > 0 && entries[i-1].Who != transcript.Person {
			ends = append(ends, e.Offset)
		}
	}
	ends = append(ends, size)
	return slices.Compact(ends)
}

// withheld is the file as it is at Stop: without the line of the last text of
// the agent and what follows it, and that text.
func withheld(entries []transcript.Entry, text []byte) ([]byte, string) {
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if e.Offset >= int64(len(text)) {
			continue
		}
		if e.Who == transcript.Assistant && e.Tool == "" && bytes.Count(text[e.Offset:], []byte("\n")) <= 3 {
			return text[:e.Offset], e.Text
		}
		return text, ""
	}
	return text, ""
}
