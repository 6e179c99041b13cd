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

	"keepsake/pkg/text"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// polite is how long a server may take to end after its input has ended, and again
// after it was told to. MemPalace takes a quarter of a second.
const polite = time.Second

// protocol is the version of MCP that is spoken: the first, which every release of
// MemPalace knows. A newer one begins with a question that some servers don't answer.
const protocol = "2024-11-05"

// server is a running MCP server of MemPalace.
type server struct {
	name    string
	session *mcp.ClientSession // nil when it did not begin
	said    tail               // its error output
}

// start starts a server. One that is only asked is told to be read-only, by the
// variable and not by the flag --read-only: a release that does not know it takes
// no notice, and one that does still asks the hub, if there is one.
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
	client := mcp.NewClient(&mcp.Implementation{Name: "keepsake", Version: version},
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

// call calls a tool and reads the JSON object that it answers with.
func (s *server) call(ctx context.Context, tool string, args map[string]any, into any) error {
	result, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err
	}
	return decode(tool, result, into)
}

// decode reads the answer of a tool. MemPalace puts it into a text as JSON, a failure
// too, which most releases mark in that text alone; a notice can come before it.
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
			return trouble{what: fmt.Sprintf("%s answered %q, which is not what it answers", tool,
				short(t.Text))}
		}
		return nil
	}
	if result.IsError {
		return trouble{what: fmt.Sprintf("%s failed: %s", tool, short(text))}
	}
	return trouble{what: fmt.Sprintf("%s answered %q, which is no JSON object", tool, short(text))}
}

// trouble is what went wrong, in words for a person.
type trouble struct {
	what, hint string
	error      string // in MemPalace's own words, "" when it was not MemPalace
}

func (t trouble) Error() string { return t.what }

// explain says what went wrong so that somebody can mend it.
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

// cause is what an error of the SDK says of the server. What comes before it is
// about the SDK.
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
	_ = json.Unmarshal(e.Data, &data) // it is only said if it is there
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

// tail keeps the end of what is written to it.
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

// last is the last line that says something.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return short(lines[len(lines)-1])
}
