package session

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// maxSubjects is how many records a statement that may turn against one is compared with: the
// nearest ones, and those that this session was shown.
const maxSubjects = 40

// maxOlder is how many of the findings before the journal's end it is compared with.
const maxOlder = 20

// batchRef begins the reference of a subject that was noticed in the same stretch and has no number
// yet. Its index follows.
const batchRef = "@"

// addChanges adds changes of mind in the person's words: statements that turn against a record or a
// finding. A statement that was noticed by itself becomes a finding of that kind. Another one is added,
// unless it only takes back a finding that nobody has written up, such as "scrap that". Most turns have
// no such words, and then nothing is read.
func (n *Noticed) addChanges(s *Capture, before explain.Earlier, entries []transcript.Entry,
	base finding.Finding) error {
	var subjects []change.Subject
	gathered := false
	for i, e := range entries {
		if e.Who != transcript.Person || e.Text == "" || e.Plan != "" || !change.MayTurn(e.Text) {
			continue
		}
		if base.Origin == finding.NoOrigin || e.Marked != transcript.ByHand {
			continue // a client's agent, or a program, does not take back what a person said
		}
		for _, sentence := range triage.Sentences(e.Text) {
			if sentence.Question || !change.Turns(sentence.Text) {
				continue
			}
			if !gathered {
				var err error
				if subjects, err = s.subjects(e.Text, false); err != nil {
					return err
				}
				gathered = true
			}
			c, ok := change.Detect(sentence.Text, finding.Typed, append(n.batchSubjects(), subjects...))
			if !ok {
				continue
			}
			n.addChange(c, sentence.Text, e, base, func() []finding.Line {
				return explain.Exchanges(before, entries, i, sentence.Text)
			})
		}
	}
	n.Findings = slices.DeleteFunc(n.Findings, func(f finding.Finding) bool { return f.Level == dropped })
	return nil
}

// dropped is the level of a finding that was taken back before it was noted.
const dropped finding.Level = "dropped"

// batchSubjects returns the findings of this stretch as subjects, newest first.
func (n *Noticed) batchSubjects() (all []change.Subject) {
	for i, f := range slices.Backward(n.Findings) {
		if f.Category != "" && f.Level != dropped {
			all = append(all, change.Subject{Ref: batchRef + strconv.Itoa(i), Category: f.Category,
				Text: f.Text, Time: f.Time, Injected: true})
		}
	}
	return all
}

// addChange notes a change of mind, with the exchanges that explain it.
func (n *Noticed) addChange(c change.Change, statement string, e transcript.Entry, base finding.Finding,
	exchanges func() []finding.Line) {
	statement = text.OneLine(secret.Redact(statement))
	if ref, ok := strings.CutPrefix(c.Target.Ref, batchRef); ok {
		i, _ := strconv.Atoi(ref)
		if n.Findings[i].Record == e.UUID && strings.Contains(n.Findings[i].Text, statement) {
			return // it speaks of itself
		}
		n.Findings[i].Level = dropped
		c.Target.Ref = ""
	} else if ref, ok := strings.CutPrefix(c.Target.Ref, "#"); ok {
		number, _ := strconv.Atoi(ref)
		n.Turned = append(n.Turned, finding.Move{Act: finding.PutAside, Numbers: []int{number}, By: "person",
			Why: "taken back: " + statement})
	}
	against := finding.Line{By: finding.Program, Role: finding.Said,
		Text: "what it turns against: " + subjectTitle(c.Target)}
	// with nothing to write up
	empty := !strings.Contains(c.Target.Ref, "/") && c.Score <= change.Pointed && c.To == ""
	for i := range n.Findings {
		f := &n.Findings[i]
		if f.Record == e.UUID && f.By.Person() && f.Level != dropped && f.Category != "" &&
			(strings.Contains(f.Text, statement) || strings.Contains(statement, f.Text)) {
			if f.Level == finding.Candidate { // the change says it better
				f.Level = dropped
				continue
			}
			f.Kind, f.Target, f.Level = finding.Change, c.Target.Ref, finding.Sure
			f.Context = append(f.Context, against)
			return
		}
	}
	if empty {
		return
	}
	f := base
	f.Text, f.By, f.Record, f.Offset, f.Time, f.Category = statement, finding.Typed, e.UUID, e.Offset,
		e.Time.UTC(), c.Target.Category
	f.Score, f.Cue, f.Level, f.Kind, f.Target = c.Score, c.Cue, finding.Sure, finding.Change, c.Target.Ref
	if f.Time.IsZero() {
		f.Time = time.Now().UTC()
	}
	f.Context = append(redacted(exchanges()), against)
	f.Digest = finding.Digest(f.Text)
	n.Findings = append(n.Findings, f)
}

