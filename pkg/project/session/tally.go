package session

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal"
	"keepsake/pkg/project/config"
)

// A Tally is how many findings a project has, by what became of them.
type Tally struct {
	States map[finding.State]int
	// ToReview are those that want the person's answer: of ended sessions, proposed by agents or found by
	// keepsake init, and all that no agent is told of because the settings have it wait for the person.
	ToReview int
	Moments  int // for the Markdown memories, of this session; nobody was told of them
}

// tallied are the counts of a project's findings, as they are kept in the cache until the journal changes: a
// long one takes longer to read than all else that a status line needs.
type tallied struct {
	States  map[finding.State]int `json:"states"`
	Asking  int                   `json:"asking"` // proposed by agents, or found by keepsake init
	Waiting []waitingOf           `json:"waiting"`
}

// waitingOf are the findings that wait of one session, and were told to one.
type waitingOf struct {
	Session string `json:"session"`
	Told    string `json:"told"`
	Sure    int    `json:"sure"`    // with a category
	Moments int    `json:"moments"` // sure, and told to nobody
}

// A Look is what the files of a project were when a call looked at them. A call that counts looks once.
type Look struct {
	Tally   Tally
	records string // see [store.Store.Stamp]
}

// Look looks at the findings and the files of the records.
func (s *Findings) Look() (Look, error) {
	tally, err := s.Tally()
	return Look{tally, s.Store().Stamp()}, err
}

// Tally returns how many findings there are.
func (s *Findings) Tally() (Tally, error) {
	kept, err := s.tallied()
	if err != nil {
		return Tally{}, err
	}
	t := Tally{States: kept.States, ToReview: kept.Asking}
	over := s.endedSessions()
	forPerson := s.Config.Capture.OnStop == config.Heard
	for _, w := range kept.Waiting {
		if forPerson && w.Told == "" || isClaimable(w.Session, w.Told, s.ID, over) {
			t.ToReview += w.Sure
		}
		if w.Session == s.ID {
			t.Moments += w.Moments
		}
	}
	return t, nil
}

// tallied returns the counts as the journal has them now.
func (s *Findings) tallied() (tallied, error) {
	of := ""
	if end, settled := endOf(s.Journal()), endOf(s.settledLog()); end != "" && settled != "" {
		of = end + " " + settled
	}
	return countKept(s.Place, "findings", of, func() (t tallied, err error) {
		book, err := s.Whole()
		t.count(book)
		return t, err
	})
}

// endOf returns a text that is another one for each state of a log, "" if that can't be told.
func endOf(j journal.Journal) string {
	size := j.Size()
	if size == 0 {
		return "-"
	}
	writing, err := j.Writing()
	if err != nil {
		return ""
	}
	line, err := j.Line(journal.Position{Writing: writing, Offset: size})
	if err != nil || line == nil { // the last line is not whole
		return ""
	}
	return fmt.Sprintf("%s:%d:%08x", writing, size, crc32.ChecksumIEEE(line))
}

// count counts the findings of a book.
func (t *tallied) count(book *finding.Book) {
	t.States = book.Count()
	of := map[[2]string]*waitingOf{}
	for _, f := range book.Waiting() {
		if f.Cue == Proposed || f.Imported {
			t.Asking++
		}
		if f.Level != finding.Sure {
			continue
		}
		key := [2]string{f.Session, f.Told}
		if of[key] == nil {
			of[key] = &waitingOf{Session: f.Session, Told: f.Told}
		}
		if f.Category != "" {
			of[key].Sure++
		}
		if f.Moment != "" && f.State == finding.Open {
			of[key].Moments++
		}
	}
	for _, w := range of {
		t.Waiting = append(t.Waiting, *w)
	}
	slices.SortFunc(t.Waiting, func(a, b waitingOf) int {
		return strings.Compare(a.Session+" "+a.Told, b.Session+" "+b.Told)
	})
}
