package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/gate/armed"
	"keepsake/pkg/gate/backtest"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/importer/backfill"
	"keepsake/pkg/libexec"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

type guardGroup struct {
	List    guardListCmd    `cmd:"" default:"withargs" help:"List the guards, what they met and what you overrode."`
	Propose guardProposeCmd `cmd:"" help:"Make a guard from a memory's own words."`
	Test    guardTestCmd    `cmd:"" help:"Say which calls of past sessions a guard would have met."`
	Arm     guardArmCmd     `cmd:"" help:"Let a guard act."`
	Disarm  guardDisarmCmd  `cmd:"" help:"Let a guard act no more."`
}

func (guardGroup) Help() string {
	return `A rule of yours can act. A guard says about which calls a constraint or preference is (a command, a
path or a tool) and what happens before one: say (the agent is told, with the call's result), ask (you are
asked) or deny (the call is stopped). In a memory it is a proposal. It acts once you armed it, and only adds to
the gate.

Without a guard, a rule of yours whose words are about exactly one command, path or tool is said once a session.

Examples:

    keepsake guard propose use-pnpm
    keepsake guard test use-pnpm
    keepsake guard arm use-pnpm`
}

// guardRecord returns the record with an id, which must be one that can have a guard.
func (c *call) guardRecord(id string) (*session.Session, memory.Stored, error) {
	s, err := c.where()
	if err != nil {
		return nil, memory.Stored{}, err
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return nil, memory.Stored{}, err
	}
	r, err := c.findShown(s, loaded, id)
	if err == nil && r.Category != memory.Constraint && r.Category != memory.Preference {
		err = failed(fmt.Errorf("%s is a %s: a constraint or a preference can have a guard",
			brief.Line(r.Path), r.Category), fmt.Sprintf("if it is a rule: keepsake forget %s, then "+
			"keepsake remember --as preference %s", r.ID, brief.ShellWord(brief.Line(r.Title))))
	}
	return s, r, err
}

type guardProposeCmd struct {
	ID   string `arg:"" help:"Id of the memory, the beginning of one, or its file name."`
	Does string `help:"What it does: say, ask or deny (default: what the words give)." enum:"say,ask,deny," default:""`
	changeFlags
}

func (guardProposeCmd) Help() string {
	return `Makes a guard from a memory's own words and writes it into the memory, where it is a proposal: nothing
acts before you armed it. Four shapes are known:

    never run X                    stops X
    use Y, not X                   stops X
    don't touch PATH               asks before a change of PATH
    always run Z before W          stops W until Z ran in the session

A rule with a condition of its own gives none, except "without asking me".

Examples:

    keepsake guard propose use-pnpm --dry-run
    keepsake guard propose use-pnpm --does ask`
}

// proposedJSON is what guard propose prints with --json.
type proposedJSON struct {
	Target string       `json:"target"`
	Guard  memory.Guard `json:"guard"`
	From   string       `json:"from"`             // the words that gave it
	Digest string       `json:"digest,omitempty"` // of the plan; none when nothing was to do
	DryRun bool         `json:"dry_run,omitempty"`
}

func (v guardProposeCmd) Run(c *call) error {
	c.json = v.JSON
	s, r, err := c.guardRecord(v.ID)
	if err != nil {
		return err
	}
	g, from, ok := guard.Propose(guard.WordsOf(r.Record)...)
	if !ok {
		return failed(fmt.Errorf("%s: its words give no guard", brief.Line(r.Path)),
			"they have to name a command, a path or a tool, best in `code`: "+
				"keepsake guard propose --help has the shapes")
	}
	if v.Does != "" {
		g.Does = v.Does
	}
	out := proposedJSON{Target: r.Path, Guard: g, From: from, DryRun: v.DryRun}
	c.line("%s: %s", brief.Line(r.Path), brief.Guard(g))
	c.line("  from: %s", brief.Line(from))
	if r.Guard != nil && r.Guard.Same(g) {
		c.line("  it has this guard already")
		c.value(out)
		return nil
	}
	p := plan.Plan{Version: plan.Version,
		Edits: []plan.Edit{upkeep.Edit(r, plan.Update, r.WithGuard(g, c.now()))}}
	out.Digest = p.Digest()
	// Its words are unchanged, so whose words they are stays known.
	same := map[string]session.Judged{r.Path: {Origin: finding.FromAgent, Was: map[string]string{}}}
	if err := c.changeAs(recordsOf(s), p, v.changeFlags, same, false); err != nil {
		return err
	}
	if !v.DryRun {
		c.line("it does not act yet; keepsake guard test %s says which calls it would have met, and", r.ID)
		c.line("keepsake guard arm %s lets it act", r.ID)
	}
	c.value(out)
	return nil
}

