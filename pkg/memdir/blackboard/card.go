package blackboard

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
)

// A Card is what the card of a project says.
type Card struct {
	Title, Status, Deadline, Goal string

	Progress    []Entry
	Open        []Item // also those that are done
	Conclusions []Entry
}

// An Entry is a line of progress, or a conclusion.
type Entry struct {
	Date string `json:"date,omitempty"` // YYYY-MM-DD; "" when the line has none
	Text string `json:"text"`
}

// An Item is something to be done.
type Item struct {
	Text, Owner string
	Done        bool
}

// Last returns the newest line of progress.
func (c Card) Last() (e Entry, ok bool) {
	for _, p := range c.Progress {
		if p.Date >= e.Date {
			e, ok = p, true
		}
	}
	return e, ok
}

// A field is a line "- Status: active" above the first part of a card.
type field struct{ line, from, to int } // the value's place; line is an index

// A part is one of the lists of a card.
type part struct {
	name  string   // as a new card has it
	words []string // what a heading of it begins with
}

var (
	inProgress  = part{"Progress", []string{"progress"}}
	open        = part{"Open items", []string{"open", "to do", "todo", "pending"}}
	conclusions = part{"Conclusions", []string{"conclusion", "decision"}}
)

// errHidden is a file that nothing can be added to where it would be seen.
var errHidden = errors.New("code or a comment in it is not closed, so that what is added would be part of " +
	"it; close it first")

// A sheet is a card taken apart.
type sheet struct {
	markdown.Doc
	heads []markdown.Section
	top   int // index of the line that ends what stands above the first part
}

func read(b []byte) sheet {
	s := sheet{Doc: markdown.Parse(b)}
	s.heads = s.Sections()
	s.top = len(s.Lines)
	for _, h := range s.heads {
		if h.Level > 1 {
			s.top = h.At
			break
		}
	}
	return s
}

// ParseCard reads a card. What it can't make sense of is passed over.
func ParseCard(b []byte) Card {
	s := read(b)
	var c Card
	if h, ok := s.title(); ok {
		c.Title = h.Title
	}
	c.Status, _ = s.get("status")
	c.Deadline, _ = s.get("deadline")
	c.Goal, _ = s.get("goal")
	for _, i := range s.items(inProgress) {
		c.Progress = append(c.Progress, entry(s.Lines[i].Text))
	}
	for _, i := range s.items(open) {
		c.Open = append(c.Open, task(s.Lines[i].Text))
	}
	for _, i := range s.items(conclusions) {
		c.Conclusions = append(c.Conclusions, entry(s.Lines[i].Text))
	}
	return c
}

func (s sheet) title() (markdown.Section, bool) {
	for _, h := range s.heads {
		if h.Level == 1 {
			return h, true
		}
	}
	return markdown.Section{}, false
}

// get returns the value of a field and its place, "" and the line -1 if there is none.
func (s sheet) get(key string) (string, field) {
	for i := s.Front.Lines; i < s.top; i++ {
		l := s.Lines[i]
		switch l.Kind {
		case markdown.Item, markdown.Paragraph, markdown.Continued:
		default:
			continue
		}
		at := markdown.ItemStart(l.Text)
		name, value, ok := strings.Cut(l.Text[at:], ":")
		if !ok || !strings.EqualFold(strings.Trim(name, " \t*_"), key) {
			continue
		}
		bold := 0
		if b := name[:len(name)-len(strings.TrimLeft(name, "*_"))]; b != "" && !strings.HasSuffix(name, b) &&
			strings.HasPrefix(value, b) {
			bold = len(b) // "**Status:** active"
		}
		from := at + len(name) + 1 + bold
		return strings.TrimSpace(value[bold:]), field{i, from, len(l.Text)}
	}
	return "", field{line: -1}
}

// set gives a field a value, in its line or in one of its own.
func (s *sheet) set(key, value string) error {
	if value == "" {
		return nil
	}
	was, f := s.get(key)
	if was == value {
		return nil
	}
	line := "- " + strings.ToUpper(key[:1]) + key[1:] + ": " + value
	if f.line >= 0 {
		l := &s.Lines[f.line]
		l.Text = l.Text[:f.from] + " " + value
	} else if at := s.fields(); at > 0 {
		s.Insert(at, line)
		s.part(at + 1)
	} else if h, ok := s.title(); ok && h.At < s.top {
		s.Insert(h.Body, "", line)
		s.part(h.Body + 2)
	} else {
		s.Insert(s.Front.Lines, line)
		s.part(s.Front.Lines + 1)
	}
	*s = read(s.Print())
	if now, _ := s.get(key); now != value {
		return errHidden
	}
	return nil
}

