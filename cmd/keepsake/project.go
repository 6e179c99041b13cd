package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

type projectCmd struct {
	Show     projectShowCmd     `cmd:"" help:"Show where the projects stand, or one of them."`
	Set      projectSetCmd      `cmd:"" help:"Change deadline, status, title or goal."`
	Progress projectProgressCmd `cmd:"" help:"Say what was reached."`
	Conclude projectConcludeCmd `cmd:"" help:"Say what was decided, or that the project is over."`
	Topic    projectTopicCmd    `cmd:"" help:"Sum up a topic that was closed."`
	Open     projectOpenCmd     `cmd:"" help:"Put down what is to be done, and by whom."`
	Close    projectCloseCmd    `cmd:"" help:"Tick what has been done."`
}

func (projectCmd) Help() string {
	return `Says where projects stand, on the blackboard of the project's Markdown memories. Each project
has a card, blackboard/projects/ID.md, and a row in blackboard/REGISTRY.md. If the two disagree on status
or deadline, the row counts. A change writes both at once and keeps every other line; keepsake undo takes
it back. The first change makes the card. ID is the name of the project's folder, unless --id names
another.

Examples:

    keepsake project show
    keepsake project set deadline next friday
    keepsake project progress The importer reads both feeds
    keepsake project conclude --done Shipped, the old importer is gone`
}

// writesCard are the flags of what changes a card.
type writesCard struct {
	ID string `help:"Another project than the one of this folder." placeholder:"ID"`
	changeFlags
}

type projectShowCmd struct {
	ID   string `arg:"" optional:"" help:"One project (default: the registry)."`
	JSON bool   `help:"Print one JSON object."`
}

func (projectShowCmd) Help() string {
	return `Prints the registry: each project with its status, its deadline and its last progress. With an
ID it prints the card, with the numbers by which keepsake project close knows the open items. Where card
and registry disagree, it says so.

Examples:

    keepsake project show
    keepsake project show shop
    keepsake project show --json | jq '.projects[] | select(.status == "blocked")'`
}

// projectsJSON is what show --json prints without an ID.
type projectsJSON struct {
	Dir      string               `json:"dir"` // of the memories
	Projects []blackboard.Summary `json:"projects"`
}

func (v projectShowCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	if v.ID == "" {
		return c.registry(s)
	}
	p, err := c.card(s, v.ID)
	if err != nil {
		return err
	}
	if !p.Its && !p.Told {
		return noProject(p.ID)
	}
	status, _ := p.Standing()
	c.line("%s (%s)", brief.Line(p.Name()), brief.Line(p.ID))
	c.line("status: %s", brief.Line(cmp.Or(status, "unknown")))
	c.line("deadline: %s", c.due(p))
	if p.Goal != "" {
		c.line("goal: %s", brief.Line(p.Goal))
	}
	c.entries("progress", p.Progress)
	if len(p.Open) > 0 {
		c.line("\nopen items:")
	}
	for _, it := range p.Tasks() {
		owner := ""
		if it.Owner != "" {
			owner = " (" + it.Owner + ")"
		}
		c.line("  %-4s %s", it.Mark(), brief.Line(it.Text+owner))
	}
	c.entries("conclusions", p.Conclusions)
	for _, a := range p.Apart() {
		c.note("%s: %s", brief.Line(p.ID), brief.Line(a))
	}
	c.value(summary(s, p))
	return nil
}

// card returns what the blackboard has about the project with a name or an id.
func (c *call) card(s *session.Session, name string) (p blackboard.Project, err error) {
	id, err := s.CardID(name)
	if err != nil {
		return p, failed(err)
	}
	f, err := s.Board(id)
	if err != nil {
		return p, failed(err)
	}
	return blackboard.Look(f, id), nil
}

func noProject(id string) error {
	return failed(fmt.Errorf("project %q: has no card and no row", id),
		"keepsake project show lists those there are", "keepsake project progress --id "+id+
			" TEXT makes a card")
}

