package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/git"
	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

type rememberCmd struct {
	Text []string `arg:"" optional:"" help:"What to remember; or a draft as JSON, or a list of drafts. Without it, standard input is read."`
	As   string   `help:"What it is: decision, constraint, preference, tech_debt or runbook. Else its words decide." placeholder:"CATEGORY"`
	JSON bool     `help:"Print one JSON object: line, saved, kept."`
}

func (rememberCmd) Help() string {
	return `Keeps one thing as a memory of the project, and says where. It is the one verb to know: what you type is saved as you say it. What a memory says already is not written twice, and what says more of it is added to it.

An agent answers "keepsake: keep [7] …" with it, by one draft or a list of drafts as JSON: "covers" names the findings, "category", "title" and "content" say what to keep; "target" adds to a memory that there is, "supersedes" puts another in its place, and "noop" says why a finding is not worth keeping. What no draft covers stays open. A fence and words around the JSON are left out; JSON that is broken is kept aside, and said.

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
	switch text, is := classifyInput(text); {
	case is == wholeDraft && v.As != "" && json.Valid([]byte(withoutFence(text))):
		return usage("--as is for a text; a draft says its category itself")
	case is != plainText && v.As == "":
		return rememberDrafts(c, s, text, is)
	}
	return rememberText(c, s, text, v.As)
}

// text returns what is to be remembered: the arguments, or standard input where there are
// none. A terminal is not waited for, whoever is at it has only forgotten the text.
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

// rememberText keeps one statement in the words in which it is given: as a finding of
// whoever says it, and the memory made of it.
func rememberText(c *call, s *session.Session, text, as string) error {
	for _, kind := range secret.Kinds(text) {
		c.note("taken out: %s", kind)
	}
	var category memory.Category
	if as != "" {
		cats, err := categories([]string{as})
		if err != nil {
			return err
		}
		if category = cats[0]; category == memory.SessionSummary {
			return usage("--as session_summary: a session is summed up when it ends")
		}
	}
	f := s.Wanted(text, category, "keepsake remember", c.now())
	f.Branch, f.Commit = s.Head(c.cwd)
	if c.person.alone() == nil {
		f.By, f.Origin = finding.Typed, finding.FromPerson
		if err := s.Turn(&f, as != ""); err != nil {
			c.note("what it may turn against is not known: %v", err)
		}
	} else {
		book, berr := s.Book()
		evidence, err := s.Evidence(book, []string{s.ID}, git.Committed(s.Root))
		if err = errors.Join(berr, err); err != nil {
			c.note("%v", err) // what can't be read supports nothing
		}
		evidence.Settle(f.Text)
		if f.Origin = evidence.Of(f.Text); f.Origin == finding.FromPerson {
			f.By = finding.Typed // whoever passes it on
		}
	}
	noted, err := s.NoteFindings([]finding.Finding{f}, c.now().UTC())
	if err != nil {
		return err
	}
	b, ok := resolve.Extract(f.Category, []string{f.Text}, "Said with keepsake remember", c.now())
	if !ok {
		return usage("%q says nothing that could be remembered", brief.Line(text))
	}
	return remember(c, s, []rawDraft{{name: "remember", category: f.Category, text: b}},
		finding.NumbersOf(noted))
}

// remember plans and applies drafts that nobody staged, of the findings with some
// numbers and of those that the drafts name, and says of each what became of it. When
// another session saves meanwhile it plans again.
func remember(c *call, s *session.Session, drafts []rawDraft, numbers []int) error {
	for try := 1; ; try++ {
		p, err := makePlan(c, s, planning{partial: true, now: c.now(), drafts: drafts, numbers: numbers})
		if err == nil {
			p.direct = true
			err = apply(c, s, p)
		}
		if try == commitTries || !overtaken(err) {
			return err
		}
	}
}

// sayRemembered says of each draft what became of it, in one line, what it names and could not
// have, which findings it was to end and did not, and what the save brought with it.
func sayRemembered(c *call, p planFile, settled func(number int) bool) {
	for _, d := range p.Drafts {
		of := ""
		for _, n := range d.Covers {
			of += fmt.Sprintf(" [%d]", n)
		}
		switch d.State {
		case resolve.Create, resolve.Update, resolve.Retire:
			c.line("Saved: %s (%s) %s%s", d.Category, d.State, brief.Line(d.Path), of)
			for _, note := range d.Unmet() {
				c.line("%s", cut(brief.Line(note), reasonRunes))
			}
		case resolve.Nothing:
			if d.Path != "" {
				c.line("Known already as %s%s", brief.Line(d.Path), of)
				continue
			}
			c.line("Not saved:%s %s", of, cut(brief.Line(d.Reason), reasonRunes))
			for _, n := range d.Covers {
				if d.Noop && !settled(n) { // see settle
					c.line("[%d] stays open: the user turned against a memory with it, and only they "+
						"take that back", n)
				}
			}
		}
	}
	for _, line := range actLines(p.Upkeep) {
		c.line("%s", line)
	}
}

// clearSettled takes what a save settled off the desk, and the drafts that were
// refused before for findings that are settled now.
func clearSettled(s *session.Session, p planFile) error {
	var settled []int
	for _, d := range p.Drafts {
		if d.State != resolve.Rejected && d.State != resolve.Blocked {
			settled = append(settled, d.Covers...)
		}
	}
	contexts, err := s.Desk.Contexts()
	errs := []error{err}
	for _, context := range contexts {
		left := context.Without(settled)
		switch {
		case len(left.Snippets) == len(context.Snippets):
		case len(left.Snippets) == 0:
			_, err := s.Desk.Remove(stage.ContextName(context.Category))
			errs = append(errs, err)
		default:
			errs = append(errs, s.Desk.Write(left.Name(), left.Encode()))
		}
	}
	return errors.Join(errs...)
}

// settledIn reports of numbers whether nothing is to become of their findings any more.
func settledIn(s *session.Session) (func(number int) bool, error) {
	book, err := s.Whole()
	if err != nil {
		return nil, err
	}
	waiting := finding.Numbers(book.Waiting())
	return func(n int) bool { return !slices.Contains(waiting, n) }, nil
}
