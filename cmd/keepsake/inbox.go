package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/doctor"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/candidate"
	"keepsake/pkg/why/promote"
)

type inboxCmd struct {
	List    inboxListCmd  `cmd:"" default:"withargs" help:"List all that waits for you."`
	Edit    inboxEditCmd  `cmd:"" help:"Change what a finding, a candidate or a draft says, in your editor."`
	Later   inboxLaterCmd `cmd:"" help:"Put a candidate off until tomorrow."`
	Approve approveCmd    `cmd:"" help:"Approve stopped calls, once each, and promote candidates."`
	Reject  rejectCmd     `cmd:"" help:"Reject stopped calls, candidates or failed drafts."`
}

func (inboxCmd) Help() string {
	return `Everything that waits for you, in one list with short ids: what was noticed in conversations
and is not saved yet, by its number; what a memory-keeper proposes for good keeping, calls that the gate
stopped, drafts of memories that could not be saved, memories that no agent is told of before you say yes:
those whose words came from outside or that nothing in a conversation supports, and what came with the
repository; and what was promoted of memories that hold no longer. Answer with keepsake inbox approve ID,
keepsake inbox reject ID, keepsake inbox edit ID or keepsake inbox later ID, or with keepsake review one
after the other.

Examples:

    keepsake inbox
    keepsake inbox edit c4k2zq`
}

type inboxListCmd struct {
	All  bool `hidden:"" help:"All is listed without it, too."` // older versions cut the list
	JSON bool `help:"Print one JSON object: findings, candidates, calls, drafts, last (the last document of a memory-keeper)."`
}

func (inboxListCmd) Help() string {
	return `The same as keepsake inbox alone.

Example:

    keepsake inbox list --json`
}

