package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"keepsake/pkg/capture/resolve"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/project/session"
	"keepsake/pkg/scratch"
	"keepsake/pkg/secret"
	"keepsake/pkg/why/candidate"
)

type inboxEditCmd struct {
	ID string `arg:"" name:"ID" help:"Id of a candidate or a draft, or the number of a finding."`
}

func (inboxEditCmd) Help() string {
	return `Opens the text in $VISUAL, else $EDITOR, else vi. Of a candidate it is what would be written;
the note that it is from stays as it is. Of a draft that could not be saved it is the draft; mended, it is
saved by keepsake records triage --pending and keepsake records commit. Of what was noticed it is the
statement; edited, it is saved at once. Only a person at a terminal can do this.

Example:

    keepsake inbox edit c4k2zq`
}

func (v inboxEditCmd) Run(c *call) error {
	d, err := c.approvals()
	if err != nil {
		return err
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	w, err := c.find(d, v.ID)
	if err != nil {
		return err
	}
	return c.amend(w, tty)
}

func (c *call) amend(w waits, tty io.ReadWriter) error {
	switch {
	case w.finding != nil:
		return c.editFinding(w.session, *w.finding, tty)
	case w.candidate != nil:
		return c.editCandidate(w.session, *w.candidate, tty)
	case w.draft != nil:
		return c.editDraft(w.session, *w.draft, tty)
	}
	return failed(fmt.Errorf("%s: a stopped call can't be changed: an approval is for its exact bytes",
		w.call.ID), "reject it, and say in the session what should be different")
}

func (c *call) editCandidate(s *session.Session, p candidate.Candidate, tty io.ReadWriter) error {
	text, err := c.editor(s, p.ID+".md", p.Text+"\n", tty)
	if err != nil {
		return err
	}
	text = scratch.Clean(text)
	switch kinds := secret.Kinds(text); {
	case text == "":
		return failed(fmt.Errorf("%s: nothing is left of it, so it stays as it was", p.ID),
			"keepsake inbox reject "+p.ID)
	case len(kinds) > 0:
		return failed(fmt.Errorf("%s: it would hold a secret (%s), so it stays as it was", p.ID,
			strings.Join(kinds, ", ")))
	case text == p.Text:
		c.line("%s stays as it was", p.ID)
		return nil
	}
	if _, err := s.Inbox().Edit(p.ID, text); err != nil {
		return failed(err)
	}
	c.line("edited: %s; it still waits", p.ID)
	return nil
}

func (c *call) editDraft(s *session.Session, k stage.Kept, tty io.ReadWriter) error {
	before := k.Draft
	if b, err := s.Pending().Amended(k); err == nil {
		before = string(b)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return failed(err)
	}
	text, err := c.editor(s, k.ID()+".json", before, tty)
	if err != nil {
		return err
	}
	if text == before {
		c.line("%s stays as it was", k.ID())
		return nil
	}
	text = secret.Redact(text)
	// What was written is kept, whether it is right or not.
	if err := s.Pending().Amend(k, []byte(text)); err != nil {
		return failed(err)
	}
	if _, _, err := resolve.ParseDraft([]byte(text), k.Category); err != nil {
		return failed(fmt.Errorf("%s: kept, and not right yet: %w", k.ID(), err), "keepsake inbox edit "+
			k.ID()+" opens it again", "keepsake records draft --form "+string(k.Category)+
			" shows what it takes")
	}
	c.line("edited: %s; next: keepsake records triage --pending, then keepsake records commit", k.ID())
	return nil
}

// maxEdited bounds what comes back from an editor, in bytes.
const maxEdited = 1 << 20

// editor has the person change a text in their editor, at their terminal, in a
// folder that only they can enter.
func (c *call) editor(s *session.Session, name, text string, tty io.ReadWriter) (string, error) {
	dir := filepath.Join(s.Inbox().Dir, "edit")
	if err := disk.Private(dir); err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("%d-%s", os.Getpid(), name))
	if err := disk.Write(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	defer os.Remove(path)
	program := "vi"
	for _, v := range [...]string{os.Getenv("EDITOR"), os.Getenv("VISUAL")} {
		if strings.TrimSpace(v) != "" {
			program = v
		}
	}
	words := strings.Fields(program)
	cmd := exec.CommandContext(c.ctx, words[0], append(words[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	if err := cmd.Run(); err != nil {
		return "", failed(fmt.Errorf("%s: %w, so it stays as it was", program, err),
			"VISUAL or EDITOR names your editor, such as VISUAL='code --wait'")
	}
	b, err := disk.Read(path, maxEdited)
	return string(b), err
}
