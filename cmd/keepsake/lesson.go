package main

import (
	"errors"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/project/session"
)

type lessonCmd struct {
	Add      lessonAddCmd      `cmd:"" default:"withargs" help:"Keep a lesson, or count one that is known."`
	List     lessonListCmd     `cmd:"" help:"List the lessons, and how often each came up."`
	Instinct lessonInstinctCmd `cmd:"" help:"Show a lesson as an instinct, or write it."`
}

func (lessonCmd) Help() string {
	return `For a memory use keepsake remember TEXT: this is for what went wrong and what to do next time.

Keeps what a correction, a failed plan, a trap or a better way taught: when it comes up, what was learned,
and what to do next time. A correction goes into .learnings/LEARNINGS.md of the project's Markdown
memories, anything else to where the directory keeps patterns. A lesson that is known already is not
written again: today is added to its days.

A lesson that came up on three days is proposed as an instinct: a YAML file in .learnings/instincts that
every session is told of when it begins. Only the person says yes to it: keepsake md lesson instinct ID
--write.

Examples:

    keepsake md lesson --kind correction --trigger 'a test needs a new column' --lesson 'the test database is not migrated by itself' --next 'run the migration before the tests'
    keepsake md lesson list
    keepsake md lesson instinct migrate-first`
}

type lessonAddCmd struct {
	Trigger string       `required:"" help:"The situation in which it comes up." placeholder:"TEXT"`
	Lesson  string       `required:"" help:"What was learned, in one sentence." placeholder:"TEXT"`
	Next    string       `required:"" help:"What to do next time." placeholder:"TEXT"`
	Title   string       `help:"Its title (default: the first words of --next)." placeholder:"TEXT"`
	Kind    lessons.Kind `help:"What it was learned from: correction, failed-plan, gotcha or better-way." enum:"correction,failed-plan,gotcha,better-way" default:"gotcha"`
	changeFlags
}

func (lessonAddCmd) Help() string {
	return `The same as keepsake md lesson alone.

Example:

    keepsake md lesson add --trigger 'a test needs a new column' --lesson 'the test database is not migrated by itself' --next 'run the migration before the tests'`
}

// lessonJSON is what lesson prints with --json.
type lessonJSON struct {
	Status   string        `json:"status"` // created, counted or already
	Dir      string        `json:"dir"`
	ID       string        `json:"id"`
	Lesson   lessons.Entry `json:"lesson"`
	Count    int           `json:"count"`
	Proposed bool          `json:"proposed"` // as an instinct: it came up often enough, and is none yet
	Digest   string        `json:"digest,omitempty"`
	DryRun   bool          `json:"dry_run,omitempty"`
}

