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

// Problem is one thing that is wrong with a record or a draft, said so that
// its author can mend it.
type Problem struct {
	Field    string `json:"field"` // dotted: "content.steps[2]"
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Fix      string `json:"fix"`
}

// String says the problem in one line.
func (p Problem) String() string {
	s := p.Field + ": expected " + p.Expected + ", got " + p.Got
	if p.Fix != "" {
		s += "; fix: " + p.Fix
	}
	return s
}

// ValidationError lists all that is wrong with a record or a draft.
type ValidationError struct {
	Problems []Problem // at least one
}

// Error says the problems, one after the other.
func (e *ValidationError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, " | ")
}

// Validate says whether the record may be written. It asks for all that Decode
// asks for, and for the limits that only writers keep: MaxTags and MaxChanges.
// An error is a *ValidationError.
func (r Record) Validate() error {
	c := r.check()
	if len(r.Tags) > MaxTags {
		c.add("tags", fmt.Sprintf("at most %d tags", MaxTags), strconv.Itoa(len(r.Tags)), "keep the most telling ones")
	}
	if len(r.Changes) > MaxChanges {
		c.add("changes", fmt.Sprintf("at most %d entries", MaxChanges), strconv.Itoa(len(r.Changes)), "drop the oldest")
	}
	return c.err()
}

// checker collects problems.
type checker struct{ problems []Problem }

func (c *checker) add(field, expected, got, fix string) {
	c.problems = append(c.problems, Problem{field, expected, got, fix})
}

func (c *checker) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	return &ValidationError{c.problems}
}

// check looks for what makes a record unreadable.
func (r Record) check() *checker {
	c := new(checker)
	if r.Category.Folder() == "" {
		c.add("category", "one of the six categories", strconv.Quote(string(r.Category)), "use session_summary, decision, runbook, constraint, tech_debt or preference")
	}
	if !ValidID(r.ID) {
		c.add("id", fmt.Sprintf("1 to %d lower-case letters, digits and hyphens", MaxID), strconv.Quote(text.Shorten(r.ID, MaxID)), "use the stem of the file name")
	}
	if n := utf8.RuneCountInString(r.Title); n > MaxTitle {
		c.add("title", fmt.Sprintf("at most %d characters", MaxTitle), strconv.Itoa(n), "shorten the title")
	}
	if !slices.Contains([]Status{Active, Retired, Archived}, r.Status) {
		c.add("record_status", "active, retired or archived", strconv.Quote(string(r.Status)), "")
	}
	if r.CreatedAt == "" {
		c.add("created_at", "a time", "nothing", "write it as 2026-11-20T09:00:00Z")
	}
	if r.UpdatedAt == "" {
		c.add("updated_at", "a time", "nothing", "write it as 2026-11-20T09:00:00Z")
	}
	if len(r.Tags) == 0 {
		c.add("tags", "at least one tag", "none", `use ["untagged"]`)
	}
	if f := r.Confidence; f != nil && !(*f >= 0 && *f <= 1) { // NaN fails too
		c.add("confidence", "a number from 0 to 1", strconv.FormatFloat(*f, 'g', -1, 64), "")
	}
	if r.TimesUpdated < 0 {
		c.add("times_updated", "0 or more", strconv.Itoa(r.TimesUpdated), "")
	}
	for i, ch := range r.Changes {
		if n := utf8.RuneCountInString(ch.Summary); n > MaxSummary {
			c.add(fmt.Sprintf("changes[%d].summary", i), fmt.Sprintf("at most %d characters", MaxSummary), strconv.Itoa(n), "shorten it")
		}
	}
	if major, _, ok := schemaVersion(r.SchemaVersion); r.SchemaVersion != "" && (!ok || major != 1) {
		c.add("schema_version", `"1.0", "1.1" or "1.2"`, strconv.Quote(text.Shorten(r.SchemaVersion, 20)), "")
	}
	if r.SupersededBy != "" && r.Status == Active {
		c.add("superseded_by", "nothing in an active record", strconv.Quote(text.Shorten(r.SupersededBy, 60)),
			"retire the record, or take it out")
	}
	checkContent(c, r.Category, r.Content)
	return c
}

// checkContent holds content against the category's table.
func checkContent(c *checker, cat Category, content Content) {
	fields := Fields(cat)
	for _, f := range fields {
		v, ok := content[f.Name]
		if !ok {
			if f.Required {
				c.add("content."+f.Name, f.expected(), "nothing", "add it")
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
		c.add("content."+text.Shorten(name, 40), "no such field in a "+string(cat), "one", "remove it, or put what it says in a field of the category")
	}
}

// checkValue holds a normalised value against its row.
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
				c.add(fmt.Sprintf("content.%s[%d]", f.Name, i), "option and rejected_reason and nothing else", keys(m), "")
			}
		}
	case Examples:
		var m map[string][]string
		if m, ok = v.(map[string][]string); !ok {
			break
		}
		for k := range m {
			if !slices.Contains(exampleKeys, k) {
				c.add("content."+f.Name, "prefer and avoid and nothing else", keys(m), "")
				break
			}
		}
	}
	if !ok {
		c.add("content."+f.Name, f.expected(), describe(v), "")
	}
}

// expected says the shape of a field in words.
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

// describe says what a value is, short enough for a message.
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

func keys[V any](m map[string]V) string {
	names := make([]string, 0, len(m))
	for k := range m {
		names = append(names, text.Shorten(k, 20))
	}
	slices.Sort(names)
	return "{" + strings.Join(names, ", ") + "}"
}
