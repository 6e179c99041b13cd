package save

import (
	"encoding/json"
	"strings"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// An inputKind is what was given to be remembered.
type inputKind int

const (
	plainText   inputKind = iota
	wholeDraft            // a draft, or several, perhaps with other things around
	brokenDraft           // meant as a draft, or JSON that isn't one
)

// classifyInput returns whether an input is a draft or a text, and the input without the JSON string that
// it may be wrapped in. A broken draft is never taken for a text, which would be kept as a memory of JSON.
// A text that only has braces in it is a text.
func classifyInput(given string) (text string, is inputKind) {
	text = given
	var inner string
	if json.Unmarshal([]byte(given), &inner) == nil {
		text = strings.TrimSpace(inner)
	}
	all, whole := draft.Objects([]byte(text))
	for _, m := range all {
		if isDraft(m) {
			return text, wholeDraft
		}
	}
	body := withoutFence(text)
	switch {
	case body != "" && (body[0] == '{' || body[0] == '[') && json.Valid([]byte(body)):
		return text, brokenDraft
	case isBrokenJSON(body), !whole && namesDraftKeys(text):
		return text, brokenDraft
	}
	return given, plainText
}

// isDraft reports whether an object, its keys in snake case, can only be a draft. It names its category or
// finding, and has something to keep or the reason why there is nothing.
func isDraft(m map[string]any) bool {
	category, _ := m["category"].(string)
	_, err := memory.ParseCategory(category)
	of := err == nil || len(coversOf(m)) > 0
	for _, k := range [...]string{"title", "content", "partial_content", "new_info_summary",
		"noop", "target"} {
		if of && m[k] != nil {
			return true
		}
	}
	return err == nil && len(coversOf(m)) > 0 || m["partial_content"] != nil && m["new_info_summary"] != nil
}

// coversOf returns the numbers of the findings that an object says it covers.
func coversOf(m map[string]any) []int {
	for _, k := range [...]string{"covers", "covered", "cover", "findings", "finding"} {
		if m[k] != nil {
			return draft.Numbers(m[k])
		}
	}
	return nil
}

// withoutFence returns what stands in the one fence that a text is, or the text.
func withoutFence(text string) string {
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	inner, ok = strings.CutSuffix(strings.TrimSpace(inner), "```")
	_, body, more := strings.Cut(inner, "\n")
	if !ok || !more || strings.Contains(body, "```") {
		return text
	}
	return strings.TrimSpace(body)
}

// isBrokenJSON reports whether a text is an object, or a list of some, that is not
// written right or was cut short: it begins with a quoted key, and no words follow it.
func isBrokenJSON(text string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(text, "["))
	rest, ok := strings.CutPrefix(text, "{")
	if !ok {
		return false
	}
	rest = strings.TrimSpace(rest)
	unquoted := strings.TrimLeft(rest, quoteMarks)
	if unquoted == rest {
		return false
	}
	end := strings.IndexAny(unquoted, quoteMarks)
	if end >= 0 && !strings.HasPrefix(strings.TrimLeft(unquoted[end:], quoteMarks+" \t\n"), ":") {
		return false
	}
	return strings.HasSuffix(text, "}") || strings.HasSuffix(text, "]") ||
		strings.Count(text, "{") > strings.Count(text, "}")
}

// quoteMarks may stand around a key.
const quoteMarks = "\"'\\“”‘’"

// namesDraftKeys reports whether a text has the beginning of an object with two keys of a draft, one of
// which is category or covers.
func namesDraftKeys(text string) bool {
	_, text, ok := strings.Cut(text, "{")
	of, keys := false, 0
	for _, k := range [...]string{"category", "covers", "title", "content", "noop", "target", "supersedes",
		"intended_action", "partial_content", "new_info_summary"} {
		if ok && hasKey(text, k) {
			of, keys = of || k == "category" || k == "covers", keys+1
		}
	}
	return of && keys > 1
}

// hasKey reports whether a text has a name where an object has its keys.
func hasKey(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		before := strings.TrimRight(text[:at+i], quoteMarks+" \t\n")
		at += i + len(name)
		after := strings.TrimLeft(text[at:], quoteMarks+" \t\n")
		if (before == "" || strings.ContainsAny(before[len(before)-1:], "{,[")) &&
			strings.HasPrefix(after, ":") {
			return true
		}
	}
}

// draftsIn returns the drafts of a text, each by itself. One that names no category is of
// that of the first finding that it covers.
func draftsIn(text []byte, book *finding.Book) (all []Given) {
	for _, part := range draft.Split(text, "") {
		g := Given{Name: "remember", Text: part}
		if said, _ := draft.Objects(part); len(said) == 1 && said[0]["category"] == nil {
			g.Category = categoryIn(book, coversOf(said[0]))
		}
		all = append(all, g)
	}
	return all
}

// categoryIn returns the category of the first of some findings that a book has.
func categoryIn(book *finding.Book, numbers []int) memory.Category {
	for _, n := range numbers {
		if f, ok := book.Find(n); ok {
			return f.Category
		}
	}
	return ""
}