func (v lessonAddCmd) Run(c *call) error {
	c.json = v.JSON
	l := lessons.Lesson{Title: v.Title, Trigger: v.Trigger, Lesson: v.Lesson, Next: v.Next}
	if err := l.Check(); err != nil {
		return usage("lesson: %v", err)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	dir, err := folder.Place(s, false)
	if err != nil {
		return err
	}
	at := c.notesOf(s, dir)
	return v.planAgain(c, at, func() error {
		f, err := c.readNotes(s, dir)
		if err == nil {
			err = f.CheckIndex()
		}
		if err != nil {
			return err
		}
		known, err := f.Lessons()
		if err != nil {
			return err
		}
		kept, err := known.Keep(l, v.Kind, s.KeepsLog(dir), c.now())
		var wrong *classify.Wrong
		if errors.As(err, &wrong) {
			return usage("lesson: %v", err)
		}
		if err != nil {
			return err
		}
		out := lessonJSON{Status: kept.Status, Dir: at.root, ID: kept.Entry.ID(), Lesson: kept.Entry,
			Count: len(kept.Entry.Seen), Proposed: kept.Proposed, DryRun: v.DryRun}
		if len(kept.Plan.Edits) > 0 {
			out.Digest = kept.Plan.Digest()
			c.edits(at, kept.Plan, v.changeFlags)
			if err := c.change(at, kept.Plan, v.changeFlags); err != nil {
				return err
			}
		}
		v.tell(c, out)
		c.value(out)
		return nil
	})
}

func (v lessonAddCmd) tell(c *call, out lessonJSON) {
	where := brief.Line(fmt.Sprintf("%s:%d", out.Lesson.Path, out.Lesson.Line))
	switch out.Status {
	case classify.LessonCreated:
		if out.DryRun {
			c.line("it would be kept: %s", where)
			break
		}
		c.line("lesson kept: %s", where)
	case classify.LessonCounted:
		if out.DryRun {
			c.line("known, and would be counted: %s, %s with today", where, times(out.Count))
			break
		}
		c.line("known, and counted: %s, %s", where, times(out.Count))
	default:
		c.line("stands there already: %s", where)
	}
	if out.Proposed && !out.DryRun {
		c.line("%s: propose it to the person as an instinct; keepsake md lesson instinct %s shows it, "+
			"--write is their yes", times(out.Count), out.ID)
	}
}

func times(n int) string {
	if n == 1 {
		return "came up once"
	}
	return fmt.Sprintf("came up %d times", n)
}

// lessons reads the lessons of a directory.
func (c *call) lessons(s *session.Session, dir string) (k classify.Lessons, err error) {
	f, err := c.readNotes(s, dir)
	if err != nil {
		return k, err
	}
	return f.Lessons()
}

type lessonListCmd struct {
	JSON bool `help:"Print one JSON array of lessons: id, title, trigger, lesson, next, seen, path, line, instinct."`
}

func (lessonListCmd) Help() string {
	return `Those that came up on most days come first.

Example:

    keepsake md lesson list`
}

func (v lessonListCmd) Run(c *call) error {
	c.json = v.JSON
	known, _, err := c.knownLessons()
	if err != nil {
		return err
	}
	out := known.ByCount()
	for _, l := range out {
		tag := ""
		if l.Instinct {
			tag = ", an instinct"
		}
		c.line("%s  %s (%s%s) %s:%d", l.ID, brief.Line(l.Title), times(max(len(l.Seen), 1)), tag,
			brief.Line(l.Path), l.Line)
	}
	if len(out) == 0 {
		c.line("no lessons")
	}
	c.value(out)
	return nil
}

func (c *call) knownLessons() (k classify.Lessons, at place, err error) {
	s, err := c.where()
	if err != nil {
		return k, at, err
	}
	dir, err := folder.Place(s, false)
	if err != nil {
		return k, at, err
	}
	k, err = c.lessons(s, dir)
	return k, c.notesOf(s, dir), err
}

type lessonInstinctCmd struct {
	ID    string `arg:"" help:"Id of a lesson, as keepsake md lesson list prints it."`
	Write bool   `help:"Write it. That is for the person to say."`
	JSON  bool   `help:"Print one JSON object: id, path, yaml, written."`
}

func (lessonInstinctCmd) Help() string {
	return `Prints the YAML of a lesson as an instinct. With --write it becomes a file in
.learnings/instincts. Every session is told of it when it begins, as long as the file is there and its
status is active.

Example:

    keepsake md lesson instinct migrate-first --write`
}

func (v lessonInstinctCmd) Run(c *call) error {
	c.json = v.JSON
	known, at, err := c.knownLessons()
	if err != nil {
		return err
	}
	id := strings.ToLower(v.ID)
	p, ok := known.Instinct(id, c.now())
	if !ok {
		return failed(fmt.Errorf("lesson %q: there is none", v.ID), "keepsake md lesson list shows the ids")
	}
	path, yaml := p.Edits[0].Path, string(p.Edits[0].After)
	switch {
	case v.Write && known.IsInstinct(id):
		return failed(fmt.Errorf("%s: is there already", path), "edit the file, or delete it first")
	case v.Write:
		if err := c.change(at, p, changeFlags{}); err != nil {
			return err
		}
		c.line("written: %s; sessions are told of it from now on", brief.Line(path))
	default:
		for l := range strings.Lines(yaml) {
			c.line("%s%s", l[:len(l)-len(strings.TrimLeft(l, " "))], brief.Line(l))
		}
		if !known.IsInstinct(id) {
			c.line("next, after the person's yes: keepsake md lesson instinct %s --write", id)
		}
	}
	c.value(struct {
		ID      string `json:"id"`
		Path    string `json:"path"`
		YAML    string `json:"yaml"`
		Written bool   `json:"written"`
	}{id, path, yaml, v.Write})
	return nil
}
