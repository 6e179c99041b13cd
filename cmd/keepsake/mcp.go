package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"keepsake/pkg/layout"
	"keepsake/pkg/libexec"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/memdir/memtool"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

type mcpCmd struct {
	Call bool `hidden:"" help:"Answer one call of a tool, which is read from standard input."`
}

func (mcpCmd) Help() string {
	return `Serves the project's memory to any agent that speaks MCP, over standard input and output. The
client starts it; docs/hosts.md has the lines for its settings. The tools are

  - recall: what keepsake recall finds, without what is held back or nobody vouches for
  - show: one memory or drawer whole
  - propose: a statement for the user's inbox. Nothing is saved before their yes
  - memory: the commands of the memory tool (view, create, str_replace, insert, delete, rename) over the
    Markdown memories of the project, as /memories. A change is a proposal as well: the session that made it
    sees it in view, and it is written when the user says yes

Nobody but the user answers a proposal: keepsake review, in a terminal.

Examples:

    claude mcp add keepsake -- keepsake mcp
    codex mcp add keepsake -- keepsake mcp`
}

func (v mcpCmd) Run(c *call) error {
	if v.Call {
		return c.answerHost(os.Stdin)
	}
	program := layout.Libexec("mempalace")
	args := []string{program, "server"}
	for flag, value := range map[string]string{"--project": c.project, "--session": c.session} {
		if value != "" {
			args = append(args, flag+"="+value)
		}
	}
	if err := syscall.Exec(program, args, os.Environ()); err != nil {
		return failed(fmt.Errorf("%s, which speaks MCP: %w"+libexec.Rebuild, program, err))
	}
	return nil
}

// answerHost answers one call of a tool of the MCP server.
func (c *call) answerHost(in io.Reader) error {
	var q libexec.HostCall
	if err := json.NewDecoder(io.LimitReader(in, libexec.MaxHostCall)).Decode(&q); err != nil {
		return usage("mcp --call: the standard input is no call of a tool")
	}
	var said bytes.Buffer
	asked := *c
	asked.voice = voice{out: &said, err: &said}
	asked.person.alone = func() error { return errors.New("an agent asks by MCP") }
	err := asked.toolCall(q)
	if err != nil {
		_, hints := codeOf(err)
		asked.trouble(err, hints, exitFailed)
	}
	return json.NewEncoder(c.out).Encode(libexec.HostAnswer{
		Text: secret.Redact(strings.TrimRight(said.String(), "\n")), Failed: err != nil})
}

// toolCall carries out a call of a tool, and prints what the model is told.
func (c *call) toolCall(q libexec.HostCall) error {
	s, err := c.hostSession(q.Session)
	if err != nil {
		return err
	}
	switch q.Tool {
	case "recall":
		var a struct {
			Query string `json:"query"`
			Limit *int   `json:"limit"`
		}
		if err := arguments(q.Args, &a); err != nil {
			return err
		} else if strings.TrimSpace(a.Query) == "" {
			return usage("recall: there is no query")
		}
		return recallCmd{Query: []string{a.Query}, Limit: a.Limit}.Run(c, s)
	case "show":
		var a struct {
			ID string `json:"id"`
		}
		if err := arguments(q.Args, &a); err != nil {
			return err
		} else if a.ID == "" {
			return usage("show: there is no id")
		}
		return showCmd{ID: a.ID, byHost: true}.Run(c, s)
	case "propose":
		var a struct {
			Text     string `json:"text"`
			Category string `json:"category"`
		}
		if err := arguments(q.Args, &a); err != nil {
			return err
		}
		return c.propose(s, a.Text, a.Category)
	case "memory":
		var a memtool.Call
		if err := arguments(q.Args, &a); err != nil {
			return err
		}
		said, err := folder.MemoryTool(c.ctx, s, a, c.now())
		if err == nil {
			c.block(said)
		} else if refusal := (memtool.Refusal)(""); errors.As(err, &refusal) {
			c.block(string(refusal)) // word for word, as the tool's documentation has it
			return quiet{exitFailed}
		}
		return err
	}
	return usage("mcp: there is no tool %q", q.Tool)
}

// arguments decodes those of a tool. One that is not known is an error: the model meant something by it.
func arguments(b json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	if wrong := libexec.WrongType("what they are in", err); wrong != "" {
		return usage("arguments: %s", wrong)
	}
	if _, name, is := strings.Cut(err.Error(), "json: unknown field "); is {
		return usage("arguments: there is none called %s", name)
	}
	return usage("arguments: they are no JSON")
}

// hostSession opens the session for which the client started the server: the one that it names, or else one
// of the server's own in the project.
func (c *call) hostSession(id string) (*session.Session, error) {
	if c.session != "" || c.project != "" || session.OfAgent() != "" {
		return c.where()
	}
	dir := os.Getenv("CLAUDE_PROJECT_DIR")
	if !filepath.IsAbs(dir) {
		dir = c.cwd
	}
	s, err := session.In(dir, id)
	c.warn(s)
	return s, err
}

// proposable returns the categories of what an agent may propose, as cmd/mempalace offers them: a session is
// summed up when it ends.
func proposable() (names []string) {
	for _, c := range memory.Categories() {
		if c != memory.SessionSummary {
			names = append(names, string(c))
		}
	}
	return names
}

// propose adds a statement to what waits for the person.
func (c *call) propose(s *session.Session, said, category string) error {
	if category != "" && !slices.Contains(proposable(), category) {
		return usage("propose: category %q is unknown: want %s", text.Shorten(category, 40),
			text.AnyOf(proposable()))
	}
	if said = strings.TrimSpace(said); said == "" {
		return usage("propose: there is no text")
	}
	f, known, err := c.saver(s).Propose(said, memory.Category(category))
	switch {
	case err != nil:
		return fmt.Errorf("not proposed: %w", err)
	case known != "":
		c.line("Known already as %s; nothing was proposed", known)
	default:
		c.line("Proposed as [%d] (%s). It is not saved: it waits for the user, who answers with keepsake "+
			"review",
			f.Number, f.Category)
	}
	return nil
}
