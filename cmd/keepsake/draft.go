package main

import (
	"path/filepath"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
)

type draftCmd struct {
	Form string `help:"Draft nothing; print the form of a draft of this category, for an agent that drafts by itself." placeholder:"CATEGORY"`
	JSON bool   `help:"Print one JSON object: the drafts made and what had no quotes, or the form."`
}

func (draftCmd) Help() string {
	return `Makes a draft for every category on the stage that has none, out of the staged quotes, word
for word, with confidence 0.5. No model takes part and nothing is invented: where the quotes say nothing
for a field, the draft says "Not recorded." The drafts wait on the stage; nothing is saved until keepsake
records plan and apply.

Examples:

    keepsake records draft
    keepsake records draft --form decision`
}

// draftJSON is what draft --json prints.
type draftJSON struct {
	Drafted []save.Drafted    `json:"drafted"`
	Without []memory.Category `json:"without"` // staged categories that have no quotes to draft from
}

// formJSON is what draft --form --json prints.
type formJSON struct {
	Category memory.Category `json:"category"`
	Form     string          `json:"form"`
	File     string          `json:"file"` // where a draft that nobody asked a drafter for is written
}

func (v draftCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Form != "" {
		cats, err := categories([]string{v.Form})
		if err != nil {
			return err
		}
		return printForm(c, cats[0])
	}
	s, err := c.staged()
	if err != nil {
		return err
	}
	all, without, err := c.saver(s).Extract()
	if err != nil {
		return err
	}
	for _, d := range all {
		c.line("drafted %s from its quotes: %s", d.Category, d.Title)
	}
	for _, cat := range without {
		c.line("%s has no quotes to draft from", cat)
	}
	if len(all)+len(without) == 0 {
		c.line("every category on the stage has a draft")
	} else {
		c.line("%s waiting, not saved; next: keepsake records plan", isAre(len(all), "draft"))
	}
	c.value(draftJSON{append([]save.Drafted{}, all...), append([]memory.Category{}, without...)})
	return nil
}

// printForm prints the form of a draft, and where one by hand is written: the
// folder is made, so that whoever writes there finds it private.
func printForm(c *call, cat memory.Category) error {
	s, err := c.staged()
	if err != nil {
		return err
	}
	if err := s.Desk.Make(); err != nil {
		return err
	}
	file := filepath.Join(s.Desk.Dir, stage.HandName(cat))
	c.block(brief.DraftForm(cat))
	c.note("a draft by hand is written to %s", file)
	c.value(formJSON{cat, brief.DraftForm(cat), file})
	return nil
}

// isAre is "1 draft is", "2 drafts are".
func isAre(n int, one string) string {
	if n == 1 {
		return count(n, one) + " is"
	}
	return count(n, one) + " are"
}
