package draft

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// coercer turns what models write into what the schema wants. It notes each change, and adds a problem for
// each value that it cannot change.
type coercer struct {
	notes    []string
	problems []memory.Problem
	short    bool // the draft has the flat form that keepsake remember takes
}

// longForm are the fields that only the form for drafters has.
var longForm = [...]string{"partial_content", "new_info_summary"}

func (p *coercer) note(s string) { p.notes = append(p.notes, s) }

func (p *coercer) problem(field, expected string, got any, fix string) {
	p.problems = append(p.problems, memory.Problem{Field: field, Expected: expected, Got: sayShort(got),
		Fix: fix})
}

// sayShort returns a value in short.
func sayShort(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		if strings.TrimSpace(v) == "" {
			return "nothing"
		}
		return strconv.Quote(text.Shorten(secret.Redact(v), 40))
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return "an object"
	}
	return text.Shorten(fmt.Sprint(v), 40)
}

// flatText returns any JSON value as one text: lists and objects with "; " between their entries, null as "".
func flatText(v any) string {
	switch v := v.(type) {
	case string:
		return text.Clean(v)
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		var parts []string
		for _, e := range v {
			if s := flatText(e); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, "; ")
	case map[string]any:
		return strings.Join(keyValues(v), "; ")
	}
	return ""
}

// keyValues returns an object's entries as "key: value", sorted by key.
func keyValues(m map[string]any) []string {
	var parts []string
	for _, k := range sortedKeys(m) {
		if s := flatText(m[k]); s != "" {
			parts = append(parts, text.Clean(k)+": "+s)
		}
	}
	return parts
}

// field returns a value as the type of the field's kind, or nil if it says nothing or cannot be converted.
func (p *coercer) field(f memory.Field, v any) any {
	name := "content." + f.Name
	switch f.Kind {
	case memory.Text:
		s := flatText(v)
		if _, is := v.(string); !is && s != "" {
			p.note(name + ": not text, joined")
		}
		if s != "" {
			return s
		}
	case memory.Enum:
		before := len(p.problems)
		value := p.enum(name, f.Enum, v)
		if f.Name == "kind" && len(p.problems) > before {
			// This field only sorts rules, and the form does not list its values, so a bad one is dropped.
			p.problems = p.problems[:before]
			p.note(fmt.Sprintf("%s: %s read as %s", name, sayShort(v), f.Default))
			return f.Default
		}
		return value
	case memory.Flag:
		return p.flag(name, v)
	case memory.List:
		if l := p.list(name, v); len(l) > 0 {
			return l
		}
	case memory.Alternatives:
		if l := p.alternatives(name, v); len(l) > 0 {
			return l
		}
	case memory.Examples:
		if m := p.examples(name, v); len(m) > 0 {
			return m
		}
	}
	return nil
}

// list returns a list of texts without empty ones. A single text becomes its lines without bullets.
func (p *coercer) list(name string, v any) []string {
	var out []string
	switch v := v.(type) {
	case nil:
	case []any:
		for _, e := range v {
			if m, ok := e.(map[string]any); ok && len(m) == 1 {
				// {"step": "do this"}: the key only labels the entry.
				for _, only := range m {
					e = only
				}
			}
			if s := flatText(e); s != "" {
				out = append(out, s)
			}
		}
	case string:
		for line := range strings.Lines(text.Clean(v)) {
			if line = cutBullet(line); line != "" {
				out = append(out, line)
			}
		}
		if len(out) > 0 {
			p.note(name + ": text, made a list")
		}
	case map[string]any:
		out = keyValues(v)
		p.note(name + ": an object, made a list")
	default:
		out = []string{flatText(v)}
		p.note(name + ": one value, made a list")
	}
	return out
}

// cutBullet returns a line without the mark of a list item: "- ", "* ", "3. ".
func cutBullet(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"- ", "* ", "• "} {
		if s, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(s)
		}
	}
	digits := strings.TrimLeft(line, "0123456789")
	if len(digits) < len(line) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		return strings.TrimSpace(digits[2:])
	}
	return line
}

// synonyms are words that models use for words of the schema. Each has the words it may stand for; a field
// takes the first that it knows.
var synonyms = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"abandon": {"abandoned"}, "canceled": {"abandoned"}, "cancelled": {"abandoned"},
		"adopted": {"accepted"}, "agreed": {"accepted"}, "approved": {"accepted"}, "decided": {"accepted"},
		"final": {"accepted"}, "active": {"accepted", "open"},
		"complete": {"success", "resolved"}, "completed": {"success", "resolved"},
		"done": {"success", "resolved"}, "succeeded": {"success"}, "successful": {"success"},
		"closed": {"resolved"}, "fixed": {"resolved"},
		"critical": {"high"}, "urgent": {"critical", "high"}, "blocker": {"critical", "high"},
		"major": {"high"}, "severe": {"high"},
		"deferred": {"open"}, "new": {"open"}, "todo": {"open"}, "pending": {"proposed", "open"},
		"draft": {"proposed"}, "tentative": {"proposed"},
		"failed": {"blocked"}, "failure": {"blocked"}, "stuck": {"blocked"},
		"in_progress": {"partial"}, "ongoing": {"partial", "in_progress"}, "partially_complete": {"partial"},
		"partial_success": {"partial"}, "mixed": {"partial"},
		"limit": {"limitation"}, "missing": {"gap"}, "rule": {"policy"},
		"minor": {"low"}, "moderate": {"medium", "default"}, "normal": {"medium", "default"},
		"medium": {"default"},
		"must":   {"strong"}, "required": {"strong"}, "strict": {"strong"}, "hard": {"strong"},
		"high": {"strong"}, "always": {"strong"},
		"obsolete": {"deprecated"}, "replaced": {"superseded"}, "reversed": {"superseded"},
		"p0": {"critical"}, "p1": {"high"}, "p2": {"medium"}, "p3": {"low"}, "p4": {"low"},
		"optional": {"soft"}, "weak": {"soft"}, "low": {"soft"}, "nice_to_have": {"soft"},
		"started": {"in_progress"}, "wip": {"in_progress"},
		"wontfix": {"wont_fix"}, "won_t_fix": {"wont_fix"}, "will_not_fix": {"wont_fix"},
	}
})

