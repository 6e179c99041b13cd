package memdir

import (
	"path"
	"strings"
	"unicode/utf8"
)

func (v *view) index() *page { return v.at[Index] }

func (v *view) indexMissing() {
	if v.index() != nil {
		return
	}
	if real := v.low[strings.ToLower(Index)]; real != "" {
		v.find(real, 0, true, "is not called %s, and the client looks for just that", Index)
		return
	}
	n := 0
	for range v.topics {
		n++
	}
	if n > 0 {
		v.find(Index, 0, true, "there is none, and %s", plural(n, "topic file"))
	}
}

func (v *view) indexCut() {
	p := v.index()
	if p == nil || len(p.doc.Lines) <= ClientLines && len(p.Bytes) <= ClientBytes {
		return
	}
	at, size := 0, 0
	for i, l := range p.doc.Lines {
		size += len(l.Text) + len(l.End)
		if i >= ClientLines || size > ClientBytes {
			at = i + 1
			break
		}
	}
	lines, bytes := v.rest()
	v.find(Index, at, lines <= ClientLines && bytes <= ClientBytes, "has %s and %d bytes; the client loads %d lines or %d bytes, nothing from here on",
		plural(len(p.doc.Lines), "line"), len(p.Bytes), ClientLines, ClientBytes)
}

func (v *view) indexLong() {
	if p := v.index(); p != nil && len(p.doc.Lines) >= v.Under {
		lines, _ := v.rest()
		v.find(Index, v.Under, lines < v.Under, "has %s; %s keeps it under %d", plural(len(p.doc.Lines), "line"), v.Name, v.Under)
	}
}

// rest is how long MEMORY.md would be with one line in the place of each part
// that is content.
func (v *view) rest() (lines, bytes int) {
	p := v.index()
	lines, bytes = len(p.doc.Lines), len(p.Bytes)
	for _, c := range v.parts {
		lines -= c.lines - 1
		bytes -= c.bytes - 80
	}
	return lines, bytes
}

func (v *view) indexParagraph() { v.tell(prose, "a paragraph of %s: %s") }
func (v *view) indexContent()   { v.tell(content, "%s of content: %s") }
func (v *view) indexStream()    { v.tell(stream, "a diary of %s: %s") }
func (v *view) indexHistory()   { v.tell(history, "%s of what used to be: %s") }

func (v *view) tell(k sort, format string) {
	for _, c := range v.parts {
		if c.sort == k {
			v.find(Index, c.line, true, format, plural(c.lines, "line"), short(c.text))
		}
	}
}

func (v *view) indexForm() {
	p := v.index()
	if p == nil {
		return
	}
	last := 0
	for _, r := range p.refs {
		switch {
		case r.Form == v.Form:
		case v.Form == Table && !local(r.Target): // where the other scopes are
		case r.Line != last: // once for each line
			v.find(Index, r.Line, true, "leads to %s; the form is %s", short(r.Target), v.Shape)
		}
		last = r.Line
	}
}

// hooked are the references that are in the profile's form, so that what stands
// there is known.
func (v *view) hooked(yield func(Ref) bool) {
	p := v.index()
	if p == nil {
		return
	}
	for _, r := range p.refs {
		if r.Form == v.Form && !yield(r) {
			return
		}
	}
}

func (v *view) hookMissing() {
	for r := range v.hooked {
		if strings.Trim(r.Hook, "-—– .:|"+r.Date) == "" {
			_, described := v.described(r)
			v.find(Index, r.Line, described, "doesn't say what makes %s relevant", short(r.Target))
		}
	}
}

// described is the description of the file that a reference leads to.
func (v *view) described(r Ref) (string, bool) {
	to, _, _ := v.lead(r.Target)
	p := v.at[to]
	if p == nil {
		return "", false
	}
	d, _ := p.doc.Head.Get("description")
	return d, d != "" && !vague(d)
}

func (v *view) hookVague() {
	for r := range v.hooked {
		hook := strings.Trim(strings.ReplaceAll(r.Hook, r.Date, ""), "-—– .:|")
		name := strings.TrimSuffix(path.Base(r.Target), ".md")
		if hook != "" && (vague(hook) || v.Form != Table && (same(hook, r.Title) || same(hook, name))) {
			_, described := v.described(r)
			v.find(Index, r.Line, described, "%q doesn't say what makes %s relevant", short(hook), short(r.Target))
		}
	}
}

// maxHook bounds a line of the index, in characters. The client's own
// instructions ask for about 150.
const maxHook = 200

func (v *view) hookLong() {
	for r := range v.hooked {
		if n := utf8.RuneCountInString(v.index().doc.Lines[r.Line-1].Text); n > maxHook {
			v.find(Index, r.Line, false, "has %d characters; a hook is one short line", n)
		}
	}
}

// same compares two names of a thing.
func same(a, b string) bool {
	flat := func(s string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '.' || r == '`' || r == '*' }), " ")
	}
	return flat(a) == flat(b)
}