func (c *call) entries(name string, all []blackboard.Entry) {
	if len(all) > 0 {
		c.line("\n%s:", name)
	}
	for _, e := range all {
		c.line("  %-10s  %s", e.Date, brief.Line(e.Text))
	}
}

// registry prints all projects.
func (c *call) registry(s *session.Session) error {
	cards, err := s.Cards()
	if err != nil {
		return failed(err)
	}
	f, err := s.Board("")
	if err != nil {
		return failed(err)
	}
	ids := blackboard.IDs(f.Registry, cards)
	out := projectsJSON{Dir: s.MemoryDir(), Projects: []blackboard.Summary{}}
	for _, id := range ids {
		p, err := c.card(s, id)
		if err != nil {
			c.note("%s", brief.Line(err.Error()))
			continue
		}
		status, _ := p.Standing()
		last, _ := p.Last()
		c.line("%-16s  %-8s  %s", brief.Line(p.ID), brief.Line(cmp.Or(status, "unknown")), c.due(p))
		if text := cmp.Or(p.Row.Progress, last.Text); text != "" {
			c.line("    %s  %s", brief.Line(cmp.Or(p.Row.Updated, last.Date)), brief.Line(text))
		}
		for _, a := range p.Apart() {
			c.note("%s: %s", brief.Line(p.ID), brief.Line(a))
		}
		out.Projects = append(out.Projects, summary(s, p))
	}
	if len(ids) == 0 {
		c.line("no projects on the blackboard of %s", brief.Line(out.Dir))
	}
	c.value(out)
	return nil
}

// due returns a project's deadline and how far away it is.
func (c *call) due(p blackboard.Project) string {
	_, deadline := p.Standing()
	return cmp.Or(p.Due(c.now()), brief.Line(deadline), blackboard.NoDeadline)
}

// summary returns a project as --json prints it.
func summary(s *session.Session, p blackboard.Project) blackboard.Summary {
	out := p.Summary()
	if p.Its {
		out.File = filepath.Join(s.MemoryDir(), filepath.FromSlash(blackboard.CardPath(p.ID)))
	}
	return out
}

type projectSetCmd struct {
	Field string   `arg:"" help:"deadline, status, title or goal." enum:"deadline,status,title,goal"`
	Value []string `arg:"" help:"The new value."`
	writesCard
}

func (projectSetCmd) Help() string {
	return `A deadline is YYYY-MM-DD, none, or a day in words: today, tomorrow, friday (the next one to
come), next friday (of next week), in 2 weeks, end of month. It is written as a date, and printed. The
status is ` + text.AnyOf(blackboard.Statuses) + `.

Examples:

    keepsake project set deadline 2026-12-18
    keepsake project set deadline next friday --id shop
    keepsake project set status blocked`
}

func (v projectSetCmd) Run(c *call) error {
	ch, err := blackboard.Set(v.Field, strings.Join(v.Value, " "), c.now())
	if err != nil {
		return usage("%w", err)
	}
	return c.write(v.writesCard, ch, func(p blackboard.Project) string {
		if v.Field == "deadline" {
			return "deadline: " + c.due(p)
		}
		return v.Field + ": " + p.Field(v.Field)
	})
}

type projectProgressCmd struct {
	Text []string `arg:"" help:"What was reached, in one line."`
	writesCard
}

func (projectProgressCmd) Help() string {
	return `Adds a line with today's date to the card, and puts it into the registry as the last progress.
Secrets are taken out. Text that begins with a hyphen goes behind "--".

Example:

    keepsake project progress 'The importer reads both feeds'`
}

func (v projectProgressCmd) Run(c *call) error {
	ch := blackboard.Change{Progress: strings.Join(v.Text, " ")}
	if strings.TrimSpace(ch.Progress) == "" {
		return usage("progress: want what was reached")
	}
	return c.write(v.writesCard, ch, func(p blackboard.Project) string {
		return "progress: " + p.Row.Progress
	})
}

