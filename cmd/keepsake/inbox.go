package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/approval"
	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/inbox"
	"keepsake/pkg/memory"
	"keepsake/pkg/promote"
	"keepsake/pkg/resolve"
	"keepsake/pkg/scratch"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

type inboxCmd struct {
	List  inboxListCmd  `cmd:"" default:"withargs" help:"List all that waits for you."`
	Edit  inboxEditCmd  `cmd:"" help:"Change what a candidate or a draft says, in your editor."`
	Later inboxLaterCmd `cmd:"" help:"Put a candidate off until tomorrow."`
}

func (inboxCmd) Help() string {
	return `Everything that waits for you, in one list with short ids: what a memory-keeper proposes for good keeping, calls that the gate stopped, and drafts of memories that could not be saved. Answer with keepsake approve ID, keepsake reject ID, keepsake inbox edit ID or keepsake inbox later ID, or with keepsake review one after the other.

Examples:

    keepsake inbox
    keepsake inbox edit c4k2zq`
}

type inboxListCmd struct {
	JSON bool `help:"Print one JSON object: candidates, calls, drafts, last (the last document of a memory-keeper)."`
}

func (inboxListCmd) Help() string {
	return `The same as keepsake inbox alone.

Example:

    keepsake inbox list --json`
}

// inboxJSON is what inbox prints with --json.
type inboxJSON struct {
	Candidates []inbox.Candidate  `json:"candidates"` // those put off included
	Calls      []approval.Request `json:"calls"`
	Drafts     []draftWaits       `json:"drafts"`
	Last       *inbox.Report      `json:"last,omitempty"`
}

// draftWaits is a draft that could not be saved.
type draftWaits struct {
	ID      string          `json:"id"`
	Mended  bool            `json:"mended"` // somebody made a better one out of it, which waits to be saved
	Session string          `json:"session"`
	At      time.Time       `json:"at,omitzero"`
	Why     string          `json:"reason"`
	Title   string          `json:"title,omitempty"`
	Kind    memory.Category `json:"category"`
}

func (v inboxListCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	now := c.now()
	out := inboxJSON{Candidates: []inbox.Candidate{}, Calls: []approval.Request{}, Drafts: []draftWaits{}}
	var errs []error
	all, err := s.Inbox().All()
	errs = append(errs, err)
	var lines []string
	off := 0
	for _, p := range all {
		switch {
		case p.Waits(now):
			lines = append(lines, proposed(p).Line(now))
		case p.Open():
			off++
		default:
			continue
		}
		out.Candidates = append(out.Candidates, p)
	}
	c.lines("For good keeping (keepsake approve, reject, inbox edit or inbox later ID):", lines)
	if off > 0 {
		c.line("  %d put off", off)
	}
	d, err := approvals()
	errs = append(errs, err)
	if err == nil {
		waiting, err := d.Waiting(now)
		errs = append(errs, err)
		out.Calls = append(out.Calls, waiting...)
		c.list("Stopped by the gate (keepsake approve or reject ID; keepsake review shows all of it):", waiting)
	}
	kept, err := s.Pending().Refused()
	errs = append(errs, err)
	lines = nil
	for _, k := range kept {
		_, err := s.Pending().Amended(k)
		mended := ""
		if err == nil {
			mended = " (mended; next: keepsake triage --pending, then keepsake commit)"
		}
		lines = append(lines, failedDraft(k).Line(now)+mended)
		out.Drafts = append(out.Drafts, draftWaits{k.ID(), err == nil, k.Session, k.At, k.Reason, k.Title, k.Category})
	}
	c.lines("Drafts of memories that could not be saved (keepsake inbox edit or reject ID):", lines)
	if len(out.Candidates)+len(out.Calls)+len(out.Drafts) == 0 {
		c.line("nothing waits for you")
	}
	last, err := s.Inbox().Told()
	errs = append(errs, err)
	if !last.Time.IsZero() {
		out.Last = &last
		lines = nil
		for _, i := range last.Items {
			if i.Why != "" {
				lines = append(lines, notTaken(i))
			}
		}
		c.lines("Not taken from the last memory-keeper's document, of "+last.Time.Format("2006-01-02 15:04")+" UTC:", lines)
	}
	c.value(out)
	if err := errors.Join(errs...); err != nil {
		return failed(err)
	}
	return nil
}

