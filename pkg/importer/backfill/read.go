package backfill

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/journal"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A transcript is read in pieces of so many bytes. Of a piece the log has at most so many statements, the
// best, and so many others that may take one back.
const (
	piece     = 4 << 20
	maxHeard  = 12
	maxTurned = 20
)

// Done says how far a reading has come.
type Done struct {
	Bytes    int64 // read by this call, or known from an earlier one
	Sessions int   // of which all was read
	Heard    int   // statements that were added to the log
	Failed   []Passed
}

// A stretch is what was heard in one piece of a transcript.
type stretch struct {
	of    *Transcript
	mark  transcript.Mark
	found []finding.Finding
	bytes int64
	last  bool // of its transcript
	err   error
}

// Read hears the transcripts from where the last call ended. It adds each piece to the log as soon as it was
// heard, so that a call that is interrupted loses no more than the pieces in hand. tell is called after each.
// What can't be read costs itself, and is in Failed.
func Read(ctx context.Context, s *session.Session, src Sources, now time.Time, tell func(Done)) (Done,
	error) {
	book, err := loadBook(s)
	if err != nil {
		return Done{}, err
	}
	heard := make(chan stretch)
	work := make(chan *Transcript)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var workers sync.WaitGroup
	for range max(1, runtime.GOMAXPROCS(0)) {
		r := reader{own: newOwnFolders(s.Place.Place), options: s.Options(), heard: heard}
		workers.Go(func() {
			for t := range work {
				mark, _ := book.Mark(t.Session)
				r.read(ctx, t, transcript.Mark(mark))
			}
		})
	}
	go func() {
		defer close(work)
		for i := range src.Transcripts {
			select {
			case work <- &src.Transcripts[i]:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(heard)
	}()
	var done Done
	for x := range heard {
		if err != nil {
			continue // so that the workers end
		}
		done.Bytes += x.bytes
		if x.err != nil {
			done.Failed = append(done.Failed, Passed{x.of.Path, x.err.Error()})
		}
		if x.last {
			done.Sessions++
		}
		if x.mark != (transcript.Mark{}) {
			if err = addStretch(s, x, now); err != nil {
				stop()
			}
			for _, f := range x.found {
				if f.Kind == finding.Statement {
					done.Heard++
				}
			}
		}
		if tell != nil {
			tell(done)
		}
	}
	return done, cmp.Or(err, ctx.Err())
}

// loadBook returns what the log has.
func loadBook(s *session.Session) (*finding.Book, error) {
	lines, _, _, err := s.Backfill().Read(journal.Position{})
	if err != nil {
		return nil, err
	}
	book := &finding.Book{}
	if _, err := book.Load(lines); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Backfill(), err)
	}
	return book, nil
}

// addStretch adds what was heard in a piece to the log, with the place to which its transcript was read.
func addStretch(s *session.Session, x stretch, now time.Time) error {
	return appendTo(s, false, func(next int) []byte {
		for i := range x.found {
			x.found[i].Number = next + i
		}
		t := finding.Turn{At: now, Session: x.of.Session, Mark: finding.Mark(x.mark), Findings: x.found}
		return t.Append(nil, next)
	})
}

// lockWait is how long another call may hold the log.
const lockWait = 5 * time.Second

// appendTo adds to the log the lines that are made with the number of its next finding.
func appendTo(s *session.Session, sync bool, lines func(next int) []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	_, err := s.Backfill().Append(ctx, sync, func(last []byte) ([]byte, error) {
		next, _ := finding.NextNumber(last)
		return lines(max(next, 1)), nil
	})
	return err
}

// A reader hears transcripts, one after the other.
type reader struct {
	own     *ownFolders
	options triage.Options
	heard   chan<- stretch
}

// read hears one transcript, from a mark.
func (r *reader) read(ctx context.Context, t *Transcript, mark transcript.Mark) {
	whole := int64(0) // what progress has of it
	send := func(x stretch) {
		x.of, x.bytes = t, min(t.Size, x.mark.Offset)-whole
		if x.last {
			x.bytes = t.Size - whole
		}
		whole += x.bytes
		r.heard <- x
	}
	file, err := session.OpenTranscript(t.Path)
	if err != nil {
		send(stretch{last: true, err: err})
		return
	}
	defer file.Close()
	if mark.Inode == file.Inode && mark.Device == file.Device && mark.Offset == file.Size() {
		send(stretch{last: true})
		return
	}
	for ctx.Err() == nil {
		span, err := transcript.Read(file, transcript.Request{From: mark, Device: file.Device,
			Inode: file.Inode, Whole: true, Piece: piece})
		if err != nil {
			send(stretch{last: true, err: err})
			return
		}
		from := mark
		if span.Restarted {
			from = transcript.Mark{}
		}
		mark = span.Next
		send(stretch{mark: mark, found: r.hear(file, t, from, span), last: !span.More})
		if !span.More {
			return
		}
	}
}

// hear returns what may be worth keeping in a piece: the best statements of each session that it has, and
// those of the person that may take something back.
func (r *reader) hear(file session.Transcript, t *Transcript, from transcript.Mark,
	span transcript.Span) []finding.Finding {
	entries := slices.DeleteFunc(span.Entries, func(e transcript.Entry) bool {
		return session.IsOurs(e, false) || !r.own.has(e.Cwd) ||
			!t.until.IsZero() && (e.Time.IsZero() || !e.Time.Before(t.until))
	})
	if len(entries) == 0 {
		return nil
	}
	base := finding.Finding{Session: t.Session, Origin: finding.FromPerson, Imported: true}
	before := session.Before(file, finding.Mark(from), span.Counted)
	var found []finding.Finding
	for _, h := range explain.Listen(before, entries, r.options) {
		f := session.FindingOf(h, entries[h.Entry], base)
		if f.Category != "" && f.Moment == "" && !r.options.Off[f.Category] && !f.Time.IsZero() {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(x, y finding.Finding) int { return cmp.Compare(rank(y), rank(x)) })
	found = found[:min(len(found), maxHeard)]
	return append(found, turnsOf(entries, base)...)
}

// turnsOf returns the sentences with which the person may take back what was said before them.
func turnsOf(entries []transcript.Entry, base finding.Finding) (turns []finding.Finding) {
	for _, e := range entries {
		if e.Who != transcript.Person || e.Text == "" || e.Plan != "" || e.Marked == transcript.BySDK ||
			!change.MayTurn(e.Text) {
			continue
		}
		for _, sentence := range triage.Sentences(e.Text) {
			if sentence.Question || !change.Turns(sentence.Text) || len(turns) == maxTurned {
				continue
			}
			f := base
			f.Text, f.By, f.Kind = text.OneLine(secret.Redact(sentence.Text)), finding.Typed, finding.Change
			f.Record, f.Offset, f.Time, f.Level = e.UUID, e.Offset, e.Time.UTC(), finding.Candidate
			f.Digest = finding.Digest(f.Text)
			turns = append(turns, f)
		}
	}
	return turns
}