type projectConcludeCmd struct {
	Text []string `arg:"" optional:"" help:"What was decided, and why, in one line."`
	Done bool     `help:"The project is over: its status becomes done."`
	writesCard
}

func (projectConcludeCmd) Help() string {
	return `Adds a conclusion with today's date to the card. Secrets are taken out.

Examples:

    keepsake project conclude 'Invoices are PDFs, since auditors want files'
    keepsake project conclude --done`
}

func (v projectConcludeCmd) Run(c *call) error {
	ch := blackboard.Change{Conclusion: strings.Join(v.Text, " ")}
	if strings.TrimSpace(ch.Conclusion) == "" && !v.Done {
		return usage("conclude: want what was decided, or --done")
	}
	if v.Done {
		ch.Status = blackboard.Done
	}
	return c.write(v.writesCard, ch, func(p blackboard.Project) string {
		var parts []string
		if n := len(p.Conclusions); ch.Conclusion != "" && n > 0 {
			parts = append(parts, "concluded: "+p.Conclusions[n-1].Text)
		}
		if v.Done {
			parts = append(parts, "status: done")
		}
		return strings.Join(parts, "; ")
	})
}

type projectTopicCmd struct {
	Title    []string `arg:"" help:"What it was about."`
	Status   string   `help:"done, in progress or pending." placeholder:"STATUS" default:"done" enum:"done,in progress,pending"`
	Points   string   `help:"What is to be known of it, in one or two sentences." placeholder:"TEXT"`
	Decision string   `help:"What was decided." placeholder:"TEXT"`
	Next     string   `name:"follow-up" help:"What is still open." placeholder:"TEXT"`
	Details  string   `help:"Where more is to be found." placeholder:"PATH"`
	writesCard
}

func (projectTopicCmd) Help() string {
	return `Adds the summary of a topic to the end of the card, in three to five lines below a heading
with today's date, and a line of progress. What was talked about is not kept. Secrets are taken out.

Example:

    keepsake project topic The importer --points 'Both feeds are read, Latin-1 first.' --follow-up 'feed C' --details importer.md`
}

func (v projectTopicCmd) Run(c *call) error {
	t := blackboard.Topic{Title: strings.Join(v.Title, " "), Status: v.Status, Points: v.Points,
		Decision: v.Decision, Next: v.Next, Details: v.Details}
	if strings.TrimSpace(t.Title) == "" || strings.TrimSpace(t.Points) == "" {
		return usage("topic: want what it was about, and --points with what is to be known of it")
	}
	return c.write(v.writesCard, blackboard.Change{Topic: t, Progress: t.Title + ": " + t.Status},
		func(blackboard.Project) string {
			return "topic summed up: " + t.Title
		})
}

type projectOpenCmd struct {
	Text  []string `arg:"" help:"What is to be done, in one line."`
	Owner string   `help:"Who does it." placeholder:"NAME"`
	writesCard
}

func (projectOpenCmd) Help() string {
	return `Adds an open item to the card. One that is there already, open or done, is not added again.
Secrets are taken out.

Example:

    keepsake project open --owner Ada 'ask legal about the invoice text'`
}

func (v projectOpenCmd) Run(c *call) error {
	ch := blackboard.Change{Open: []blackboard.Item{{Text: strings.Join(v.Text, " "), Owner: v.Owner}}}
	if strings.TrimSpace(ch.Open[0].Text) == "" {
		return usage("open: want what is to be done")
	}
	return c.write(v.writesCard, ch, stillOpen)
}

// stillOpen returns how many items of a project are open, in words.
func stillOpen(p blackboard.Project) string { return count(len(p.OpenTasks("")), "open item") }

type projectCloseCmd struct {
	Item []string `arg:"" help:"Its number as keepsake project show ID prints it, or words of it that no other open item has."`
	writesCard
}

func (projectCloseCmd) Help() string {
	return `Ticks an open item of the card. It stays there as done.

Examples:

    keepsake project close 2
    keepsake project close legal`
}

