package session

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/origin"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
)

// A FoundFinding is a finding that a search found.
type FoundFinding struct {
	finding.Status
	Score float64 // see records.Hit
}

// heardHits is how many findings are looked at to find one to tell, as the model may know some of them.
const heardHits = 12

// A Hearing is the waiting findings of a project, in which a prompt can be looked up.
type Hearing struct {
	s *Findings
	h *findingsIndex // nil without a journal
}

// Hearing returns the waiting findings. It reads the journal from where its index ends.
func (s *Findings) Hearing() (Hearing, error) {
	if s.past != nil {
		return Hearing{s, s.past.findings}, nil
	}
	h, err := s.indexedFindings(false)
	return Hearing{s, h}, err
}

// About returns the person's statement that best fits a prompt, if nobody has written it up yet and its
// score reaches floor. The person typed or chose the statement, it is sure, and no later statement turns
// against it. The model does not know it: neither it nor one that says the same was said or shown in this
// conversation since the last compaction. known, which may be nil, reports whether a statement is not
// worth telling for another reason. found is false if there is none.
func (l Hearing) About(prompt string, floor float64,
	known func(text string, at time.Time, c memory.Category) bool) (f FoundFinding, found bool, err error) {
	if l.h == nil || l.h.index.Len() == 0 {
		return f, false, nil
	}
	q := records.PromptQuery(prompt, heardHits)
	q.Floor = max(floor, q.Floor)
	hits, err := l.h.index.Search(q)
	if len(hits) == 0 || err != nil {
		return f, false, err
	}
	var had []alike.Saying // by the model
	var all []FoundFinding
	for _, hit := range hits {
		number, _ := findingNumber(hit.Path)
		same, ferr := l.h.withNumbers(number)
		err = errors.Join(err, ferr)
		for _, f := range same {
			switch {
			case !l.s.Config.Categories[f.Category].Enabled:
			case l.s.modelHas(f):
				had = append(had, alike.SayingOf(f.Text))
			default:
				all = append(all, FoundFinding{f, hit.Score})
			}
		}
	}
	for _, f := range all {
		said := alike.SayingOf(f.Text)
		if !slices.ContainsFunc(had, func(h alike.Saying) bool { return h.Says(said) }) &&
			!isOverruled(f, all) && (known == nil || !known(f.Text, f.Time, f.Category)) {
			return f, true, err
		}
	}
	return FoundFinding{}, false, err
}

// isOverruled reports whether one of some findings is newer than f and says the opposite.
func isOverruled(f FoundFinding, all []FoundFinding) bool {
	var said []memory.Stored
	for _, x := range all {
		stamp := memory.Stamp(x.Time)
		said = append(said, memory.Stored{Path: FindingPath(x.Number), Record: memory.Record{Title: x.Text,
			Category: x.Category, Status: memory.Active, CreatedAt: stamp, UpdatedAt: stamp}})
	}
	keep, _ := alike.Disputed(said, func(m memory.Stored) []string { return []string{m.Title} })
	return !slices.ContainsFunc(keep, func(m memory.Stored) bool { return m.Path == FindingPath(f.Number) })
}

// Told returns the findings that this conversation was shown since it was compacted.
func (l Hearing) Told() (says []alike.Saying) {
	if l.h == nil {
		return nil
	}
	var numbers []int
	for _, path := range l.s.State.Shown {
		if n, ok := findingNumber(path); ok {
			numbers = append(numbers, n)
		}
	}
	all, _ := l.h.withNumbers(numbers...) // one that can't be read is told again
	for _, f := range all {
		says = append(says, alike.SayingOf(f.Text))
	}
	return says
}

// Against returns the last waiting statement with which the person turned against the record at path.
func (l Hearing) Against(path string) (f finding.Status, found bool) {
	if l.h == nil || !bytes.Contains(l.h.open, []byte(path)) { // which is much faster than finding it
		return f, false
	}
	for line := range bytes.Lines(l.h.open) {
		if _, target := finding.Peek(line); target != path {
			continue
		}
		var b finding.Book
		if _, err := b.Load(line); err != nil {
			continue // it was written by another version: About tells of it
		}
		for _, x := range b.Each(isOpenTurn) {
			f, found = x, true
		}
	}
	return f, found
}

// isOpenTurn reports whether a finding waits in which the person turns against something.
func isOpenTurn(f finding.Status) bool {
	return f.Target != "" && f.State.Waits() && f.By.Person() && f.Origin == finding.FromPerson &&
		f.Text != ""
}

// TurnedAgainst returns the waiting findings of a book in which the person turned against records.
func TurnedAgainst(b *finding.Book) []finding.Status {
	return b.Each(func(f finding.Status) bool { return isOpenTurn(f) && strings.Contains(f.Target, "/") })
}

// modelHas reports whether the model has a finding in its context.
func (s *Findings) modelHas(f finding.Status) bool {
	return f.Session == s.ID && f.Time.After(s.State.Compaction) ||
		slices.Contains(s.State.Shown, FindingPath(f.Number))
}

// isTellable reports whether a prompt of any session may bring up a finding. A plan may not, nor a choice
// with a command or a place in it: the agent wrote these, and whose words they are is only judged when
// they are written up. Nor may what was imported, before the person's yes.
func isTellable(f finding.Status) bool {
	if f.By == finding.Chosen && !origin.Harmless(f.Text) {
		return false
	}
	return f.State.Waits() && f.Level == finding.Sure && f.Moment == "" && f.Text != "" && f.By.Person() &&
		f.Origin == finding.FromPerson && !finding.Approved(f.By, f.Context) && !f.Imported
}

// FindingPath returns how a finding is named where records are named by their paths.
func FindingPath(number int) string { return "#" + strconv.Itoa(number) }

// findingNumber returns the number of the finding that a path or target names.
func findingNumber(path string) (int, bool) {
	rest, ok := strings.CutPrefix(path, "#")
	n, err := strconv.Atoi(rest)
	return n, ok && err == nil
}

// denies reports whether a finding turns against another and the person has not rejected it.
func denies(f finding.Status) bool { return f.Target != "" && f.State != finding.Rejected }

// Denied returns the numbers of the findings of a book that a later one turned against.
func Denied(b *finding.Book) map[int]bool {
	denied := map[int]bool{}
	for _, f := range b.Each(denies) {
		if n, ok := findingNumber(f.Target); ok && n != f.Number {
			denied[n] = true
		}
	}
	return denied
}

// SearchFindings returns the findings that a query is about, best first, scored as memories are.
func SearchFindings(all []finding.Status, q records.Query) (found []FoundFinding, err error) {
	docs := make([]indexedFinding, len(all))
	for i, f := range all {
		docs[i] = indexedFinding{f, true}
	}
	h, err := findingsIndex{}.searchable(docs, nil)
	if err != nil {
		return nil, err
	}
	hits, err := h.index.Search(q)
	at := make(map[string]int, len(all))
	for i, f := range all {
		at[FindingPath(f.Number)] = i
	}
	for _, hit := range hits {
		found = append(found, FoundFinding{all[at[hit.Path]], hit.Score})
	}
	return found, err
}
