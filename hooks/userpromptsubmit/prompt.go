package main

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/event"
	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

// Why a prompt is not looked up, as the log has it.
const (
	unasked  = "notification" // a report, no prompt
	command  = "command"      // of a client or of ours, and nothing with it
	empty    = "empty"
	off      = "off"         // by the settings
	noMemory = "no_memories" // there is nothing to find
	failed   = "failed"
)

// question is what of a prompt is looked up, or why nothing is: not the reports
// of subagents, which arrive as prompts too, and not the calls of our own
// skills. Of other slash commands it is what follows the name. A prompt that was
// scheduled cannot be told from one that was typed.
func question(prompt string) (query, skip string) {
	prompt = strings.TrimSpace(prompt)
	skip = empty
	switch {
	case strings.HasPrefix(prompt, "<task-notification>"), strings.HasPrefix(prompt, "[Subagent hand-back]"):
		return "", unasked
	case strings.HasPrefix(prompt, "/"):
		end := strings.IndexFunc(prompt, unicode.IsSpace)
		if end < 0 {
			end = len(prompt)
		}
		if strings.HasPrefix(prompt, "/keepsake:") {
			return "", command
		}
		if !strings.Contains(prompt[1:end], "/") { // a path is no command
			prompt, skip = strings.TrimSpace(prompt[end:]), command
		}
	}
	if prompt != "" {
		skip = ""
	}
	return prompt, skip
}

// skipped is the event of a prompt that is not looked up. What is so by design
// is of no interest but to somebody who looks for it.
func skipped(why string, length int) event.Event {
	e := event.Event{Type: event.RetrievalSkip, Hook: hookName, Took: event.Untimed, Data: event.Data{"reason": why, "prompt_length": length}}
	if why == unasked || why == command {
		e.Level = event.Debug
	}
	return e
}

const hookName = "userpromptsubmit"

// A prompt is one call of the hook.
type prompt struct {
	*session.Session
	query string
	now   time.Time
	log   []event.Event
}

// context is what the prompt is given along. What was told is written down
// afterwards: where that fails it is told again, which is better than never.
func (p *prompt) context() string {
	news, told := p.News(p.now)
	memories, shown, err := p.recall()
	if err != nil {
		p.log = append(p.log, skipped(failed, len(p.query)))
		p.Fault(hookName, "nothing was recalled for a prompt", err)
	}
	p.Log(p.log...)
	parts := []string{memories, brief.Note(news)}
	if len(shown) > 0 || told != nil {
		err := p.Update(func(st *stage.State) error {
			st.Shown = append(st.Shown, shown...)
			if told != nil {
				told(st)
			}
			return nil
		})
		if err != nil && !errors.Is(err, disk.ErrLocked) {
			p.Fault(hookName, "what a prompt was told could not be noted", err)
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// candidates is how many hits are looked at for the few that are shown: some
// were shown before, some are gone.
const candidates = 12

// recall returns the memories that the prompt is about and the model has not
// seen, and the paths of those that are shown.
func (p *prompt) recall() (text string, shown []string, err error) {
	started := time.Now()
	limit := p.Config.Retrieval.MaxInject
	if !p.Config.Retrieval.Enabled || limit <= 0 {
		p.log = append(p.log, skipped(off, len(p.query)))
		return "", nil, nil
	}
	store := p.Store()
	b, err := store.Index()
	if err != nil {
		return "", nil, err
	}
	index, err := recall.Open(b)
	if err != nil {
		return "", nil, err
	}
	if index.Len() == 0 {
		p.log = append(p.log, skipped(noMemory, len(p.query)))
		return "", nil, nil
	}
	about := brief.Descriptions{}
	var found []memory.Stored
	hits := index.Search(p.query, limit+candidates)
	known := 0
	for _, hit := range hits {
		c := p.Config.Categories[hit.Category]
		if hit.Score < p.Config.Retrieval.Floor {
			break // the best come first
		}
		if !c.Enabled {
			continue
		}
		if slices.Contains(p.State.Shown, hit.Path) {
			known++
			continue
		}
		// The index may be older than the record; what is shown is what is there.
		m, err := store.Read(hit.Path)
		if err != nil || m.Status != memory.Active {
			continue
		}
		about[m.Category] = c.Description
		if found = append(found, m); len(found) == limit {
			break
		}
	}
	text, shown = brief.Recall(found, about)
	p.searched(index.Len(), hits, known, time.Since(started))
	p.shown(found, shown, len(text))
	return text, shown, nil
}

// searched logs a search: how many memories there are and were found, and how
// many of these the model has seen before.
func (p *prompt) searched(memories int, hits []recall.Hit, known int, took time.Duration) {
	best := 0.0
	if len(hits) > 0 {
		best = hits[0].Score
	}
	p.log = append(p.log, event.Event{Type: event.RetrievalSearch, Hook: hookName, Took: took, Data: event.Data{
		"prompt_length": len(p.query), "memories": memories, "hits": len(hits), "known": known, "best": best,
	}})
}

// shown logs what a prompt was given.
func (p *prompt) shown(found []memory.Stored, paths []string, size int) {
	if len(paths) == 0 {
		return
	}
	var ids []string
	for _, m := range found {
		if slices.Contains(paths, m.Path) {
			ids = append(ids, m.ID)
		}
	}
	p.log = append(p.log, event.Event{Type: event.RetrievalInject, Hook: hookName, Took: event.Untimed, Data: event.Data{
		"count": len(ids), "ids": ids, "bytes": size,
	}})
}
