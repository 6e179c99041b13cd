package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/why/inbox"
)

type inboxEditCmd struct {
	ID string `arg:"" name:"ID" help:"Id of a candidate or a draft, or the number of a finding."`
}

func (inboxEditCmd) Help() string {
	return `Opens the text in $VISUAL, else $EDITOR, else vi. Only a person at a terminal can do this.

  - a finding: what was said. It is saved as soon as you have edited it; if the new words take the place of
    a memory, you are asked before.
  - a candidate: what would be written. The note that it is from stays as it is.
  - a draft that could not be saved: save it with keepsake records triage --pending and commit.

Example:

    keepsake inbox edit c4k2zq`
}

func (v inboxEditCmd) Run(c *call) error {
	b, tty, err := c.openInbox()
	if err != nil {
		return err
	}
	defer tty.Close()
	t, err := b.Find(v.ID)
	if err != nil {
		return err
	}
	return c.done(c.amend(t, tty, bufio.NewReader(tty)))
}

// amend lets the person edit the text of a thing, and asks them if the new text would end something else.
func (c *call) amend(t inbox.Thing, tty io.ReadWriter, answers *bufio.Reader) (inbox.Done, error) {
	return t.Edit(c.ctx, func(path, text string) (string, error) { return c.editor(path, text, tty) },
		func(does, question string) bool {
			return show(tty, answers, append([]string{inbox.DoesToo}, strings.Split(does, "\n")...)) &&
				ask(tty, answers, question, yesOrNo...) == yes
		})
}

// maxEdited is the length of the longest edited text that is read, in bytes.
const maxEdited = 1 << 20

// editor returns the text as the person edited it, in their editor at their terminal. The file for it is
// in a folder that only they can enter.
func (c *call) editor(path, text string, tty io.ReadWriter) (string, error) {
	if err := disk.Private(filepath.Dir(path)); err != nil {
		return "", err
	}
	if err := disk.Write(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	defer os.Remove(path)
	program := cmp.Or(strings.TrimSpace(os.Getenv("VISUAL")), strings.TrimSpace(os.Getenv("EDITOR")), "vi")
	words := strings.Fields(program)
	cmd := exec.CommandContext(c.ctx, words[0], append(words[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	if t, ok := tty.(terminal); ok { // itself: through pipes an editor would not know that it is at one
		cmd.Stdin, cmd.Stdout, cmd.Stderr = t.File, t.File, t.File
	}
	if err := cmd.Run(); err != nil {
		return "", failed(fmt.Errorf("%s: %w, so it stays as it was", program, err),
			"VISUAL or EDITOR names your editor, such as VISUAL='code --wait'")
	}
	b, err := disk.Read(path, maxEdited)
	return string(b), err
}
