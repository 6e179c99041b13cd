package journal

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestFailures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "project", "ledger.jsonl")
	if got, err := Failures(path, 5); err != nil || len(got) != 0 {
		t.Errorf("no ledger: %v, %v", got, err)
	}
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.FixedZone("CET", 3600))
	for _, what := range []string{"one", "two\nlines", "three"} {
		if err := AppendFailure(path, Failure{Time: at, Where: "stop", What: what,
			Why: "x" + strings.Repeat("é", 5000)}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Failures(path, 2)
	if err != nil || len(got) != 2 || got[0].What != "two\nlines" || got[1].What != "three" ||
		got[1].Why != "x"+strings.Repeat("é", (maxFailureText-1)/2) || got[0].Time.Hour() != 9 {
		t.Errorf("%+v, %v", got, err)
	}
	if fi, _ := os.Stat(path); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
}

func TestBrokenFailuresCostThemselves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	os.WriteFile(path, []byte("{\"what\":\"a\"}\nnope\n[]\n{}\n\xff\n{\"what\":\"b\"}\n{\"wh"), 0o600)
	got, err := Failures(path, 10)
	if err != nil || len(got) != 2 || got[1].What != "b" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFailuresStayBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	os.WriteFile(path, []byte(strings.Repeat("x", maxFailures+1)), 0o600)
	if err := AppendFailure(path, Failure{What: "new"}); err != nil {
		t.Fatal(err)
	}
	if got, _ := Failures(path, 10); len(got) != 1 || got[0].What != "new" {
		t.Errorf("%+v", got)
	}
	if fi, err := os.Stat(path + ".1"); err != nil || fi.Size() != maxFailures+1 {
		t.Errorf("the full one is gone: %v", err)
	}
}

func TestManyFailures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				AppendFailure(path, Failure{What: "w", Why: strings.Repeat("z", 500)})
			}
		})
	}
	wg.Wait()
	if got, err := Failures(path, 1000); err != nil || len(got) != 400 {
		t.Errorf("%d of 400, %v", len(got), err)
	}
}

func TestFailuresFollowNoLink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	os.WriteFile(victim, []byte("keep"), 0o600)
	os.Symlink(victim, filepath.Join(dir, "link"))
	syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600)
	for _, name := range []string{"link", "pipe"} {
		if err := AppendFailure(filepath.Join(dir, name), Failure{What: "x"}); err == nil {
			t.Errorf("wrote to a %s", name)
		}
	}
	if b, _ := os.ReadFile(victim); string(b) != "keep" {
		t.Errorf("%q", b)
	}
}
