package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"keepsake/pkg/project/config"
)

// Settings that are changed at the same time are all kept.
func TestConfigSetTogether(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
		"XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, filepath.Join(dir, "home"))
	}
	t.Setenv("CLAUDE_CODE_SESSION_ID", "")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	sets := map[string]string{
		"retrieval.max_inject": "7", "capture.on_stop": "stage", "triage.enabled": "false",
		"delete.grace_period_days":  "9",
		"triage.thresholds.runbook": "0.75", "categories.decision.description": "why",
		"logging.level": "error", "max_memories_per_category": "12",
	}
	var all sync.WaitGroup
	for key, value := range sets {
		all.Go(func() {
			var out, errs bytes.Buffer
			if code := run(&call{ctx: context.Background(), args: []string{"config", "set", key, value},
				cwd: dir, now: time.Now, voice: voice{out: &out, err: &errs}}); code != exitDone {
				t.Errorf("%s: exit %d: %s", key, code, errs.String())
			}
		})
	}
	all.Wait()
	text := read(t, filepath.Join(dir, ".claude", "memory", "memory-config.json"))
	for _, s := range config.List(nil, []byte(text)) {
		want, set := sets[s.String()]
		if set && spoken(s.Value) != want {
			t.Errorf("%s is %s, want %s", s, s.Value, want)
		}
	}
}
