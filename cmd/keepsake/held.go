package main

import (
	"context"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/session"
	"keepsake/pkg/text"
	"keepsake/pkg/trust"
	"keepsake/pkg/upkeep"
)

// A heldRecord is a record that no agent is told of before the person says yes.
type heldRecord struct {
	memory.Stored
	trust session.TrustLevel
}

// A heldSet is one question to the person: a record that nothing supports or that came
// from outside by itself, and all that came with the repository together.
type heldSet []heldRecord

// fromRepository reports whether the set came with the repository.
func (h heldSet) fromRepository() bool { return h[0].trust.Tracked }

// id names the set: other records, or other bytes of them, are another one.
func (h heldSet) id() string {
	var b strings.Builder
	for _, r := range h {
		b.WriteString(r.Path + "\x00" + r.Digest + "\x00")
	}
	return "r" + text.ShortID(b.String(), 5)
}

// held are the questions that active records of the project raise, those of one record
// first. What the person said no to raises none.
func held(s *session.Session) (all []heldSet, err error) {
	loaded, err := s.Store().Load()
	if err != nil {
		return nil, err
	}
	var pulled heldSet
	for _, r := range loaded.Records {
		t := s.TrustOf(r)
		switch {
		case r.Status != memory.Active || !t.Held || t.Act == trust.Refused:
		case t.Tracked:
			pulled = append(pulled, heldRecord{r, t})
		default:
			all = append(all, heldSet{{r, t}})
		}
	}
	if len(pulled) > 0 {
		all = append(all, pulled)
	}
	return all, nil
}

// heldJSON is one question as inbox --json prints it.
type heldJSON struct {
	ID      string         `json:"id"`
	Records []heldFileJSON `json:"records"`
	Why     string         `json:"why"`
	Origin  finding.Origin `json:"origin,omitempty"`
}

type heldFileJSON struct {
	Path  string `json:"path"` // below the store's root
	Title string `json:"title"`
}

func (h heldSet) json() heldJSON {
	out := heldJSON{ID: h.id(), Why: h[0].trust.Why, Origin: h[0].trust.Origin}
	for _, r := range h {
		out.Records = append(out.Records, heldFileJSON{r.Path, r.Title})
	}
	return out
}

// line is the set in a list.
func (h heldSet) line() string {
	if h.fromRepository() {
		return fmt.Sprintf("%-8s %s that came with the repository", h.id(), count(len(h), "memory"))
	}
	return fmt.Sprintf("%-8s %s \"%s\": %s", h.id(), brief.Line(h[0].Path), text.Safe(h[0].Title),
		brief.Line(h[0].trust.Why))
}

// whole shows every character of the records' files, with what a terminal would obey
// or hide spelled out.
func (h heldSet) whole() string {
	var b strings.Builder
	if h.fromRepository() {
		fmt.Fprintf(&b, "%s: %s that came with the repository, and that you did not accept yet. No agent "+
			"was told of them.\n",
			h.id(), count(len(h), "memory"))
	} else {
		fmt.Fprintf(&b, "%s: a memory that no agent was told of: %s\n", h.id(), brief.Line(h[0].trust.Why))
	}
	for _, r := range h {
		fmt.Fprintf(&b, "\n%s\n", text.Safe(r.Path))
		for line := range strings.SplitSeq(strings.TrimRight(string(r.Encode()), "\n"), "\n") {
			b.WriteString("  | " + text.Safe(line) + "\n")
		}
		for _, q := range r.trust.Quotes {
			b.WriteString("you said: " + text.Safe(strings.Join(strings.Fields(q), " ")) + "\n")
		}
	}
	return b.String()
}

// question is that of the review.
func (h heldSet) question() string {
	if h.fromRepository() {
		return fmt.Sprintf("Tell agents of these %d?", len(h))
	}
	return "Tell agents of it?"
}

// answerHeld writes down what the person said of records. One that this user's own
// store has, and that got a no, is retired as well.
func (c *call) answerHeld(s *session.Session, h heldSet, yes bool) error {
	seen := make([]session.TrustLevel, len(h))
	for i, r := range h {
		seen[i] = r.trust
	}
	act := trust.Accepted
	if !yes {
		act = trust.Refused
	}
	if err := s.Answer(act, c.now().UTC(), seen...); err != nil {
		return failed(err)
	}
	what := count(len(h), "memory")
	if len(h) == 1 {
		what = brief.Line(h[0].Path)
	}
	switch {
	case yes:
		c.line("accepted: %s", what)
	case h.fromRepository():
		c.line("refused: %s; no agent is told of it, and its file stays", what)
	default:
		if err := c.retireHeld(s, h); err != nil {
			return fmt.Errorf("no agent is told of it, but it is not retired: %w", err)
		}
		c.line("refused and retired: %s", what)
	}
	return nil
}

func (c *call) retireHeld(s *session.Session, h heldSet) error {
	p := plan.Plan{Version: plan.Version}
	for _, r := range h {
		moved, err := r.Retire("the person said no to it", c.now())
		if err != nil {
			return err
		}
		p.Edits = append(p.Edits, upkeep.Edit(r.Stored, plan.Retire, moved.Record))
	}
	if err := s.Apply(context.WithoutCancel(c.ctx), p, nil); err != nil {
		return err
	}
	return s.Trust(p, nil, false, c.now().UTC())
}
