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
	if about, line := s.doc.Front.Get("description"); line > 0 && strings.EqualFold(
		strings.TrimRight(text.OneLine(about), "."), strings.TrimRight(sentence(said, maxAbout), ".")) {
		l := s.doc.Lines[line-1].Text
		if key, _, ok := strings.Cut(l, ":"); ok && strings.Contains(l, about) { // else it goes over lines
			s.line(line-1, key+": "+markdown.Scalar(j.description()))
		}
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
