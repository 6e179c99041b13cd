package main

import (
	"bytes"
	"context"
	"testing"
	"time"
)

// TestInterrupted: Ctrl-C is told in words that people use.
func TestInterrupted(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDE_CODE_SESSION_ID", "")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, errs bytes.Buffer
	code := run(&call{ctx: ctx, args: []string{"recall", "where is the parser"}, cwd: t.TempDir(),
		now: time.Now, voice: voice{out: &out, err: &errs}})
	if code != exitFailed || out.Len() > 0 || errs.String() != "keepsake: interrupted\n" {
		t.Errorf("exit %d, %q, %q", code, out.String(), errs.String())
	}
}
