//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A session in a linked worktree saves into the store of the main one and recalls from it. What it decides
// belongs to its branch. Once the store is committed, a worktree whose branch has it uses its own.
func TestWorktree(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver()
		main, tree := l.Project, filepath.Join(l.Root, "shop-fix")
		l.Git(main, "worktree", "add", "-q", "-b", "fix", tree)
		l.Trust(main, tree)

		l.Project = tree
		l.converse(decided)
		l.Project = main
		if got := l.memory("decisions")["title"]; got != "Keep the job queue in PostgreSQL" {
			t.Errorf("the main worktree's decision is %v", got)
		}
		if got := l.Files(filepath.Join(tree, ".claude")); len(got) > 0 {
			t.Errorf("the linked worktree has a store of its own: %q", got)
		}
		const asked = "Where does the job queue keep its jobs?"
		const known = "Jobs are rows of the PostgreSQL table jobs"
		l.Project = tree
		l.asks(asked, known)
		l.Project = main // on another branch: the decision is of the worktree's, until that is merged
		if r := l.hears(asked); strings.Contains(recalled(r), known) {
			t.Errorf("main was told of a decision of fix:\n%s", recalled(r))
		}
		l.Git(tree, "commit", "-q", "--allow-empty", "-m", "shop: jobs are rows")
		l.Git(main, "merge", "-q", "fix")
		l.asks(asked, known)

		l.Run(main, filepath.Join(l.Plugin, "bin", "keepsake"), "git-setup")
		l.Git(main, "add", ".")
		l.Git(main, "commit", "-q", "-m", "shop: remember under git")
		l.Git(tree, "merge", "-q", "main")
		l.Project = tree
		l.converse(preferred)
		l.memory("preferences")
		l.asks("How do we run migrations here?", "make migrate, never by hand")
		// came with the branch
		l.asks(asked, known)
		l.Project = main
		if got := l.Files(l.memories("preferences")); len(got) > 0 {
			t.Errorf("the main worktree has %q, which another worktree's own store should have", got)
		}
	})
}

// converse opens a session in which the person says something that is saved.
func (l *Lab) converse(prompt string) {
	l.t.Helper()
	term := l.Terminal("--permission-mode", "default")
	term.Send(prompt)
	term.Wait(closing)
	for _, screen := range term.Dialogs() {
		l.t.Errorf("a dialog was shown in %s\n%s", l.Project, screen)
	}
	checkQuietHooks(l.t, l, term)
	term.Quit()
}

// asks opens a session whose first prompt brings a memory back.
func (l *Lab) asks(prompt, known string) {
	l.t.Helper()
	before := len(l.Model.Requests())
	l.Headless(prompt)
	r := l.Model.Await(prompt, func(r *Request) bool {
		return r.N > before && r.Route == "main" && strings.Contains(r.Tail(), prompt)
	})
	if !strings.Contains(recalled(r), known) {
		l.t.Errorf("in %s %q was not brought back:\n%s", l.Project, known,
			regexp.MustCompile(`(?s)<memory.*`).FindString(r.Tail()))
	}
}
