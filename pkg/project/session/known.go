package session

import (
	"slices"
	"sync"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
)

// settleKnown returns the new findings that neither a memory says nor a file that the client loads into
// every session. The others it settles with that memory or file, so that nobody is asked to save what is
// kept. What the person asked to have remembered is left alone, as they are to hear what became of it, and
// so is what was only noticed as a candidate, which nobody is shown before it was judged.
func (ca *Capture) settleKnown(added []finding.Finding, now time.Time) ([]finding.Finding, error) {
	isNews := func(f finding.Finding) bool {
		return f.Level != finding.Sure || f.Explicit || f.Category == "" || f.Kind == finding.Change
	}
	if !slices.ContainsFunc(added, func(f finding.Finding) bool { return !isNews(f) }) {
		return added, nil
	}
	var moves []finding.Move
	known := map[int]bool{}
	err := ca.KnownAs(slices.DeleteFunc(slices.Clone(added), isNews), func(f finding.Finding, to string) {
		if known[f.Number] = to != ""; to != "" {
			moves = append(moves, finding.Move{At: now, Act: finding.Know, Numbers: []int{f.Number}, To: to,
				By: "keepsake"})
		}
	})
	if err != nil { // to ask for one thing too many costs less than to lose it
		ca.Fault("notice", "what was noticed could not be held against the memories", err)
		return added, nil
	}
	if err := ca.MoveFindings(moves...); err != nil {
		return added, err
	}
	return slices.DeleteFunc(slices.Clone(added),
		func(f finding.Finding) bool { return known[f.Number] }), nil
}

// KnownAs calls see for each finding with the path of the memory that says it, or of the file that says it
// and that the client loads into every session; "" where there is none.
func (ca *Capture) KnownAs(all []finding.Finding, see func(f finding.Finding, to string)) error {
	loaded := sync.OnceValue(func() *alike.Told { return ca.Loaded(time.Time{}) })
	known := make([]string, len(all))
	err := ca.Index(func(index *records.Index) (err error) { // opened anew if it is corrupt
		for i, f := range all {
			if known[i], err = ca.recordSaying(index, f); err != nil {
				return err
			}
			if known[i] == "" {
				known[i], _ = loaded().Says(f.Text)
			}
		}
		return nil
	})
	for i, f := range all {
		if err == nil {
			see(f, known[i])
		}
	}
	return err
}

// recordSaying returns the path of an active memory that has everything that a finding says, or "". One that
// is held has not: the finding may be the yes that it waits for.
func (ca *Capture) recordSaying(index *records.Index, f finding.Finding) (path string, err error) {
	hits, err := index.Similar(memory.Record{Title: f.Text}, nearRead, false)
	if err != nil {
		return "", err
	}
	var told alike.Told
	for _, h := range hits {
		m, err := ca.Store().Read(h.Path)
		if err != nil || m.Status != memory.Active || ca.TrustOf(m).Held {
			continue // where it can't be read the index is older than the store
		}
		told.AddRecord(m.Path, m.Record)
	}
	path, _ = told.Says(f.Text)
	return path, nil
}
