package save

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
)

// A Drafted is a draft that was made of staged quotes.
type Drafted struct {
	Category memory.Category `json:"category"`
	File     string          `json:"file"`
	Title    string          `json:"title"`
}

// pendingDrafts is the form of .triage-pending.json, the list of drafts that nobody has applied yet.
type pendingDrafts struct {
	Categories []memory.Category `json:"categories"`
	Reason     string            `json:"reason"`
	Timestamp  string            `json:"timestamp"` // RFC 3339, UTC
	Version    int               `json:"version"`   // stage.FileVersion; ours
}

// Extract drafts, for each category on the stage that has no draft, the staged quotes word
// for word. without are the categories that have none.
func (w *Saver) Extract() (all []Drafted, without []memory.Category, err error) {
	contexts, err := w.Desk.Contexts()
	if err != nil {
		if len(contexts) == 0 {
			return nil, nil, err
		}
		w.Note("%v", err)
	}
	if len(contexts) == 0 {
		return nil, nil, refused(fmt.Errorf("%s: nothing is staged", w.Desk.Dir),
			"keepsake records triage reads the session afresh")
	}
	pending := pendingDrafts{Version: stage.FileVersion, Reason: "total_drafter_failure",
		Timestamp: w.Now().UTC().Format(time.RFC3339)}
	for _, context := range contexts {
		name := stage.IntentName(context.Category)
		switch _, err := w.Desk.Read(name); {
		case err == nil:
			continue // a drafter did deliver this one
		case !errors.Is(err, fs.ErrNotExist):
			return nil, nil, fmt.Errorf("%s: %w", filepath.Join(w.Desk.Dir, name), err)
		}
		b, ok := draft.Extract(context.Category, w.quotes(context), draft.Quoted, w.Now())
		if !ok {
			without = append(without, context.Category)
			continue
		}
		if err := w.Desk.Write(name, b); err != nil {
			return nil, nil, err
		}
		for _, part := range draft.Split(b, context.Category) {
			d, _, err := draft.Parse(part, context.Category)
			if err != nil {
				d.Title = ""
			}
			all = append(all, Drafted{context.Category, name, d.Title})
		}
		pending.Categories = append(pending.Categories, context.Category)
	}
	if len(pending.Categories) == 0 {
		return all, without, nil
	}
	b, err := json.Marshal(pending)
	if err != nil {
		return nil, nil, err
	}
	return all, without, w.Desk.Write(stage.PendingName, append(b, '\n'))
}

// quotes returns what a draft can be made from: the statements that were noticed,
// or, for a session summary, what the person asked for.
func (w *Saver) quotes(context stage.Context) []string {
	if context.Category != memory.SessionSummary {
		return context.Texts()
	}
	file, err := session.OpenTranscript(w.State.Transcript)
	if err != nil {
		return context.Texts()
	}
	defer file.Close()
	var requests []string
	for _, p := range session.Since(file, 0) {
		if p.By == triage.Person {
			requests = append(requests, secret.Redact(p.Text))
		}
	}
	return requests
}
