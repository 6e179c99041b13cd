package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

// guardDesk is a project in whose git a memory with an armed guard is committed.
type guardDesk struct {
	t                          *testing.T
	home, project, file, state string
}

func newGuardDesk(t *testing.T) guardDesk {
	home, project := homeAndProject(t)
	d := guardDesk{t: t, home: home, project: project,
		file: filepath.Join(project, ".claude", "memory", "preferences", "use-pnpm-not-npm.json")}
	commit := func() {
		gitIn(t, project, "add", "-A")
		gitIn(t, project, "commit", "-qm", "memories")
	}
	d.do(project, "team", "git-setup")
	d.do(project, "remember", "--as", "preference", "Use tabs.")
	commit()
	gitIn(t, project, "branch", "before")
	d.do(project, "remember", "--as", "preference", "Use pnpm, not npm.")
	d.do(project, "guard", "propose", "use-pnpm")
	d.do(project, "guard", "arm", "use-pnpm")
	commit()
	d.state = string(layout.Load().Of(layout.Project(project, project).Home))
	return d
}

// do runs a verb for a person who says yes.
func (d guardDesk) do(dir string, args ...string) string {
	d.t.Helper()
	out, errs, code := auditing(dir, "y\ny\n", nil, args...)
	if code != 0 {
		d.t.Fatalf("%v: exit %d\n%s%s", args, code, out, errs)
	}
	return out + errs
}

// starts begins a session in a folder, as far as guards go.
func (d guardDesk) starts(dir string) {
	d.t.Helper()
	s, err := session.At(dir)
	if err == nil {
		err = s.PackGuards()
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// after checks what the gate says to npm and what the list of guards has, once a session began.
func (d guardDesk) after(dir, decision, listed string) {
	d.t.Helper()
	d.starts(dir)
	if got, said := guardedCall(d.t, d.home, dir, "npm ci"); got != decision {
		d.t.Errorf("the gate says %s %q, want %s", got, said, decision)
	}
	if out := d.do(dir, "guard"); !strings.Contains(out, listed) {
		d.t.Errorf("the list has not %q:\n%s", listed, out)
	}
}

// TestArmedGuardLastsWithoutItsFile: a file of the work tree that is gone or changed, by git or by an agent,
// lifts no guard that the person armed.
func TestArmedGuardLastsWithoutItsFile(t *testing.T) {
	const acts = "armed: stops `npm`"
	for name, change := range map[string]func(d guardDesk) (dir string){
		"in a worktree of another branch": func(d guardDesk) string {
			dir := filepath.Join(filepath.Dir(d.project), "other")
			gitIn(d.t, d.project, "worktree", "add", "-q", dir, "before")
			return dir
		},
		"another branch": func(d guardDesk) string {
			gitIn(d.t, d.project, "checkout", "-q", "before")
			return d.project
		},
		"git clean": func(d guardDesk) string {
			gitIn(d.t, d.project, "rm", "-rq", "--cached", ".")
			gitIn(d.t, d.project, "clean", "-fdxq")
			return d.project
		},
		"an rm of the store": func(d guardDesk) string {
			if err := os.RemoveAll(filepath.Join(d.project, ".claude", "memory")); err != nil {
				d.t.Fatal(err)
			}
			return d.project
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newGuardDesk(t)
			dir := change(d)
			d.after(dir, "deny", acts+"\n  its memory is not here; it acts until you lift it: "+
				"keepsake guard disarm use-pnpm-not-npm")
			d.after(d.project, "deny", acts)
			if out, _, _ := auditing(dir, "", nil, "doctor"); !strings.Contains(out,
				"the guard of use-pnpm-not-npm acts: its memory is not here") {
				t.Error(out)
			}
			d.do(dir, "guard", "disarm", "use-pnpm")
			if got, said := guardedCall(t, d.home, d.project, "npm ci"); got != "pass" {
				t.Errorf("disarmed, and %s %s", got, said)
			}
		})
	}
	for name, c := range map[string]struct{ old, next, listed string }{
		"retired by hand": {`"record_status": "active"`, `"record_status": "retired",
  "retired_at": "2026-11-20T09:00:00Z", "retired_reason": "x"`,
			"its memory's file says that it is retired, and Keepsake did not do that; it acts until"},
		"no record":     {`"schema_version"`, `"schema"`, "its memory can't be read; it acts until you"},
		"another guard": {`"does": "deny"`, `"does": "say"`, "proposed: tells the agent at `npm`"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newGuardDesk(t)
			b, err := os.ReadFile(d.file)
			if err != nil || !strings.Contains(string(b), c.old) {
				t.Fatalf("%v\n%s", err, b)
			}
			b = []byte(strings.Replace(string(b), c.old, c.next, 1))
			if err := os.WriteFile(d.file, b, 0o644); err != nil {
				t.Fatal(err)
			}
			d.after(d.project, "deny", "armed: stops `npm`")
			d.after(d.project, "deny", c.listed)
		})
	}
}