func (c *call) lines(head string, lines []string) {
	if len(lines) > 0 {
		c.line("%s", head)
	}
	for _, l := range lines {
		c.line("  %s", l)
	}
}

func notTaken(i inbox.Item) string {
	at := fmt.Sprintf("line %d", i.Line)
	if i.Title != "" {
		at += ` "` + cut(brief.Line(i.Title), 60) + `"`
	}
	if i.Source != "" {
		at += " [source: " + brief.Line(i.Source) + "]"
	}
	return at + ": " + brief.Line(i.Why)
}

func proposed(p inbox.Candidate) brief.Candidate {
	b := brief.Candidate{ID: p.ID, Text: p.Text, Quote: p.Quote, Source: p.Source, Reason: p.Reason, Wing: p.Wing, Room: p.Room, Drawer: p.Drawer, Filed: p.Filed}
	if p.State == inbox.Later {
		b.Until = p.Until
	}
	return b
}

func failedDraft(k stage.Kept) brief.Draft {
	return brief.Draft{ID: k.ID(), Category: string(k.Category), Title: k.Title, Reason: k.Reason, Notes: k.Notes, Text: k.Draft, At: k.At}
}

// A waiting thing has one of these.
type waits struct {
	call      *approval.Request
	candidate *inbox.Candidate
	draft     *stage.Kept
	session   *session.Session // of the project whose candidate or draft it is
}

func (w waits) id() string {
	switch {
	case w.candidate != nil:
		return w.candidate.ID
	case w.draft != nil:
		return w.draft.ID()
	}
	return w.call.ID
}

// find looks an id up: a call that the gate stopped, a candidate, or a draft.
func (c *call) find(d approval.Dir, id string) (w waits, err error) {
	id = strings.ToLower(strings.TrimSpace(id))
	r, err := d.Find(id)
	if err == nil {
		return waits{call: &r}, nil
	}
	if !errors.Is(err, approval.ErrUnknown) {
		return w, err
	}
	unknown := failed(fmt.Errorf("%s: nothing of this id waits for an answer", id),
		"keepsake inbox lists what waits in this project, keepsake approvals what the gate stopped", "where Claude Code runs with CLAUDE_CONFIG_DIR, set it here too")
	if len(id) != 6 || id[0] != 'c' && id[0] != 'd' {
		return w, unknown
	}
	if w.session, err = c.where(); err != nil {
		return w, err
	}
	p, perr := w.session.Inbox().Find(id)
	if perr == nil {
		w.candidate = &p
		return w, nil
	}
	k, kerr := w.session.Pending().FindRefused(id)
	if kerr == nil {
		w.draft = &k
		return w, nil
	}
	if !errors.Is(perr, inbox.ErrUnknown) {
		return w, failed(perr)
	}
	return w, unknown
}

type inboxLaterCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of candidates."`
}

func (inboxLaterCmd) Help() string {
	return `The candidate waits for you again tomorrow. It stays in the notes meanwhile.

Example:

    keepsake inbox later c4k2zq`
}