func (p *coercer) enum(name string, values []string, v any) any {
	said := flatText(v)
	if said == "" {
		return nil
	}
	word := strings.NewReplacer("-", "_", " ", "_", "'", "", "’",
		"").Replace(strings.ToLower(strings.Trim(said, " .!")))
	for _, w := range append([]string{word}, synonyms()[word]...) {
		for _, value := range values {
			if w != value {
				continue
			}
			if value != said {
				p.note(fmt.Sprintf("%s: %q read as %s", name, text.Shorten(said, 30), value))
			}
			return value
		}
	}
	p.problem(name, "one of "+strings.Join(values, ", "), v, "choose the nearest, or leave it out")
	return nil
}

func (p *coercer) flag(name string, v any) any {
	if b, ok := v.(bool); ok {
		return b
	}
	said := strings.ToLower(flatText(v))
	switch said {
	case "":
		return nil
	case "true", "yes", "y", "1", "active", "on":
		p.note(name + ": not a flag, read as true")
		return true
	case "false", "no", "n", "0", "inactive", "off", "expired":
		p.note(name + ": not a flag, read as false")
		return false
	}
	p.problem(name, "true or false", v, "write true or false")
	return nil
}

// notRecorded is the reason of an alternative that came without one.
const notRecorded = "not recorded"

// alternatives returns options and why they were rejected. It accepts objects with various keys, "option:
// reason", and an object of those.
func (p *coercer) alternatives(name string, v any) []map[string]string {
	var out []map[string]string
	add := func(option, reason string) {
		if option == "" {
			return
		}
		if reason == "" {
			reason = notRecorded
		}
		out = append(out, map[string]string{"option": option, "rejected_reason": reason})
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			m, ok := e.(map[string]any)
			if !ok {
				add(splitOption(flatText(e)))
				continue
			}
			m = snakeKeys(m)
			add(flatText(firstOf(m, "option", "name", "alternative", "title", "choice")),
				flatText(firstOf(m, "rejected_reason", "reason", "why_rejected", "rejection_reason", "why",
					"reason_rejected")))
		}
	case map[string]any:
		m := snakeKeys(v)
		if m["option"] != nil {
			return p.alternatives(name, []any{v})
		}
		for _, k := range sortedKeys(v) {
			add(text.Clean(k), flatText(v[k]))
		}
	case string:
		for _, line := range p.list(name, v) {
			add(splitOption(line))
		}
		return out
	default:
		p.problem(name, "a list of {option, rejected_reason}", v, "write a list of objects")
		return nil
	}
	for _, m := range out {
		if m["rejected_reason"] == notRecorded {
			p.note(name + ": an option without a reason, marked as " + notRecorded)
			break
		}
	}
	return out
}

// splitOption splits "MySQL: weaker JSON support" at the colon or dash.
func splitOption(s string) (option, reason string) {
	for _, sep := range []string{": ", " - ", " – ", " — "} {
		if a, b, ok := strings.Cut(s, sep); ok {
			return strings.TrimSpace(a), strings.TrimSpace(b)
		}
	}
	return s, ""
}

func (p *coercer) examples(name string, v any) map[string][]string {
	out := make(map[string][]string)
	m, ok := v.(map[string]any)
	if !ok {
		if l := p.list(name, v); len(l) > 0 {
			out["prefer"] = l
			p.note(name + ": not {prefer, avoid}, taken as prefer")
		}
		return out
	}
	for _, k := range sortedKeys(m) {
		key := ""
		switch snakeCase(k) {
		case "prefer", "preferred", "do", "good", "yes":
			key = "prefer"
		case "avoid", "avoided", "dont", "don't", "do_not", "bad", "no":
			key = "avoid"
		default:
			p.note(fmt.Sprintf("%s.%s: no such field, dropped", name, text.Shorten(k, 30)))
			continue
		}
		if l := p.list(name+"."+key, m[k]); len(l) > 0 {
			out[key] = append(out[key], l...)
		}
	}
	return out
}

// confidence returns a number from 0 to 1, from a number, its text, a percentage or one of three words. It
// returns nil for anything else, as no memory should be lost for it.
func (p *coercer) confidence(v any) *float64 {
	said := strings.ToLower(flatText(v))
	if said == "" {
		return nil
	}
	number, percent := strings.CutSuffix(said, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case err == nil && !math.IsNaN(f):
		// Above 10 it is a percentage; a little above 1 it is enthusiasm.
		if percent || f > 10 {
			f /= 100
		}
		f = min(1, max(0, f))
	case said == "high":
		f = 0.9
	case said == "medium":
		f = 0.7
	case said == "low":
		f = 0.5
	default:
		p.note(fmt.Sprintf("confidence: %q is no number, left out", text.Shorten(said, 30)))
		return nil
	}
	if n, ok := v.(json.Number); !ok || n.String() != strconv.FormatFloat(f, 'g', -1, 64) {
		p.note(fmt.Sprintf("confidence: %s read as %g", text.Shorten(said, 30), f))
	}
	return &f
}
