package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
	"keepsake/pkg/why/drawer"
	"keepsake/pkg/why/promote"
)

// drawerOverJSON is such a drawer as inbox --json prints it.
type drawerOverJSON struct {
	Path    string   `json:"path"` // wing/room/drawer
	Records []string `json:"records"`
	By      string   `json:"superseded_by,omitempty"`
}

func registerOf(s *session.Session) promote.Register { return promote.Register{Path: s.Drawers()} }

func drawerLine(o promote.Overdue) string { return text.Safe(o.Path) + ": " + o.Why() }

// wholeDrawer is the drawer as it is now, for the person who decides. gone says that the
// back end has it no more.
func (c *call) wholeDrawer(s *session.Session, at, why string) (whole string, d drawer.Drawer, gone bool,
	err error) {
	k, _, err := c.backEnds(s).Keeper()
	if err != nil {
		return "", d, false, err
	}
	d, err = k.Read(c.ctx, at)
	if errors.Is(err, fs.ErrNotExist) {
		return "", d, true, nil
	}
	if err != nil {
		return "", d, false, err
	}
	var b strings.Builder
	b.WriteString(text.Safe(at))
	if why != "" {
		b.WriteString(", which was promoted: " + text.Safe(why))
	}
	for line := range strings.SplitSeq(d.Text, "\n") {
		b.WriteString("\n  | " + text.Safe(line))
	}
	return b.String() + "\n", d, false, nil
}

// withdraw takes a drawer away after the person's yes, which is noted as one that they
// gave at their terminal, so that nobody wonders where the drawer went.
func (c *call) withdraw(s *session.Session, at, text string) error {
	k, choice, err := c.backEnds(s).Keeper()
	if err != nil {
		return failed(err)
	}
	d, err := c.approvals()
	if err != nil {
		return err
	}
	if err := k.Remove(c.ctx, at, text); err != nil {
		return failed(err, "nothing was withdrawn, or not all: run the same again")
	}
	now := c.now()
	digest := drawer.Digest("withdrawn "+now.UTC().Format(time.RFC3339Nano),
		[]drawer.Drawer{{Room: at, Text: text}})
	g := approval.ByPerson(rules.MemPalaceWrite, rules.RulePromote.Rule().Name,
		"keepsake forget", digest, s.Place.Home, now)
	if err := d.SettlePromotion(g, approval.Outcome{Time: now, Result: approval.Stored}); err != nil {
		return failed(err)
	}
	if err := c.dropDrawer(s, at); err != nil {
		return err
	}
	c.line("withdrawn: %s from %s", brief.Line(at), promote.BackendName(choice.Backend))
	return nil
}

// dropDrawer forgets a drawer that the back end has no more. Its name is made of its words,
// and stands in what became of the promotion too.
func (c *call) dropDrawer(s *session.Session, at string) error {
	names := []string{path.Base(at)}
	if k, known := promote.Find(c.kept(s), at); known {
		names = append(names, k.IDs...)
	}
	if err := registerOf(s).Drop(c.ctx, at); err != nil {
		return failed(err)
	}
	if err := errors.Join(s.EraseFromApprovals(session.NewTraces("", nil, names)),
		s.DropDrawerCaches()); err != nil {
		return failed(fmt.Errorf("gone, but its name is left among the approvals or caches: %w", err))
	}
	return nil
}

// askWithdraw shows a drawer and asks whether it goes. A no is only an answer where the
// person is asked about nothing else; else the drawer waits on the inbox.
func (c *call) askWithdraw(s *session.Session, tty io.Writer, answers *bufio.Reader, at, why string,
	keys ...key) (key, error) {
	whole, d, gone, err := c.wholeDrawer(s, at, why)
	switch {
	case err != nil:
		return noAnswer, failed(err)
	case gone:
		c.line("gone already: %s", brief.Line(at))
		return yes, c.dropDrawer(s, at)
	}
	fmt.Fprintf(tty, "%s\n", whole)
	answer := ask(tty, answers, "Withdraw this drawer? It is gone for good then.", keys...)
	if answer != yes {
		return answer, nil
	}
	return yes, c.withdraw(s, at, d.Text)
}

// promotedOf tells of the drawers that go with memories that were just taken out of what
// is recalled. A person who did that at their terminal is asked about each. It fails
// nothing: what was asked for is done.
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

// overOf are the drawers that go with memories which hold no longer.
func (c *call) overOf(s *session.Session, paths ...string) (all []promote.Overdue) {
	if len(paths) == 0 {
		return nil
	}
	loaded, err := s.Store().Load()
	if err != nil {
		c.note("the drawers that go with it are not known: %v", err)
		return nil
	}
	for _, path := range paths {
		some, err := registerOf(s).Overdue(loaded.Records, path)
		if err != nil {
			c.note("%v", err)
		}
		all = append(all, some...)
	}
	return all
}

// askDrawers asks the person about drawers whose memory was just taken back.
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

// forgetDrawer withdraws a drawer that the person names.
func (v forgetCmd) forgetDrawer(c *call, s *session.Session, at string) error {
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	why := ""
	if all, err := registerOf(s).Overdue(loaded.Records, ""); err != nil {
		c.note("%v", err)
	} else {
		for _, o := range all {
			if o.Path == at {
				why = o.Why()
			}
		}
	}
	if v.DryRun {
		whole, _, gone, err := c.wholeDrawer(s, at, why)
		switch {
		case err != nil:
			return failed(err)
		case gone:
			return noDrawer(at)
		}
		c.block(whole)
		c.line("nothing was withdrawn: this was a dry run")
		return nil
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	if _, known := promote.Find(c.kept(s), at); !known { // a typing error is not "gone already"
		if _, _, gone, err := c.wholeDrawer(s, at, why); err == nil && gone {
			return noDrawer(at)
		}
	}
	answer, err := c.askWithdraw(s, tty, bufio.NewReader(tty), at, why, yes, no)
	if err == nil && answer != yes {
		c.line("nothing was withdrawn")
	}
	return err
}

// kept are the drawers that are known to be promoted; what can't be read is told.
func (c *call) kept(s *session.Session) []promote.Kept {
	all, err := registerOf(s).All()
	if err != nil {
		c.note("%v", err)
	}
	return all
}

func noDrawer(at string) error {
	return failed(fmt.Errorf("%s: no such drawer; hint: keepsake recall --tier why WORDS finds by words",
		brief.Line(at)))
}
