package save

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
)

// A Plan is plan.json on the stage: what is written, and what becomes of each draft.
type Plan struct {
	Version int    `json:"version"`
	Digest  string `json:"digest"` // of Plan
	// digest of the plan that was shown, before drafts were held back from it
	Of     string       `json:"of,omitempty"`
	Made   time.Time    `json:"made_at"`
	Root   string       `json:"root"` // of the project
	Plan   plan.Plan    `json:"plan"`
	Drafts []Draft      `json:"drafts"`
	Upkeep []upkeep.Act `json:"upkeep,omitempty"` // what the save brings with it
	Crowd  crowd        `json:"crowd,omitempty"`  // what the bounds of categories were kept with
	// files in the way of new records, which will be set aside
	Broken  []string `json:"broken,omitempty"`
	Without []string `json:"without,omitempty"` // categories noticed but not drafted
	// Left are findings that drafters were given and that no draft takes up.
	Left []Left `json:"left_findings,omitempty"`

	by     string // who settles its findings, "" for whoever runs this
	yes    bool   // a person said yes to its findings
	direct bool   // its drafts were given and never lay on the stage
	judge  *judge // what it was made with, nil for a plan of another call
}

// A Draft is one draft of an intent file and how it ended.
type Draft struct {
	draft.Outcome
	// for --exclude: its category, or "decision.2" where there are several
	Name string `json:"name"`
	File string `json:"file"`           // on the stage
	Part int    `json:"part,omitempty"` // which draft of the file, from 1; 0 when it holds one
	Sum  string `json:"sum"`            // plan.DigestOf the file
	// "extractive" when no model drafted it, "hand" when no drafter was asked
	Origin     string   `json:"origin,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"` // the drafter's
	Risk       string   `json:"risk,omitempty"`       // why it should be verified; "" when it need not be
	Covers     []int    `json:"covers,omitempty"`     // the findings that it takes up
	Noop       bool     `json:"noop,omitempty"`       // it says itself that there is nothing to keep
	approved   bool     // a person was shown it whole and said yes
	raw        []byte   // what was given, where the stage does not have it
	Verify     string   `json:"verify,omitempty"` // the file that a verifier reads, when verification is on
}

// Outcomes returns those of all drafts, in order.
func (p Plan) Outcomes() []draft.Outcome {
	out := make([]draft.Outcome, len(p.Drafts))
	for i, d := range p.Drafts {
		out[i] = d.Outcome
	}
	return out
}

// fails reports whether a draft is kept and not saved: it was refused or held back.
func (d Draft) fails() bool { return d.State == draft.Rejected || d.State == draft.Blocked }

// Stage leaves a plan on the stage for Apply, and what verifiers read.
func (w *Saver) Stage(p Plan) error {
	if err := w.writeForVerifiers(p); err != nil {
		return err
	}
	return w.Desk.WriteJSON(stage.PlanName, p)
}

// Staged returns the plan on a stage; no plan is fs.ErrNotExist.
func Staged(d stage.Desk) (Plan, error) {
	return stage.ReadPlan(d, stage.PlanName, func(p Plan) (plan.Plan, string) { return p.Plan, p.Digest })
}

// Find returns the plan on the stage that a digest names, without the drafts that are held
// back: it is then left on the stage. found is false where there is another plan on it, which
// is returned, or none.
func (w *Saver) Find(digest string, h HoldBack) (p Plan, found bool, err error) {
	p, err = Staged(w.Desk)
	switch {
	case err != nil:
		return p, false, err
	case strings.HasPrefix(p.Of, digest) && p.holdsBack(h): // a call that was killed comes again
		return p, true, nil
	case !strings.HasPrefix(p.Digest, digest):
		return p, false, nil
	case len(h.Exclude) > 0:
		if p, err = w.without(p, h); err == nil {
			err = w.Stage(p)
		}
	}
	return p, true, err
}

// Applied reports whether this session has applied a plan whose digest begins like this.
func (w *Saver) Applied(digest string) bool {
	return slices.ContainsFunc(w.State.Digests, func(d string) bool { return strings.HasPrefix(d, digest) })
}
