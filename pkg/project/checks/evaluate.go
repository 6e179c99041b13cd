package checks

import (
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/project/verify"
)

// A Line is one check of a memory, and what became of it.
type Line struct {
	Check   string         `json:"check"`
	Verdict verify.Verdict `json:"verdict"`
	Why     string         `json:"why,omitempty"`
}

// Evaluated is what became of the checks of a memory.
type Evaluated struct {
	Path    string `json:"path"`
	Checks  []Line `json:"checks"`
	Expires string `json:"expires,omitempty"`
	// Acts reports whether expires says when in a form that acts; Expired why it did, "" if it did not;
	// Untold why that can't be told.
	Acts    bool   `json:"acts,omitempty"`
	Expired string `json:"expired,omitempty"`
	Untold  string `json:"untold,omitempty"`
}

// Fails reports whether something is known against the memory.
func (e Evaluated) Fails() bool {
	for _, l := range e.Checks {
		if l.Verdict == verify.Fails {
			return true
		}
	}
	return e.Expired != ""
}

// Evaluate evaluates the checks of memories now, whatever is known of them.
func Evaluate(root string, now time.Time, records []memory.Stored,
	ancestor func(commit string) (bool, error)) (all []Evaluated, err error) {
	p, err := verify.Open(root, now.UTC().Format(time.DateOnly))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	p.Ancestor = ancestor
	for _, r := range records {
		e := Evaluated{Path: r.Path, Checks: []Line{}}
		for _, line := range r.Verify {
			c, err := memory.ParseCheck(line)
			if err != nil {
				e.Checks = append(e.Checks, Line{line, verify.Unknown, err.Error()})
				continue
			}
			got := p.Evaluate(c)
			e.Checks = append(e.Checks, Line{line, got.Verdict, got.Why})
		}
		e.Expires = r.Expires()
		if when, acts := r.Expiry(); acts {
			e.Acts = true
			switch got := p.Expired(when); got.Verdict {
			case verify.Fails:
				e.Expired = got.Why
			case verify.Unknown:
				e.Untold = got.Why
			}
		}
		all = append(all, e)
	}
	return all, nil
}
