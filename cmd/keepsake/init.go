package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/importer/backfill"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/text"
)

type initCmd struct {
	Yes    bool `short:"y" help:"Don't ask."`
	DryRun bool `short:"n" help:"Only list what would be read and written."`
	JSON   bool `help:"Print one JSON object."`
}

func (initCmd) Help() string {
	return `The first day in a project: looks through the transcripts that Claude Code and Codex CLI kept of its earlier
sessions (in ~/.claude/projects, ~/.codex/sessions and archived_sessions beside it), an AGENTS.md and the
records of its decisions (docs/adr and the like), and offers you the ten best things to review. It says first
what it reads and writes, and asks. No model is asked and nothing leaves this machine.

What it finds are candidates: no agent is told of one before your yes in keepsake review. What was said in
three sessions comes first; what was taken back later, and what a memory, a CLAUDE.md or your MEMORY.md
says, is not offered. Only what was said in this project's folders counts. Ten wait at a time; once you have
answered, keepsake init offers the next.

Ctrl-C keeps what was read, and the next call goes on from there. Claude Code deletes transcripts after 30
days, if its setting cleanupPeriodDays does not say otherwise.

Examples:

    keepsake init
    keepsake init --dry-run`
}

// initJSON is what init --json prints.
type initJSON struct {
	Folders []backfill.Folder `json:"folders"`
	Files   []string          `json:"files"`  // of the repository
	Known   []string          `json:"known"`  // files that the client loads: nothing that they say is offered
	Writes  []string          `json:"writes"` //
	Read    bool              `json:"read"`
	Heard   int               `json:"heard"`   // statements that are new in the log
	Settled int               `json:"settled"` // that something said later settles
	// what they say, and what settles each
	SettledBy []settledJSON     `json:"settled_by,omitempty"`
	Already   int               `json:"already"` // that are known already
	Left      int               `json:"left"`    // that a later call offers
	Offered   []offeredJSON     `json:"offered"` // that wait for the person
	Failed    []backfill.Passed `json:"failed"`  // what could not be read
}

type settledJSON struct {
	Text string `json:"text"`
	By   string `json:"by"`
}

type offeredJSON struct {
	Number int            `json:"number"`
	Kind   string         `json:"category"`
	Text   string         `json:"text"`
	Who    string         `json:"who"`
	Origin finding.Origin `json:"origin"`
}

func (v initCmd) Run(c *call, s *session.Session) error {
	switch {
	case session.Off():
		return failed(errors.New("KEEPSAKE=off is set, so nothing is read"), "unset it for this call")
	case !s.Listens():
		return failed(errors.New("the settings turn noticing off, so nothing is read"),
			"keepsake config get triage.enabled, and capture.on_stop")
	}
	src, err := backfill.Look(s)
	if err != nil {
		return err
	}
	out := initJSON{Folders: append([]backfill.Folder{}, src.Folders...),
		Files: append([]string{}, src.Files...), Known: append([]string{}, src.Known...),
		Writes:  []string{string(s.Backfill()), string(s.Journal())},
		Offered: []offeredJSON{}, Failed: append([]backfill.Passed{}, src.Passed...)}
	c.listSources(s, src)
	if v.DryRun {
		c.value(out)
		return nil
	}
	tty, answers, err := v.agreed(c)
	if err != nil {
		return err
	}
	if tty != nil {
		defer tty.Close()
	}
	now := c.now().UTC()
	show := c.progress(tty, src.Bytes())
	done, err := backfill.Read(c.ctx, s, src, now, show.tell)
	show.end()
	out.Failed = append(out.Failed, done.Failed...)
	if errors.Is(err, context.Canceled) {
		return failed(fmt.Errorf("interrupted after %s of %s", sizeOf(done.Bytes),
			sizeOf(src.Bytes())), "what was read is kept; keepsake init goes on from there")
	}
	if err != nil {
		return err
	}
	offer, err := backfill.Fill(c.ctx, s, src.Files, now)
	if err != nil {
		return err
	}
	out.Read, out.Heard, out.Settled, out.Already, out.Left = true, done.Heard, len(offer.Settled),
		offer.Known, offer.Left
	for _, f := range offer.Settled {
		out.SettledBy = append(out.SettledBy, settledJSON{f.Text, f.Over})
	}
	out.Failed = append(out.Failed, offer.Failed...)
	for _, f := range offer.Findings {
		out.Offered = append(out.Offered, offeredJSON{f.Number, string(f.Category), f.Text,
			answer.WhoSaid(f.Finding), f.Origin})
	}
	c.tellOffer(out, offer)
	c.value(out)
	if tty == nil || len(offer.Findings) == 0 {
		return nil
	}
	return c.reviewOffer(tty, answers, offer.Findings)
}