func (v inboxLaterCmd) Run(c *call) error {
	d, err := approvals()
	if err != nil {
		return err
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	for _, id := range v.IDs {
		w, err := c.find(d, id)
		if err != nil {
			return err
		}
		if w.candidate == nil {
			return failed(fmt.Errorf("%s: only a candidate can be put off", id), "a stopped call waits for a day, a draft until it is answered")
		}
		if err := c.putOff(w); err != nil {
			return err
		}
	}
	return nil
}

// putOff has a candidate wait until the next day begins, where the person is.
func (c *call) putOff(w waits) error {
	now := c.now()
	y, m, d := now.Date()
	p, err := w.session.Inbox().Later(w.candidate.ID, time.Date(y, m, d+1, 0, 0, 0, 0, now.Location()), now)
	if err != nil {
		return failed(err)
	}
	c.line("later: %s, tomorrow again", p.ID)
	return nil
}

type inboxEditCmd struct {
	ID string `arg:"" name:"ID" help:"Id of a candidate or a draft."`
}

func (inboxEditCmd) Help() string {
	return `Opens the text in $VISUAL, else $EDITOR, else vi. Of a candidate it is what would be written; the note that it is from stays as it is. Of a draft that could not be saved it is the draft; mended, it is saved by keepsake triage --pending and keepsake commit. Only a person at a terminal can do this.

Example:

    keepsake inbox edit c4k2zq`
}

func (v inboxEditCmd) Run(c *call) error {
	d, err := approvals()
	if err != nil {
		return err
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	w, err := c.find(d, v.ID)
	if err != nil {
		return err
	}
	return c.amend(w, tty)
}

func (c *call) amend(w waits, tty io.ReadWriter) error {
	switch {
	case w.candidate != nil:
		return c.editCandidate(w.session, *w.candidate, tty)
	case w.draft != nil:
		return c.editDraft(w.session, *w.draft, tty)
	}
	return failed(fmt.Errorf("%s: a stopped call can't be changed: an approval is for its exact bytes", w.call.ID), "reject it, and say in the session what should be different")
}

func (c *call) editCandidate(s *session.Session, p inbox.Candidate, tty io.ReadWriter) error {
	text, err := c.editor(s, p.ID+".md", p.Text+"\n", tty)
	if err != nil {
		return err
	}
	text = scratch.Clean(text)
	switch kinds := secret.Kinds(text); {
	case text == "":
		return failed(fmt.Errorf("%s: nothing is left of it, so it stays as it was", p.ID), "keepsake reject "+p.ID)
	case len(kinds) > 0:
		return failed(fmt.Errorf("%s: it would hold a secret (%s), so it stays as it was", p.ID, strings.Join(kinds, ", ")))
	case text == p.Text:
		c.line("%s stays as it was", p.ID)
		return nil
	}
	if _, err := s.Inbox().Edit(p.ID, text); err != nil {
		return failed(err)
	}
	c.line("edited: %s; it still waits", p.ID)
	return nil
}

func (c *call) editDraft(s *session.Session, k stage.Kept, tty io.ReadWriter) error {
	before := k.Draft
	if b, err := s.Pending().Amended(k); err == nil {
		before = string(b)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return failed(err)
	}
	text, err := c.editor(s, k.ID()+".json", before, tty)
	if err != nil {
		return err
	}
	if text == before {
		c.line("%s stays as it was", k.ID())
		return nil
	}
	text = secret.Redact(text)
	// What was written is kept, whether it is right or not.
	if err := s.Pending().Amend(k, []byte(text)); err != nil {
		return failed(err)
	}
	if _, _, err := resolve.ParseDraft([]byte(text), k.Category); err != nil {
		return failed(fmt.Errorf("%s: kept, and not right yet: %w", k.ID(), err), "keepsake inbox edit "+k.ID()+" opens it again", "keepsake draft --form "+string(k.Category)+" shows what it takes")
	}
	c.line("edited: %s; next: keepsake triage --pending, then keepsake commit", k.ID())
	return nil
}

// maxEdited bounds what comes back from an editor, in bytes.
const maxEdited = 1 << 20

// editor has the person change a text in their editor, at their terminal, in a
// folder that only they can enter.
func (c *call) editor(s *session.Session, name, text string, tty io.ReadWriter) (string, error) {
	dir := filepath.Join(s.Inbox().Dir, "edit")
	if err := disk.Private(dir); err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("%d-%s", os.Getpid(), name))
	if err := disk.Write(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	defer os.Remove(path)
	program := "vi"
	for _, v := range [...]string{os.Getenv("EDITOR"), os.Getenv("VISUAL")} {
		if strings.TrimSpace(v) != "" {
			program = v
		}
	}
	words := strings.Fields(program)
	cmd := exec.CommandContext(c.ctx, words[0], append(words[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	if err := cmd.Run(); err != nil {
		return "", failed(fmt.Errorf("%s: %w, so it stays as it was", program, err), "VISUAL or EDITOR names your editor, such as VISUAL='code --wait'")
	}
	b, err := disk.Read(path, maxEdited)
	return string(b), err
}

// keep promotes a candidate, if the person says so at the terminal.
func (c *call) keep(tty io.ReadWriter, answers *bufio.Reader, w waits) error {
	k, p, _, err := c.gathered(w.session, promoting{}, func(from promote.Sources, backend string) (promote.Promotion, []string, error) {
		p, err := from.Named(c.ctx, backend, []string{w.candidate.ID})
		return p, nil, err
	})
	if err != nil {
		return err
	}
	return c.promoteAsked(w.session, tty, answers, k, promoting{}, p)
}
