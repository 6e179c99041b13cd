package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/secret"
)

// findingWaits is what was noticed and is not saved, as inbox --json has it.
type findingWaits struct {
	Number   int             `json:"number"`
	Category memory.Category `json:"category,omitempty"`
	// in the place of a category: it belongs into the Markdown memories
	Moment  memory.Moment   `json:"moment,omitempty"`
	Text    string          `json:"text"`
	By      finding.Speaker `json:"by"`
	Origin  finding.Origin  `json:"origin"`
	Time    time.Time       `json:"time"`
	Session string          `json:"session,omitempty"`
	Level   finding.Level   `json:"level"`
	State   finding.State   `json:"state"`
	Denied  bool            `json:"denied,omitempty"` // something that was said later turns against it
}

// findingsWaiting is what was noticed in the project and is not settled: what is sure,
// then what may be worth keeping, then what belongs into the Markdown memories; the
// newest first.
func (c *call) findingsWaiting(s *session.Session) (all []waits, err error) {
	book, err := s.Book()
	denied := session.Denied(book)
	waiting := book.Waiting()
	slices.Reverse(waiting)
	slices.SortStableFunc(waiting, func(x, y finding.Status) int { return groupOf(x) - groupOf(y) })
	for _, f := range waiting {
		all = append(all, waits{finding: &f, denied: denied[f.Number], session: s})
	}
	return all, err
}

// groupOf is the place of a finding's group in the inbox.
func groupOf(f finding.Status) int {
	switch {
	case f.Moment != "":
		return 2
	case f.Level == finding.Sure:
		return 0
	}
	return 1
}

var findingGroups = [...]string{
	"Noticed, not saved (keepsake review goes through it; keepsake inbox approve or reject N):",
	"Perhaps worth keeping:",
	"For the Markdown memories (keepsake md note or keepsake md lesson keeps it):",
}

// sayFindings prints what was noticed, group by group, and returns it.
func (c *call) sayFindings(waiting []waits) (out []findingWaits) {
	var lines [len(findingGroups)][]string
	for _, w := range waiting {
		f := *w.finding
		out = append(out, findingWaits{f.Number, f.Category, f.Moment, f.Text, f.By, f.Origin, f.Time,
			f.Session, f.Level, f.State, w.denied})
		g := groupOf(f)
		lines[g] = append(lines[g], noticed(f, w.denied).Line())
	}
	for g, head := range findingGroups {
		c.lines(head, lines[g])
	}
	return out
}

// noticed is a finding as people are shown it.
func noticed(f finding.Status, denied bool) brief.Noticed {
	n := brief.Noticed{Number: f.Number, Label: labelOf(f.Finding), Text: f.Text,
		By: answer.WhoSaid(f.Finding),
		At: f.Time, Where: f.Branch, Denied: denied}
	for _, l := range f.Context {
		who := "agent"
		switch {
		case l.By.Person():
			who = "user"
		case l.By == finding.Program:
			who = "program"
		}
		if l.Role != finding.Said {
			who += " (" + string(l.Role) + ")"
		}
		n.Around = append(n.Around, brief.Around{Who: who, Text: l.Text})
	}
	return n
}

// labelOf is what a finding is.
func labelOf(f finding.Finding) string {
	if f.Moment != "" {
		return strings.ToLower(f.Moment.Display())
	}
	return string(f.Category)
}

// findFinding returns the finding of a number, which waits.
func (c *call) findFinding(number int) (w waits, err error) {
	s, err := c.where()
	if err != nil {
		return w, err
	}
	book, err := s.Book()
	f, ok := book.Find(number)
	switch {
	case !ok && err != nil:
		return w, failed(err)
	case !ok:
		return w, failed(fmt.Errorf("[%d]: there is no such finding", number),
			"keepsake inbox lists what waits in this project")
	case !f.State.Waits():
		return w, failed(fmt.Errorf("[%d] waits no more: %s", number, becameOf(f)))
	}
	return waits{finding: &f, denied: session.Denied(book)[number], session: s}, nil
}

// becameOf says what became of a finding.
func becameOf(f finding.Status) string {
	said := "it is " + strings.ReplaceAll(string(f.State), "_", " ")
	if f.To != "" {
		said += " as " + brief.Line(f.To)
	}
	return said
}

// rejectFinding sets a finding aside on the person's word.
func rejectFinding(c *call, s *session.Session, f finding.Status) error {
	err := s.MoveFindings(finding.Move{At: c.now().UTC(), Act: finding.Reject, Numbers: []int{f.Number},
		By: "person"})
	if err != nil {
		return failed(err)
	}
	c.line("rejected: [%d]; it is not offered again", f.Number)
	return nil
}

// editFinding has the person change a statement, and saves what they wrote: their words
// are a finding of their own, and the one that they began with goes into the same memory.
func (c *call) editFinding(s *session.Session, f finding.Status, tty io.ReadWriter) error {
	text, err := c.editor(s, fmt.Sprintf("%d.md", f.Number), f.Text+"\n", tty)
	if err != nil {
		return err
	}
	text = strings.Join(strings.Fields(text), " ")
	switch kinds := secret.Kinds(text); {
	case text == "":
		return failed(fmt.Errorf("[%d]: nothing is left of it, so it waits as it was", f.Number),
			fmt.Sprintf("keepsake inbox reject %d", f.Number))
	case len(kinds) > 0:
		return failed(fmt.Errorf("[%d]: it would hold a secret (%s), so it waits as it was", f.Number,
			strings.Join(kinds, ", ")))
	}
	return c.remembered(s)(c.saver(s).RememberFinding(c.ctx, f, text))
}