type guardTestCmd struct {
	ID   string `arg:"" help:"Id of the memory, the beginning of one, or its file name."`
	Days int    `help:"How many days back." default:"30" placeholder:"N"`
	JSON bool   `help:"Print one JSON object."`
}

func (guardTestCmd) Help() string {
	return `Replays a memory's guard over the project's past sessions and lists the calls that it would have met,
each with its place. A call counts as corrected if you refused it, stopped the agent there, or said in your next
words that something was wrong. A memory without a guard is tested with the one that its words give.

Example:

    keepsake guard test use-pnpm --days 90`
}

// testedGuardJSON is what guard test prints with --json.
type testedGuardJSON struct {
	Guard     memory.Guard    `json:"guard"`
	Days      int             `json:"days"`
	Sessions  int             `json:"sessions"`
	Calls     int             `json:"calls"`
	Met       int             `json:"met"`
	Corrected int             `json:"corrected"` // of those
	Shots     []backtest.Shot `json:"shots"`
}

func (v guardTestCmd) Run(c *call) error {
	c.json = v.JSON
	s, r, err := c.guardRecord(v.ID)
	if err != nil {
		return err
	}
	rule, ok := session.RuleOf(r)
	if !ok {
		if rule.Guard, _, ok = guard.Propose(guard.WordsOf(r.Record)...); !ok {
			return failed(fmt.Errorf("%s has no guard, and its words give none", brief.Line(r.Path)))
		}
	}
	src, err := backfill.Transcripts(s)
	if err != nil {
		return err
	}
	since := c.now().AddDate(0, 0, -v.Days)
	var files []string
	for _, t := range src.Transcripts {
		if t.Modified.After(since) {
			files = append(files, t.Path)
		}
	}
	hear, end := libexec.Guards(c.ctx)
	defer end()
	got, err := backtest.Run([]guard.Rule{rule}, files, since, hear)
	if err != nil {
		return err
	}
	for _, p := range src.Passed {
		c.note("passed over %s: %s", brief.Line(p.Path), brief.Line(p.Why))
	}
	for _, err := range got.Passed {
		c.note("passed over %v", err)
	}
	out := testedGuardJSON{Guard: rule.Guard, Days: v.Days, Sessions: got.Sessions, Calls: got.Calls,
		Met: len(got.Shots), Shots: got.Shots}
	c.line("%s", brief.Guard(rule.Guard))
	for _, shot := range got.Shots {
		mark := "fine"
		if shot.Corrected {
			out.Corrected++
			mark = "corrected"
		}
		c.line("%-9s  %s  %s:%d", mark, shot.Time.Local().Format("2006-01-02 15:04"),
			brief.Line(filepath.Base(shot.File)), shot.Line)
		c.line("           %s", brief.Line(shot.Call))
		if shot.Why != "" {
			c.line("           %s", brief.Line(shot.Why))
		}
	}
	c.line("would have fired %s in %s: %d you corrected, %d %s fine (%s in %s)", howOften(out.Met),
		count(v.Days, "day"), out.Corrected, out.Met-out.Corrected, was(out.Met-out.Corrected),
		count(got.Calls, "call"), count(got.Sessions, "session"))
	c.value(out)
	return nil
}