// fields returns the index of the line behind the last field, 0 if there is no field.
func (s sheet) fields() (end int) {
	for _, k := range [...]string{"status", "deadline", "goal"} {
		if _, f := s.get(k); f.line >= end {
			end = f.line + 1
		}
	}
	for end > 0 && end < len(s.Lines) && s.Lines[end].Kind == markdown.Continued {
		end++
	}
	return end
}

// part puts a blank line before the line at if that line would continue the text above it.
func (s *sheet) part(at int) {
	if at < len(s.Lines) && strings.TrimSpace(s.Lines[at].Text) != "" &&
		markdown.ItemStart(s.Lines[at].Text) == 0 {
		s.Insert(at, "")
	}
}

// of finds the heading of a part, and the index of the line that ends it.
func (s sheet) of(p part) (h markdown.Section, end int, ok bool) {
	for i, h := range s.heads {
		low := strings.ToLower(h.Title)
		if h.Level == 1 || !slices.ContainsFunc(p.words, func(w string) bool {
			return strings.HasPrefix(low, w)
		}) {
			continue
		}
		end := len(s.Lines)
		for _, next := range s.heads[i+1:] {
			if next.Level <= h.Level {
				end = next.At
				break
			}
		}
		return h, end, true
	}
	return markdown.Section{}, 0, false
}

// items returns the indices of the items of a part, without nested ones.
func (s sheet) items(p part) (out []int) {
	h, end, ok := s.of(p)
	if !ok {
		return nil
	}
	for i := h.Body; i < end; i++ {
		if l := s.Lines[i]; l.Kind == markdown.Item && len(markdown.Indent(l.Text)) < 2 {
			out = append(out, i)
		}
	}
	return out
}

// add appends an item to a part. It makes the part if there is none.
func (s *sheet) add(p part, text string) error {
	h, end, ok := s.of(p)
	if !ok {
		at := len(s.Lines)
		for at > s.Front.Lines && strings.TrimSpace(s.Lines[at-1].Text) == "" {
			at--
		}
		texts := []string{"## " + p.name, "", "- " + text}
		if at > 0 {
			texts = append([]string{""}, texts...)
		}
		s.Insert(at, texts...)
		return s.check(p, text)
	}
	before := s.Doc
	before.Lines = slices.Clone(s.Lines)
	last := end - 1
	for last >= h.Body && strings.TrimSpace(s.Lines[last].Text) == "" {
		last--
	}
	below := h.Body
	switch {
	case last < below: // an empty part
		s.Insert(below, "", "- "+text)
		if below+2 < len(s.Lines) && strings.TrimSpace(s.Lines[below+2].Text) != "" {
			s.Insert(below+2, "")
		}
	case s.Lines[last].Kind == markdown.Item || s.Lines[last].Kind == markdown.Continued:
		s.Insert(last+1, "- "+text)
	default:
		s.Insert(last+1, "", "- "+text)
	}
	err := s.check(p, text)
	if err != nil && last >= below { // what stands at its end is not closed: on top of it, then
		s.Doc = before
		s.Insert(below, "", "- "+text)
		s.part(below + 2)
		err = s.check(p, text)
	}
	return err
}

// check parses the card again, and returns an error if the new item isn't among the items of the part.
func (s *sheet) check(p part, text string) error {
	*s = read(s.Print())
	for _, i := range s.items(p) {
		if l := s.Lines[i].Text; l[markdown.ItemStart(l):] == text {
			return nil
		}
	}
	return errHidden
}

// entry reads "- [2026-11-21] text", with or without brackets.
func entry(line string) Entry {
	t := strings.TrimSpace(line[markdown.ItemStart(line):])
	at := strings.TrimLeft(t, "[*_")
	if len(at) < len(time.DateOnly) {
		return Entry{Text: t}
	}
	date := at[:len(time.DateOnly)]
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return Entry{Text: t}
	}
	rest := at[len(date):]
	if marks := t[:len(t)-len(at)]; marks == "[" {
		rest = strings.TrimPrefix(rest, "]")
	} else {
		rest = strings.TrimLeft(rest, "]*_:–—- ")
	}
	return Entry{date, strings.TrimSpace(rest)}
}

