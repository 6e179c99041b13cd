package resolve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/memory"
)

// maxStarts is how many places in a text are tried as the start of the draft.
// Prose has few braces; without a limit a text of braces would take quadratic
// time.
const maxStarts = 64

// find returns the draft's object with its keys in snake case, or notes why
// there is none.
func (p *coercer) find(b []byte, want memory.Category) map[string]any {
	v, note := read(b)
	if note != "" {
		p.note(note)
	}
	if v == nil {
		p.problem("draft", "one JSON object with category, new_info_summary and partial_content", string(b), "write the JSON alone, whole, without anything around it")
		return nil
	}
	v = clean(v)
	list, isList := v.([]any)
	if !isList {
		return snakeKeys(v.(map[string]any))
	}
	fits := fitting(list, want)
	if len(fits) != 1 {
		p.problem("draft", "one JSON object", v, "take the drafts one by one")
		return nil
	}
	p.note(fmt.Sprintf("draft: a list of %d, the draft in it was taken", len(list)))
	return fits[0]
}

// Split returns the drafts in what a drafting agent wrote, for ParseDraft to
// read one by one: a list of several is taken apart, anything else comes back
// as it is.
func Split(b []byte, want memory.Category) [][]byte {
	if len(b) > draftLimit {
		return [][]byte{b}
	}
	v, _ := read(b)
	list, _ := v.([]any)
	fits := fitting(list, want)
	if len(fits) < 2 {
		return [][]byte{b}
	}
	var parts [][]byte
	for _, m := range fits {
		part, err := json.Marshal(m)
		if err != nil {
			return [][]byte{b}
		}
		parts = append(parts, part)
	}
	return parts
}

// fitting are the elements of a list that are drafts of a category.
func fitting(list []any, want memory.Category) []map[string]any {
	var fits []map[string]any
	for _, e := range list {
		m, ok := e.(map[string]any)
		if !ok || !looksLikeDraft(m) {
			continue
		}
		m = snakeKeys(m)
		if c, err := memory.ParseCategory(flat(m["category"])); len(list) == 1 || err != nil || want == "" || c == want {
			fits = append(fits, m)
		}
	}
	return fits
}

// read finds the JSON in what a model wrote, nil when there is none, and notes
// what had to be put right.
func read(b []byte) (v any, note string) {
	text := strings.TrimSpace(strings.TrimPrefix(strings.ToValidUTF8(string(b), "\uFFFD"), "\uFEFF"))
	if v, ok := decodeDraft(text); ok {
		return v, ""
	}
	if v, ok := search(text); ok {
		return v, "draft: text around the JSON, dropped"
	}
	if i, j := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}'); i >= 0 && i < j {
		if v, ok := decodeDraft(repair(text[i : j+1])); ok {
			return v, "draft: broken JSON, repaired"
		}
	}
	return nil, ""
}

// decodeDraft decodes a text that is one draft, or a list that may hold one,
// and nothing else.
func decodeDraft(text string) (any, bool) {
	dec := newDecoder(text)
	var v any
	if dec.Decode(&v) != nil || strings.TrimSpace(text[dec.InputOffset():]) != "" {
		return nil, false
	}
	return v, isDraft(v)
}

// search looks for the first draft in a text with other things in it.
func search(text string) (any, bool) {
	starts := 0
	for i := 0; i < len(text) && starts < maxStarts; i++ {
		if text[i] != '{' && text[i] != '[' {
			continue
		}
		starts++
		dec := newDecoder(text[i:])
		var v any
		if dec.Decode(&v) != nil {
			continue
		}
		if isDraft(v) {
			return v, true
		}
		i += int(dec.InputOffset()) - 1
	}
	return nil, false
}

func newDecoder(text string) *json.Decoder {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	return dec
}

func isDraft(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return looksLikeDraft(v)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool {
			m, ok := e.(map[string]any)
			return ok && looksLikeDraft(m)
		})
	}
	return false
}

func looksLikeDraft(m map[string]any) bool {
	for k := range m {
		switch snake(k) {
		case "category", "partial_content", "new_info_summary", "content", "action", "intended_action":
			return true
		}
	}
	return false
}

// repair mends what models break most often in JSON: newlines and tabs inside
// texts, commas before a closing bracket, and the numbers that are none of
// Python's printer, which become null. It is linear.
func repair(text string) string {
	var b bytes.Buffer
	inText, escaped := false, false
	comma := -1 // where in b a comma stands with only white space after it
	for i := 0; i < len(text); i++ {
		c := text[i]
		if inText {
			switch {
			case escaped:
				escaped = false
			case c == '\\':
				escaped = true
			case c == '"':
				inText = false
			case c < ' ':
				fmt.Fprintf(&b, `\u%04x`, c)
				continue
			}
			b.WriteByte(c)
			continue
		}
		if word := notNumber(text[i:]); word != "" {
			b.WriteString("null")
			i += len(word) - 1
			comma = -1
			continue
		}
		switch c {
		case '"':
			inText, comma = true, -1
		case ',':
			comma = b.Len()
		case '}', ']':
			if comma >= 0 {
				b.Truncate(comma)
			}
			comma = -1
		case ' ', '\t', '\r', '\n':
		default:
			comma = -1
		}
		b.WriteByte(c)
	}
	return b.String()
}

// notNumber is the word at the beginning of s that Python writes for what is no
// number, "" if there is none.
func notNumber(s string) string {
	for _, word := range [...]string{"NaN", "Infinity", "-Infinity"} {
		if strings.HasPrefix(s, word) {
			return word
		}
	}
	return ""
}

// snakeKeys returns m with its keys as the schema has them. Where two keys
// become one, the one that was written right wins.
func snakeKeys(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for _, k := range sortedKeys(m) {
		s := snake(k)
		if _, taken := out[s]; !taken || s == k {
			out[s] = m[k]
		}
	}
	return out
}

// snake turns "newInfoSummary", "New Info Summary" and "new-info-summary" into
// "new_info_summary".
func snake(k string) string {
	var b strings.Builder
	lower := false // the rune before was a lower-case letter
	for _, r := range strings.TrimSpace(k) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('_')
			lower = false
		case unicode.IsUpper(r):
			if lower {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
			lower = false
		default:
			b.WriteRune(r)
			lower = unicode.IsLower(r)
		}
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// first returns the first value that is there and not null.
func first(m map[string]any, names ...string) any {
	for _, n := range names {
		if v := m[n]; v != nil {
			return v
		}
	}
	return nil
}
