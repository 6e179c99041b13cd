package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/erase"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/secret"
	"keepsake/pkg/store"
	"keepsake/pkg/why/inbox"
)

type forgetCmd struct {
	What    []string `arg:"" name:"ID|WORDS" help:"Id of a memory, the beginning of one, words of its title; the number of a finding; or wing/room/drawer of what was promoted."`
	Reason  string   `help:"Why; it is kept with the memory." placeholder:"TEXT"`
	ForGood bool     `help:"Delete it, with what Keepsake keeps of its past. Nothing brings it back."`
	changeFlags
}

func (forgetCmd) Help() string {
	return `Takes one thing back: a memory is retired, so that it is recalled no more, and a finding that
waits is set aside. What was noticed and led to the memory is not offered again. keepsake records restore
brings the memory back. Where several fit they are listed, and nothing is done.

What was promoted goes with its memory: the drawer is recalled no more at once, and you are asked whether
it is withdrawn. A drawer named as wing/room/drawer is withdrawn after a yes at the terminal; nothing
brings it back.

--for-good deletes: the memory's file and all that Keepsake's history has of it, so that undo and restore
can't bring it back; the statements that it was made of and those that say the same, with what was said
around them; its words and its name in everything else that Keepsake keeps, such as the search index,
sessions, unsaved work and approvals. A person is asked at the terminal first. What is not Keepsake's
stays and is named: commits of git, transcripts of the client, its memory files and their snapshots, your
notes.

Examples:

    keepsake forget use-redis
    keepsake forget the redis queue
    keepsake forget 7
    keepsake forget use-redis --for-good
    keepsake forget shop/decisions/use-redis-for-the-cache-0f9c3a71d2e4`
}

// forgottenJSON is what forget prints with --json for a finding, and with --for-good.
// For a memory it prints what retire does.
type forgottenJSON struct {
	Status   string `json:"status"` // "rejected", "set_aside" or "deleted"
	Target   string `json:"target,omitempty"`
	Findings []int  `json:"findings"`
	Plans    int    `json:"plans,omitempty"` // of the history, that had to do with it
	DryRun   bool   `json:"dry_run,omitempty"`
}

// forgetting is the one thing that is to be forgotten: a memory, or a finding.
type forgetting struct {
	path    string // of the record, "" for none
	record  *memory.Stored
	finding *finding.Status
}

