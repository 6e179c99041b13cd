package main

import (
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
)

type recallCmd struct {
	Query []string `arg:"" help:"Words to look for."`
	Limit int      `help:"Show at most this many." default:"5"`
	JSON  bool     `help:"Print one JSON array, best first."`
}

func (recallCmd) Help() string {
	return `Finds the active memories that the words are about, best first, with where each comes from. Says so when nothing is good enough; that is no failure.

Examples:

    keepsake recall job queue
    keepsake recall 'why postgres' --limit 1`
}

// recalled is one hit as recall --json prints it.
type recalled struct {
	Source   string          `json:"source"` // "project"
	Path     string          `json:"path"`   // below the store's root
	ID       string          `json:"id"`
	Category memory.Category `json:"category"`
	Title    string          `json:"title"`
	Date     string          `json:"updated_at"`
	Snippet  string          `json:"snippet"`
	Score    float64         `json:"score"` // 0..1
}

// snippetRunes is the longest snippet, in runes: two lines of a terminal.
const snippetRunes = 160

func (v recallCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Limit < 1 {
		return usage("--limit %d: want 1 or more", v.Limit)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	st := s.Store()
	b, err := st.Index()
	if err != nil {
		return err
	}
	index, err := recall.Open(b)
	if err != nil {
		return err
	}
	found := []recalled{}
	for _, hit := range index.Search(strings.Join(v.Query, " "), v.Limit) {
		r, err := st.Read(hit.Path)
		if err != nil {
			c.note("%s: %v", hit.Path, err)
			continue
		}
		found = append(found, recalled{"project", r.Path, r.ID, r.Category, r.Title, r.UpdatedAt, snippet(r), hit.Score})
	}
	for _, f := range found {
		c.line("[source: project] .claude/memory/%s (%s)", brief.Line(f.Path), day(f.Date))
		c.line("  %s", brief.Line(f.Title))
		if f.Snippet != "" {
			c.line("  %s", f.Snippet)
		}
	}
	if len(found) == 0 {
		c.line("nothing remembered about that")
	}
	c.value(found)
	return nil
}

// snippet is the beginning of what a reader needs to act on a memory.
func snippet(r memory.Stored) string {
	var parts []string
	for _, f := range memory.Fields(r.Category) {
		if !f.Decisive {
			continue
		}
		switch v := r.Content[f.Name].(type) {
		case string:
			parts = append(parts, v)
		case []string:
			parts = append(parts, v...)
		}
	}
	return cut(brief.Line(strings.Join(parts, " · ")), snippetRunes)
}
