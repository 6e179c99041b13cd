package session

import (
	"errors"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal"
	"keepsake/pkg/search/kept"
)

// errUnchanged ends the rewriting of a log that has nothing to take out.
var errUnchanged = errors.New("nothing to take out")

// EraseFindings takes all that some findings say out of the project's logs and caches, and
// every mention of the record that is forgotten with them. Findings that say the same go too,
// and so do refused drafts that have their words. It returns the numbers of the findings that
// it changed. What the person answered about the findings goes too.
func (s *Findings) EraseFindings(e finding.Erasure, by string, now time.Time) (erased []int, err error) {
	if len(e.Numbers) == 0 && e.To == "" {
		return nil, nil
	}
	book, err := s.Whole()
	if err != nil {
		return nil, err
	}
	if err := s.dropDraftsOf(book, e.Numbers); err != nil {
		return nil, err
	}
	at := notBehind(book, now)
	broken := func(line []byte) bool {
		return hasWordsOf(book, e.Numbers, string(line)) || e.To != "" && strings.Contains(string(line), e.To)
	}
	for _, log := range []journal.Journal{s.settledLog(), s.Journal()} {
		ctx, cancel := s.lockContext()
		err := log.Rewrite(ctx, func(lines []byte) ([]byte, error) {
			if len(lines) == 0 {
				return nil, errUnchanged
			}
			return s.rewrittenLog(lines, at, broken, func(b *finding.Book) (*finding.Book, error) {
				gone := b.Erase(finding.Move{At: now, Session: s.ID, By: by}, e)
				if len(gone) == 0 && (e.To == "" || !strings.Contains(string(lines), e.To)) {
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
	if err := s.eraseBackfill(book, e, by, now); err != nil {
		return erased, err
	}
	if err := s.dropIndex(); err != nil {
		return erased, err
	}
	if err := s.ForgetAnswers(slices.Concat(e.Numbers, erased)); err != nil {
		return erased, err
	}
	_, err = s.Book() // this makes the index of what is left
	return erased, err
}

// dropDraftsOf deletes the refused drafts that were made of findings, and those that have their
// words.
func (s *Findings) dropDraftsOf(book *finding.Book, numbers []int) error {
	refused, err := s.Pending().Refused()
	errs := []error{err}
	for _, k := range refused {
		of := slices.ContainsFunc(k.Findings, func(n int) bool { return slices.Contains(numbers, n) })
		if of || hasWordsOf(book, numbers, k.Draft) {
			_, err := s.Pending().Drop(k)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// hasWordsOf reports whether a text has the words of one of some findings.
func hasWordsOf(book *finding.Book, numbers []int, text string) bool {
	return slices.ContainsFunc(numbers, func(n int) bool {
		f, ok := book.Find(n)
		return ok && f.Text != "" && strings.Contains(text, f.Text)
	})
}

// DropCaches deletes the project's caches. They are made anew when they are needed.
func (ms *Memories) DropCaches() error {
	return kept.Drop(ms.CachePath("*.idx"))
}

// DropDrawerCaches deletes the search indexes of the drawers.
func (ms *Memories) DropDrawerCaches() error {
	return kept.Drop(ms.Dirs.Cached("drawers-*.idx"))
}

// TrustRewritten copies what is known of a record to its new digest, after it was rewritten without
// a change of what it says.
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
	ms.reloadTrust()
	return ms.Records().Add(e)
}
