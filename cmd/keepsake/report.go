package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/git"
	"keepsake/pkg/journal"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/status"
)

type reportCmd struct {
	HTML  string `name:"html" help:"The file to write, or - for standard output." required:"" placeholder:"FILE"`
	Since string `help:"Count costs since a date, a time or for so long." default:"90d" placeholder:"WHEN"`
	Force bool   `help:"Overwrite a file that is no earlier report."`
}

func (reportCmd) Help() string {
	return `Writes one page for a browser: when memories were written, what replaced what, how old they are and
which name files that are gone, what they cost and brought day by day, and all of them to search. The page
loads nothing and sends nothing. It says all that the memories say, so the file is readable only by you, and
you are warned if the next commit could take it in. An agent's page has no memory that waits for your yes.

Examples:

    keepsake report --html ~/memories.html
    keepsake report --html - | gzip > ~/memories.html.gz
    keepsake report --html /tmp/memories.html --since 30d`
}

// maxReport bounds the look into a file that a report would overwrite, in bytes: its head says what it is.
const maxReport = 256 << 20

func (v reportCmd) Run(c *call, s *session.Session) error {
	since, err := journal.ParseSince(v.Since, c.now())
	if err != nil {
		return usage("--since %v", err)
	}
	path := c.path(v.HTML)
	if v.HTML != stdout {
		if err := v.mayWrite(path); err != nil {
			return err
		}
	}
	at, lerr := s.Look()
	waits, werr := c.toReview(s, at)
	rep, rerr := status.ReportOf(s, waits, since, c.now())
	rep.Version = layout.Version()
	if !c.person.asks() {
		c.noteHeld(rep.DropHeld())
	}
	page, err := rep.HTML()
	switch {
	case err != nil:
	case v.HTML == stdout:
		_, err = c.out.Write(page)
	default:
		err = disk.Write(path, page, 0o600)
	}
	if err != nil {
		return err
	}
	if v.HTML != stdout {
		c.note("%s in %s", count(len(rep.Records), "memory"), brief.Line(path))
		switch taken, err := git.Takes(c.ctx, path); {
		case err != nil:
			c.note("%s is in a git checkout, and whether git ignores it is not known (%s): a commit could "+
				"publish your memories", brief.Line(filepath.Base(path)), brief.Line(err.Error()))
		case taken:
			c.note("%s is in a git checkout and not ignored there: a commit could publish your memories",
				brief.Line(filepath.Base(path)))
		}
	}
	return errors.Join(rerr, lerr, werr)
}

// stdout is the name of a file that means standard output.
const stdout = "-"

// mayWrite returns why the page must not be written to a path, or nil.
func (v reportCmd) mayWrite(path string) error {
	if err := outsideStore(path); err != nil {
		return err
	}
	switch old, err := disk.Read(path, maxReport); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !v.Force && !bytes.Contains(old[:min(len(old), 4096)], []byte(status.ReportTitle)):
		return failed(fmt.Errorf("%s: there is another file", brief.Line(path)),
			"name a new file, or say --force to overwrite it")
	}
	return nil
}
