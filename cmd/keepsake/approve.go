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
	"keepsake/pkg/paths"
	"keepsake/pkg/session"
)

// person is where the answers of the person come from: the controlling terminal
// of a process that no client runs. Tests put another in its place.
type person struct {
	alone    func() error
	terminal func() (io.ReadWriteCloser, error)
}

// atTerminal is the real one. Standard input is never asked: whoever starts a
// program can write to it.
func atTerminal() person {
	return person{alone: session.Alone, terminal: func() (io.ReadWriteCloser, error) {
		return os.OpenFile("/dev/tty", os.O_RDWR, 0)
	}}
}

// open returns the terminal, if there is a person at it.
func (p person) open() (io.ReadWriteCloser, error) {
	const hint = "type the command yourself in a terminal outside of Claude Code, or /keepsake:approve ID into the session that asked"
	if err := p.alone(); err != nil {
		return nil, &failure{exitPerson, fmt.Errorf("only a person answers: %w", err), []string{hint}}
	}
	tty, err := p.terminal()
	if err != nil {
		return nil, &failure{exitPerson, fmt.Errorf("only a person at a terminal answers: %w", err), []string{hint}}
	}
	return tty, nil
}

type approveCmd struct {
	IDs []string `arg:"" name:"ID" help:"What the denied call was given; keepsake approvals lists them."`
}

func (approveCmd) Help() string {
	return `Shows each call whole and asks at the controlling terminal. A yes is for exactly these bytes in this project, can be used once, and lasts 15 minutes. The agent can't run this.

Example:

    keepsake approve kx3f2a`
}

func (v approveCmd) Run(c *call) error { return c.answer(v.IDs, "Approve this one call? [y/N] ", true) }

type rejectCmd struct {
	IDs []string `arg:"" name:"ID" help:"What the denied call was given; keepsake approvals lists them."`
}

func (rejectCmd) Help() string {
	return `Shows each call whole and asks at the controlling terminal. The session that asked is then refused the same call without asking, until a day has passed.

Example:

    keepsake reject kx3f2a`
}

func (v rejectCmd) Run(c *call) error { return c.answer(v.IDs, "Reject this call? [y/N] ", false) }

// answer shows the calls and takes the person's answers, one after the other.
func (c *call) answer(ids []string, question string, yes bool) error {
	d, err := approvals()
	if err != nil {
		return err
	}
	tty, err := c.person.open()
	if err != nil {
		return err
	}
	defer tty.Close()
	answers := bufio.NewReader(tty)
	for _, id := range ids {
		r, err := d.Find(id)
		if err != nil {
			return failed(err, "keepsake approvals lists what waits; where Claude Code runs with CLAUDE_CONFIG_DIR, set it here too")
		}
		fmt.Fprintf(tty, "%s\n%s", brief.Whole(stopped(r), c.now()), question)
		if !agrees(readLine(answers)) {
			if r.By == "" {
				c.line("%s still waits: nothing was answered", r.ID)
			} else {
				c.line("%s stays as you answered it", r.ID)
			}
			continue
		}
		if err := c.settle(d, r, yes); err != nil {
			return err
		}
	}
	return nil
}

// settle writes one answer down and says so.
func (c *call) settle(d approval.Dir, r approval.Request, yes bool) (err error) {
	if yes {
		if _, err = d.Approve(r.ID, approval.Terminal, "", c.now()); err == nil {
			c.line("approved: %s, for one call within %d minutes", r.ID, int(approval.Valid.Minutes()))
		}
		return err
	}
	if _, err = d.Reject(r.ID, approval.Terminal, "", c.now()); err == nil {
		c.line("rejected: %s", r.ID)
	}
	return err
}

type reviewCmd struct{}

func (reviewCmd) Help() string {
	return `Shows every call that waits for you, whole, one after the other, and takes your answer to each at the controlling terminal: approve, reject, later or quit. Use it too while Claude Code's own dialog is open and the text is longer than the dialog shows.

Example:

    keepsake review`
}

func (reviewCmd) Run(c *call) error {
	d, err := approvals()
	if err != nil {
		return err
	}
	tty, err := c.person.open()
	if err != nil {
		return err
	}
	defer tty.Close()
	all, err := d.Waiting(c.now())
	if err != nil {
		c.note("%v", err)
	}
	answers := bufio.NewReader(tty)
	for i, r := range all {
		fmt.Fprintf(tty, "%s\n%d of %d: [a]pprove this one call, [r]eject it, decide [l]ater, [q]uit: ", brief.Whole(stopped(r), c.now()), i+1, len(all))
		switch strings.ToLower(readLine(answers)) {
		case "a", "approve":
			err = c.settle(d, r, true)
		case "r", "reject":
			err = c.settle(d, r, false)
		case "q", "quit":
			return nil
		default:
			err = nil
			c.line("%s still waits", r.ID)
		}
		if err != nil {
			return err
		}
	}
	if len(all) == 0 {
		c.line("nothing waits for you")
	}
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
