package session

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

// foundNews is what a stretch of a conversation adds to the journal.
type foundNews struct {
	added   []finding.Finding // numbered
	moves   []finding.Move
	numbers []int // of what was found, in the journal; 0 where nothing is to become of it
}

// news numbers the findings that the journal does not have yet. What is said again is one
// finding: word for word but for what leads into it, in this session also in other words,
// and where the agent only echoes what the person said. The person's words stay, and what
// was heard to be surer, or was asked to be remembered, makes it that. Such a finding, and
// one of an earlier session, goes on in a new one, which is not offered again where it was
// in this session, see AskedAgain. What was settled comes up again only when the person asks for it, and
// what a memory has not even then.
func (s *Findings) news(known *finding.Book, found []finding.Finding, next int, now time.Time) foundNews {
	whole, into := folded(found)
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
	// one that can't be read costs a repetition
	old, _, _ := s.settled().Tail(recentBytes, journal.Position{})
	here := &earlier{book: known, session: s.ID}
	var n foundNews
	numbers := make([]int, len(whole))
	for i, f := range whole {
		var k finding.Status
		again := false
		for _, b := range before[f.Digest] {
			if !guessed(goesOn(known, b).Finding, f) {
				k, again = b, true
			}
		}
		if !again {
			k, again = here.saying(f)
		}
		k = goesOn(known, k)
		told := false
		switch {
		case !again:
			if end := settledAs(old, f.Digest); end != "" && end != finding.Expired && !f.Explicit {
				continue
			}
		case k.State == finding.Expired:
		case k.State.Waits():
			numbers[i] = k.Number
			told = k.Told == s.ID
			var goes bool
			if f, goes = raised(k, f, s.ID); !goes {
				continue
			}
			n.moves = append(n.moves, finding.Move{
				At: now, Session: s.ID, Act: finding.Merge, Numbers: []int{k.Number},
				To: "#" + strconv.Itoa(next), By: "keepsake",
			})
		case k.State.Kept() && (!f.Explicit || s.stands(k.To)):
			numbers[i] = k.Number
			continue
		case !f.Explicit:
			continue
		}
		f.Number = next
		next++
		numbers[i] = f.Number
		if told {
			n.moves = append(n.moves, finding.Move{At: now, Session: s.ID, Act: finding.Offer,
				Numbers: []int{f.Number}, By: "keepsake"})
		}
		n.added = append(n.added, f)
	}
	for _, i := range into {
		n.numbers = append(n.numbers, numbers[i])
	}
	return n
}

// folded returns the findings of one stretch, each thing that is said once, and for each
// that was given the index of the one that it is in.
func folded(found []finding.Finding) (whole []finding.Finding, into []int) {
	var says []alike.Saying
	for _, f := range found {
		f.Digest = cmp.Or(f.Digest, finding.Digest(f.Text))
		said := alike.SayingOf(f.Text)
		i := slices.IndexFunc(whole, func(w finding.Finding) bool {
			return w.Digest == f.Digest && !guessed(w, f)
		})
		for j, w := range whole {
			if i < 0 && saysAgain(w, f, says[j], said) {
				i = j
			}
		}
		if i < 0 {
			i = len(whole)
			whole, says = append(whole, f), append(says, said)
		} else if whole[i] = joined(whole[i], f); whole[i].Digest == f.Digest {
			says[i] = said
		}
		into = append(into, i)
	}
	return whole, into
}

// saysAgain reports whether two findings are one thing, said twice: in other words, or by
// the agent as an echo of the person's.
func saysAgain(a, b finding.Finding, says, said alike.Saying) bool {
	switch {
	case a.Moment != b.Moment || guessed(a, b):
		return false
	case a.By.Person() && !b.By.Person():
		return says.Says(said)
	case b.By.Person() && !a.By.Person():
		return said.Says(says)
	}
	return a.Kind == b.Kind && a.Target == b.Target && alike.Same(says, said)
}

// guessed reports whether the agent is sure of what the person only guessed: that makes the
// person no surer, and each stays what it is.
func guessed(a, b finding.Finding) bool {
	if b.By.Person() {
		a, b = b, a
	}
	return a.By.Person() && !b.By.Person() && a.Level == finding.Candidate && b.Level == finding.Sure
}

// joined returns a finding that was said twice: in the words of the person where one of
// them is theirs, else in the first, and as sure as the surer one.
func joined(first, again finding.Finding) finding.Finding {
	if again.By.Person() && !first.By.Person() {
		first, again = again, first
	}
	if first.Level == finding.Candidate && again.Level == finding.Sure {
		first.Level, first.Category, first.Score, first.Cue = finding.Sure, again.Category,
			again.Score, again.Cue
	}
	first.Explicit = first.Explicit || again.Explicit
	return first
}

// raised returns the finding in which one that waits goes on, now that it was said again;
// goes is false where that says nothing new.
func raised(k finding.Status, f finding.Finding, session string) (_ finding.Finding, goes bool) {
	switch {
	case k.Record != "" && k.Record == f.Record && k.By == f.By:
		return f, false // a forked session repeats what was said
	case k.By.Person() && !f.By.Person():
		return f, false
	case k.Session != session, f.By.Person() && !k.By.Person(),
		k.Level == finding.Candidate && f.Level == finding.Sure:
		return joined(f, k.Finding), true
	}
	return f, false
}

// goesOn returns the finding in which another one went on.
func goesOn(b *finding.Book, k finding.Status) finding.Status {
	for steps := 0; k.State == finding.Merged && steps < 20; steps++ {
		n, ok := numberIn(k.To)
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

// stands reports whether what a finding became is there, so that it need not be kept
// again.
func (s *Findings) stands(to string) bool {
	if filepath.IsAbs(to) || path.Ext(to) != ".json" {
		return !strings.HasPrefix(to, "#")
	}
	m, err := s.Store().Read(to)
	return err == nil && m.Status == memory.Active
}

// earlier are the findings of a session, as what is said now is held against them: read
// when there is something new.
type earlier struct {
	book    *finding.Book
	session string
	found   []finding.Status
	says    []alike.Saying
	read    bool
}

// maxEarlier is how many findings of a session what is said is held against, the newest.
const maxEarlier = 30

// saying returns the finding of the session that a new one says again.
func (e *earlier) saying(f finding.Finding) (k finding.Status, again bool) {
	if !e.read {
		e.read = true
		e.found = e.book.Each(func(k finding.Status) bool { return k.Session == e.session && k.Text != "" })
		e.found = e.found[max(0, len(e.found)-maxEarlier):]
		for _, k := range e.found {
			e.says = append(e.says, alike.SayingOf(k.Text))
		}
	}
	said := alike.SayingOf(f.Text)
	for i, k := range slices.Backward(e.found) {
		if saysAgain(k.Finding, f, e.says[i], said) {
			return k, true
		}
	}
	return k, false
}
