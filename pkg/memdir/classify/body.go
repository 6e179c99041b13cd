package classify

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
)

// body writes a new file.
func (j *job) body(file string, s *sheet) error {
	stem := strings.TrimSuffix(path.Base(file), ".md")
	switch {
	case j.p.Types:
		if err := j.reasoned(); err != nil {
			return err
		}
		s.insert(0, "---", "name: "+memdir.Slug(stem), "description: "+markdown.Scalar(j.description()),
			"metadata:", "  type: "+j.where.pointer, "---", "")
		s.end(j.paragraphs()...)
		if by := j.signed(); by != nil {
			s.end(by...)
		}
	case j.p.Tree != nil && j.where.once:
		s.insert(0, "# "+j.heading(), "")
		s.end(j.paragraphs()...)
		s.end(j.stamp()...)
	case j.p.Tree != nil:
		s.insert(0, "# "+titled(stem), "")
		s.end(j.block(s)...)
	default:
		s.insert(0, "---", "last_updated: "+j.date, "topics: ["+memdir.Slug(stem)+"]", "---", "",
			"# "+titled(stem), "")
		s.end(j.block(s)...)
	}
	return nil
}

// block returns the lines to add at the end of a file.
func (j *job) block(s *sheet) []string {
	var out []string
	switch {
	case j.p.Types:
		if endsInItem(s.doc) {
			out = j.items("")
		} else {
			out = j.paragraphs()
		}
		return append(append(out, ""), j.stamp()...)
	case j.p.Tree != nil && j.where.kind == "pattern":
		out = append(out, "## ["+j.date+"] "+j.heading(), "")
		if j.Why != "" {
			out = append(out, "- **Trigger**: "+j.Why)
		}
		out = append(out, "- **Lesson**: "+j.Text)
		if j.How != "" {
			out = append(out, "- **Next time**: "+j.How)
		}
		return append(append(out, ""), j.stamp()...)
	case j.p.Tree != nil:
		return append(append(j.items(""), ""), j.stamp()...)
	}
	out = append(append(out, "## "+j.date+" "+j.heading(), ""), j.paragraphs()...)
	if j.res.Did == Updated || j.res.Did == Replaced {
		return append(append(out, ""), j.stamp()...)
	}
	if by := j.signed(); by != nil {
		out = append(append(out, ""), by...)
	}
	return out
}

// items returns the statement and its reasons as a list.
func (j *job) items(indent string) []string {
	out := []string{indent + "- " + j.Text}
	if j.Why != "" {
		out = append(out, indent+"  - **Why:** "+j.Why)
	}
	if j.How != "" {
		out = append(out, indent+"  - **How to apply:** "+j.How)
	}
	return out
}

// paragraphs returns the statement and its reasons as paragraphs, or as a list if Markdown would read the
// statement as something else.
func (j *job) paragraphs() []string {
	if doc := memdir.Parse([]byte(j.Text)); len(doc.Lines) != 1 || doc.Lines[0].Kind != markdown.Paragraph ||
		doc.Front.Faults != nil || strings.Contains(j.Text, "|") {
		return j.items("") // a text that Markdown would take for something else
	}
	out := []string{j.Text}
	if j.Why != "" {
		out = append(out, "", "**Why:** "+j.Why)
	}
	if j.How != "" {
		out = append(out, "", "**How to apply:** "+j.How)
	}
	return out
}

// stamp dates what was added, and says who did it.
func (j *job) stamp() []string {
	out := []string{"_Updated: " + j.date + "_"}
	if by := j.signed(); by != nil {
		out = append(append(out, ""), by...)
	}
	return out
}

func (j *job) signed() []string {
	if j.By == "" {
		return nil
	}
	return []string{"_Written by: " + j.By + " " + j.date + "_"}
}

// reasoned returns an error that names what a new feedback or project memory lacks, nil if it lacks
// nothing.
func (j *job) reasoned() error {
	t := j.where.pointer
	if t != "feedback" && t != "project" || j.Why != "" && j.How != "" {
		return nil
	}
	lacks := "--why and --how are missing"
	if j.Why != "" {
		lacks = "--how is missing"
	} else if j.How != "" {
		lacks = "--why is missing"
	}
	return &Wrong{"a " + t + " memory says why, and how to apply it: " + lacks,
		"add --why 'the reason' --how 'when and how to act on it'"}
}

// How long a description and the text of a row may be, in characters.
const (
	maxAbout = 150
	maxRow   = 100
)

// description returns the text by which the client chooses the file.
func (j *job) description() string { return sentence(j.Text, maxAbout) }

// titled returns the name of a file as a title.
func titled(stem string) string {
	s := strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(stem))
	if s == "" {
		return "Notes"
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

func endsInItem(doc markdown.Doc) bool {
	last := false
	for _, l := range doc.Lines {
		switch l.Kind {
		case markdown.Item, memdir.Pointer:
			last = true
		case markdown.Paragraph, markdown.Heading, markdown.Code, markdown.Row, markdown.Quote:
			last = last && strings.HasPrefix(strings.TrimSpace(l.Text), "_")
		}
	}
	return last
}

// front updates the frontmatter of a file that is changed: the date, if the profile has one, and all of it
// if there is none.
func (j *job) front(file string, s *sheet) {
	if len(s.doc.Front.Faults) > 0 {
		return // to be mended first
	}
	if s.doc.Front.Lines == 0 {
		if head := j.head(file, s); head != nil {
			s.insert(0, append(head, "")...)
		}
		return
	}
	if said, _ := s.doc.Front.Get("last_updated"); said == memdir.Unknown {
		return // nobody knows how old the rest is
	}
	if _, line := memdir.Updated(s.doc.Front); line > 0 { // the client's own key, where it wrote one
		text := s.doc.Lines[line-1].Text
		s.line(line-1, text[:strings.Index(text, ":")+1]+" "+j.date)
		return
	}
	if j.p.Form == memdir.Table {
		s.insert(s.doc.Front.Lines-1, "last_updated: "+j.date)
	}
}

// head returns the default frontmatter of the profile, nil for none.
func (j *job) head(file string, s *sheet) []string {
	stem := strings.TrimSuffix(path.Base(file), ".md")
	switch {
	case j.p.Form == memdir.Table:
		return []string{"---", "last_updated: " + j.date, "topics: [" + memdir.Slug(stem) + "]", "---"}
	case j.p.Types:
		t := j.where.pointer
		if (t == "feedback" || t == "project") && !labelled(s.doc) {
			return nil // it would not be in the form of its type
		}
		about := ""
		for _, e := range entriesOf(file, s.doc) {
			if about = sentence(e.text, maxAbout); !memdir.IsFew(about) {
				break
			}
		}
		return []string{"---", "name: " + memdir.Slug(stem), "description: " + markdown.Scalar(about),
			"metadata:", "  type: " + t, "---"}
	}
	return nil
}

func labelled(doc markdown.Doc) bool {
	why, how := false, false
	for _, l := range doc.Lines {
		why = why || memdir.Label(l.Text, "why")
		how = how || memdir.Label(l.Text, "how to apply")
	}
	return why && how
}
