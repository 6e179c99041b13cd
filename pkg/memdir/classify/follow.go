package classify

import (
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// follow brings what the index and the description say of a file into step with the new
// version of the statement that they say: nobody should be led by what no longer holds.
// Case doesn't matter. Words of somebody's own stay.
func (j *job) follow(old entry, s *sheet) {
	said := exact(old.text)
	about, at := s.doc.Front.Get("description")
	was := strings.TrimRight(sentence(said, maxAbout), ".")
	if oneLine(s.doc, at) && has(strings.ToLower(about), strings.ToLower(was)) {
		now := j.description()
		if !strings.EqualFold(strings.TrimRight(text.OneLine(about), "."), was) { // it says more, which stays
			now, _ = replaceFold(about, was, strings.TrimRight(sentence(j.Text, maxAbout), "."))
		}
		line := s.doc.Lines[at-1].Text
		s.line(at-1, markdown.Indent(line)+"description: "+markdown.Scalar(now))
	}
	for _, index := range []string{memdir.Index, j.m.Overview()} {
		doc, _, there := j.m.Doc(index)
		if !there {
			continue
		}
		if s := j.desk[index]; s != nil {
			doc = s.doc
		}
		for _, r := range memdir.Refs(doc) {
			if to, ok := j.m.Leads(r); !ok || to != old.path {
				continue
			}
			line := doc.Lines[r.Line-1].Text
			now := line
			for _, n := range []int{maxAbout, maxRow} {
				was, is := shown(title(said), sentence(said, n)), shown(j.heading(), sentence(j.Text, n))
				head, hook := "", now // the title may say the same
				if at := strings.Index(now, "]("); at >= 0 && r.Form == memdir.Link {
					head, hook = now[:at+len("](")], now[at+len("]("):]
				}
				if hook, ok := replaceFold(hook, was.Hook, is.Hook); ok {
					now = head + hook
					for _, t := range []string{was.Title, was.Hook} {
						now, _ = replaceFold(now, "["+t+"](", "["+is.Title+"](")
					}
					break
				}
			}
			if now != line {
				j.open(index).line(r.Line-1, now)
			}
		}
	}
}

// oneLine reports whether all of a value in the frontmatter is in the line with its key.
func oneLine(d markdown.Doc, line int) bool {
	return line > 0 && line < d.Front.Lines && len(d.Front.Faults) == 0 &&
		len(markdown.Indent(d.Lines[line].Text)) <= len(markdown.Indent(d.Lines[line-1].Text))
}

// replaceFold returns a text with now in the place of the first part that is old, in any case.
func replaceFold(s, old, now string) (string, bool) {
	for i := 0; i+len(old) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(old)], old) {
			return s[:i] + now + s[i+len(old):], true
		}
	}
	return s, false
}

// shown returns the title and the hook as a line of an index shows them.
func shown(title, hook string) memdir.Ref {
	line, _ := memdir.IndexLine(memdir.Link, title, "x.md", hook)
	for _, r := range memdir.Refs(memdir.Parse([]byte(line))) {
		return r
	}
	return memdir.Ref{Title: title, Hook: hook}
}
