package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/digest"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/layout"
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
notes statements that only may be worth keeping, and shows them to nobody. This verb gives those of ended
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
	Sessions []string       `json:"sessions"`
	Waiting  int            `json:"waiting"` // findings to be judged
	Later    int            `json:"later"`   // of sessions that a further digest judges
	Tokens   int            `json:"tokens"`  // of the request, about
	Excerpt  string         `json:"excerpt,omitempty"`
	Saved    []save.Draft   `json:"saved"`
	Refused  []save.Unsaved `json:"refused"`
	Aside    int            `json:"set_aside"`
	Line     string         `json:"line,omitempty"`
}

// digestModel is the small model.
const digestModel = "haiku"

func (v digestCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
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
	out := digestJSON{Sessions: []string{}, Waiting: d.Waiting, Later: d.Later, Tokens: d.Excerpt.Tokens(),
		Saved: []save.Draft{}, Refused: []save.Unsaved{}}
	for _, one := range d.Sessions {
		out.Sessions = append(out.Sessions, one.ID)
	}
	if d.Waiting == 0 {
		out.Tokens = 0
		c.line("nothing waits to be judged")
		c.value(out)
		return nil
	}
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
	answer, err := askModel(c.ctx, d.Excerpt.Text())
	if err != nil {
		return err
	}
	if err := saveDigest(c, s, d, answer, &out); err != nil {
		return err
	}
	c.line("%s", out.Line)
	c.value(out)
	return nil
}

// errDeclined is the person's no.
var errDeclined = quiet{exitDone}

// agreed has the person say yes to the cost, here or by --yes. An agent can't: what it
// would spend is not its own.
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

// How long the model may take, and how much it may answer.
const (
	modelLimit = 3 * time.Minute
	maxModel   = 256 << 10 // bytes
)

// askModel has the client put one request to the small model. It runs in an empty
// folder and in safe mode: no settings of a project, no hooks and no tools have a part
// in it, and it keeps no transcript.
func askModel(ctx context.Context, excerpt string) (string, error) {
	client, err := exec.LookPath("claude")
	if err != nil {
		return "", failed(fmt.Errorf("the client is not on PATH: %w", err),
			"install Claude Code, or put its folder on PATH",
			"inside a session /keepsake:digest needs no program")
	}
	dir, err := os.MkdirTemp("", "keepsake-digest-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, modelLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, client, "-p", "--model", digestModel, "--safe-mode",
		"--system-prompt", digest.Prompt(), "--tools", "", "--no-session-persistence")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Stdin = strings.NewReader(excerpt)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C ends it by way of this program
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	var out, said bounded
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	switch {
	case context.Cause(ctx) == context.DeadlineExceeded:
		return "", failed(fmt.Errorf("%s gave no answer within %v", client, modelLimit),
			"nothing was changed; run it again")
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		why := strings.TrimSpace(said.String())
		if why == "" {
			why = strings.TrimSpace(out.String())
		}
		first, _, _ := strings.Cut(why, "\n")
		return "", failed(fmt.Errorf("%s: %w: %s", client, err, cut(brief.Line(first), reasonRunes)),
			"nothing was changed",
			"it wants a client that knows --safe-mode, and a login: try claude -p hello")
	case out.over:
		return "", failed(fmt.Errorf("%s answered with more than %d KiB", client, maxModel>>10),
			"nothing was changed; run it again")
	}
	return out.String(), nil
}

// bounded keeps the beginning of what a program prints. Its buffer is no part of its
// own methods: io.Copy would fill it past the bound.
type bounded struct {
	kept bytes.Buffer
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := maxModel - b.kept.Len()
	b.over = b.over || len(p) > room
	b.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}

func (b *bounded) String() string { return b.kept.String() }

// takeDigest saves what the background agent of this session answered.
func takeDigest(c *call, s *session.Session) error {
	d, answer, err := s.TakeDigest()
	if err != nil {
		return failed(err)
	}
	out := digestJSON{Sessions: []string{}, Waiting: d.Waiting, Saved: []save.Draft{},
		Refused: []save.Unsaved{}}
	err = saveDigest(c, s, d, answer, &out)
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

// saveDigest does what an answer comes to, and says so.
func saveDigest(c *call, s *session.Session, d session.Digest, answer string, out *digestJSON) error {
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
	out.Saved, out.Refused = append(out.Saved, done.Saved...), append(out.Refused, done.Refused...)
	out.Aside = done.Aside
	if err == nil {
		out.Line = digestLine(*out)
	}
	return err
}

// digestLine says in one line what came of a digest.
func digestLine(out digestJSON) string {
	outcomes := save.Plan{Drafts: out.Saved}.Outcomes()
	line := "nothing was worth keeping"
	if len(outcomes) > 0 {
		line = brief.Saved(outcomes)
	}
	if n := len(out.Refused); n > 0 {
		line += fmt.Sprintf("; %s could not be saved", count(n, "draft"))
	}
	if out.Aside > 0 {
		line += fmt.Sprintf("; %s set aside", count(out.Aside, "thing"))
	}
	return line
}
