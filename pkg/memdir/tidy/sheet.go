package tidy

import (
	"slices"
	"strings"

	"keepsake/pkg/memdir"
)

// Kind is the subject of a judgement call.
type Kind string

// The kinds, in the order of the sheet.
const (
	Contradiction Kind = "contradiction"
	Stale         Kind = "stale"
	Near          Kind = "near"
	History       Kind = "history"
	Describe      Kind = "describe"
	Type          Kind = "type"
	Long          Kind = "long"
	Old           Kind = "old"
	Other         Kind = "other"
)

// A Call is one thing for somebody to decide.
type Call struct {
	Number     int         `json:"call"`
	Kind       Kind        `json:"kind"`
	File       string      `json:"file"`
	Line       int         `json:"line,omitempty"`
	Why        string      `json:"why"`      // what was noticed; it may hold words of the file
	Question   string      `json:"question"` // what to decide, in our words
	Statements []Statement `json:"statements"`
}

// about reports whether a change concerns a statement of the call, or its whole file if the call has no
// statements. A new heading concerns only a call about a long file.
func (c Call) about(x Change) bool {
	if c.Kind == Long || x.Action == "heading" {
		return c.Kind == Long && x.File == c.File
	}
	if len(c.Statements) == 0 {
		return x.File == c.File && x.Line == 0
	}
	return slices.ContainsFunc(slices.Concat([]Statement{x.Statement}, x.With), func(s Statement) bool {
		return slices.ContainsFunc(c.Statements, func(t Statement) bool {
			return s.File == t.File && s.Text == t.Text
		})
	})
}

// A Sheet is all that is to be decided about a directory.
type Sheet struct {
	Fixable int    `json:"fixable"` // findings of lint that a rule can mend first
	Calls   []Call `json:"calls"`
	Left    int    `json:"left"` // calls beyond the limit; they come when some are answered
}

// Limits of a sheet: it is read by an agent at once.
const (
	maxCalls  = 40
	maxOfKind = 12
	maxSaid   = 16_000 // bytes of statements
	maxOne    = 400    // the most that one statement counts
)

// NewSheet asks what is to be decided. findings are those of memdir.Lint.
func NewSheet(d memdir.Dir, p memdir.Profile, findings []memdir.Finding, r Repo) Sheet {
	m := d.Map(p)
	var all []Call
	var said []Statement
	for _, f := range d.Files {
		doc, _, ok := m.Doc(f.Path)
		if ok && (m.Topic(f.Path) || f.Path == memdir.Index) {
			said = append(said, statements(f.Path, doc)...)
		}
	}
	all = append(all, pairs(said, m, d.Alike)...)
	for _, s := range said {
		if m.Once(s.File) || s.kind == memdir.Pointer && s.File == memdir.Index {
			continue
		}
		if why := r.against(s); why != "" {
			all = append(all, Call{Kind: Stale, File: s.File, Line: s.Line, Why: why,
				Statements: []Statement{s},
				Question: "Does it still hold? Look in the project. Replace what changed, delete what has " +
					"no use any more, keep what is meant otherwise."})
		}
	}
	sheet := Sheet{}
	for _, f := range findings {
		if f.Fixable {
			sheet.Fixable++
		}
		kind, question := asked(f)
		if question == "" || f.Fixable && kind != History {
			continue
		}
		c := Call{Kind: kind, File: f.Path, Line: f.Line, Why: f.Why, Question: question,
			Statements: []Statement{}}
		if i := slices.IndexFunc(said, func(s Statement) bool {
			return s.File == f.Path && f.Line >= s.Line && f.Line <= s.last
		}); i >= 0 && f.Line > 0 && kind != Long {
			c.Statements = append(c.Statements, said[i])
		}
		all = append(all, c)
	}
	of, size := map[Kind]int{}, 0
	for _, kind := range [...]Kind{Contradiction, Stale, Near, History, Describe, Type, Long, Old, Other} {
		for _, c := range all {
			if c.Kind != kind {
				continue
			}
			for _, s := range c.Statements {
				size += min(len(s.Text), maxOne)
			}
			if of[kind]++; of[kind] > maxOfKind || len(sheet.Calls) >= maxCalls || size > maxSaid {
				sheet.Left++
				continue
			}
			c.Number = len(sheet.Calls) + 1
			sheet.Calls = append(sheet.Calls, c)
		}
	}
	return sheet
}

// asked returns the kind and the text of the question for a finding of lint. It is "" if there is none to
// ask: a rule mends the finding, or nothing can.
func asked(f memdir.Finding) (Kind, string) {
	switch f.Rule {
	case "index-history":
		return History, "Condense the reason into the Why of the topic file that it belongs to, or delete it."
	case "twice-near":
		return Near,
			"Read both files. Do they say the same? Then join one to the other, or delete what is said twice."
	case "description-vague", "hook-vague", "hook-missing", "hook-long":
		return Describe, "Read the file. Describe it in one line that tells when to load it."
	case "head-key":
		if strings.Contains(f.Why, "description") {
			return Describe, "Read the file. Describe it in one line that tells when to load it."
		}
		return Other, "" // nobody but the writer knows
	case "head-type":
		return Type,
			"Read the file. Is it about the person (user), how to work (feedback), what is going on " +
				"(project), or where to look (reference)?"
	case "topic-why":
		return Type,
			"Add the Why and the How to apply where you know them; or is it of another type? Never make a " +
				"reason up."
	case "topic-long", "topic-giant":
		return Long,
			"Put headings (##) where a new subject begins, so that it can be split, or move what belongs " +
				"elsewhere."
	case "date-old":
		return Old, "Look whether it still holds. Confirm the file, or replace what changed."
	case "date-relative":
		return Other, "Replace it with the date if you know it, or say it without a time."
	case "topic-empty":
		return Other, "Nothing is in it. Add what belongs there, or tell the person."
	}
	return Other, ""
}

// pairQuestion returns the question about a pair.
func pairQuestion(kind Kind) string {
	if kind == Near {
		return "Do they say the same? Merge them into one statement in the file where it belongs, or keep " +
			"both."
	}
	return "Can both be true? Find out which one holds, in the project or from the person, and delete or " +
		"replace the other. Keep both if they are about different things."
}
