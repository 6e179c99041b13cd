package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/digest"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/layout"
	"keepsake/pkg/libexec"
	"keepsake/pkg/project/session"
)

type digestCmd struct {
	Yes   bool `short:"y" help:"Don't ask: for cron."`
	Print bool `aliases:"dry-run" short:"n" help:"Print what the model would read and what it would cost, and ask no model."`
	JSON  bool `help:"Print one JSON object."`
	Take  bool `hidden:"" help:"Save what this session's background agent answered; a hook runs this."`
}

func (digestCmd) Help() string {
	return `Rules miss much that is worth keeping, because people say it in many ways. So Keepsake also
notes statements of which it is not sure, and shows them to nobody. This verb gives those of ended
sessions, with the conversation around them, to a small model (haiku), in one request of the Claude Code
client without tools, hooks or a transcript. What the model finds worth keeping is saved like any draft;
the rest is set aside.

It says first what the request costs, and asks. With --session it judges that session.

Inside a session /keepsake:digest does the same in the background.

Examples:

    keepsake records digest
    keepsake records digest --print
    keepsake records digest --session 5b0c… --yes`
}

// digestJSON is what digest --json prints.
type digestJSON struct {
	Sessions []string `json:"sessions"`
	Waiting  int      `json:"waiting"` // findings to be judged
	Later    int      `json:"later"`   // of sessions that a further digest judges
	Tokens   int      `json:"tokens"`  // of the request, about
	Excerpt  string   `json:"excerpt,omitempty"`
	save.Digested
}

func digestShown(d session.Digest) digestJSON {
	out := digestJSON{Sessions: []string{}, Waiting: d.Waiting, Later: d.Later,
		Digested: save.Digested{Saved: []save.Draft{}, Refused: []save.Unsaved{}}}
	for _, one := range d.Sessions {
		out.Sessions = append(out.Sessions, one.ID)
	}
	return out
}

// digestModel is the client's name of the small model that judges.
const digestModel = "haiku"

func (v digestCmd) Run(c *call, s *session.Session) error {
	if err := oneFlow(s); err != nil {
		return err
	}
	if v.Take {
		return takeDigest(c, s)
	}
	named := ""
	if c.session != "" {
		named = layout.Session(c.session)
	}
	d, err := s.Digest(named)
	if err != nil {
		return err
	}
	out := digestShown(d)
	if d.Waiting == 0 {
		c.line("nothing waits to be judged")
		c.value(out)
		return nil
	}
	out.Tokens = d.Excerpt.Tokens()
	cost := fmt.Sprintf("%s of %s may be worth keeping. One request to %s of about %s tokens judges them.",
		count(d.Waiting, "thing"), count(len(d.Sessions), "session"), digestModel,
		brief.Thousands(out.Tokens))
	if d.Later > 0 {
		cost += fmt.Sprintf(" %s of older sessions can follow.", count(d.Later, "thing"))
	}
	if v.Print {
		out.Excerpt = d.Excerpt.Text()
		c.block(out.Excerpt)
		c.note("%s", cost)
		c.value(out)
		return nil
	}
	if err := v.agreed(c, cost); err != nil {
		return err
	}
	answer, err := libexec.AskModel(c.ctx, digestModel, digest.Prompt(), d.Excerpt.Text())
	if err == nil {
		out.Digested, err = saveDigest(c, s, d, answer)
	}
	if err != nil {
		return err
	}
	c.line("%s", out.Line)
	c.value(out)
	return nil
}

// errDeclined is the error for a person's no, which prints nothing more.
var errDeclined = quiet{exitDone}

// agreed returns nil if the person agrees to the cost, at the terminal or by --yes. An agent can't agree,
// as it would spend the person's tokens.
func (v digestCmd) agreed(c *call, cost string) error {
	hints := []string{yourself, "or type /keepsake:digest into a session",
		"keepsake records digest --print shows what would be sent"}
	if v.Yes {
		if err := c.person.alone(); err != nil {
			return &failure{exitPerson, fmt.Errorf("only a person spends tokens on a digest: %w", err), hints}
		}
		c.note("%s", cost)
		return nil
	}
	tty, err := c.person.open(append(hints, "--yes doesn't ask: for cron")...)
	if err != nil {
		return err
	}
	defer tty.Close()
	if ask(tty, bufio.NewReader(tty), cost+" Go on?", yesOrNo...) != yes {
		c.line("nothing was asked")
		return errDeclined
	}
	return nil
}

// takeDigest saves the answer of this session's background agent.
func takeDigest(c *call, s *session.Session) error {
	d, answer, err := s.TakeDigest()
	if err != nil {
		return err
	}
	out := digestShown(d)
	out.Digested, err = saveDigest(c, s, d, answer)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		out.Line = "not saved: " + cut(brief.Line(first), reasonRunes)
	}
	if eerr := s.EndDigest(out.Line); eerr != nil {
		return errors.Join(err, eerr)
	}
	c.line("%s", out.Line)
	c.value(out)
	return err
}

// saveDigest saves what an answer says is worth keeping, and prints the outcome.
func saveDigest(c *call, s *session.Session, d session.Digest, answer string) (save.Digested, error) {
	done, err := c.saver(s).SaveDigest(c.ctx, d, answer)
	if done.Cut {
		c.note("the answer is cut off: what it does not name still waits")
	}
	for _, u := range done.Refused {
		if !u.Kept {
			c.note("not saved: %s: %s", cut(brief.Line(u.Title), reasonRunes),
				cut(brief.Line(u.Reason), reasonRunes))
		}
	}
	quietly := *c // the lines of a save are part of this verb's own account
	quietly.voice = voice{out: io.Discard, err: c.err}
	for _, r := range done.Results {
		quietly.sayAfter(s, save.Plan{}, r)
	}
	for _, d := range done.Saved {
		c.line("%s: %s %s", d.Category, d.State, brief.Line(d.Path))
	}
	for _, r := range done.Results {
		c.sayReplaced(s, r, nil)
	}
	return done, err
}
