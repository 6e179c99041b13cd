package tidy

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// A draft is a file on its way to what it shall say. Lines are counted from 1, as
// the file had them, whatever was changed already.
type draft struct {
	path  string
	doc   markdown.Doc
	bytes []byte
	said  []Statement
	drop  map[int]bool
	put   map[int][]string // in the place of a line
	above map[int][]string
	below map[int][]string // of the last line that says something; 0 is above all
	gone  bool             // the file as a whole
	moved bool             // all of it went to another file

	exact, shown map[string][]Statement // the statements by their words, and by how these look; nil at first

	modified time.Time // when it was last written
	day      time.Time // that its frontmatter shall say, the zero time for the one that it says
	fresh    bool      // something new is in it, or it was checked
}

func newDraft(f memdir.File, doc markdown.Doc) *draft {
	return &draft{path: f.Path, doc: doc, bytes: f.Bytes, said: statements(f.Path, doc), drop: map[int]bool{},
		put: map[int][]string{}, above: map[int][]string{}, below: map[int][]string{}, modified: f.Modified}
}

// lines returns the lines of a statement as they stand in the file.
func (f *draft) lines(s Statement) (out []string) {
	for i := s.Line; i <= s.last; i++ {
		out = append(out, f.doc.Lines[i-1].Text)
	}
	return out
}

func (f *draft) remove(s Statement) {
	for i := s.Line; i <= s.last; i++ {
		f.drop[i] = true
	}
}

// say puts a text in the place of a statement, in its form.
func (f *draft) say(s Statement, text string) {
	f.fresh = true
	f.remove(s)
	f.put[s.Line] = s.form(f.doc.Lines[s.Line-1].Text, text)
}

// form returns a text as lines of the statement's kind. Those of an item get its mark and its indentation.
func (s Statement) form(first, text string) []string {
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"), "\n")
	t := strings.TrimSpace(first)
	own := markdown.ItemText(first)
	if own == "" || s.kind != markdown.Item && s.kind != memdir.Pointer {
		for i := range lines {
			lines[i] = first[:s.depth] + strings.TrimRight(lines[i], " \t")
		}
		return lines
	}
	mark := t[:len(t)-len(own)]
	for i := range lines {
		l := strings.TrimRight(lines[i], " \t")
		switch {
		case markdown.ItemText(l) != "":
			l = first[:s.depth] + mark + markdown.ItemText(l)
		case i == 0:
			l = first[:s.depth] + mark + l
		case l != "":
			l = first[:s.depth] + strings.Repeat(" ", len(mark)) + strings.TrimSpace(l)
		}
		lines[i] = l
	}
	return lines
}

// end returns the number of the last line with text in a section, or in the file if under is "". It is
// false if there is no such heading.
func (f *draft) end(under string) (line int, ok bool) {
	from, to := f.doc.Front.Lines, len(f.doc.Lines)
	if under != "" {
		all := f.doc.Sections()
		i := slices.IndexFunc(all, func(s markdown.Section) bool {
			return strings.EqualFold(text.OneLine(s.Title), text.OneLine(markdown.Title(under)))
		})
		if i < 0 {
			return 0, false
		}
		from, to = all[i].At, all[i].End
	}
	for to > from && f.doc.Lines[to-1].Kind == markdown.Blank {
		to--
	}
	if to == f.doc.Front.Lines {
		return 0, true
	}
	return to, true
}

// after puts lines below a line.
func (f *draft) after(line int, lines []string) {
	there := f.below[line]
	if n := len(there); n > 0 && there[n-1] != "" && !(listed(there[n-1]) && listed(lines[0]) &&
		row(there[n-1]) == row(lines[0])) {
		there = append(there, "") // two paragraphs stay two
	}
	f.below[line] = append(there, lines...)
}