// A Turned is what a text turns against. A subject without a reference is none.
type Turned struct {
	Record  change.Subject // the active record whose place the text takes, by its path
	Finding change.Subject // the waiting finding that it takes back, by "#" and its number
	Perhaps change.Subject // the active record whose place it may take instead; the person is told
}

// Turns returns what a text turns against that the person gives to be remembered, or agrees to. said is when
// it was said: it does not turn against what was said later. The zero time is now. Nor does it turn against
// the findings that go into one memory with it, by their numbers.
func (ca *Capture) Turns(text string, said time.Time, with ...int) (t Turned, err error) {
	turning := replacing(text)
	if len(turning) == 0 {
		return t, nil
	}
	subjects, err := ca.subjects(text, true)
	if err == nil && !said.IsZero() {
		subjects, err = ca.saidBefore(subjects, said)
	}
	if err != nil {
		return t, err
	}
	subjects = slices.DeleteFunc(subjects, func(s change.Subject) bool {
		n, ok := findingNumber(s.Ref)
		return ok && slices.Contains(with, n)
	})
	recorded := slices.DeleteFunc(slices.Clone(subjects), func(s change.Subject) bool {
		return strings.HasPrefix(s.Ref, "#")
	})
	for _, sentence := range turning {
		c, ok := change.Stated(sentence, finding.Typed, subjects)
		if !ok || c.Score <= change.Pointed {
			continue
		}
		if !strings.HasPrefix(c.Target.Ref, "#") {
			t.Record = c.Target
			return t, nil
		}
		// What waits may be recorded as well, in the same words.
		t.Finding = c.Target
		if r, ok := change.Stated(sentence, finding.Typed, recorded); ok && r.Score >= c.Score {
			t.Record = r.Target
		}
		return t, nil
	}
	for _, sentence := range turning {
		if s, ok := change.Resembling(sentence, recorded); ok {
			t.Perhaps = s
			break
		}
	}
	return t, nil
}

// mayReplace reports whether a sentence has words with which people say that something is otherwise
// now. Most sentences have none.
func mayReplace(sentence string) bool {
	if change.Turns(sentence) {
		return true
	}
	return alike.LatestOf(sentence).MayReplace()
}

// saidBefore returns the subjects that were said before a time.
func (ca *Capture) saidBefore(subjects []change.Subject, at time.Time) ([]change.Subject, error) {
	said, err := ca.saidAt()
	return slices.DeleteFunc(subjects, func(s change.Subject) bool { return !said(s).Before(at) }), err
}

// saidAt returns a function that returns when a subject was said. For a record that is when the last of the
// statements that it is made of was said, which may be long before it was saved.
func (ca *Capture) saidAt() (func(change.Subject) time.Time, error) {
	book, err := ca.Whole()
	if err != nil && book.Len() == 0 {
		return nil, err
	}
	last := map[string]time.Time{} // by path
	for _, f := range book.Each(func(f finding.Status) bool { return f.State.Kept() }) {
		if f.Time.After(last[f.To]) {
			last[f.To] = f.Time
		}
	}
	return func(s change.Subject) time.Time {
		if at, ok := last[s.Ref]; ok {
			return at
		}
		return s.Time
	}, nil
}

