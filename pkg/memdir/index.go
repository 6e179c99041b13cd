package memdir

import (
	"path"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

func (v *view) index() *page { return v.at[Index] }

func (v *view) indexMissing() {
	if v.index() != nil {
		return
	}
	if why := v.dir.Unread[Index]; why != "" {
		v.find(Index, 0, false, "is there, but %s", why)
		return
	}
	if real := v.low[strings.ToLower(Index)]; real != "" {
		v.find(real, 0, false, "is not called %s, and the client looks for just that", Index)
		return
	}
	n := 0
	for range v.topics {
		n++
	}
	if n > 0 {
		v.find(Index, 0, true, "there is none, and %s", text.Count(n, "topic file"))
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
	v.find(Index, at, lines <= ClientLines && bytes <= ClientBytes,
		"has %s and %d bytes; the client loads %d lines or %d bytes, nothing from here on",
		text.Count(len(p.doc.Lines), "line"), len(p.Bytes), ClientLines, ClientBytes)
}

func (v *view) indexLong() {
	if p := v.index(); p != nil && len(p.doc.Lines) >= v.Under {
		lines, _ := v.rest()
		v.find(Index, v.Under, lines < v.Under, "has %s; %s keeps it under %d",
			text.Count(len(p.doc.Lines), "line"), v.Name, v.Under)
	}
}

// rest returns how long MEMORY.md would be, in lines and bytes, with one line in the place of each part
// that is content.
func (v *view) rest() (lines, bytes int) {
	p := v.index()
	lines, bytes = len(p.doc.Lines), len(p.Bytes)
	for _, c := range v.parts {
		lines -= c.lines - 1
		bytes -= c.bytes - pointBytes
	}
	if len(v.parts) > 0 && v.Form == Table {
		lines += 4 // the head of a table
	}
	return lines, bytes
}

// pointBytes is as much as a line takes that Format puts into an index.
const pointBytes = 300

// room returns how many more lines MEMORY.md can take.
func (v *view) room() int {
	p := v.index()
	most := ClientLines
	if v.Under > 0 {
		most = v.Under - 1
	}
	return min(most-len(p.doc.Lines), (ClientBytes-len(p.Bytes))/pointBytes)
}

func (v *view) indexParagraph() { v.tell(prose, "a paragraph of %s: %s") }
func (v *view) indexContent()   { v.tell(content, "%s of content: %s") }
func (v *view) indexStream()    { v.tell(stream, "a diary of %s: %s") }
func (v *view) indexHistory()   { v.tell(history, "%s of what used to be: %s") }

func (v *view) tell(k sort, format string) {
	for _, c := range v.parts {
		if c.sort == k {
			v.find(Index, c.line, true, format, text.Count(c.lines, "line"), short(c.text))
		}
	}
}

func (v *view) indexForm() {
	p := v.index()
	if p == nil {
		return
	}
	last := 0
	end, fixable := 0, false // where the table ends that the last row is of
	for _, r := range p.refs {
		switch {
		case r.Form == v.Form:
		case v.Form == Table && !local(r.Target): // where the other scopes are
		case r.Line != last: // once for each line
			if p.doc.Lines[r.Line-1].Kind != markdown.Row {
				fixable = v.reforms(p, r)
			} else if r.Line > end {
				_, end = p.tableAt(r.Line - 1)
				_, fixable = v.tabled(p, r.Line)
			}
			v.find(Index, r.Line, fixable, "leads to %s; the form is %s", short(r.Target), v.Shape)
		}
		last = r.Line
	}
}

// reforms reports whether a line of a list can be written in the profile's form.
func (v *view) reforms(p *page, r Ref) bool {
	_, ok := v.formed(p, r)
	return ok && (v.Form != Table || v.room() >= 4 || len(p.doc.Lines) >= v.Under)
}

// hooked yields the references of MEMORY.md that are in the profile's form, whose parts are known
// therefore.
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
			_, described := v.rehooked(v.index(), r)
			v.find(Index, r.Line, described, "doesn't say what makes %s relevant", short(r.Target))
		}
	}
}

func (v *view) hookVague() {
	for r := range v.hooked {
		hook := strings.Trim(strings.ReplaceAll(r.Hook, r.Date, ""), "-—– .:|")
		if hook != "" && v.vagueHook(r, hook) {
			_, described := v.rehooked(v.index(), r)
			v.find(Index, r.Line, described, "%q doesn't say what makes %s relevant", short(hook),
				short(r.Target))
		}
	}
}

// nameWords are as many words as a name has that says nothing of what it names.
const nameWords = 3

// vagueHook reports whether a hook says nothing about its file.
func (v *view) vagueHook(r Ref, hook string) bool {
	hook = strings.Trim(hook, "-—– .:|")
	name := markdown.TrimExt(path.Base(r.Target))
	return vague(hook) || v.Form != Table && len(strings.Fields(hook)) <= nameWords &&
		(same(hook, r.Title) || same(hook, name))
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
		return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
			return r == ' ' || r == '_' || r == '-' || r == '.' || r == '`' || r == '*'
		}), " ")
	}
	return flat(a) == flat(b)
}
