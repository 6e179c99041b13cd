package main

import (
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/store"
)

type listCmd struct {
	Category string `help:"Only this category." placeholder:"CATEGORY"`
	Status   string `help:"Only this status: active, retired, archived, or all." default:"active" enum:"active,retired,archived,all"`
	JSON     bool   `help:"Print one JSON array."`
}

func (listCmd) Help() string {
	return `Lists the project's memories, newest first within each category: id, date of the last change,
title. An agent is shown none that waits for your yes.

Examples:

    keepsake list
    keepsake list --category decision
    keepsake list --status all --json | jq '.[].id'`
}

// listed is one memory as list --json prints it.
type listed struct {
	Category  memory.Category `json:"category"`
	ID        string          `json:"id"`
	Title     string          `json:"title"`
	Status    memory.Status   `json:"record_status"`
	UpdatedAt string          `json:"updated_at"`
	Tags      []string        `json:"tags"`
	Path      string          `json:"path"`            // below the store's root
	Flags     []string        `json:"flags,omitempty"` // what is known against it here
}

func (v listCmd) Run(c *call, s *session.Session) error {
	only, err := categories([]string{v.Category})
	if err != nil {
		return err
	}
	c.untold(s)
	loaded, err := c.load(s)
	if err != nil {
		return err
	}
	records := slices.DeleteFunc(loaded.Records, func(r memory.Stored) bool {
		return v.Status != "all" && string(r.Status) != v.Status || len(only) > 0 && r.Category != only[0]
	})
	records = c.shownTo(s, records)
	all := []listed{}
	for cat, records := range memory.ByCategory(records) {
		c.line("%s", cat.Display())
		width := 0
		for _, r := range records {
			width = max(width, len([]rune(r.ID)))
		}
		for _, r := range records {
			status := ""
			if r.Status != memory.Active {
				status = " (" + string(r.Status) + ")"
			}
			flags := answer.FlagMarks(s.TrustOf(r))
			for _, f := range flags {
				status += " (" + f + ")"
			}
			c.line("  %-*s  %s  %s%s", width, brief.Line(r.ID), day(r.UpdatedAt), brief.Line(r.Title), status)
			all = append(all, listed{r.Category, r.ID, r.Title, r.Status, r.UpdatedAt, r.Tags, r.Path, flags})
		}
	}
	if len(all) == 0 {
		c.line("nothing remembered in %s", s.MemoryRoot())
	}
	c.value(all)
	return nil
}

// load reads the records of a project, and notes those that can't be read.
func (c *call) load(s *session.Session) (store.Loaded, error) {
	loaded, err := s.Store().Load()
	c.sayBad(loaded.Bad)
	return loaded, err
}

func (c *call) sayBad(all []store.Bad) {
	for _, b := range all {
		c.note("%s: %v", b.Path, b.Err)
	}
}

// day returns the date of a record's time stamp.
func day(stamp string) string {
	if len(stamp) < len("2006-01-02") {
		return "undated   "
	}
	return brief.Line(stamp[:len("2006-01-02")])
}
