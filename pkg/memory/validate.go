package memory

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// Problem is one fault of a record or a draft, said so that its author can mend it.
type Problem struct {
	Field    string `json:"field"` // dotted: "content.steps[2]"
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Fix      string `json:"fix"`
}

// String returns the problem in one line.
func (p Problem) String() string {
	s := p.Field + ": expected " + p.Expected + ", got " + p.Got
	if p.Fix != "" {
		s += "; fix: " + p.Fix
	}
	return s
}

// ValidationError lists all the faults of a record or a draft.
type ValidationError struct {
	Problems []Problem // at least one
}

// Error returns the problems, one after the other.
func (e *ValidationError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, " | ")
}

// Validate returns an error unless the record may be written. It asks for all that Decode asks for, and for
// the limits that only writers keep: MaxTags and MaxChanges. The error is a *ValidationError.
func (r Record) Validate() error {
	c := r.check()
	if len(r.Tags) > MaxTags {
		c.addProblem("tags", fmt.Sprintf("at most %d tags", MaxTags), strconv.Itoa(len(r.Tags)),
			"keep the most telling ones")
	}
	if len(r.Changes) > MaxChanges {
		c.addProblem("changes", fmt.Sprintf("at most %d entries", MaxChanges), strconv.Itoa(len(r.Changes)),
			"drop the oldest")
	}
	r.Branch.check(c)
	r.checkVerify(c)
	return c.err()
}

// checker collects problems.
type checker struct{ problems []Problem }

func (c *checker) addProblem(field, expected, got, fix string) {
	c.problems = append(c.problems, Problem{field, expected, got, fix})
}

func (c *checker) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	return &ValidationError{c.problems}
}

// check returns a checker with the faults that make a record unreadable.
func (r Record) check() *checker {
	c := new(checker)
	if r.Category.Folder() == "" {
		c.addProblem("category", "one of the six categories", strconv.Quote(string(r.Category)),
			"use session_summary, decision, runbook, constraint, tech_debt or preference")
	}
	if !ValidID(r.ID) {
		c.addProblem("id", fmt.Sprintf("1 to %d lower-case letters, digits and hyphens", MaxID),
			strconv.Quote(text.Shorten(r.ID, MaxID)), "use the stem of the file name")
	}
	if n := utf8.RuneCountInString(r.Title); n > MaxTitle {
		c.addProblem("title", fmt.Sprintf("at most %d characters", MaxTitle), strconv.Itoa(n),
			"shorten the title")
	}
	if !slices.Contains([]Status{Active, Retired, Archived}, r.Status) {
		c.addProblem("record_status", "active, retired or archived", strconv.Quote(string(r.Status)), "")
	}
	if r.CreatedAt == "" {
		c.addProblem("created_at", "a time", "nothing", "write it as 2026-11-20T09:00:00Z")
	}
	if r.UpdatedAt == "" {
		c.addProblem("updated_at", "a time", "nothing", "write it as 2026-11-20T09:00:00Z")
	}
	if len(r.Tags) == 0 {
		c.addProblem("tags", "at least one tag", "none", `use ["untagged"]`)
	}
	if f := r.Confidence; f != nil && !(*f >= 0 && *f <= 1) { // NaN fails too
		c.addProblem("confidence", "a number from 0 to 1", strconv.FormatFloat(*f, 'g', -1, 64), "")
	}
	if r.TimesUpdated < 0 {
		c.addProblem("times_updated", "0 or more", strconv.Itoa(r.TimesUpdated), "")
	}
	for i, ch := range r.Changes {
		if n := utf8.RuneCountInString(ch.Summary); n > MaxSummary {
			c.addProblem(fmt.Sprintf("changes[%d].summary", i),
				fmt.Sprintf("at most %d characters", MaxSummary),
				strconv.Itoa(n), "shorten it")
		}
	}
	if major, _, ok := schemaVersion(r.SchemaVersion); r.SchemaVersion != "" && (!ok || major != 1) {
		c.addProblem("schema_version", `"1.0", "1.1", "1.2" or "1.3"`,
			strconv.Quote(text.Shorten(r.SchemaVersion, 20)),
			"")
	}
	if r.SupersededBy != "" && r.Status == Active {
		c.addProblem("superseded_by", "nothing in an active record",
			strconv.Quote(text.Shorten(r.SupersededBy, 60)),
			"retire the record, or take it out")
	}
	if r.Guard != nil {
		r.Guard.check(c)
	}
	checkContent(c, r.Category, r.Content)
	return c
}

// checkContent checks content against the category's table.
func checkContent(c *checker, cat Category, content Content) {
	fields := Fields(cat)
	for _, f := range fields {
		v, ok := content[f.Name]
		if !ok {
			if f.Required {
				c.addProblem("content."+f.Name, f.expected(), "nothing", "add it")
			}
			continue
		}
		f.checkValue(c, v)
	}
	var unknown []string
	for name := range content {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		c.addProblem("content."+text.Shorten(name, 40), "no such field in a "+string(cat), "one",
			"remove it, or put what it says in a field of the category")
	}
}

// checkValue checks a normalised value against its row of the table.
func (f Field) checkValue(c *checker, v any) {
	ok := false
	switch f.Kind {
	case Text:
		_, ok = v.(string)
	case Enum:
		s, is := v.(string)
		ok = is && slices.Contains(f.Enum, s)
	case Flag:
		_, ok = v.(bool)
	case List:
		l, is := v.([]string)
		ok = is && len(l) >= f.Min
	case Alternatives:
		var list []map[string]string
		if list, ok = v.([]map[string]string); !ok {
			break
		}
		for i, m := range list {
			_, option := m["option"]
			_, reason := m["rejected_reason"]
			if !option || !reason || len(m) != 2 {
				c.addProblem(fmt.Sprintf("content.%s[%d]", f.Name, i),
					"option and rejected_reason and nothing else",
					keyList(m), "")
			}
		}
	case Examples:
		var m map[string][]string
		if m, ok = v.(map[string][]string); !ok {
			break
		}
		for k := range m {
			if !slices.Contains(exampleKeys, k) {
				c.addProblem("content."+f.Name, "prefer and avoid and nothing else", keyList(m), "")
				break
			}
		}
	}
	if !ok {
		c.addProblem("content."+f.Name, f.expected(), describe(v), "")
	}
}

// expected returns the shape of a field in words.
func (f Field) expected() string {
	switch f.Kind {
	case Text:
		return "text"
	case Enum:
		return "one of " + strings.Join(f.Enum, ", ")
	case Flag:
		return "true or false"
	case List:
		if f.Min > 0 {
			return fmt.Sprintf("a list of texts with at least %d", f.Min)
		}
		return "a list of texts"
	case Alternatives:
		return "a list of {option, rejected_reason}"
	}
	return "{prefer: [], avoid: []}"
}

// describe returns what a value is, short enough for a message.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(text.Shorten(v, 40))
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []string:
		return fmt.Sprintf("a list of %d", len(v))
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("a %T", v)
}

func keyList[V any](m map[string]V) string {
	names := sortedKeys(m)
	for i, k := range names {
		names[i] = text.Shorten(k, 20)
	}
	return "{" + strings.Join(names, ", ") + "}"
}
