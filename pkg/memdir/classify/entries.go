package classify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// An entry is a statement that stands in a file: an item of a list or a paragraph.
type entry struct {
	path     string
	from, to int // its lines, from 0, to not included
	item     bool
	past     bool // a new version of it was noted
	text     string
}

func (e entry) at() string { return e.path + ":" + strconv.Itoa(e.from+1) }

// entries returns the statements of all topic files.
func (j *job) entries() (all []entry) {
	for path := range j.m.Topics {
		doc, _, _ := j.m.Doc(path)
		all = append(all, entriesOf(path, doc)...)
	}
	return all
}

func entriesOf(path string, doc markdown.Doc) (all []entry) {
	replaced := memdir.Replacements(doc)
	for b := range doc.Blocks {
		item := b.Kind == markdown.Item || b.Kind == memdir.Pointer
		if !item && b.Kind != markdown.Paragraph {
			continue
		}
		e := entry{path: path, from: b.From, to: b.To, item: item, text: doc.BlockText(b)}
		e.past = slices.ContainsFunc(replaced, func(r memdir.Replacement) bool {
			return r.From == b.From
		})
		all = append(all, e)
	}
	return all
}

// exact returns an entry without what Keepsake adds to it: the stamp, the full stop before that, and the
// label of a pattern. A date or a label that somebody wrote stays, and so does the case of letters.
func exact(s string) string {
	s = strings.TrimPrefix(text.OneLine(s), "**Lesson**: ")
	if i := strings.Index(s, " _Updated: "); i > 0 && len(s) > i+21 && isDate(s[i+11:i+21]) &&
		s[i+21] == '_' {
		s = s[:i]
	}
	return strings.TrimRight(s, " .")
}

// norm returns the text by which an entry is compared and found: exact, without the date and the label at
// its beginning.
func norm(s string) string {
	s = exact(s)
	if rest, ok := strings.CutPrefix(s, "**"); ok {
		if label, text, ok := strings.Cut(rest, "**"); ok && len(label) < 20 &&
			(strings.HasSuffix(label, ":") || strings.HasPrefix(text, ":")) {
			s = strings.TrimSpace(strings.TrimPrefix(text, ":"))
		}
	}
	if len(s) > 11 && s[4] == '-' && s[7] == '-' && strings.Trim(s[:10], "-0123456789") == "" {
		s = strings.TrimLeft(s[10:], " :—–-")
	}
	return s
}

// named finds the entry that file:line or some words mean.
func named(all []entry, what string) (entry, error) {
	if path, line, ok := cutLast(what, ":"); ok {
		if n, err := strconv.Atoi(line); err == nil {
			for _, e := range all {
				if e.path == path && e.from < n && n <= e.to {
					return e, nil
				}
			}
			if slices.ContainsFunc(all, func(e entry) bool { return e.path == path }) {
				return entry{}, &Wrong{what + " is no statement: no item of a list and no paragraph",
					"keepsake md mentions WORD lists lines with their numbers"}
			}
		}
	}
	want := strings.ToLower(norm(what))
	if want == "" {
		return entry{}, &Wrong{"--replaces is empty", "name the old statement by its words or as file:line"}
	}
	var hits []entry
	for _, e := range all {
		switch text := strings.ToLower(norm(e.text)); {
		case e.past: // by its line only
		case text == want:
			return e, nil
		case strings.Contains(text, want):
			hits = append(hits, e)
		}
	}
	switch len(hits) {
	case 1:
		return hits[0], nil
	case 0:
		return entry{}, &Wrong{fmt.Sprintf("no statement says %q", memdir.Cut(what, 60)),
			"name it as file:line; keepsake md mentions WORD lists lines"}
	}
	var at []string
	for _, e := range hits[:min(len(hits), 5)] {
		at = append(at, e.at())
	}
	return entry{}, &Wrong{fmt.Sprintf("%d statements say %q: %s", len(hits), memdir.Cut(what, 60),
		strings.Join(at, ", ")), "name the one that is meant as file:line"}
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