// subjectTitle returns a subject's title, or the beginning of its text.
func subjectTitle(t change.Subject) string {
	if t.Title != "" {
		return text.Shorten(t.Title, memory.MaxTitle)
	}
	return text.Shorten(t.Text, memory.MaxTitle)
}

// pointedBack is how long "that" can mean what a session said and saved last.
const pointedBack = 30 * time.Minute

// subjects returns what a text of the person's may turn against. These are the findings that wait,
// newest first, and of those before the journal's end the nearest. Then there are the active
// records that are nearest to it, that this session was shown, or that became of what it said last.
// Of the findings that are not sure it has those that were imported, if imported is set.
func (ca *Capture) subjects(text string, imported bool) (all []change.Subject, err error) {
	book, err := ca.Recent()
	if err != nil && book.Len() == 0 {
		return nil, err
	}
	waiting := book.Waiting()
	older, err := ca.olderSubjects(book, text)
	if err != nil {
		ca.Fault("notice", "what a person takes back was held against the newest findings only", err)
	}
	var last finding.Status // of this session
	for _, f := range book.Each(func(f finding.Status) bool {
		return f.Session == ca.ID && f.Category != ""
	}) {
		last = f
	}
	saved := "" // what became of it
	if last.State.Kept() && strings.Contains(last.To, "/") && time.Since(last.Time) < pointedBack {
		saved = last.To
	}
	for _, f := range slices.Backward(append(older, waiting...)) {
		if f.Category != "" && (f.Level == finding.Sure || imported && f.Imported) {
			all = append(all, change.Subject{
				Ref: FindingPath(f.Number), Category: f.Category, Text: f.Text, Time: f.Time,
				Injected: f.Session == ca.ID,
			})
		}
	}
	st := ca.Store()
	err = ca.Index(func(index *records.Index) error {
		hits, err := index.Search(records.Query{Text: text, Limit: maxSubjects})
		if err != nil {
			return err
		}
		paths := slices.Clone(ca.State.Shown[max(0, len(ca.State.Shown)-maxSubjects):])
		slices.Reverse(paths)
		if saved != "" {
			paths = append([]string{saved}, slices.DeleteFunc(paths, func(p string) bool {
				return p == saved
			})...)
		}
		for _, h := range hits {
			if !slices.Contains(paths, h.Path) {
				paths = append(paths, h.Path)
			}
		}
		for _, path := range paths {
			m, err := st.Read(path)
			if err != nil || m.Status != memory.Active || m.Category == memory.SessionSummary {
				continue // what the session was shown need not be a record
			}
			subject := subjectOf(m)
			subject.Injected = path == saved || slices.Contains(ca.State.Shown, path)
			all = append(all, subject)
			if path == saved { // it was said later than the waiting findings
				all = slices.Insert(all[:len(all)-1], 0, all[len(all)-1])
			}
		}
		return nil
	})
	return all, err
}

// subjectOf returns a record as a subject.
func subjectOf(m memory.Stored) change.Subject {
	at, _ := memory.ParseStamp(m.UpdatedAt)
	return change.Subject{Ref: m.Path, Category: m.Category, Title: m.Title, Text: m.Body(),
		Main: m.MainText(), Time: at}
}

// olderSubjects returns the findings that wait, are not in a book of the journal's end, and are
// nearest to a text, ordered by number.
func (ca *Capture) olderSubjects(book *finding.Book, text string) (all []finding.Status, err error) {
	x, err := ca.indexedFindings(false)
	if x == nil || err != nil {
		return nil, err
	}
	hits, err := x.index.Search(records.Query{Text: text, Limit: maxOlder, Retired: true})
	var older []int
	for _, hit := range hits {
		number, _ := findingNumber(hit.Path)
		if _, newer := book.Find(number); !newer {
			older = append(older, number)
		}
	}
	all, ferr := x.withNumbers(older...)
	return all, errors.Join(err, ferr)
}
