package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/memory/ancestry"
	"keepsake/pkg/project/standing"
)

// branches are session starts in a repository with 40 decisions made on eight branches: with nothing new,
// when git is not asked, and with a commit on the default branch; and a prompt about one of them.
func (w *world) branches() (rows []bench, err error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, nil
	}
	here := w.in("with-branches")
	git := func(args ...string) (string, error) {
		cmd := here.command("git", append([]string{"-C", here.project, "-c", "user.name=a",
			"-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null")
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	if err := os.MkdirAll(filepath.Join(here.project, ".claude", "memory", "decisions"), 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(here.project, "f"), []byte("text\n"), 0o644); err != nil {
		return nil, err
	}
	steps := [][]string{{"init", "-q", "-b", "main"}, {"add", "f"}, {"commit", "-q", "-m", "one"}}
	for i := range 8 {
		steps = append(steps, []string{"checkout", "-q", "-b", fmt.Sprintf("feat/%d", i), "main"},
			[]string{"mv", "f", fmt.Sprint("p", i)}, []string{"commit", "-q", "-m", "work"})
	}
	for _, s := range append(steps, []string{"checkout", "-q", "main"}) {
		if _, err := git(s...); err != nil {
			return nil, err
		}
	}
	base, err := git("rev-parse", "main")
	if err != nil {
		return nil, err
	}
	works := map[string]ancestry.Work{}
	for i := range 40 {
		of := memory.Branch{Name: fmt.Sprintf("feat/%d", i%8), Head: base, Base: base}
		r := memory.Record{Category: memory.Decision, ID: fmt.Sprintf("decision-%d", i), Branch: &of,
			Title: fmt.Sprintf("Part %d of the shop is in package p%d", i, i), Status: memory.Active,
			CreatedAt: "2026-10-02T09:00:00Z", UpdatedAt: "2026-10-02T09:00:00Z", Tags: []string{"shop"},
			Content: memory.Content{"status": "accepted", "context": "Where parts are",
				"decision": "It is there", "rationale": []string{"it is near what it uses"}}}
		path := memory.Path(r.Category, r.ID)
		works[path] = ancestry.Work{Branch: of}
		if err := os.WriteFile(filepath.Join(here.project, ".claude", "memory", path), r.Encode(),
			0o644); err != nil {
			return nil, err
		}
	}
	transcript, err := w.transcript("branches.jsonl", 2, 0)
	if err != nil {
		return nil, err
	}
	if _, err := here.session("b", transcript, nil); err != nil {
		return nil, err
	}
	state, err := w.state("b")
	if err != nil {
		return nil, err
	}
	file := standing.BranchFile{Path: filepath.Join(filepath.Dir(filepath.Dir(state)), "standing",
		"branches.json")}
	if err := file.Update(func(b *standing.Branches) { b.Works = works }); err != nil {
		return nil, err
	}
	start := bench{name: "SessionStart, 40 memories of branches", aim: "<= 5", argv: w.hook("SessionStart"),
		world: here, stdin: event(map[string]any{"session_id": "b", "transcript_path": transcript,
			"cwd": here.project, "hook_event_name": "SessionStart", "source": "startup"})}
	moved := start
	moved.name, moved.aim = "SessionStart, HEAD moved: git is asked", "<= 60"
	n := 0
	moved.prepare = func() error {
		n++
		err := os.WriteFile(filepath.Join(here.project, "main"), fmt.Append(nil, n), 0o644)
		if err == nil {
			_, err = git("add", "main")
		}
		if err == nil {
			_, err = git("commit", "-q", "-m", "next")
		}
		return err
	}
	prompt := bench{name: "UserPromptSubmit, memories of other branches", aim: "<= 4",
		argv: w.hook("UserPromptSubmit"), world: here,
		stdin: event(map[string]any{"session_id": "b", "transcript_path": transcript, "cwd": here.project,
			"hook_event_name": "UserPromptSubmit", "permission_mode": "default",
			"prompt": "in which package is part 7 of the shop?"})}
	return []bench{start, moved, prompt}, nil
}