// ownerMark stands before the owner of an item.
const ownerMark = "(owner: "

// task reads "- [ ] text (owner: name)", with or without box and owner.
func task(line string) Item {
	t := strings.TrimSpace(line[markdown.ItemStart(line):])
	var it Item
	if mark, rest, ok := box(t); ok {
		it.Done, t = strings.TrimSpace(mark) != "", strings.TrimSpace(rest)
	}
	it.Done = it.Done || strings.HasPrefix(t, "~~")
	if i := strings.LastIndex(t, ownerMark); i >= 0 && strings.HasSuffix(t, ")") {
		it.Owner = strings.TrimSpace(t[i+len(ownerMark) : len(t)-1])
		t = strings.TrimSpace(t[:i])
	}
	it.Text = t
	return it
}

// box reads "[x] text".
func box(t string) (mark, rest string, ok bool) {
	if len(t) < 3 || t[0] != '[' || t[2] != ']' || !strings.ContainsRune(" xX", rune(t[1])) || len(t) > 3 &&
		t[3] != ' ' {
		return "", "", false
	}
	return t[1:2], t[3:], true
}

// line returns the item as a card has it, without its bullet.
func (it Item) line() string {
	s := "[ ] " + it.Text
	if it.Owner != "" {
		s += " " + ownerMark + it.Owner + ")"
	}
	return s
}

// newCard returns a new card, with the progress of its row if there is any.
func newCard(title, status, deadline string, r Row) ([]byte, error) {
	s := read([]byte("# " + title + "\n\n- Status: " + status + "\n- Deadline: " + deadline + "\n"))
	if r.Progress == "" {
		return s.Print(), nil
	}
	text := r.Progress
	if _, err := time.Parse(time.DateOnly, r.Updated); err == nil {
		text = "[" + r.Updated + "] " + text
	}
	err := s.add(inProgress, text)
	return s.Print(), err
}

// card returns a card after the change.
func (c Change) card(b []byte, now time.Time) ([]byte, error) {
	s := read(b)
	for _, text := range c.Close {
		if !s.close(text) {
			return nil, fmt.Errorf("%w: %s", ErrNoItem, text)
		}
	}
	s.rename(c.Title)
	for _, f := range [...]struct{ key, value string }{{"status", c.Status}, {"deadline", c.Deadline},
		{"goal", c.Goal}} {
		if err := s.set(f.key, f.value); err != nil {
			return nil, err
		}
	}
	for _, it := range c.Open {
		had := slices.ContainsFunc(s.items(open), func(i int) bool {
			return strings.EqualFold(task(s.Lines[i].Text).Text, it.Text)
		})
		if it.Text == "" || had {
			continue
		}
		if err := s.add(open, it.line()); err != nil {
			return nil, err
		}
	}
	for _, e := range [...]struct {
		part
		text string
	}{{inProgress, c.Progress}, {conclusions, c.Conclusion}} {
		today := Entry{now.Format(time.DateOnly), e.text}
		had := slices.ContainsFunc(s.items(e.part), func(i int) bool {
			return entry(s.Lines[i].Text) == today
		})
		if e.text == "" || had {
			continue
		}
		if err := s.add(e.part, "["+today.Date+"] "+today.Text); err != nil {
			return nil, err
		}
	}
	if c.Topic.Title != "" {
		if err := s.topic(c.Topic, now); err != nil {
			return nil, err
		}
	}
	return s.Print(), nil
}

// rename gives the card a title, if it is another one.
func (s *sheet) rename(title string) {
	h, ok := s.title()
	switch {
	case title == "" || ok && h.Title == title:
		return
	case ok && h.Body-h.At == 2:
		s.Lines[h.At].Text = title
	case ok:
		s.Lines[h.At].Text = "# " + title
	default:
		s.Insert(s.Front.Lines, "# "+title, "")
	}
	*s = read(s.Print())
}

// close ticks the first open item of this text.
func (s *sheet) close(text string) bool {
	for _, i := range s.items(open) {
		l := &s.Lines[i]
		if it := task(l.Text); it.Done || it.Text != text {
			continue
		}
		at := markdown.ItemStart(l.Text)
		if _, rest, ok := box(l.Text[at:]); ok {
			l.Text = l.Text[:at] + "[x]" + rest
		} else {
			l.Text = l.Text[:at] + "[x] " + l.Text[at:]
		}
		return true
	}
	return false
}
