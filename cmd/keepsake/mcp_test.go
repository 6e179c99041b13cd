package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// mcpSession is the script command "mcp FILE": keepsake mcp is started as a client starts it, and called with
// each line of the file, a tool and its arguments. What it answers is the standard output.
func mcpSession(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: mcp FILE")
	}
	s, err := startMCP(ts.Getenv("PLUGIN"), ts.Getenv("PROJECT"), func(name string) string {
		return ts.Getenv(name)
	})
	ts.Check(err)
	defer s.end()
	var out strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		tool, arguments, _ := strings.Cut(strings.TrimSpace(line), " ")
		if tool == "" || strings.HasPrefix(tool, "#") {
			continue
		}
		var answer struct {
			Content []struct{ Text string }
			IsError bool
		}
		ts.Check(s.call("tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(arguments)},
			&answer))
		fmt.Fprintf(&out, "> %.100s\n", strings.TrimSpace(line))
		for _, c := range answer.Content {
			if answer.IsError {
				out.WriteString("failed: ")
			}
			out.WriteString(changeID.ReplaceAllString(c.Text, "Proposed as nxxxxx:") + "\n")
		}
	}
	answers := ts.MkAbs(filepath.Join(".calls", "answers")) // where no search looks
	ts.Check(os.WriteFile(answers, []byte(out.String()), 0o600))
	ts.Check(ts.Exec("cat", answers))
}

// changeID finds the id of a proposed change, which is another one each time.
var changeID = regexp.MustCompile(`Proposed as n[0-9a-z]{5}:`)

// An mcpClient is a session with the server that keepsake mcp becomes.
type mcpClient struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	n   int
}

// startMCP starts the server of a plugin in a project, with an environment as Codex CLI leaves it.
func startMCP(plugin, project string, getenv func(string) string) (*mcpClient, error) {
	s := &mcpClient{cmd: exec.Command(filepath.Join(plugin, "bin", "keepsake"), "mcp")}
	s.cmd.Dir, s.cmd.Stderr = project, os.Stderr
	for _, name := range []string{"HOME", "PATH", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "CLAUDE_PROJECT_DIR",
		"CLAUDE_CODE_SESSION_ID"} {
		s.cmd.Env = append(s.cmd.Env, name+"="+getenv(name))
	}
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewScanner(out)
	s.out.Buffer(nil, 4<<20)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	var welcome struct{ ServerInfo struct{ Name string } }
	err = s.call("initialize", map[string]any{"protocolVersion": "2025-06-18",
		"capabilities": map[string]any{},
		"clientInfo":   map[string]any{"name": "test", "version": "1"}}, &welcome)
	if err == nil && welcome.ServerInfo.Name != "keepsake" {
		err = fmt.Errorf("the server is %q", welcome.ServerInfo.Name)
	}
	if err == nil {
		_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	return s, err
}

// call sends a request and decodes its result.
func (s *mcpClient) call(method string, params, result any) error {
	s.n++
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.n, "method": method, "params": params})
	if err != nil {
		return err
	}
	if _, err := s.in.Write(append(b, '\n')); err != nil {
		return err
	}
	for s.out.Scan() {
		var m struct {
			ID     int
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(s.out.Bytes(), &m); err != nil {
			return fmt.Errorf("%w: %s", err, s.out.Bytes())
		}
		switch {
		case m.ID != s.n:
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error)
		default:
			return json.Unmarshal(m.Result, result)
		}
	}
	return fmt.Errorf("%s: the server has ended", method)
}

// end closes the server's input, and returns how it ended.
func (s *mcpClient) end() error {
	s.in.Close()
	late := time.AfterFunc(10*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	return s.cmd.Wait()
}

// TestMCPTools holds what every session is told of the tools: each has a schema, and all together are short.
func TestMCPTools(t *testing.T) {
	home := t.TempDir()
	s, err := startMCP(buildPlugin(t), home, func(name string) string {
		return map[string]string{"HOME": home, "PATH": os.Getenv("PATH")}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Tools []struct {
			Name        string
			InputSchema map[string]any
			Annotations struct{ ReadOnlyHint bool }
		}
	}
	if err := s.call("tools/list", map[string]any{}, &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, fmt.Sprint(tool.Name, " ", tool.Annotations.ReadOnlyHint))
		if tool.InputSchema["type"] != "object" {
			t.Errorf("%s: %v", tool.Name, tool.InputSchema)
		}
	}
	if got := strings.Join(names, ", "); got != "memory false, propose false, recall true, show true" {
		t.Errorf("tools: %s", got)
	}
	if b, _ := json.Marshal(list); len(b) > 2500 {
		t.Errorf("%d bytes of tools in every session", len(b))
	}
	// A client that goes away leaves nothing running.
	if err := s.end(); err != nil {
		t.Errorf("end: %v", err)
	}
}
