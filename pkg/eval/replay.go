package eval

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
)

// hearSession puts a transcript through what the Stop hook does, turn by turn: it reads on from its mark,
// listens, and notes what is new. Only the files around it are missing: the journal is a book in memory, and
// nothing is held against memories.
func hearSession(s Session, o Options) (SessionRun, error) {
	raw, whole, err := s.read()
	if err != nil {
		return SessionRun{}, err
	}
	file := bytes.NewReader(raw)
	h := hearing{s: s, o: o, lines: lineStarts(raw), states: map[int][]int{}, at: map[int][]int{},
		turns: map[int]int{}}
	h.run = SessionRun{Set: s.Set, File: s.File, Repo: s.Repo, Lang: s.Lang, Items: s.Items,
		Bytes: int64(len(raw))}
	for _, p := range session.Passages(whole) {
		h.run.Said += int64(len(p.Text))
	}
	for _, end := range turnEnds(whole, int64(len(raw))) {
		if err := h.stop(io.NewSectionReader(file, 0, end)); err != nil {
			return SessionRun{}, err
		}
	}
	h.finish()
	return h.run, nil
}

// read returns the bytes of a session's transcript, and what was said in it.
func (s Session) read() (raw []byte, entries []transcript.Entry, err error) {
	if raw, err = os.ReadFile(s.Path); err != nil {
		return nil, nil, err
	}
	if len(raw) > 0 && raw[len(raw)-1] != '\n' {
		raw = append(raw, '\n') // only whole lines are read
	}
	span, err := transcript.Read(bytes.NewReader(raw), transcript.Request{Whole: true})
	return raw, span.Entries, err
}

// turnEnds returns the offsets at which the Stop hook runs: before each prompt that follows something else,
// and at the end. An answer to a question or to a plan does not end a turn.
func turnEnds(entries []transcript.Entry, size int64) (ends []int64) {
	for i, e := range entries {
		if i > 0 && begins(e) && !begins(entries[i-1]) {
			ends = append(ends, e.Offset)
		}
	}
	return slices.Compact(append(ends, size))
}

// begins reports whether an entry is a prompt.
func begins(e transcript.Entry) bool {
	return e.Who == transcript.Person && e.Asked == nil && e.Call == nil && (e.Plan == "" || e.Text != "")
}

// hearing gathers what is heard in one session.
type hearing struct {
	s     Session
	o     Options
	run   SessionRun
	lines []int64 // the offset at which each line begins
	mark  transcript.Mark
	book  finding.Book

	states, at map[int][]int // by the number of a finding: the items it states, its lines
	turns      map[int]int   // and the turn in which it was new
}

// stop is one call of the hook, with the file as it is then.
func (h *hearing) stop(file transcript.Source) error {
	started := time.Now()
	span, err := transcript.Read(file, transcript.Request{From: h.mark, Whole: true})
	if err != nil {
		return err
	}
	read := session.Before(file, finding.Mark(h.mark), span.Counted)
	var reads time.Duration
	before := func(exchanges int) []transcript.Entry {
		begun := time.Now()
		defer func() { reads += time.Since(begun) }()
		return read(exchanges)
	}
	h.mark = span.Next
	entries := slices.DeleteFunc(slices.Clone(span.Entries), func(e transcript.Entry) bool {
		return session.IsOurs(e, false)
	})
	listens := time.Now()
	heard := explain.Listen(before, entries, h.o.Triage)
	now := time.Now()
	h.run.Listened += now.Sub(listens) - reads
	var found []finding.Finding
	for _, x := range heard {
		found = append(found, session.FindingOf(x, entries[x.Entry],
			finding.Finding{Session: h.s.File, Origin: finding.FromPerson}))
	}
	next := h.book.Next()
	numbers, err := session.NoteIn(&h.book, h.s.File, found, now.UTC())
	if err != nil {
		return err
	}
	h.run.Took += time.Since(started)
	judges := time.Now()
	triage.Statements(session.Passages(entries), h.o.Triage)
	h.run.Judged += time.Since(judges)
	h.run.Turns++
	for i, n := range numbers {
		if n == 0 {
			continue
		}
		lines := []int{lineAt(h.lines, found[i].Offset)}
		if heard[i].Source > 0 {
			lines = append(lines, lineAt(h.lines, heard[i].Source))
		}
		h.at[n] = append(h.at[n], lines...)
		h.states[n] = append(h.states[n], h.s.StatesAny(lines, found[i].Text)...)
		if _, known := h.turns[n]; !known {
			h.turns[n] = h.run.Turns
		}
	}
	sure, moment := false, false
	for _, f := range h.book.Each(func(f finding.Status) bool { return f.Number >= next }) {
		sure = sure || f.Level == finding.Sure && f.Category != ""
		moment = moment || f.Level == finding.Sure && f.Moment != ""
	}
	if sure {
		h.run.Notices++
	}
	if moment {
		h.run.Moments++
	}
	return nil
}

// finish lists what became of the findings: each thing once, with all lines that said it.
func (h *hearing) finish() {
	for _, f := range h.book.Each(nil) {
		to := f.Number
		for steps := 0; steps < h.book.Len(); steps++ {
			s, ok := h.book.Find(to)
			if !ok || s.State != finding.Merged {
				break
			}
			n, err := strconv.Atoi(strings.TrimPrefix(s.To, "#"))
			if err != nil {
				break
			}
			to = n
		}
		if to != f.Number {
			h.at[to] = append(h.at[to], h.at[f.Number]...)
			h.states[to] = append(h.states[to], h.states[f.Number]...)
			h.turns[to] = min(h.turns[to], h.turns[f.Number])
		}
	}
	for _, f := range h.book.Each(func(f finding.Status) bool { return f.State != finding.Merged }) {
		x := Found{Turn: h.turns[f.Number], Lines: sortedSet(h.at[f.Number]), Category: string(f.Category),
			Moment: string(f.Moment), By: string(f.By), Level: string(f.Level), Score: f.Score, Cue: f.Cue,
			Explicit: f.Explicit, Text: f.Text, States: sortedSet(h.states[f.Number])}
		x.Repeats = slices.ContainsFunc(h.run.Found, func(y Found) bool {
			return y.Moment == "" && x.Moment == "" && alike.Notes(x.Text, y.Text)
		})
		h.run.Found = append(h.run.Found, x)
	}
}

// lineAt returns the number of the line at an offset, given where each line begins; 0 if it is in none.
func lineAt(starts []int64, offset int64) int {
	if offset < 0 {
		return 0
	}
	i, found := slices.BinarySearch(starts, offset)
	if !found {
		i-- // inside of a line
	}
	return i + 1
}

// lineStarts returns the offset at which each line begins.
func lineStarts(raw []byte) (starts []int64) {
	at := int64(0)
	for line := range bytes.Lines(raw) {
		starts = append(starts, at)
		at += int64(len(line))
	}
	return starts
}

func sortedSet(all []int) []int {
	slices.Sort(all)
	return slices.Compact(all)
}
