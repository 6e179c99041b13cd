package candidate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/text"
)

// Version is the version of the files' form. Files of a newer version are not changed.
const Version = 1

// maxSettled is how many answered candidates are kept of either answer: at five a day two years of them.
const maxSettled = 4000

// State is where a candidate is in its life.
type State string

// The states. Later waits from the candidate's Until on.
const (
	Waiting  State = "waiting"
	Later    State = "later"
	Rejected State = "rejected"
	Promoted State = "promoted"
)

// A Candidate is one passage of a project's files that may be worth keeping.
type Candidate struct {
	ID     string `json:"id"`
	Quote  string `json:"quote"`           // as it stands at its source
	Text   string `json:"text"`            // what would be written: the quote, unless a person edited it
	Source string `json:"source"`          // file:line, below the project's folder
	Entry  string `json:"entry,omitempty"` // id of the note that the quote is from, "" for another file
	Wing   string `json:"wing"`
	Room   string `json:"room"`
	// a title, as proposed; the drawer's id is made from what it says
	Drawer string    `json:"drawer,omitempty"`
	Reason string    `json:"reason,omitempty"`
	Filed  time.Time `json:"filed"` // UTC
	State  State     `json:"state"`
	Since  time.Time `json:"since"`           // of the state, UTC
	Until  time.Time `json:"until,omitzero"`  // of Later
	Stored []string  `json:"stored,omitzero"` // ids of the drawers, once promoted
}

// Waits reports whether the candidate is to be shown to a person now.
func (c Candidate) Waits(now time.Time) bool {
	return c.State == Waiting || c.State == Later && !now.Before(c.Until)
}

// Open reports whether a person has still to give a final answer.
func (c Candidate) Open() bool { return c.State == Waiting || c.State == Later }

// Errors that callers distinguish.
var (
	ErrUnknown = errors.New("no candidate has this id")
	errSettled = errors.New("is answered already")
)

// A Box is the folder with the candidates of one project. The folder need not exist yet.
type Box struct{ Dir string }

type file struct {
	Version    int         `json:"version"`
	Candidates []Candidate `json:"candidates"`
}

func (b Box) folder() disk.JSONFolder {
	return disk.JSONFolder{Dir: b.Dir, Lock: "inbox.lock", Version: Version}
}

const boxFile = "inbox.json"

// All returns the candidates in every state, the oldest first.
func (b Box) All() ([]Candidate, error) {
	var f file
	if err := b.folder().Load(boxFile, &f); err != nil {
		return nil, err
	}
	return f.Candidates, nil
}

// Waiting returns the candidates that wait for an answer now, the oldest first.
func (b Box) Waiting(now time.Time) ([]Candidate, error) {
	all, err := b.All()
	return slices.DeleteFunc(all, func(c Candidate) bool { return !c.Waits(now) }), err
}

// Find returns the candidate with an id, in any state; letters of the id may have any case. If there is
// none, the error wraps ErrUnknown.
func (b Box) Find(id string) (Candidate, error) {
	all, err := b.All()
	if err != nil {
		return Candidate{}, err
	}
	i, err := index(all, id)
	if err != nil {
		return Candidate{}, err
	}
	return all[i], nil
}

func index(all []Candidate, id string) (int, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	i := slices.IndexFunc(all, func(c Candidate) bool { return c.ID == id })
	if i < 0 {
		return i, fmt.Errorf("%q: %w", id, ErrUnknown)
	}
	return i, nil
}

// Mark records an answer: Rejected, or Promoted with the ids of the drawers that were stored. A promoted
// candidate stays promoted: marking it so again changes nothing, and rejecting it is errSettled. A person
// may still promote a candidate that they rejected.
func (b Box) Mark(id string, to State, now time.Time, stored ...string) (Candidate, error) {
	return b.change(id, func(c *Candidate) error {
		switch {
		case to != Rejected && to != Promoted:
			return fmt.Errorf("%s: %q is no answer", c.ID, to)
		case c.State == to:
			return nil
		case c.State == Promoted:
			return fmt.Errorf("%s %w: it is promoted", c.ID, errSettled)
		}
		c.State, c.Since, c.Until, c.Stored = to, now.UTC(), time.Time{}, stored
		return nil
	})
}

// Later puts a candidate off until a time.
func (b Box) Later(id string, until, now time.Time) (Candidate, error) {
	return b.change(id, func(c *Candidate) error {
		if !c.Open() {
			return fmt.Errorf("%s %w: it is %s", c.ID, errSettled, c.State)
		}
		c.State, c.Since, c.Until = Later, now.UTC(), until.UTC()
		return nil
	})
}

