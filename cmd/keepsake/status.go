package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"time"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/project/session"
	"keepsake/pkg/status"
)

type statusCmd struct {
	Line bool `help:"Print only how much waits for your answer, for a status line, and nothing if nothing does."`
	JSON bool `help:"Print one JSON object."`
}

func (statusCmd) Help() string {
	return `Shows the session's stage (what was noticed, drafted and planned), the findings of the project and what
became of them, the work that ended sessions left, drafts that could not be saved and why, how far the
transcript has been read, how often the agent was asked to save, the last save and whether it was taken
back, and how many memories are stored. What is to review is what keepsake review asks you about first:
findings of ended sessions, what keepsake init found, what agents propose, stopped calls, drafts, held
memories, those of which a check fails and those that came with a merge. What was noticed in a session
under way is its agent's to save, and counts only where capture.on_stop is heard, as it waits for you
then. What is only perhaps worth keeping is not counted, nor memories that contradict each other: to
compare them takes too long here.

A rejected draft is listed until what it was made from is drafted again and saved (keepsake records triage
--pending), or its file is deleted.

With --line it prints one segment for the status line of Claude Code, such as "3 to review", and changes
nothing but its cache of counts. Put it there yourself: in ~/.claude/settings.json,
"statusLine": {"type": "command", "command": "keepsake status --line"}, with the whole path of keepsake if it
is not on your PATH. It counts for the session and the project that the client names on standard input, and
without such words, or where that folder is not there, for those of the working directory.

Examples:

    keepsake status --session 4e836284-4a0a-44a1-acb3-38c68db78007
    keepsake status --line`
}

func (v statusCmd) Run(c *call) error {
	debug.SetGCPercent(saveGC)
	if v.Line {
		return c.statusLine()
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	c.untold(s)
	if !s.Known {
		if known, err := latest(s); err == nil {
			s = known // nothing is staged anywhere: show the session that was seen last
		}
	}
	planned := ""
	if p, err := save.Staged(s.Desk); err == nil {
		planned = p.Digest
	}
	at, err := s.Look()
	if err != nil {
		return err
	}
	waits, werr := c.toReview(s, at)
	st, err := status.Of(s, at, planned, waits)
	if err != nil {
		return err
	}
	for _, line := range st.Lines(c.now()) {
		c.line("%s", line)
	}
	c.value(st)
	return werr
}

// toReview returns how much wants the person's answer in a session's project, as it is at a look.
func (c *call) toReview(s *session.Session, at session.Look) (status.ToReview, error) {
	b, unknown := c.inbox()
	n, err := b.ToReview(c.saver(s), at)
	return n, errors.Join(err, unknown)
}

// statusLine prints how much waits for the person's answer, or nothing. The client asks for it again and
// again, for whatever folder it names, so nothing is changed.
func (c *call) statusLine() error {
	if c.session == "" && c.project == "" && !isDevice(os.Stdin) {
		c.named = clientSays(os.Stdin)
	}
	s, err := c.whereAsIs()
	if err != nil {
		return err
	}
	s.OnlyLook()
	c.warn(s)
	at, lerr := s.Look()
	_, unknown := c.approvalsAsIs()
	waits, err := c.inboxAsIs().ToReview(c.saver(s), at)
	err = errors.Join(lerr, err, unknown)
	n := waits.Total()
	if n > 0 {
		c.line("%d to review", n)
	}
	c.value(struct {
		ToReview int `json:"to_review"`
	}{n})
	return err
}

// clientWait is how long the client's words are waited for. It writes them when it starts the program; anyone
// else may leave standard input open and write nothing.
const clientWait = 200 * time.Millisecond

// maxClientSays bounds how much of them is read, in bytes.
const maxClientSays = 1 << 20

// clientSays returns the session that Claude Code names to the command of its status line, or the zero Call
// if none is named in time, or none in a folder that is there.
func clientSays(in io.Reader) session.Call {
	said := make(chan session.Call, 1)
	go func() {
		var says struct {
			Session    string `json:"session_id"`
			Transcript string `json:"transcript_path"`
			Cwd        string `json:"cwd"`
			Workspace  struct {
				Current string `json:"current_dir"`
				Project string `json:"project_dir"`
			} `json:"workspace"`
		}
		if json.NewDecoder(io.LimitReader(in, maxClientSays)).Decode(&says) != nil || says.Session == "" {
			said <- session.Call{}
			return
		}
		call := session.Call{ID: says.Session, Transcript: says.Transcript, Project: says.Workspace.Project,
			Cwd: cmp.Or(says.Workspace.Current, says.Cwd)}
		if info, err := os.Stat(cmp.Or(call.Project, call.Cwd, ".")); err != nil || !info.IsDir() {
			call = session.Call{}
		}
		said <- call
	}()
	select {
	case call := <-said:
		return call
	case <-time.After(clientWait):
		return session.Call{}
	}
}
