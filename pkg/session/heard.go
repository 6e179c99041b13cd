package session

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
)

// A FoundFinding is a finding that was searched for.
type FoundFinding struct {
	finding.Status
	Score float64 // see recall.Hit
}

// heardHits is how many findings are looked at for the one that is told: some the
// model has before it.
const heardHits = 12

// Heard returns the statement that a prompt is about, that the person made and that
// nobody has written up yet. They typed or chose it, it is sure, no later statement
// turns against it, and the model does not have it before it: it was neither said in
// this conversation since it was compacted nor shown in it. found is false where none
// of them reaches floor. The journal is read from where the last prompt left it, and
// never more than its end.
func (s *Session) Heard(prompt string, floor float64) (f FoundFinding, found bool, err error) {
	h, err := s.heard()
	if h == nil || h.index.Len() == 0 {
		return f, false, err
	}
	hits, herr := h.index.Search(recall.Query{Text: prompt, Limit: heardHits,
		Floor: max(floor, recall.Floor)})
	if len(hits) == 0 || herr != nil {
		return f, false, errors.Join(err, herr)
	}
	for _, hit := range hits {
		number, _ := numberIn(hit.Path)
		f, ok, ferr := h.find(number)
		err = errors.Join(err, ferr)
		if ok && !s.before(f) && s.Config.Categories[f.Category].Enabled {
			return FoundFinding{f, hit.Score}, true, err
		}
	}
	return f, false, err
}

// before reports whether the model has a finding before it.
func (s *Session) before(f finding.Status) bool {
	return f.Session == s.ID && f.Time.After(s.State.Compaction) ||
		slices.Contains(s.State.Shown, FindingPath(f.Number))
}

// isHeard reports whether a prompt may bring a finding, whatever session it comes in. Not
// of a plan: the agent wrote that, and of what, is judged when it is written up.
func isHeard(f finding.Status) bool {
	return f.State.Waits() && f.Level == finding.Sure && f.Moment == "" && f.Text != "" && f.By.Person() &&
		f.Origin == finding.FromPerson && !finding.Approved(f.By, f.Context)
}

// FindingPath is how a finding is named where records are named by their paths.
func FindingPath(number int) string { return "#" + strconv.Itoa(number) }

// numberIn is the number of the finding that a path or target names.
func numberIn(path string) (int, bool) {
	rest, ok := strings.CutPrefix(path, "#")
	n, err := strconv.Atoi(rest)
	return n, ok && err == nil
}

// denies reports whether a finding turns against another, unless the person has
// rejected it.
func denies(f finding.Status) bool { return f.Target != "" && f.State != finding.Rejected }

// Denied returns the numbers of the findings of a book that a later one turned against.
func Denied(b *finding.Book) map[int]bool {
	denied := map[int]bool{}
	for _, f := range b.Each(denies) {
		if n, ok := numberIn(f.Target); ok && n != f.Number {
			denied[n] = true
		}
	}
	return denied
}

// SearchFindings returns the findings that a query is about, best first, by the measure
// that memories are searched by.
func SearchFindings(all []finding.Status, q recall.Query) (found []FoundFinding, err error) {
	h, err := heardFindings{}.indexed(journal.Position{}, nil, all, nil)
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

// putFinding makes a finding known to the search, which knows records only: of which
// category makes no difference to it.
func putFinding(c *recall.Change, f finding.Status) {
	c.Put(memory.Stored{Path: FindingPath(f.Number), Record: memory.Record{Category: memory.Decision,
		Status: memory.Active, Title: f.Text}})
}

func openFindings(base, delta []byte) (*recall.Index, error) {
	if base == nil {
		return recall.Open(nil, 0, delta)
	}
	return recall.Open(bytes.NewReader(base), int64(len(base)), delta)
}
