package transcript

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestRealSessions reads each recorded session as a client would cause it: at the end of every turn, with the
// last message in the event and not yet in the file.
func TestRealSessions(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "*.jsonl"))
	if len(paths) == 0 {
		t.Fatal("no recorded sessions")
	}
	type words struct {
		who  Who
		text string
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole := read(t, source(string(b)), Request{Whole: true})
		var want []words
		for _, e := range whole.Entries {
			want = append(want, words{e.Who, e.Text})
		}
		var got []words
		var mark Mark
		turns, newBytes, readBytes := 0, int64(0), int64(0)
		step := func(end int64, last string) {
			src := source(string(b[:end]))
			span := read(t, src, Request{From: mark, Whole: true, LastAssistant: last})
			if span.Restarted {
				t.Fatalf("%s: restarted at %d", path, end)
			}
			for _, e := range span.Entries {
				got = append(got, words{e.Who, e.Text})
			}
			turns, newBytes, readBytes = turns+1, newBytes+span.Next.Offset-mark.Offset, readBytes+src.read
			mark = span.Next
		}
		for i, e := range whole.Entries {
			ends := i+1 == len(whole.Entries) || whole.Entries[i+1].Who == Person
			if ends && e.Who == Assistant && e.Tool == "" {
				step(e.Offset, e.Text)
			}
		}
		step(int64(len(b)), "")
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d entries turn by turn, %d at once", filepath.Base(path), len(got), len(want))
		}
		if readBytes > newBytes+int64(turns)*(chunkSize+2*tailSize) {
			t.Errorf("%s: read %d bytes for %d new ones in %d turns", filepath.Base(path), readBytes,
				newBytes, turns)
		}
		t.Logf("%s: %d entries, %d turns, %d broken, %d skipped, context %d", filepath.Base(path), len(want),
			turns, whole.Broken, whole.Skipped, whole.Usage.Context())
	}
}
