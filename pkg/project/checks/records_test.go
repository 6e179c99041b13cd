package checks

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/verify"
)

// lab makes a project with n memories, each with a check, and opens a session in it.
func lab(tb testing.TB, n int, verify func(i int) string) (*session.Session, string) {
	tb.Helper()
	dir := tb.TempDir()
	for env, d := range map[string]string{"HOME": "home", "XDG_CONFIG_HOME": "config",
		"XDG_STATE_HOME": "state",
		"XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			tb.Fatal(err)
		}
		tb.Setenv(env, filepath.Join(dir, d))
	}
	project := filepath.Join(dir, "shop")
	for i := range n {
		put(tb, project, fmt.Sprintf("pkg/p%d/f%d.go", i%40, i), fmt.Sprintf("package p\n\nfunc F%d() {}\n",
			i))
		r := memory.Record{Category: memory.Decision, ID: fmt.Sprintf("d%03d", i),
			Title:  fmt.Sprintf("Part %d", i),
			Status: memory.Active, CreatedAt: "2026-10-02T09:00:00Z", UpdatedAt: "2026-10-02T09:00:00Z",
			Tags: []string{"shop"}, Verify: []string{verify(i)}, Content: memory.Content{"status": "accepted",
				"context": "c", "decision": "d", "rationale": []string{"r"}}}
		put(tb, project, ".claude/memory/decisions/"+r.ID+".json", string(r.Encode()))
	}
	s, err := session.In(project, "s1")
	if err != nil {
		tb.Fatal(err)
	}
	return s, project
}

func put(tb testing.TB, dir, name, text string) {
	tb.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func ofFile(i int) string {
	return []string{fmt.Sprintf("path_exists pkg/p%d/f%d.go", i%40, i),
		fmt.Sprintf("symbol_defined pkg/p%d/f%d.go F%d", i%40, i, i)}[i%2]
}

// TestRecords: what fails is kept and told, what changed back is not, and git is asked only where HEAD moved.
func TestRecords(t *testing.T) {
	asked := 0
	s, dir := lab(t, 9, func(i int) string {
		if i == 8 {
			return "commit_ancestor abcdef1"
		}
		return ofFile(i)
	})
	is, fails := true, error(nil)
	records := func() string {
		t.Helper()
		err := Records(s, today, func(string) (bool, error) {
			asked++
			return is, fails
		})
		rows, rerr := s.StandingFile().Read()
		if err := errors.Join(err, rerr); err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, r := range rows {
			said = append(said, strings.TrimSuffix(filepath.Base(r.Path), ".json")+": "+r.Text)
		}
		return strings.Join(said, "\n")
	}
	head := func(commit string) {
		put(t, dir, ".git/HEAD", commit+"\n")
		s2, err := session.In(dir, "s1")
		if err != nil {
			t.Fatal(err)
		}
		s = s2
	}
	head(strings.Repeat("1", 40))
	if got := records(); got != "" || asked != 1 {
		t.Errorf("%q, asked %d", got, asked)
	}
	if got := records(); got != "" || asked != 1 {
		t.Errorf("HEAD is where it was: %q, asked %d", got, asked)
	}
	head(strings.Repeat("2", 40))
	is = false
	if got := records(); got != "d008: its check fails: HEAD does not have commit abcdef1 in its history" ||
		asked != 2 {
		t.Errorf("%q, asked %d", got, asked)
	}
	head(strings.Repeat("3", 40))
	fails = errors.New("git takes too long")
	if got := records(); got != "" {
		t.Errorf("git fails: %q", got)
	}
	is, fails = true, nil
	os.Remove(filepath.Join(dir, "pkg/p2/f2.go"))
	put(t, dir, "pkg/p3/f3.go", "package p\n")
	if got := records(); got != "d002: its check fails: pkg/p2/f2.go is gone\n"+
		"d003: its check fails: pkg/p3/f3.go no longer defines F3" {
		t.Error(got)
	}
	rows, err := s.StandingFile().Read()
	if err != nil || len(rows) != 2 {
		t.Errorf("%v, %v", rows, err)
	}
	put(t, dir, "pkg/p2/f2.go", "package p\n")
	os.Remove(filepath.Join(dir, ".claude/memory/decisions/d003.json"))
	if got := records(); got != "" {
		t.Error(got)
	}
	if rows, err := s.StandingFile().Read(); err != nil || rows != nil {
		t.Errorf("%v, %v", rows, err)
	}
	// A cache that is broken, or whose folder can't be written, costs time alone.
	caches, _ := filepath.Glob(filepath.Join(dir, "../cache/keepsake/*/checks-*.idx"))
	if len(caches) != 1 {
		t.Fatal(caches)
	}
	put(t, filepath.Dir(caches[0]), filepath.Base(caches[0]),
		cacheHead+"r\tdecisions/d001.json\n")
	os.Remove(filepath.Join(dir, "pkg/p1/f1.go"))
	if got := records(); got != "d001: its check fails: pkg/p1/f1.go is gone" {
		t.Error(got)
	}
}

// TestHeld: nothing is evaluated for a record of the repository that nobody has accepted.
func TestHeld(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	_, dir := lab(t, 1, func(int) string { return "commit_ancestor abcdef1" })
	for _, args := range [][]string{{"init", "-q"}, {"add", ".claude"}} {
		out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	s, err := session.In(dir, "s2")
	if err != nil {
		t.Fatal(err)
	}
	err = Records(s, today, func(commit string) (bool, error) {
		t.Errorf("git is asked for %s", commit)
		return false, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTexts: checks that fail for one reason are told once.
func TestTexts(t *testing.T) {
	gone := func(names ...string) *checkedRecord {
		r := &checkedRecord{}
		for _, n := range names {
			was := verify.Result{Verdict: verify.Fails, Why: n + " is gone"}
			r.Checks = append(r.Checks, checkedLine{Was: was})
		}
		return r
	}
	for want, r := range map[string]*checkedRecord{
		"its check fails: a.go is gone":             gone("a.go", "a.go"),
		"its check fails: a.go is gone, and 1 more": gone("a.go", "a.go", "b.go"),
	} {
		if got := r.texts(); len(got) != 1 || got[0] != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func BenchmarkRecords(b *testing.B) {
	s, _ := lab(b, 200, ofFile)
	b.ResetTimer()
	for range b.N {
		if err := Records(s, time.Now(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestManyRecords: a session start that has no time for all records reads the others at the next.
func TestManyRecords(t *testing.T) {
	s, _ := lab(t, readAtOnce+10, ofFile)
	c := checkCache{Records: map[string]*checkedRecord{}}
	for _, want := range []int{readAtOnce, readAtOnce + 10} {
		if !c.refresh(s, time.Time{}) || len(c.Records) != want {
			t.Errorf("%d records are known, want %d", len(c.Records), want)
		}
	}
	if c.refresh(s, time.Time{}) {
		t.Error("nothing has changed")
	}
}
