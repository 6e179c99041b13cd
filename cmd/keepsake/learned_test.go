package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// learnedLab is a project with findings of numbers 1 to 4 that were judged.
func learnedLab(t *testing.T, now time.Time) *session.Session {
	s := findingsLab(t, now)
	for _, text := range []string{"We went with Redis for the cache.", "We went with Kafka for the queue.",
		"We went with Caddy for the front door.", "We went with tabs."} {
		noteOne(t, s, finding.Finding{Text: text, Score: 0.67, Cue: "we went with"})
	}
	return s
}

func explained(t *testing.T, s *session.Session) (out learnedJSON) {
	t.Helper()
	got, errs, _, code := answering("", time.Now(), "--project", s.Root, "dev", "triage", "explain", "--json")
	if err := json.Unmarshal([]byte(got), &out); err != nil || code != exitDone || errs != "" {
		t.Fatalf("exit %d, %v, %q, %q", code, err, got, errs)
	}
	return out
}

// TestReviewTeaches: each answer of the person's counts once, with no text of the finding, and a reset
// forgets them all.
func TestReviewTeaches(t *testing.T) {
	now := time.Now()
	s := learnedLab(t, now)
	noteOne(t, s, finding.Finding{Text: "Remember that we went with Vue.", Score: 1, Explicit: true})
	noteOne(t, s, finding.Finding{Text: "No, that is wrong.", Moment: memory.Moments()[0], Score: 0.5})
	if out := explained(t, s); out.Answers != 0 || len(out.Weights) != 0 || !out.On {
		t.Errorf("%+v", out)
	}
	// the newest first: Vue, tabs, Caddy, Kafka, Redis, then the moment
	if _, errs, shown, code := answering("n\nn\nl\nn\ny\nn\n", now, "--project", s.Root,
		"review"); code != exitDone || errs != "" {
		t.Fatalf("exit %d, %q\n%s", code, errs, shown)
	}
	out := explained(t, s)
	if out.Answers != 3 || out.Kept != 1 || out.Rejected != 2 || out.Since == "" || len(out.Weights) < 4 ||
		out.Weights[0].Category != memory.Decision || out.Weights[0].Adds >= 0 {
		t.Errorf("%+v", out)
	}
	if _, errs, _, code := answering("y\n", now.Add(time.Second), "--project", s.Root, "reject",
		"3"); code != exitDone {
		t.Fatalf("exit %d, %q", code, errs)
	}
	if out := explained(t, s); out.Kept != 1 || out.Rejected != 3 {
		t.Errorf("%+v", out)
	}
	path := s.Dirs.Of(s.Home).Answers()
	b, err := os.ReadFile(path)
	info, serr := os.Stat(path)
	if err != nil || serr != nil || info.Mode().Perm() != 0o600 || strings.Count(string(b), "\n") != 4 {
		t.Fatalf("%v, %v:\n%s", err, serr, b)
	}
	for _, word := range []string{"Redis", "Kafka", "Caddy", "tabs", "went"} {
		if strings.Contains(string(b), word) {
			t.Errorf("%q is in\n%s", word, b)
		}
	}

	got, _, _, _ := answering("", now, "--project", s.Root, "dev", "triage", "explain")
	for _, want := range []string{"4 answers since ", ": 1 kept, 3 rejected\n",
		"  decision    any                        1 kept, 3 rejected\n",
		"  decision    by: person                 1 kept, 3 rejected\n", "heard by: words", "cue: choice"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, typed := range []string{"n\n", ""} {
		if got, _, _, _ := answering(typed, now, "--project", s.Root, "dev", "triage",
			"reset"); got != "nothing was forgotten\n" || explained(t, s).Answers != 4 {
			t.Errorf("%q: %q", typed, got)
		}
	}
	got, errs, shown, code := answering("y\n", now, "--project", s.Root, "dev", "triage", "reset")
	if got != "forgotten: what 4 answers taught\n" || code != exitDone || explained(t, s).Answers != 0 ||
		!strings.Contains(shown, "Forget what 4 answers taught? [y]es, [n]o: ") {
		t.Errorf("exit %d, %q, %q, %q", code, got, errs, shown)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}

// TestForgetTeaches where a person is at a terminal, and never beside an agent; what is deleted for good
// takes the answer with it.
func TestForgetTeaches(t *testing.T) {
	now := time.Now()
	s := learnedLab(t, now)
	answering("", now, "--project", s.Root, "forget", "1")
	if out := explained(t, s); out.Rejected != 1 || stateOf(t, s, 1).State != finding.Rejected {
		t.Errorf("%+v, %s", out, stateOf(t, s, 1).State)
	}
	without := func() error { return session.ErrNested }
	c := &call{ctx: t.Context(), args: []string{"--project", s.Root, "forget", "2"}, cwd: "/", now: time.Now,
		voice: voice{out: io.Discard, err: io.Discard}, person: person{alone: without}}
	run(c)
	if out := explained(t, s); out.Rejected != 1 || stateOf(t, s, 2).State.Waits() {
		t.Errorf("%+v, %s", out, stateOf(t, s, 2).State)
	}
	if out, errs, _, code := answering("y\n", now, "--project", s.Root, "forget", "1",
		"--for-good"); code != exitDone || explained(t, s).Answers != 0 {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
}

// TestNothingIsLearned where the setting says so.
func TestNothingIsLearned(t *testing.T) {
	now := time.Now()
	s := learnedLab(t, now)
	if err := os.MkdirAll(s.MemoryRoot(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.MemoryRoot(), "memory-config.json"),
		[]byte(`{"triage":{"learn":false}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs, _, code := answering("y\n", now, "--project", s.Root, "reject", "1"); code != exitDone {
		t.Fatalf("exit %d, %q", code, errs)
	}
	if out := explained(t, s); out.On || out.Answers != 0 || stateOf(t, s, 1).State != finding.Rejected {
		t.Errorf("%+v", out)
	}
	got, _, _, _ := answering("", now, "--project", s.Root, "dev", "triage", "explain")
	if !strings.HasSuffix(got, "it changes nothing: the setting triage.learn is off\n") {
		t.Errorf("%q", got)
	}
}
