// Package inbox is everything that waits for the person: calls that the gate stopped, what was noticed in
// conversations, what a memory-keeper proposes for good keeping, drafts that could not be saved, memories
// that no agent is told of, and drawers whose memory holds no longer.
//
// It lists them, finds one by its id, shows it whole and carries out the answer. That the answer is the
// person's, the caller knows.
package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/doctor"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
	"keepsake/pkg/why/candidate"
	"keepsake/pkg/why/promote"
)

// An Inbox is what waits for the person in one project, with the calls that the gate stopped in any.
type Inbox struct {
	Calls approval.Dir
	Open  func() (*save.Saver, error) // opens the project; not called for a stopped call
	Now   func() time.Time
}

// A Thing waits for the person's answer.
type Thing interface {
	// ID returns what the person names it by.
	ID() string
	// Whole shows it to the person who decides about it: nothing of it is cut, and what a terminal would
	// obey or hide is spelled out.
	Whole(now time.Time) string
	// Question returns what the person is asked who wants to approve or to reject it.
	Question(approve bool) (string, error)
	// Review returns what a review asks, and the keys that answer it: y, n, e, l and q.
	Review() (question, keys string)
	// Answer carries a yes or a no out.
	Answer(ctx context.Context, yes bool) (Done, error)
}

// Done is what became of a thing.
type Done struct {
	Said  string // in one line
	Saved *Saved // what was saved of it, where something was
}

// Saved is what saving a thing came to.
type Saved struct {
	Session *session.Session
	Plan    save.Plan
	Result  save.Result
}

// Unanswered says how a thing stands to which the person gave no answer.
func Unanswered(t Thing) string {
	switch t := t.(type) {
	case *Candidate:
		if !t.Open() {
			return t.ID() + " stays " + string(t.State)
		}
	case *Call:
		if t.By != "" {
			return t.ID() + " stays as you answered it"
		}
	}
	return t.ID() + " still waits: nothing was answered"
}

// An Editable thing has a text that the person may change.
type Editable interface {
	Thing
	// Draft returns the text, and a name of a file for it.
	Draft() (name, text string, err error)
	// Edit puts a text in its place.
	Edit(ctx context.Context, text string) (Done, error)
}

// Edits returns the thing if its text can be changed.
func Edits(t Thing) (Editable, error) {
	if e, ok := t.(Editable); ok {
		return e, nil
	}
	if _, ok := t.(*Call); ok {
		return nil, fmt.Errorf("%s: a stopped call can't be changed: an approval is for its exact bytes; "+
			"hint: reject it, and say in the session what should be different", t.ID())
	}
	return nil, fmt.Errorf("%s: only a finding, a candidate or a draft can be changed", t.ID())
}

// checkEdited returns an error for an edited text that can't take the place of what it was made from. name is
// what the thing is rejected by, and so what it does instead.
func checkEdited(id, name, text, so string) error {
	if text == "" {
		return fmt.Errorf("%s: nothing is left of it, so %s; hint: keepsake inbox reject %s", id, so, name)
	}
	if kinds := secret.Kinds(text); len(kinds) > 0 {
		return fmt.Errorf("%s: it would hold a secret (%s), so %s", id, strings.Join(kinds, ", "), so)
	}
	return nil
}

// Later puts a thing off: a candidate until tomorrow, a finding waits on as it is.
func (b *Inbox) Later(t Thing) (said string, err error) {
	switch t := t.(type) {
	case *Finding:
		return "later: " + t.ID() + " waits on", nil
	case *Candidate:
		return t.putOff(b.Now())
	}
	return "", fmt.Errorf("%s: only a candidate can be put off; hint: a stopped call waits for a day, a "+
		"draft until it is answered", t.ID())
}

// waiting is what waits in a project, by kind.
type waiting struct {
	calls      []*Call
	findings   []*Finding
	candidates []*Candidate // those put off included
	drafts     []*Draft
	held       []*Held
	drawers    []promote.Overdue
	disputes   []doctor.Dispute
}