// listSources says what init reads and writes.
func (c *call) listSources(s *session.Session, src backfill.Sources) {
	c.line("reads:")
	for _, f := range src.Folders {
		c.line("  %s", brief.Line(f.Path))
		c.line("    %s, %s", count(f.Sessions, "session"), sizeOf(f.Bytes))
	}
	if len(src.Folders) == 0 && len(src.Roots) > 0 {
		c.line("  no transcripts of this project in %s", brief.Line(strings.Join(src.Roots, " or ")))
	}
	listed := map[string]int{}
	var folders []string
	for _, path := range src.Files {
		dir := filepath.Dir(path)
		if dir == s.Root {
			dir = path
		}
		if listed[dir]++; listed[dir] == 1 {
			folders = append(folders, dir)
		}
	}
	for _, dir := range folders {
		name, _ := layout.Relative(s.Root, dir)
		c.line("  %s%s", brief.Line(name), files(listed[dir], dir))
	}
	for _, path := range src.Known {
		c.line("  %s", brief.Line(path))
		c.line("    so that nothing it says is offered")
	}
	for _, p := range src.Passed {
		c.line("  not %s: %s", brief.Line(p.Path), brief.Line(p.Why))
	}
	c.line("writes:")
	c.line("  %s", brief.Line(string(s.Backfill())))
	c.line("    what may be worth keeping, secrets taken out")
	c.line("  %s", brief.Line(string(s.Journal())))
	c.line("    the %d best, which wait for your review", backfill.Offered)
}

// files says how many files a folder has that are read, "" for a file.
func files(n int, path string) string {
	if filepath.Ext(path) == ".md" {
		return ""
	}
	return ": " + count(n, "file")
}

// sizeOf returns a size in words.
func sizeOf(bytes int64) string {
	const mb = 1 << 20
	switch {
	case bytes < mb:
		return fmt.Sprintf("%d KB", (bytes+1023)/1024)
	case bytes < 10*mb:
		return fmt.Sprintf("%.1f MB", float64(bytes)/mb)
	}
	return fmt.Sprintf("%d MB", bytes/mb)
}

// agreed returns the terminal of the person who said yes, and their answers. They are nil with --yes, which
// no agent can say.
func (v initCmd) agreed(c *call) (io.ReadWriteCloser, *bufio.Reader, error) {
	hints := []string{yourself, "keepsake init --dry-run shows what would be read"}
	if v.Yes {
		if err := c.person.alone(); err != nil {
			return nil, nil, &failure{exitPerson,
				fmt.Errorf("only a person has earlier sessions read: %w", err), hints}
		}
		return nil, nil, nil
	}
	tty, err := c.person.open(append(hints, "--yes doesn't ask")...)
	if err != nil {
		return nil, nil, err
	}
	answers := bufio.NewReader(tty)
	if ask(tty, answers, "Read them now?", yesOrNo...) != yes {
		tty.Close()
		c.line("nothing was read")
		return nil, nil, errDeclined
	}
	return tty, answers, nil
}

// tellOffer says what was found.
func (c *call) tellOffer(out initJSON, o backfill.Offer) {
	for _, p := range out.Failed {
		c.note("not read: %s: %s", brief.Line(p.Path), brief.Line(p.Why))
	}
	if len(out.Offered) == 0 {
		c.line("nothing new that may be worth keeping")
		c.tellLeftOut(out)
		return
	}
	c.wrapped(fmt.Sprintf("%s for your review, %d of them new; no agent is told of one before your yes:",
		count(len(out.Offered), "candidate"), o.New))
	for _, f := range out.Offered {
		c.line("  %-6s %s, %s", fmt.Sprintf("[%d]", f.Number), f.Kind, f.Who)
		c.wrapped("         \"" + text.Shorten(text.Safe(text.OneLine(f.Text)), offeredRunes) + "\"")
	}
	if o.Left > 0 {
		c.line("%s left for a later keepsake init", count(o.Left, "candidate"))
	}
	c.tellLeftOut(out)
	c.line("next: keepsake review")
}

// maxSettled is how many statements are named that something said later settles.
const maxSettled = 3