// TestArmedGuardEndsWithItsMemory: what Keepsake retires or takes back ends the guard in all worktrees, and
// stays ended when gc has deleted the file. What it brings back acts again.
func TestArmedGuardEndsWithItsMemory(t *testing.T) {
	d := newGuardDesk(t)
	other := filepath.Join(filepath.Dir(d.project), "other")
	gitIn(t, d.project, "worktree", "add", "-q", other, "HEAD")
	d.do(d.project, "forget", "use-pnpm")
	d.after(d.project, "pass", "does not act: its memory was retired (armed: stops `npm`)")
	d.after(other, "pass", "does not act: its memory was retired (armed: stops `npm`)")
	d.do(d.project, "records", "restore", "use-pnpm")
	d.after(d.project, "deny", "armed: stops `npm`")
	d.do(d.project, "records", "archive", "use-pnpm")
	d.after(d.project, "pass", "does not act: its memory was archived")
	d.do(d.project, "undo")
	d.after(d.project, "deny", "armed: stops `npm`")
	d.do(d.project, "records", "retire", "use-pnpm")
	d.do(d.project, "config", "set", "delete.grace_period_days", "0")
	d.do(d.project, "config", "set", "delete.archive_retired", "false")
	out := d.do(d.project, "gc")
	if _, err := os.Stat(d.file); !os.IsNotExist(err) {
		t.Fatalf("gc deleted nothing: %v\n%s", err, out)
	}
	d.after(d.project, "pass", "does not act: its memory was retired")
	d.do(d.project, "guard", "disarm", "use-pnpm")
	if out := d.do(d.project, "guard"); strings.Contains(out, "use-pnpm") {
		t.Error(out)
	}
}

// TestUpkeepEndsNoGuard: who fills the store until the oldest memory goes disarms nothing.
func TestUpkeepEndsNoGuard(t *testing.T) {
	d := newGuardDesk(t)
	s, err := session.At(d.project)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Store().Read("preferences/use-pnpm-not-npm.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range []string{upkeep.LimitReason, "Retention: unchanged for 90 days",
		"retired 31 days ago"} {
		moved, err := r.Retire(reason, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if !upkeep.Ended(moved.Record) {
			t.Errorf("%s is none of upkeep", reason)
		}
		p := plan.Plan{Version: plan.Version, Edits: []plan.Edit{upkeep.Edit(r, plan.Retire, moved.Record)}}
		if err := s.Store().Apply(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		if err := s.Trust(p, nil, false, time.Now()); err != nil {
			t.Fatal(err)
		}
		d.after(d.project, "deny", "its memory's file says that it is retired")
		d.do(d.project, "records", "restore", "use-pnpm")
		if r, err = s.Store().Read(r.Path); err != nil || r.Status != memory.Active {
			t.Fatal(r.Status, err)
		}
	}
}

// TestForgottenForGoodTakesTheGuard: nothing of a guard is left once its memory is forgotten for good, and
// other guards stay.
func TestForgottenForGoodTakesTheGuard(t *testing.T) {
	d := newGuardDesk(t)
	d.do(d.project, "remember", "--as", "preference", "Never run `terraform apply`.")
	d.do(d.project, "guard", "propose", "never-run")
	d.do(d.project, "guard", "arm", "never-run")
	for _, call := range []string{"npm ci", "terraform apply"} {
		if got, said := guardedCall(t, d.home, d.project, call); got != "deny" {
			t.Fatal(call, got, said)
		}
	}
	if at := holding(t, d.state, "use-pnpm"); len(at) < 4 {
		t.Fatalf("the test looks in the wrong places: %v", at)
	}
	d.do(d.project, "forget", "use-pnpm", "--for-good")
	for _, word := range []string{"use-pnpm", "npm"} {
		if at := holding(t, d.state, word); len(at) > 0 {
			t.Errorf("%q is left in %v", word, at)
		}
	}
	d.after(d.project, "pass", "armed: stops `terraform apply`")
	if got, said := guardedCall(t, d.home, d.project, "terraform apply"); got != "deny" {
		t.Error(got, said)
	}
	if out := d.do(d.project, "guard"); strings.Contains(out, "npm") ||
		!strings.Contains(out, "met 2 calls") {
		t.Error(out)
	}
}

// TestMergedGuards: where both sides of a merge changed a guard the record has none, the merge says so, and
// what the person armed acts on.
func TestMergedGuards(t *testing.T) {
	d := newGuardDesk(t)
	base, err := os.ReadFile(d.file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, does string) string {
		path := filepath.Join(dir, name)
		b := strings.Replace(string(base), `"does": "deny"`, `"does": "`+does+`"`, 1)
		if err := os.WriteFile(path, []byte(b), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ours := write("ours", "ask")
	said := d.do(d.project, "team", "merge", write("base", "deny"), ours, write("theirs", "say"),
		".claude/memory/preferences/use-pnpm-not-npm.json")
	if !strings.Contains(said, "both sides changed its guard, so it has none now; what you armed acts on; "+
		"keepsake guard propose use-pnpm-not-npm makes one") {
		t.Error(said)
	}
	merged, err := os.ReadFile(ours)
	if err != nil || strings.Contains(string(merged), `"does"`) {
		t.Errorf("%v\n%s", err, merged)
	}
	if err := os.WriteFile(d.file, merged, 0o644); err != nil {
		t.Fatal(err)
	}
	d.after(d.project, "deny", "armed: stops `npm`")
}

// TestSaveEndsGuard: a save that retires a memory says that the guard of it no longer acts, and how it comes
// back.
func TestSaveEndsGuard(t *testing.T) {
	d := newGuardDesk(t)
	said := d.do(d.project, "remember", "Use npm instead of pnpm")
	for _, want := range []string{"Retired: \"Use pnpm, not npm\"",
		"its guard, which you armed, no longer acts",
		"keepsake records restore preferences/use-pnpm-not-npm.json"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	d.after(d.project, "pass", "use-pnpm")
	d.do(d.project, "records", "restore", "preferences/use-pnpm-not-npm.json")
	d.after(d.project, "deny", "armed: stops `npm`")
}
