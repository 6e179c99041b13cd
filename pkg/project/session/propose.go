package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/secret"
	"keepsake/pkg/why/candidate"
	"keepsake/pkg/why/drawer"
)

// Propose checks each candidate in the document of a memory-keeper that began at a time, and puts
// it on the inbox or reports what is wrong with it. The notes that were there when the keeper began
// count as seen from then on, except those that today's budget left out. The report is kept beside
// the inbox.
func (pr *Proposals) Propose(document string, began, now time.Time) (candidate.Report, error) {
	doc := candidate.Parse(document)
	r := candidate.Report{Time: now.UTC(), Session: pr.ID, Read: doc.Counts.Read,
		Proposed: doc.Counts.Proposed,
		Left:     doc.Counts.Left,
		Cut:      doc.Cut, Items: []candidate.Item{}, Document: secret.Redact(document)}
	var fit []candidate.Candidate
	var at []int       // where each stands in the report
	var again []string // notes that another day has room for
	for _, c := range doc.Candidates {
		item := candidate.Item{Line: c.Line, Title: secret.Redact(c.Title), Source: sourceLine(c.Path, c.At)}
		checked, err := pr.checkCandidate(c)
		if err != nil {
			item.Why = err.Error()
		} else {
			item.Source = checked.Source
			fit, at = append(fit, checked), append(at, len(r.Items))
		}
		r.Items = append(r.Items, item)
	}
	if len(fit) > 0 {
		added, err := pr.Inbox().Add(fit, pr.Config.Inbox.DailyProposals, now, isSameCandidate)
		if err != nil {
			return r, err
		}
		for i, a := range added {
			item := &r.Items[at[i]]
			item.ID, item.Like = a.ID, a.Like
			switch a.Why {
			case "":
			case candidate.Exceeded:
				again = append(again, a.Entry)
				item.Why = fmt.Sprintf("%s (inbox.daily_proposals is %d); it stays in the notes", a.Why,
					pr.Config.Inbox.DailyProposals)
			default:
				item.Why = string(a.Why) + ", " + a.Like
			}
		}
	}
	return r, errors.Join(pr.markSeen(began, again), pr.Inbox().Tell(r))
}

// sourceLine returns a path with a line number, which is left out where it is 0.
func sourceLine(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// isSameCandidate reports whether two candidates are one: taken from one note with one quote inside
// the other, or saying the same.
func isSameCandidate(a, b candidate.Candidate) bool {
	if a.Entry != "" && a.Entry == b.Entry &&
		(strings.Contains(a.Quote, b.Quote) || strings.Contains(b.Quote, a.Quote)) {
		return true
	}
	return alike.Notes(a.Quote, b.Quote) || alike.Notes(a.Text, b.Text)
}

// Bounds of a quote. A text of fewer words can stand anywhere. leastRunes is for scripts that put
// no spaces between words.
const (
	leastWords = 3
	leastRunes = 10
)

// isSpaced reports whether a text is in a script that puts spaces between words, by its bytes per
// character.
func isSpaced(s string) bool { return len(s) < 2*utf8.RuneCountInString(s) }

// checkCandidate compares one candidate with the project's files, and returns it as the inbox keeps
// it.
func (pr *Proposals) checkCandidate(p candidate.Proposal) (c candidate.Candidate, err error) {
	switch n := candidate.Words(p.Quote); {
	case p.Quote == "":
		return c, errors.New("there is no quote")
	case n < leastWords && (isSpaced(p.Quote) || utf8.RuneCountInString(p.Quote) < leastRunes):
		return c,
			fmt.Errorf("the quote has %d words, which can stand anywhere; hint: quote the whole statement", n)
	case len(p.Quote) > scratch.MaxText:
		return c, fmt.Errorf("the quote has %d bytes, more than %d", len(p.Quote), scratch.MaxText)
	case p.Path == "":
		return c, errors.New("there is no source")
	}
	rel, text, err := pr.readSource(p.Path)
	if err != nil {
		return c, err
	}
	place, ok := candidate.Locate(text, p.Quote, p.At)
	if !ok {
		return c, fmt.Errorf("the quote does not stand in %s", rel)
	}
	if !place.Near(p.At) {
		return c, fmt.Errorf("the quote stands at line %d of %s, not near line %d", place.Line, rel, p.At)
	}
	if place.Text != scratch.Clean(place.Text) {
		return c, errors.New("the passage has characters that are no text")
	}
	if kinds := secret.Kinds(place.Text + "\n" + p.Reason); len(kinds) > 0 {
		return c, fmt.Errorf("it holds a secret (%s)", strings.Join(kinds, ", "))
	}
	c = candidate.Candidate{Quote: place.Text, Text: place.Text, Source: sourceLine(rel, place.Line),
		Reason: p.Reason, Wing: p.Wing, Room: p.Room, Drawer: p.Drawer}
	if c.Wing == "" {
		c.Wing = drawer.Tag(pr.Place.Home)
	}
	if c.Room == "" {
		c.Room = drawer.Decisions
	}
	for _, n := range [...]struct {
		what string
		name *string
	}{{"wing", &c.Wing}, {"room", &c.Room}, {"drawer", &c.Drawer}} {
		if *n.name == "" {
			continue
		}
		if *n.name, err = drawer.Name(*n.name); err != nil {
			return c, fmt.Errorf("the %s: %w", n.what, err)
		}
	}
	c.Entry, err = noteOf(rel, text, place)
	return c, err
}

// readSource reads a file of the project by the path that a keeper gave, and returns its path below
// the project's folder. It follows no link out of the project.
func (pr *Proposals) readSource(path string) (rel, text string, err error) {
	full := filepath.FromSlash(path)
	if !filepath.IsAbs(full) {
		full = filepath.Join(pr.Root, full)
	}
	rel, ok := layout.Relative(pr.Root, full)
	if !ok || rel == ".git" || strings.HasPrefix(rel, ".git/") {
		return "", "", fmt.Errorf("%s lies outside of the project", path)
	}
	root := layout.Resolved(pr.Root)
	if full = filepath.Join(root, rel); layout.Resolved(full) != full {
		return "", "", fmt.Errorf("%s is reached by a link", rel)
	}
	b, err := disk.Read(full, scratch.MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", fmt.Errorf("there is no file %s", rel)
	case err != nil:
		return "", "", err
	case !utf8.Valid(b):
		return "", "", fmt.Errorf("%s is no text", rel)
	}
	return rel, string(b), nil
}

// noteOf returns the id of the note that a passage is from, "" where the file has no notes. It is
// an error where the note is promoted already, or the passage is not inside one note.
func noteOf(rel, text string, place candidate.Place) (string, error) {
	name, ok := strings.CutPrefix(rel, scratch.Dir+"/")
	if !ok || filepath.Ext(name) != ".md" {
		return "", nil
	}
	all := scratch.Parse([]byte(text))
	for i, e := range all {
		last := i+1 == len(all)
		switch {
		case place.Line < e.Line, !last && place.Line >= all[i+1].Line:
			continue
		case place.Line == e.Line && !e.At.IsZero():
			return "",
				errors.New("the quote begins with the time of the note; hint: quote what the note says")
		case !last && place.Last >= all[i+1].Line:
			return "", errors.New("the quote goes over two notes; hint: quote one of them")
		case len(e.Promoted) > 0:
			return "", errors.New("the note is promoted already")
		}
		return e.ID(scratch.TopicOf(name)), nil
	}
	return "", fmt.Errorf("line %d of %s belongs to no note", place.Line, rel)
}
