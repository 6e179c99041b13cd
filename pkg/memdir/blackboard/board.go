// Package blackboard is the blackboard of a directory of memories: where the projects
// stand. Each project has a card, blackboard/projects/ID.md, and one row in
// blackboard/REGISTRY.md, whose word on status and deadline holds. Both are the
// person's Markdown, read line by line: a change touches the lines that it is
// about and no other.
//
// It reads no files: whoever calls hands over what they say, and gets a plan that
// changes card and registry together.
package blackboard

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// Names below the directory of memories.
const (
	Registry = "blackboard/REGISTRY.md"
	Schema   = "blackboard/_schema.md"
	Cards    = "blackboard/projects/"
)

// CardPath returns the path of a project's card, below the directory.
func CardPath(id string) string { return Cards + id + ".md" }

// Statuses are those that a project may be given. Others that a person wrote are
// shown as they are.
var Statuses = []string{Active, "blocked", "delayed", "paused", Done, "dropped"}

// The status of a new project, and of one that is over.
const (
	Active = "active"
	Done   = "done"
)

// NoDeadline stands where a project has none.
const NoDeadline = "none"

// Files are the files of a project as they were read; nil for one that isn't there.
type Files struct{ Card, Registry, Schema []byte }

// A Project is all that a blackboard has about one project.
type Project struct {
	Card
	ID   string
	Row  Row
	Its  bool // it has a card
	Told bool // it has a row
}

// Look reads what the files say of a project.
func Look(f Files, id string) Project {
	p := Project{Card: ParseCard(f.Card), ID: id, Its: f.Card != nil}
	for _, r := range ParseRegistry(f.Registry) {
		if strings.EqualFold(r.ID, id) {
			p.Row, p.Told = r, true
			break
		}
	}
	return p
}

// Name returns the title of the card, or the id.
func (p Project) Name() string { return cmp.Or(p.Title, p.ID) }

// Standing returns the status and the deadline that hold: the registry's, or the card's if the registry has
// none.
func (p Project) Standing() (status, deadline string) {
	return cmp.Or(p.Row.Status, p.Status), cmp.Or(p.Row.Deadline, p.Deadline)
}

// Field returns what a field of the project has; see Set.
func (p Project) Field(name string) string {
	status, deadline := p.Standing()
	return map[string]string{"title": p.Title, "goal": p.Goal, "status": status, "deadline": deadline}[name]
}

// Apart returns where card and registry disagree, one sentence each. If one of them lacks the line or
// column, they don't disagree.
func (p Project) Apart() (out []string) {
	if p.Its && !p.Told {
		return []string{"REGISTRY.md has no row of it"}
	}
	if p.Told && !p.Its {
		return []string{"it has no card"}
	}
	for _, x := range [...]struct{ what, card, row string }{{"status", p.Status, p.Row.Status},
		{"deadline", p.Deadline, p.Row.Deadline}} {
		if x.card != "" && x.row != "" && !strings.EqualFold(x.card, x.row) {
			out = append(out, fmt.Sprintf("the card says %s %s, REGISTRY.md says %s, which holds", x.what,
				x.card, x.row))
		}
	}
	return out
}

// Apart returns where card and registry of the projects in a directory disagree, by the file to look at:
// the card, or the registry if there is no card.
func Apart(files []memdir.File) map[string][]string {
	cards, ids := map[string]Files{}, []string{}
	var registry []byte
	for _, f := range files {
		name, ok := strings.CutPrefix(f.Path, Cards)
		if id, md := strings.CutSuffix(name, ".md"); ok && md && !strings.Contains(id, "/") &&
			len(bytes.TrimSpace(f.Bytes)) > 0 {
			cards[strings.ToLower(id)] = Files{Card: f.Bytes}
			ids = append(ids, id)
		}
		if f.Path == Registry {
			registry = f.Bytes
		}
	}
	for _, r := range ParseRegistry(registry) {
		if _, its := cards[strings.ToLower(r.ID)]; !its {
			ids = append(ids, r.ID)
		}
	}
	out := map[string][]string{}
	for _, id := range ids {
		f := cards[strings.ToLower(id)]
		f.Registry = registry
		p := Look(f, id)
		path := Registry
		if p.Its {
			path = CardPath(id)
		}
		for _, why := range p.Apart() {
			out[path] = append(out[path], id+": "+why)
		}
	}
	return out
}

// A Change is a change of a project. Fields that are "" leave the project's as they are.
type Change struct {
	Title, Status, Deadline, Goal string

	Progress   string   // a line of progress of this day
	Conclusion string   // a conclusion of this day
	Topic      Topic    // that was closed on this day, if it has a title
	Open       []Item   // to be done; Done doesn't matter
	Close      []string // the texts of items that are done now
}

