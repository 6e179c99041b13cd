package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/git"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/approvers"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

type signCmd struct {
	Key    string `help:"Your SSH key: the private one, or the public one of a key that ssh-agent or a device holds (default: git's user.signingkey)." placeholder:"FILE"`
	DryRun bool   `help:"Only list what would be signed." name:"dry-run" short:"n"`
}

func (signCmd) Help() string {
	return `Shows each memory whole that no approver has signed yet, asks at the controlling terminal, and signs
them with your SSH key (ssh-keygen -Y sign). Whoever accepted .claude/memory/approvers with your key in it
is not asked about them then. The signature is a file in .claude/memory/signatures: commit it with the
memories. It is for the bytes that you were shown, in this project. A memory that is changed, or merged from
two versions, is nobody's until somebody approves it again.

The agent can't run this.

Examples:

    keepsake team sign --dry-run
    keepsake team sign --key ~/.ssh/id_ed25519`
}

func (v signCmd) Run(c *call, s *session.Session) error {
	a, err := s.Approvers()
	path := brief.Line(filepath.Join(s.MemoryRoot(), approvers.Name))
	switch {
	case err != nil:
		return err
	case len(a.Text) == 0:
		return failed(fmt.Errorf("%s: is missing, so nobody's signature counts", path),
			"write a line for each who may approve: a name, a blank and their public SSH key")
	case a.Waits():
		return failed(fmt.Errorf("%s: waits for your answer", path), "keepsake review")
	case !a.Accepted():
		return failed(fmt.Errorf("%s: you said no to it, so no signature counts here", path))
	}
	if _, err := s.TakeSigned(c.ctx, c.now().UTC()); err != nil {
		return err
	}
	records, err := s.ToSign()
	if err != nil {
		return err
	}
	if len(records) == 0 {
		c.line("nothing is left to sign")
		return nil
	}
	if v.DryRun {
		for _, r := range records {
			c.line("%s: %s", brief.Line(r.Path), text.Safe(r.Title))
		}
		return nil
	}
	key, err := v.key(c, s)
	if err != nil {
		return err
	}
	return v.sign(c, s, a, key, records)
}

// sign shows records whole, and signs them if the person says so.
func (v signCmd) sign(c *call, s *session.Session, a session.Approvers, key string,
	records []memory.Stored) error {
	tool, err := approvers.FindTool(s.Place.Dir, s.Place.Home, s.Place.Top)
	if err != nil {
		return err
	}
	list := approvers.List{Project: a.Entry.Project} // of which the person accepted the approvers
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	var blocks [][]string
	for _, r := range records {
		list.Records = append(list.Records, approvers.Signed{Path: r.Path, Digest: r.Digest})
		blocks = append(blocks, strings.Split(text.Safe(r.Path)+"\n"+
			text.SafeLines("  | ", strings.TrimRight(string(r.Encode()), "\n")), "\n"))
	}
	answers := bufio.NewReader(tty)
	question := fmt.Sprintf("Sign: you approve of %s?", text.Count(len(records), "memory"))
	if !show(tty, answers, blocks...) || ask(tty, answers, question, yesOrNo...) != yes {
		c.line("nothing was signed")
		return nil
	}
	file, err := tool.Sign(c.ctx, key, list)
	if err != nil {
		return err
	}
	who, _, err := tool.Verify(c.ctx, a.Text, file)
	var refused *approvers.RefusedError
	switch {
	case errors.As(err, &refused):
		return failed(fmt.Errorf("your key is not among the approvers, or may not sign for %s: %w",
			approvers.Namespace, err),
			"put it into "+brief.Line(filepath.Join(s.MemoryRoot(), approvers.Name)))
	case err != nil:
		return err
	}
	path, err := approvers.Write(s.MemoryRoot(), file)
	if err != nil {
		return err
	}
	if _, err := s.TakeSigned(c.ctx, c.now().UTC()); err != nil {
		return err
	}
	c.line("signed as %s: %s, in %s; commit it with the memories", brief.Line(who),
		text.Count(len(records), "memory"), brief.Line(filepath.Join(s.MemoryRoot(), path)))
	return nil
}

// key returns the file of the person's key.
func (v signCmd) key(c *call, s *session.Session) (string, error) {
	path := v.Key
	if path == "" {
		said, err := git.Run(c.ctx, s.Place.Dir, "config", "--get", "--type=path", "user.signingkey")
		if err != nil && !git.SaidNo(err) {
			return "", err
		}
		path = said
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		if path != "" {
			err = fmt.Errorf("%s: is no file with an SSH key", brief.Line(path))
		} else {
			err = errors.New("which SSH key is yours is not known")
		}
		return "", failed(err, "name it with --key, or set user.signingkey of git to its file")
	}
	return filepath.Abs(path)
}
