package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/git"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

// mergedStore makes a project with two decisions made on branch feat/x, which was merged since.
func mergedStore(t *testing.T) *session.Session {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	s := heldStore(t, false)
	run := func(args ...string) string {
		t.Helper()
		args = append([]string{"-C", s.Root, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)
		cmd := exec.Command("git", args...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(name string) {
		if err := os.WriteFile(filepath.Join(s.Root, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		run("add", name)
		run("commit", "-qm", name)
	}
	run("init", "-q", "-b", "main")
	commit("one")
	run("checkout", "-qb", "feat/x")
	s, err := session.In(s.Root, "s1")
	if err != nil {
		t.Fatal(err)
	}
	p, known := plan.Plan{}, map[string]session.Judged{}
	for _, id := range []string{"redis", "cron"} {
		r := memory.Record{Category: memory.Decision, ID: id, Title: "Use " + id, Status: memory.Active,
			CreatedAt: "2026-11-20T09:00:00Z", UpdatedAt: "2026-11-20T09:00:00Z", Tags: []string{"x"},
			Content: memory.Content{"status": "accepted", "context": "c", "decision": "d of " + id,
				"rationale": []string{"r"}}, Supersedes: []string{"decisions/tainted.json"},
			Branch: s.BranchHere(s.Root, git.Committed(s.Root))}
		e := plan.Edit{Path: memory.Path(r.Category, id), Verb: plan.Create, After: r.Encode(),
			Category: "decision", Title: r.Title}
		p.Edits = append(p.Edits, e)
		known[e.Path] = session.Judged{Origin: finding.FromPerson, Quotes: []string{"d of " + id}}
	}
	if err := s.Apply(context.Background(), p, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Trust(p, known, false, time.Now()); err != nil {
		t.Fatal(err)
	}
	commit("two")
	run("checkout", "-q", "main")
	run("merge", "-q", "--no-ff", "-m", "merge", "feat/x")
	if s, err = session.In(s.Root, "s1"); err != nil {
		t.Fatal(err)
	}
	if err := s.LookAtBranches(context.Background(), git.Reader(context.Background(), s.Top),
		time.Now()); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestReviewMerged: kept, memories are bound to no branch and stay the person's; else they are retired.
func TestReviewMerged(t *testing.T) {
	now := time.Now()
	for typed, want := range map[string]string{"l\nl\ny\n": "kept", "l\nl\nn\n": "retired",
		"l\nl\nl\n": "waits"} {
		s := mergedStore(t)
		out, errs, shown, code := answering(typed, now, "--project", s.Root, "review")
		if code != exitDone || errs != "" {
			t.Fatalf("%q: exit %d, %q, %q", typed, code, out, errs)
		}
		if !strings.Contains(shown, "2 memories made on branch feat/x, which is merged") ||
			!strings.Contains(shown, "d of redis") || !strings.Contains(shown, "Keep 2 memories?") {
			t.Errorf("%q: shown %q", typed, shown)
		}
		again, err := session.In(s.Root, "s1")
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"redis", "cron"} {
			m, err := again.Store().Read(memory.Path(memory.Decision, id))
			if err != nil {
				t.Fatal(err)
			}
			trust, got := again.TrustOf(m), "waits"
			switch {
			case m.Status == memory.Retired && *m.RetiredReason == "not kept after the merge of feat/x":
				got = "retired"
			case m.Status == memory.Active && m.Branch == nil:
				got = "kept"
			}
			if got != want || trust.Origin != finding.FromPerson || trust.Held || len(trust.Quotes) != 1 {
				t.Errorf("%q: %s is %s, %+v", typed, id, got, trust)
			}
		}
		if old, err := again.Store().Read("decisions/tainted.json"); err != nil ||
			(old.Status == memory.Retired) != (want == "kept") ||
			want == "kept" && old.SupersededBy != "decisions/cron.json" {
			t.Errorf("%q: what it took the place of is %s, by %q, %v", typed, old.Status, old.SupersededBy,
				err)
		}
		sets, err := again.CameWithMerge()
		if (len(sets) > 0) != (want == "waits") || err != nil {
			t.Errorf("%q: %v, %v", typed, sets, err)
		}
	}
}
