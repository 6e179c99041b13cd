package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/triage"
)

type draftCmd struct {
	Form string `help:"Draft nothing; print the form of a draft of this category, for an agent that drafts by itself." placeholder:"CATEGORY"`
	JSON bool   `help:"Print one JSON object: the drafts made and what had no quotes, or the form."`
}

func (draftCmd) Help() string {
	return `For every category on the stage without a draft, makes one out of the staged quotes themselves, word for word, with confidence 0.5. No model, nothing invented: where the quotes have no words the draft says "Not recorded." The drafts wait on the stage; nothing is saved until plan and apply.

Examples:

    keepsake records draft
    keepsake records draft --form decision`
}

// draftJSON is what draft --json prints.
type draftJSON struct {
	Drafted []drafted         `json:"drafted"`
	Without []memory.Category `json:"without"` // staged categories that have no quotes to draft from
}

// formJSON is what draft --form --json prints.
type formJSON struct {
	Category memory.Category `json:"category"`
	Form     string          `json:"form"`
	File     string          `json:"file"` // where a draft that nobody asked a drafter for is written
}

type drafted struct {
	Category memory.Category `json:"category"`
	File     string          `json:"file"`
	Title    string          `json:"title"`
}

// waiting is seed 3's .triage-pending.json: drafts that nobody has applied.
type waiting struct {
	Categories []memory.Category `json:"categories"`
	Reason     string            `json:"reason"`
	Timestamp  string            `json:"timestamp"` // RFC 3339, UTC
	Version    int               `json:"version"`   // stage.FileVersion; ours
}

func (v draftCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Form != "" {
		cats, err := categories([]string{v.Form})
		if err != nil {
			return err
		}
		return printForm(c, cats[0])
	}
	s, err := c.staged()
	if err != nil {
		return err
	}
	contexts, err := s.Desk.Contexts()
	if err != nil {
		if len(contexts) == 0 {
			return err
		}
		c.note("%v", err)
	}
	if len(contexts) == 0 {
		return failed(fmt.Errorf("%s: nothing is staged", s.Desk.Dir), "keepsake records triage reads the session afresh")
	}
	out := draftJSON{Drafted: []drafted{}, Without: []memory.Category{}}
	pending := waiting{Version: stage.FileVersion, Reason: "total_drafter_failure", Timestamp: c.now().UTC().Format(time.RFC3339)}
	for _, context := range contexts {
		name := stage.IntentName(context.Category)
		switch _, err := s.Desk.Read(name); {
		case err == nil:
			continue // a drafter did deliver this one
		case !isAbsent(err):
			return fmt.Errorf("%s: %w", filepath.Join(s.Desk.Dir, name), err)
		}
		b, ok := resolve.Extract(context.Category, quotes(s, context), resolve.Quoted, c.now())
		if !ok {
			out.Without = append(out.Without, context.Category)
			continue
		}
		if err := s.Desk.Write(name, b); err != nil {
			return err
		}
		for _, part := range resolve.Split(b, context.Category) {
			title := ""
			if d, _, err := resolve.ParseDraft(part, context.Category); err == nil {
				title = d.Title
			}
			out.Drafted = append(out.Drafted, drafted{context.Category, name, title})
		}
		pending.Categories = append(pending.Categories, context.Category)
	}
	if len(pending.Categories) > 0 {
		b, err := json.Marshal(pending)
		if err != nil {
			return err
		}
		if err := s.Desk.Write(stage.PendingName, append(b, '\n')); err != nil {
			return err
		}
	}
	for _, d := range out.Drafted {
		c.line("drafted %s from its quotes: %s", d.Category, d.Title)
	}
	for _, cat := range out.Without {
		c.line("%s has no quotes to draft from", cat)
	}
	if len(out.Drafted) == 0 && len(out.Without) == 0 {
		c.line("every category on the stage has a draft")
	} else {
		c.line("%s waiting, not saved; next: keepsake records plan", isAre(len(out.Drafted), "draft"))
	}
	c.value(out)
	return nil
}

// printForm prints the form of a draft, and where one by hand is written: the
// folder is made, so that whoever writes there finds it private.
func printForm(c *call, cat memory.Category) error {
	s, err := c.staged()
	if err != nil {
		return err
	}
	if err := s.Desk.Make(); err != nil {
		return err
	}
	file := filepath.Join(s.Desk.Dir, stage.HandName(cat))
	c.block(form(cat))
	c.note("a draft by hand is written to %s", file)
	c.value(formJSON{cat, form(cat), file})
	return nil
}

// quotes are what a draft can be made from: the statements that were noticed,
// or, for a session summary, what the person asked for.
func quotes(s *session.Session, context stage.Context) []string {
	if context.Category != memory.SessionSummary {
		return context.Texts()
	}
	file, err := session.OpenTranscript(s.State.Transcript)
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

// isAre is "1 draft is", "2 drafts are".
func isAre(n int, one string) string {
	if n == 1 {
		return count(n, one) + " is"
	}
	return count(n, one) + " are"
}
