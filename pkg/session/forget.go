package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
	"keepsake/pkg/resolve"
	"keepsake/pkg/stage"
	"keepsake/pkg/trust"
)

// errUnchanged says that a log has nothing of what is to go.
var errUnchanged = errors.New("nothing to take out")

// EraseFindings takes all that some findings say out of the project's logs and caches,
// and every mention of the record that was forgotten with them, "" for none. It returns
// the numbers of those that it changed: findings that say the same go too. Drafts that
// were refused and have their words go with them.
func (s *Session) EraseFindings(numbers []int, record, by string, now time.Time) (erased []int, err error) {
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
	says := saysOneOf(book, numbers)
	erasure := finding.Erasure{Numbers: numbers, To: record, Says: says}
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
	if err := s.DropFindings(); err != nil {
		return erased, err
	}
	_, err = s.Book() // which makes the index of what is left
	return erased, err
}

// Echoes returns the findings beside those of some numbers that say what one of them says:
// an agent that repeats what the person said, mostly.
func Echoes(book *finding.Book, numbers []int) []finding.Status {
	says := saysOneOf(book, numbers)
	return book.Each(func(f finding.Status) bool {
		return !slices.Contains(numbers, f.Number) && f.Text != "" && says(f.Text)
	})
}

// saysOneOf returns whether a text quotes one of some findings, or says the same in
// other words.
func saysOneOf(book *finding.Book, numbers []int) func(text string) bool {
	var said []string
	for _, n := range numbers {
		if f, ok := book.Find(n); ok && f.Text != "" {
			said = append(said, f.Text)
		}
	}
	return func(text string) bool {
		return slices.ContainsFunc(said, func(t string) bool {
			return strings.Contains(text, t) || resolve.Alike(text, t)
		})
	}
}

// dropDraftsOf drops the refused drafts that have the words of findings.
func (s *Session) dropDraftsOf(book *finding.Book, numbers []int) error {
	refused, err := s.Pending().Refused()
	errs := []error{err}
	for _, k := range refused {
		if hasText(book, numbers, k.Draft) {
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

// Unshow takes a record out of what sessions of the project have been shown, and puts
// what their last saves came to through clean.
func (s *Session) Unshow(record string, clean func(string) string) error {
	all, err := s.sessions().All()
	errs := []error{err}
	for _, st := range all {
		known := slices.Contains(st.Shown, record) || slices.Contains(st.Saved, record)
		said := st.Result != nil && clean(st.Result.Line) != st.Result.Line
		if !known && !said {
			continue
		}
		errs = append(errs, s.sessions().Update(st.Session, st, func(st *stage.State) error {
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

// EraseFromDesks takes what is to be forgotten off the desks of the project's sessions, those
// under way and those that are over: the findings of some numbers, drafts and plans in which
// clean finds something, and what it finds in the rest.
func (s *Session) EraseFromDesks(numbers []int, clean func(string) string) error {
	var errs []error
	for _, base := range []string{filepath.Dir(s.Desk.Dir), s.Pending().Dir} {
		entries, err := os.ReadDir(base)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		errs = append(errs, err)
		for _, e := range entries {
			if e.IsDir() {
				desk := stage.Desk{Dir: filepath.Join(base, e.Name())}
				errs = append(errs, eraseFromDesk(desk, numbers, clean))
			}
		}
	}
	return errors.Join(errs...)
}

func eraseFromDesk(d stage.Desk, numbers []int, clean func(string) string) error {
	names, err := d.Files()
	errs := []error{err}
	for _, name := range names {
		b, err := d.Read(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		text := string(b)
		c, cerr := stage.ParseContext(b)
		left := c.Without(numbers)
		if cerr == nil && len(left.Snippets) < len(c.Snippets) {
			text = string(left.Encode())
		}
		next := clean(text)
		if next == string(b) && !coversAny(b, numbers) {
			continue
		}
		emptied := len(c.Snippets) > 0 && len(left.Snippets) == 0
		if cerr != nil || emptied { // a draft, or a plan with what it writes in another form
			_, err = d.Remove(name)
		} else {
			err = d.Write(name, []byte(next))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// coversAny reports whether a file is a draft of one of some findings.
func coversAny(b []byte, numbers []int) bool {
	var draft struct{ Covers []int }
	return json.Unmarshal(b, &draft) == nil &&
		slices.ContainsFunc(draft.Covers, func(n int) bool { return slices.Contains(numbers, n) })
}

// DropCaches takes away the project's caches, which are made anew of what is there.
func (s *Session) DropCaches() error {
	if s.Dirs.Cache == "" {
		return nil
	}
	return removeAll(filepath.Join(s.cache(""), "*.idx"))
}

// DropDrawerCaches takes away the search indexes of the drawers.
func (s *Session) DropDrawerCaches() error {
	if s.Dirs.Cache == "" {
		return nil
	}
	return removeAll(filepath.Join(s.Dirs.Cache, "drawers-*.idx"))
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
func (s *Session) TrustRewritten(path, was, now string) error {
	v, err := s.Records().View()
	if err != nil {
		return err
	}
	defer v.Close()
	e, known := v.Know(path, was)
	if !known {
		return nil
	}
	e.Digest = now
	s.forget()
	return s.Records().Add([]trust.Entry{e}...)
}
