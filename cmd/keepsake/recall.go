package main

import (
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
)

type recallCmd struct {
	Query          []string `arg:"" help:"Words to look for."`
	Category       string   `help:"Only this category." placeholder:"CATEGORY"`
	IncludeRetired bool     `help:"Also find what is retired or archived."`
	Limit          int      `help:"Show at most this many." default:"5"`
	JSON           bool     `help:"Print one JSON object: query, total_results, results, best first."`
}

func (recallCmd) Help() string {
	return `Finds the active memories that have any of the words, best first, with where each comes from and the sentence that says most of what was asked. Words are found in titles, tags and texts, in other forms of the word too; identifiers whole and in parts. Those that a prompt would not have brought by itself stand below the others as weak. Finding nothing is no failure.

Examples:

    keepsake recall job queue
    keepsake recall 'why postgres' --limit 1
    keepsake recall redis --include-retired --category decision --json`
}

// recallJSON is what recall --json prints; the names are seed 3's.
type recallJSON struct {
	Query   string     `json:"query"`
	Total   int        `json:"total_results"`
	Results []recalled `json:"results"`
}

type recalled struct {
	Title     string          `json:"title"`
	Category  memory.Category `json:"category"`
	ID        string          `json:"id"`
	Path      string          `json:"path"` // below the store's root
	Tags      []string        `json:"tags"`
	Status    memory.Status   `json:"status"`
	Snippet   string          `json:"snippet"`
	UpdatedAt string          `json:"updated_at"`
	Score     float64         `json:"score"` // 0..1
	Weak      bool            `json:"weak"`  // too low for a prompt
}

// snippetRunes is the longest snippet, in runes: two lines of a terminal.
const snippetRunes = 160

func (v recallCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Limit < 1 {
		return usage("--limit %d: want 1 or more", v.Limit)
	}
	only, err := categories(strings.Fields(v.Category))
	if err != nil {
		return err
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	q := recall.Query{Text: strings.Join(v.Query, " "), Limit: v.Limit, Retired: v.IncludeRetired}
	if len(only) > 0 {
		q.Category = only[0]
	}
	got, err := s.Search(q, v.Limit, func(recall.Hit) bool { return true })
	if err != nil {
		return err
	}
	for _, b := range got.Bad {
		c.note("%s: %v", b.Path, b.Err)
	}
	out := recallJSON{Query: q.Text, Total: len(got.Found), Results: []recalled{}}
	strong := true
	for _, f := range got.Found {
		weak := f.Score < recall.Floor
		if weak && strong {
			c.line("weak matches, perhaps about something else:")
			strong = false
		}
		snippet := cut(brief.Line(recall.Snippet(f.Record, q.Text, snippetRunes)), snippetRunes)
		status := ""
		if f.Status != memory.Active {
			status = ", " + string(f.Status)
		}
		c.line("[source: project] .claude/memory/%s (%s%s)", brief.Line(f.Path), day(f.UpdatedAt), status)
		c.line("  %s", brief.Line(f.Title))
		if snippet != "" {
			c.line("  %s", snippet)
		}
		out.Results = append(out.Results, recalled{f.Title, f.Category, f.ID, f.Path, append([]string{}, f.Tags...), f.Status, snippet, f.UpdatedAt, f.Score, weak})
	}
	if len(got.Found) == 0 {
		c.line("nothing remembered about that")
	}
	c.value(out)
	return nil
}
