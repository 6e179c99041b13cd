package session

import (
	"errors"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal"
)

// recentBytes is how much of the journal's end a hook reads: about fifteen findings with what
// explains them, and all since the first of its session. What stands before that is in the
// findingsIndex.
const recentBytes = 16 << 10

// A bookRead is the part of the journal that this process has read. Sessions of one project can share it:
// parsing a long journal is most of a hook's work, and a session's start needs it four times.
type bookRead struct {
	// nil before the first reading
	book  *finding.Book
	place journal.Position // behind the last line that is in it
	whole bool             // false where it begins somewhere in the journal
	err   error            // of the lines
}

// Book returns the project's findings, except those that were settled long ago. Lines that can't be
// read are an error beside the findings that can. A later change of the journal does not change a
// book.
func (s *Findings) Book() (*finding.Book, error) { return s.readBook(true) }

// Recent returns the findings at the journal's end: those of the sessions that are under way, and
// all of this one.
func (s *Findings) Recent() (*finding.Book, error) { return s.readBook(false) }

// readBook returns the findings as the journal has them now. It reads only what was added since the
// last call.
func (s *Findings) readBook(whole bool) (*finding.Book, error) {
	r := s.read
	if r.book == nil || whole && !r.whole {
		return s.reloadBook(whole)
	}
	lines, next, anew, err := s.Journal().Read(r.place)
	switch {
	case err != nil:
		return &finding.Book{}, err
	case anew:
		return s.reloadBook(r.whole)
	case len(lines) > 0:
		r.book = r.book.Clone()
		_, err = r.book.Load(lines)
		r.place, r.err = next, errors.Join(r.err, err)
	}
	return r.book, r.err
}

// reloadBook reads the whole journal, or its end, and forgets what was read before.
func (s *Findings) reloadBook(whole bool) (*finding.Book, error) {
	var lines []byte
	var err error
	r := s.read
	*r = bookRead{whole: whole}
	if whole {
		lines, r.place, _, err = s.Journal().Read(journal.Position{})
	} else {
		lines, r.place, err = s.Journal().Tail(recentBytes, journal.Position(s.State.First))
	}
	book, lerr := parseBook(lines, nil)
	if err != nil { // it is tried again
		return book, errors.Join(err, lerr)
	}
	r.book, r.err = book, lerr
	if whole {
		s.keepIndex(book, lines, r.place)
	}
	return book, lerr
}

// Whole returns all findings. Those that were settled long ago have no text.
func (s *Findings) Whole() (*finding.Book, error) {
	old, err := loadBook(s.settledLog())
	book, berr := s.Book()
	book = book.Clone()
	book.Fill(old) // a call that was killed may leave a finding in both
	return book, errors.Join(err, berr)
}

// BrokenFindings returns how many lines of the journal can't be read.
func (s *Findings) BrokenFindings() (int, error) {
	lines, _, _, err := s.Journal().Read(journal.Position{})
	if err != nil {
		return 0, err
	}
	var b finding.Book
	return b.Load(lines)
}

// loadBook returns the findings of a whole log.
func loadBook(j journal.Journal) (*finding.Book, error) {
	lines, _, _, err := j.Read(journal.Position{})
	return parseBook(lines, err)
}

// parseBook returns the findings that lines of a log hold. err is joined with what is wrong with
// the lines.
func parseBook(lines []byte, err error) (*finding.Book, error) {
	var b finding.Book
	_, lerr := b.Load(lines)
	return &b, errors.Join(err, lerr)
}
