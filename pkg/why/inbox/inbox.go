// Package inbox collects everything that waits for the person: calls that the gate stopped, what was
// noticed in conversations, what agents propose to keep, what a memory-keeper proposes for good keeping,
// drafts that could not be saved, memories that no agent is told of, people whose signatures approve such,
// changes of the Markdown memories that an agent proposes, memories of which a check fails, memories that
// were never used, and drawers whose memory no longer holds.
//
// It lists them, finds one by its id, shows it whole and carries out the answer. That the answer is the
// person's, the caller knows.
package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/evidence"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/doctor"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/memdir/proposed"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/status"
	"keepsake/pkg/text"
	"keepsake/pkg/why/candidate"
	"keepsake/pkg/why/promote"
)

// An Inbox is everything that waits for the person in one project, and the calls that the gate stopped in
// any project.
type Inbox struct {
	Calls approval.Clients
	Open  func() (*save.Saver, error) // opens the project; not called for a stopped call
	Now   func() time.Time
	// Person reports whether it is the person who asks: an agent is shown no words of what waits for the
	// person alone. Only who shows words asks it, as finding out reads about every process above this one.
	Person func() bool

	said map[string]*evidence.Evidence // what was said in sessions, as far as it was read
	// what was said after a finding and against it, nil before it is asked for and after an answer
	overtaken func(finding.Finding) (by change.Subject, err error)
}

// overtakes returns what was said after a finding and against it; nil with an error if that is not known.
func (b *Inbox) overtakes(w *save.Saver) (func(finding.Finding) (change.Subject, error), error) {
	var err error
	if b.overtaken == nil {
		b.overtaken, err = w.Overtaken()
	}
	return b.overtaken, err
}

// saidIn returns what was said in a session, or nil if that can't be read.
func (b *Inbox) saidIn(w *save.Saver, id string) *evidence.Evidence {
	e, ok := b.said[id]
	if !ok {
		e = w.EvidenceIn(id, w.Git)
		if b.said == nil {
			b.said = map[string]*evidence.Evidence{}
		}
		b.said[id] = e
	}
	return e
}

// A Thing is one thing that waits for the person's answer.
type Thing struct {
	ID string // what the person names it by
	// Approve, Reject and Review are the questions that are asked to approve it, to reject it and in a
	// review. Keys are the keys that answer a review, out of y, n, e, l and q.
	Approve, Reject, Review, Keys string
	// Promotes reports that a yes promotes it, which the caller has to do.
	Promotes bool
	// Unanswered is the line that is printed if no answer is given.
	Unanswered string
	// Answer carries out a yes or a no.
	Answer func(ctx context.Context, yes bool) (Done, error)

	whole string                            // View.Text of what needs nothing else
	view  func() View                       // nil for whole
	unfit error                             // why it can't be approved; nil for what is said of a draft
	later func(now time.Time) (Done, error) // nil where it can't be put off
	draft func() (string, error)            // the text that the person may change; nil for none
	name  string                            // name of the file in which an editor gets the text
	edit  func(ctx context.Context, text string, sure Sure) (Done, error)
	w     *save.Saver

	finding bool
}

// IsFinding reports whether the thing is a finding.
func (t Thing) IsFinding() bool { return t.finding }

// Session returns the session of the thing's project.
func (t Thing) Session() *session.Session { return t.w.Session }

// A View is what a person is shown of a thing before they decide. Characters that a terminal would obey or
// hide are spelled out.
type View struct {
	Text string // all that an answer is about, and nothing of it is cut
	// Near is the memory that says the most like it, with how the two differ; "" for things that are compared
	// with none.
	Near string
	// Alone is why it must not be answered together with others; "" if it may.
	Alone string
}

// View returns what a person is shown of the thing. What was said around a finding is read for it.
func (t Thing) View() View {
	if t.view != nil {
		return t.view()
	}
	return View{Text: t.whole, Alone: t.ID + " wants an answer of its own"}
}

