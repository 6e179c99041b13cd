package main

import (
	"fmt"

	"keepsake/pkg/brief"
	"keepsake/pkg/git"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/checks"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/project/verify"
)

type recordsCheckCmd struct {
	ID       string `arg:"" optional:"" help:"Id of the memory, the beginning of one, or its file name (default: all that are active)."`
	LeaveOut *bool  `help:"While a check of this memory fails, leave it out at prompts; or tell it again. Not for an agent." negatable:""`
	JSON     bool   `help:"Print one JSON array: path, checks, expires, acts, expired."`
}

func (recordsCheckCmd) Help() string {
	return `Looks whether what memories rest on still holds: their checks (verify), and when they expire. A
memory that fails is told with that until it is true again, or somebody retires it; it waits in keepsake
inbox, and keepsake records blame says which commit broke it. With --leave-out you choose that it is not told
at all meanwhile; the choice is for the memory as it is now.

The checks are path_exists PATH, file_contains PATH TEXT, requires FILE NAME VERSION [below VERSION],
symbol_defined PATH NAME, commit_ancestor COMMIT and before DATE. expires is a date, "commit COMMIT", a name
and a version ("react 19"), a check, or "not" and a check; any other text is only for people. The exit code
is 1 if a memory fails.

Examples:

    keepsake records check
    keepsake records check use-redis-for-the-queue
    keepsake records check use-redis-for-the-queue --leave-out`
}

func (v recordsCheckCmd) Run(c *call, s *session.Session) error {
	loaded, err := c.load(s)
	if err != nil {
		return err
	}
	var some []memory.Stored
	if v.ID != "" {
		r, err := c.findShown(s, loaded, v.ID)
		if err != nil {
			return err
		}
		some = append(some, r)
	} else {
		for _, r := range loaded.Records {
			if r.Status == memory.Active && (len(r.Verify) > 0 || r.Expires() != "") {
				some = append(some, r)
			}
		}
		some = c.shownTo(s, some)
	}
	if v.LeaveOut != nil {
		return v.choose(c, s, some)
	}
	all, err := checks.Evaluate(s.Root, c.now(), some, c.hasCommit(s))
	if err != nil {
		return err
	}
	failing := 0
	for _, e := range all {
		if c.evaluated(e, v.ID != ""); e.Fails() {
			failing++
		}
	}
	// What was found out is told from the next prompt on.
	if err := checks.Records(s, c.now(), c.hasCommit(s)); err != nil {
		c.note("%v", err)
	}
	if v.ID == "" {
		c.line("%s with something to check, %d fail", count(len(all), "memory"), failing)
	}
	c.value(append([]checks.Evaluated{}, all...))
	if failing > 0 {
		return quiet{exitFailed}
	}
	return nil
}

// hasCommit returns what asks git whether HEAD has a commit in its history.
func (c *call) hasCommit(s *session.Session) func(commit string) (bool, error) {
	return func(commit string) (bool, error) { return git.HasCommit(c.ctx, s.Root, commit) }
}

// evaluated prints what became of the checks of a memory: all, or only what does not hold.
func (c *call) evaluated(e checks.Evaluated, whole bool) {
	var lines []string
	for _, l := range e.Checks {
		switch {
		case l.Verdict != verify.Holds:
			lines = append(lines, fmt.Sprintf("%-7s  %s: %s", l.Verdict, brief.Line(l.Check),
				brief.Line(l.Why)))
		case whole:
			lines = append(lines, fmt.Sprintf("%-7s  %s", l.Verdict, brief.Line(l.Check)))
		}
	}
	switch said := brief.Line(e.Expires); {
	case said == "":
	case e.Expired != "":
		lines = append(lines, fmt.Sprintf("expired  %s: %s", said, brief.Line(e.Expired)))
	case !e.Acts:
		lines = append(lines,
			fmt.Sprintf("text     expires %q is for people only, and does nothing; hint: a date, "+
				"\"commit COMMIT\", \"NAME VERSION\" or a check acts", said))
	case e.Untold != "":
		lines = append(lines, "unknown  until "+said+": "+brief.Line(e.Untold))
	case whole:
		lines = append(lines, "holds    until "+said)
	}
	if whole && len(lines) == 0 {
		lines = append(lines, "nothing to check")
	}
	if len(lines) > 0 {
		c.line("%s", brief.Line(e.Path))
	}
	for _, l := range lines {
		c.line("  %s", l)
	}
}

// choose notes what the person chose for a memory while a check of it fails.
func (v recordsCheckCmd) choose(c *call, s *session.Session, some []memory.Stored) error {
	if v.ID == "" {
		return usage("--leave-out: want the id of a memory")
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	r := some[0]
	to, said := standing.LeaveOut, "left out at prompts while a check of it fails: "
	if !*v.LeaveOut {
		to, said = "", "told while a check of it fails, with a mark: "
	}
	chosen := standing.Chosen{Path: r.Path, Digest: r.Digest, Choice: to}
	if err := s.Choices().Set(chosen); err != nil {
		return err
	}
	if err := checks.Records(s, c.now(), c.hasCommit(s)); err != nil {
		return err
	}
	c.line("%s%s", said, brief.Line(r.Path))
	c.value([]standing.Chosen{chosen})
	return nil
}
