package save

import (
	"fmt"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/records"
)

// A crowd is how many active memories a bounded category held when a plan was
// made. Two plans that each fill the last place of a category change no record in
// common: only the numbers show that they do not go together.
type crowd map[memory.Category]int

// bound returns how many active memories a category may hold, 0 for any number.
func bound(r upkeep.Rules, c memory.Category) int {
	if c == memory.SessionSummary && r.MaxRetained > 0 &&
		(r.MaxPerCategory == 0 || r.MaxRetained < r.MaxPerCategory) {
		return r.MaxRetained
	}
	return r.MaxPerCategory
}

// crowdOf returns how many memories the bounded categories have that drafts could add to.
func (w *Saver) crowdOf(drafts []draft.Draft, r upkeep.Rules) (crowd, error) {
	var out crowd
	err := w.Index(func(index *records.Index) error {
		out = crowd{}
		for _, d := range drafts {
			if bound(r, d.Category) == 0 {
				continue
			}
			if _, ok := out[d.Category]; ok {
				continue
			}
			all, err := index.List(d.Category, 0)
			if err != nil {
				return err
			}
			out[d.Category] = len(all)
		}
		return nil
	})
	return out, err
}

// holds returns why a plan does not keep the bounds any more that it kept when it was
// made, nil where it does.
func (was crowd) holds(index *records.Index, p plan.Plan, r upkeep.Rules) error {
	for c, n := range was {
		more := 0
		for _, e := range p.Edits {
			switch {
			case memory.Category(e.Category) != c:
			case e.Verb == plan.Create:
				more++
			case e.Verb == plan.Retire:
				more--
			}
		}
		all, err := index.List(c, 0)
		if err != nil {
			return err
		}
		if now := len(all); now > n && now+more > bound(r, c) {
			return fmt.Errorf("%s: another session has saved %d more, and there is room for %d", c, now-n,
				bound(r, c))
		}
	}
	return nil
}
