package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
)

type showCmd struct {
	ID   string `arg:"" help:"Id of the memory, its file name, or the beginning of an id that is enough to tell it."`
	JSON bool   `help:"Print the record as it is stored."`
}

func (showCmd) Help() string {
	return `Shows one memory whole, whatever its status.

Examples:

    keepsake show use-postgres-for-the-job-queue
    keepsake show decisions/use-postgres-for-the-job-queue.json --json`
}

func (v showCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	r, err := find(loaded.Records, v.ID)
	if err != nil {
		return err
	}
	c.value(json.RawMessage(r.Encode()))
	for _, line := range recordLines(r) {
		c.line("%s", line)
	}
	return nil
}

// find looks a record up by path, id, or the unambiguous beginning of an id.
func find(records []memory.Stored, id string) (memory.Stored, error) {
	name := strings.TrimPrefix(id, ".claude/memory/")
	for _, match := range []func(memory.Stored) bool{
		func(r memory.Stored) bool { return r.Path == name },
		func(r memory.Stored) bool { return r.ID == id },
		func(r memory.Stored) bool { return strings.HasPrefix(r.ID, id) },
	} {
		var found []memory.Stored
		for _, r := range records {
			if match(r) {
				found = append(found, r)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			f := &failure{exitFailed, fmt.Errorf("%s: is not enough to tell which", brief.Line(id)), nil}
			for _, r := range found {
				f.hints = append(f.hints, "keepsake show "+brief.Line(r.Path))
			}
			return memory.Stored{}, f
		}
	}
	return memory.Stored{}, failed(fmt.Errorf("%s: no such memory", brief.Line(id)), "keepsake list shows the ids, keepsake recall finds by words")
}

// recordLines prints a record for people. Its text is data: every line of it is
// made plain.
func recordLines(r memory.Stored) []string {
	lines := []string{brief.Line(r.Title), ""}
	add := func(label, text string) {
		if text = brief.Line(text); text != "" {
			lines = append(lines, fmt.Sprintf("%s: %s", label, text))
		}
	}
	add("Category", string(r.Category))
	add("Status", string(r.Status))
	add("File", ".claude/memory/"+r.Path)
	add("Created", r.CreatedAt)
	add("Updated", r.UpdatedAt)
	add("Tags", strings.Join(r.Tags, ", "))
	add("Related files", strings.Join(r.RelatedFiles, ", "))
	if r.Confidence != nil {
		add("Confidence", fmt.Sprintf("%.2g", *r.Confidence))
	}
	if p := r.Provenance; p != nil {
		add("From", strings.Join(slices.DeleteFunc([]string{p.Origin, p.Session, p.Branch, p.Commit}, func(s string) bool { return s == "" }), ", "))
	}
	lines = append(lines, "")
	for _, f := range memory.Fields(r.Category) {
		lines = append(lines, fieldLines(f, r.Content[f.Name])...)
	}
	if len(r.Changes) > 0 {
		lines = append(lines, "", "Changes:")
		for _, ch := range r.Changes {
			lines = append(lines, "  "+day(ch.Date)+"  "+brief.Line(ch.Summary))
		}
	}
	return lines
}

func fieldLines(f memory.Field, value any) (lines []string) {
	list := func(label string, items []string) {
		if len(items) == 0 {
			return
		}
		lines = append(lines, label+":")
		for _, s := range items {
			lines = append(lines, "  - "+brief.Line(s))
		}
	}
	switch v := value.(type) {
	case string:
		if v != "" {
			lines = append(lines, f.Label+": "+brief.Line(v))
		}
	case bool:
		lines = append(lines, fmt.Sprintf("%s: %t", f.Label, v))
	case []string:
		list(f.Label, v)
	case []map[string]string:
		var items []string
		for _, m := range v {
			items = append(items, m["option"]+": "+m["rejected_reason"])
		}
		list(f.Label, items)
	case map[string][]string:
		list(f.Label+", prefer", v["prefer"])
		list(f.Label+", avoid", v["avoid"])
	}
	return lines
}
