package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"keepsake/pkg/approval"
	"keepsake/pkg/brief"
	"keepsake/pkg/inbox"
	"keepsake/pkg/paths"
	"keepsake/pkg/session"
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
	return person{alone: session.Alone, client: session.ClientDir, terminal: func() (io.ReadWriteCloser, error) {
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
	IDs []string `arg:"" name:"ID" help:"Ids of stopped calls and of candidates; keepsake inbox lists them."`
}

func (approveCmd) Help() string {
	return `Shows each thing whole and asks at the controlling terminal. Of a call that the gate stopped a yes is for exactly these bytes in this project, can be used once, and lasts 15 minutes. A candidate is promoted at once. The agent can't run this.

Example:

    keepsake approve kx3f2a`
}

func (v approveCmd) Run(c *call) error { return c.answer(v.IDs, true) }

type rejectCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of stopped calls, candidates and failed drafts; keepsake inbox lists them."`
}

func (rejectCmd) Help() string {
	return `Shows each thing whole and asks at the controlling terminal. Of a call that the gate stopped: the session that asked is then refused the same call without asking, until a day has passed. A candidate is not proposed again, also not in other words; its note stays. A draft that could not be saved is deleted, with what it was made from.

Example:

    keepsake reject kx3f2a`
}

func (v rejectCmd) Run(c *call) error { return c.answer(v.IDs, false) }

// answer shows what waits and takes the person's answers, one after the other.
func (c *call) answer(ids []string, yes bool) error {
	d, err := approvals()
	if err != nil {
		return err
	}
	verb := "reject"
	if yes {
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
		if w.candidate != nil && yes {
			if err := c.keep(tty, answers, w); err != nil {
				return err
			}
			continue
		}
		if w.draft != nil && yes {
			return failed(fmt.Errorf("%s: a draft that could not be saved can't be approved as it is", id), "keepsake inbox edit "+w.draft.ID()+" mends it", "keepsake reject "+w.draft.ID()+" drops it")
		}
		fmt.Fprintf(tty, "%s\n%s", c.whole(w), w.question(yes))
		if !agrees(readLine(answers)) {
			c.line("%s", w.unanswered())
			continue
		}
		if err := c.settle(d, w, yes); err != nil {
			return err
		}
	}
	return nil
}

// whole is a waiting thing as the person is shown it.
func (c *call) whole(w waits) string {
	switch {
	case w.candidate != nil:
		return proposed(*w.candidate).Whole(c.now())
	case w.draft != nil:
		return failedDraft(*w.draft).Whole(c.now())
	case w.held != nil:
		return w.held.whole()
	}
	return brief.Whole(stopped(*w.call), c.now())
}

func (w waits) question(yes bool) string {
	switch {
	case w.candidate != nil:
		return "Reject this candidate? [y/N] "
	case w.draft != nil:
		return "Drop this draft, and what it was made from? [y/N] "
	case w.held != nil && yes:
		return "Tell agents of this from now on? [y/N] "
	case w.held != nil:
		return "Never tell agents of this? [y/N] "
	case yes:
		return "Approve this one call? [y/N] "
	}
	return "Reject this call? [y/N] "
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

// settle writes one answer down and says so. A yes is only for a stopped call.
func (c *call) settle(d approval.Dir, w waits, yes bool) (err error) {
	switch {
	case w.candidate != nil:
		if w.candidate.State == inbox.Rejected {
			return failed(fmt.Errorf("%s is rejected already", w.candidate.ID))
		}
		if _, err := w.session.Inbox().Mark(w.candidate.ID, inbox.Rejected, c.now()); err != nil {
			return failed(err)
		}
		c.line("rejected: %s; it is not proposed again, and stays in the notes", w.candidate.ID)
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
		return c.answerHeld(w.session, w.held, yes)
	case yes:
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
	return `Shows everything that waits for you, whole, one after the other, and takes your answer to each at the controlling terminal: calls that the gate stopped, what a memory-keeper proposes for good keeping, drafts that could not be saved, memories that no agent is told of before you say yes. Use it too while Claude Code's own dialog is open and the text is longer than the dialog shows.

Example:

    keepsake review`
}

func (reviewCmd) Run(c *call) error {
	d, err := approvals()
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
	for i, w := range all {
		fmt.Fprintf(tty, "%s\n%d of %d: %s", c.whole(w), i+1, len(all), w.choices())
		if err := c.take(d, w, tty, answers); errors.Is(err, errQuit) {
			return nil
		} else if err != nil {
			return err
		}
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
	sets, err := held(s)
	if err != nil {
		c.note("%v", err)
	}
	for _, h := range sets {
		all = append(all, waits{held: h, session: s})
	}
	return all
}

func (w waits) choices() string {
	switch {
	case w.candidate != nil:
		return "[a]pprove and promote, [r]eject, [e]dit, decide [l]ater, [q]uit: "
	case w.draft != nil:
		return "[r]eject and drop, [e]dit, decide [l]ater, [q]uit: "
	case w.held != nil:
		return w.held.choices()
	}
	return "[a]pprove this one call, [r]eject it, decide [l]ater, [q]uit: "
}

// take takes the person's answer to one thing.
func (c *call) take(d approval.Dir, w waits, tty io.ReadWriter, answers *bufio.Reader) error {
	switch answer := strings.ToLower(readLine(answers)); {
	case answer == "q" || answer == "quit":
		return errQuit
	case w.held != nil:
		if answer == "y" || answer == "yes" || answer == "n" || answer == "no" {
			return c.answerHeld(w.session, w.held, answer[0] == 'y')
		}
	case answer == "r" || answer == "reject":
		return c.settle(d, w, false)
	case (answer == "e" || answer == "edit") && w.call == nil:
		return c.amend(w, tty)
	case (answer == "l" || answer == "later") && w.candidate != nil:
		return c.putOff(w)
	case (answer == "a" || answer == "approve") && w.candidate != nil:
		return c.keep(tty, answers, w)
	case (answer == "a" || answer == "approve") && w.call != nil:
		return c.settle(d, w, true)
	}
	c.line("%s still waits", w.id())
	return nil
}

type approvalsCmd struct {
	JSON bool `help:"Print one JSON object."`
}

func (approvalsCmd) Help() string {
	return `Lists the calls that the gate stopped and that wait for your answer, the answers that still count, and what became of approved calls in the last day.

Examples:

    keepsake approvals
    keepsake approvals --json`
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
	d, err := approvals()
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

// approvals is the folder of the person's own client.
func approvals() (approval.Dir, error) {
	d := approval.Dir(paths.Approvals(paths.ClientHere()))
	if d == "" {
		return "", failed(errors.New("the client's folder is unknown"), "set HOME, or CLAUDE_CONFIG_DIR if Claude Code runs with it")
	}
	return d, nil
}

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 1024

// readLine reads one answer; the end of input is no answer.
func readLine(r *bufio.Reader) string {
	var b []byte
	for len(b) < maxAnswer {
		ch, err := r.ReadByte()
		if err != nil {
			return ""
		}
		if ch == '\n' || ch == '\r' {
			break
		}
		b = append(b, ch)
	}
	return strings.TrimSpace(string(b))
}

func agrees(answer string) bool {
	switch strings.ToLower(answer) {
	case "y", "yes":
		return true
	}
	return false
}
