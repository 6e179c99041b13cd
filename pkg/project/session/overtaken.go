package session

import (
	"cmp"
	"slices"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

// A replacement is something that replaces what was said before it.
type replacement struct {
	change.Subject
	against []func([]change.Subject) (change.Change, bool) // what each of its sentences turns against
	at      time.Time
}

// Overtaken returns a function that returns what a person said after a finding and against it: an active
// record, by its path, or a finding that waits, by "#" and its number. Records come first, and the newest
// of each.
func (ca *Capture) Overtaken() (func(finding.Finding) (by change.Subject, ok bool), error) {
	book, err := ca.Book()
	if err != nil && book.Len() == 0 {
		return nil, err
	}
	said, err := ca.saidAt()
	if err != nil {
		return nil, err
	}
	loaded, err := ca.Store().Load()
	if err != nil {
		return nil, err
	}
	var records, waiting []replacement
	for _, m := range loaded.Records {
		if m.Status != memory.Active || m.Category == memory.SessionSummary || ca.TrustOf(m).Held {
			continue
		}
		s := subjectOf(m)
		if against := stating(cmp.Or(s.Main, s.Title)); len(against) > 0 {
			records = append(records, replacement{s, against, said(s)})
		}
	}
	for _, f := range book.Waiting() {
		if f.Category == "" || !f.By.Person() {
			continue
		}
		if against := stating(f.Text); len(against) > 0 {
			s := change.Subject{Ref: FindingPath(f.Number), Category: f.Category, Text: f.Text, Time: f.Time}
			waiting = append(waiting, replacement{s, against, f.Time})
		}
	}
	newestFirst := func(x, y replacement) int { return y.at.Compare(x.at) }
	slices.SortStableFunc(records, newestFirst)
	slices.SortStableFunc(waiting, newestFirst)
	all := append(records, waiting...)
	return func(f finding.Finding) (by change.Subject, ok bool) {
		of := []change.Subject{{Ref: FindingPath(f.Number), Category: f.Category, Text: f.Text, Time: f.Time}}
		for _, l := range all {
			if !l.at.After(f.Time) || l.Ref == of[0].Ref {
				continue
			}
			for _, against := range l.against {
				if c, ok := against(of); ok && c.Score > change.Pointed {
					return l.Subject, true
				}
			}
		}
		return by, false
	}, nil
}

// stating returns what the sentences of a text that may replace something turn against.
func stating(said string) (all []func([]change.Subject) (change.Change, bool)) {
	for _, sentence := range replacing(said) {
		all = append(all, change.Stating(sentence, finding.Typed))
	}
	return all
}

// replacing returns the sentences of a text that may replace something.
func replacing(said string) (all []string) {
	for _, sentence := range triage.Sentences(said) {
		if !sentence.Question && mayReplace(sentence.Text) {
			all = append(all, sentence.Text)
		}
	}
	return all
}
