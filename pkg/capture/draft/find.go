package draft

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// maxStarts is how many places in a text are tried as the start of the draft. Prose has few braces; a text
// full of braces would otherwise take quadratic time.
const maxStarts = 64

// findDraft returns the draft's object with its keys in snake case, or adds a problem if there is none.
func (p *coercer) findDraft(b []byte, want memory.Category) map[string]any {
	all, notes := findObjects(b)
	p.notes = append(p.notes, notes...)
	if len(all) == 0 {
		// The error names the fields of the form in which the draft was written.
		expected := "one JSON object with covers, category, title and content"
		long := func(name string) bool { return strings.Contains(string(b), name) }
		if slices.ContainsFunc(longForm[:], long) {
			expected = "one JSON object with category, new_info_summary and partial_content"
		}
		p.problem("draft", expected,
			text.Clean(string(b)), "write the JSON alone, whole, without anything around it")
		return nil
	}
	fits := fittingDrafts(all, want)
	if len(fits) != 1 {
		p.problem("draft", "one JSON object", any(make([]any, len(all))), "take the drafts one by one")
		return nil
	}
	if len(all) > 1 {
		p.note(fmt.Sprintf("draft: a list of %d, the draft in it was taken", len(all)))
	}
	top := snakeKeys(cleanJSON(fits[0]).(map[string]any))
	p.short = !slices.ContainsFunc(longForm[:], func(name string) bool { return top[name] != nil })
	return top
}

// Split returns the drafts in what a drafting agent wrote, for Parse to parse one by one. Lists and
// consecutive objects are split; anything else is returned unchanged.
func Split(b []byte, want memory.Category) [][]byte {
	if len(b) > draftLimit {
		return [][]byte{b}
	}
	all, _ := findObjects(b)
	fits := fittingDrafts(all, want)
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

// fittingDrafts returns the objects that are drafts of a category.
func fittingDrafts(all []map[string]any, want memory.Category) []map[string]any {
	var fits []map[string]any
	for _, m := range all {
		m = snakeKeys(m)
		if c, err := memory.ParseCategory(flatText(m["category"])); len(all) == 1 || err != nil ||
			want == "" || c == want {
			fits = append(fits, m)
		}
	}
	return fits
}

// findObjects returns the drafts in what a model wrote, in order, and notes on what was corrected.
func findObjects(b []byte) (all []map[string]any, notes []string) {
	text := strings.TrimSpace(strings.TrimPrefix(strings.ToValidUTF8(string(b), "\uFFFD"), "\uFEFF"))
	dec := newDecoder(text)
	var v any
	if dec.Decode(&v) == nil && strings.TrimSpace(text[dec.InputOffset():]) == "" {
		return unwrap(v)
	}
	return searchDrafts(text)
}

// searchDrafts returns the drafts in a text with other things in it. After an object without an end, what
// follows may be a part of it; then only objects that are clearly whole drafts count.
func searchDrafts(text string) (all []map[string]any, notes []string) {
	starts, found, outside := 0, 0, false
	mended, broken := false, false
	at := 0 // the text is read up to here
	for i := 0; i < len(text) && starts < maxStarts; i++ {
		if text[i] != '{' && text[i] != '[' {
			continue
		}
		starts++
		v, length, ok := decodeStrictly(text[i:])
		lax := !ok
		if lax {
			v, length, ok = decodeLeniently(text[i:])
		}
		if !ok {
			broken = true
			continue
		}
		drafts, said := unwrap(v)
		if broken {
			drafts = slices.DeleteFunc(drafts, func(m map[string]any) bool { return !isWhole(m) })
		}
		if len(drafts) > 0 {
			outside = outside || strings.Trim(text[at:i], " \t\r\n,") != ""
			all, notes, mended = append(all, drafts...), append(notes, said...), mended || lax
			found++
			at = i + length
		}
		i += length - 1
	}
	if len(all) == 0 {
		return nil, nil
	}
	if mended {
		notes = append(notes, "draft: broken JSON, repaired")
	}
	if outside || strings.Trim(text[at:], " \t\r\n,") != "" {
		notes = append(notes, "draft: text around the JSON, dropped")
	}
	if found > 1 {
		notes = append(notes, fmt.Sprintf("draft: %d values after one another, taken as a list", found))
	}
	return all, notes
}

// decodeStrictly decodes the JSON value with which a text begins.
func decodeStrictly(text string) (v any, length int, ok bool) {
	dec := newDecoder(text)
	if dec.Decode(&v) != nil {
		return nil, 0, false
	}
	return v, int(dec.InputOffset()), true
}

// maxWraps is how deep drafts may be wrapped.
const maxWraps = 3

// unwrap returns the drafts in a value: itself, those in a list, those under a name ({"drafts": […]}), or
// under their category ({"decision": {…}}).
func unwrap(v any) (all []map[string]any, notes []string) {
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				if m, ok := e.(map[string]any); ok {
					walk(m, depth+1)
				}
			}
		case map[string]any:
			if looksLikeDraft(v) {
				all = append(all, v)
				return
			}
			if depth > maxWraps {
				return
			}
			for _, k := range sortedKeys(v) {
				before := len(all)
				c, err := memory.ParseCategory(snakeCase(k))
				switch inner := v[k].(type) {
				case []any:
					walk(inner, depth+1)
				case map[string]any:
					if err == nil && !looksLikeDraft(inner) && hasField(c, inner) {
						inner = map[string]any{"content": inner, "title": inner["title"],
							"new_info_summary": firstOf(inner, "new_info_summary", "summary")}
					}
					walk(inner, depth+1)
				}
				if len(all) == before {
					continue
				}
				notes = append(notes, fmt.Sprintf("draft: taken out of %q",
					text.Shorten(text.Clean(k), 30)))
				for _, m := range all[before:] {
					if err == nil && snakeKeys(m)["category"] == nil {
						m["category"] = string(c)
					}
				}
			}
		}
	}
	walk(v, 0)
	if list, ok := v.([]any); ok && len(all) == 1 {
		notes = append(notes, fmt.Sprintf("draft: a list of %d, the draft in it was taken", len(list)))
	}
	return all, notes
}

// hasField reports whether an object has a content field of a category.
func hasField(c memory.Category, m map[string]any) bool {
	return slices.ContainsFunc(memory.Fields(c), func(f memory.Field) bool { return m[f.Name] != nil })
}

func newDecoder(text string) *json.Decoder {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	return dec
}

func looksLikeDraft(m map[string]any) bool {
	for k := range m {
		switch snakeCase(k) {
		case "category", "partial_content", "new_info_summary", "content", "action",
			"intended_action", "noop":
			return true
		}
	}
	return false
}

// isWhole reports whether an object has fields that only the top of a draft has.
func isWhole(m map[string]any) bool {
	for k := range m {
		switch snakeCase(k) {
		case "category", "partial_content", "new_info_summary":
			return true
		}
	}
	return false
}

// snakeKeys returns m with its keys in snake case. If two keys become the same, the value of the one that was
// in snake case stays.
func snakeKeys(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for _, k := range sortedKeys(m) {
		s := snakeCase(k)
		if _, taken := out[s]; !taken || s == k {
			out[s] = m[k]
		}
	}
	return out
}

// snakeCase returns "newInfoSummary", "New Info Summary" and "new-info-summary" as "new_info_summary".
func snakeCase(k string) string {
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

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// firstOf returns the first value that is present and not null.
func firstOf(m map[string]any, names ...string) any {
	for _, n := range names {
		if v := m[n]; v != nil {
			return v
		}
	}
	return nil
}
