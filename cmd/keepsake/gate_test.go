package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/gate/rules"
)

// TestExplain compares what the gate says of each checkpoint with a golden
// file, to be reviewed as prose.
func TestExplain(t *testing.T) {
	var all bytes.Buffer
	say := func(args ...string) {
		var errs bytes.Buffer
		code := run(&call{ctx: context.Background(), args: append([]string{"gate", "explain"}, args...),
			cwd: "/", now: time.Now, voice: voice{out: &all, err: &errs}})
		if code != exitDone || errs.Len() > 0 {
			t.Fatalf("%v: exit %d, said %q", args, code, errs.String())
		}
	}
	say()
	for _, p := range rules.All() {
		all.WriteString("\n---\n\n")
		say(p.Name)
	}
	path := filepath.Join("testdata", "explain.golden")
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.WriteFile(path, all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, path); all.String() != want {
		t.Errorf("%s differs; KEEPSAKE_GOLDEN=1 rewrites it\n%s", path, all.String())
	}
}
