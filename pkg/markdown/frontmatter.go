package markdown

import (
	"strings"

	"keepsake/pkg/text"
)

// Frontmatter is the lines between two lines of "---" at the top of a file. It is read line by line and
// never through YAML, because nothing may be lost that a person or another program put there.
type Frontmatter struct {
	Lines  int // with both rules; 0 for none
	Fields []Field
	Faults []Fault
}

// A Field is a key with its value. A nested key has those above it before it: "metadata.type".
type Field struct {
	Key, Value string
	Line       int // from 1
}

// A Fault is an error that makes frontmatter unreadable for a reader of YAML.
type Fault struct {
	Line int
	Why  string
}

// Get returns the value of the first of these keys that has one, and its line.
func (h Frontmatter) Get(keys ...string) (value string, line int) {
	for _, k := range keys {
		for _, f := range h.Fields {
			if f.Key == k && f.Value != "" {
				return f.Value, f.Line
			}
		}
	}
	return "", 0
}

// Has reports whether there is such a key, with or without a value.
func (h Frontmatter) Has(key string) bool {
	for _, f := range h.Fields {
		if f.Key == key {
			return true
		}
	}
	return false
}

// maxFrontmatter bounds frontmatter, in lines.
const maxFrontmatter = 200

func parseFrontmatter(lines []Line) (h Frontmatter) {
	if len(lines) == 0 || !isFrontmatterRule(lines[0].Text) {
		return h
	}
	end := 0
	for i := 1; i < len(lines) && i < maxFrontmatter; i++ {
		if isFrontmatterRule(lines[i].Text) {
			end = i
			break
		}
	}
	if end == 0 {
		// A rule at the top is no frontmatter, but a key below it is.
		if len(lines) > 1 && ParseKey(lines[1].Text) != "" {
			h.Faults = []Fault{{1, `no line "---" ends it`}}
		}
		return h
	}
	h.Lines = end + 1
	h.parse(lines[:end])
	return h
}

// CutFrontmatter cuts a text into its frontmatter, without the two rules, and what stands below it, byte for
// byte. ok is false for a text without frontmatter, which is all body.
func CutFrontmatter(text string) (front, body string, ok bool) {
	rule, rest, _ := strings.Cut(strings.TrimPrefix(text, bom), "\n")
	if !isFrontmatterRule(rule) {
		return "", text, false
	}
	for at := 0; at < len(rest); {
		line, _, ended := strings.Cut(rest[at:], "\n")
		next := at + len(line)
		if ended {
			next++
		}
		if isFrontmatterRule(line) {
			return rest[:at], rest[next:], true
		}
		at = next
	}
	return "", text, false
}

// isFrontmatterRule reports whether a line is one of the two around frontmatter.
func isFrontmatterRule(line string) bool { return strings.TrimRight(line, " \t\r") == "---" }

func (h *Frontmatter) parse(lines []Line) {
	type level struct {
		indent int
		key    string
	}
	var above []level
	var value *Field // that lines further in go on with
	block, flow := false, false
	for i := 1; i < len(lines); i++ {
		text := lines[i].Text
		t := strings.TrimSpace(text)
		indent := len(text) - len(strings.TrimLeft(text, " "))
		deeper := value != nil && len(above) > 0 && indent > above[len(above)-1].indent
		switch {
		case t == "":
			continue
		case flow || block && deeper:
			value.add(t, " ")
			flow = flow && !strings.HasSuffix(t, "]") && !strings.HasSuffix(t, "}")
			continue
		case strings.HasPrefix(t, "#"):
			continue
		case strings.HasPrefix(text[len(text)-len(strings.TrimLeft(text, " ")):], "\t"):
			h.Faults = append(h.Faults, Fault{i + 1, "this line is indented with a tab"})
			continue
		case value != nil && (t == "-" || strings.HasPrefix(t, "- ")):
			value.add(unquote(strings.TrimSpace(t[1:])), ", ")
			continue
		}
		block = false
		key := ParseKey(t)
		if key == "" {
			if deeper && value.Value != "" {
				value.add(t, " ") // a text that goes on
			} else {
				h.Faults = append(h.Faults, Fault{i + 1, "this line is none of the form key: value"})
			}
			continue
		}
		for len(above) > 0 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		name := key
		if len(above) > 0 {
			name = above[len(above)-1].key + "." + key
		}
		above = append(above, level{indent, name})
		if h.Has(name) {
			h.Faults = append(h.Faults, Fault{i + 1, "has " + name + " a second time"})
		}
		raw := strings.TrimSpace(t[strings.Index(t, ":")+1:])
		h.Fields = append(h.Fields, Field{name, "", i + 1})
		value = &h.Fields[len(h.Fields)-1]
		switch {
		case raw == "":
		case raw[0] == '|' || raw[0] == '>':
			block = true
		case raw[0] == '[' && !strings.Contains(raw, "]"), raw[0] == '{' && !strings.Contains(raw, "}"):
			value.Value, flow = raw, true
		case (raw[0] == '"' || raw[0] == '\'') && strings.Count(raw, raw[:1]) == 1:
			h.Faults = append(h.Faults, Fault{i + 1, "a quotation is not closed"})
			value.Value = raw[1:]
		default:
			value.Value = unquote(raw)
		}
	}
	if flow {
		h.Faults = append(h.Faults, Fault{value.Line, "a bracket is not closed"})
	}
}

func (f *Field) add(s, between string) {
	if f.Value != "" {
		f.Value += between
	}
	f.Value += s
}

// ParseKey returns the key that a line of frontmatter begins with, "" for none.
func ParseKey(text string) string {
	key, rest, ok := strings.Cut(strings.TrimSpace(text), ":")
	if !ok || key == "" || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return ""
	}
	key = strings.Trim(key, `"'`)
	for i, r := range key {
		if !(r == '_' || r == '-' || r == '.' || r > 0x7f || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' ||
			r >= 'A' && r <= 'Z') || i == 0 && r == '-' {
			return ""
		}
	}
	return key
}

// unquote returns a value without quotation marks, or without the comment behind it.
func unquote(raw string) string {
	if len(raw) > 1 && (raw[0] == '"' || raw[0] == '\'') {
		if end := strings.LastIndexByte(raw, raw[0]); end > 0 {
			return raw[1:end]
		}
	}
	if i := strings.Index(raw, " #"); i >= 0 {
		raw = strings.TrimSpace(raw[:i])
	}
	if raw == "~" || raw == "null" || raw == "[]" || raw == "{}" {
		return ""
	}
	return raw
}

// Scalar returns a text as a value of frontmatter, in quotation marks where a reader of YAML would take it
// for
// something else.
func Scalar(s string) string {
	s = text.OneLine(s)
	plainly := s != "" && !strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`=~ ") &&
		!strings.Contains(s, ": ") &&
		!strings.Contains(s, " #") && !strings.HasSuffix(s, ":") && strings.Trim(s, "0123456789.-+eE:_") != ""
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null":
		plainly = false
	}
	switch {
	case plainly:
		return s
	case !strings.ContainsAny(s, `"\`):
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", "’") + "'"
}
