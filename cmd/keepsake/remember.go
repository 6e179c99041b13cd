package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

type rememberCmd struct {
	Text []string `arg:"" optional:"" help:"What to remember; or a draft as JSON, or a list of drafts. Without it, standard input is read."`
	As   string   `help:"What it is: decision, constraint, preference, tech_debt or runbook. Else its words decide." placeholder:"CATEGORY"`
	JSON bool     `help:"Print one JSON object: line, saved, kept."`
}

func (rememberCmd) Help() string {
	return `Keeps one thing as a memory of the project, in your words, and says where. If a memory says it
already, nothing is written twice; if a memory says less of the same, the rest is added to it. If your words
turn against a memory ("we moved from Redis to Postgres"), that one is retired, and the command that brings it
back is printed. Where they only may, nothing is retired, and the memory is named.

An agent answers a line "keepsake: keep [7] …" with this verb and a draft, or a list of drafts, as JSON.
"covers" names the findings. "category", "title" and "content" say what to keep. "target" adds to a
memory, "supersedes" replaces one, and "noop" says why a finding is not worth keeping. A finding that no
draft covers stays open. A fence and words around the JSON are ignored; broken JSON is kept aside, with a
message.

Text that begins with a hyphen goes behind "--".

Examples:

    keepsake remember staging is called heron
    keepsake remember --as decision 'We keep the job queue in Postgres, because jobs must survive a restart.'
    keepsake remember '{"covers":[7],"category":"preference","title":"Use pnpm","content":{"topic":"package manager","value":"pnpm","reason":"one lockfile"}}'`
}

// maxRemember bounds what is read from standard input, in bytes.
const maxRemember = 256 << 10

func (v rememberCmd) Run(c *call) error {
	c.json = v.JSON
	text, err := v.text()
	if err != nil {
		return err
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	var as memory.Category
	if v.As != "" {
		cats, err := categories([]string{v.As})
		if err != nil {
			return err
		}
		if as = cats[0]; as == memory.SessionSummary {
			return usage("--as session_summary: a session is summed up when it ends")
		}
	}
	return c.remembered(s)(c.saver(s).Remember(c.ctx, text, as))
}

// text returns the text to remember: the arguments, or standard input if there are none. It does not wait
// for a terminal, as whoever sits there has only forgotten the text.
func (v rememberCmd) text() (string, error) {
	text := strings.TrimSpace(strings.Join(v.Text, " "))
	waits := len(v.Text) == 0 && isDevice(os.Stdin)
	if len(v.Text) == 0 && !waits || text == "-" {
		b, err := io.ReadAll(io.LimitReader(os.Stdin, maxRemember+1))
		switch {
		case err != nil:
			return "", err
		case len(b) > maxRemember:
			return "", usage("more than %d KiB on standard input", maxRemember>>10)
		}
		text = strings.TrimSpace(string(b))
	}
	if text == "" {
		return "", usage("nothing to remember; try: keepsake remember staging is called heron")
	}
	return text, nil
}

// isDevice reports whether a file is a terminal, or another device that has no text.
func isDevice(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// remembered returns a function that prints the outcome of a save: a line for each draft, the upkeep of
// its plan, and what follows from the save.
func (c *call) remembered(s *session.Session) func(save.Plan, save.Result, error) error {
	return func(p save.Plan, r save.Result, err error) error {
		if r.Settled {
			for _, d := range p.Drafts {
				c.sayDraft(d, r.Open)
			}
			c.sayActs(c.shownActs(recordsOf(s), p.Upkeep))
		}
		c.sayAfter(s, p, r)
		return err
	}
}

// sayDraft prints what became of a draft. open are the numbers of the findings that are still open.
func (c *call) sayDraft(d save.Draft, open []int) {
	of := ""
	for _, n := range d.Covers {
		of += fmt.Sprintf(" [%d]", n)
	}
	switch {
	case d.State == draft.Create, d.State == draft.Update, d.State == draft.Retire:
		c.line("Saved: %s (%s) %s%s", d.Category, d.State, brief.Line(d.Path), of)
		for _, note := range d.Unmet() {
			c.line("%s", cut(brief.Line(note), reasonRunes))
		}
	case d.State != draft.Nothing:
	case d.Path != "":
		c.line("Known already as %s%s", brief.Line(d.Path), of)
	default:
		c.line("Not saved:%s %s", of, cut(brief.Line(d.Reason), reasonRunes))
		for _, n := range d.Covers {
			if d.Noop && slices.Contains(open, n) {
				c.line("[%d] stays open: the user turned against a memory with it, and only they take that "+
					"back", n)
			}
		}
	}
}