// howOften returns a number of times in words.
func howOften(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

type guardArmCmd struct {
	ID string `arg:"" help:"Id of the memory, the beginning of one, or its file name."`
}

func (guardArmCmd) Help() string {
	return `Lets the guard of a memory act. It shows the guard and asks at the controlling terminal; the agent can't
run this. What you arm is bound to what you saw: if the memory's guard is changed, or its file is gone, what you
armed acts on, and keepsake guard list says so. It ends when you disarm it, or when keepsake forgets or retires
the memory.

Example:

    keepsake guard arm use-pnpm`
}

func (v guardArmCmd) Run(c *call) error {
	s, r, err := c.guardRecord(v.ID)
	if err != nil {
		return err
	}
	rule, ok := session.RuleOf(r)
	switch {
	case !ok:
		return failed(fmt.Errorf("%s has no guard", brief.Line(r.Path)),
			"keepsake guard propose "+r.ID+" makes one")
	case r.Status != memory.Active:
		return failed(fmt.Errorf("%s is %s", brief.Line(r.Path), r.Status))
	case s.TrustOf(r).Held:
		return failed(fmt.Errorf("%s waits for your yes: %s", brief.Line(r.Path), s.TrustOf(r).Why),
			"answer it first: keepsake review")
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	fmt.Fprintf(tty, "%s\n  rule:  %s\n  guard: %s\n", rule.Title, rule.Words, brief.Guard(rule.Guard))
	if ask(tty, bufio.NewReader(tty), "Arm it?", yesOrNo...) != yes {
		return &failure{exitPerson, errors.New("not armed"), nil}
	}
	if err := s.Armed().Set(armed.Entry{Rule: rule, At: c.now().UTC()}, false); err != nil {
		return err
	}
	if err := s.PackGuards(); err != nil {
		return err
	}
	c.line("armed: %s %s", brief.Line(r.ID), brief.Guard(rule.Guard))
	c.line("keepsake guard disarm %s lifts it", brief.Line(r.ID))
	return nil
}

type guardDisarmCmd struct {
	ID string `arg:"" help:"Id of the memory, or the beginning of one."`
}

func (guardDisarmCmd) Help() string {
	return `Lets the guard of a memory act no more. A rule that nobody armed, and that is said once a session since
its words are about one command, is not said any more either. The memory stays as it is. The agent can't run
this.

Example:

    keepsake guard disarm use-pnpm`
}

func (v guardDisarmCmd) Run(c *call) error {
	s, err := c.where()
	if err != nil {
		return err
	}
	if err := c.person.alone(); err != nil {
		return &failure{exitPerson, fmt.Errorf("only a person disarms: %w", err), []string{yourself}}
	}
	all, err := s.Guards()
	if err != nil {
		return err
	}
	found, err := findGuard(all, v.ID)
	if err != nil {
		return err
	}
	marks, err := s.Armed().Marks()
	if err != nil {
		c.note("whether it was just met could not be told: %v", err)
	}
	if found.Armed && backtest.Answers(marks, found.Key(), c.now()) {
		m := armed.Mark{At: c.now(), Record: found.Record, Guard: found.Key(), What: armed.Lifted}
		if err := s.Armed().Note(m); err != nil {
			c.note("%v", err)
		}
	}
	if err := s.Armed().Set(armed.Entry{Rule: found.Rule, At: c.now().UTC(), Off: true},
		found.Idle != ""); err != nil {
		return err
	}
	if err := s.PackGuards(); err != nil {
		return err
	}
	c.line("disarmed: %s", brief.Line(found.ID()))
	return nil
}

// findGuard returns the guard of the record that a name stands for.
func findGuard(all []session.GuardState, name string) (found session.GuardState, err error) {
	var paths []string
	for _, g := range all {
		paths = append(paths, g.Record)
	}
	path, err := store.Named("guard disarm", name, paths)
	if err != nil {
		return found, err
	}
	i := slices.IndexFunc(all, func(g session.GuardState) bool { return g.Record == path })
	if i < 0 {
		return found, failed(fmt.Errorf("%s: no guard of such a memory", brief.Line(name)),
			"keepsake guard list shows them")
	}
	return all[i], nil
}

type guardListCmd struct {
	JSON bool `help:"Print one JSON array."`
}

func (guardListCmd) Help() string {
	return `Lists the guards of the project: those you armed, those that memories propose, and your rules that are
said once a session. With each stands how often it met a call and how often you overrode it: an ask that you
allowed, or a disarming right after it stopped something. What was overridden three times is proposed to be
dropped.

Example:

    keepsake guard list`
}

// listedGuardJSON is an entry of what guard list prints with --json.
type listedGuardJSON struct {
	ID    string       `json:"id"`
	Title string       `json:"title"`
	Guard memory.Guard `json:"guard"`
	State string       `json:"state"` // armed, idle, proposed, said or off
	// Proposed is the guard that the memory proposes, if it is not the one that is armed.
	Proposed *memory.Guard `json:"proposed,omitempty"`
	Idle     string        `json:"idle,omitempty"`
	Apart    string        `json:"apart,omitempty"` // in what the memory differs from when it was armed
	Held     bool          `json:"held,omitempty"`  // the memory waits for the person's yes
	backtest.Tally
	Overridden int  `json:"overridden"`
	Drop       bool `json:"drop,omitempty"` // it was overridden too often
}

func (v guardListCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	all, err := s.Guards()
	if err != nil {
		return err
	}
	known := map[string]bool{} // to the gate
	if packed, err := s.Armed().Packed(); err != nil {
		c.note("the guards that the gate reads: %v", err)
	} else if rules, err := guard.Unpack(packed); err != nil {
		c.note("%v, so none acts; the next session makes it anew", err)
	} else {
		for _, r := range rules {
			known[r.Key()] = true
		}
	}
	marks, err := s.Armed().Marks()
	if err != nil {
		c.note("what the guards met could not be read: %v", err)
	}
	tallies := backtest.TallyOf(marks)
	agent, held := !c.person.asks(), 0
	out := []listedGuardJSON{}
	for _, g := range all {
		if g.Held && agent {
			held++
			continue
		}
		t := tallies[g.Key()]
		if g.Armed && g.Acts() && !known[g.Key()] { // git, say, changed the memories
			g.Idle = "the gate reads it when the next session starts"
		}
		l := listedGuardJSON{ID: g.ID(), Title: g.Title, Guard: g.Guard, State: guardStateOf(g),
			Idle: g.Idle, Apart: g.Apart, Held: g.Held, Proposed: g.Proposed, Tally: t,
			Overridden: t.Overridden(), Drop: g.Armed && t.Overridden() >= backtest.TooOften}
		out = append(out, l)
		c.guard(l)
	}
	c.noteHeld(held)
	if len(out) == 0 {
		c.line("no memory has a guard; keepsake guard propose ID makes one from a rule's own words")
	}
	c.value(out)
	return nil
}

func guardStateOf(g session.GuardState) string {
	switch {
	case g.Off:
		return "off"
	case g.Idle != "":
		return "idle"
	case g.Armed:
		return "armed"
	case g.Once:
		return "said"
	}
	return "proposed"
}

// guard prints one guard.
func (c *call) guard(l listedGuardJSON) {
	c.line("%s  %s", brief.Line(l.ID), brief.Line(l.Title))
	does := brief.Guard(l.Guard)
	switch l.State {
	case "armed":
		c.line("  armed: %s", does)
	case "idle":
		c.line("  does not act: %s (armed: %s)", l.Idle, does)
	case "said":
		c.line("  said once a session at %s", brief.GuardedCalls(l.Guard))
	case "off":
		c.line("  switched off: %s", does)
	}
	if l.Apart != "" {
		c.line("  %s; it acts until you lift it: keepsake guard disarm %s", l.Apart, brief.Line(l.ID))
	}
	switch {
	case l.Proposed == nil || l.State == "off":
	case l.Held:
		c.line("  proposed: %s; its memory waits for your yes first (keepsake review)",
			brief.Guard(*l.Proposed))
	default:
		c.line("  proposed: %s; keepsake guard arm %s lets it act", brief.Guard(*l.Proposed),
			brief.Line(l.ID))
	}
	if hits := l.Hits(); hits > 0 {
		c.line("  met %s, last on %s: %d told, %d asked, %d stopped; you overrode it %s", count(hits, "call"),
			l.Last.Local().Format(time.DateOnly), l.Said, l.Asked, l.Denied, howOften(l.Overridden))
	}
	if l.Drop {
		c.line("  you go on against it: drop it with keepsake guard disarm %s", brief.Line(l.ID))
	}
}