// tellLeftOut says what is not offered, and why.
func (c *call) tellLeftOut(out initJSON) {
	if out.Already > 0 {
		c.line("not offered: %d known already", out.Already)
	}
	if out.Settled == 0 {
		return
	}
	c.line("not offered: %d settled by what was said later:", out.Settled)
	quoted := func(s string) string {
		return "\"" + text.Shorten(text.Safe(text.OneLine(s)), offeredRunes) + "\""
	}
	for _, f := range out.SettledBy[:min(maxSettled, len(out.SettledBy))] {
		c.wrapped("  " + quoted(f.Text))
		c.wrapped("    by " + quoted(f.By))
	}
	if more := out.Settled - maxSettled; more > 0 {
		c.line("  and %d more (keepsake init --json)", more)
	}
}

// wrapped prints a line, broken at words where it would not fit a terminal of 80 columns.
func (c *call) wrapped(line string) {
	for _, row := range text.Wrap(line, 80) {
		c.line("%s", strings.TrimRight(row, " "))
	}
}

// offeredRunes is how much of a candidate is listed.
const offeredRunes = 100

// reviewOffer goes through what was found with the person, if they like to.
func (c *call) reviewOffer(tty io.ReadWriter, answers *bufio.Reader, found []finding.Status) error {
	if ask(tty, answers, "Review them now?", yesOrNo...) != yes {
		return nil
	}
	b, err := c.inbox()
	if err != nil {
		return err
	}
	var items []reviewed
	for _, f := range found {
		t, err := b.Find(fmt.Sprint(f.Number))
		if err != nil { // the others can be answered all the same
			_, hints := codeOf(err)
			c.trouble(err, hints, exitFailed)
			continue
		}
		items = append(items, reviewed{id: t.ID, thing: t})
	}
	if len(items) == 0 {
		return nil
	}
	return c.review(b, items, tty, answers)
}

// A progress shows how far a reading has come: on a terminal a bar with the time that is left, else a line
// now and then. A library for this would cost every start of keepsake 0.15 ms.
type progress struct {
	c     *call
	tty   io.Writer // nil where there is no terminal
	total int64
	begun time.Time
	said  time.Time
	drawn bool
}

// How often a bar is drawn, and how often a line is said in its place.
const (
	drawEvery = 100 * time.Millisecond
	sayEvery  = 5 * time.Second
)

// progress returns what shows a reading on the terminal at which the person was asked. Who was not asked sees
// it where errors go, if that is a terminal.
func (c *call) progress(tty io.Writer, total int64) *progress {
	p := &progress{c: c, total: max(total, 1), begun: time.Now(), said: time.Now()}
	if f, ok := c.err.(*os.File); tty == nil && ok && isDevice(f) {
		tty = f
	}
	if os.Getenv("TERM") != "dumb" && os.Getenv("ACCESSIBLE") == "" {
		p.tty = tty
	}
	return p
}

func (p *progress) tell(d backfill.Done) {
	now, every := time.Now(), sayEvery
	if p.tty != nil {
		every = drawEvery
	}
	if now.Sub(p.said) < every {
		return
	}
	p.said = now
	left := leftOf(now.Sub(p.begun), d.Bytes, p.total)
	if p.tty == nil {
		p.c.note("read %s of %s%s", sizeOf(d.Bytes), sizeOf(p.total), left)
		return
	}
	p.drawn = true
	fmt.Fprintf(p.tty, "\r\x1b[K%s", barOf(d.Bytes, p.total, left))
}

// end takes the bar away.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprint(p.tty, "\r\x1b[K")
	}
}

// barWidth is how many characters a bar has. With what stands around it, it fits a terminal of 80 columns.
const barWidth = 28

// barOf returns the bar of a reading.
func barOf(done, total int64, left string) string {
	full := int(barWidth * min(done, total) / total)
	return fmt.Sprintf("reading [%s%s] %3d %%  %s of %s%s", strings.Repeat("#", full),
		strings.Repeat("-", barWidth-full), 100*min(done, total)/total, sizeOf(done), sizeOf(total), left)
}

// leftOf returns how long the rest of a reading takes if it goes on as until now, "" while that is a guess.
func leftOf(spent time.Duration, done, total int64) string {
	if spent < time.Second || done <= 0 || done >= total {
		return ""
	}
	left := time.Duration(float64(spent) * float64(total-done) / float64(done)).Round(time.Second)
	return fmt.Sprintf(", %s left", left)
}