func (v forgetCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	if at := strings.Join(v.What, " "); strings.Count(trimmed(at), "/") == 2 && !strings.HasPrefix(at, "/") {
		return v.forgetDrawer(c, s, at)
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	book, err := s.Whole()
	if err != nil {
		if book.Len() == 0 || v.ForGood {
			return failed(err)
		}
		c.note("%v", err)
	}
	what := strings.TrimSpace(strings.Join(v.What, " "))
	f, err := v.find(c, s, loaded, book, what)
	switch {
	case err != nil:
		return err
	case v.ForGood:
		return v.delete(c, s, book, f)
	case f.finding != nil:
		return v.setAside(c, s, *f.finding)
	}
	reason := v.Reason
	if reason == "" {
		reason = "forgotten"
	}
	return c.move(f.path, v.changeFlags, move{plan.Retire, memory.Retired, "forgotten",
		func(r memory.Record) (memory.Moved, error) {
			return r.Retire(secret.Redact(reason), c.now())
		}})
}

// find returns the one thing that is meant: by the number of a finding, by an id or the
// beginning of one, or by words that only one title or statement has.
func (v forgetCmd) find(c *call, s *session.Session, loaded store.Loaded, book *finding.Book,
	what string) (f forgetting, err error) {
	var paths []string
	for _, r := range loaded.Records {
		paths = append(paths, r.Path)
	}
	if n, ok := finding.ParseNumber(what); ok && !slices.ContainsFunc(paths,
		func(p string) bool { return exact(p, what) }) {
		return v.findFinding(loaded, book, n)
	}
	named := paths
	if v.ForGood { // one that is gone may have left a history
		past, err := c.pastOf(recordsOf(s))
		if err != nil {
			return f, err
		}
		for _, p := range past {
			named = append(named, p.Path)
		}
		for _, f := range book.Each(nil) { // of one that was deleted, and not all of it
			if plan.CheckRecord(f.To) == nil && !slices.Contains(named, f.To) {
				named = append(named, f.To)
			}
		}
	}
	for _, b := range loaded.Bad { // a file that can't be read is not another one
		if path, _ := findPath("forget", what, []string{b.Path}); path != "" {
			return f, failed(fmt.Errorf("%s: %w", brief.Line(b.Path), b.Err),
				"keepsake doctor says what to do about it")
		}
	}
	path, err := findPath("forget", what, named)
	if err != nil || path != "" && exact(path, what) {
		return memoryAt(loaded, path), err
	}
	var found []forgetting
	var lines []string
	if path != "" { // by the beginning of its id, which may be a word of others
		found = append(found, memoryAt(loaded, path))
		lines = append(lines, "keepsake forget "+brief.Line(stem(path)))
	}
	words := wordsIn(what)
	for _, r := range loaded.Records {
		if r.Path != path && has(r.Title, words) && (v.ForGood || r.Status == memory.Active) {
			found = append(found, memoryAt(loaded, r.Path))
			lines = append(lines, fmt.Sprintf("keepsake forget %s: %s", brief.Line(r.ID),
				brief.Line(r.Title)))
		}
	}
	for _, w := range book.Waiting() {
		if has(w.Text, words) {
			found = append(found, forgetting{finding: &w})
			lines = append(lines, fmt.Sprintf("keepsake forget %d: %q", w.Number,
				cut(brief.Line(w.Text), answer.SnippetRunes)))
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return f, failed(fmt.Errorf("%s: no such memory or finding", brief.Line(what)),
			"keepsake list shows the ids, keepsake recall finds by words")
	}
	return f, failed(fmt.Errorf("%s: %d fit, and nothing was forgotten", brief.Line(what), len(found)),
		lines...)
}

// findFinding returns a finding by its number, or the memory that it became.
func (v forgetCmd) findFinding(loaded store.Loaded, book *finding.Book, number int) (f forgetting,
	err error) {
	s, ok := book.Find(number)
	switch {
	case !ok:
		return f, failed(fmt.Errorf("[%d]: there is no such finding", number),
			"keepsake inbox lists what waits in this project")
	case s.State.Kept() && plan.CheckRecord(s.To) == nil:
		return memoryAt(loaded, s.To), nil
	case !s.State.Waits() && !v.ForGood:
		return f, failed(fmt.Errorf("[%d] waits no more: %s", number, inbox.BecameOf(s)),
			"--for-good deletes what it says")
	}
	return forgetting{finding: &s}, nil
}

func memoryAt(loaded store.Loaded, path string) forgetting {
	f := forgetting{path: path}
	for _, r := range loaded.Records {
		if r.Path == path {
			f.record = &r
		}
	}
	return f
}

// wordsIn are the words of a text, in lower case.
func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// has reports whether a text has all of some words.
func has(text string, words []string) bool {
	all := wordsIn(text)
	return len(words) > 0 && !slices.ContainsFunc(words,
		func(w string) bool { return !slices.Contains(all, w) })
}

// setAside takes a finding that waits off everybody's hands: on the person's word it is
// rejected, on the agent's set aside.
func (v forgetCmd) setAside(c *call, s *session.Session, f finding.Status) error {
	m := finding.Move{At: c.now().UTC(), Act: finding.Reject, Numbers: []int{f.Number}, By: "person",
		Why: brief.Text(secret.Redact(v.Reason), save.MaxReason)}
	out := forgottenJSON{Status: string(finding.Rejected), Findings: m.Numbers, DryRun: v.DryRun}
	if inside(s) {
		m.Act, m.By, out.Status = finding.PutAside, "agent", string(finding.SetAside)
	}
	if v.DryRun {
		c.line("%s [%d] %q", strings.ReplaceAll(out.Status, "_", " "), f.Number,
			cut(brief.Line(f.Text), answer.SnippetRunes))
		c.line("nothing was written: this was a dry run")
	} else {
		if err := s.MoveFindings(m); err != nil {
			return failed(err)
		}
		c.line("forgotten: [%d]; it is not offered again", f.Number)
	}
	c.value(out)
	return nil
}

// delete takes something away for good, if the person says so.
func (v forgetCmd) delete(c *call, s *session.Session, book *finding.Book, f forgetting) error {
	number := 0
	if f.finding != nil {
		number = f.finding.Number
	}
	d := erase.NewDeletion(s, book, f.path, f.record, number)
	out := forgottenJSON{Status: "deleted", Target: d.Path, Findings: d.Numbers, DryRun: v.DryRun}
	shown := v.toDelete(book, f, d.Numbers)
	if v.DryRun {
		for _, line := range shown {
			c.line("%s", line)
		}
		c.line("nothing was written: this was a dry run")
		c.value(out)
		return nil
	}
	tty, err := c.person.open(yourself, "keepsake forget without --for-good takes it out of what is recalled")
	if err != nil {
		return err
	}
	defer tty.Close()
	fmt.Fprintf(tty, "%s\n\n", strings.Join(shown, "\n"))
	answers := bufio.NewReader(tty)
	if ask(tty, answers, "Delete this for good?", yesOrNo...) != yes {
		c.line("nothing was deleted")
		return nil
	}
	out.Plans, err = d.Delete(c.ctx, c.now().UTC())
	switch {
	case errors.Is(err, store.ErrConflict):
		return &failure{exitConflict, err,
			[]string{"look at it again and repeat the command: nothing was deleted"}}
	case err != nil:
		return err
	}
	c.line("deleted for good: %s", strings.Join(deleted(f, out), ", "))
	if f.path != "" {
		c.askDrawers(s, tty, answers, c.overOf(s, f.path))
	}
	for _, line := range d.Left(c.ctx, c.unreadable) {
		c.note("%s", line)
	}
	c.value(out)
	return nil
}

// toDelete says what would go, to the person who decides about it.
func (v forgetCmd) toDelete(book *finding.Book, f forgetting, numbers []int) (lines []string) {
	if f.path != "" {
		title := "is gone already; its history goes"
		if f.record != nil {
			title = brief.Line(f.record.Title)
		}
		lines = append(lines, brief.Line(f.path)+"  "+title)
	}
	for _, n := range numbers {
		if w, ok := book.Find(n); ok {
			lines = append(lines, fmt.Sprintf("[%d] %q (%s, %s)", n, brief.Line(w.Text),
				answer.WhoSaid(w.Finding),
				w.Time.Format("2006-01-02")))
		}
	}
	return lines
}

// deleted says what went.
func deleted(f forgetting, out forgottenJSON) (parts []string) {
	if f.path != "" {
		parts = append(parts, brief.Line(f.path), count(out.Plans, "plan")+" of its history")
	}
	for _, n := range out.Findings {
		parts = append(parts, fmt.Sprintf("[%d]", n))
	}
	return parts
}
