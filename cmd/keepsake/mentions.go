package main

import (
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memdir/folder"
)

type mentionsCmd struct {
	Word []string `arg:"" help:"What to look for, as whole words in any case. Several words in one argument must stand side by side."`
	Root bool     `help:"Look into the root scope."`
	JSON bool     `help:"Print one JSON array of path, line and text."`
}

func (mentionsCmd) Help() string {
	return `Lists every line of the project's Markdown memories that has one of the words: in MEMORY.md,
INDEX.md, topic files and project cards. After you changed one statement, these are the other lines that
may need the same change. Daily logs and archives are left out, since they say what was. As with grep,
the exit code is 1 when there is no such line.

Examples:

    keepsake md mentions postgres
    keepsake md mentions 'merge freeze' code-freeze
    keepsake md mentions --root libxml --json | jq -r '.[].path' | sort -u`
}

func (v mentionsCmd) Run(c *call) error {
	c.json = v.JSON
	for _, w := range v.Word {
		if strings.TrimSpace(w) == "" {
			return usage("mentions: an empty word; want what to look for")
		}
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	dir, err := folder.Place(s, v.Root)
	if err != nil {
		return err
	}
	f, err := c.readNotes(s, dir)
	if err != nil {
		return err
	}
	found := classify.Mentions(f.Dir, f.Profile, v.Word)
	for _, p := range found {
		c.line("%s:%d: %s", brief.Line(p.Path), p.Line, brief.Line(strings.TrimSpace(p.Text)))
	}
	c.value(found)
	if len(found) == 0 {
		c.note("nothing in %s mentions it", brief.Line(dir))
		return quiet{exitFailed}
	}
	return nil
}
