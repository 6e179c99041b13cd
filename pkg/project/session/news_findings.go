package session

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// foundNews is the part of a stretch of a conversation that is new to the journal.
type foundNews struct {
	added   []finding.Finding // numbered
	moves   []finding.Move
	numbers []int // in the journal, of each finding; 0 where it does not come up again
}

// newFindings numbers the findings that the journal does not have yet. What is said again is one
// finding: the same words after whatever leads into them, in this session also other words, and the
// agent's echo of what the person said. The person's words stay. The finding becomes surer, or
// asked for, where it was when it was repeated. Such a finding, and one of an earlier session, goes
// on in a new one. That is not offered again where it was offered in this session; see AskedAgain.
// What was settled comes up again only when the person asks for it, and not even then where a
// memory says it.
func (s *Findings) newFindings(known *finding.Book, found []finding.Finding, next int,
	now time.Time) foundNews {
	// a log that can't be read costs a repetition
	old, _, _ := s.settledLog().Tail(recentBytes, journal.Position{})
	return newTo(known, found, next, now, past{s.ID, old, s.isKept})
}

// NoteIn adds the findings of a stretch of a session to a book as AddFindings adds them to the journal. It
// returns the number that each has in the book.
func NoteIn(book *finding.Book, session string, found []finding.Finding, now time.Time) ([]int, error) {
	if len(found) == 0 {
		return nil, nil
	}
	news := newTo(book, found, book.Next(), now, past{session, nil, func(string) bool { return false }})
	err := book.AddTurn(finding.Turn{At: now, Session: session, Findings: news.added})
	for _, m := range news.moves {
		book.AddMove(m)
	}
	return news.numbers, err
}

// past is what new findings are held against besides the book of the journal.
type past struct {
	session string // the one that goes on
	settled []byte // lines of the settled log
	kept    func(to string) bool
}

// newTo is newFindings for any journal.
func newTo(known *finding.Book, found []finding.Finding, next int, now time.Time, p past) foundNews {
	whole, into := mergeRepeated(found)
	before := make(map[string][]finding.Status, len(whole))
	for _, f := range whole {
		before[f.Digest] = nil
	}
	for _, k := range known.Each(func(k finding.Status) bool {
		_, wanted := before[k.Digest]
		return wanted
	}) {
		before[k.Digest] = append(before[k.Digest], k)
	}
	here := &earlier{book: known, session: p.session}
	var n foundNews
	numbers := make([]int, len(whole))
	for i, f := range whole {
		var k finding.Status
		again := false
		for _, b := range before[f.Digest] {
			if !isAgentSurer(mergedInto(known, b).Finding, f) {
				k, again = b, true
			}
		}
		if !again {
			k, again = here.sayingSame(f)
		}
		k = mergedInto(known, k)
		told := false
		switch {
		case !again:
			if end := settledAs(p.settled, f.Digest); end != "" && end != finding.Expired && !f.Explicit {
				continue
			}
		case k.State == finding.Expired:
		case k.State.Waits():
			numbers[i] = k.Number
			told = k.Told == p.session
			var goes bool
			if f, goes = repeatedAs(k, f, p.session); !goes {
				continue
			}
			n.moves = append(n.moves, finding.Move{
				At: now, Session: p.session, Act: finding.Merge, Numbers: []int{k.Number},
				To: "#" + strconv.Itoa(next), By: "keepsake",
			})
		case k.State.Kept() && (!f.Explicit || p.kept(k.To)):
			numbers[i] = k.Number
			continue
		case !f.Explicit:
			continue
		}
		f.Number = next
		next++
		numbers[i] = f.Number
		if told {
			n.moves = append(n.moves, finding.Move{At: now, Session: p.session, Act: finding.Offer,
				Numbers: []int{f.Number}, By: "keepsake"})
		}
		n.added = append(n.added, f)
	}
	for _, i := range into {
		n.numbers = append(n.numbers, numbers[i])
	}
	return n
}

// maxBeside is how many findings before it in its stretch a new one is compared with, the nearest. A
// stretch of thousands, such as a session that was never read, would outlast the hook.
const maxBeside = 200

// mergeRepeated returns the findings of one stretch with each thing that was said once, and for
// each given finding the index of the one that it is in.
func mergeRepeated(found []finding.Finding) (whole []finding.Finding, into []int) {
	var says []*alike.Said
	for _, f := range found {
		if f.Digest == "" {
			f.Digest = finding.Digest(f.Text)
		}
		said := alike.NewSaid(f.Text)
		i := slices.IndexFunc(whole, func(w finding.Finding) bool {
			return w.Digest == f.Digest && !isAgentSurer(w, f)
		})
		for j := max(0, len(whole)-maxBeside); i < 0 && j < len(whole); j++ {
			if saysAgain(whole[j], f, says[j], said) {
				i = j
			}
		}
		if i < 0 {
			i = len(whole)
			whole, says = append(whole, f), append(says, said)
		} else if whole[i] = joinFindings(whole[i], f); whole[i].Digest == f.Digest {
			says[i] = said
		}
		into = append(into, i)
	}
	return whole, into
}

// saysAgain reports whether two findings say one thing: in other words, or as the agent's echo of
// the person.
func saysAgain(a, b finding.Finding, says, said *alike.Said) bool {
	switch {
	case a.Moment != b.Moment || isAgentSurer(a, b):
		return false
	case a.By.Person() && !b.By.Person():
		return says.Says(said)
	case b.By.Person() && !a.By.Person():
		return said.Says(says)
	}
	return a.Kind == b.Kind && a.Target == b.Target && (says.Same(said) || holds(a.Text, b.Text))
}

