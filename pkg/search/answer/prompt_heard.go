package answer

import (
	"slices"
	"sync"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
)

// hearing returns the findings that nobody has settled.
func (p *Prompt) hearing() session.Hearing {
	l, err := p.Hearing()
	if err != nil {
		p.Fault(p.Hook, "what the person said could not be looked up for a prompt", err)
	}
	return l
}

// disputed marks the memories that the person turned against.
func disputed(memories []brief.Recalled, l session.Hearing) {
	for i, m := range memories {
		if f, found := l.Against(m.Path); found {
			memories[i].Against = brief.Unwritten{Text: f.Text, Chosen: f.By == finding.Chosen, At: f.Time}
		}
	}
}

// heard adds the person's words about the prompt to the memories that are shown. They are words that nobody
// has written up yet, or that only a memory has that is held back. If a memory that is shown, or was shown
// before, says the same, they are left out. Like memories, they are shown once until the conversation is
// compacted.
func (p *Prompt) heard(l session.Hearing, memories []brief.Recalled, got session.Result,
	about brief.Descriptions) (text string, shown []string) {
	has := sync.OnceValue(func() []memory.Stored { return p.has(memories, got.Hits) }) // it reads files
	var says []alike.Saying
	known := func(text string, at time.Time, c memory.Category) bool {
		if says == nil {
			says = []alike.Saying{}
			for _, m := range has() {
				says = append(says, alike.RecordSaying(m.Record))
			}
		}
		if slices.ContainsFunc(memories, func(m brief.Recalled) bool { return m.Against.Text == text }) {
			return true
		}
		said := alike.SayingOf(text)
		return slices.ContainsFunc(says, func(s alike.Saying) bool { return s.Says(said) }) ||
			outdated(text, at, c, has()) || p.isLoaded(text)
	}
	f, found, err := l.About(p.Text, p.Config.Retrieval.Floor, known)
	if err != nil {
		p.Fault(p.Hook, "what the person said could not be looked up for a prompt", err)
	}
	said, number := brief.Unwritten{Text: f.Text, Chosen: f.By == finding.Chosen, At: f.Time}, f.Number
	if !found {
		said, number, f.Score = p.ofHeld(l, got.Held, known)
	}
	if said.Text == "" {
		return brief.Recall(memories, about)
	}
	p.left.heard = nearOf(session.FindingPath(number), said.Text, f.Score)
	text, shown = brief.RecallHeard(memories, about, said)
	p.Events = append(p.Events, event.Event{Type: event.RetrievalHeard, Hook: p.Hook, Took: event.Untimed,
		Data: event.Data{
			"number": number, "score": f.Score, "days": int(p.Now.Sub(said.At) / (24 * time.Hour)),
		}})
	return text, append(shown, session.FindingPath(number))
}

// ofHeld returns the person's words in a memory about the prompt that is held back, and the number of the
// finding. It is the first one good enough that was not shown before.
func (p *Prompt) ofHeld(l session.Hearing, held []session.Found,
	known func(string, time.Time, memory.Category) bool) (said brief.Unwritten, number int, score float64) {
	told := l.Told()
	for _, m := range held {
		quotes := m.Trust.Said()
		if len(quotes) == 0 || len(m.Trust.Findings) == 0 {
			continue
		}
		number = m.Trust.Findings[0]
		here := m.Provenance != nil && m.Provenance.Session == p.ID && m.Trust.At.After(p.State.Compaction)
		if _, against := l.Against(m.Path); against || here ||
			slices.Contains(p.State.Shown, session.FindingPath(number)) {
			continue
		}
		for _, q := range quotes {
			says := alike.SayingOf(q)
			if !slices.ContainsFunc(told, func(t alike.Saying) bool { return t.Says(says) }) &&
				!known(q, m.Trust.At, m.Category) {
				return brief.Unwritten{Text: q, Held: true, At: m.Trust.At}, number, m.Score
			}
		}
	}
	return brief.Unwritten{}, 0, 0
}

// outdated reports whether one of some memories is newer than the person's words and contradicts them.
func outdated(text string, at time.Time, c memory.Category, memories []memory.Stored) bool {
	said := memory.Stored{Record: memory.Record{Category: c, Status: memory.Active, Title: text,
		CreatedAt: memory.Stamp(at), UpdatedAt: memory.Stamp(at)}}
	keep, _ := alike.Disputed(append(memories, said), func(s memory.Stored) []string {
		if s.Path == "" {
			return []string{text}
		}
		return nil
	})
	return !slices.ContainsFunc(keep, func(s memory.Stored) bool { return s.Path == "" })
}

// has returns the memories that the model has before it: those that are shown with a prompt,
// and of the hits those that were shown before.
func (p *Prompt) has(memories []brief.Recalled, hits []records.Hit) []memory.Stored {
	all := []memory.Stored{}
	for _, m := range memories {
		all = append(all, m.Stored)
	}
	for _, h := range hits {
		if !slices.Contains(p.State.Shown, h.Path) {
			continue
		}
		if m, err := p.ReadRecord(h.Path); err == nil { // else it says nothing any more
			all = append(all, m)
		}
	}
	return slices.Clip(all)
}