// Reopen has a candidate wait again that was rejected or put off.
func (b Box) Reopen(id string, now time.Time) (Candidate, error) {
	return b.change(id, func(c *Candidate) error {
		if c.State != Rejected && c.State != Later {
			return fmt.Errorf("%s %w: it is %s", c.ID, errSettled, c.State)
		}
		c.State, c.Since, c.Until = Waiting, now.UTC(), time.Time{}
		return nil
	})
}

// Edit replaces the text that would be written. The quote stays as it was.
func (b Box) Edit(id, text string) (Candidate, error) {
	return b.change(id, func(c *Candidate) error {
		if !c.Open() {
			return fmt.Errorf("%s %w: it is %s", c.ID, errSettled, c.State)
		}
		c.Text = text
		return nil
	})
}

// Forget removes the candidates, in every state, that have a text for which has returns true. It is for
// what the person has deleted for good.
func (b Box) Forget(has func(string) bool) error {
	gone := func(c Candidate) bool {
		return has(c.Quote) || has(c.Text) || has(c.Drawer) || has(c.Reason) ||
			slices.ContainsFunc(c.Stored, has)
	}
	all, err := b.All()
	if err != nil || !slices.ContainsFunc(all, gone) {
		return err
	}
	return b.update(func(all []Candidate) ([]Candidate, error) { return slices.DeleteFunc(all, gone), nil })
}

// Why is the reason why a candidate was not put on the inbox.
type Why string

const (
	twice    Why = "it says the same as one that waits"
	refused  Why = "it says the same as one that was rejected"
	written  Why = "it says the same as one that is promoted"
	Exceeded Why = "today's proposals are used up"
)

// An Added is the outcome of adding one candidate.
type Added struct {
	Candidate // with its id and state, once it is on the inbox
	Why       Why
	Like      string // the id of the candidate that says the same, if Why is about one
}

// Add puts candidates on the inbox, in their order. It leaves out those that are the same as one that is
// there in any state, and all after budget new ones on one day. The day is the one of now, in now's
// location.
func (b Box) Add(new []Candidate, budget int, now time.Time, same func(a, b Candidate) bool) (out []Added,
	err error) {
	err = b.update(func(all []Candidate) ([]Candidate, error) {
		today := filed(all, now)
		for _, c := range new {
			a := Added{Candidate: c}
			if like := slices.IndexFunc(all, func(old Candidate) bool { return same(old, c) }); like >= 0 {
				a.Like = all[like].ID
				switch all[like].State {
				case Rejected:
					a.Why = refused
				case Promoted:
					a.Why = written
				default:
					a.Why = twice
				}
			} else if today >= budget {
				a.Why = Exceeded
			} else {
				c.Filed, c.State, c.Since = now.UTC(), Waiting, now.UTC()
				c.ID = newID(all, c)
				all, a.Candidate = append(all, c), c
				today++
			}
			out = append(out, a)
		}
		return all, nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Filed returns how many candidates were filed on the day of now, in now's location.
func (b Box) Filed(now time.Time) (int, error) {
	all, err := b.All()
	return filed(all, now), err
}

func filed(all []Candidate, now time.Time) (n int) {
	for _, c := range all {
		if day(c.Filed.In(now.Location())) == day(now) {
			n++
		}
	}
	return n
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// newID returns "c" and five letters that no other candidate has as its id.
func newID(all []Candidate, c Candidate) string {
	for n := 0; ; n++ {
		id := "c" + text.ShortID(fmt.Sprintf("%s\x00%s\x00%s\x00%d", c.Source, c.Quote,
			c.Filed.Format(time.RFC3339Nano), n), 5)
		if _, err := index(all, id); err != nil {
			return id
		}
	}
}

// change changes one candidate by do, under the lock.
func (b Box) change(id string, do func(*Candidate) error) (c Candidate, err error) {
	err = b.update(func(all []Candidate) ([]Candidate, error) {
		i, err := index(all, id)
		if err == nil {
			err = do(&all[i])
		}
		if err == nil {
			c = all[i]
		}
		return all, err
	})
	return c, err
}

// update replaces the candidates by what do returns, under the lock. If do fails, nothing is written.
func (b Box) update(do func([]Candidate) ([]Candidate, error)) error {
	return b.folder().Change(func() error {
		all, err := b.All()
		if err != nil {
			return err
		}
		if all, err = do(all); err != nil {
			return err
		}
		return b.folder().Save(boxFile, file{Version, bounded(all)})
	})
}

// bounded returns the candidates without the oldest answered ones, if there are more than maxSettled of
// one answer.
func bounded(all []Candidate) []Candidate {
	for _, s := range []State{Rejected, Promoted} {
		over := -maxSettled
		for _, c := range all {
			if c.State == s {
				over++
			}
		}
		all = slices.DeleteFunc(all, func(c Candidate) bool {
			if c.State == s && over > 0 {
				over--
				return true
			}
			return false
		})
	}
	return all
}