// holds reports whether one of two texts has the whole other one in it, which is no mere phrase.
func holds(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return len(b) >= leastHeld && strings.Contains(a, b)
}

// leastHeld is how long such a text is at least, in bytes: about eight words.
const leastHeld = 40

// isAgentSurer reports whether the agent is sure of what the person only guessed. That makes the
// person no surer, and each finding stays what it is.
func isAgentSurer(a, b finding.Finding) bool {
	if b.By.Person() {
		a, b = b, a
	}
	return a.By.Person() && !b.By.Person() && a.Level == finding.Candidate && b.Level == finding.Sure
}

// maxQuotes is how many other words for the same thing a finding has beside its own, and maxQuote how long
// one is at most, in bytes.
const (
	maxQuotes = 3
	maxQuote  = 400
)

// joinFindings returns a finding that was said twice: in the words of the person where one of them
// is theirs, else in the first words, and as sure as the surer one. The other words stand behind what
// explains it.
func joinFindings(first, again finding.Finding) finding.Finding {
	if again.By.Person() && !first.By.Person() {
		first, again = again, first
	}
	if first.Level == finding.Candidate && again.Level == finding.Sure {
		first.Level, first.Category, first.Score, first.Cue = finding.Sure, again.Category,
			again.Score, again.Cue
	}
	first.Explicit = first.Explicit || again.Explicit
	first.Context = withQuote(first, again)
	return first
}

// withQuote returns what explains a finding, with the words of one that says the same.
func withQuote(f, again finding.Finding) []finding.Line {
	quotes := 0
	for _, l := range f.Context {
		if l.Role == finding.Quoted {
			quotes++
		}
		if strings.Contains(l.Text, again.Text) {
			return f.Context
		}
	}
	if quotes == maxQuotes || strings.Contains(f.Text, again.Text) || again.Text == "" {
		return f.Context
	}
	return append(slices.Clip(f.Context), finding.Line{By: again.By, Role: finding.Quoted,
		Text: text.ShortenBytes(again.Text, maxQuote)})
}

// isRepeatedRule reports whether a person gave the same instruction in two sessions: a rule, whatever the
// words of one time alone make of it.
func isRepeatedRule(k finding.Status, f finding.Finding) bool {
	rule := func(f finding.Finding) bool {
		has, lasts := cues.Find(f.Text), f.Category == memory.Preference || f.Category == memory.Constraint
		return f.By == finding.Typed && f.Kind == finding.Statement &&
			(has&(1<<cues.Rule|1<<cues.Lasting) != 0 || lasts && has.Has(cues.Want))
	}
	return k.Session != f.Session && rule(k.Finding) && rule(f)
}

// repeatedAs returns the finding in which a waiting one goes on, now that it was said again. goes
// is false where the repetition says nothing new.
func repeatedAs(k finding.Status, f finding.Finding, session string) (_ finding.Finding, goes bool) {
	switch {
	case k.Record != "" && k.Record == f.Record && k.By == f.By:
		return f, false // a forked session repeats what was said
	case k.By.Person() && !f.By.Person(),
		k.Session == session && k.By == f.By && len(k.Text) < len(f.Text) && holds(k.Text, f.Text):
		return f, false // what is quoted is no surer for it
	case k.Session != session, f.By.Person() && !k.By.Person(),
		k.Level == finding.Candidate && f.Level == finding.Sure:
		if isRepeatedRule(k, f) {
			f.Level, f.Cue = finding.Sure, "said in two sessions"
		}
		return joinFindings(f, k.Finding), true
	}
	return f, false
}

// mergedInto returns the finding in which another one went on, which may be itself.
func mergedInto(b *finding.Book, k finding.Status) finding.Status {
	for steps := 0; k.State == finding.Merged && steps < 20; steps++ {
		n, ok := findingNumber(k.To)
		if !ok {
			break
		}
		next, ok := b.Find(n)
		if !ok {
			break
		}
		k = next
	}
	return k
}

// isKept reports whether what a finding became is still there, so that it need not be kept again.
func (s *Findings) isKept(to string) bool {
	if filepath.IsAbs(to) || path.Ext(to) != ".json" {
		return !strings.HasPrefix(to, "#")
	}
	m, err := s.Store().Read(to)
	return err == nil && m.Status == memory.Active
}

// earlier holds the findings of a session that new ones are compared with. They are read when the
// first is asked for.
type earlier struct {
	book    *finding.Book
	session string
	found   []finding.Status
	says    []*alike.Said
	read    bool
}

// maxEarlier is how many findings of a session new ones are compared with, the newest.
const maxEarlier = 30

// sayingSame returns the finding of the session that a new one says again.
func (e *earlier) sayingSame(f finding.Finding) (k finding.Status, again bool) {
	if !e.read {
		e.read = true
		e.found = e.book.Each(func(k finding.Status) bool { return k.Session == e.session && k.Text != "" })
		e.found = e.found[max(0, len(e.found)-maxEarlier):]
		for _, k := range e.found {
			e.says = append(e.says, alike.NewSaid(k.Text))
		}
	}
	if len(e.found) == 0 {
		return k, false
	}
	said := alike.NewSaid(f.Text)
	for i, k := range slices.Backward(e.found) {
		if saysAgain(k.Finding, f, e.says[i], said) {
			return k, true
		}
	}
	return k, false
}
