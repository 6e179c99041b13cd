package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/trust"
	"keepsake/pkg/search/alike"
)

// errUnchanged says that a log has nothing of what is to go.
var errUnchanged = errors.New("nothing to take out")

// EraseFindings takes all that some findings say out of the project's logs and caches,
// and every mention of the record that was forgotten with them, "" for none. It returns
// the numbers of those that it changed: findings that say the same go too. Drafts that
// were refused and have their words go with them.
func (s *Findings) EraseFindings(numbers []int, record, by string, now time.Time) (erased []int, err error) {
	if len(numbers) == 0 && record == "" {
		return nil, nil
	}
	book, err := s.Whole()
	if err != nil {
		return nil, err
	}
	if err := s.dropDraftsOf(book, numbers); err != nil {
		return nil, err
	}
	at := notBehind(book, now)
	erasure := finding.Erasure{Numbers: numbers, To: record, Says: sayingsOf(book, numbers).repeated}
	broken := func(line []byte) bool {
		return hasText(book, numbers, string(line)) || record != "" && strings.Contains(string(line), record)
	}
	for _, log := range []journal.Journal{s.settled(), s.Journal()} {
		ctx, cancel := s.waitForJournal()
		err := log.Rewrite(ctx, func(lines []byte) ([]byte, error) {
			if len(lines) == 0 {
				return nil, errUnchanged
			}
			return s.rewrittenLog(lines, at, broken, func(b *finding.Book) (*finding.Book, error) {
				gone := b.Erase(finding.Move{At: now, Session: s.ID, By: by}, erasure)
				if len(gone) == 0 && (record == "" || !strings.Contains(string(lines), record)) {
					return nil, errUnchanged
				}
				erased = append(erased, gone...)
				stay, _ := b.Split(at, finding.Ages{})
				return stay, nil
			})
		})
		cancel()
		if err != nil && !errors.Is(err, errUnchanged) {
			return erased, err
		}
	}
	if err := s.dropFindings(); err != nil {
		return erased, err
	}
	_, err = s.Book() // which makes the index of what is left
	return erased, err
}

// Echoes returns the findings beside those of some numbers that say what one of them says,
// or what a record says, nil for none: an agent that repeats what the person said, mostly,
// and what it said again of that.
func Echoes(book *finding.Book, numbers []int, record *memory.Record) (all []finding.Status) {
	says := sayingsOf(book, numbers)
	var whole []alike.Saying
	if record != nil {
		whole = append(whole, alike.RecordSaying(*record))
	}
	for { // what repeats an echo is one
		more := book.Each(func(f finding.Status) bool {
			return f.Text != "" && !slices.Contains(numbers, f.Number) && (says.repeated(f.Text) ||
				slices.ContainsFunc(whole, func(r alike.Saying) bool {
					return r.Says(alike.SayingOf(f.Text))
				}))
		})
		if len(more) == 0 {
			return all
		}
		all = append(all, more...)
		numbers = append(slices.Clone(numbers), finding.Numbers(more)...)
		for _, f := range more {
			says.add(f.Text)
		}
	}
}

// sayings are texts that others are held against.
type sayings []saidText

type saidText struct {
	text string
	says alike.Saying
}

func (s *sayings) add(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	*s = append(*s, saidText{text, alike.SayingOf(text)})
}

// sayingsOf are what some findings say.
func sayingsOf(book *finding.Book, numbers []int) (all sayings) {
	for _, n := range numbers {
		if f, ok := book.Find(n); ok {
			all.add(f.Text)
		}
	}
	return all
}

// repeated reports whether a text quotes one of the others, or a sentence of it says the
// same, or less, in other words.
func (s sayings) repeated(said string) bool {
	if strings.TrimSpace(said) == "" || len(s) == 0 {
		return false
	}
	parts := []string{said}
	if all := triage.Sentences(said); len(all) > 1 {
		for _, sentence := range all {
			parts = append(parts, sentence.Text)
		}
	}
	for _, part := range parts {
		says := alike.SayingOf(part)
		for _, t := range s {
			if strings.Contains(part, t.text) || alike.Notes(part, t.text) || t.says.Says(says) {
				return true
			}
		}
	}
	return false
}

