package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"keepsake/pkg/capture/finding"
)

const day = 24 * time.Hour

// A finding that was settled keeps its text for textKept. Before one expires the person
// is told, when a session begins in the last days of its time or at any later time, and
// it waits for at least a day from then on; one that they could not be told of waits for
// unheardOf longer than the settings say.
const (
	textKept  = 30 * day
	unheardOf = 30 * day
	warnedFor = day
)

// When something expires within endsSoon, the person is told of it with all that expires
// within endsNext, so that they are not told of candidates every day.
const (
	endsSoon = 3 * day
	endsNext = 7 * day
)

// setBack is how far the journal may be ahead of the clock for the clock to be wrong.
// A line from later than that was written by a clock that was wrong then.
const setBack = 90 * day

// The journal is rewritten when it is larger than journalMax and a quarter of it can
// go, and when it has a text for longer than it may. The log of what was settled
// is cut to three quarters when it is larger than settledMax.
const (
	journalMax = 512 << 10
	settledMax = 8 << 20
)

// ages are how long the settings let findings wait.
func (s *Findings) ages() finding.Ages {
	return finding.Ages{
		Sure:      time.Duration(s.Config.Capture.FindingDays) * day,
		Candidate: time.Duration(s.Config.Capture.CandidateDays) * day,
		Text:      textKept,
		Dropped:   day, // they were told, and did nothing
		Warned:    warnedFor,
		Unheard:   unheardOf,
	}
}

// TidyFindings ends the findings that have waited for as long as the settings let them,
// and takes what was settled long ago out of the journal when it has grown.
func (s *Findings) TidyFindings(now time.Time) error {
	if !s.Listens() {
		return nil
	}
	book, err := s.Book()
	if err != nil { // what can't be read whole is left alone
		return err
	}
	if !notBehind(book, now).Equal(now) {
		return nil // the clock was set back; what is old can't be told
	}
	due := book.Over(now, s.ages())
	if len(due) > 0 {
		m := finding.Move{At: now, Act: finding.Expire, Numbers: finding.Numbers(due), By: "keepsake"}
		if err := s.MoveFindings(m); err != nil {
			return err
		}
		if book, err = s.Book(); err != nil {
			return err
		}
	}
	if !s.rewriteDue(book, now) {
		return nil
	}
	return s.rewrite(now)
}

// notBehind is the time, or where the clock was set back that of the journal's newest line.
func notBehind(book *finding.Book, now time.Time) time.Time {
	if newest := book.Newest(); newest.After(now) && newest.Sub(now) < setBack {
		return newest
	}
	return now
}

// rewriteDue reports whether the journal is to be rewritten.
func (s *Findings) rewriteDue(book *finding.Book, now time.Time) bool {
	if book.Gone(now, finding.Ages{Text: textKept}) > 0 {
		return true
	}
	return s.Journal().Size() > journalMax && 4*book.Gone(now, s.ages()) >= book.Len()
}

// rewrite moves what was settled long ago, without its text, from the journal to the
// log of that. What is moved stands there first: a call that is killed in between
// leaves it in both, which is read as one.
func (s *Findings) rewrite(now time.Time) error {
	ctx, cancel := s.waitForJournal()
	defer cancel()
	if err := s.flush(ctx, now); err != nil {
		return err
	}
	return s.Journal().Rewrite(ctx, func(lines []byte) ([]byte, error) {
		return s.rewrittenLog(lines, now, nil, func(book *finding.Book) (*finding.Book, error) {
			stay, gone := book.Split(now, s.ages())
			if gone.Len() > 0 {
				if err := s.settle(ctx, gone); err != nil {
					return nil, err
				}
			}
			return stay, nil
		})
	})
}

// rewrittenLog is what takes the place of a log's lines: what change makes of their
// findings, with times that Split has seen to, since the lines that told how far the
// clock could be trusted are gone. What can't be read stays as it is, unless drop says
// otherwise, and stands behind: before the others, a turn that was not counted since its
// numbers were taken would count.
func (s *Findings) rewrittenLog(lines []byte, now time.Time, drop func(line []byte) bool,
	change func(*finding.Book) (*finding.Book, error)) ([]byte, error) {
	var book finding.Book
	var strange []byte
	for line := range bytes.Lines(lines) {
		broken, err := book.Load(line)
		if err != nil {
			return nil, err
		}
		if broken > 0 && (drop == nil || !drop(line)) {
			strange = append(strange, line...)
		}
	}
	stay, err := change(&book)
	if err != nil {
		return nil, err
	}
	made := append(stay.Append(nil, s.markKept(now)), strange...)
	return finding.Turn{At: now}.Append(made, stay.Next()), nil // the last line says which number is next
}

// flush has the journal on the disk: a power cut must not take findings that stand in
// the log of what was settled.
func (s *Findings) flush(ctx context.Context, now time.Time) error {
	_, err := s.Journal().Append(ctx, true, func(last []byte) ([]byte, error) {
		next, _ := finding.NextNumber(last)
		return finding.Turn{At: now}.Append(nil, next), nil
	})
	return err
}

// markKept tells the marks that a rewritten journal needs: those of sessions that were
// heard lately or whose state is there.
func (s *Findings) markKept(now time.Time) func(session string, seen time.Time) bool {
	return func(session string, seen time.Time) bool {
		if now.Sub(seen) < forgotten {
			return true
		}
		_, err := s.Sessions().Load(session)
		return !errors.Is(err, fs.ErrNotExist)
	}
}

// settle adds to the log of what was settled long ago, and drops its oldest lines when
// it has become too large.
func (s *Findings) settle(ctx context.Context, gone *finding.Book) error {
	log := s.settled()
	nobody := func(string, time.Time) bool { return false }
	_, err := log.Append(ctx, true, func([]byte) ([]byte, error) { return gone.Append(nil, nobody), nil })
	if err != nil {
		return fmt.Errorf("what was settled long ago stays in the journal: %w", err)
	}
	if log.Size() <= settledMax {
		return nil
	}
	return log.Rewrite(ctx, func(lines []byte) ([]byte, error) {
		lines = lines[len(lines)-settledMax/4*3:]
		return lines[bytes.IndexByte(lines, '\n')+1:], nil
	})
}