// Done is the outcome of an answer.
type Done struct {
	Said  string // in one line
	Saved *Saved // the save that the answer made; nil if none
	Wrote string // the digest of the plan that the answer wrote, "" for none
	// Undo has the thing wait again, and returns a line that reports it. What was saved has to be undone
	// before. It is nil for an answer that can't be taken back.
	Undo func(ctx context.Context) (said string, err error)
}

// waitsAgain is what is said of a thing whose answer was taken back.
const waitsAgain = " waits again: your answer is taken back"

// Saved is the plan and the result of a save.
type Saved struct {
	Session *session.Session
	Plan    save.Plan
	Result  save.Result
}

const stillWaits = " still waits: nothing was done"

// A Sure shows the person what their answer would do beside what they see, and asks whether they want that.
type Sure func(does, question string) bool

// Edit replaces the text of a thing by what editor returns. editor gets the text and a path, readable only by
// this user, at which it may write it. sure is asked if the new text would end something else.
func (t Thing) Edit(ctx context.Context, editor func(path, text string) (string, error), sure Sure) (Done,
	error) {
	switch {
	case t.w == nil:
		return Done{}, fmt.Errorf("%s: a stopped call can't be changed: an approval is for its exact bytes; "+
			"hint: reject it, and say in the session what should be different", t.ID)
	case t.draft == nil:
		return Done{}, fmt.Errorf("%s: only a finding, a candidate or a draft can be changed", t.ID)
	}
	before, err := t.draft()
	if err != nil {
		return Done{}, err
	}
	name := fmt.Sprintf("%d-%s", os.Getpid(), t.name)
	after, err := editor(filepath.Join(t.w.Inbox().Dir, "edit", name), before)
	if err != nil {
		return Done{}, err
	}
	if strings.TrimSpace(after) == strings.TrimSpace(before) { // who thinks again leaves the editor so
		return Done{Said: t.ID + " stays as it was"}, nil
	}
	return t.edit(ctx, after, sure)
}

// checkEdited returns an error if an edited text is empty or has a secret. name is the name by which
// keepsake inbox reject knows the thing; so is what happens to the thing instead.
func checkEdited(id, name, text, so string) error {
	if text == "" {
		return fmt.Errorf("%s: nothing is left of it, so %s; hint: keepsake inbox reject %s", id, so, name)
	}
	if kinds := secret.Kinds(text); len(kinds) > 0 {
		return fmt.Errorf("%s: it would hold a secret (%s), so %s", id, strings.Join(kinds, ", "), so)
	}
	return nil
}

// Unfit returns the error for a draft, or a change of notes, that can't be approved as it is.
func (t Thing) Unfit() error {
	if t.unfit != nil {
		return t.unfit
	}
	return fmt.Errorf("%s: a draft that could not be saved can't be approved as it is; hint: keepsake inbox "+
		"edit %[1]s mends it; hint: keepsake inbox reject %[1]s drops it", t.ID)
}

// Later puts a thing off: a candidate waits until tomorrow, a finding goes on waiting.
func (t Thing) Later(now time.Time) (Done, error) {
	if t.later == nil {
		return Done{}, fmt.Errorf("%s: only a candidate can be put off; hint: a stopped call waits for a "+
			"day, everything else until it is answered", t.ID)
	}
	return t.later(now)
}

// waiting is everything that waits in a project, by kind.
type waiting struct {
	calls      []approval.Request
	findings   []noticed
	candidates []candidate.Candidate // those put off included
	drafts     []stage.Kept
	held       []save.HeldSet
	merged     []session.MergedSet
	approvers  session.Approvers
	changes    []noteChange
	failing    []failing
	drawers    []promote.Overdue
	disputes   []doctor.Dispute
	partly     int // memories that were not compared with all that may contradict them
	unused     []session.IdleMemory
}

// stopped returns the stopped calls that wait, the oldest first.
func (b *Inbox) stopped() ([]approval.Request, error) {
	if len(b.Calls) == 0 {
		return nil, nil
	}
	return b.Calls.Waiting(b.Now())
}