// dropDraftsOf drops the refused drafts of findings, and those that have their words.
func (s *Findings) dropDraftsOf(book *finding.Book, numbers []int) error {
	refused, err := s.Pending().Refused()
	errs := []error{err}
	for _, k := range refused {
		of := slices.ContainsFunc(k.Findings, func(n int) bool { return slices.Contains(numbers, n) })
		if of || hasText(book, numbers, k.Draft) {
			_, err := s.Pending().Drop(k)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// hasText reports whether a text has the words of one of some findings.
func hasText(book *finding.Book, numbers []int, text string) bool {
	return slices.ContainsFunc(numbers, func(n int) bool {
		f, ok := book.Find(n)
		return ok && f.Text != "" && strings.Contains(text, f.Text)
	})
}

// unshow takes a record out of what sessions of the project have been shown, and puts
// what their last saves came to through clean.
func (fl *InFlight) unshow(record string, clean func(string) string) error {
	all, err := fl.Sessions().All()
	errs := []error{err}
	for _, st := range all {
		known := slices.Contains(st.Shown, record) || slices.Contains(st.Saved, record)
		said := st.Result != nil && clean(st.Result.Line) != st.Result.Line
		if !known && !said {
			continue
		}
		errs = append(errs, fl.Sessions().Update(st.Session, st, func(st *stage.State) error {
			is := func(path string) bool { return path == record }
			st.Shown, st.Saved = slices.DeleteFunc(st.Shown, is), slices.DeleteFunc(st.Saved, is)
			if st.Result != nil {
				st.Result.Line = clean(st.Result.Line)
			}
			return nil
		}))
	}
	return errors.Join(errs...)
}

// eraseFromDesks takes what is to be forgotten off the desks of the project's sessions, those
// under way and those that are over: the findings of some numbers, drafts of these, drafts
// and plans in which clean finds something, and what it finds in the rest.
func (fl *InFlight) eraseFromDesks(numbers []int, clean func(string) string) error {
	var errs []error
	for _, base := range []string{filepath.Dir(fl.Desk.Dir), fl.Pending().Dir} {
		desks, err := stage.Desks(base)
		errs = append(errs, err)
		for _, desk := range desks {
			errs = append(errs, eraseFromDesk(desk, numbers, clean))
		}
	}
	return errors.Join(errs...)
}

func eraseFromDesk(d stage.Desk, numbers []int, clean func(string) string) error {
	names, err := d.Files()
	errs := []error{err}
	var lost []memory.Category   // a statement that drafters were given
	drafted := false             // a draft of one was there, and perhaps a plan made of it
	for _, name := range names { // contexts come first, by their names
		b, err := d.Read(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		c, cerr := stage.ParseContext(b)
		if cerr != nil {
			if cleanFile(b, clean) || coversAny(b, numbers) || draftOfAny(name, b, lost) ||
				drafted && (name == stage.PlanName || stage.IsVerify(name)) {
				drafted = true
				_, err := d.Remove(name)
				errs = append(errs, err)
			}
			continue
		}
		left := c.Without(numbers)
		left.Snippets = slices.DeleteFunc(left.Snippets,
			func(s stage.Snippet) bool { return clean(s.Text) != s.Text })
		text := string(b)
		if len(left.Snippets) < len(c.Snippets) {
			text = string(left.Encode())
			lost = append(lost, c.Category)
		}
		switch next := clean(text); {
		case next == string(b):
		case len(c.Snippets) > 0 && len(left.Snippets) == 0:
			_, err = d.Remove(name)
		default:
			err = d.Write(name, []byte(next))
		}
		errs = append(errs, err)
	}
	if drafted {
		for _, name := range names {
			if name == stage.PlanName || stage.IsVerify(name) {
				_, err := d.Remove(name)
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// cleanFile reports whether clean finds something in a text of a file.
func cleanFile(b []byte, clean func(string) string) bool {
	found := false
	memory.RewriteJSON(b, func(text string) string {
		found = found || clean(text) != text
		return text
	})
	return found
}

// coversAny reports whether a file has a draft of one of some findings, a plan among
// others.
func coversAny(b []byte, numbers []int) bool {
	return slices.ContainsFunc(coveredIn(b), func(n int) bool { return slices.Contains(numbers, n) })
}

// coveredIn are the numbers of the findings that drafts in a file name.
func coveredIn(b []byte) (numbers []int) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // which is what draft.Numbers reads
	var v any
	if d.Decode(&v) == nil {
		numbers = covered(v)
	}
	objects, _ := draft.Objects(b) // what is no JSON but for a slip
	for _, o := range objects {
		numbers = append(numbers, covered(o)...)
	}
	return numbers
}

// covered are the numbers of the findings that drafts somewhere in a value name.
func covered(v any) (numbers []int) {
	switch v := v.(type) {
	case []any:
		for _, part := range v {
			numbers = append(numbers, covered(part)...)
		}
	case map[string]any:
		for name, part := range v {
			if name == "covers" || name == "findings" {
				numbers = append(numbers, draft.Numbers(part)...)
			}
			numbers = append(numbers, covered(part)...)
		}
	}
	return numbers
}

// draftOfAny reports whether a file is a draft that names no finding, of one of some
// categories: it may be of what was taken off the desk, and its drafter can draft the
// rest again.
func draftOfAny(name string, b []byte, categories []memory.Category) bool {
	return slices.ContainsFunc(categories, func(c memory.Category) bool {
		return strings.HasPrefix(name, "intent-"+string(c)+".")
	}) && len(coveredIn(b)) == 0
}

// DropCaches takes away the project's caches, which are made anew of what is there.
func (ms *Memories) DropCaches() error {
	if ms.Dirs.Cache == "" {
		return nil
	}
	return removeAll(ms.cache("*.idx"))
}

// DropDrawerCaches takes away the search indexes of the drawers.
func (ms *Memories) DropDrawerCaches() error {
	if ms.Dirs.Cache == "" {
		return nil
	}
	return removeAll(ms.Dirs.Cached("drawers-*.idx"))
}

func removeAll(pattern string) error {
	files, err := filepath.Glob(pattern)
	errs := []error{err}
	for _, path := range files {
		errs = append(errs, disk.Remove(path))
	}
	return errors.Join(errs...)
}

// TrustRewritten has a record that was rewritten without a change of what it says known
// as what it was.
func (ms *Memories) TrustRewritten(path, was, now string) error {
	v, err := ms.Records().View()
	if err != nil {
		return err
	}
	defer v.Close()
	e, known := v.Know(path, was)
	if !known {
		return nil
	}
	e.Digest = now
	ms.forget()
	return ms.Records().Add([]trust.Entry{e}...)
}
