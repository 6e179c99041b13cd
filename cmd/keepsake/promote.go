package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/erase"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/drawer"
	"keepsake/pkg/why/inbox"
	"keepsake/pkg/why/mempalace"
	"keepsake/pkg/why/promote"
)

type promoteCmd struct {
	IDs []string `arg:"" name:"ID" help:"Ids of notes (s…) and of candidates (c…), which keepsake notes handoff promote lists; or of memories."`
	promoting
	Text []string `hidden:"" sep:"none" help:"What the person was shown, which must be what the ids still say."`
}

func (promoteCmd) Help() string {
	return `Keeps notes, candidates or memories for good, byte for byte: in MemPalace where that is set
up, else among Keepsake's own drawers (keepsake notes tiers says which). In a terminal it shows each text
whole, with drawers that say nearly the same, and asks. In a session of the client the gate asks the
person, in its dialog or by keepsake inbox approve. It never writes without one of these two. The note
stays in scratch, and a line below it says when it was promoted.

When the memories that say the same as a drawer are superseded, retired or forgotten, the drawer is no
longer recalled. It waits on the inbox for you to withdraw it (keepsake forget WING/ROOM/DRAWER).

Examples:

    keepsake notes promote s4k2zq
    keepsake notes promote use-postgres-for-the-job-queue
    keepsake notes promote s4k2zq c9xw1t --room database
    keepsake notes promote s4k2zq --dry-run`
}

// promoting is what promote and save --tier why are told besides what to write.
type promoting struct {
	Wing     string `help:"Wing to write to (default: the project's name)." placeholder:"NAME"`
	Room     string `help:"Room to write to (default: decisions)." placeholder:"NAME"`
	Anyway   bool   `help:"Write it even if something that is kept says nearly the same."`
	DryRun   bool   `help:"Show what would be written, and write nothing."`
	Approval string `hidden:"" help:"The gate puts this here when a person has said yes."`
	JSON     bool   `help:"Print one JSON object."`
}

func (v promoteCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	return c.promote(s, v.promoting, func(from promote.Sources, backend string) (promote.Promotion, error) {
		return from.Named(c.ctx, backend, v.IDs, v.Text...)
	})
}

// why keeps a text in the tier WHY.
func (v saveCmd) why(c *call, s *session.Session) error {
	return c.promote(s, v.promoting, func(from promote.Sources, backend string) (promote.Promotion, error) {
		return from.Text(c.ctx, backend, strings.Join(v.Text, " "))
	})
}

// keep promotes a candidate, if the person says so at the terminal.
func (c *call) keep(t inbox.Thing, tty io.Writer, answers *bufio.Reader) error {
	d, p, err := c.gathered(t.Session(), promoting{}, func(from promote.Sources, backend string) (
		promote.Promotion, error) {
		return from.Named(c.ctx, backend, []string{t.ID})
	})
	if err != nil {
		return err
	}
	return c.promoteAsked(d, promoting{}, p, tty, answers)
}

// maxShown bounds what one call of an agent promotes, in bytes: the gate puts all of
// it into one command.
const maxShown = 60 << 10

// promotedJSON is what a promotion prints with --json.
type promotedJSON struct {
	Backend string     `json:"backend"`
	Drawers [][]string `json:"drawers"` // ids of each, as the back end named them
	Already []bool     `json:"already"`
	Secrets []string   `json:"redacted"`
}

// desk promotes and withdraws for a session.
func (c *call) desk(s *session.Session) (promote.Desk, error) {
	k, choice, err := c.backEnds(s).Keeper()
	return promote.Desk{Session: s, Keeper: k, Backend: choice.Backend, Alone: c.person.asks(),
		Words: memoryText, Now: c.now, Warn: c.passed, Note: c.note,
		Erase: func(names []string) error {
			history := mempalace.History{Dir: layout.PalaceHistory(s.ClientConfig())}
			return errors.Join(erase.NewTraces("", nil, names).EraseFromApprovals(s), history.Forget(names))
		}}, err
}

// gatherer makes the promotion to a back end.
type gatherer func(from promote.Sources, backend string) (promote.Promotion, error)

// gathered returns what would be written, and the desk that writes it. With tiers.router a skill writes
// it: then gathered prints how the agent calls the skill, and returns the error that nothing is stored
// yet.
func (c *call) gathered(s *session.Session, v promoting, gather gatherer) (d promote.Desk,
	p promote.Promotion, err error) {
	router, routed, err := c.backEnds(s).Router()
	if err != nil {
		return d, p, err
	}
	if d, err = c.desk(s); routed {
		d.Backend, err = tiers.RouterSkill, nil
	}
	if err != nil {
		return d, p, err
	}
	p, err = gather(d.Sources(v.Wing, v.Room, !routed && v.Approval == "" && !v.DryRun), d.Backend)
	if err == nil {
		err = d.Check(p)
	}
	if err == nil && routed {
		err = c.route(router, "why", drawer.Tag(s.Place.Home), p.Drawers()...)
	}
	return d, p, err
}