// gather returns everything that waits in a project, and an error for each kind that can't be read.
func (b *Inbox) gather(s *save.Saver) (w waiting, errs []error) {
	var all [9]error
	w.findings, all[0] = b.findings(s)
	w.candidates, all[1] = s.Inbox().All()
	w.candidates = slices.DeleteFunc(w.candidates, func(c candidate.Candidate) bool { return !c.Open() })
	w.calls, all[2] = b.stopped()
	w.drafts, all[3] = s.Pending().Refused()
	w.held, all[4] = save.HeldSets(s.Session)
	w.changes, all[5] = noteChanges(s)
	w.failing, all[6] = failingOf(s)
	w.merged, all[7] = s.CameWithMerge()
	w.approvers, all[8] = s.Approvers()
	errs = all[:]
	if loaded, err := s.Store().Load(); err == nil { // else the verbs that need it say why
		w.drawers, err = promote.RegisterOf(s.Session).Overdue(loaded.Records)
		errs = append(errs, err)
		w.disputes, w.partly = doctor.Disputes(s.Session, loaded)
		w.unused, err = unusedOf(s, loaded)
		errs = append(errs, err)
	}
	return w, errs
}

// ToReview returns how much wants the person's answer: findings as [session.Tally] counts them, and all of
// the other kinds. What is only perhaps worth keeping is not counted, nor what the agent of a session under
// way may still save, nor a change of notes that can't be written. What can't be read is in err.
func (b *Inbox) ToReview(s *save.Saver, at session.Look) (n status.ToReview, err error) {
	var all [8]error
	n.Findings = at.Tally.ToReview
	candidates, err := s.Inbox().All()
	all[0] = err
	for _, c := range candidates {
		if c.Open() && c.Waits(b.Now()) {
			n.Drawers++
		}
	}
	calls, err := b.stopped()
	n.Calls, all[1] = len(calls), err
	drafts, err := s.Pending().Refused()
	n.Drafts, all[2] = len(drafts), err
	n.Memories, all[3] = s.CountHeld(at, func() (int, error) {
		held, err := save.HeldSets(s.Session)
		return len(held), err
	})
	changes, err := noteChanges(s)
	changes = slices.DeleteFunc(changes, func(c noteChange) bool { return c.trouble != nil })
	n.Notes, all[4] = len(changes), err
	failing, err := failingOf(s)
	n.Failing, all[5] = len(failing), err
	merged, err := s.CameWithMerge()
	n.Merged, all[6] = len(merged), err
	a, err := s.Approvers()
	if all[7] = err; a.Waits() {
		n.Memories++
	}
	return n, errors.Join(all[:]...)
}

// Everything returns everything that a review goes through. Stopped calls come first, since they do not
// wait for long. drawers are the drawers whose memory no longer holds. What can't be read has its error
// in errs.
func (b *Inbox) Everything() (all []Thing, drawers []promote.Overdue, errs []error) {
	var w waiting
	s, err := b.Open()
	if err == nil {
		_, err := s.TakeSigned(context.Background(), b.Now().UTC()) // what is signed needs no answer
		w, errs = b.gather(s)
		errs = append(errs, err)
	} else {
		calls, cerr := b.stopped()
		w.calls, errs = calls, []error{cerr, err}
	}
	for _, c := range b.calls(w.calls) {
		all = append(all, b.callThing(c))
	}
	for _, f := range w.findings {
		all = append(all, f.thing(b, s))
	}
	for _, c := range w.candidates {
		if c.Waits(b.Now()) {
			all = append(all, candidateThing(s, c))
		}
	}
	for _, k := range w.drafts {
		all = append(all, draftThing(s, k))
	}
	if w.approvers.Waits() {
		all = append(all, approversThing(s, w.approvers))
	}
	for _, h := range w.held {
		if !h.FromRepository() || !w.approvers.Waits() { // else a yes to them answers for some of it
			all = append(all, heldThing(s, h))
		}
	}
	for _, m := range w.merged {
		all = append(all, mergedThing(s, m))
	}
	for _, c := range w.changes {
		all = append(all, changeThing(s, c))
	}
	for _, f := range w.failing {
		all = append(all, failingThing(b, s, f))
	}
	for _, d := range w.disputes {
		if both, same := disputeOf(s, d); same {
			all = append(all, disputeThing(s, both))
		}
	}
	for _, m := range w.unused {
		all = append(all, unusedThing(s, m))
	}
	return all, w.drawers, errs
}

