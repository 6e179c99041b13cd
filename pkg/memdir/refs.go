package memdir

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// Pointer is the kind of an item that leads to a file of the directory.
const Pointer = markdown.Custom

// Parse parses a file and marks the items that are Pointers.
func Parse(b []byte) markdown.Doc {
	d := markdown.Parse(b)
	for i := range d.Lines {
		if l := &d.Lines[i]; l.Kind == markdown.Item && len(refsOfItem(markdown.ItemText(l.Text))) > 0 {
			l.Kind = Pointer
		}
	}
	return d
}

// A Ref is a place in an index that leads to a file.
type Ref struct {
	Line   int    // from 1
	Title  string // of the link, or the word in bold
	Target string // the path as written, without an anchor
	Anchor string
	Hook   string // the text about when to load it
	Date   string // of a row: the cell below Last Updated
	Form   Form   // how it is written
}

// path returns the target as it is written, with its anchor.
func (r Ref) path() string {
	if r.Anchor == "" {
		return r.Target
	}
	return r.Target + "#" + r.Anchor
}

// Form is how a line of an index leads to a file.
type Form uint8

const (
	Loose   Form = iota // in any other way
	Link                // - [Title](file.md) — hook
	Keyword             // - **keyword**: one sentence → `path`
	Table               // | [file](file.md) | hook | 2026-03-01 |
)

// Refs returns the references of an index, in order.
func Refs(d markdown.Doc) []Ref {
	var out []Ref
	dateAt := -1
	for i, l := range d.Lines {
		if l.Kind != markdown.Row {
			dateAt = -1
		}
		switch l.Kind {
		case Pointer:
			t := markdown.ItemText(l.Text)
			for _, r := range refsOfItem(t) {
				r.Line = i + 1
				out = append(out, r)
			}
		case markdown.Row:
			cells := markdown.CellTexts(l.Text)
			if i == 0 || d.Lines[i-1].Kind != markdown.Row {
				dateAt = dateColumn(cells)
			}
			if r, ok := rowRef(cells); ok {
				r.Line = i + 1
				if dateAt >= 0 && dateAt < len(cells) {
					r.Date = strings.Trim(cells[dateAt], "*_` ")
				}
				out = append(out, r)
			}
		}
	}
	return out
}

// rowRef returns the reference of a row of a table: the first path in it.
func rowRef(cells []string) (Ref, bool) {
	r, at := refCell(cells)
	if at < 0 {
		return r, false
	}
	r.Form = Table
	r.Hook = strings.TrimSpace(strings.Join(slices.Delete(slices.Clone(cells), at, at+1), " "))
	return r, true
}

// refsOfItem finds the paths of memories in an item of a list. In a line of the form Link
// it may be that of a folder, or of a file, without its ending; see bareName.
func refsOfItem(t string) []Ref {
	refs := refsIn(t)
	if len(refs) > 0 || !strings.Contains(t, "](") {
		return refs
	}
	title, target, rest, ok := markdown.ParseLink(markdown.Clip(t))
	hook, dashed := afterDash(rest)
	if !ok || !dashed && rest != "" || !bareName(target) {
		return nil
	}
	r := ref(title, target)
	r.Hook, r.Form = hook, Link
	return []Ref{r}
}

// bareName reports whether a target may be a name without a slash or an ending. Only the directory decides
// whether there is such a folder or file: see view.unled.
func bareName(target string) bool {
	return local(target) && !strings.ContainsAny(strings.TrimPrefix(target, "./"), ".:#?&=%<>|`\\ ") &&
		!strings.HasSuffix(target, "/")
}

