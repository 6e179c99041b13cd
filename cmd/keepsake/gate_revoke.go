package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/mempalace"
	"keepsake/pkg/why/revoke"
)

type gateRevokeCmd struct {
	IDs    []string `arg:"" optional:"" name:"ID" help:"Ids of what to take out (default: all that is listed)."`
	Away   bool     `help:"Also list what appeared while no session was open."`
	Undo   string   `help:"Put back what an earlier run took out into this file." placeholder:"FILE"`
	DryRun bool     `help:"Only list it."`
}

func (gateRevokeCmd) Help() string {
	return `Lists what appeared in a MemPalace, was edited there or taken away, without an approval of
yours. After your yes, MemPalace's own tools take it out, or put back what was there before. All that goes is
written to a file first. --undo puts it back from there, which counts as your approval.

An edit or a deletion is known by what the palace said before: Keepsake remembers that for 30 days when a
session starts and when it finds a change, for palaces of up to 32 MB of text. What was mined or edited while
no session was open is taken for your own (--away lists that too).

MemPalace dates what is put back anew. It ends a fact where others are deleted. It can't write while a
session's own server of MemPalace keeps the palace: end that session first. The agent can't run this.

Examples:

    keepsake gate revoke --dry-run
    keepsake gate revoke
    keepsake gate revoke drawer_shop_queue_824f0c43ff0917722541cb01
    keepsake gate revoke --undo ~/.claude/keepsake/revoked/20261123T221501Z-1b2c3d4e.json`
}

func (v gateRevokeCmd) Run(c *call) error {
	s, err := c.where()
	if err != nil {
		return err
	}
	d, err := v.desk(c, s)
	if err != nil {
		return err
	}
	if v.Undo != "" {
		return v.undo(c, s, d)
	}
	l, err := d.List(c.ctx)
	if err != nil {
		return err
	}
	for _, path := range l.Large {
		c.note("%s holds more than 32 MB of text or 1 GB, so edits and deletions there are not known",
			brief.Line(path))
	}
	if l.Own > 0 {
		c.note("%s among Keepsake's own: each is a file, which keepsake doctor names", count(l.Own, "drawer"))
	}
	if l.Away > 0 {
		c.note("%d more appeared while no session was open: --away lists them", l.Away)
	}
	things, err := pick(l.Things, v.IDs)
	if err != nil {
		return err
	}
	if len(things) == 0 {
		c.line("nothing is in a palace without your approval")
		return nil
	}
	if v.DryRun {
		c.line("%s without your approval:\n", count(len(things), "change"))
		c.block(revoke.Text(things, false))
		c.line("nothing was changed: this was a dry run")
		return nil
	}
	yes, err := v.asked(c, s, &d,
		fmt.Sprintf("%s without your approval:", count(len(things), "change")), things,
		"Take out what has a minus, and put back what has a plus?")
	if err != nil || !yes {
		return err
	}
	stop := c.sayIfSlow("MemPalace")
	file, failures, err := d.Out(c.ctx, things)
	stop()
	if file != "" {
		c.line("what was there is in %s; keepsake gate revoke --undo FILE puts it back", brief.Line(file))
	}
	return v.tell(c, len(things), "taken back", failures, err)
}

// asked shows all things to the person at the terminal, and returns what they say. After it the desk can call
// MemPalace.
func (v gateRevokeCmd) asked(c *call, s *session.Session, d *revoke.Desk, intro string, things []revoke.Thing,
	question string) (bool, error) {
	tty, err := c.person.open(yourself, "keepsake gate revoke --dry-run lists it here")
	if err != nil {
		return false, err
	}
	defer tty.Close()
	p, err := c.backEnds(s).Palace()
	if err != nil {
		return false, err
	}
	d.Call = p.Call
	answers := bufio.NewReader(tty)
	if !show(tty, answers, strings.Split(intro+"\n\n"+revoke.Text(things, v.Undo != ""), "\n")) ||
		ask(tty, answers, question, yesOrNo...) != yes {
		c.line("nothing was changed")
		return false, nil
	}
	return true, nil
}

// slow is how long a person looks at an unchanged screen before they are told what is waited for.
const slow = 3 * time.Second

// sayIfSlow notes that a program is still waited for, unless stop is called before long.
func (c *call) sayIfSlow(program string) (stop func()) {
	t := time.AfterFunc(slow, func() {
		c.note("waiting for %s; if something else holds its files, end that. Ctrl-C loses nothing", program)
	})
	return func() { t.Stop() }
}

// undo puts back what a file has.
func (v gateRevokeCmd) undo(c *call, s *session.Session, d revoke.Desk) error {
	all, err := revoke.Read(c.path(v.Undo))
	if errors.Is(err, fs.ErrNotExist) {
		return failed(err, "the files are in "+d.Dir)
	}
	if err != nil {
		return err
	}
	things, err := pick(all, v.IDs)
	if err != nil {
		return err
	}
	if v.DryRun {
		c.block(revoke.Text(things, true))
		c.line("nothing was changed: this was a dry run")
		return nil
	}
	yes, err := v.asked(c, s, &d,
		fmt.Sprintf("%s, which you took back:", count(len(things), "change")), things,
		"Put back what has a plus, and take out what has a minus?")
	if err != nil || !yes {
		return err
	}
	stop := c.sayIfSlow("MemPalace")
	failures, err := d.Back(c.ctx, things)
	stop()
	return v.tell(c, len(things), "put back", failures, err)
}

// tell prints what was done.
func (v gateRevokeCmd) tell(c *call, of int, what string, failures []revoke.Failure, err error) error {
	if err != nil {
		return failed(err, "nothing is lost: run the same again, it goes on with the rest")
	}
	c.line("%s %s", count(of-len(failures), "change"), what)
	for _, f := range failures {
		c.note("%s: %s", brief.Line(f.ID()), brief.Line(f.Why))
	}
	if len(failures) > 0 {
		return failed(fmt.Errorf("%s could not be %s", count(len(failures), "change"), what))
	}
	return nil
}

// pick returns the things with these ids, or all.
func pick(all []revoke.Thing, ids []string) (some []revoke.Thing, err error) {
	if len(ids) == 0 {
		return all, nil
	}
	for _, id := range ids {
		i := slices.IndexFunc(all, func(t revoke.Thing) bool { return t.ID() == id })
		if i < 0 {
			return nil, &failure{exitUsage, fmt.Errorf("%s: not there, or approved", brief.Line(id)),
				[]string{"keepsake gate revoke --dry-run lists all"}}
		}
		some = append(some, all[i])
	}
	return some, nil
}

// desk revokes for the person of this terminal. It can't call MemPalace yet.
func (v gateRevokeCmd) desk(c *call, s *session.Session) (d revoke.Desk, err error) {
	client := layout.ClientHere()
	dir, err := c.approvals()
	if err != nil {
		return d, err
	}
	return revoke.Desk{
		Log: mempalace.Log{Path: layout.PalaceLog(client)}, Files: session.Audited(client),
		History: mempalace.History{Dir: layout.PalaceHistory(client)}, Program: layout.Libexec("palace"),
		Dir: layout.Revoked(client), Away: v.Away, Now: c.now, Note: c.note,
		Approvals: func(since time.Time) (session.Approvals, error) {
			return session.ApprovalsOf(client, since)
		},
		Settle: func(writes string, ids []string) error {
			g := approval.ByPerson("keepsake gate revoke", writes, s.Place.Home, c.now())
			return dir.SettlePromotion(g,
				approval.Outcome{Time: c.now(), Result: approval.Stored, Stored: ids})
		},
	}, nil
}