// inboxJSON is what inbox prints with --json.
type inboxJSON struct {
	Findings   []findingWaits        `json:"findings"`   // newest first; those that are sure, then the others
	Candidates []candidate.Candidate `json:"candidates"` // those put off included
	Calls      []approval.Request    `json:"calls"`
	Drafts     []draftWaits          `json:"drafts"`
	Disputes   []doctor.Dispute      `json:"disputes,omitempty"`
	// memories that no agent is told of before you say yes
	Held    []heldJSON        `json:"held"`
	Drawers []drawerOverJSON  `json:"drawers,omitempty"` // promoted, and their memories hold no longer
	Last    *candidate.Report `json:"last,omitempty"`
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
	out := inboxJSON{Findings: []findingWaits{}, Candidates: []candidate.Candidate{}, Calls: []approval.Request{},
		Drafts: []draftWaits{}, Held: []heldJSON{}}
	var errs []error
	findings, err := c.findingsWaiting(s)
	errs = append(errs, err)
	out.Findings = append(out.Findings, c.sayFindings(findings)...)
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
	c.lines("For good keeping (keepsake inbox approve, reject, inbox edit or inbox later ID):", lines)
	if off > 0 {
		c.line("  %d put off", off)
	}
	d, err := c.approvals()
	errs = append(errs, err)
	if err == nil {
		waiting, err := d.Waiting(now)
		errs = append(errs, err)
		out.Calls = append(out.Calls, waiting...)
		c.list("Stopped by the gate (keepsake inbox approve or reject ID; keepsake review shows all of it):",
			waiting)
	}
	kept, err := s.Pending().Refused()
	errs = append(errs, err)
	lines = nil
	var questions []string
	for _, k := range kept {
		_, err := s.Pending().Amended(k)
		mended := ""
		if err == nil {
			mended = " (mended; next: keepsake records triage --pending, then keepsake records commit)"
		}
		if unbacked(k) {
			questions = append(questions, failedDraft(k).Line(now)+mended)
		} else {
			lines = append(lines, failedDraft(k).Line(now)+mended)
		}
		out.Drafts = append(out.Drafts, draftWaits{k.ID(), err == nil, k.Session, k.At, k.Reason, k.Title,
			k.Category})
	}
	c.lines("An agent would end, replace or add to what you said; a yes does that, a no drops the draft "+
		"(keepsake review, approve or reject ID):", questions)
	c.lines("Drafts of memories that could not be saved (keepsake inbox edit or reject ID):", lines)
	sets, err := save.HeldSets(s)
	errs = append(errs, err)
	lines = nil
	for _, h := range sets {
		lines = append(lines, heldLine(h))
		out.Held = append(out.Held, heldShown(h))
	}
	c.lines("Memories that no agent is told of before you say yes (keepsake review, approve or reject ID):",
		lines)
	if loaded, err := s.Store().Load(); err == nil { // else the verbs that need it say why
		over, err := registerOf(s).Overdue(loaded.Records, "")
		errs = append(errs, err)
		lines = nil
		for _, o := range over {
			lines = append(lines, drawerLine(o))
			out.Drawers = append(out.Drawers, drawerOverJSON{o.Path, o.Records, o.By})
		}
		c.lines("Promoted, and no longer true; recalled no more (keepsake review, or keepsake forget "+
			"WING/ROOM/DRAWER withdraws it):", lines)
		lines = nil
		for _, d := range doctor.Disputes(s, loaded) {
			lines = append(lines, d.Line()+": "+d.Remedy())
			out.Disputes = append(out.Disputes, d)
		}
		c.lines("Memories that contradict each other:", lines)
	}
	if len(out.Disputes)+len(out.Findings)+len(out.Candidates)+len(out.Calls)+len(out.Drafts)+
		len(out.Held)+len(out.Drawers) == 0 {
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
		c.lines("Not taken from the last memory-keeper's document, of "+last.Time.Format("2006-01-02 15:04")+
			" UTC:", lines)
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

func notTaken(i candidate.Item) string {
	at := fmt.Sprintf("line %d", i.Line)
	if i.Title != "" {
		at += ` "` + cut(brief.Line(i.Title), 60) + `"`
	}
	if i.Source != "" {
		at += " [source: " + brief.Line(i.Source) + "]"
	}
	return at + ": " + brief.Line(i.Why)
}

func proposed(p candidate.Candidate) brief.Candidate {
	b := brief.Candidate{ID: p.ID, Text: p.Text, Quote: p.Quote, Source: p.Source, Reason: p.Reason,
		Wing: p.Wing, Room: p.Room, Drawer: p.Drawer, Filed: p.Filed}
	if p.State == candidate.Later {
		b.Until = p.Until
	}
	return b
}

// unbacked reports whether a draft waits because it would end, replace or add to what a person
// said, without words of theirs: that is a question to them.
func unbacked(k stage.Kept) bool { return strings.HasPrefix(k.Reason, string(memory.CodeUnbacked)) }

// backed saves a draft that the person was shown whole and said yes to.
func (c *call) backed(s *session.Session, k stage.Kept) error {
	drafts := []save.Given{{Name: "inbox", Category: k.Category, Text: []byte(k.Draft), Said: true}}
	p, r, err := c.saver(s).Commit(c.ctx, save.Options{Partial: true, Given: drafts}, nil)
	if err := c.remembered(s)(p, r, err); err != nil {
		return err
	}
	if _, err := s.Pending().Drop(k); err != nil {
		return failed(fmt.Errorf("saved, but the draft still waits: %w", err), "keepsake inbox reject "+
			k.ID())
	}
	return nil
}

func failedDraft(k stage.Kept) brief.Draft {
	return brief.Draft{ID: k.ID(), Category: string(k.Category), Title: k.Title, Reason: k.Reason,
		Notes: k.Notes, Text: k.Draft, At: k.At}
}

// A waiting thing has one of these.
type waits struct {
	call      *approval.Request
	candidate *candidate.Candidate
	draft     *stage.Kept
	finding   *finding.Status
	denied    bool // of a finding: one that was said later turns against it
	held      save.HeldSet
	drawer    *promote.Overdue
	session   *session.Session // of the project whose finding, candidate, draft or memory it is
}

func (w waits) id() string {
	switch {
	case w.finding != nil:
		return fmt.Sprintf("[%d]", w.finding.Number)
	case w.candidate != nil:
		return w.candidate.ID
	case w.draft != nil:
		return w.draft.ID()
	case w.held != nil:
		return w.held.ID()
	case w.drawer != nil:
		return brief.Line(w.drawer.Path)
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
		"keepsake inbox lists what waits in this project, keepsake gate approvals what the gate stopped",
		"where Claude Code runs with CLAUDE_CONFIG_DIR, set it here too")
	if n, ok := finding.ParseNumber(id); ok {
		return c.findFinding(n)
	}
	if len(id) != 6 || !strings.ContainsRune("cdr", rune(id[0])) {
		return w, unknown
	}
	if w.session, err = c.where(); err != nil {
		return w, err
	}
	if id[0] == 'r' {
		sets, err := save.HeldSets(w.session)
		for _, h := range sets {
			if h.ID() == id {
				w.held = h
				return w, nil
			}
		}
		if err != nil {
			return w, failed(err)
		}
		return w, unknown
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
	if !errors.Is(perr, candidate.ErrUnknown) {
		return w, failed(perr)
	}
	return w, unknown
}

type inboxLaterCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of candidates, or numbers of findings."`
}

func (inboxLaterCmd) Help() string {
	return `The candidate waits for you again tomorrow. It stays in the notes meanwhile. A finding waits
on as it is.

Example:

    keepsake inbox later c4k2zq`
}

func (v inboxLaterCmd) Run(c *call) error {
	d, err := c.approvals()
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
		if w.finding != nil {
			c.line("later: %s waits on", w.id())
			continue
		}
		if w.candidate == nil {
			return failed(fmt.Errorf("%s: only a candidate can be put off", id),
				"a stopped call waits for a day, a draft until it is answered")
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

// keep promotes a candidate, if the person says so at the terminal.
func (c *call) keep(tty io.ReadWriter, answers *bufio.Reader, w waits) error {
	k, p, _, err := c.gathered(w.session, promoting{},
		func(from promote.Sources, backend string) (promote.Promotion, []string, error) {
			p, err := from.Named(c.ctx, backend, []string{w.candidate.ID})
			return p, nil, err
		})
	if err != nil {
		return err
	}
	return c.promoteAsked(w.session, tty, answers, k, promoting{}, p)
}
