package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

type indexCmd struct {
	Rebuild  indexRebuildCmd  `cmd:"" help:"Make index.md and the search index anew, out of the memories."`
	Validate indexValidateCmd `cmd:"" help:"Compare index.md and the search index with every memory; exit 1 if they differ."`
	Health   indexHealthCmd   `cmd:"" help:"Count the memories, and say whether the indexes agree with them."`
}

func (indexCmd) Help() string {
	return `Two things are derived from the memories: index.md, with one line for each active one, and the
search index in the cache folder. Both mend themselves: the search index whenever it is used, index.md
with every save and when a session begins. Deleting them loses nothing.

Examples:

    keepsake records index validate
    keepsake records index rebuild
    keepsake records index health --json`
}

type indexRebuildCmd struct {
	JSON bool `help:"Print one JSON object: indexed, unreadable."`
}

func (indexRebuildCmd) Help() string {
	return `Reads every memory and writes index.md and the search index anew. A memory that cannot be read
is named and left out.

Example:

    keepsake records index rebuild`
}

type rebuiltJSON struct {
	Indexed    int      `json:"indexed"` // active memories
	Unreadable []string `json:"unreadable"`
}

func (v indexRebuildCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	st := s.Store()
	ix, err := st.Rebuild()
	if err != nil {
		return err
	}
	bad := ix.Bad
	var out rebuiltJSON
	err = ix.Each(func(r memory.Stored) bool {
		if r.Status == memory.Active {
			out.Indexed++
		}
		return true
	})
	if err := errors.Join(err, ix.Close()); err != nil {
		return err
	}
	var faults store.Faults
	if !st.InStep() { // it reads every memory once more, and says why
		if faults, _, err = st.Validate(); err != nil {
			return err
		}
		bad = faults.Bad
	}
	out.Unreadable = unreadable(bad)
	for _, b := range bad {
		c.note("%s: %v", b.Path, b.Err)
	}
	if !faults.OK() {
		return failed(errors.New("the indexes could not be written: "+faultText(faults)),
			"keepsake doctor looks for the reason")
	}
	c.line("%s indexed", count(out.Indexed, "active memory"))
	c.value(out)
	return nil
}

type indexValidateCmd struct {
	JSON bool `help:"Print one JSON object: ok, and the paths that are wrong."`
}

func (indexValidateCmd) Help() string {
	return `Names what is missing, stale or wrong, and changes nothing. It finds every memory whose file
was edited since it was indexed; otherwise only the start of a session does.

Example:

    keepsake records index validate --json | jq .ok`
}

// validJSON is what index validate --json prints.
type validJSON struct {
	OK         bool     `json:"ok"`
	Missing    []string `json:"missing"`   // active memories without a line in index.md
	Stale      []string `json:"stale"`     // lines in index.md without an active memory
	Wrong      []string `json:"wrong"`     // lines that say something else than their memory
	Unindexed  []string `json:"unindexed"` // not in the search index as they are now
	Gone       []string `json:"gone"`      // in the search index, and gone
	Search     string   `json:"search"`    // "ok", or what is the matter with the search index
	Unreadable []string `json:"unreadable"`
}

func (v indexValidateCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	faults, _, err := s.Store().Validate()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		what  string
		paths []string
	}{
		{"missing from index.md", faults.Missing}, {"stale in index.md", faults.Stale},
		{"wrong in index.md", faults.Wrong},
		{"not in the search index as it is", faults.Unindexed},
		{"gone, and in the search index", faults.Gone},
	} {
		for _, p := range f.paths {
			c.line("%s: %s", f.what, brief.Line(p))
		}
	}
	for _, b := range faults.Bad {
		c.note("%s: %v", b.Path, b.Err)
	}
	search := "ok"
	if faults.Search != nil {
		search = faults.Search.Error()
		if !errors.Is(faults.Search, store.ErrNoIndex) { // that is made when it is asked for the first time
			c.line("search index: %s", search)
		}
	}
	c.value(validJSON{
		faults.OK(), list(faults.Missing), list(faults.Stale), list(faults.Wrong), list(faults.Unindexed),
		list(faults.Gone), search, unreadable(faults.Bad),
	})
	if !faults.OK() {
		return failed(errors.New("the indexes differ from the memories"),
			"keepsake records index rebuild mends it at once; it would have mended itself with the next save")
	}
	c.line("index.md and the search index are in step with the memories")
	return nil
}

type indexHealthCmd struct {
	JSON bool `help:"Print one JSON object."`
}

