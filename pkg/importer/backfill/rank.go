package backfill

import (
	"cmp"
	"slices"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
)

// A Candidate is something that was said in sessions of the past, in the words in which it was said best.
type Candidate struct {
	finding.Finding
	Sessions int       // in how many sessions it was said
	numbers  []int     // of the log's findings that say it
	last     time.Time // when it was said last
	Over     string    // what settled it later, in the words that were said then; "" while it holds
}

// many is in how many sessions something is said that ranks before all that was said in fewer.
const many = 3

// rank returns how good a statement is by itself. What the person asked to have remembered, and what a Stop
// would offer, comes before what is only likely.
func rank(f finding.Finding) float64 {
	r := f.Score
	if f.Level == finding.Sure {
		r += 1
	}
	if f.Explicit {
		r += 2
	}
	return r
}

// compared is how many candidates, the best, are compared in other words and held against what was said
// later. The others only wait for them to be answered.
const compared = 300

// Best returns the candidates of the log, best first, and what was taken back or said otherwise later. What
// was said in several sessions is one candidate. A fork of a session, which repeats its lines, is none more.
func Best(all []finding.Status) (best, settled []Candidate) {
	var statements, turns []finding.Finding
	for _, f := range all {
		switch {
		case f.Text == "" || f.State != finding.Open:
		case f.Kind == finding.Change:
			turns = append(turns, f.Finding)
		default:
			statements = append(statements, f.Finding)
		}
	}
	slices.SortStableFunc(statements, func(x, y finding.Finding) int { return x.Time.Compare(y.Time) })
	best = sortBest(sameWords(statements))
	head := sortBest(sameSense(best[:min(compared, len(best))]))
	best = append(head, best[min(compared, len(best)):]...)
	n := min(compared, len(head))
	head, settled = withoutSettled(best[:n], statements, turns)
	return append(head, best[n:]...), settled
}

