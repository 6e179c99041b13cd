package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/git"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/memory"
)

type mergeCmd struct {
	Base   string `arg:"" help:"The version that both come from; an empty file for none." type:"existingfile"`
	Ours   string `arg:"" help:"One version. The result is written over it." type:"existingfile"`
	Theirs string `arg:"" help:"The other version." type:"existingfile"`
	Path   string `arg:"" help:"Path of the file in the project; says whether it is a record or index.md."`
}

func (mergeCmd) Help() string {
	return `Joins two versions of a memory, of index.md or of .learnings/LEARNINGS.md. Git runs it as a merge
driver, with %O %A %B %P, after keepsake team git-setup. Changes, tags and lists are united, counts and dates
are computed, index.md is derived again, lessons of both sides are kept. Where both sides say something different in one field, the file keeps both
between conflict markers, and the exit code is 1.

A file that is no record is merged line by line, by git merge-file.

Example:

    git config merge.keepsake.driver 'keepsake team merge %O %A %B %P'`
}

func (v mergeCmd) Run(c *call) error {
	if inStore(v.Ours) {
		return failed(fmt.Errorf("%s: is a memory, and memories are written by plans", brief.Line(v.Ours)),
			"git gives a merge driver temporary files")
	}
	var versions [3][]byte
	for i, name := range []string{v.Base, v.Ours, v.Theirs} {
		b, err := disk.Read(name, maxFile)
		if err != nil {
			return err
		}
		versions[i] = b
	}
	base, ours, theirs := versions[0], versions[1], versions[2]
	if path.Base(v.Path) == "index.md" {
		return os.WriteFile(v.Ours, memory.MergeIndex(base, ours, theirs), 0o644)
	}
	if strings.HasSuffix("/"+v.Path, "/"+lessons.Journal) {
		merged, ok := lessons.Merge(base, ours, theirs)
		if !ok {
			return v.mergeLines(c)
		}
		return os.WriteFile(v.Ours, merged, 0o644)
	}
	m, ok := memory.MergeFiles(base, ours, theirs)
	if !ok {
		return v.mergeLines(c)
	}
	if err := os.WriteFile(v.Ours, m.Text(), 0o644); err != nil {
		return err
	}
	if m.Unguarded {
		c.note("%s: both sides changed its guard, so it has none now; what you armed acts on; keepsake "+
			"guard propose %s makes one", brief.Line(v.Path), brief.Line(m.ID))
	}
	if len(m.Conflicts) > 0 {
		return failed(fmt.Errorf("%s: both sides changed %s", brief.Line(v.Path),
			brief.Line(strings.Join(m.Conflicts, ", "))),
			"keep one side of each conflict, take the marker lines out, and git add the file; until then "+
				"keepsake does not read this memory")
	}
	return nil
}

// mergeLines leaves the file to git's own merge of lines.
func (v mergeCmd) mergeLines(c *call) error {
	_, err := git.Run(c.ctx, ".", "merge-file", "-q", "-L", "ours", "-L", "base", "-L", "theirs",
		v.Ours, v.Base, v.Theirs)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() < 128 { // it is the number of conflicts
		return failed(fmt.Errorf("%s: is no record of this version of keepsake, and merging its lines left "+
			"conflicts", brief.Line(v.Path)),
			"mend it by hand, and git add the file")
	}
	return err
}
