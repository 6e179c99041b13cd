package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/journal/event"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func numbered(n int) event.Event {
	return event.Event{Type: event.TriageScore, Took: event.Untimed, Data: event.Data{"n": n}}
}

func numbers(events []event.Event) []int {
	var out []int
	for _, e := range events {
		out = append(out, int(e.Data.Number("n")))
	}
	return out
}

func all(event.Event) bool { return true }

func put(t *testing.T, l Events, at time.Time, events ...event.Event) {
	t.Helper()
	if err := l.Append(at, events...); err != nil {
		t.Fatal(err)
	}
}

func TestEventsAppend(t *testing.T) {
	l := Events{Dir: filepath.Join(t.TempDir(), "state", "log")}
	put(t, l, now, event.Event{Type: event.GateDecision, Level: event.Debug})
	if _, err := os.Stat(l.Dir); err == nil {
		t.Error("nothing to write made a folder")
	}
	put(t, l, now, numbered(1), event.Event{Type: "x", Level: event.Debug}, numbered(2))
	put(t, l, now.Add(time.Hour), event.Event{Type: event.Failure, Level: event.Error})
	l.Least = event.Error
	put(t, l, now, numbered(3))

	dir, err := os.Stat(l.Dir)
	if err != nil || dir.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", dir.Mode(), err)
	}
	file, err := os.Stat(filepath.Join(l.Dir, "2026-11-20.jsonl"))
	if err != nil || file.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", file.Mode(), err)
	}
	r, err := l.Last(time.Time{}, 100, all)
	if err != nil || len(r.Events) != 3 || r.Broken != 0 || !r.Events[0].Time.Equal(now) ||
		r.Events[2].Type != event.Failure {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestEventsHostilePlaces(t *testing.T) {
	for name, occupy := range map[string]func(path string) error{
		"link": func(p string) error {
			return os.Symlink(filepath.Join(filepath.Dir(p), "elsewhere"), p)
		},
		"pipe":      func(p string) error { return syscall.Mkfifo(p, 0o600) },
		"directory": func(p string) error { return os.Mkdir(p, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			l := Events{Dir: t.TempDir()}
			path := filepath.Join(l.Dir, "2026-11-20.jsonl")
			if err := occupy(path); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- l.Append(now, numbered(1)) }()
			select {
			case err := <-done:
				if err == nil {
					t.Error("it was written into")
				}
			case <-time.After(5 * time.Second):
				t.Fatal("it waits")
			}
			if _, err := os.Stat(filepath.Join(l.Dir, "elsewhere")); err == nil {
				t.Error("the link was followed")
			}
			if r, err := l.Last(time.Time{}, 9, all); err != nil || len(r.Events) > 0 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

func TestEventsAFolderOfOthersIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "target"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := Events{Dir: filepath.Join(dir, "log")}
	if err := os.Symlink("target", l.Dir); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(now, numbered(1)); err == nil {
		t.Error("a linked folder was written into")
	}
}

func TestEventsAFullDay(t *testing.T) {
	l := Events{Dir: t.TempDir()}
	path := filepath.Join(l.Dir, "2026-11-20.jsonl")
	for n := 1; n <= 3; n++ {
		put(t, l, now, numbered(n))
		if err := os.Truncate(path, maxDay); err != nil { // what stands there is no event, but full
			t.Fatal(err)
		}
	}
	put(t, l, now, numbered(4))
	files, err := l.Files()
	if err != nil || !slices.Equal(files, []string{"2026-11-20.1.jsonl", "2026-11-20.jsonl"}) {
		t.Errorf("%v, %v", files, err)
	}
	r, err := l.Last(time.Time{}, 9, all)
	if err != nil || !slices.Equal(numbers(r.Events), []int{3, 4}) {
		t.Errorf("%v, %v", numbers(r.Events), err)
	}
}

func TestEventsBounds(t *testing.T) {
	old := func(l Events, days int) {
		put(t, Events{Dir: l.Dir}, now.AddDate(0, 0, -days), numbered(days))
	}
	l := Events{Dir: t.TempDir(), Days: 14}
	for _, days := range []int{40, 15, 14, 1} {
		old(l, days)
	}
	for _, name := range []string{"notes.txt", "2020-13-01.jsonl", "2020-01-01.json"} {
		if err := os.WriteFile(filepath.Join(l.Dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(t, l, now, numbered(0))
	r, _ := l.Last(time.Time{}, 9, all)
	if !slices.Equal(numbers(r.Events), []int{14, 1, 0}) {
		t.Errorf("kept %v", numbers(r.Events))
	}
	e, err := l.Extent()
	if err != nil || e.Files != 3 || e.First != time.Date(2026, 11, 6, 0, 0, 0, 0, time.UTC) ||
		e.Bytes < 300 || e.Bytes > 900 {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err := (Events{Dir: filepath.Join(l.Dir, "none")}).Extent(); err != nil || e != (Extent{}) {
		t.Errorf("%+v, %v", e, err)
	}
	if entries, _ := os.ReadDir(l.Dir); len(entries) != 6 {
		t.Errorf("%v", entries)
	}

	l = Events{Dir: t.TempDir()} // for ever, as far as they fit
	for _, days := range []int{400, 300, 200, 100} {
		old(l, days)
		if err := os.Truncate(filepath.Join(l.Dir, now.AddDate(0, 0, -days).Format(dayForm)+daySuffix),
			maxEvents/2-1000); err != nil {
			t.Fatal(err)
		}
	}
	put(t, l, now, numbered(0))
	files, _ := l.Files()
	if len(files) != 3 || files[0] != now.AddDate(0, 0, -200).Format(dayForm)+daySuffix {
		t.Errorf("kept %v", files)
	}
}

func TestEventsLast(t *testing.T) {
	l := Events{Dir: t.TempDir()}
	for n := range 10 {
		put(t, l, now.AddDate(0, 0, n/3-3), numbered(n))
	}
	even := func(e event.Event) bool { return int(e.Data.Number("n"))%2 == 0 }
	for name, tt := range map[string]struct {
		since time.Time
		limit int
		match func(event.Event) bool
		want  []int
		more  bool
	}{
		"all":      {time.Time{}, 100, all, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, false},
		"the last": {time.Time{}, 4, all, []int{6, 7, 8, 9}, true},
		"matching": {time.Time{}, 3, even, []int{4, 6, 8}, true},
		"since":    {now.AddDate(0, 0, -1), 100, all, []int{6, 7, 8, 9}, false},
		"since +":  {now.AddDate(0, 0, -1).Add(time.Second), 100, all, []int{9}, false},
		"none":     {now.Add(time.Hour), 100, all, nil, false},
	} {
		r, err := l.Last(tt.since, tt.limit, tt.match)
		if err != nil || !slices.Equal(numbers(r.Events), tt.want) || r.More != tt.more {
			t.Errorf("%s: %v more %t, %v", name, numbers(r.Events), r.More, err)
		}
	}
	path := filepath.Join(l.Dir, "2026-11-20.jsonl")
	b, _ := os.ReadFile(path)
	broken := append([]byte("half a li\n{}\n"), b...)
	os.WriteFile(path, append(broken, `{"schema_version":1,"event_ty`...), 0o600)
	if r, err := l.Last(now.AddDate(0, 0, -1), 100, all); err != nil || r.Broken != 2 || len(r.Events) != 4 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := (Events{Dir: filepath.Join(l.Dir, "none")}).Last(time.Time{}, 9, all); err != nil ||
		len(r.Events) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Several processes write whole lines.
func TestEventsTogether(t *testing.T) {
	l := Events{Dir: t.TempDir()}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for n := range 100 {
				if err := l.Append(now, numbered(1000*w+n),
					event.Event{Type: event.SaveStart,
						Data: event.Data{"pad": strings.Repeat("x", 150)}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	r, err := l.Last(time.Time{}, 10_000, all)
	if err != nil || len(r.Events) != 1600 || r.Broken > 0 {
		t.Errorf("%d events, %d broken, %v", len(r.Events), r.Broken, err)
	}
}

func TestEventsWatch(t *testing.T) {
	l := Events{Dir: t.TempDir()}
	path := filepath.Join(l.Dir, "2026-11-20.jsonl")
	put(t, l, now, numbered(1))
	w, err := l.Watch(now)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	poll := func(at time.Time, want ...int) {
		t.Helper()
		events, err := w.Poll(at)
		if err != nil || !slices.Equal(numbers(events), want) {
			t.Errorf("%v, %v; want %v", numbers(events), err, want)
		}
	}
	poll(now)
	put(t, l, now, numbered(2), numbered(3))
	poll(now, 2, 3)

	// A line in two parts is one event.
	line := numbered(4).Append(nil)
	line = bytes.Replace(line, []byte("0001-01-01"), []byte("2026-11-20"), 1)
	appendTo(t, path, line[:20])
	poll(now)
	appendTo(t, path, line[20:])
	poll(now, 4)

	// Put aside because it is full, with events on both sides.
	put(t, l, now, numbered(5))
	if err := os.Rename(path, filepath.Join(l.Dir, "2026-11-20.1.jsonl")); err != nil {
		t.Fatal(err)
	}
	put(t, l, now, numbered(6))
	poll(now, 5, 6)

	// Cut short, removed, begun anew, the next day.
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	put(t, l, now, numbered(7)) // as long as what was there: told by nothing, so it is passed over
	put(t, l, now, numbered(8))
	if events, err := w.Poll(now); err != nil || len(events) == 0 {
		t.Errorf("%v, %v", numbers(events), err)
	}
	os.Remove(path)
	poll(now)
	put(t, l, now, numbered(9))
	poll(now, 9)
	tomorrow := now.AddDate(0, 0, 1)
	put(t, l, now, numbered(10))
	put(t, l, tomorrow, numbered(11))
	poll(tomorrow, 10, 11)
}

func TestEventsWatchBeforeThereIsALog(t *testing.T) {
	l := Events{Dir: filepath.Join(t.TempDir(), "log")}
	w, err := l.Watch(now)
	if err != nil {
		t.Fatal(err)
	}
	if events, err := w.Poll(now); err != nil || len(events) > 0 {
		t.Errorf("%v, %v", events, err)
	}
	put(t, l, now, numbered(1))
	if events, err := w.Poll(now); err != nil || len(events) != 1 {
		t.Errorf("%v, %v", events, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func appendTo(t *testing.T, path string, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkEventsAppend(b *testing.B) {
	l := Events{Dir: b.TempDir(), Days: 14}
	for n := 0; b.Loop(); n++ {
		if err := l.Append(now.AddDate(0, 0, n/1000), numbered(n),
			event.Event{Type: event.RetrievalInject,
				Data: event.Data{"ids": []string{fmt.Sprint(n), "use-postgres"}}}); err != nil {
			b.Fatal(err)
		}
	}
}