func (indexHealthCmd) Help() string {
	return `Says GOOD, or NEEDS ATTENTION when a memory cannot be read or the indexes differ from the
memories. It also mentions, as no fault, memories that were updated more than 5 times, which may be
several in one, and retirements of the last 7 days.

Example:

    keepsake records index health`
}

const (
	muchUpdated  = 5                  // more updates than this make a memory worth a look: it may be several
	lately       = 7 * 24 * time.Hour // of retirements
	good         = "GOOD"
	needsCare    = "NEEDS ATTENTION"
	shownUpdated = 10 // of those that were much updated
)

// healthJSON is what index health --json prints.
type healthJSON struct {
	Status     string                  `json:"status"` // GOOD or NEEDS ATTENTION
	Active     map[memory.Category]int `json:"active"`
	Retired    int                     `json:"retired"`
	Archived   int                     `json:"archived"`
	Updated    []updatedJSON           `json:"heavily_updated"` // more than 5 times
	Lately     int                     `json:"retired_last_7_days"`
	InStep     bool                    `json:"in_sync"`
	OutOfStep  string                  `json:"out_of_sync"` // what is, "" when nothing
	Unreadable []string                `json:"unreadable"`
}

type updatedJSON struct {
	ID    string `json:"id"`
	Times int    `json:"times_updated"`
}

func (v indexHealthCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	h, err := health(s, c.now())
	if err != nil {
		return err
	}
	c.line("%s", h.Status)
	for _, cat := range memory.Categories() {
		c.line("%-16s %d active", cat.Display(), h.Active[cat])
	}
	c.line("retired %d, of them in the last 7 days %d; archived %d", h.Retired, h.Lately, h.Archived)
	for i, u := range h.Updated {
		if i == shownUpdated {
			c.line("… and %d more that were updated more than %d times", len(h.Updated)-i, muchUpdated)
			break
		}
		c.line("updated %d times: %s", u.Times, brief.Line(u.ID))
	}
	if h.InStep {
		c.line("index.md and the search index are in step")
	} else {
		c.line("not in step: %s (keepsake records index rebuild mends it)", h.OutOfStep)
	}
	for _, p := range h.Unreadable {
		c.line("unreadable: %s (keepsake doctor tells why)", brief.Line(p))
	}
	c.value(h)
	return nil
}

// health needs attention when a memory cannot be read or what is derived is not
// in step. Memories that were updated often, and many retirements, are worth
// knowing and no fault.
func health(s *session.Session, now time.Time) (healthJSON, error) {
	faults, records, err := s.Store().Validate()
	if err != nil {
		return healthJSON{}, err
	}
	h := healthJSON{Status: good, Active: map[memory.Category]int{}, Updated: []updatedJSON{},
		InStep: faults.OK(), OutOfStep: faultText(faults), Unreadable: unreadable(faults.Bad)}
	for _, cat := range memory.Categories() {
		h.Active[cat] = 0
	}
	for _, r := range records {
		switch r.Status {
		case memory.Active:
			h.Active[r.Category]++
			if r.TimesUpdated > muchUpdated {
				h.Updated = append(h.Updated, updatedJSON{r.ID, r.TimesUpdated})
			}
		case memory.Archived:
			h.Archived++
		case memory.Retired:
			h.Retired++
			if r.RetiredAt == nil {
				break
			}
			if at, ok := memory.ParseStamp(*r.RetiredAt); ok && now.Sub(at) <= lately {
				h.Lately++
			}
		}
	}
	slices.SortStableFunc(h.Updated, func(a, b updatedJSON) int { return b.Times - a.Times })
	if !h.InStep || len(h.Unreadable) > 0 {
		h.Status = needsCare
	}
	return h, nil
}

// faultText says in a line what is not in step, "" when nothing.
func faultText(f store.Faults) string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{len(f.Missing), "missing from index.md"}, {len(f.Stale), "stale in index.md"},
		{len(f.Wrong), "wrong in index.md"},
		{len(f.Unindexed), "not in the search index"}, {len(f.Gone), "gone and in the search index"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if f.Search != nil && !errors.Is(f.Search, store.ErrNoIndex) {
		parts = append(parts, "the search index "+f.Search.Error())
	}
	return strings.Join(parts, ", ")
}

func unreadable(bad []store.Bad) []string {
	out := []string{}
	for _, b := range bad {
		out = append(out, b.Path)
	}
	return out
}

// list is never null in JSON.
func list(paths []string) []string { return append([]string{}, paths...) }
