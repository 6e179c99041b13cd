package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/project/session"
)

// printLines prints every line of the Markdown memories that has one of the words, with the exit codes of
// grep.
func (v recallCmd) printLines(c *call, s *session.Session) error {
	switch {
	case v.Tier != "" && v.Tier != "markdown", v.Category != "", v.IncludeRetired, v.Limit != nil, v.Log:
		return usage("--all-lines lists lines of the Markdown memories, and takes no other flag but --json")
	case len(v.Query) == 0:
		return usage("--all-lines: want what to look for")
	}
	for _, w := range v.Query {
		if strings.TrimSpace(w) == "" {
			return usage("--all-lines: an empty word; want what to look for")
		}
	}
	s.Settle()
	found := []classify.Place{}
	for i, dir := range s.MemoryDirs() {
		f, err := folder.Open(s, dir, "", c.now())
		c.passedOver(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, p := range classify.Mentions(f.Dir, f.Profile, v.Query) {
			if i > 0 || dir != s.MemoryDir() { // of the root scope
				p.Path = filepath.Join(dir, filepath.FromSlash(p.Path))
			}
			found = append(found, p)
			c.line("%s:%d: %s", brief.Line(p.Path), p.Line, brief.Line(strings.TrimSpace(p.Text)))
		}
	}
	c.value(found)
	if len(found) == 0 {
		c.note("no line of the Markdown memories has it")
		return quiet{exitFailed}
	}
	return nil
}
