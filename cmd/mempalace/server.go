package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/text"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// polite is how long a server may take to end after its input was closed, and again after a signal.
// MemPalace takes a quarter of a second.
const polite = time.Second

// protocol is the version of MCP that is spoken. It is the first version, which every release of
// MemPalace knows. A newer one begins with a question that some servers don't answer.
const protocol = "2024-11-05"

// server is a running MCP server of MemPalace.
type server struct {
	name    string
	session *mcp.ClientSession // nil when it did not begin
	said    tail               // its error output
}

// start starts a server. With readOnly it makes the server read-only by a variable and not by the flag
// --read-only. A release that does not know the variable ignores it. One that knows it still asks the
// hub, if there is one.
func start(ctx context.Context, command []string, readOnly bool) (*server, error) {
	s := &server{}
	if len(command) == 0 {
		return s, trouble{what: "no server was named"}
	}
	s.name = command[0]
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = os.Environ()
	if readOnly {
		cmd.Env = append(cmd.Env, "MEMPALACE_MCP_READ_ONLY=1")
	}
	cmd.Stderr = &s.said
	client := mcp.NewClient(&mcp.Implementation{Name: "keepsake", Version: layout.Version()},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	var err error
	s.session, err = client.Connect(ctx,
		transport{&mcp.CommandTransport{Command: cmd, TerminateDuration: polite}},
		&mcp.ClientSessionOptions{ProtocolVersion: protocol})
	return s, err
}

// end ends the server: by the end of its input, then with a signal, then by force.
func (s *server) end() {
	if s.session != nil {
		_ = s.session.Close()
	}
}

// call calls a tool and decodes the JSON object of its answer into into.
func (s *server) call(ctx context.Context, tool string, args map[string]any, into any) error {
	result, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err
	}
	return decode(tool, result, into)
}

// decode decodes the answer of a tool into into, or returns the failure that the answer reports.
// MemPalace answers with JSON in a text. Most releases report a failure in that JSON alone. A text with a
// notice may come before it.
func decode(tool string, result *mcp.CallToolResult, into any) error {
	text := ""
	for _, c := range result.Content {
		t, ok := c.(*mcp.TextContent)
		if !ok {
			continue
		}
		var failed struct {
			Success              *bool
			Error, Details, Hint string
		}
		if text == "" {
			text = t.Text
		}
		if err := json.Unmarshal([]byte(t.Text), &failed); err != nil {
			continue
		}
		if failed.Error != "" || result.IsError || failed.Success != nil && !*failed.Success {
			what := failed.Error
			if what == "" {
				what = tool + " failed"
			}
			if failed.Details != "" {
				what += ": " + failed.Details
			}
			return trouble{what: what, hint: failed.Hint, error: failed.Error}
		}
		if err := json.Unmarshal([]byte(t.Text), into); err != nil {
			return trouble{what: fmt.Sprintf("%s answered %q, which is no answer of that tool", tool,
				short(t.Text))}
		}
		return nil
	}
	if result.IsError {
		return trouble{what: fmt.Sprintf("%s failed: %s", tool, short(text))}
	}
	return trouble{what: fmt.Sprintf("%s answered %q, which is no JSON object", tool, short(text))}
}

// trouble is an error in words for a person, with a hint how to repair it.
type trouble struct {
	what, hint string
	error      string // in MemPalace's own words, "" if the error is not MemPalace's
}

func (t trouble) Error() string { return t.what }

// explain returns an error in words for a person, with a hint where one is known.
func (s *server) explain(err error) trouble {
	var t trouble
	var refused *jsonrpc.Error
	switch {
	case errors.As(err, &t):
		return t
	case errors.As(err, &refused):
		return refusal(refused)
	case errors.Is(err, context.Canceled):
		return trouble{what: "nobody waits for the answer"}
	}
	t.what = fmt.Sprintf("%s did not answer as an MCP server: %s", s.name, cause(err))
	if line := s.said.last(); line != "" {
		t.what += "; it said: " + line
	}
	t.hint = "start it by hand and see: " + s.name +
		"; hint: uv tool install --force mempalace, or pipx install --force mempalace, installs it again"
	return t
}

// cause returns the part of an SDK error that is about the server, without what the SDK puts before it.
func cause(err error) string {
	why := err.Error()
	if _, after, ok := strings.Cut(why, `calling "`); ok {
		_, why, _ = strings.Cut(after, `": `)
	}
	if _, after, ok := strings.Cut(why, " is closing: "); ok {
		why = after
	}
	if why == "EOF" || strings.HasSuffix(why, "broken pipe") {
		return "it ended"
	}
	return short(why)
}

// refusal explains an error that the server answered with.
func refusal(e *jsonrpc.Error) trouble {
	var data struct{ Reason string }
	_ = json.Unmarshal(e.Data, &data) // the reason is optional
	t := trouble{what: short(e.Message)}
	if data.Reason != "" {
		t.what += ": " + short(data.Reason)
	}
	switch e.Code {
	case codeBusy:
		t.hint = "another session's MemPalace has stored something and keeps the palace until it ends: end " +
			"that one, or have all share one server: mempalace serve"
	case codeReadOnly:
		t.hint = "MEMPALACE_MCP_READ_ONLY is set, or tiers.mempalace_command has --read-only: it stores " +
			"nothing with it"
	case codeDiverged:
		t.hint = "mempalace repair-status"
	}
	return t
}

// short cuts what a server said to what fits an error.
func short(said string) string { return text.Shorten(text.OneLine(said), 300) }

// tail is a writer that keeps the last 4 KiB written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - 4<<10; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// last returns the last line that was written, shortened for an error; "" if nothing was written.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return short(lines[len(lines)-1])
}
