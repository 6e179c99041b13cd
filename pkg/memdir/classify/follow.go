package classify

import (
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
)

// follow brings what the index and the description say of a file into step with the new
// version of the statement that they say: nobody should be led by what no longer holds.
// Words of somebody's own stay.
func (j *job) follow(old entry, s *sheet) {
	said := exact(old.text)
	for i, l := range s.doc.Lines[:s.doc.Front.Lines] {
		if l.Text == "description: "+markdown.Scalar(sentence(said, maxAbout)) {
			s.line(i, "description: "+markdown.Scalar(j.description()))
			break
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
				if strings.Contains(now, was.Hook) {
					now = strings.Replace(now, was.Hook, is.Hook, 1)
					now = strings.Replace(now, "["+was.Title+"](", "["+is.Title+"](", 1)
					break
				}
			}
			if now != line {
				j.open(index).line(r.Line-1, now)
			}
		}
	}
}

// shown returns the title and the hook as a line of an index shows them.
func shown(title, hook string) memdir.Ref {
	line, _ := memdir.IndexLine(memdir.Link, title, "x.md", hook)
	for _, r := range memdir.Refs(memdir.Parse([]byte(line))) {
		return r
	}
	return memdir.Ref{Title: title, Hook: hook}
}