// promote gathers what is to be written, and writes it if a person has said so: at
// the terminal now, or through the gate before.
func (c *call) promote(s *session.Session, v promoting, gather gatherer) error {
	d, p, err := c.gathered(s, v, gather)
	if err != nil {
		return err
	}
	if v.DryRun {
		return c.preview(d, v, p)
	}
	if v.Approval != "" {
		dir := approval.Dir(layout.Approvals(c.client()))
		if dir == "" {
			return failed(errors.New("the client's folder is unknown"), asking...)
		}
		g, err := dir.Redeem(v.Approval, p.Digest(), s.Place.Home, c.now())
		if err != nil {
			return &failure{exitPerson, err, asking}
		}
		return c.written(d, dir, v, p, g)
	}
	tty, err := c.person.open(asking...)
	if err != nil {
		return err
	}
	defer tty.Close()
	return c.promoteAsked(d, v, p, tty, bufio.NewReader(tty))
}

// asking is how a person gets to approve a promotion.
var asking = []string{
	"in a session of Claude Code: run it as one command of its own, and the client asks the person",
	"a person can run it themselves in a terminal outside of Claude Code",
}

// memoryText returns the text of a memory for readers who don't know its fields.
func memoryText(r memory.Stored) string {
	lines := []string{r.Title, ""}
	for _, f := range memory.Fields(r.Category) {
		if f.Searchable { // the others hold its status, which changes
			lines = append(lines, brief.FieldLines(f, r.Content[f.Name])...)
		}
	}
	return strings.Join(lines, "\n")
}

// promoteAsked shows a promotion to the person at a terminal, and writes it if they
// say so.
func (c *call) promoteAsked(d promote.Desk, v promoting, p promote.Promotion, tty io.Writer,
	answers *bufio.Reader) error {
	near, err := p.Near(c.ctx, d.Keeper)
	if err != nil {
		if !v.Anyway {
			return failed(err, "--anyway writes it without comparing it with what is kept")
		}
		c.note("could not be compared with what is kept: %s", brief.Line(err.Error()))
	}
	question := strings.Split(p.Question(near), "\n") // the last line asks, those before it show what about
	last := len(question) - 1
	if last > 0 && !show(tty, answers, question[:last]) ||
		ask(tty, answers, question[last], yesOrNo...) != yes {
		c.line("nothing was written")
		return nil
	}
	dir, err := c.approvals()
	if err != nil {
		return err
	}
	return c.written(d, dir, v, p, d.ByPerson(p, near))
}

// written writes a promotion that a person has approved, and settles it among dir.
func (c *call) written(d promote.Desk, dir approval.Dir, v promoting, p promote.Promotion,
	g approval.Grant) error {
	r, err := d.Run(c.ctx, dir, g, p, v.Anyway)
	var near *promote.Near
	switch {
	case errors.As(err, &near):
		return &failure{exitPerson, err,
			[]string{"make the same call again: the person is then shown what is kept",
				"--anyway writes it all the same, if the person says so"}}
	case err != nil:
		return failed(err, "run the same again: what was written is not written twice")
	}
	c.takenOut(p.Secrets)
	for i, item := range p.Items {
		said := "Promoted to"
		if r.Existed[i] {
			said = "Was kept already in"
		}
		c.line("%s %s / %s/%s/%s", said, promote.BackendName(p.Backend), brief.Line(item.Drawer.Wing),
			brief.Line(item.Drawer.Room), brief.Line(strings.Join(r.IDs[i], ", ")))
	}
	c.value(promotedJSON{p.Backend, r.IDs, r.Existed, append([]string{}, p.Secrets...)})
	return nil
}

// preview prints what would be written, and writes nothing.
func (c *call) preview(d promote.Desk, v promoting, p promote.Promotion) error {
	if size := len(strings.Join(p.Words, "")); size > maxShown && c.json {
		return failed(fmt.Errorf("%d bytes are more than a person can be shown in one call", size),
			"promote fewer at once", "a person can promote more in a terminal")
	}
	options := []string{"--project=" + d.Root}
	for _, o := range [...]struct{ name, value string }{{"--wing", v.Wing}, {"--room", v.Room}} {
		if o.value != "" {
			options = append(options, o.name+"="+o.value)
		}
	}
	if v.Anyway {
		options = append(options, "--anyway")
	}
	out, near := p.Preview(c.ctx, d.Keeper, d.Promotions(), options, c.now())
	c.block(p.Text(near))
	if out.Unknown != "" {
		c.note("could not be compared with what is kept: %s", out.Unknown)
	}
	c.value(out)
	return nil
}
