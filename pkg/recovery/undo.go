package recovery

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

// Latest is the argument of FindPlan for the plan that was applied last.
const Latest = "last"

// FindPlan returns the plan whose digest begins with want, and the index of its store. If there are
// several, it is the one applied last. If want is Latest, it is the last plan that somebody asked for.
// found is nil if there is none. bad is called with each plan that can't be read.
func FindPlan(stores []*store.Store, want string, bad func(store.Bad)) (in int, found *store.Applied,
	err error) {
	for i, s := range stores {
		err := s.History(func(a store.Applied) bool {
			if want == Latest && besideASave(a) || want != Latest && !strings.HasPrefix(a.Digest, want) {
				return true
			}
			if found == nil || a.At.After(found.At) {
				in, found = i, &a
			}
			return false
		}, bad)
		if err != nil {
			return in, nil, err
		}
	}
	return in, found, nil
}

// besideASave reports whether nobody asked for a plan itself: it only logs that something was saved, or
// sums up a session that ended.
func besideASave(a store.Applied) bool {
	return !slices.ContainsFunc(a.Edits, func(e store.Done) bool {
		return e.Category != classify.LogCategory
	}) ||
		slices.ContainsFunc(a.Edits, isAutomatic)
}

// isAutomatic reports whether an edit created the automatic summary of a session that ended.
func isAutomatic(e store.Done) bool {
	if e.Verb != plan.Create || e.Category != string(memory.SessionSummary) {
		return false
	}
	r, err := memory.Decode(e.After)
	return err == nil && r.Provenance != nil && r.Provenance.Origin == draft.Automatic
}

// CheckUndo returns an error if the result of FindPlan can't be undone: no plan was found, the plan was
// forgotten for good, or something was forgotten for good after it, so that it is not the last thing that
// was done.
func CheckUndo(records *store.Store, found *store.Applied, want string) error {
	p := memory.Problem{Field: "digest", Expected: "a plan that was applied here and is still kept",
		Got: want,
		Fix: "keepsake records history ID shows the plans of a memory"}
	switch {
	case want != Latest && found != nil:
		return nil
	case want != Latest:
		now, was, err := records.WasExpunged(want)
		if err != nil {
			return err
		}
		if was {
			p.Expected, p.Got = "a plan that is still kept", "one whose memory was forgotten for good"
			if p.Fix = "nothing brings it back"; now != "" {
				p.Fix = "keepsake undo " + now[:12] + " takes back the rest of the plan"
			}
		}
	default:
		last, err := records.LastExpunged()
		switch {
		case err != nil:
			return err
		case !last.IsZero() && (found == nil || !found.At.After(last)):
			p.Expected, p.Got = "a plan that can be taken back",
				"what was done last: a memory was forgotten for good"
			p.Fix = "keepsake undo DIGEST takes back an older plan; keepsake records history ID shows them"
		case found != nil:
			return nil
		default:
			p.Got, p.Fix = "nothing: no plan was applied yet", ""
		}
	}
	return fmt.Errorf("undo: %w", &memory.Refusal{Code: memory.CodeUndo, Problem: p})
}
