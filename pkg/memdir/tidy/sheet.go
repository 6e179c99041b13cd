package tidy

import (
	"cmp"
	"slices"
	"strings"

	"keepsake/pkg/memdir"
)

// Kind is the subject of a judgement call.
type Kind string

// The kinds.
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
	whole      string      // all that the file says, for a call about no statement
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

// A Sheet is what is to be decided about a directory.
type Sheet struct {
	Fixable int    `json:"fixable"` // findings of lint that a rule can mend first
	Calls   []Call `json:"calls"`
	All     int    `json:"all"`            // calls that are open, on whatever page
	Kept    int    `json:"kept"`           // answered before with keep
	Later   int    `json:"later"`          // their statements have two open calls already
	Next    int    `json:"next,omitempty"` // the first call of the next page; 0 if this is the last
}

// Limits of a sheet: an agent reads a page of it at once.
const (
	maxCalls = 40
	maxSaid  = 16_000 // bytes of statements
	maxOne   = 400    // the most that one statement counts
	maxTwice = 2      // open calls with the same statement
)

// rank returns the place of a call on the sheet: what the project proves comes first, then what could mislead
// most.
func (c Call) rank() int {
	if c.Kind == Contradiction && c.files() > 1 {
		return 1
	}
	return 2 * slices.Index([]Kind{Stale, Describe, Contradiction, Near, History, Type, Long, Old, Other},
		c.Kind)
}

// NewSheet returns all that is to be decided, ranked and numbered. findings are those of memdir.Lint. The
// numbers stay the same as long as the directory and the project do, whatever was answered.
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
		if s.past || m.Once(s.File) || s.kind == memdir.Pointer && s.File == memdir.Index {
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
		if _, b, ok := m.Doc(f.Path); ok && len(c.Statements) == 0 {
			c.whole = string(b)
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b Call) int {
		return cmp.Compare(a.rank(), b.rank())
	})
	for i := range all {
		all[i].Number = i + 1
	}
	sheet.Calls, sheet.All = all, len(all)
	return sheet
}

// files returns how many files the statements of a call are from.
func (c Call) files() int {
	seen := map[string]bool{}
	for _, s := range c.Statements {
		seen[s.File] = true
	}
	return len(seen)
}

// Open returns the sheet without the calls that were answered with keep, and with at most two calls for each
// statement: the others may have no object any more when these are answered.
func (s Sheet) Open(kept Kept) Sheet {
	calls, times := s.Calls, map[Statement]int{}
	s.Calls = nil
	for _, c := range calls {
		switch {
		case kept.has(c):
			s.Kept++
			continue
		case slices.ContainsFunc(c.Statements, func(t Statement) bool { return times[t] >= maxTwice }):
			s.Later++
			continue
		}
		for _, t := range c.Statements {
			times[t]++
		}
		s.Calls = append(s.Calls, c)
	}
	s.All = len(s.Calls)
	return s
}

// Among returns those of some calls that the sheet has.
func (s Sheet) Among(calls []Call) []Call {
	return slices.DeleteFunc(calls, func(c Call) bool {
		return !slices.ContainsFunc(s.Calls, func(t Call) bool { return t.Number == c.Number })
	})
}

// From returns the page of the sheet that begins with the call of a number.
func (s Sheet) From(number int) Sheet {
	calls, size := s.Calls, 0
	s.Calls = nil
	for _, c := range calls {
		if c.Number < number {
			continue
		}
		for _, t := range c.Statements {
			size += min(len(t.Text), maxOne)
		}
		if n := len(s.Calls); n >= maxCalls || n > 0 && size > maxSaid {
			s.Next = c.Number
			break
		}
		s.Calls = append(s.Calls, c)
	}
	return s
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
