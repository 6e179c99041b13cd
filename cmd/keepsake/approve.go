package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/candidate"
)

// person is where the answers of the person come from: the controlling terminal
// of a process that no client runs. Tests put another in its place.
type person struct {
	alone    func() error
	terminal func() (io.ReadWriteCloser, error)
	client   func() string // the folder of the client that runs this, if one does
}

// atTerminal is the real one. Standard input is never asked: whoever starts a
// program can write to it.
func atTerminal() person {
	return person{alone: session.Alone, client: session.ClientDir,
		terminal: func() (io.ReadWriteCloser, error) {
			return os.OpenFile("/dev/tty", os.O_RDWR, 0)
		}}
}

// yourself is the hint where nobody is at a terminal.
const yourself = "type the command yourself in a terminal outside of Claude Code"

// open returns the terminal, if there is a person at it; hints say what helps if not.
func (p person) open(hints ...string) (io.ReadWriteCloser, error) {
	if err := p.alone(); err != nil {
		return nil, &failure{exitPerson, fmt.Errorf("only a person answers: %w", err), hints}
	}
	tty, err := p.terminal()
	if err != nil {
		return nil, &failure{exitPerson, fmt.Errorf("only a person at a terminal answers: %w", err), hints}
	}
	return tty, nil
}

type approveCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of stopped calls and of candidates, and numbers of findings; keepsake inbox lists them."`
}

func (approveCmd) Help() string {
	return `Shows each thing whole and asks at the controlling terminal. Of a call that the gate stopped a
yes is for exactly these bytes in this project, can be used once, and lasts 15 minutes. A candidate is
promoted at once. A finding is saved as it is, as a memory of the project. A draft of an agent that would
end, replace or add to what you said is carried out. The agent can't run this.

Examples:

    keepsake inbox approve kx3f2a
    keepsake inbox approve 7`
}

func (v approveCmd) Run(c *call) error { return c.answer(v.IDs, true) }

type rejectCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of stopped calls, candidates and failed drafts, and numbers of findings; keepsake inbox lists them."`
}

func (rejectCmd) Help() string {
	return `Shows each thing whole and asks at the controlling terminal. Of a call that the gate stopped:
the session that asked is then refused the same call without asking, until a day has passed. A candidate
is not proposed again, also not in other words; its note stays. A draft that could not be saved is
deleted, with what it was made from. A finding is not offered again.

Examples:

    keepsake inbox reject kx3f2a
    keepsake inbox reject 7 9`
}

func (v rejectCmd) Run(c *call) error { return c.answer(v.IDs, false) }

// answer shows what waits and takes the person's answers, one after the other.
func (c *call) answer(ids []string, approve bool) error {
	d, err := c.approvals()
	if err != nil {
		return err
	}
	verb := "reject"
	if approve {
		verb = "approve"
	}
	tty, err := c.person.open(yourself, "or type /keepsake:"+verb+" ID into the session that asked")
	if err != nil {
		return err
	}
	defer tty.Close()
	answers := bufio.NewReader(tty)
	for _, id := range ids {
		w, err := c.find(d, id)
		if err != nil {
			return err
		}
		if w.candidate != nil && approve {
			if err := c.keep(tty, answers, w); err != nil {
				return err
			}
			continue
		}
		if w.draft != nil && approve && !unbacked(*w.draft) {
			return failed(fmt.Errorf("%s: a draft that could not be saved can't be approved as it is", id),
				"keepsake inbox edit "+w.draft.ID()+" mends it", "keepsake inbox reject "+w.draft.ID()+
					" drops it")
		}
		fmt.Fprintln(tty, c.whole(w))
		if ask(tty, answers, w.question(approve), yesOrNo...) != yes {
			c.line("%s", w.unanswered())
			continue
		}
		if err := c.settle(d, w, approve); err != nil {
			return err
		}
	}
	return nil
}

