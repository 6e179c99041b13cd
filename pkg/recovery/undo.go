package recovery

import (
	"errors"
	"fmt"
	"io/fs"
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
// several, it is the one applied last. If want is Latest, it is the last plan that somebody asked for and
// that is not undone. found is nil if there is none. bad is called with each plan that can't be read.
func FindPlan(stores []*store.Store, want string, bad func(store.Bad)) (in int, found *store.Applied,
	err error) {
	for i, s := range stores {
		undoing := undoing{}
		err := s.History(func(a store.Applied) bool {
			if want == Latest && (undoing.passes(a) || besideASave(a)) ||
				want != Latest && !strings.HasPrefix(a.Digest, want) {
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

// IsTakenBack reports whether nothing is left of what the plan with a digest saved: it is undone, or each of
// its memories was retired since, with no other in its place, or deleted.
func IsTakenBack(s *store.Store, digest string) (bool, error) {
	for seen := ""; digest != seen; {
		seen = digest
		rest, was, err := s.WasExpunged(digest)
		if err != nil || was && rest == "" {
			return was, err
		}
		if was {
			digest = rest
		}
	}
	var saved *store.Applied
	undoing, undone := undoing{}, false
	err := s.History(func(a store.Applied) bool {
		passed := undoing.passes(a)
		if a.Digest == digest {
			saved, undone = &a, passed
		}
		return saved == nil
	}, nil)
	if err != nil || saved == nil || undone {
		return undone, err
	}
	return isGone(s, saved.Edits), nil
}

// isGone reports whether edits saved memories of which none is left.
func isGone(s *store.Store, edits []store.Done) (gone bool) {
	for _, e := range edits {
		if r, err := memory.Decode(e.After); err != nil || r.Status != memory.Active {
			continue
		}
		now, err := s.Read(e.Path)
		gone = errors.Is(err, fs.ErrNotExist) ||
			err == nil && now.Status == memory.Retired && now.SupersededBy == ""
		if !gone {
			return false
		}
	}
	return gone
}

// undoing counts the plans of a history, from the latest on, that undo one that is still to come, by digest.
type undoing map[string]int

// passes reports whether a plan undoes another or is undone. An undo of an undo counts as neither: it and
// what it undoes cancel out, and the plan below them stands.
func (u undoing) passes(a store.Applied) bool {
	if by := a.Undo().Digest(); u[by] > 0 {
		u[by]--
		return true
	}
	if !isUndo(a) {
		return false
	}
	u[a.Digest]++
	return true
}

// isUndo reports whether a plan undid another one.
func isUndo(a store.Applied) bool {
	return len(a.Edits) > 0 &&
		!slices.ContainsFunc(a.Edits, func(e store.Done) bool { return e.Verb != plan.Revert })
}

// Original returns the plan that is undone or done again by who undoes a. That is a itself, unless it is an
// undo: then it is what that undid in the end, and again reports that undoing a does it again.
func Original(s *store.Store, a store.Applied) (original store.Applied, again bool, err error) {
	original = a
	if !isUndo(a) {
		return original, false, nil
	}
	older := false
	err = s.History(func(h store.Applied) bool {
		if !older {
			older = h.Name == a.Name
		} else if h.Undo().Digest() == original.Digest {
			original, again = h, !again
		}
		return isUndo(original)
	}, nil)
	return original, again, err
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
			p.Got, p.Fix = "nothing: none was applied, or all are taken back", ""
			return fmt.Errorf("undo: %w", nothingLeft{&memory.Refusal{Code: memory.CodeUndo, Problem: p}})
		}
	}
	return fmt.Errorf("undo: %w", &memory.Refusal{Code: memory.CodeUndo, Problem: p})
}

// nothingLeft is a refusal for a person who named no plan, so that none was expected.
type nothingLeft struct{ refusal *memory.Refusal }

func (nothingLeft) Error() string {
	return "nothing is left to take back: no change was made here, or all are taken back"
}

func (e nothingLeft) Unwrap() error { return e.refusal }
