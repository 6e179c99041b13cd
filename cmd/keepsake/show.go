package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/store"
)

type showCmd struct {
	ID   string `arg:"" help:"Id of the memory, the beginning of one, or its file name; or wing/room/drawer."`
	JSON bool   `help:"Print the record as it is stored; of a drawer one JSON object: path, file, text, source, filed."`
}

func (showCmd) Help() string {
	return `Shows one memory whole, whatever its status, or one drawer as recall names it.

Examples:

    keepsake show use-postgres-for-the-job-queue
    keepsake show decisions/use-postgres-for-the-job-queue.json --json
    keepsake show shop/decisions/jobs-live-in-a-postgres-table-0f9c3a71d2e4`
}

func (v showCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	if strings.Count(trimmed(v.ID), "/") == 2 {
		return c.drawer(s, v.ID)
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	r, err := find(loaded, v.ID)
	if err != nil {
		return err
	}
	c.value(json.RawMessage(r.Encode()))
	for _, line := range recordLines(r) {
		c.line("%s", line)
	}
	if t := answer.TrustMark(s.TrustOf(r)); t != "" {
		c.line("")
		c.line("Trust: %s", t)
	}
	return nil
}

// find looks a record up by path, id, or the unambiguous beginning of an id. A
// file of that name that cannot be read is told of as what it is.
func find(loaded store.Loaded, id string) (memory.Stored, error) {
	paths := make([]string, len(loaded.Records))
	for i, r := range loaded.Records {
		paths[i] = r.Path
	}
	path, err := findPath("show", id, paths)
	if err != nil {
		return memory.Stored{}, err
	}
	for _, bad := range loaded.Bad {
		if named, _ := findPath("show", id, []string{bad.Path}); named != "" &&
			(path == "" || exact(named, id)) {
			return memory.Stored{},
				failed(fmt.Errorf("%s: %w", brief.Line(bad.Path), bad.Err),
					"keepsake doctor says what to do about it")
		}
	}
	if path == "" {
		hints := []string{"keepsake list shows the ids, keepsake recall finds by words"}
		if len(loaded.Bad) > 0 { // a folder among them may have it
			hints = append(hints, fmt.Sprintf("not all could be read (%s): keepsake doctor says why",
				brief.Line(loaded.Bad[0].Path)))
		}
		return memory.Stored{}, failed(fmt.Errorf("%s: no such memory", brief.Line(id)), hints...)
	}
	return loaded.Records[slices.Index(paths, path)], nil
}

// findPath looks a memory up among paths: the path itself, the id, or the
// beginning of one that only one of them has. It is "" when there is none. verb
// is for the hints of an id that is not enough.
func findPath(verb, id string, paths []string) (string, error) {
	if id == "" {
		return "", usage("an empty id names no memory")
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	for _, match := range []func(path, id string) bool{
		func(path, id string) bool { return path == trimmed(id) },
		exact,
		func(path, id string) bool { return strings.HasPrefix(stem(path), id) },
	} {
		var found []string
		for _, p := range paths {
			if match(p, id) {
				found = append(found, p)
			}
		}
		if len(found) > 1 {
			f := &failure{exitFailed, fmt.Errorf("%s: more than one memory fits", brief.Line(id)), nil}
			for _, p := range found {
				f.hints = append(f.hints, "keepsake "+verb+" "+brief.Line(p))
			}
			return "", f
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return "", nil
}

// exact tells whether id is the path of a record or its whole id.
func exact(path, id string) bool { return path == trimmed(id) || stem(path) == id }

// trimmed is the path below the store's root that was named.
func trimmed(id string) string { return strings.TrimPrefix(id, ".claude/memory/") }

// stem is the id of the record at a path.
func stem(path string) string {
	_, file, _ := strings.Cut(path, "/")
	return strings.TrimSuffix(file, ".json")
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
	add("Retired", ended(r.RetiredAt, r.RetiredReason))
	add("Archived", ended(r.ArchivedAt, r.ArchivedReason))
	add("File", ".claude/memory/"+r.Path)
	add("Created", r.CreatedAt)
	add("Updated", r.UpdatedAt)
	add("Tags", strings.Join(r.Tags, ", "))
	add("Related files", strings.Join(r.RelatedFiles, ", "))
	if r.Confidence != nil {
		add("Confidence", fmt.Sprintf("%.2g", *r.Confidence))
	}
	if p := r.Provenance; p != nil {
		add("From", strings.Join(slices.DeleteFunc([]string{p.Origin, p.Session, p.Branch, p.Commit},
			func(s string) bool {
				return s == ""
			}), ", "))
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

// ended is when and why a memory left what is recalled, "" when it did not.
func ended(at, why *string) string {
	var parts []string
	for _, s := range []*string{at, why} {
		if s != nil && *s != "" {
			parts = append(parts, *s)
		}
	}
	return strings.Join(parts, ", ")
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