// stopped returns the calls that wait, the oldest first.
func (b *Inbox) stopped() (all []*Call, err error) {
	if b.Calls == "" {
		return nil, nil
	}
	waiting, err := b.Calls.Waiting(b.Now())
	for _, r := range waiting {
		all = append(all, &Call{r, b})
	}
	return all, err
}

// gather returns what waits in a project. What can't be read is in the errors, and hides nothing else.
func (b *Inbox) gather(s *save.Saver) (w waiting, errs []error) {
	var err error
	w.findings, err = findingsOf(s)
	errs = append(errs, err)
	candidates, err := s.Inbox().All()
	errs = append(errs, err)
	for _, c := range candidates {
		if c.Open() {
			w.candidates = append(w.candidates, &Candidate{c, s})
		}
	}
	w.calls, err = b.stopped()
	errs = append(errs, err)
	drafts, err := s.Pending().Refused()
	errs = append(errs, err)
	for _, k := range drafts {
		w.drafts = append(w.drafts, &Draft{k, s})
	}
	sets, err := save.HeldSets(s.Session)
	errs = append(errs, err)
	for _, h := range sets {
		w.held = append(w.held, &Held{h, s})
	}
	if loaded, err := s.Store().Load(); err == nil { // else the verbs that need it say why
		w.drawers, err = promote.RegisterOf(s.Session).Overdue(loaded.Records)
		errs = append(errs, err)
		w.disputes = doctor.Disputes(s.Session, loaded)
	}
	return w, errs
}

// Everything returns what a review goes through: stopped calls first, since they do not wait for long,
// and last the drawers whose memory holds no longer. What can't be read is in the errors, and hides
// nothing else.
func (b *Inbox) Everything() (all []Thing, drawers []promote.Overdue, errs []error) {
	s, err := b.Open()
	if err != nil {
		calls, cerr := b.stopped()
		return things(calls), nil, []error{cerr, err}
	}
	w, errs := b.gather(s)
	w.candidates = slices.DeleteFunc(w.candidates, func(c *Candidate) bool { return !c.Waits(b.Now()) })
	return slices.Concat(things(w.calls), things(w.findings), things(w.candidates), things(w.drafts),
		things(w.held)), w.drawers, errs
}

func things[T Thing](some []T) (all []Thing) {
	for _, t := range some {
		all = append(all, t)
	}
	return all
}

// Find returns the thing that an id names: a stopped call, the number of a finding, a candidate, a draft or
// held memories.
func (b *Inbox) Find(id string) (Thing, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	r, err := b.Calls.Find(id)
	if err == nil {
		return &Call{r, b}, nil
	}
	if !errors.Is(err, approval.ErrUnknown) {
		return nil, err
	}
	number, isFinding := finding.ParseNumber(id)
	if !isFinding && (len(id) != 6 || !strings.Contains("cdr", id[:1])) {
		return nil, unknown(id)
	}
	s, err := b.Open()
	switch {
	case err != nil:
		return nil, err
	case isFinding:
		return findFinding(s, number)
	case id[0] == 'r':
		sets, err := save.HeldSets(s.Session)
		for _, h := range sets {
			if h.ID() == id {
				return &Held{h, s}, nil
			}
		}
		return nil, cmp.Or(err, unknown(id))
	}
	c, err := s.Inbox().Find(id)
	if err == nil {
		return &Candidate{c, s}, nil
	}
	if k, err := s.Pending().FindRefused(id); err == nil {
		return &Draft{k, s}, nil
	}
	if errors.Is(err, candidate.ErrUnknown) {
		err = unknown(id)
	}
	return nil, err
}

func unknown(id string) error {
	return fmt.Errorf("%s: nothing of this id waits for an answer; hint: keepsake inbox lists what waits in "+
		"this project, keepsake gate approvals what the gate stopped; hint: where Claude Code runs with "+
		"CLAUDE_CONFIG_DIR, set it here too", id)
}

// ago says how long something is past, in one unit.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh ago", int(d.Hours()))
}

// lineRunes is how much of a text a list shows.
const lineRunes = 100

// inLine returns s as a list shows it: one line of at most lineRunes characters.
func inLine(s string) string { return text.Shorten(text.Safe(text.OneLine(s)), lineRunes) }
