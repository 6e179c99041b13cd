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

// A finding that was settled keeps its text for textKept. The person is told before a finding
// expires, when a session begins in its last days or later. From then on it waits for at least
// warnedFor. One that they could not be told of waits for unheardOf longer than the settings say.
const (
	textKept  = 30 * day
	unheardOf = 30 * day
	warnedFor = day
)

// When something expires within endsSoon, the person is told of it and of all that expires within
// endsNext, so that they are not told every day.
const (
	endsSoon = 3 * day
	endsNext = 7 * day
)

// setBack is how far the journal may be ahead of the clock for the clock to be wrong. Where it is
// further ahead, the clock was wrong when the line was written.
const setBack = 90 * day

// The journal is rewritten when it is larger than journalMax and a quarter of it can go, or when it
// has had a text for longer than it may. The log of what was settled is cut to three quarters when
// it is larger than settledMax. Both are bytes.
const (
	journalMax = 512 << 10
	settledMax = 8 << 20
)

// ages returns how long the settings let findings wait.
func (s *Findings) ages() finding.Ages {
	return finding.Ages{
		Sure:      time.Duration(s.Config.Capture.FindingDays) * day,
		Candidate: time.Duration(s.Config.Capture.CandidateDays) * day,
		Text:      textKept,
		Dropped:   day, // the agent was told, and did nothing
		Warned:    warnedFor,
		Unheard:   unheardOf,
	}
}

// TidyFindings expires the findings that have waited for as long as the settings let them, and
// takes what was settled long ago out of the journal when the journal has grown.
func (s *Findings) TidyFindings(now time.Time) error {
	if !s.Listens() {
		return nil
	}
	if err := s.tidyBackfill(now); err != nil {
		s.Fault("findings", "what earlier sessions said is kept for longer than the settings say", err)
	}
	book, err := s.Book()
	if err != nil { // what can't be read whole is left alone
		return err
	}
	if !notBehind(book, now).Equal(now) {
		return nil // the clock was set back, so ages are not known
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
	return s.rewriteJournal(now)
}

// notBehind returns now, or the time of the journal's newest line where the clock was set back.
func notBehind(book *finding.Book, now time.Time) time.Time {
	if newest := book.Newest(); newest.After(now) && newest.Sub(now) < setBack {
		return newest
	}
	return now
}

// rewriteDue reports whether the journal has to be rewritten.
func (s *Findings) rewriteDue(book *finding.Book, now time.Time) bool {
	if book.Gone(now, finding.Ages{Text: textKept}) > 0 {
		return true
	}
	return s.Journal().Size() > journalMax && 4*book.Gone(now, s.ages()) >= book.Len()
}

// rewriteJournal moves what was settled long ago, without its text, from the journal to the settled
// log. It is written there first. A call that is killed in between leaves it in both logs, which is
// read as one.
func (s *Findings) rewriteJournal(now time.Time) error {
	ctx, cancel := s.lockContext()
	defer cancel()
	if err := s.syncJournal(ctx, now); err != nil {
		return err
	}
	return s.Journal().Rewrite(ctx, func(lines []byte) ([]byte, error) {
		return s.rewrittenLog(lines, now, nil, func(book *finding.Book) (*finding.Book, error) {
			stay, gone := book.Split(now, s.ages())
			if gone.Len() > 0 {
				if err := s.appendSettled(ctx, gone); err != nil {
					return nil, err
				}
			}
			return stay, nil
		})
	})
}

// rewrittenLog returns what takes the place of a log's lines: their findings after change, with the
// times that Split has corrected, since the lines that told how far the clock could be trusted are
// gone. Lines that can't be read stay, unless drop says otherwise. They stand at the end: before
// the others, a turn that did not count since its numbers were taken would count.
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
	made := append(stay.Append(nil, s.keepsMark(now)), strange...)
	return finding.Turn{At: now}.Append(made, stay.Next()), nil // the last line says which number is next
}

// syncJournal writes the journal to the disk, since a power cut must not take findings out of it
// that stand in the settled log.
func (s *Findings) syncJournal(ctx context.Context, now time.Time) error {
	_, err := s.Journal().Append(ctx, true, func(last []byte) ([]byte, error) {
		next, _ := finding.NextNumber(last)
		return finding.Turn{At: now}.Append(nil, next), nil
	})
	return err
}

// keepsMark returns a function that reports whether a rewritten journal needs the mark of a
// session: one that was heard lately, or whose state is there.
func (s *Findings) keepsMark(now time.Time) func(session string, seen time.Time) bool {
	return func(session string, seen time.Time) bool {
		if now.Sub(seen) < forgotten {
			return true
		}
		_, err := s.Sessions().Load(session)
		return !errors.Is(err, fs.ErrNotExist)
	}
}

// appendSettled adds to the settled log, and drops its oldest lines when it has become too large.
func (s *Findings) appendSettled(ctx context.Context, gone *finding.Book) error {
	log := s.settledLog()
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