// sortBest sorts candidates, best first.
func sortBest(all []Candidate) []Candidate {
	often := func(c Candidate) bool { return c.Sessions >= many && c.By.Person() }
	slices.SortStableFunc(all, func(x, y Candidate) int {
		if often(x) != often(y) {
			if often(x) {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(rank(y.Finding), rank(x.Finding)), y.Time.Compare(x.Time),
			cmp.Compare(x.Number, y.Number))
	})
	return all
}

// A group gathers what says one thing.
type group struct {
	Candidate
	sessions map[string]bool
	records  map[string]bool
}

func newGroup(f finding.Finding) *group {
	g := &group{Candidate{Finding: f}, map[string]bool{}, map[string]bool{}}
	g.add(f)
	return g
}

// add adds one more statement. The candidate has the person's words if one of them is theirs, and of those
// the best; of equal ones the last.
func (g *group) add(f finding.Finding) {
	g.numbers = append(g.numbers, f.Number)
	if f.Time.After(g.last) {
		g.last = f.Time
	}
	if f.Record == "" || !g.records[f.Record] {
		g.sessions[f.Session] = true
	}
	g.records[f.Record] = true
	g.Sessions = len(g.sessions)
	explicit := g.Explicit || f.Explicit
	theirs, had := f.By.Person(), g.By.Person()
	if theirs && !had || theirs == had && rank(f) >= rank(g.Finding) {
		g.Finding = f
	}
	g.Explicit = explicit
}

// sameWords joins the statements that have the same words. Statements come oldest first.
func sameWords(statements []finding.Finding) (all []Candidate) {
	of := map[string]*group{}
	var order []*group
	for _, f := range statements {
		if g := of[f.Digest]; g != nil {
			g.add(f)
			continue
		}
		of[f.Digest] = newGroup(f)
		order = append(order, of[f.Digest])
	}
	for _, g := range order {
		all = append(all, g.Candidate)
	}
	return all
}

// sameSense joins candidates that say the same in other words. The best of them stays.
func sameSense(best []Candidate) (all []Candidate) {
	var says []*alike.Said
	for _, c := range best {
		said := alike.NewSaid(c.Text)
		at := slices.IndexFunc(says, func(other *alike.Said) bool { return other.Same(said) })
		if at < 0 {
			all, says = append(all, c), append(says, said)
			continue
		}
		if all[at].Session != c.Session {
			all[at].Sessions += c.Sessions
		}
		all[at].numbers = append(all[at].numbers, c.numbers...)
		if c.last.After(all[at].last) {
			all[at].last = c.last
		}
		all[at].Explicit = all[at].Explicit || c.Explicit
	}
	return all
}

// plain is how long a statement is at most that is held against another one, in bytes: in a longer one the
// words of which one says the opposite are mostly about something else.
const plain = 240

// pointedBack is how long "that" can mean what was said before.
const pointedBack = 30 * time.Minute

// withoutSettled separates the candidates that still hold from those that the person took back later, and
// those of which a later one says the opposite.
func withoutSettled(best []Candidate, statements, turns []finding.Finding) (hold, settled []Candidate) {
	gone := map[int]finding.Finding{} // by a statement's number: what took it back last
	newest := slices.Clone(best)
	slices.SortStableFunc(newest, func(x, y Candidate) int { return y.Time.Compare(x.Time) })
	bySession := map[string][]finding.Finding{} // oldest first
	for _, f := range statements {
		bySession[f.Session] = append(bySession[f.Session], f)
	}
	for _, t := range turns {
		var subjects []change.Subject
		for _, f := range slices.Backward(bySession[t.Session]) { // what it may point at
			if f.Time.Before(t.Time) && t.Time.Sub(f.Time) < pointedBack {
				subjects = append(subjects, subjectOf(f, true))
			}
		}
		for _, c := range newest {
			if c.Time.Before(t.Time) && c.Digest != t.Digest {
				subjects = append(subjects, subjectOf(c.Finding, false))
			}
		}
		if c, ok := change.Detect(t.Text, finding.Typed, subjects); ok {
			if n := numberOf(c.Target.Ref); t.Time.After(gone[n].Time) {
				gone[n] = t
			}
		}
	}
	var records []memory.Stored
	for _, c := range best {
		if stamp := memory.Stamp(c.Time); c.By.Person() && len(c.Text) <= plain {
			records = append(records, memory.Stored{Path: session.FindingPath(c.Number),
				Record: memory.Record{Title: c.Text, Category: c.Category, Status: memory.Active,
					CreatedAt: stamp, UpdatedAt: stamp}})
		}
	}
	byPath := map[string]string{} // what says the opposite
	_, disputes := alike.Disputed(records, func(m memory.Stored) []string { return []string{m.Title} })
	for _, newer := range records {
		for _, older := range disputes[newer.Path] {
			if isOfSame(newer.Title, older.Title) {
				byPath[older.Path] = newer.Title
			}
		}
	}
	for _, c := range best {
		c.Over = byPath[session.FindingPath(c.Number)]
		for _, n := range c.numbers {
			if t := gone[n]; t.Time.After(c.last) {
				c.Over = t.Text
			}
		}
		if c.Over == "" {
			hold = append(hold, c)
		} else {
			settled = append(settled, c)
		}
	}
	return hold, settled
}

// isOfSame reports whether one of two statements shares half of its words, and at least two, with the other.
func isOfSame(a, b string) bool {
	x, y := alike.PhraseOf(a).Roots(), alike.PhraseOf(b).Roots()
	shared := 0
	for _, root := range x {
		if slices.Contains(y, root) {
			shared++
		}
	}
	return shared >= 2 && 2*shared >= min(len(x), len(y))
}

func subjectOf(f finding.Finding, here bool) change.Subject {
	return change.Subject{Ref: session.FindingPath(f.Number), Category: f.Category, Text: f.Text,
		Time: f.Time, Injected: here}
}

// numberOf returns the number of the finding that a subject's reference names.
func numberOf(ref string) int {
	n, _ := finding.ParseNumber(ref)
	return n
}
