package main

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

// question is what of a prompt is looked up, and whether there is anything: not
// the reports of subagents, which arrive as prompts too, and not the calls of
// our own skills. Of other slash commands it is what follows the name. A prompt
// that was scheduled cannot be told from one that was typed.
func question(prompt string) (string, bool) {
	prompt = strings.TrimSpace(prompt)
	switch {
	case strings.HasPrefix(prompt, "<task-notification>"), strings.HasPrefix(prompt, "[Subagent hand-back]"):
		return "", false
	case strings.HasPrefix(prompt, "/"):
		end := strings.IndexFunc(prompt, unicode.IsSpace)
		if end < 0 {
			end = len(prompt)
		}
		if strings.HasPrefix(prompt, "/keepsake:") {
			return "", false
		}
		if !strings.Contains(prompt[1:end], "/") { // a path is no command
			prompt = strings.TrimSpace(prompt[end:])
		}
	}
	return prompt, prompt != ""
}

// A prompt is one call of the hook.
type prompt struct {
	*session.Session
	query string
	now   time.Time
}

// context is what the prompt is given along. What was told is written down
// afterwards: where that fails it is told again, which is better than never.
func (p prompt) context() string {
	news, told := p.News(p.now)
	memories, shown, err := p.recall()
	if err != nil {
		p.Fault("userpromptsubmit", "nothing was recalled for a prompt", err)
	}
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
			p.Fault("userpromptsubmit", "what a prompt was told could not be noted", err)
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// candidates is how many hits are looked at for the few that are shown: some
// were shown before, some are gone.
const candidates = 12

// recall returns the memories that the prompt is about and the model has not
// seen, and the paths of those that are shown.
func (p prompt) recall() (text string, shown []string, err error) {
	limit := p.Config.Retrieval.MaxInject
	if !p.Config.Retrieval.Enabled || limit <= 0 {
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
	about := brief.Descriptions{}
	var found []memory.Stored
	for _, hit := range index.Search(p.query, limit+candidates) {
		c := p.Config.Categories[hit.Category]
		if !c.Enabled || slices.Contains(p.State.Shown, hit.Path) {
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
	return text, shown, nil
}
