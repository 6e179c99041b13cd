package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"keepsake/pkg/plan"
	"keepsake/pkg/resolve"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/upkeep"
)

// planVersion is the version of plan.json that this code writes.
const planVersion = 1

// planFile is plan.json on the stage: a plan, and what becomes of each draft.
type planFile struct {
	Version int          `json:"version"`
	Digest  string       `json:"digest"`       // of Plan
	Of      string       `json:"of,omitempty"` // digest of the plan that was shown, before drafts were held back from it
	Made    time.Time    `json:"made_at"`
	Root    string       `json:"root"` // of the project
	Plan    plan.Plan    `json:"plan"`
	Drafts  []draft      `json:"drafts"`
	Upkeep  []upkeep.Act `json:"upkeep,omitempty"`  // what the save brings with it
	Crowd   crowd        `json:"crowd,omitempty"`   // what the bounds of categories were kept with
	Broken  []string     `json:"broken,omitempty"`  // files in the way of new records, which will be set aside
	Without []string     `json:"without,omitempty"` // categories noticed but not drafted
	// Left are findings that drafters were given and that no draft takes up.
	Left []leftFinding `json:"left_findings,omitempty"`

	by     string // who settles its findings, "" for whoever runs this
	direct bool   // its drafts were given and never lay on the stage
	judge  *judge // what it was made with, nil for a plan of another call
}

// draft is one draft of an intent file and how it ended.
type draft struct {
	resolve.Outcome
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

// outcomes are those of all drafts, in order.
func (p planFile) outcomes() []resolve.Outcome {
	out := make([]resolve.Outcome, len(p.Drafts))
	for i, d := range p.Drafts {
		out[i] = d.Outcome
	}
	return out
}

// kept are the drafts that are kept and not saved: rejected and blocked ones.
func (p planFile) kept() []draft {
	var out []draft
	for _, d := range p.Drafts {
		if d.State == resolve.Rejected || d.State == resolve.Blocked {
			out = append(out, d)
		}
	}
	return out
}

// writePlan leaves the plan on the stage for apply, and what verifiers read.
func writePlan(s *session.Session, p planFile) error {
	if err := writeForVerifiers(s, p); err != nil {
		return err
	}
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return s.Desk.Write(stage.PlanName, append(b, '\n'))
}

// readPlan reads the stage's plan back; no plan is fs.ErrNotExist. A plan that
// says something else than its digest promises is refused.
func readPlan(s *session.Session) (planFile, error) {
	var p planFile
	b, err := s.Desk.Read(stage.PlanName)
	if err != nil {
		return p, err
	}
	path := filepath.Join(s.Desk.Dir, stage.PlanName)
	var v struct{ Version int }
	if err := json.Unmarshal(b, &v); err != nil {
		return p, fmt.Errorf("%s: is not a plan: %w", path, err)
	}
	if v.Version > planVersion {
		return p, fmt.Errorf("%s: version %d was written by a newer keepsake", path, v.Version)
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, fmt.Errorf("%s: is not a plan: %w", path, err)
	}
	if p.Plan.Digest() != p.Digest {
		return p, fmt.Errorf("%s: does not say what its digest promises", path)
	}
	return p, nil
}

// errNoPlan is the absence of a plan on the stage.
func errNoPlan(s *session.Session) error {
	return failed(fmt.Errorf("%s: %w", filepath.Join(s.Desk.Dir, stage.PlanName), fs.ErrNotExist),
		"keepsake records plan makes one from the drafts on the stage")
}

func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