// refsIn finds the paths of memories in a text. A line in a form has one.
func refsIn(t string) []Ref {
	t = markdown.Clip(t)
	if !strings.Contains(t, "[[") && !namesMarkdown(t) && !strings.Contains(t, "/") {
		return nil
	}
	if title, target, rest, ok := markdown.ParseLink(t); ok && leads(target) {
		r := ref(title, target)
		if hook, ok := afterDash(rest); ok || rest == "" {
			r.Hook, r.Form = hook, Link
			return []Ref{r}
		}
		r.Hook = strings.TrimSpace(rest)
		return []Ref{r}
	}
	if name, rest, ok := strings.Cut(strings.TrimPrefix(t, "[["), "]]"); ok && strings.HasPrefix(t, "[[") &&
		!strings.ContainsAny(name, "[](") {
		name, _, _ = strings.Cut(name, "|")
		page, anchor, _ := strings.Cut(name, "#")
		r := ref(name, withEnding(page))
		r.Anchor = anchor
		r.Hook, _ = afterDash(rest)
		return []Ref{r}
	}
	if r, ok := keyword(t); ok {
		return []Ref{r}
	}
	var out []Ref
	for i := 0; i < len(t) && (len(out) > 0 || i <= farLink); i++ {
		if t[i] != '[' {
			continue
		}
		if title, target, rest, ok := markdown.ParseLink(t[i:]); ok {
			if leads(target) {
				out = append(out, ref(title, target))
			}
			i = len(t) - len(rest) - 1
		}
	}
	if len(out) > 0 {
		return out
	}
	// A path without a link counts where the line begins with it; elsewhere it is
	// a word of a sentence.
	word, rest, _ := strings.Cut(t, " ")
	if strings.HasPrefix(t, "`") {
		word, rest, _ = strings.Cut(t[1:], "`")
	}
	if w := strings.Trim(word, "\"'*_,;:`"); markdown.HasExt(w) && leads(w) &&
		!strings.ContainsAny(w, "`*< ") {
		r := ref("", w)
		r.Hook, _ = afterDash(strings.TrimLeft(word[strings.Index(word, w)+len(w):]+" "+rest, "*_`\"'"))
		return []Ref{r}
	}
	return nil
}

// namesMarkdown reports whether a text may name a Markdown file.
func namesMarkdown(t string) bool {
	return strings.Contains(t, ".md") || strings.Contains(t, ".MD") || strings.Contains(t, ".Md") ||
		strings.Contains(t, ".mD")
}

// withEnding returns a file name with the ending .md, also if the name lacks it.
func withEnding(name string) string {
	if markdown.HasExt(name) {
		return name
	}
	return name + ".md"
}

// farLink is how far into an item its link may stand, in bytes. Where more is said
// before it, the item is content that mentions a file.
const farLink = 40

func ref(title, target string) Ref {
	target, anchor := markdown.SplitTarget(target)
	return Ref{Title: strings.TrimSpace(title), Target: target, Anchor: anchor}
}

// keyword reads "**keyword**: one sentence → `path`".
func keyword(t string) (Ref, bool) {
	word, rest, ok := strings.Cut(strings.TrimPrefix(t, "**"), "**")
	if !ok || !strings.HasPrefix(t, "**") {
		return Ref{}, false
	}
	i, arrow := strings.LastIndex(rest, "→"), len("→")
	if i < 0 {
		i, arrow = strings.LastIndex(rest, "->"), len("->")
	}
	if i < 0 {
		return Ref{}, false
	}
	p := strings.TrimRight(strings.TrimSpace(rest[i+arrow:]), ".")
	if _, target, _, ok := markdown.ParseLink(p); ok {
		p = target
	}
	p = strings.Trim(p, "`")
	if !leads(p) || strings.ContainsAny(p, " `") {
		return Ref{}, false
	}
	r := ref(strings.Trim(word, ":"), p)
	r.Hook = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest[:i]), ":"))
	r.Form = Keyword
	return r, true
}

// afterDash returns the text behind the dash or colon of a pointer.
func afterDash(rest string) (string, bool) {
	rest = strings.TrimSpace(rest)
	for _, dash := range [...]string{"—", "–", "--", "-", ":"} {
		if hook, ok := strings.CutPrefix(rest, dash); ok {
			return strings.TrimSpace(hook), true
		}
	}
	return "", false
}

// leads reports whether a target may be a file or folder of memories, here or in another scope. A URL or a
// piece of code isn't.
func leads(target string) bool {
	p := ref("", target).Target
	return !strings.Contains(p, "://") && (markdown.HasExt(p) || len(p) > 1 && strings.HasSuffix(p, "/"))
}

// local reports whether a path stays in the directory.
func local(target string) bool {
	return target != "" && !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "~") &&
		!strings.HasPrefix(target, "$") &&
		target != ".." && !strings.HasPrefix(target, "../") && !strings.Contains(target, "/../")
}
