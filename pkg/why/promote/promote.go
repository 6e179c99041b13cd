// Package promote writes what a person has approved into the tier WHY, once.
//
// A promotion is a few drawers, taken from notes, from candidates or from a text,
// and its digest is what the person approves. Run writes it in steps, each of which
// can be done again, so that whoever runs the same promotion after a crash finishes
// it and writes nothing twice:
//
//	PROMOTIONS/DIGEST.json   how far it came; gone when it is done
//
// Whether a person has approved is not asked here: the caller knows.
package promote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/secret"
	"keepsake/pkg/why/candidate"
	"keepsake/pkg/why/drawer"
)

// An Item is one drawer of a promotion, and the notes and candidates that are marked when it is written.
type Item struct {
	Drawer    drawer.Drawer
	ID        string       // the id by which it was asked for; "" for a text
	Notes     []tiers.Note // the notes that are marked as promoted
	Candidate string       // id of the candidate that it answers, or ""
	Done      string       // the mark of its note or candidate if that has been promoted, or ""
	Records   []string     // paths of the memories that say the same; it is overdue when they no longer hold
}

// A Promotion is one or more drawers that are to be written together.
type Promotion struct {
	Backend string // as tiers.Choice names it
	Items   []Item
	Secrets []string // the kinds of secrets that were taken out of the texts
	Words   []string // of the command that writes exactly this, with the texts last
}

// Drawers returns the drawers of the promotion, in order.
func (p Promotion) Drawers() []drawer.Drawer {
	all := make([]drawer.Drawer, len(p.Items))
	for i, item := range p.Items {
		all[i] = item.Drawer
	}
	return all
}

// Digest returns the digest that a person approves: over the name of the back end and each drawer's wing,
// room and text.
func (p Promotion) Digest() string { return drawer.Digest(p.Backend, p.Drawers()) }

// done returns an error that names the first item that was promoted before, and its mark.
func (p Promotion) done() error {
	for _, item := range p.Items {
		if item.Done != "" {
			return fmt.Errorf("%s has been promoted: %s; hint: keepsake notes save --tier why TEXT keeps a "+
				"text whatever became of its note", item.ID, item.Done)
		}
	}
	return nil
}

// Sources are the notes, candidates and memories from which texts are promoted.
type Sources struct {
	Notes tiers.Scratch
	Box   candidate.Box
	// Wing and Room are the address of all drawers. If one is "", it is the candidate's own, or else Tag
	// or drawer.Decisions.
	Wing, Room string
	Tag        string // of the project
	// Person reports that a person asks. A person may also promote a candidate that they rejected.
	Person bool
	// Records are the project's active memories that agents may be told of. Words returns the text of
	// one.
	Records []memory.Stored
	Words   func(memory.Stored) string
}

// Named returns the promotion of the notes, candidates and memories with these ids. shown, if any, are
// the texts that the person was shown; it is an error if they have changed since.
func (s Sources) Named(ctx context.Context, backend string, ids []string, shown ...string) (Promotion,
	error) {
	p := Promotion{Backend: backend, Words: append([]string{"promote"}, ids...)}
	notes, err := s.Notes.All(ctx)
	if err != nil {
		return p, err
	}
	for i, id := range ids {
		id = strings.ToLower(strings.TrimSpace(id))
		if slices.Contains(ids[:i], id) {
			return p, fmt.Errorf("%s is named twice", id)
		}
		item, err := s.named(notes, id)
		if err != nil {
			return p, err
		}
		if err := p.add(item); err != nil {
			return p, fmt.Errorf("%s: %w", id, err)
		}
	}
	for i, d := range p.Drawers() {
		if len(shown) > 0 && (len(shown) != len(p.Items) || shown[i] != d.Text) {
			return p, errors.New("a text has changed since the person was shown it; hint: make the same " +
				"call again without --text")
		}
		p.Words = append(p.Words, "--text="+d.Text)
	}
	return s.linked(p), nil
}

