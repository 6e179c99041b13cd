package backfill

import (
	"context"
	"fmt"
	"slices"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
)

// Offered is how many candidates wait for the person at once.
const Offered = 10

// perSource is how many of one session, or of the repository's files, come before what others said.
const perSource = 3

// leastRank is the least rank with which something is offered: of what has less, a third is worth keeping.
const leastRank = 0.2

// An Offer is what waits for the person after a reading.
type Offer struct {
	Findings []finding.Status // imported ones that wait, those of this call last, best first
	New      int              // of them are of this call
	Left     int              // candidates that a later call offers
	Settled  []Candidate      // that were taken back later, or of which the opposite was said; best first
	Known    int              // candidates that memories, files or the journal have
	Failed   []Passed
}

// Fill puts the best candidates of the log and of the files among the findings that wait for the person,
// until as many as Offered are imported ones. What a memory says, a file that the client loads, or any
// finding of the journal, whatever became of it, is not offered.
func Fill(ctx context.Context, s *session.Session, files []string, now time.Time) (o Offer, err error) {
	log, err := loadBook(s)
	if err != nil {
		return o, err
	}
	whole, err := s.Whole()
	if err != nil && whole.Len() == 0 {
		return o, err
	}
	had := newHeld(whole)
	best, settled := Best(log.Each(nil))
	filed, failed := fromFiles(ctx, s, files)
	o.Settled, o.Failed = settled, failed
	best = spread(sortBest(append(best, filed...)))
	var picked, known []Candidate
	for room := Offered - len(had.imported); len(best) > 0 && len(picked) < room; {
		if err := ctx.Err(); err != nil {
			return o, err
		}
		batch := best[:min(len(best), Offered)]
		var news []finding.Finding
		for _, c := range batch {
			if !had.has(c.Finding) {
				news = append(news, c.Finding)
			}
		}
		says := map[string]string{} // by digest
		err := s.KnownAs(news, func(f finding.Finding, to string) { says[f.Digest] = to })
		if err != nil {
			return o, err
		}
		for _, c := range batch {
			to, isNew := says[c.Digest]
			switch {
			case !isNew, to != "":
				known = append(known, c)
			case len(picked) == room:
				o.Left++
			default:
				picked = append(picked, c)
				had.add(c.Text)
			}
		}
		best = best[len(batch):]
	}
	o.Left += len(best)
	o.Known = len(known)
	found := make([]finding.Finding, len(picked))
	for i, c := range picked {
		found[i] = c.finding()
	}
	added, err := s.NoteFindings(found, now)
	if err != nil {
		return o, err
	}
	err = appendTo(s, true, func(next int) (lines []byte) {
		moves := []finding.Move{{Act: finding.Know, Numbers: numbersOf(known)},
			{Act: finding.Offer, Numbers: numbersOf(picked)}}
		for _, c := range settled {
			moves = append(moves, finding.Move{Act: finding.PutAside, Numbers: c.numbers, Why: c.Over})
		}
		for _, m := range moves {
			if m.At, m.By = now, "keepsake"; len(m.Numbers) > 0 {
				lines = m.Append(lines, next)
			}
		}
		return lines
	})
	if err != nil {
		return o, err
	}
	book, err := s.Book()
	o.Findings, o.New = had.imported, len(added)
	for _, f := range added {
		if f, ok := book.Find(f.Number); ok {
			o.Findings = append(o.Findings, f)
		}
	}
	return o, err
}

// finding returns the candidate as the journal has it.
func (c Candidate) finding() finding.Finding {
	f := c.Finding
	// Asked for or sure it may have been then. Now it is the person's to say.
	f.Level, f.Explicit, f.Number = finding.Candidate, false, 0
	if c.Sessions > 1 {
		f.Context = append(slices.Clone(f.Context), finding.Line{By: finding.Program,
			Text: fmt.Sprintf("said in %d sessions", c.Sessions)})
	}
	return f
}

// spread returns candidates in their order, but what would be more than perSource of one source behind the
// others, and without those that are too unlikely.
func spread(best []Candidate) []Candidate {
	var first, rest []Candidate
	from := map[string]int{}
	for _, c := range best {
		if rank(c.Finding) < leastRank {
			continue
		}
		if from[c.Session]++; from[c.Session] > perSource {
			rest = append(rest, c)
		} else {
			first = append(first, c)
		}
	}
	return append(first, rest...)
}

// numbersOf returns the numbers of the log's findings that say what candidates say.
func numbersOf(all []Candidate) (numbers []int) {
	for _, c := range all {
		numbers = append(numbers, c.numbers...)
	}
	return numbers
}

// held is what the journal has already.
type held struct {
	digests  map[string]bool
	says     []*alike.Said
	imported []finding.Status // that wait
}

func newHeld(book *finding.Book) *held {
	h := &held{digests: map[string]bool{}}
	for _, f := range book.Each(nil) {
		h.digests[f.Digest] = true
		if f.State.Waits() || f.State == finding.Rejected {
			h.add(f.Text)
		}
		if f.Imported && f.State.Waits() {
			h.imported = append(h.imported, f)
		}
	}
	return h
}

func (h *held) add(text string) {
	if text != "" {
		h.says = append(h.says, alike.NewSaid(text))
	}
}

// has reports whether the journal has a finding, whatever became of it, or one that waits or that the person
// rejected says the same.
func (h *held) has(f finding.Finding) bool {
	said := alike.NewSaid(f.Text)
	return h.digests[f.Digest] || slices.ContainsFunc(h.says, func(other *alike.Said) bool {
		return other.Same(said)
	})
}
