//go:build e2e

package e2e

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// palaceLog names the environment variable that turns the test binary into the MCP server (see TestMain).
const palaceLog = "KEEPSAKE_E2E_PALACE_LOG"

// Names of the server's tools as the client knows them when the server is called "mempalace".
const (
	addDrawer = "mcp__mempalace__mempalace_add_drawer"
	search    = "mcp__mempalace__mempalace_search"
)

// unstorable is what a text must hold for the server to fail on it.
const unstorable = "drawer-full"

// drawerID is what the server calls the drawer of a text.
func drawerID(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "drawer_shop_" + hex.EncodeToString(sum[:6])
}

// Palace is a stdio MCP server with MemPalace's tool names. It stores nothing; it logs what it was asked.
type Palace struct {
	lab *Lab
	log string
}

// Palace configures the server for the lab and returns it with the arguments that make the client start it.
func (l *Lab) Palace() (*Palace, []string) {
	l.t.Helper()
	self, err := os.Executable()
	if err != nil {
		l.t.Fatal(err)
	}
	p := &Palace{lab: l, log: filepath.Join(l.Root, "palace.log")}
	config := filepath.Join(l.Root, "mcp.json")
	l.WriteJSON(config, map[string]any{"mcpServers": map[string]any{
		"mempalace": map[string]any{
			"type":    "stdio",
			"command": self,
			"args":    []string{},
			"env":     map[string]string{palaceLog: p.log},
		},
	}})
	return p, []string{"--mcp-config", config}
}

// Connected waits until a client has asked for the tools; a prompt before that finds no such tool. It is
// false when none has within the suite's patience.
func (p *Palace) Connected() bool { return saidIn(p.log, "tools/list\n") }

// saidIn waits until a file holds one of the texts.
func saidIn(path string, texts ...string) bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if slices.ContainsFunc(texts, func(said string) bool { return strings.Contains(text(path), said) }) {
			return true
		}
	}
	return false
}

// Holds makes every search of the server find a text.
func (p *Palace) Holds(text string) { p.lab.Write(p.log+foundIn, text) }

// foundIn is what follows the log's name in that of the file with what searches find.
const foundIn = ".found"

// Stored are the contents of the drawers that were added.
func (p *Palace) Stored() []string {
	var out []string
	for _, line := range strings.Split(p.lab.Read(p.log), "\n") {
		if content, ok := strings.CutPrefix(line, "stored "); ok {
			out = append(out, content)
		}
	}
	return out
}

// servePalace is the server: JSON-RPC, one message a line, until stdin closes.
func servePalace(logPath string) error {
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil // the client is gone
		}
		var call struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion string            `json:"protocolVersion"`
				Name            string            `json:"name"`
				Arguments       map[string]string `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(line, &call) != nil || call.ID == nil {
			continue // notifications need no answer
		}
		result := map[string]any{}
		switch call.Method {
		case "initialize":
			result = map[string]any{"protocolVersion": call.Params.ProtocolVersion,
				"capabilities": map[string]any{
					"tools": map[string]any{},
				}, "serverInfo": map[string]any{"name": "mempalace", "version": "0"}}
		case "tools/list":
			result["tools"] = []any{
				palaceTool("mempalace_add_drawer", "Store text.", "wing", "room", "content"),
				palaceTool("mempalace_search", "Search what is stored.", "query"),
			}
		case "tools/call":
			text := "nothing found"
			if found, err := os.ReadFile(logPath + foundIn); err == nil {
				text = string(found)
			}
			switch content := call.Params.Arguments["content"]; {
			case call.Params.Name != "mempalace_add_drawer":
			case strings.Contains(content, unstorable):
				// An ordinary result, as MemPalace tells of failures.
				text = `{"success": false, "error": "the disk is full"}`
			default:
				fmt.Fprintf(log, "stored %s\n", strings.ReplaceAll(content, "\n", " "))
				text = `{"success": true, "drawer_id": "` + drawerID(content) + `"}`
			}
			result["content"] = []any{map[string]any{"type": "text", "text": text}}
		}
		if err := out.Encode(map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": result}); err != nil {
			return err
		}
		fmt.Fprintf(log, "%s\n", call.Method)
	}
}

func palaceTool(name, description string, properties ...string) map[string]any {
	schema := map[string]any{}
	for _, p := range properties {
		schema[p] = map[string]any{"type": "string"}
	}
	return map[string]any{"name": name, "description": description,
		"inputSchema": map[string]any{"type": "object", "properties": schema, "required": properties}}
}