func (s Sources) named(notes []tiers.Note, id string) (Item, error) {
	var found []tiers.Note
	for _, n := range notes {
		if scratch.IsID(id) && n.ID() == id {
			found = append(found, n)
		}
	}
	if len(found) > 0 { // several notes with one id have the same text and time
		n := found[0]
		for _, other := range found {
			if other.Text != n.Text { // ids are short
				return Item{},
					fmt.Errorf("%s is the id of two notes, at %s:%d and at %s:%d; hint: keepsake notes "+
						"save --tier why TEXT names one by its text", id, n.Path, n.Line, other.Path,
						other.Line)
			}
		}
		d, err := s.drawer("", "", n.Text, fmt.Sprintf("%s:%d", n.Path, n.Line))
		if err != nil {
			return Item{}, fmt.Errorf("%s: %w", id, err)
		}
		item := Item{Drawer: d, ID: id, Notes: found}
		if len(n.Promoted) > 0 {
			item.Done = n.Promoted[len(n.Promoted)-1]
		}
		return item, nil
	}
	c, err := s.Box.Find(id)
	i := slices.IndexFunc(s.Records, func(r memory.Stored) bool { return r.ID == id || r.Path == id })
	switch {
	case errors.Is(err, candidate.ErrUnknown) && i >= 0:
		r := s.Records[i]
		d, err := s.drawer("", "", s.Words(r), ".claude/memory/"+r.Path)
		return Item{Drawer: d, ID: r.ID, Records: []string{r.Path}}, err
	case errors.Is(err, candidate.ErrUnknown):
		return Item{}, fmt.Errorf("%s: no note, no candidate and no memory has this id; hint: a note that "+
			"was edited has another id, and keepsake notes handoff promote lists all there are", id)
	case err != nil:
		return Item{}, err
	case c.State == candidate.Rejected && !s.Person:
		return Item{},
			fmt.Errorf("%s was rejected by the person; hint: they can still promote it themselves, in a "+
				"terminal", c.ID)
	}
	d, err := s.drawer(c.Wing, c.Room, c.Text, c.Source)
	if err != nil {
		return Item{}, fmt.Errorf("%s: %w", id, err)
	}
	item := Item{Drawer: d, ID: c.ID, Candidate: c.ID}
	for _, n := range notes {
		if c.Entry != "" && n.ID() == c.Entry {
			item.Notes = append(item.Notes, n)
		}
	}
	if c.State == candidate.Promoted {
		item.Done = "as " + strings.Join(c.Stored, ", ")
	}
	return item, nil
}

// Text returns the promotion of a text that somebody typed. Notes with the same text will be marked too.
func (s Sources) Text(ctx context.Context, backend, text string) (Promotion, error) {
	p := Promotion{Backend: backend}
	d, err := s.drawer("", "", text, "")
	if err != nil {
		return p, err
	}
	notes, err := s.Notes.All(ctx)
	if err != nil {
		return p, err
	}
	item := Item{Drawer: d}
	for _, n := range notes {
		if len(n.Promoted) == 0 && clean(n.Text) == clean(text) {
			item.Notes = append(item.Notes, n)
		}
	}
	if err := p.add(item); err != nil {
		return p, err
	}
	p.Words = []string{"save", "--tier=why", "--", p.Items[0].Drawer.Text}
	return s.linked(p), nil
}

// drawer returns the drawer for a text. Its address is the one asked for, else the given one, else the
// project's.
func (s Sources) drawer(wing, room, text, source string) (d drawer.Drawer, err error) {
	d = drawer.Drawer{Text: text, Source: source}
	if d.Wing, err = drawer.Name(cmp.Or(s.Wing, wing, s.Tag)); err != nil {
		return d, fmt.Errorf("wing: %w", err)
	}
	if d.Room, err = drawer.Name(cmp.Or(s.Room, room, drawer.Decisions)); err != nil {
		return d, fmt.Errorf("room: %w", err)
	}
	return d, nil
}

// add adds an item without the secrets in its text, or returns an error if it can't be written.
func (p *Promotion) add(item Item) error {
	for _, kind := range secret.Kinds(item.Drawer.Text) {
		if !slices.Contains(p.Secrets, kind) {
			p.Secrets = append(p.Secrets, kind)
		}
	}
	item.Drawer.Text = clean(item.Drawer.Text)
	if err := item.Drawer.Check(); err != nil {
		return err
	}
	for _, is := range p.Items {
		if is.Drawer.ID() == item.Drawer.ID() {
			return fmt.Errorf("it says the same as %s; hint: leave one of the two out", is.ID)
		}
	}
	p.Items = append(p.Items, item)
	return nil
}

// linked returns the promotion with the paths of the memories that say the same as each text.
func (s Sources) linked(p Promotion) Promotion {
	for i := range p.Items {
		if item := &p.Items[i]; item.Records == nil {
			item.Records = saying(item.Drawer.Text, s.Records)
		}
	}
	return p
}

// Noted marks the notes with exactly this text as promoted, and answers the candidates that are in it. It
// is for a text that was stored in another way, such as by a tool of MemPalace that a person approved.
func Noted(ctx context.Context, notes tiers.Scratch, box candidate.Box, text string, ids []string,
	at time.Time) error {
	all, err := notes.All(ctx)
	if err != nil {
		return err
	}
	item := Item{Drawer: drawer.Drawer{Text: clean(text)}}
	for _, n := range all {
		if clean(n.Text) == item.Drawer.Text {
			item.Notes = append(item.Notes, n)
		}
	}
	var errs []error
	h := hands{Notes: notes, Box: box, Warn: func(err error) { errs = append(errs, err) }}
	err = h.mark(ctx, item, at, ids)
	return errors.Join(append(errs, err)...)
}

// clean returns a text in the form that a note would have, without secrets.
func clean(text string) string { return scratch.Clean(secret.Redact(text)) }
