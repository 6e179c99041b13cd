package session

import (
	"errors"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal"
)

// errUnchanged says that a log has nothing of what is to go.
var errUnchanged = errors.New("nothing to take out")

// EraseFindings takes all that some findings say out of the project's logs and caches,
// and returns the numbers of those that it changed. Drafts that were refused and have
// their words go with them.
func (s *Session) EraseFindings(numbers []int, by string, now time.Time) (erased []int, err error) {
	if len(numbers) == 0 {
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
	for _, log := range []journal.Journal{s.settled(), s.Journal()} {
		ctx, cancel := s.waitForJournal()
		err := log.Rewrite(ctx, func(lines []byte) ([]byte, error) {
			known := func(line []byte) bool { return hasText(book, numbers, string(line)) }
			return s.rewrittenLog(lines, at, known, func(b *finding.Book) (*finding.Book, error) {
				gone := b.Erase(finding.Move{At: now, Session: s.ID, By: by}, numbers...)
				if len(gone) == 0 {
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
	return erased, s.DropHeard()
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
