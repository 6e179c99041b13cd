package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/promote"
)

// askWithdraw shows a drawer, asks whether to withdraw it, and does so after a yes. It returns the key of
// the answer. A drawer that is already gone counts as a yes.
func (c *call) askWithdraw(s *session.Session, tty io.Writer, answers *bufio.Reader, at, why string,
	keys ...key) (key, error) {
	k, err := c.desk(s)
	if err != nil {
		return noAnswer, err
	}
	d, err := k.Keeper.Read(c.ctx, at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.line("gone already: %s", brief.Line(at))
		return yes, k.Drop(c.ctx, at)
	case err != nil:
		return noAnswer, err
	}
	if !show(tty, answers, strings.Split(promote.ShowDrawer(at, why, d.Text), "\n")) {
		return noAnswer, nil
	}
	answer := ask(tty, answers, "Withdraw this drawer? It is gone for good then.", keys...)
	if answer != yes {
		return answer, nil
	}
	dir, err := c.approvals()
	if err == nil {
		err = k.Withdraw(c.ctx, dir, at, d.Text)
	}
	if err == nil {
		c.line("withdrawn: %s from %s", brief.Line(at), promote.BackendName(k.Backend))
	}
	return yes, err
}

// promotedOf handles the drawers whose memories were just taken out of what is recalled. With ask it asks
// a person at a terminal about each drawer; otherwise it notes them. It never fails the verb, which has
// done its own work.
func (c *call) promotedOf(s *session.Session, ask bool, paths ...string) {
	all := c.overOf(s, paths...)
	if len(all) == 0 {
		return
	}
	if ask && !c.json {
		if tty, err := c.person.open(); err == nil {
			defer tty.Close()
			c.askDrawers(s, tty, bufio.NewReader(tty), all)
			return
		}
	}
	for _, o := range all {
		c.note("its drawer stays until the person withdraws it with keepsake forget %s; it is no "+
			"longer recalled", brief.Line(o.Path))
	}
}

// overOf returns the drawers of the memories at paths that no longer hold.
func (c *call) overOf(s *session.Session, paths ...string) (all []promote.Overdue) {
	if len(paths) == 0 {
		return nil
	}
	register := promote.RegisterOf(s)
	if kept, err := register.All(); err == nil && len(kept) == 0 {
		return nil // without reading every memory
	}
	loaded, err := s.Store().Load()
	if err != nil {
		c.note("the drawers that go with it are not known: %v", err)
		return nil
	}
	all, err = register.Overdue(loaded.Records, paths...)
	if err != nil {
		c.note("%v", err)
	}
	return all
}

// askDrawers asks the person about each drawer whose memory no longer holds.
func (c *call) askDrawers(s *session.Session, tty io.Writer, answers *bufio.Reader, all []promote.Overdue) {
	for _, o := range all {
		answer, err := c.askWithdraw(s, tty, answers, o.Path, o.Why(), yes, no)
		if err != nil {
			c.note("%s", brief.Line(err.Error()))
		}
		if answer != yes || err != nil {
			c.line("its drawer stays, and is recalled no more: %s; keepsake inbox lists it",
				brief.Line(o.Path))
		}
	}
	if i := slices.IndexFunc(all, func(o promote.Overdue) bool { return o.By != "" }); i >= 0 {
		c.line("to promote what took its place: keepsake notes promote %s", brief.Line(stem(all[i].By)))
	}
}

// forgetDrawer withdraws the drawer at a path that the person named, after asking them.
func (v forgetCmd) forgetDrawer(c *call, s *session.Session, at string) error {
	var tty io.ReadWriteCloser
	if !v.DryRun {
		var err error
		if tty, err = c.person.open(yourself); err != nil {
			return err
		}
		defer tty.Close()
	}
	k, err := c.desk(s)
	if err != nil {
		return err
	}
	d, err := k.Keeper.Read(c.ctx, at)
	gone := errors.Is(err, fs.ErrNotExist)
	why := k.WhyOver(at)
	switch {
	case gone && (v.DryRun || !k.IsKnown(at)): // a typing error is not "gone already"
		return noDrawer(at)
	case err != nil && !gone:
		return err
	case v.DryRun:
		c.block(promote.ShowDrawer(at, why, d.Text))
		c.line("nothing was withdrawn: this was a dry run")
		return nil
	}
	answer, err := c.askWithdraw(s, tty, bufio.NewReader(tty), at, why, yes, no)
	if err == nil && answer != yes {
		c.line("nothing was withdrawn")
	}
	return err
}

func noDrawer(at string) error {
	return fmt.Errorf("%s: no such drawer; hint: keepsake recall --tier why WORDS finds by words",
		brief.Line(at))
}
