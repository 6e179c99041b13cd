package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/drawer"
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
	return c.promote(s, v.promoting, func(from promote.Sources, backend string) (promote.Promotion, []string,
		error) {
		p, err := from.Named(c.ctx, backend, v.IDs)
		words := append([]string{"promote"}, v.IDs...)
		for i, d := range p.Drawers() {
			if len(v.Text) > 0 && (len(v.Text) != len(p.Items) || v.Text[i] != d.Text) {
				return p, nil,
					errors.New("a text has changed since the person was shown it; hint: make the same call " +
						"again without --text")
			}
			words = append(words, "--text="+d.Text)
		}
		return p, words, err
	})
}

// why keeps a text in the tier WHY.
func (v saveCmd) why(c *call, s *session.Session) error {
	return c.promote(s, v.promoting, func(from promote.Sources, backend string) (promote.Promotion, []string,
		error) {
		p, err := from.Text(c.ctx, backend, strings.Join(v.Text, " "))
		words := []string{"save", "--tier=why", "--"}
		for _, d := range p.Drawers() {
			words = append(words, d.Text)
		}
		return p, words, err
	})
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

// gatherer makes the promotion, and the words of the command that asks for it.
type gatherer func(promote.Sources, string) (promote.Promotion, []string, error)

// gathered is what would be written and what would keep it. With tiers.router that
// is a skill: who is to call it was said then, and the error says that nothing is
// kept.
func (c *call) gathered(s *session.Session, v promoting, gather gatherer) (k tiers.Keeper,
	p promote.Promotion, words []string, err error) {
	if r, on, err := c.backEnds(s).Router(); on {
		if err != nil {
			return nil, p, nil, err
		}
		if p, _, err = gather(c.sources(s, v.Wing, v.Room), tiers.RouterSkill); err == nil {
			err = p.Done()
		}
		if err != nil {
			return nil, p, nil, failed(err)
		}
		return nil, p, nil, c.route(r, "why", drawer.Tag(s.Place.Home), p.Drawers()...)
	}
	k, choice, err := c.backEnds(s).Keeper()
	if err != nil {
		return nil, p, nil, failed(err)
	}
	from := c.sources(s, v.Wing, v.Room)
	from.Person = v.Approval == "" && !v.DryRun
	p, words, err = gather(from, choice.Backend)
	if err == nil && !promote.Unfinished(s.Promotions(), p) {
		err = p.Done()
	}
	if err != nil {
		return nil, p, nil, failed(err)
	}
	return k, p, words, nil
}

// promote gathers what is to be written, and writes it if a person has said so: at
// the terminal now, or through the gate before.
func (c *call) promote(s *session.Session, v promoting, gather gatherer) error {
	k, p, words, err := c.gathered(s, v, gather)
	if err != nil {
		return err
	}
	if v.DryRun {
		return c.preview(s, k, v, p, words)
	}
	if v.Approval != "" {
		d := approval.Dir(layout.Approvals(c.client()))
		if d == "" {
			return failed(errors.New("the client's folder is unknown"), asking...)
		}
		g, err := d.Redeem(v.Approval, p.Digest(), s.Place.Home, c.now())
		if err != nil {
			return &failure{exitPerson, err, asking}
		}
		return c.written(s, d, k, v, p, g)
	}
	tty, err := c.person.open(asking...)
	if err != nil {
		return err
	}
	defer tty.Close()
	return c.promoteAsked(s, tty, bufio.NewReader(tty), k, v, p)
}

// asking is how a person gets to approve a promotion.
var asking = []string{
	"in a session of Claude Code: run it as one command of its own, and the client asks the person",
	"a person can run it themselves in a terminal outside of Claude Code",
}

func (c *call) sources(s *session.Session, wing, room string) promote.Sources {
	return promote.Sources{
		Notes: tiers.Scratch{Root: s.Root, Warn: c.passed}, Box: s.Inbox(),
		Wing: wing, Room: room, Tag: drawer.Tag(s.Place.Home),
		Records: c.promotable(s), Words: memoryText,
	}
}

// promotable are the memories that hold. One that no agent is told of is for the person
// alone to promote.
func (c *call) promotable(s *session.Session) (all []memory.Stored) {
	loaded, err := s.Store().Load()
	if err != nil {
		c.note("the memories could not be read: %v", err)
	}
	for _, r := range loaded.Records {
		if r.Status == memory.Active && (c.person.alone() == nil || !s.TrustOf(r).Held) {
			all = append(all, r)
		}
	}
	return all
}

// memoryText is what a memory says, for those who know nothing of its form.
func memoryText(r memory.Stored) string {
	lines := []string{r.Title, ""}
	for _, f := range memory.Fields(r.Category) {
		if f.Searchable { // else it says how it stands, which changes
			lines = append(lines, fieldLines(f, r.Content[f.Name])...)
		}
	}
	return strings.Join(lines, "\n")
}

// promoteAsked shows a promotion to the person at a terminal, and writes it if they
// say so.
func (c *call) promoteAsked(s *session.Session, tty io.Writer, answers *bufio.Reader, k tiers.Keeper,
	v promoting, p promote.Promotion) error {
	near, err := p.Close(c.ctx, k)
	if err != nil {
		if !v.Anyway {
			return failed(err, "--anyway writes it without comparing it with what is kept")
		}
		c.note("could not be compared with what is kept: %s", brief.Line(err.Error()))
	}
	if ask(tty, answers, brief.Promotion(p.Shown(near)), yesOrNo...) != yes {
		c.line("nothing was written")
		return nil
	}
	g := approval.ByPerson(rules.MemPalaceWrite, rules.RulePromote.Rule().Name, "keepsake promote",
		p.Digest(), s.Place.Home, c.now())
	for _, h := range near {
		g.Near = append(g.Near, h.Path)
	}
	d, err := c.approvals()
	if err != nil {
		return err
	}
	return c.written(s, d, k, v, p, g)
}

// written writes a promotion that a person has approved, and settles it among d.
func (c *call) written(s *session.Session, d approval.Dir, k tiers.Keeper, v promoting, p promote.Promotion,
	g approval.Grant) error {
	r, err := promote.Run(c.ctx, promote.Hands{
		Keeper: k, Dir: s.Promotions(), Shown: g.Near, Anyway: v.Anyway,
		Settle: func(ids []string) error {
			return d.SettlePromotion(g, approval.Outcome{Time: c.now(), Result: approval.Stored, Stored: ids})
		},
		Register: registerOf(s),
		Notes:    tiers.Scratch{Root: s.Root, Warn: c.passed}, Box: s.Inbox(), Now: c.now(),
		Warn: func(err error) { c.note("%s", brief.Line(err.Error())) },
	}, p)
	var near *promote.Near
	switch {
	case errors.As(err, &near):
		return &failure{exitPerson, err,
			[]string{"make the same call again: the person is then shown what is kept",
				"--anyway writes it all the same, if the person says so"}}
	case err != nil:
		return failed(err, "run the same again: what was written is not written twice")
	}
	for _, kind := range p.Secrets {
		c.note("taken out: %s", kind)
	}
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

// preview says what would be written.
func (c *call) preview(s *session.Session, k tiers.Keeper, v promoting, p promote.Promotion,
	words []string) error {
	size := 0
	for _, w := range words {
		size += len(w)
	}
	if size > maxShown && c.json {
		return failed(fmt.Errorf("%d bytes are more than a person can be shown in one call", size),
			"promote fewer at once", "a person can promote more in a terminal")
	}
	options := []string{words[0], "--project=" + s.Root}
	for _, o := range [...]struct{ name, value string }{{"--wing", v.Wing}, {"--room", v.Room}} {
		if o.value != "" {
			options = append(options, o.name+"="+o.value)
		}
	}
	if v.Anyway {
		options = append(options, "--anyway")
	}
	out, near := p.Preview(c.ctx, k, s.Promotions(), slices.Concat(options, words[1:]), c.now())
	c.block(brief.Promotes(p.Shown(near)))
	if out.Unknown != "" {
		c.note("could not be compared with what is kept: %s", out.Unknown)
	}
	c.value(out)
	return nil
}
