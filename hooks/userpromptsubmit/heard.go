package main

import (
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/event"
	"keepsake/pkg/session"
)

// heard adds what the person said about the prompt and nobody has written up yet to
// the memories that are shown. Like them it is shown once until the conversation is
// compacted.
func (p *prompt) heard(memories []brief.Recalled, about brief.Descriptions) (text string, shown []string) {
	f, found, err := p.Heard(p.query, p.Config.Retrieval.Floor)
	if err != nil {
		p.Fault(hookName, "what the person said could not be looked up for a prompt", err)
	}
	if !found {
		return brief.Recall(memories, about)
	}
	text, shown = brief.RecallHeard(memories, about, brief.Unwritten{Text: f.Text,
		Chosen: f.By == finding.Chosen, At: f.Time})
	p.log = append(p.log, event.Event{Type: event.RetrievalHeard, Hook: hookName, Took: event.Untimed,
		Data: event.Data{
			"number": f.Number, "score": f.Score, "days": int(p.now.Sub(f.Time) / (24 * time.Hour)),
		}})
	return text, append(shown, session.FindingPath(f.Number))
}
