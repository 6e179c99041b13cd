package promote

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/text"
	"keepsake/pkg/why/drawer"
)

// A Desk promotes from a session's project, and withdraws what was promoted from it.
type Desk struct {
	*session.Session
	Keeper  tiers.Keeper
	Backend string                     // as tiers.Choice names it
	Alone   bool                       // a person at a terminal asks
	Words   func(memory.Stored) string // what a memory says as a text
	Erase   func(names []string) error // takes names of drawers out of what was approved
	Now     func() time.Time
	Warn    func(error)                      // is told of files that were passed over
	Note    func(format string, args ...any) // is told, in a line each, of what fails nothing
}

func (d Desk) notes() tiers.Scratch { return tiers.Scratch{Root: d.Root, Warn: d.Warn} }

// Sources returns the sources of texts for a wing and a room. person reports that a person asks, who may
// promote what they rejected. Only a person may promote memories that no agent is told of.
func (d Desk) Sources(wing, room string, person bool) Sources {
	s := Sources{Notes: d.notes(), Box: d.Inbox(), Wing: wing, Room: room, Tag: drawer.Tag(d.Place.Home),
		Person: person, Words: d.Words}
	loaded, err := d.Store().Load()
	if err != nil {
		d.Note("memories are not looked at: %v", err)
	}
	for _, r := range loaded.Records {
		if r.Status == memory.Active && (d.Alone || !d.TrustOf(r).Held) {
			s.Records = append(s.Records, r)
		}
	}
	return s
}

// Check returns an error if a text of the promotion has been promoted before. If that promotion was cut
// off there is no error, as running it again finishes it.
func (d Desk) Check(p Promotion) error {
	if unfinished(d.Promotions(), p) {
		return nil
	}
	return p.done()
}

// ByPerson returns the grant for what a person at a terminal was shown, with what says nearly the same.
func (d Desk) ByPerson(p Promotion, near []tiers.Hit) approval.Grant {
	g := approval.ByPerson("keepsake promote", p.Digest(), d.Place.Home, d.Now())
	for _, h := range near {
		g.Near = append(g.Near, h.Path)
	}
	return g
}

// Run writes a promotion that a person has approved, and settles the approval in dir. If it is cut off at
// any instant, the same promotion can be run again and is then finished: each drawer is written once,
// settled once and marked once. Without anyway, similar drawers that the person was not shown give the
// error Near, and nothing is written.
func (d Desk) Run(ctx context.Context, dir approval.Dir, g approval.Grant, p Promotion, anyway bool) (Result,
	error) {
	return run(ctx, hands{
		Keeper: d.Keeper, Dir: d.Promotions(), Shown: g.Near, Anyway: anyway,
		Settle: func(ids []string) error {
			return dir.SettlePromotion(g,
				approval.Outcome{Time: d.Now(), Result: approval.Stored, Stored: ids})
		},
		Register: RegisterOf(d.Session), Notes: d.notes(), Box: d.Inbox(), Now: d.Now(),
		Warn: func(err error) { d.Note("%s", brief.Line(err.Error())) },
	}, p)
}

// Withdraw deletes a drawer for good, after the person's yes, if it still has the given text. It records
// in dir that the person approved this at their terminal, so that the missing drawer is not reported as
// unapproved.
func (d Desk) Withdraw(ctx context.Context, dir approval.Dir, at, text string) error {
	if err := d.Keeper.Remove(ctx, at, text); err != nil {
		return fmt.Errorf("%w; hint: nothing was withdrawn, or not all: run the same again", err)
	}
	now := d.Now()
	digest := drawer.Digest("withdrawn "+now.UTC().Format(time.RFC3339Nano),
		[]drawer.Drawer{{Room: at, Text: text}})
	g := approval.ByPerson("keepsake forget", digest, d.Place.Home, now)
	if err := dir.SettlePromotion(g, approval.Outcome{Time: now, Result: approval.Stored}); err != nil {
		return err
	}
	return d.Drop(ctx, at)
}

// IsKnown reports whether a drawer is known to be promoted from the project.
func (d Desk) IsKnown(at string) bool {
	_, known := Find(d.kept(), at)
	return known
}

// kept returns the drawers that are known to be promoted.
func (d Desk) kept() []Kept {
	all, err := RegisterOf(d.Session).All()
	if err != nil {
		d.Note("%v", err)
	}
	return all
}

// Drop removes a drawer that the back end no longer has from the register. It also erases the drawer's
// name, which is made of its words, from the outcomes of promotions.
func (d Desk) Drop(ctx context.Context, at string) error {
	names := []string{path.Base(at)}
	if k, known := Find(d.kept(), at); known {
		names = append(names, k.IDs...)
	}
	if err := RegisterOf(d.Session).Drop(ctx, at); err != nil {
		return err
	}
	if err := errors.Join(d.Erase(names), d.DropDrawerCaches()); err != nil {
		return fmt.Errorf("gone, but its name is left among the approvals or caches: %w", err)
	}
	return nil
}

// WhyOver returns why a drawer is no longer recalled, or "" if it still is.
func (d Desk) WhyOver(at string) string {
	loaded, err := d.Store().Load()
	over, oerr := RegisterOf(d.Session).Overdue(loaded.Records)
	if err = errors.Join(err, oerr); err != nil {
		d.Note("%v", err)
		return ""
	}
	for _, o := range over {
		if o.Path == at {
			return o.Why()
		}
	}
	return ""
}

// ShowDrawer returns a drawer as it is now, for the person who decides about it. why is what became of its
// memory, "" for nothing.
func ShowDrawer(at, why, says string) string {
	if why != "" {
		at += ", which was promoted: " + why
	}
	return text.Safe(at) + "\n" + text.SafeLines("  | ", says)
}
