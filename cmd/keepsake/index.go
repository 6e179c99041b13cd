package main

import (
	"errors"
	"fmt"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/status"
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

func (v indexRebuildCmd) Run(c *call, s *session.Session) error {
	st := s.Store()
	ix, err := st.Rebuild()
	if err != nil {
		return err
	}
	bad, active := ix.Bad, 0
	err = ix.Each(func(r memory.Stored) bool {
		if r.Status == memory.Active {
			active++
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
	for _, b := range bad {
		c.note("%s: %v", b.Path, b.Err)
	}
	if !faults.OK() {
		return failed(fmt.Errorf("the indexes could not be written: %s", faults),
			"keepsake doctor looks for the reason")
	}
	c.line("%s indexed", count(active, "active memory"))
	c.value(struct {
		Indexed    int      `json:"indexed"` // active memories
		Unreadable []string `json:"unreadable"`
	}{active, status.Paths(bad)})
	return nil
}

type indexValidateCmd struct {
	JSON bool `help:"Print one JSON object: ok, and the paths that are wrong."`
}

func (indexValidateCmd) Help() string {
	return `Names what is missing, stale or wrong, and changes nothing. It finds every memory whose file
was edited since it was indexed. Otherwise such an edit is only found when a session begins.

Example:

    keepsake records index validate --json | jq .ok`
}

func (v indexValidateCmd) Run(c *call, s *session.Session) error {
	faults, _, err := s.Store().Validate()
	if err != nil {
		return err
	}
	for what, paths := range faults.Each() {
		for _, p := range paths {
			c.line("%s: %s", what, brief.Line(p))
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
	c.value(struct {
		OK bool `json:"ok"`
		store.Faults
		Search     string   `json:"search"` // "ok", or what is the matter with the search index
		Unreadable []string `json:"unreadable"`
	}{faults.OK(), faults, search, status.Paths(faults.Bad)})
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

// shownUpdated is how many of the memories that were much updated are named.
const shownUpdated = 10

func (v indexHealthCmd) Run(c *call, s *session.Session) error {
	h, err := status.HealthOf(s, c.now())
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
			c.line("… and %d more that were updated more than %d times", len(h.Updated)-i, status.MuchUpdated)
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