// Find returns the thing with an id: a stopped call, a finding (by its number), a candidate, a draft, a set
// of held memories, the approvers, the memories of a merged branch, a memory of which a check fails or that
// was never used, two that say opposite things, or a change of notes.
func (b *Inbox) Find(id string) (t Thing, err error) {
	id = strings.ToLower(strings.TrimSpace(id))
	r, err := b.Calls.Find(id)
	if err == nil {
		return b.callThing(b.calls([]approval.Request{r})[0]), nil
	}
	if !errors.Is(err, approval.ErrUnknown) {
		return t, err
	}
	number, isFinding := finding.ParseNumber(id)
	if !isFinding && (len(id) != 6 || !strings.Contains("abcdnoruv", id[:1])) {
		return t, unknown(id)
	}
	s, err := b.Open()
	switch {
	case err != nil:
		return t, err
	case isFinding:
		return findFinding(b, s, number)
	case id[0] == 'n':
		c, err := s.NoteChanges().Find(id)
		if errors.Is(err, proposed.ErrUnknown) {
			err = unknown(id)
		}
		return changeThing(s, newNoteChange(s, c)), err
	case id[0] == 'a':
		a, err := s.Approvers()
		if err == nil && (!a.Waits() || approversID(a) != id) {
			err = unknown(id)
		}
		return approversThing(s, a), err
	case id[0] == 'b':
		sets, err := s.CameWithMerge()
		if i := slices.IndexFunc(sets, func(m session.MergedSet) bool { return mergedID(m) == id }); i >= 0 {
			return mergedThing(s, sets[i]), nil
		}
		return t, cmp.Or(err, unknown(id))
	case id[0] == 'v':
		all, err := failingOf(s)
		if i := slices.IndexFunc(all, func(f failing) bool { return f.ID() == id }); i >= 0 {
			return failingThing(b, s, all[i]), nil
		}
		return t, cmp.Or(err, unknown(id))
	case id[0] == 'u':
		loaded, err := s.Store().Load()
		if err != nil {
			return t, err
		}
		all, err := unusedOf(s, loaded)
		if i := slices.IndexFunc(all, func(m session.IdleMemory) bool { return unusedID(m) == id }); i >= 0 {
			return unusedThing(s, all[i]), nil
		}
		return t, cmp.Or(err, unknown(id))
	case id[0] == 'o':
		d, err := findDispute(s, id)
		if err != nil {
			return t, err
		}
		return disputeThing(s, d), nil
	case id[0] == 'r':
		sets, err := save.HeldSets(s.Session)
		if i := slices.IndexFunc(sets, func(h save.HeldSet) bool { return h.ID() == id }); i >= 0 {
			return heldThing(s, sets[i]), nil
		}
		return t, cmp.Or(err, unknown(id))
	}
	c, err := s.Inbox().Find(id)
	if err == nil {
		return candidateThing(s, c), nil
	}
	if k, err := s.Pending().FindRefused(id); err == nil {
		return draftThing(s, k), nil
	}
	if errors.Is(err, candidate.ErrUnknown) {
		err = unknown(id)
	}
	return t, err
}

func unknown(id string) error {
	return fmt.Errorf("%s: nothing of this id waits for an answer; hint: keepsake inbox lists what waits in "+
		"this project, keepsake gate approvals what the gate stopped; hint: where the client runs with "+
		"CLAUDE_CONFIG_DIR or CODEX_HOME, set it here too", id)
}

// ago returns in words how long ago something was, in one unit.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d >= 3*24*time.Hour:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	}
	return fmt.Sprintf("%dh ago", int(d.Hours()))
}

// lineRunes is how many runes of a text a list shows.
const lineRunes = 100

// inLine returns s as a list shows it: one line of at most lineRunes characters.
func inLine(s string) string { return text.Shorten(text.Safe(text.OneLine(s)), lineRunes) }
