package transcript

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestPast: what is read farther and farther back is what is read at once, wherever a step ends.
func TestPast(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		src, size := bytes.NewReader(raw), int64(len(raw))
		whole, err := Back(src, size, size)
		if err != nil || len(whole) == 0 {
			t.Fatal(file, len(whole), err)
		}
		for step := int64(1); step < size; step += size / 40 {
			past := NewPast(src, size)
			for _, bytes := range []int64{step, step + size/7, step / 2, size} {
				got, err := past.Read(bytes)
				want, werr := Back(src, size, bytes)
				if err != nil || werr != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, %d bytes behind %d: %d entries, want %d (%v, %v)", file, bytes, step,
						len(got), len(want), err, werr)
				}
			}
		}
	}
}

// TestPastFindsCalls: a result whose call stands too far before the first step is known in a later one. The
// calls of many results before the first line are all found.
func TestPastFindsCalls(t *testing.T) {
	call := func(id string) string {
		return `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"` + id +
			`","name":"Bash","input":{"command":"make ` + id + `"}}]}}` + "\n"
	}
	result := func(id string) string {
		return `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id +
			`","content":"done"}]}}` + "\n"
	}
	filler := strings.Repeat(`{"type":"system","subtype":"local","content":"x"}`+"\n", lookBehind/45)
	calls, results := "", ""
	for i := range 3 * maxBehind {
		calls += call(fmt.Sprint("near", i))
		results += result(fmt.Sprint("near", i))
	}
	tail := result("far") + results + result("lost")
	raw := call("far") + filler + calls + tail
	past := NewPast(strings.NewReader(raw), int64(len(raw)))
	known := func(bytes int) (names []string) {
		entries, err := past.Read(int64(bytes))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Who == Tool && e.Call != nil {
				names = append(names, e.Call.Command)
			}
		}
		return names
	}
	if got := known(len(tail)); len(got) != 3*maxBehind || got[0] != "make near0" {
		t.Errorf("behind the calls: %q", got)
	}
	if got := known(len(raw)); len(got) != 3*maxBehind+1 || got[0] != "make far" {
		t.Errorf("from the beginning: %q", got)
	}
}
