package session

import (
	"errors"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

// ToldMoments returns moments in the form in which the agent is told of them.
func ToldMoments(moments []finding.Status) (told []brief.Told) {
	for _, m := range moments {
		by := triage.Assistant
		if m.By.Person() {
			by = triage.Person
		}
		told = append(told, brief.Told{Kind: m.Moment, Text: m.Text, By: by})
	}
	return told
}

// Waiting returns the findings of a book that this session noticed and that nothing has become of:
// statements for records, and moments for the Markdown memories. With near it also returns those
// that only come near their threshold.
func (s *Findings) Waiting(b *finding.Book, near bool) (statements, moments []finding.Status) {
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

// AsksFor reports whether the agent is to be asked to save a finding that waits. It is asked once,
// and again when the person asks anew. When the session's budget is used up, that is when left is
// false, it is asked only for what the person asks for.
func (s *Findings) AsksFor(st stage.State, f finding.Status, left bool) bool {
	switch {
	case slices.Contains(st.Again, f.Number):
		return true
	case f.Told == s.ID:
		return false
	}
	return f.Explicit || left
}

// Claimable returns the findings of a book that this session may save for others: those that ended
// sessions noticed and nothing became of. A finding that was told to a session which is still under
// way is that session's to save, whoever noticed it.
func (s *Findings) Claimable(b *finding.Book) []finding.Status {
	over := s.endedSessions()
	return b.Each(func(f finding.Status) bool {
		return f.State.Waits() && f.Category != "" && f.Level == finding.Sure &&
			isClaimable(f.Session, f.Told, s.ID, over)
	})
}

// isClaimable reports whether a session may save what another one noticed. told is whom the finding was told to.
func isClaimable(noticed, told, by string, over func(session string) bool) bool {
	return over(noticed) && (told == "" || told == by || over(told))
}

// endedSessions returns a function that reports whether another session of the project is over. It
// asks once for each.
func (fl *InFlight) endedSessions() func(id string) bool {
	known := map[string]bool{fl.ID: false}
	var awake []string
	return func(id string) bool {
		is, ok := known[id]
		if !ok {
			if awake == nil {
				awake, _ = fl.Sessions().Awake() // a session that can't be looked at is over
			}
			is = !slices.Contains(awake, id) || fl.Ended(id)
			known[id] = is
		}
		return is
	}
}

// shownStatements is how many statements of one category are named as waiting.
const shownStatements = 3

// Unsaved returns what this session noticed and nobody has saved or written down, one statement a
// line.
func (s *Findings) Unsaved() (all []brief.Waiting, err error) {
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

// EndedMoments returns the moments that ended sessions heard and nobody was told of. From then on
// they count as told.
func (s *Findings) EndedMoments(now time.Time) ([]brief.Told, error) {
	book, err := s.Book()
	over := s.endedSessions()
	moments := book.Each(func(f finding.Status) bool {
		return f.Moment != "" && f.State == finding.Open && f.Level == finding.Sure && over(f.Session)
	})
	if len(moments) == 0 {
		return nil, err
	}
	merr := s.MoveFindings(finding.Move{At: now, Act: finding.Offer, Numbers: finding.Numbers(moments),
		By: "keepsake"})
	if merr != nil {
		// What can't be noted as told is not told now, so that it is told once.
		return nil, errors.Join(err, merr)
	}
	return ToldMoments(moments), err
}

// EarlierFindings counts for the person who begins a session what ended sessions noticed and nobody
// has settled, and what is about to expire. From then on they count as told: on the same day the
// person is told again only of more, and once that something expires.
func (s *Findings) EarlierFindings(now time.Time) (w brief.Earlier, err error) {
	book, err := s.Book()
	over := s.endedSessions()
	waits := book.Each(func(f finding.Status) bool {
		return f.State.Waits() && f.Level == finding.Sure && f.Category != "" && over(f.Session)
	})
	ending := s.expiring(book, now)
	unseen := slices.DeleteFunc(slices.Clone(waits),
		func(f finding.Status) bool { return sameDay(f.Seen, now) })
	if len(unseen)+len(ending) == 0 {
		return brief.Earlier{}, err
	}
	w.Findings = len(waits)
	listed := finding.Numbers(waits)
	for _, f := range ending {
		if slices.Contains(listed, f.Number) {
			w.Ending++
		} else {
			w.Others++
		}
	}
	merr := s.MoveFindings(
		finding.Move{At: now, Act: finding.Tell, Numbers: finding.Numbers(unseen), By: "keepsake"},
		finding.Move{At: now, Act: finding.Warn, Numbers: finding.Numbers(ending), By: "keepsake"})
	if merr != nil && len(ending) > 0 {
		// What can't be noted as told is not told now, so that it is told once.
		w.Ending, w.Others = 0, 0
	}
	return w, errors.Join(err, merr)
}

// expiring returns the findings that expire soon and that the person was not told of. Candidates of
// this session are not theirs to look at yet.
func (s *Findings) expiring(book *finding.Book, now time.Time) []finding.Status {
	told := func(f finding.Status) bool { return !f.Warned.IsZero() || f.Session == s.ID }
	if soon := book.Due(now.Add(endsSoon), s.ages()); !slices.ContainsFunc(soon,
		func(f finding.Status) bool { return !told(f) }) {
		return nil
	}
	return slices.DeleteFunc(book.Due(now.Add(endsNext), s.ages()), told)
}

// sameDay reports whether two times are on one day where the person is.
func sameDay(a, b time.Time) bool {
	return a.Local().Format(time.DateOnly) == b.Local().Format(time.DateOnly)
}

// Ended reports whether another session of the project is over, as far as its state says. A session
// that left no state is over.
func (fl *InFlight) Ended(id string) bool {
	st, err := fl.Sessions().Load(id)
	if err != nil {
		return true
	}
	return st.Over || st.Client.Ended() || st.Client.Start == "" && time.Since(st.Seen) > silent
}