// print returns the bytes of the changed file. It drops headings with nothing left below them, and one of
// two blank lines where something was taken away.
func (f *draft) print() []byte {
	end := f.doc.EOL()
	var out []markdown.Line
	cut := false            // something was taken away since the last line that stays
	var taken markdown.Kind // what that was
	add := func(lines []string) {
		for _, l := range lines {
			out = append(out, markdown.Line{Text: l, End: end})
		}
		cut = cut && len(lines) == 0
	}
	below := func(line int) {
		lines := f.below[line]
		if len(lines) == 0 {
			return
		}
		if n := len(out); n > 0 && out[n-1].Text != "" &&
			!(listed(out[n-1].Text) && listed(lines[0]) && row(out[n-1].Text) == row(lines[0])) {
			add([]string{""})
		}
		if n := len(out); n > 0 && out[n-1].End == "" {
			out[n-1].End = end
		}
		add(lines)
	}
	empty := f.emptied()
	for i := range f.doc.Lines {
		n := i + 1
		if n == f.doc.Front.Lines+1 {
			below(0)
		}
		l := f.doc.Lines[i]
		if lines := f.above[n]; len(lines) > 0 {
			add(append(slices.Clone(lines), ""))
		}
		switch {
		case f.drop[n]:
			add(f.put[n])
			if len(f.put[n]) == 0 && l.Kind != markdown.Blank {
				cut, taken = true, l.Kind
			}
		case empty[n]:
			cut, taken = true, l.Kind
		case l.Kind == markdown.Blank && cut && (len(out) == 0 || out[len(out)-1].Text == ""):
		default:
			if cut && l.Kind == markdown.Row && taken != markdown.Row && len(out) > 0 &&
				out[len(out)-1].Kind == markdown.Row {
				add([]string{""}) // two tables stay two
			}
			out = append(out, l)
			cut = cut && l.Kind == markdown.Blank
		}
		below(n)
	}
	if len(f.doc.Lines) == f.doc.Front.Lines {
		below(0)
	}
	for cut && len(out) > 0 && strings.TrimSpace(out[len(out)-1].Text) == "" {
		out = out[:len(out)-1]
	}
	if n := len(out); n > 0 && n < len(f.doc.Lines) && out[n-1].End == "" {
		out[n-1].End = end
	}
	d := f.doc
	d.Lines = out
	return d.Print()
}

// listed reports whether a line needs no blank line between itself and the next one of its kind.
func listed(l string) bool {
	return markdown.ItemText(l) != "" || row(l) || strings.HasPrefix(l, "  ")
}

func row(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "|") }

// emptied returns the lines of headings, below the title, that lost all that was below them.
func (f *draft) emptied() map[int]bool {
	out := map[int]bool{}
	type open struct {
		from, to int
		level    int
		had      bool // something was taken away below it
	}
	var stack []open
	close := func(level int) {
		for len(stack) > 0 && stack[len(stack)-1].level >= level {
			h := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for i := h.from; h.had && i <= h.to; i++ {
				out[i] = true
			}
			if h.had && len(stack) > 0 {
				stack[len(stack)-1].had = true
			}
		}
	}
	for i := f.doc.Front.Lines; i < len(f.doc.Lines); i++ {
		n := i + 1
		l := f.doc.Lines[i]
		hashes := markdown.HeadingLevel(l.Text)
		switch {
		case l.Kind == markdown.Heading && hashes > 1 && len(f.below[n]) == 0 && len(f.above[n]) == 0:
			close(hashes)
			stack = append(stack, open{n, n, hashes, false})
		case l.Kind == markdown.Blank && len(f.below[n]) == 0:
		case f.drop[n] && len(f.put[n]) == 0 && len(f.below[n]) == 0 && len(f.above[n]) == 0:
			if len(stack) > 0 {
				stack[len(stack)-1].had = true
			}
		default: // something stays: no heading above it goes
			stack = stack[:0]
		}
	}
	close(0)
	return out
}

// says returns how many statements are left. Stamps don't count.
func (f *draft) says() (n int) {
	if f.gone {
		return 0
	}
	for _, s := range f.said {
		if (!f.drop[s.Line] || len(f.put[s.Line]) > 0) && !markdown.IsStamp(s.Text) {
			n++
		}
	}
	for _, lines := range f.below {
		n += len(lines)
	}
	return n
}

func (f *draft) changed() bool {
	return f.gone || len(f.drop)+len(f.put)+len(f.above)+len(f.below) > 0
}

// set gives a key of the frontmatter a value, as it is to stand there, in its place if it is there.
func (f *draft) set(key, value string) {
	h := f.doc.Front
	line := key + ": " + value
	if h.Lines == 0 {
		f.above[1] = append([]string{"---", line, "---"}, f.above[1]...)
		return
	}
	for _, field := range h.Fields {
		if field.Key != key {
			continue
		}
		old := f.doc.Lines[field.Line-1].Text
		f.drop[field.Line] = true
		f.put[field.Line] = []string{old[:depth(old)] + line[strings.LastIndex(key, ".")+1:]}
		for i := field.Line + 1; i < h.Lines; i++ { // what goes on with its value
			if l := f.doc.Lines[i-1].Text; strings.TrimSpace(l) == "" || depth(l) <= depth(old) {
				break
			}
			f.drop[i] = true
		}
		return
	}
	f.drop[h.Lines] = true
	f.put[h.Lines] = append([]string{line}, append(f.put[h.Lines], f.doc.Lines[h.Lines-1].Text)...)
	if n := len(f.put[h.Lines]); n > 2 && f.put[h.Lines][n-1] == f.put[h.Lines][n-2] {
		f.put[h.Lines] = f.put[h.Lines][:n-1]
	}
}

// date marks the file as last known to be true on a day, where it says when it was.
func (f *draft) date(day time.Time, always bool) {
	key := memdir.UpdatedKey(f.doc.Front)
	switch {
	case key == "" && always:
		key = "last_updated"
	case key == "":
		return
	}
	f.set(key, day.Format(time.DateOnly))
}
