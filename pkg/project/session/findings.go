package session

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/journal"
	"keepsake/pkg/search/alike"
)

// Findings are the findings of a project, with their outcomes.
type Findings struct {
	*Memories
	read *bookRead // of the journal
}

// Journal returns the log of the project's findings and their outcomes.
func (s *Findings) Journal() journal.Journal {
	return journal.Journal(s.state().Journal())
}

// settledLog returns the log of the findings that were settled long ago. It has their outcomes but no
// text.
func (s *Findings) settledLog() journal.Journal {
	return journal.Journal(s.state().Settled())
}

// A hook waits journalWait for the journal's lock, and a verb waits verbWait.
const (
	journalWait = 100 * time.Millisecond
	verbWait    = 5 * time.Second
)

// lockContext returns a context that ends when the journal's lock has been waited for long enough.
func (s *Findings) lockContext() (context.Context, context.CancelFunc) {
	wait := verbWait
	if s.hook {
		wait = journalWait
	}
	return context.WithTimeout(context.Background(), wait)
}

// AddFindings adds the findings of a stretch of the transcript to the journal, in one line that also
// records how far the transcript was read. It stores the place of that line in the state. It returns the
// findings with their numbers, except those that the journal already has. Without findings it only
// changes the state.
func (s *Findings) AddFindings(st *stage.State, read transcript.Mark, found []finding.Finding,
	now time.Time) ([]finding.Finding, error) {
	added, _, err := s.addFindings(st, read, found, now)
	return added, err
}

// addFindings is AddFindings, and returns for each finding the number that it has in the journal.
// The number is 0 where the finding was settled and does not come up again.
func (s *Findings) addFindings(st *stage.State, read transcript.Mark, found []finding.Finding,
	now time.Time) (added []finding.Finding, numbers []int, err error) {
	mark := finding.Mark(read)
	if len(found) == 0 {
		st.Mark, st.Fresh = mark, false
		return nil, nil, nil
	}
	ctx, cancel := s.lockContext()
	defer cancel()
	written := 0 // bytes
	at, err := s.Journal().Append(ctx, false, func(last []byte) (lines []byte, err error) {
		known, err := s.Recent()
		if err != nil && !errors.Is(err, finding.ErrNewer) {
			return nil, err
		}
		next := known.Next()
		if n, ok := finding.NextNumber(last); ok {
			next = max(next, n)
		}
		known, err = s.withEarlier(known, found)
		if err != nil {
			s.Fault("findings", "what was said before may be noticed once more", err)
		}
		news := s.newFindings(known, found, next, now)
		added, numbers = news.added, news.numbers
		turn := finding.Turn{At: now, Session: s.ID, Mark: mark, Findings: added}
		lines = turn.Append(nil, next)
		for _, m := range news.moves {
			lines = m.Append(lines, next+len(added))
		}
		written = len(lines)
		return lines, nil
	})
	if err != nil {
		return nil, nil, err
	}
	st.Mark, st.Fresh, st.Journal, st.Noted = mark, false, stage.Place(at), mark.Offset
	if st.First == (stage.Place{}) {
		st.First = stage.Place{Writing: at.Writing, Offset: at.Offset - int64(written)}
	}
	return added, numbers, nil
}

// NoteFindings adds findings to the journal that come from no stretch of a transcript, and returns them
// with their numbers. If a sentence already waits, it returns the finding that waits.
func (s *Findings) NoteFindings(found []finding.Finding, now time.Time) ([]finding.Finding, error) {
	var st stage.State
	added, numbers, err := s.addFindings(&st, transcript.Mark{}, found, now)
	if err != nil {
		return nil, err
	}
	all := make([]finding.Finding, 0, len(found))
	for i, f := range found {
		if numbers[i] == 0 {
			continue
		}
		is := func(x finding.Finding) bool { return x.Number == numbers[i] }
		if at := slices.IndexFunc(added, is); at >= 0 {
			f = added[at]
		} else {
			f.Number, f.Digest = numbers[i], finding.Digest(f.Text)
		}
		if !slices.ContainsFunc(all, is) {
			all = append(all, f)
		}
	}
	return all, nil
}

