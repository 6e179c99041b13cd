package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"keepsake/pkg/brief"
	"keepsake/pkg/why/candidate"
	"keepsake/pkg/why/inbox"
)

type candidatesCmd struct {
	File string `arg:"" optional:"" help:"The document (default: standard input, also as -)." type:"path"`
	JSON bool   `help:"Print one JSON object: the report, with an item for each candidate."`
}

func (candidatesCmd) Help() string {
	return `Takes the document of a memory-keeper, checks each candidate and puts it on your inbox. A
candidate is taken when

  - its quote stands word for word at its source in this project, in one note that is not promoted;
  - its names are valid names of drawers, and it holds no secret;
  - nothing that waits, was rejected or is promoted says the same;
  - fewer than inbox.daily_proposals were taken today.

What is not taken is listed with the reason, and stays in the notes. The document of the plugin's own
agent is taken automatically when that agent ends.

Examples:

    keepsake notes candidates document.md
    keepsake notes candidates < document.md`
}

func (v candidatesCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	document, err := v.read()
	if err != nil {
		return err
	}
	r, err := s.Propose(document, c.now(), c.now())
	if err != nil {
		return err
	}
	c.report(r)
	c.value(r)
	return nil
}

func (v candidatesCmd) read() (string, error) {
	in := os.Stdin
	if v.File != "" && v.File != "-" {
		f, err := os.Open(v.File)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, candidate.MaxDocument+1))
	if err == nil && len(b) == 0 {
		err = errors.New("the document is empty; hint: keepsake notes candidates FILE")
	}
	return string(b), err
}

// report prints the outcome of each candidate.
func (c *call) report(r candidate.Report) {
	for _, i := range r.Items {
		if i.Why == "" {
			c.line("on the inbox: %s [source: %s]", i.ID, brief.Line(i.Source))
		} else {
			c.line("not taken: %s", inbox.NotTaken(i))
		}
	}
	if r.Cut {
		c.note("the document is longer than %d bytes or has more than %d candidates; the rest was not "+
			"read", candidate.MaxDocument, candidate.MaxCandidates)
	}
	if r.Proposed >= 0 && r.Proposed != len(r.Items) {
		c.note("the document says that it proposes %d, and %d could be read", r.Proposed, len(r.Items))
	}
	counted := ""
	if r.Read >= 0 {
		counted = fmt.Sprintf("; the keeper read %d", r.Read)
	}
	c.line("%s on the inbox, %d not taken%s", count(r.Taken(), "candidate"), len(r.Items)-r.Taken(), counted)
}
