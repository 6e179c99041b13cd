package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/filing"
	"keepsake/pkg/lessons"
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/store"
)

type lessonCmd struct {
	Add      lessonAddCmd      `cmd:"" default:"withargs" help:"Keep a lesson, or count one that is known."`
	List     lessonListCmd     `cmd:"" help:"List the lessons, and how often each came up."`
	Instinct lessonInstinctCmd `cmd:"" help:"Show a lesson as an instinct, or write it."`
}

func (lessonCmd) Help() string {
	return `For a memory use keepsake remember TEXT: this is for what went wrong and what to do next time.

Keeps what a correction, a plan that failed, a trap or a better way taught: when it comes up, what was learned, and what to do next time. A correction goes into .learnings/LEARNINGS.md of the project's Markdown memories, anything else to the patterns, as the directory is laid out. What says the same as a lesson that is known is not written again: its day is counted, once a day.

A lesson that came up three times is proposed as an instinct, a YAML file in .learnings/instincts that every session is told of when it begins. The person says yes to it: keepsake md lesson instinct ID --write.

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
	for _, t := range [...]*string{&l.Title, &l.Trigger, &l.Lesson, &l.Next} {
		*t = secret.Redact(*t)
	}
	if err := l.Check(); err != nil {
		return usage("lesson: %v", err)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	dir, err := memoriesOf(s, false)
	if err != nil {
		return err
	}
	at := c.notesOf(s, dir)
	for again := false; ; again = true {
		out, p, err := v.work(c, s, at, l)
		if err != nil {
			return err
		}
		if len(p.Edits) > 0 {
			out.Digest = p.Digest()
			c.edits(p, v.changeFlags)
			err = c.change(at, p, v.changeFlags)
			if errors.Is(err, store.ErrConflict) && !again {
				continue // the client writes there too
			}
			if err != nil {
				return err
			}
		}
		v.tell(c, out)
		c.value(out)
		return nil
	}
}

// work says what becomes of a lesson, and plans it.
func (v lessonAddCmd) work(c *call, s *session.Session, at place, l lessons.Lesson) (out lessonJSON, p plan.Plan, err error) {
	known, err := c.lessons(s, at)
	if err != nil {
		return out, p, err
	}
	out = lessonJSON{Status: "counted", Dir: at.root, DryRun: v.DryRun}
	e, found := lessons.Find(known.all, l, known.Alike)
	switch {
	case found:
		b, counted, changed := e.Count(known.bytes(e.Path), c.now())
		e = counted
		if !changed {
			out.Status = "already"
			break
		}
		if e.Path != lessons.Journal {
			p = filing.Dated(known.Dir, profileOf(s, known.Dir), e.Path, b)
			break
		}
		p.Edits = []plan.Edit{{Path: e.Path, Verb: plan.Update, Before: plan.DigestOf(known.bytes(e.Path)), After: b, Category: "memory", Title: "lesson: " + e.Title}}
	case v.Kind == lessons.Correction:
		out.Status = "created"
		edit := plan.Edit{Path: lessons.Journal, Verb: plan.Create, Category: "memory", Title: "lesson: " + l.Title}
		if old := known.bytes(lessons.Journal); old != nil {
			edit.Verb, edit.Before = plan.Update, plan.DigestOf(old)
		}
		edit.After, e = lessons.Append(known.bytes(lessons.Journal), l, c.now())
		p.Edits = []plan.Edit{edit}
	default:
		out.Status = "created"
		r, err := filing.File(known.Dir, profileOf(s, known.Dir), filing.Note{Kind: "pattern", Title: l.Title, Text: l.Lesson, Why: l.Trigger, How: l.Next, Log: s.Config.Memdir.Log})
		var wrong *filing.Wrong
		if errors.As(err, &wrong) {
			return out, p, usage("lesson: %v", err)
		}
		if err != nil {
			return out, p, err
		}
		p = r.Plan
		for i := range p.Edits {
			if p.Edits[i].Path != r.Path {
				continue
			}
			all := lessons.Read(r.Path, p.Edits[i].After)
			if at, ok := lessons.Find(all, l, func(a, b string) bool { return a == b }); ok {
				p.Edits[i].After, e, _ = at.Count(p.Edits[i].After, c.now())
			}
		}
		if e.Path == "" { // said there already, in other words than a lesson's
			e = lessons.Entry{Lesson: l, Path: r.Path, Line: r.Line}
			if len(p.Edits) == 0 {
				out.Status = "already"
			}
		}
	}
	out.Lesson, out.ID, out.Count = e, e.ID(), len(e.Seen)
	if out.Lesson.Seen == nil {
		out.Lesson.Seen = []string{}
	}
	out.Proposed = out.Count >= lessons.Enough && !known.has(out.ID)
	return out, p, nil
}

func (v lessonAddCmd) tell(c *call, out lessonJSON) {
	where := brief.Line(fmt.Sprintf("%s:%d", out.Lesson.Path, out.Lesson.Line))
	switch out.Status {
	case "created":
		if out.DryRun {
			c.line("it would be kept: %s", where)
			break
		}
		c.line("lesson kept: %s", where)
	case "counted":
		if out.DryRun {
			c.line("known, and would be counted: %s, %s with today", where, times(out.Count))
			break
		}
		c.line("known, and counted: %s, %s", where, times(out.Count))
	default:
		c.line("stands there already: %s", where)
	}
	if out.Proposed && !out.DryRun {
		c.line("%s: propose it to the person as an instinct; keepsake md lesson instinct %s shows it, --write is their yes", times(out.Count), out.ID)
	}
}

func times(n int) string {
	if n == 1 {
		return "came up once"
	}
	return fmt.Sprintf("came up %d times", n)
}

// knownLessons are a directory of memories with all lessons in it.
type knownLessons struct {
	memdir.Dir
	all       []lessons.Entry
	journal   []byte
	instincts []string // ids
}

// lessons reads the lessons of a directory: the journal, and the files that
// patterns go to.
func (c *call) lessons(s *session.Session, at place) (k knownLessons, err error) {
	if k.Dir, err = c.readNotes(at.root); err != nil {
		return k, err
	}
	if k.journal, err = disk.Read(filepath.Join(at.root, filepath.FromSlash(lessons.Journal)), maxFile); err != nil && !isAbsent(err) {
		return k, err
	}
	k.all = lessons.Read(lessons.Journal, k.journal)
	m := k.Dir.Map(profileOf(s, k.Dir))
	for path := range m.Topics {
		_, b, _ := m.Doc(path)
		if !m.Once(path) {
			k.all = append(k.all, lessons.Read(path, b)...)
		}
	}
	entries, err := os.ReadDir(filepath.Join(at.root, filepath.FromSlash(lessons.Instincts)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	for _, e := range entries {
		k.instincts = append(k.instincts, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return k, nil
}

// bytes are those of a file of the directory, nil for one that isn't there.
func (k knownLessons) bytes(path string) []byte {
	if path == lessons.Journal {
		return k.journal
	}
	for _, f := range k.Files {
		if f.Path == path {
			return f.Bytes
		}
	}
	return nil
}

// has says that a lesson is an instinct already.
func (k knownLessons) has(id string) bool { return slices.Contains(k.instincts, id) }

type lessonListCmd struct {
	JSON bool `help:"Print one JSON array of lessons: id, title, trigger, lesson, next, seen, path, line, instinct."`
}

func (lessonListCmd) Help() string {
	return `Those that came up most often first.

Example:

    keepsake md lesson list`
}

type listedLesson struct {
	ID string `json:"id"`
	lessons.Entry
	Instinct bool `json:"instinct"`
}

func (v lessonListCmd) Run(c *call) error {
	c.json = v.JSON
	known, _, err := c.knownLessons()
	if err != nil {
		return err
	}
	out := []listedLesson{}
	for _, e := range known.all {
		if e.Seen == nil {
			e.Seen = []string{}
		}
		out = append(out, listedLesson{e.ID(), e, known.has(e.ID())})
	}
	slices.SortStableFunc(out, func(a, b listedLesson) int { return len(b.Seen) - len(a.Seen) })
	for _, l := range out {
		tag := ""
		if l.Instinct {
			tag = ", an instinct"
		}
		c.line("%s  %s (%s%s) %s:%d", l.ID, brief.Line(l.Title), times(max(len(l.Seen), 1)), tag, brief.Line(l.Path), l.Line)
	}
	if len(out) == 0 {
		c.line("no lessons")
	}
	c.value(out)
	return nil
}

func (c *call) knownLessons() (k knownLessons, at place, err error) {
	s, err := c.where()
	if err != nil {
		return k, at, err
	}
	dir, err := memoriesOf(s, false)
	if err != nil {
		return k, at, err
	}
	at = c.notesOf(s, dir)
	k, err = c.lessons(s, at)
	return k, at, err
}

type lessonInstinctCmd struct {
	ID    string `arg:"" help:"Id of a lesson, as keepsake md lesson list prints it."`
	Write bool   `help:"Write it. That is for the person to say."`
	JSON  bool   `help:"Print one JSON object: id, path, yaml, written."`
}

func (lessonInstinctCmd) Help() string {
	return `Prints the YAML of a lesson as an instinct. With --write it becomes a file in .learnings/instincts, and every session is told of it when it begins, until status is anything but active, or the file is gone.

Example:

    keepsake md lesson instinct migrate-first --write`
}

func (v lessonInstinctCmd) Run(c *call) error {
	c.json = v.JSON
	known, at, err := c.knownLessons()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(known.all, func(e lessons.Entry) bool { return e.ID() == strings.ToLower(v.ID) })
	if i < 0 {
		return failed(fmt.Errorf("lesson %q: there is none", v.ID), "keepsake md lesson list shows the ids")
	}
	e := known.all[i]
	yaml := e.Print(c.now())
	path := lessons.Instincts + e.ID() + ".yaml"
	out := struct {
		ID      string `json:"id"`
		Path    string `json:"path"`
		YAML    string `json:"yaml"`
		Written bool   `json:"written"`
	}{e.ID(), path, string(yaml), v.Write}
	switch {
	case v.Write && known.has(e.ID()):
		return failed(fmt.Errorf("%s: is there already", path), "edit the file, or delete it first")
	case v.Write:
		p := plan.Plan{Edits: []plan.Edit{{Path: path, Verb: plan.Create, After: yaml, Category: "memory", Title: "instinct: " + e.Title}}}
		if err := c.change(at, p, changeFlags{}); err != nil {
			return err
		}
		c.line("written: %s; sessions are told of it from now on", brief.Line(path))
	default:
		for l := range strings.Lines(string(yaml)) {
			c.line("%s%s", l[:len(l)-len(strings.TrimLeft(l, " "))], brief.Line(l))
		}
		if !known.has(e.ID()) {
			c.line("next, after the person's yes: keepsake md lesson instinct %s --write", e.ID())
		}
	}
	c.value(out)
	return nil
}