// AskedAgain returns the numbers of this session's waiting findings that the person has asked for again.
// An explicit request counts even if the finding was told before. added are the findings that were
// numbered just now.
func (s *Findings) AskedAgain(noticed, added []finding.Finding) (numbers []int, err error) {
	asked := slices.DeleteFunc(slices.Clone(noticed), func(f finding.Finding) bool {
		return !f.Explicit || slices.ContainsFunc(added,
			func(a finding.Finding) bool { return a.Digest == f.Digest })
	})
	if len(asked) == 0 {
		return nil, nil
	}
	book, err := s.Recent()
	for _, k := range book.Waiting() {
		if k.Session == s.ID && slices.ContainsFunc(asked, func(f finding.Finding) bool {
			return f.Record != k.Record && (f.Digest == k.Digest ||
				alike.Same(alike.SayingOf(k.Text), alike.SayingOf(f.Text)))
		}) {
			numbers = append(numbers, k.Number)
		}
	}
	return numbers, err
}

// settledAs returns the outcome of a statement that was settled long ago, by the lines of the settled
// log, or "" if they don't have it.
func settledAs(lines []byte, digest string) finding.State {
	says := []byte(`"digest":"` + digest + `"`)
	if !bytes.Contains(lines, says) { // which is much faster than finding the last
		return ""
	}
	at := bytes.LastIndex(lines, says)
	begin := bytes.LastIndexByte(lines[:at], '\n') + 1
	line, _, _ := bytes.Cut(lines[begin:], []byte("\n"))
	b, _ := parseBook(line, nil)
	for _, f := range b.Each(nil) {
		return f.State
	}
	return ""
}

// MoveFindings records outcomes of findings. A finding that was settled meanwhile stays as it is.
func (s *Findings) MoveFindings(moves ...finding.Move) error {
	moves = slices.DeleteFunc(moves, func(m finding.Move) bool { return len(m.Numbers) == 0 })
	if len(moves) == 0 {
		return nil
	}
	ctx, cancel := s.lockContext()
	defer cancel()
	_, err := s.Journal().Append(ctx, !s.hook, func(last []byte) (lines []byte, err error) {
		next, _ := finding.NextNumber(last)
		for _, m := range moves {
			if m.Session == "" {
				m.Session = s.ID
			}
			if m.At.IsZero() {
				m.At = time.Now().UTC()
			}
			lines = m.Append(lines, next)
		}
		return lines, nil
	})
	return err
}

// Resume makes the state's mark agree with the journal: what the journal does not have was not
// listened to. After a power cut the newest lines may be gone, and then the transcript is read
// again from where the journal says. So it is when the state was lost. A journal that was rewritten
// meanwhile has the last mark of each session that has a state.
func (s *Findings) Resume(st *stage.State) error {
	switch {
	case st.Journal != (stage.Place{}):
		line, err := s.Journal().Line(journal.Position(st.Journal))
		if err != nil {
			return err
		}
		if finding.SessionOf(line) == s.ID {
			return nil
		}
	case st.Mark != (finding.Mark{}), st.Fresh:
		return nil // nothing was noticed yet
	}
	lines, end, _, err := s.Journal().Read(journal.Position{})
	if err != nil {
		return err
	}
	at, mark := lastMark(lines, s.ID)
	if at == 0 {
		if st.Journal != (stage.Place{}) {
			st.Mark, st.Fresh, st.Journal, st.Noted = finding.Mark{}, true, stage.Place{}, 0
		}
		return nil
	}
	rewritten := st.Journal.Writing != "" && st.Journal.Writing != end.Writing
	if !rewritten || mark.Offset < st.Noted {
		st.Mark, st.Fresh, st.Noted = mark, false, mark.Offset
	}
	st.Journal = stage.Place{Writing: end.Writing, Offset: at}
	return nil
}

// lastMark returns how far a session's transcript was read, by the last line of the journal that has it,
// and the offset at which that line ends, 0 if there is none.
func lastMark(lines []byte, session string) (at int64, mark finding.Mark) {
	says := []byte(`"session":"` + session + `"`)
	for bytes.Contains(lines, says) { // which is much faster than finding the last
		i := bytes.LastIndex(lines, says)
		begin := bytes.LastIndexByte(lines[:i], '\n') + 1
		end := i + bytes.IndexByte(lines[i:], '\n') + 1
		book, _ := parseBook(lines[begin:end], nil)
		if mark, ok := book.Mark(session); ok {
			return int64(end), mark
		}
		lines = lines[:begin]
	}
	return 0, mark
}
