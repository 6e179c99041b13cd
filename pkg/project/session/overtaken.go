package session

import (
	"cmp"
	"errors"
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

// maxOvertaken bounds how many pairs of statements one look compares: those of a thousand that wait and a
// hundred that say that something is otherwise. A pair takes up to 30 µs, and mostly a tenth of that.
const maxOvertaken = 50_000

// maxOvertaking is how many statements that wait are read for what they turn against, the newest first. To
// read one takes some 0.1 ms.
const maxOvertaking = 2000

// ErrTooMany is the error for statements that are so many that they were not all compared.
var ErrTooMany = errors.New("so much waits that not all of it was compared with what was said later")

// Overtaken returns a function that returns what a person said after a finding and against it: an active
// record, by its path, or a finding that waits, by "#" and its number. Records come first, and the newest
// of each; Ref is "" if there is nothing. Its error is ErrTooMany where the bounds maxOvertaken and
// maxOvertaking leave something out.
func (ca *Capture) Overtaken() (func(finding.Finding) (by change.Subject, err error), error) {
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
	statements := slices.DeleteFunc(book.Waiting(), func(f finding.Status) bool {
		return f.Category == "" || !f.By.Person()
	})
	slices.SortStableFunc(statements, func(x, y finding.Status) int { return y.Time.Compare(x.Time) })
	left := len(statements) > maxOvertaking
	for _, f := range statements[:min(len(statements), maxOvertaking)] {
		if against := stating(f.Text); len(against) > 0 {
			s := change.Subject{Ref: FindingPath(f.Number), Category: f.Category, Text: f.Text, Time: f.Time}
			waiting = append(waiting, replacement{s, against, f.Time})
		}
	}
	slices.SortStableFunc(records, func(x, y replacement) int { return y.at.Compare(x.at) })
	all := append(records, waiting...)
	compared := 0
	return func(f finding.Finding) (by change.Subject, err error) {
		of := []change.Subject{{Ref: FindingPath(f.Number), Category: f.Category, Text: f.Text, Time: f.Time}}
		for _, l := range all {
			if !l.at.After(f.Time) || l.Ref == of[0].Ref {
				continue
			}
			if compared++; compared > maxOvertaken {
				return by, ErrTooMany
			}
			for _, against := range l.against {
				if c, ok := against(of); ok && c.Score > change.Pointed {
					return l.Subject, nil
				}
			}
		}
		if left {
			err = ErrTooMany
		}
		return by, err
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
