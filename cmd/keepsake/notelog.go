package main

import (
	"context"
	"os"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

// logPaths is how many of a save's records the line in the log of the day names.
const logPaths = 3

// logDay adds a line about a save to the log of the day beside the Markdown memories,
// where there are any. The log is never the source of truth: what fails there is a
// matter for the ledger, and the save stands.
func logDay(c *call, s *session.Session, line string, saved plan.Plan) {
	dir := s.MemoryDir()
	if !s.Config.Memdir.Log || dir == "" || s.Config.Gate[rules.AutoMemoryWrite] != "off" {
		return // nobody is asked about this line
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return // the client's to make
	}
	paths := pathsOf(saved)
	where := strings.Join(paths[:min(len(paths), logPaths)], ", ")
	if len(paths) > logPaths {
		where += ", …"
	}
	at := c.notesOf(s, dir)
	for try := 1; ; try++ {
		d, err := session.ReadMemories(dir, c.now(), func(string, string) {})
		if err == nil {
			p := classify.Log(d, profileOf(s, d), "apply: "+memdir.Cut(line, 120)+" → "+where)
			// The save is in place: an interruption now must not look like its failure.
			err = at.Apply(context.WithoutCancel(c.ctx), p)
		}
		if try < noteTries && lateFor(err) {
			continue
		}
		if err != nil {
			s.Fault("apply", "a save is not in the log of the day", err)
		}
		return
	}
}
