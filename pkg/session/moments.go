package session

import (
	"errors"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/triage"
)

// Told are moments as the agent is told of them.
func Told(moments []finding.Status) (told []brief.Told) {
	for _, m := range moments {
		by := triage.Assistant
		if m.By.Person() {
			by = triage.Person
		}
		told = append(told, brief.Told{Kind: m.Moment, Text: m.Text, By: by})
	}
	return told
}

// Waiting returns the findings of a book that this session has noticed and that
// nothing has become of: statements for memories, and moments for the Markdown ones.
// near, also those that only come near their threshold.
func (s *Session) Waiting(b *finding.Book, near bool) (statements, moments []finding.Status) {
	o := s.Config.TriageOptions()
	for _, f := range b.Waiting() {
		switch {
		case f.Session != s.ID:
		case f.Moment != "":
			if f.State == finding.Open && f.Level == finding.Sure {
				moments = append(moments, f)
			}
		case f.Level == finding.Sure || near &&
			o.Nearly(triage.Statement{Category: f.Category, Score: f.Score}):
			statements = append(statements, f)
		}
	}
	return statements, moments
}

// Claimable returns the findings of a book that this session may save for others: what
// ended sessions noticed and nothing became of, and what others were told of and did not
// take up.
func (s *Session) Claimable(b *finding.Book) []finding.Status {
	return b.Each(func(f finding.Status) bool {
		return f.State.Waits() && f.Category != "" && f.Level == finding.Sure && f.Session != s.ID &&
			(f.State == finding.Offered || s.Ended(f.Session))
	})
}

// shownStatements is how many statements of one category are named as waiting.
const shownStatements = 3

// Unsaved is what this session noticed and has not saved or written down, one
// statement a line.
func (s *Session) Unsaved() (all []brief.Waiting, err error) {
	book, err := s.Recent()
	if err != nil && book.Len() == 0 {
		return nil, err
	}
	statements, moments := s.Waiting(book, true)
	named := map[memory.Category]int{}
	for _, f := range statements {
		if named[f.Category]++; named[f.Category] <= shownStatements {
			all = append(all, brief.Waiting{Label: f.Category.Display(), Text: f.Text})
		}
	}
	for _, m := range moments {
		all = append(all, brief.Waiting{Label: m.Moment.Display(), Text: m.Text})
	}
	return all, err
}

// EndedMoments are what ended sessions heard for the Markdown memories and nobody was
// told of. From then on it counts as told.
func (s *Session) EndedMoments(now time.Time) ([]brief.Told, error) {
	book, err := s.Book()
	moments := book.Each(func(f finding.Status) bool {
		return f.Moment != "" && f.State == finding.Open && f.Level == finding.Sure && f.Session != s.ID &&
			s.Ended(f.Session)
	})
	if len(moments) == 0 {
		return nil, err
	}
	merr := s.MoveFindings(finding.Move{At: now, Act: finding.Offer, Numbers: finding.Numbers(moments),
		By: "keepsake"})
	if merr != nil { // told when it can be noted, so that it is told once
		return nil, errors.Join(err, merr)
	}
	return Told(moments), err
}

// EarlierFindings counts what sessions that are over noticed and nobody has settled.
// Candidates don't count.
func (s *Session) EarlierFindings(now time.Time) (w brief.Earlier, err error) {
	book, err := s.Book()
	over := map[string]bool{s.ID: false}
	wanted := func(f finding.Status) bool {
		if !f.State.Waits() || f.Level != finding.Sure || f.Category == "" {
			return false
		}
		ended, known := over[f.Session]
		if !known {
			ended = s.Ended(f.Session)
			over[f.Session] = ended
		}
		return ended
	}
	w.Findings = len(book.Each(wanted))
	for _, f := range book.Due(now.Add(brief.SoonDays*day), s.ages(true)) {
		if wanted(f) {
			w.Soon++
		}
	}
	return w, err
}

// Ended reports whether another session of the project is over, as far as its state
// says. One that left no state is.
func (s *Session) Ended(id string) bool {
	st, err := s.sessions().Load(id)
	if err != nil {
		return true
	}
	return st.Over || st.Client.Ended() || st.Client.Start == "" && time.Since(st.Seen) > silent
}