// Set returns the change that gives a field of a card a value: deadline, in words or as a date, status,
// title or goal.
func Set(field, value string, now time.Time) (c Change, err error) {
	switch low := strings.ToLower(value); field {
	case "title":
		c.Title = value
	case "goal":
		c.Goal = value
	case "status":
		if c.Status = low; !slices.Contains(Statuses, low) {
			return c, fmt.Errorf("status %q: want %s", value, text.AnyOf(Statuses))
		}
	default:
		day, ok := Day(value, now)
		switch {
		case low == NoDeadline:
			c.Deadline = low
		case !ok:
			return c,
				fmt.Errorf("deadline %q: want YYYY-MM-DD, none, or a day such as friday, next friday, in 2 "+
					"weeks, end of month", value)
		default:
			c.Deadline = day.Format(time.DateOnly)
		}
	}
	return c, nil
}

// maxText is how long a text may be that is written to a card, in bytes.
const maxText = 1000

// Errors of Plan that the person mends.
var (
	// ErrNoItem is an item to be closed that the card doesn't have, or has no more.
	ErrNoItem = errors.New("no such open item")
	ErrLong   = error(long{})
)

// long is ErrLong; its number is written only when somebody reads it.
type long struct{}

func (long) Error() string {
	return fmt.Sprintf("more than %d bytes; a card has one line for each thing, so say it shorter and keep "+
		"the details in a topic file", maxText)
}

// Plan returns the edits that change a project, dated now. A project that lacks a card or a row gets it,
// filled from the other one. A blackboard without a schema gets one. An item that is on the card already,
// open or done, is not added again, so the plan may be empty. taken are the kinds of secrets that were left
// out.
func Plan(f Files, id string, c Change, now time.Time) (p plan.Plan, taken []string, err error) {
	for _, s := range []*string{&c.Title, &c.Status, &c.Deadline, &c.Goal, &c.Progress, &c.Conclusion} {
		*s, err = clean(*s, &taken, err)
	}
	c.Open = slices.Clone(c.Open)
	for i := range c.Open {
		o := &c.Open[i]
		o.Text, err = clean(o.Text, &taken, err)
		o.Owner, err = clean(o.Owner, &taken, err)
	}
	for _, s := range []*string{&c.Topic.Title, &c.Topic.Points, &c.Topic.Decision, &c.Topic.Next,
		&c.Topic.Details} {
		*s, err = clean(*s, &taken, err)
	}
	if err != nil {
		return p, taken, err
	}
	was := Look(f, id)
	card, registry := f.Card, f.Registry
	if !was.Its {
		status, deadline := was.Standing()
		if card, err = newCard(cmp.Or(c.Title, id), cmp.Or(status, Active), cmp.Or(deadline, NoDeadline),
			was.Row); err != nil {
			return p, taken, fmt.Errorf("%s: %w", Registry, err)
		}
	}
	if card, err = c.card(card, now); err != nil {
		return p, taken, fmt.Errorf("%s: %w", CardPath(id), err)
	}
	made := Look(Files{Card: card}, id)
	r := Row{ID: id, Status: c.Status, Deadline: c.Deadline, Updated: now.Format(time.DateOnly)}
	if c.Progress != "" {
		r.Progress = cell(c.Progress)
	}
	if !was.Told {
		r.Status, r.Deadline = cmp.Or(r.Status, made.Status, Active),
			cmp.Or(r.Deadline, made.Deadline, NoDeadline)
		if last, ok := made.Last(); ok {
			r.Progress = cell(last.Text)
		}
	}
	if was.Its && was.Told && string(card) == string(f.Card) && r.same(was.Row) {
		return p, taken, nil
	}
	if registry, err = setRow(registry, r); err != nil {
		return p, taken, fmt.Errorf("%s: %w", Registry, err)
	}
	p.Version = plan.Version
	edit := func(path string, before, after []byte) {
		verb := plan.Update
		if before == nil {
			verb = plan.Create
		}
		if before == nil || string(before) != string(after) {
			p.Edits = append(p.Edits, plan.Edit{Path: path, Verb: verb, Before: plan.DigestOf(before),
				After: after, Category: "project", Title: made.Name()})
		}
	}
	edit(CardPath(id), f.Card, card)
	edit(Registry, f.Registry, registry)
	if f.Schema == nil {
		edit(Schema, nil, []byte(schema))
	}
	return p, taken, nil
}

// same reports whether the row was already agrees with r, apart from the day.
func (r Row) same(was Row) bool {
	return (r.Status == "" || r.Status == was.Status) && (r.Deadline == "" || r.Deadline == was.Deadline) &&
		(r.Progress == "" || r.Progress == was.Progress)
}

// clean returns a text on one line, without secrets and invisible characters. It adds the kinds of the
// secrets to taken, and ErrLong to err if the text is too long.
func clean(s string, taken *[]string, err error) (string, error) {
	for _, kind := range secret.Kinds(s) {
		if !slices.Contains(*taken, kind) {
			*taken = append(*taken, kind)
		}
	}
	s = text.OneLine(text.Clean(secret.Redact(s)))
	if len(s) > maxText {
		err = errors.Join(err, ErrLong)
	}
	return s, err
}

// cellRunes is how long the progress of a project may be in the registry.
const cellRunes = 160

// cell returns the progress of a card, shortened for the registry.
func cell(s string) string { return text.Shorten(s, cellRunes) }