func (v projectCloseCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	p, err := c.card(s, cmp.Or(v.ID, s.ProjectID()))
	if err != nil {
		return err
	}
	want := strings.Join(v.Item, " ")
	fits := p.OpenTasks(want)
	if len(fits) != 1 {
		return failed(fmt.Errorf("open item %q: %s of %s have it", want, count(len(fits), "open item"), p.ID),
			"keepsake project show "+p.ID+" lists them with their numbers")
	}
	return c.write(v.writesCard, blackboard.Change{Close: []string{fits[0].Text}},
		func(p blackboard.Project) string {
			return "done: " + fits[0].Text + "; " + stillOpen(p)
		})
}

// cascade prints and returns the places besides the blackboard that mention a project whose status or
// deadline has changed. They may still have the old one.
func (c *call) cascade(s *session.Session, p blackboard.Project) []classify.Place {
	f, err := c.readNotes(s, s.MemoryDir())
	if err != nil {
		c.note("other lines about %s could not be searched: %s", brief.Line(p.ID),
			brief.Line(err.Error()))
		return nil
	}
	all := f.Mentioning(p)
	if len(all) > 0 {
		c.line("%s may say what was; read them, and change what no longer holds:",
			count(len(all), "other line"))
	}
	for _, at := range all[:min(len(all), maxAlso)] {
		c.line("  %s", mentioned(at))
	}
	if more := len(all) - maxAlso; more > 0 {
		c.line("  and %d more", more)
	}
	return all
}

// wroteJSON is what the verbs that change a card print with --json.
type wroteJSON struct {
	ID       string   `json:"id"`
	Status   string   `json:"status"`
	Deadline string   `json:"deadline"`
	Digest   string   `json:"digest,omitempty"` // of the plan, for keepsake undo; none when nothing was to do
	Files    []string `json:"files"`            // that changed, below the directory of memories
	DryRun   bool     `json:"dry_run,omitempty"`

	// Mentions are the other places that mention the project, if its status or deadline has changed.
	Mentions []classify.Place `json:"mentions,omitempty"`
}

// write changes a project's card and row, and prints what says returns for the changed project.
func (c *call) write(v writesCard, ch blackboard.Change, says func(blackboard.Project) string) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	id, err := s.CardID(cmp.Or(v.ID, s.ProjectID()))
	if err != nil {
		return failed(err)
	}
	dir, err := folder.Place(s, false)
	if err != nil {
		return err
	}
	at := c.notesOf(s, dir)
	again := func(do func() error) error { return v.planAgain(c, at, do) }
	p, taken, err := s.ChangeBoard(again, id, ch, c.now(), func(p plan.Plan) error {
		c.edits(at, p, v.changeFlags)
		return c.change(at, p, v.changeFlags)
	})
	switch {
	case errors.Is(err, blackboard.ErrLong), errors.Is(err, blackboard.ErrNoItem):
		return failed(err)
	case err != nil:
		return err
	}
	for _, kind := range taken {
		c.note("taken out: %s", kind)
	}
	now, err := c.card(s, id)
	if err != nil {
		return err
	}
	out := wroteJSON{ID: id, Files: p.Paths(), DryRun: v.DryRun}
	out.Status, out.Deadline = now.Standing()
	switch {
	case len(p.Edits) == 0:
		c.line("%s: nothing to write, it is there already", brief.Line(id))
	case !v.DryRun:
		out.Digest = p.Digest()
		c.line("%s: %s", brief.Line(id), brief.Line(says(now)))
	}
	if ch.Status+ch.Deadline != "" && len(p.Edits) > 0 && !v.DryRun {
		out.Mentions = c.cascade(s, now)
	}
	for _, a := range now.Apart() {
		if !v.DryRun {
			c.note("%s: %s", brief.Line(id), brief.Line(a))
		}
	}
	c.value(out)
	return nil
}
