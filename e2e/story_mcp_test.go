//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mcpServer configures Keepsake's MCP server for Claude Code, and returns the arguments for it. Its tools
// need no question.
func (l *Lab) mcpServer() []string {
	config := filepath.Join(l.Root, "keepsake-mcp.json")
	l.WriteJSON(config, map[string]any{"mcpServers": map[string]any{
		"keepsake": map[string]any{"type": "stdio", "command": l.keepsake(), "args": []string{"mcp"}},
	}})
	return []string{"--mcp-config", config, "--allowedTools", "mcp__keepsake"}
}

// A session asks the memory by MCP, proposes a statement and a note, and sees the note as written. Nothing is
// before the person says yes, and then the next session has both. The gate stops none of it.
func TestMCP(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberDecision()
		server := l.mcpServer()
		var results []string
		step := func(r Reply) Turn {
			return func(req *Request) Reply {
				results = append(results, req.Tail())
				return r
			}
		}
		memory := func(args map[string]any) Turn { return step(Call("mcp__keepsake__memory", args)) }
		l.Model.Script("main", Match{First: "keep what"},
			step(Call("mcp__keepsake__recall", map[string]any{"query": "where is the job queue kept?"})),
			step(Call("mcp__keepsake__propose", map[string]any{
				"text": "We decided to send mails with Postmark, because SES was slow."})),
			memory(map[string]any{"command": "create", "path": "/memories/mails.md",
				"file_text": "# Mails\n\nPostmark sends them.\n"}),
			memory(map[string]any{"command": "view", "path": "/memories/mails.md"}),
			step(Say("Proposed.")))
		run := l.Headless("keep what you learned", server...)
		if len(results) != 5 || !strings.Contains(results[1], "[source: project]") ||
			!strings.Contains(results[4], "     3\tPostmark sends them.") {
			t.Fatalf("the tools said %q\n%s", results, l.failures())
		}
		note := filepath.Join(memoryOf(t, run), "mails.md")
		number := regexp.MustCompile(`Proposed as \[(\d+)\]`).FindStringSubmatch(results[2])
		change := regexp.MustCompile(`Proposed as (n[0-9a-z]{5})`).FindStringSubmatch(results[3])
		if number == nil || change == nil || l.Exists(note) {
			t.Fatalf("written: %v, %q", l.Exists(note), results)
		}
		for _, id := range []string{number[1], change[1]} {
			if screen := l.AtTerminal([]string{"inbox", "approve", id}, "y"); !regexp.MustCompile(
				`Saved: decision|written: n`).MatchString(screen) {
				t.Errorf("the terminal said\n%s", screen)
			}
		}
		if !strings.Contains(l.Read(note), "Postmark sends them.") {
			t.Errorf("the note is %q", l.Read(note))
		}
		results = nil
		l.Model.Script("main", Match{First: "which service"},
			step(Call("mcp__keepsake__recall", map[string]any{"query": "mails Postmark SES"})),
			step(Say("Postmark.")))
		l.Headless("which service sends our mails?", server...)
		if len(results) != 2 || !strings.Contains(results[1], "because SES was slow") {
			t.Errorf("the next session was told %q", results)
		}
	})
}
