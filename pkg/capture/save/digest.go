package save

import (
	"context"
	"errors"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/digest"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// A Digested is what an answer of the small model came to.
type Digested struct {
	Cut     bool      `json:"-"`              // the answer was cut short: what it does not name still waits
	Saved   []Draft   `json:"saved"`          // also those that were there already
	Refused []Unsaved `json:"refused"`        // drafts that could not be saved
	Aside   int       `json:"set_aside"`      // findings that were set aside
	Line    string    `json:"line,omitempty"` // what came of it, in words
	Results []Result  `json:"-"`              // what follows from each save
}

// An Unsaved is a draft that could not be saved.
type Unsaved struct {
	Title  string `json:"title"`
	Reason string `json:"reason"`
	Kept   bool   `json:"-"` // it waits, among the drafts that were kept
}

// drafter is by whom a digest settles findings.
const drafter = "drafter"

// SaveDigest does what an answer asks for: lines that it cites become findings, the drafts of each session
// are planned and applied, and what the model leaves out is set aside.
func (w *Saver) SaveDigest(ctx context.Context, d session.Digest, answer string) (out Digested, err error) {
	out.Saved, out.Refused = []Draft{}, []Unsaved{}
	drafts, whole, err := digest.ParseAnswer(answer)
	if err != nil {
		return out, refused(err, "nothing was changed; keepsake records digest asks again")
	}
	j := d.Excerpt.Judge(drafts, whole)
	out.Cut = !whole
	for _, r := range j.Refused {
		out.Refused = append(out.Refused, Unsaved{Title: r.Title, Reason: r.Why})
	}
	var errs []error
	for _, one := range d.Sessions {
		kept := slices.DeleteFunc(slices.Clone(j.Kept),
			func(k digest.Kept) bool { return k.Session != one.ID })
		if len(kept) > 0 {
			errs = append(errs, w.saveKept(ctx, d, one.ID, kept, &out))
		}
	}
	var moves []finding.Move
	for _, a := range j.Aside {
		out.Aside += len(a.Numbers)
		moves = append(moves, finding.Move{At: w.Now().UTC(), Act: finding.PutAside, Numbers: a.Numbers,
			Why: a.Why, By: drafter})
	}
	errs = append(errs, w.MoveFindings(moves...))
	out.Line = out.line()
	return out, errors.Join(errs...)
}

// line returns in one line what came of a digest.
func (d Digested) line() string {
	line := "nothing was worth keeping"
	if outcomes := (Plan{Drafts: d.Saved}).Outcomes(); len(outcomes) > 0 {
		line = brief.Saved(outcomes)
	}
	if n := len(d.Refused); n > 0 {
		line += "; " + text.Count(n, "draft") + " could not be saved"
	}
	if d.Aside > 0 {
		line += "; " + text.Count(d.Aside, "thing") + " set aside"
	}
	return line
}

// saveKept saves the drafts of one session.
func (w *Saver) saveKept(ctx context.Context, d session.Digest, id string, kept []digest.Kept,
	out *Digested) error {
	sibling, err := w.Sibling(id)
	if err != nil {
		return err
	}
	of := *w
	of.Session, of.Inside = sibling, w.Inside && id == w.ID
	o := Options{Partial: true, By: drafter}
	for _, k := range kept {
		var found []finding.Finding
		for _, l := range k.New {
			f := d.Excerpt.Finding(l, k.Category, d.Excerpt.Attended(id))
			f.Branch, f.Commit = d.Excerpt.Where(id)
			found = append(found, f)
		}
		noted, err := of.NoteCited(found, w.Now().UTC())
		if err != nil {
			return err
		}
		covers := append(slices.Clone(k.Numbers), noted...)
		if len(covers) == 0 {
			out.Refused = append(out.Refused,
				Unsaved{Title: k.Title, Reason: "what it cites was settled before"})
			continue
		}
		draft, err := k.Draft(covers)
		if err != nil {
			return err
		}
		o.Given = append(o.Given, Given{Name: "digest", Category: k.Category, Text: draft})
		o.Numbers = append(o.Numbers, covers...)
	}
	if len(o.Given) == 0 {
		return nil
	}
	p, r, err := of.Commit(ctx, o, nil)
	out.Results = append(out.Results, r)
	if err != nil && !errors.Is(err, ErrRejected) {
		return err
	}
	for _, dr := range p.Drafts {
		if dr.fails() {
			out.Refused = append(out.Refused, Unsaved{dr.Title, dr.Reason, true})
		} else {
			out.Saved = append(out.Saved, dr)
		}
	}
	return of.Update(func(st *stage.State) error {
		if st.Result != nil {
			st.Result.Told = true
		}
		return nil
	})
}
