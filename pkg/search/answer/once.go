package answer

import (
	"slices"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
)

// A Reason is why a memory that came near a prompt was not shown with it.
type Reason string

// The reasons.
const (
	BelowFloor Reason = "below_floor" // its score is below the floor
	FarBelow   Reason = "far_below"   // its score is far below that of the best
	SaidBefore Reason = "said_before" // the model was given it, or wrote it, in this conversation
	SameAs     Reason = "same"        // it says nothing that another one did not say
	Superseded Reason = "superseded"  // a newer one says the opposite, or it says itself that it is over
	Loaded     Reason = "loaded"      // the client loads a file that says it
	Off        Reason = "off"         // its category is off
	HeldBack   Reason = "held"        // it waits for the person's yes
	NoRoom     Reason = "no_room"     // better ones took all the room
	Gone       Reason = "gone"        // its file is gone, or says something else than its index
)

// Display returns a reason in words for people.
func (r Reason) Display() string {
	switch r {
	case BelowFloor:
		return "below the floor"
	case FarBelow:
		return "far below the best"
	case SaidBefore:
		return "said already in this session"
	case SameAs:
		return "says the same as another"
	case Superseded:
		return "superseded"
	case Loaded:
		return "the client loads it anyway"
	case Off:
		return "its category is off"
	case HeldBack:
		return "held back"
	case NoRoom:
		return "no room"
	case Gone:
		return "changed or gone"
	}
	return string(r)
}

// leftOut is what a prompt knows of the memories that it is not given.
type leftOut struct {
	why    map[string]left // by path
	told   *alike.Told     // the memories that the model has before it, of those that were found
	loaded *alike.Told     // what the client loads; nil before it was needed
	heard  Near            // the person's statement that the prompt is given, for the log
}

type left struct {
	why Reason
	by  string // the memory or the file that says it
}

// leave notes why a memory is left out.
func (p *Prompt) leave(path string, why Reason, by string) {
	if p.left.why == nil {
		p.left.why = map[string]left{}
	}
	p.left.why[path] = left{why, by}
}

// floor returns the lowest score of a memory that is shown.
func (p *Prompt) floor() float64 { return max(p.Config.Retrieval.Floor, records.PromptFloor) }

// knows reports whether the model was shown a memory since the conversation was compacted.
func (p *Prompt) knows(path string) bool { return slices.Contains(p.State.Shown, path) }

// newsOf returns those of the memories that were found that hold and are news.
func (p *Prompt) newsOf(got session.Result, holds func(session.Found) bool) []session.Found {
	all := got.Found
	got.Found = nil
	for _, f := range all {
		if holds(f) && p.isNews(got, f) {
			got.Found = append(got.Found, f)
		}
	}
	return got.Found
}

// isNews reports whether a memory says something that still holds and that the model has not before it. It
// may have it from a memory that it was shown, from its own work in this session, or from a file that the
// client loads.
func (p *Prompt) isNews(soFar session.Result, f session.Found) bool {
	if isOver(f.Record) {
		p.leave(f.Path, Superseded, "")
		return false
	}
	if p.wroteHere(f) {
		p.leave(f.Path, SaidBefore, "")
		return false
	}
	if len(soFar.Found) == 0 {
		p.left.told = p.shownOf(soFar.Hits)
	}
	if by, said := p.left.told.SaysRecord(f.Record); said {
		p.leave(f.Path, SameAs, by)
		return false
	}
	if by, said := p.clients().SaysRecord(f.Record); said {
		p.leave(f.Path, Loaded, by)
		return false
	}
	p.left.told.AddRecord(f.Path, f.Record)
	return true
}

// isOver reports whether a memory says of itself that it no longer holds.
func isOver(r memory.Record) bool {
	status, _ := r.Content["status"].(string)
	return r.Category == memory.Decision && (status == "superseded" || status == "deprecated")
}

// wroteHere reports whether a memory was made of what this session's model has before it: it was written in
// this session, of what was said in it since it was compacted.
func (p *Prompt) wroteHere(f session.Found) bool {
	if f.Provenance == nil || f.Provenance.Session != p.ID || f.TimesUpdated > 0 ||
		len(f.Trust.Findings) == 0 {
		return false
	}
	if at, err := time.Parse(time.RFC3339, f.CreatedAt); err != nil || !at.After(p.State.Compaction) {
		return false
	}
	book, err := p.Recent()
	return err == nil && !slices.ContainsFunc(f.Trust.Findings, func(n int) bool {
		said, ok := book.Find(n)
		return !ok || !p.saidHere(said)
	})
}

// saidHere reports whether a finding was said in this conversation since it was compacted.
func (p *Prompt) saidHere(f finding.Status) bool {
	return f.Session == p.ID && f.Time.After(p.State.Compaction)
}

// shownOf returns those of the hits that the model was shown before.
func (p *Prompt) shownOf(hits []records.Hit) *alike.Told {
	told := &alike.Told{}
	for _, h := range hits {
		if !p.knows(h.Path) {
			continue
		}
		if m, err := p.ReadRecord(h.Path); err == nil { // else it says nothing any more
			told.AddRecord(m.Path, m.Record)
		}
	}
	return told
}

// clients returns what the client loaded into the model's context.
func (p *Prompt) clients() *alike.Told {
	if p.left.loaded == nil {
		p.left.loaded = p.LoadedHere()
	}
	return p.left.loaded
}

// isLoaded reports whether the client loads a file that says a statement.
func (p *Prompt) isLoaded(statement string) bool {
	_, said := p.clients().Says(statement)
	return said
}