// whole is a waiting thing as the person is shown it.
func (c *call) whole(w waits) string {
	switch {
	case w.finding != nil:
		return noticed(*w.finding, w.denied).Whole(c.now())
	case w.candidate != nil:
		return proposed(*w.candidate).Whole(c.now())
	case w.draft != nil:
		return failedDraft(*w.draft).Whole(c.now())
	case w.held != nil:
		return heldWhole(w.held)
	}
	return brief.Whole(stopped(*w.call), c.now())
}

// endsSaid is the question about a draft that would end, replace or add to what a person said.
const endsSaid = "It ends, replaces or adds to what you said. Do that?"

func (w waits) question(approve bool) string {
	switch {
	case w.finding != nil && approve:
		return "Save this as it is?"
	case w.finding != nil:
		return "Drop this?"
	case w.candidate != nil:
		return "Reject this candidate?"
	case w.draft != nil && approve:
		return endsSaid
	case w.draft != nil:
		return "Drop this draft, and what it was made from?"
	case w.held != nil && approve:
		return "Tell agents of this from now on?"
	case w.held != nil:
		return "Never tell agents of this?"
	case approve:
		return "Approve this one call?"
	}
	return "Reject this call?"
}

// unanswered says how a thing stands to which the person gave no answer.
func (w waits) unanswered() string {
	switch {
	case w.candidate != nil && !w.candidate.Open():
		return w.id() + " stays " + string(w.candidate.State)
	case w.call != nil && w.call.By != "":
		return w.id() + " stays as you answered it"
	}
	return w.id() + " still waits: nothing was answered"
}

// settle writes one answer down and says so.
func (c *call) settle(d approval.Dir, w waits, approve bool) (err error) {
	switch {
	case w.finding != nil && approve:
		return c.remembered(w.session)(c.saver(w.session).RememberFinding(c.ctx, *w.finding, w.finding.Text))
	case w.finding != nil:
		return rejectFinding(c, w.session, *w.finding)
	case w.candidate != nil:
		if w.candidate.State == candidate.Rejected {
			return failed(fmt.Errorf("%s is rejected already", w.candidate.ID))
		}
		if _, err := w.session.Inbox().Mark(w.candidate.ID, candidate.Rejected, c.now()); err != nil {
			return failed(err)
		}
		c.line("rejected: %s; it is not proposed again, and stays in the notes", w.candidate.ID)
	case w.draft != nil && approve:
		return c.backed(w.session, *w.draft)
	case w.draft != nil:
		also, err := w.session.Pending().Drop(*w.draft)
		if err != nil {
			return failed(err)
		}
		rest := ", and what it was made from"
		if !also {
			rest = ""
		}
		c.line("dropped: %s%s", w.draft.ID(), rest)
	case w.held != nil:
		return c.answerHeld(w.session, w.held, approve)
	case approve:
		if _, err = d.Approve(w.call.ID, approval.Terminal, "", c.now()); err == nil {
			c.line("approved: %s, for one call within %d minutes", w.call.ID, int(approval.Valid.Minutes()))
		}
	default:
		if _, err = d.Reject(w.call.ID, approval.Terminal, "", c.now()); err == nil {
			c.line("rejected: %s", w.call.ID)
		}
	}
	return err
}

type reviewCmd struct{}

func (reviewCmd) Help() string {
	return `Shows everything that waits for you, whole, one after the other, and takes your answer to each
at the controlling terminal: calls that the gate stopped, what was noticed in conversations and is not
saved, what a memory-keeper proposes for good keeping, drafts that could not be saved, memories that no
agent is told of before you say yes, and what was promoted of memories that hold no longer: y withdraws
such a drawer, n keeps it as true.

The keys are the same wherever Keepsake asks: y yes, n no, e edit, l later, q quit; anything else asks
again. A yes to what was noticed saves it in the words in which it was said, e opens them in your editor
first.

Use it too while Claude Code's own dialog is open and the text is longer than the dialog shows.

Example:

    keepsake review`
}

