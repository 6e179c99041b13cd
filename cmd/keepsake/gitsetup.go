package main

import (
	"keepsake/pkg/git"
	"keepsake/pkg/project/session"
)

type gitSetupCmd struct {
	DryRun bool `help:"Show what would be done, and do nothing." name:"dry-run" short:"n"`
	Remove bool `help:"Undo what git-setup did. Memories that are committed stay so."`
	JSON   bool `help:"Print one JSON object: folder, steps, next."`
}

func (gitSetupCmd) Help() string {
	return `Makes the project's memories part of its git repository, for a team: rows in .gitattributes
that name the merge driver of memories, the driver itself in this clone's configuration, and rows in
.gitignore where something ignores the store. Commits nothing.

From then on each worktree has the store of its branch, and merges join them. Everybody runs this once per
clone; a clone without it merges memories line by line.

Examples:

    keepsake team git-setup --dry-run
    keepsake team git-setup
    keepsake team git-setup --remove`
}

// gitSetupJSON is what git-setup --json prints.
type gitSetupJSON struct {
	Folder string     `json:"folder"`
	Steps  []git.Step `json:"steps"`
	Done   bool       `json:"done"`
	Next   string     `json:"next,omitempty"` // a command line
}

func (v gitSetupCmd) Run(c *call, s *session.Session) error {
	g, err := git.NewSharing(c.ctx, s.Place.Home)
	if err != nil {
		return err
	}
	steps := g.Steps
	if v.Remove {
		steps = g.Removal
	}
	all, err := steps()
	if err != nil {
		return err
	}
	c.line("in %s", g.Dir)
	if len(all) == 0 {
		c.line("nothing to do")
	}
	for _, st := range all {
		c.line("%s", st.What)
		for _, row := range st.Rows {
			c.line("    %s", row)
		}
	}
	out := gitSetupJSON{Folder: g.Dir, Steps: append([]git.Step{}, all...)}
	if v.DryRun {
		c.value(out)
		return nil
	}
	for _, st := range all {
		if err := st.Do(); err != nil {
			return err
		}
	}
	out.Done = true
	if !v.Remove {
		if out.Next, err = g.Commit(); err != nil {
			return err
		}
		c.line("next: %s", out.Next)
	}
	c.value(out)
	return nil
}