func (reviewCmd) Run(c *call) error {
	d, err := c.approvals()
	if err != nil {
		return err
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	all := c.everything(d)
	answers := bufio.NewReader(tty)
	bad := 0
	for i, w := range all {
		if w.drawer == nil { // which is shown as the palace has it
			fmt.Fprintln(tty, c.whole(w))
		}
		question, keys := w.choices()
		question = fmt.Sprintf("%d of %d. %s", i+1, len(all), question)
		take := c.take
		if w.drawer != nil {
			take = c.takeDrawer
			fmt.Fprintf(tty, "%d of %d. ", i+1, len(all))
		}
		err := take(d, w, tty, answers, question, keys)
		if errors.Is(err, errQuit) {
			break
		}
		if err != nil { // the next one can be answered all the same
			_, hints := codeOf(err)
			c.trouble(fmt.Errorf("%s: %w", w.id(), err), hints, exitFailed)
			bad++
		}
	}
	if bad > 0 {
		return failed(fmt.Errorf("%s could not be taken", count(bad, "answer")))
	}
	if len(all) == 0 {
		c.line("nothing waits for you")
	}
	return nil
}

// errQuit says that the person has had enough.
var errQuit = errors.New("quit")

// everything is what waits: stopped calls first, since they do not wait for long.
func (c *call) everything(d approval.Dir) (all []waits) {
	calls, err := d.Waiting(c.now())
	if err != nil {
		c.note("%v", err)
	}
	for _, r := range calls {
		all = append(all, waits{call: &r})
	}
	s, err := c.where()
	if err != nil {
		c.note("%v", err)
		return all
	}
	findings, err := c.findingsWaiting(s)
	if err != nil {
		c.note("%v", err)
	}
	all = append(all, findings...)
	candidates, err := s.Inbox().Waiting(c.now())
	if err != nil {
		c.note("%v", err)
	}
	for _, p := range candidates {
		all = append(all, waits{candidate: &p, session: s})
	}
	drafts, err := s.Pending().Refused()
	if err != nil {
		c.note("%v", err)
	}
	for _, k := range drafts {
		all = append(all, waits{draft: &k, session: s})
	}
	sets, err := save.HeldSets(s)
	if err != nil {
		c.note("%v", err)
	}
	for _, h := range sets {
		all = append(all, waits{held: h, session: s})
	}
	if loaded, err := s.Store().Load(); err == nil {
		over, err := registerOf(s).Overdue(loaded.Records, "")
		if err != nil {
			c.note("%v", err)
		}
		for _, o := range over {
			all = append(all, waits{drawer: &o, session: s})
		}
	}
	return all
}

// choices are the question of the review and the keys that it takes.
func (w waits) choices() (question string, keys []key) {
	switch {
	case w.finding != nil && w.finding.Moment != "":
		return "Keep this waiting?", []key{no, later, quit}
	case w.finding != nil:
		return "Save it as it is?", []key{yes, no, edit, later, quit}
	case w.candidate != nil:
		return "Promote it?", []key{yes, no, edit, later, quit}
	case w.draft != nil && unbacked(*w.draft):
		return endsSaid, []key{yes, no, edit, later, quit}
	case w.draft != nil:
		return "Keep this draft?", []key{no, edit, later, quit}
	case w.held != nil:
		return heldQuestion(w.held), []key{yes, no, later, quit}
	case w.drawer != nil:
		return "", []key{yes, no, later, quit}
	}
	return "Approve this one call?", []key{yes, no, later, quit}
}

// takeDrawer takes the person's answer about a drawer whose memory holds no longer. A no
// is their word that it is true all the same.
func (c *call) takeDrawer(_ approval.Dir, w waits, tty io.ReadWriter, answers *bufio.Reader, _ string,
	keys []key) error {
	answer, err := c.askWithdraw(w.session, tty, answers, w.drawer.Path, w.drawer.Why(), keys...)
	switch {
	case err != nil:
		return err
	case answer == noAnswer || answer == quit:
		return errQuit
	case answer == later:
		c.line("%s still waits", w.id())
	case answer == no:
		if err := registerOf(w.session).Leave(c.ctx, w.drawer.Path); err != nil {
			return failed(err)
		}
		c.line("it stays, and is recalled as before: %s", w.id())
	}
	return nil
}

// take takes the person's answer to one thing.
func (c *call) take(d approval.Dir, w waits, tty io.ReadWriter, answers *bufio.Reader, question string,
	keys []key) error {
	var err error
	switch ask(tty, answers, question, keys...) {
	case noAnswer, quit:
		return errQuit
	case no:
		err = c.settle(d, w, false)
	case edit:
		err = c.amend(w, tty)
	case later:
		if w.candidate != nil {
			err = c.putOff(w)
		} else {
			c.line("%s still waits", w.id())
		}
	case yes:
		if w.candidate != nil {
			err = c.keep(tty, answers, w)
		} else {
			err = c.settle(d, w, true)
		}
	}
	return err
}

type approvalsCmd struct {
	JSON bool `help:"Print one JSON object."`
}

func (approvalsCmd) Help() string {
	return `Lists the calls that the gate stopped and that wait for your answer, the answers that still
count, and what became of approved calls in the last day.

Examples:

    keepsake gate approvals
    keepsake gate approvals --json`
}

// approvalsJSON is what approvals prints with --json.
type approvalsJSON struct {
	Waiting  []approval.Request `json:"waiting"`
	Approved []approval.Request `json:"approved"` // not used yet
	Rejected []approval.Request `json:"rejected"`
	Settled  []approval.Outcome `json:"settled"`
}

func (v approvalsCmd) Run(c *call) error {
	c.json = v.JSON
	d, err := c.approvals()
	if err != nil {
		return err
	}
	now := c.now()
	var all approvalsJSON
	waiting, werr := d.Waiting(now)
	given, refused, aerr := d.Answered(now)
	done, serr := d.Settled(now.Add(-approval.Kept))
	all.Waiting = append([]approval.Request{}, waiting...)
	all.Approved = append([]approval.Request{}, given...)
	all.Rejected = append([]approval.Request{}, refused...)
	all.Settled = append([]approval.Outcome{}, done...)
	c.list("Waits for you (keepsake review shows all of it):", all.Waiting)
	c.list("Approved, not used yet:", all.Approved)
	c.list("Rejected:", all.Rejected)
	if len(all.Settled) > 0 {
		c.line("Settled:")
		for _, o := range all.Settled {
			c.line("  %s", brief.Settled(o.ID, o.Tool, string(o.By), string(o.Result), o.Stored, o.Time, now))
		}
	}
	if len(all.Waiting)+len(all.Approved)+len(all.Rejected)+len(all.Settled) == 0 {
		c.line("nothing waits, and nothing was answered in the last day")
	}
	c.value(all)
	if err := errors.Join(werr, aerr, serr); err != nil {
		return failed(err)
	}
	return nil
}

func (c *call) list(head string, all []approval.Request) {
	if len(all) > 0 {
		c.line("%s", head)
	}
	for _, r := range all {
		c.line("  %s", brief.Waits(stopped(r), c.now()))
	}
}

func stopped(r approval.Request) brief.Stopped {
	return brief.Stopped{
		ID: r.ID, Tool: r.Tool, Checkpoint: r.Checkpoint, Reason: r.Reason, Args: r.Args,
		Project: r.Project, Session: r.Session, Agent: r.Agent, Asked: r.Asked,
	}
}

// approvals is the folder of the person's own client, without what is too old to count.
func (c *call) approvals() (approval.Dir, error) {
	d := approval.Dir(layout.Approvals(layout.ClientHere()))
	if d == "" {
		return "", failed(errors.New("the client's folder is unknown"),
			"set HOME, or CLAUDE_CONFIG_DIR if Claude Code runs with it")
	}
	if err := d.Sweep(c.now()); err != nil {
		c.note("old requests could not be deleted: %v", err)
	}
	return d, nil
}
