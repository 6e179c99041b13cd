//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// codexVersion is the supported Codex CLI, pinned by a package-lock.json under codex/.
const codexVersion = "0.171.0"

// codexModel is a model that the client knows. To any other it gives no apply_patch.
const codexModel = "gpt-5.5"

// codexPath finds the platform binary that npm brought.
func codexPath(t *testing.T) string {
	t.Helper()
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	found, err := filepath.Glob(filepath.Join("codex", codexVersion, "node_modules", "@openai",
		"codex-"+runtime.GOOS+"-"+arch, "vendor", "*", "bin", "codex"))
	if err != nil || len(found) != 1 {
		t.Fatalf("Codex CLI %s is not installed: run e2e/install.sh", codexVersion)
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Codex is Codex CLI on a lab's machine, with a scripted model: a Responses API on a random port of
// 127.0.0.1.
type Codex struct {
	lab  *Lab
	path string

	mu    sync.Mutex
	turns []codexTurn
	sub   []codexTurn // of subagents
	asked []codexRequest
}

// A codexTurn answers one request.
type codexTurn func(codexRequest) codexReply

// codexReply is what the model says: items of a response.
type codexReply []map[string]any

// A codexRequest is one request of the model.
type codexRequest struct {
	Input    []codexItem
	Metadata struct {
		Subagent string `json:"x-openai-subagent"`
	} `json:"client_metadata"`
}

// A codexItem is an item of the conversation.
type codexItem struct {
	Type, Role string
	Content    []struct{ Text string }
	Output     json.RawMessage
}

// Text is everything that the model was told, one item a line.
func (r codexRequest) Text() string {
	var b strings.Builder
	for _, i := range r.Input {
		fmt.Fprintf(&b, "--- %s %s\n", i.Type, i.Role)
		for _, c := range i.Content {
			b.WriteString(c.Text + "\n")
		}
		b.WriteString(i.output())
	}
	return b.String()
}

// Result is what the newest call came to.
func (r codexRequest) Result() string {
	for i := len(r.Input) - 1; i >= 0; i-- {
		if said := r.Input[i].output(); said != "" {
			return said
		}
	}
	return ""
}

func (i codexItem) output() string {
	var text string
	if json.Unmarshal(i.Output, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(i.Output, &parts) // an item without output
	for _, p := range parts {
		text += p.Text + "\n"
	}
	return text
}

func codexSays(text string) codexReply {
	return codexReply{{"type": "message", "role": "assistant",
		"content": []any{map[string]any{"type": "output_text", "text": text}}}}
}

func codexCalls(namespace, tool string, args map[string]any) codexReply {
	b, _ := json.Marshal(args) // maps of strings
	item := map[string]any{"type": "function_call", "name": tool, "arguments": string(b)}
	if namespace != "" {
		item["namespace"] = namespace
	}
	return codexReply{item}
}

func codexShell(command string) codexReply {
	return codexCalls("", "exec_command", map[string]any{"cmd": command})
}

func codexPatch(patch string) codexReply {
	return codexReply{{"type": "custom_tool_call", "name": "apply_patch", "input": patch}}
}

// always is a turn that says the same whatever it is asked.
func always(r codexReply) codexTurn { return func(codexRequest) codexReply { return r } }

// Codex puts Codex CLI on the lab's machine, with the lab's plugin.
func (l *Lab) Codex() *Codex {
	l.t.Helper()
	c := &Codex{lab: l, path: codexPath(l.t)}
	log, err := os.Create(filepath.Join(l.Root, "responses.jsonl"))
	if err != nil {
		l.t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.serve(w, r, log)
	}))
	l.t.Cleanup(func() { server.Close(); _ = log.Close() })
	self, err := os.Executable()
	if err != nil {
		l.t.Fatal(err)
	}
	l.Write(filepath.Join(l.Home, ".codex", "config.toml"), fmt.Sprintf(`model = %[1]q
model_provider = "lab"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
daemon_auto_start = false
[sandbox_workspace_write]
exclude_slash_tmp = true
[tui]
screen_reader_detection_done = true
[notice.model_migrations]
%[1]q = "gpt-6-sol"
[projects.%[6]q]
trust_level = "trusted"
[model_providers.lab]
name = "lab"
base_url = %[2]q
wire_api = "responses"
env_key = "LAB_KEY"
[mcp_servers.mempalace]
command = %[3]q
default_tools_approval_mode = "approve"
[mcp_servers.mempalace.env]
%[4]s = %[5]q
`, codexModel, server.URL+"/v1", self, palaceLog, filepath.Join(l.Root, "codex-palace.log"),
		l.Project))
	for _, args := range [][]string{{"plugin", "marketplace", "add", l.Plugin},
		{"plugin", "add", "keepsake@keepsake"}} {
		if run := c.run(args...); run.Code != 0 {
			l.t.Fatalf("codex %q: %+v", args, run)
		}
	}
	return c
}

// serve answers one request of the client.
func (c *Codex) serve(w http.ResponseWriter, r *http.Request, log io.Writer) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/responses") {
		writeJSON(w, http.StatusNotFound, map[string]any{})
		return
	}
	var req codexRequest
	if err := json.Unmarshal(body, &req); err != nil {
		c.lab.t.Errorf("request of codex: %v: %.300q", err, body)
	}
	c.mu.Lock()
	fmt.Fprintf(log, "%s\n", body)
	c.asked = append(c.asked, req)
	n, answer := len(c.asked), codexSays("ok")
	if strings.Contains(req.Text(), "single-line task title") { // of each interactive session
		answer = codexSays("A title")
	} else if turns := c.turnsOf(req); len(*turns) > 0 {
		answer = (*turns)[0](req)
		*turns = (*turns)[1:]
	} else {
		c.lab.t.Errorf("request %d of codex is not in the script:\n%s", n, req.Text())
	}
	c.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(kind string, data map[string]any) {
		data["type"] = kind
		b, _ := json.Marshal(data) // maps of strings, numbers and maps always encode
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
	}
	id := fmt.Sprintf("resp_%d", n)
	event("response.created", map[string]any{"response": map[string]any{"id": id}})
	for i, item := range answer {
		sent := map[string]any{"id": fmt.Sprintf("item_%d_%d", n, i)}
		for k, v := range item {
			sent[k] = v
		}
		if strings.HasSuffix(item["type"].(string), "_call") {
			sent["call_id"] = fmt.Sprintf("call_%d_%d", n, i)
		}
		event("response.output_item.done", map[string]any{"output_index": i, "item": sent})
	}
	event("response.completed", map[string]any{"response": map[string]any{"id": id,
		"usage": map[string]any{"input_tokens": 10, "input_tokens_details": nil, "output_tokens": 5,
			"output_tokens_details": nil, "total_tokens": 15}}})
}

// turnsOf returns the turns of whoever asks: the session's own agent, or a subagent.
func (c *Codex) turnsOf(req codexRequest) *[]codexTurn {
	if req.Metadata.Subagent != "" {
		return &c.sub
	}
	return &c.turns
}

// run runs the client with exactly these arguments, in the project, and waits for its end.
func (c *Codex) run(args ...string) Run {
	l := c.lab
	l.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.path, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = l.Project, &stdout, &stderr
	cmd.Env = []string{"HOME=" + l.Home, "XDG_RUNTIME_DIR=" + l.Runtime, "PATH=" + systemPath(),
		"LANG=C.UTF-8",
		"TERM=xterm-256color", "LAB_KEY=" + apiKey,
		"TMPDIR=" + filepath.Join(l.Root, "tmp")} // the client refuses a home below it
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if cmd.ProcessState == nil || ctx.Err() != nil {
		l.t.Fatalf("codex %.200q: %v\n%s", args, err, stderr.String())
	}
	return Run{Code: cmd.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}
}

// Script has the model answer with these turns from now on.
func (c *Codex) Script(turns ...codexTurn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns = turns
}

// Terminal starts the interactive client, in which a person trusts the plugin's hooks.
func (c *Codex) Terminal() *Terminal {
	c.lab.t.Helper()
	c.lab.Env["LAB_KEY"], c.lab.Env["TMPDIR"] = apiKey, filepath.Join(c.lab.Root, "tmp")
	term := c.lab.TerminalFor(140, 50, c.path)
	term.Wait(`Trust all and continue`)
	time.Sleep(beforeKey)
	term.Key("2")
	term.Wait(`› 2\. Trust all and continue`)
	term.Key("Enter")
	return term
}

// Type types a prompt into the interactive client and enters it.
func (term *Terminal) Type(text string) {
	term.t.Helper()
	term.until("the input line", func() bool {
		return strings.Contains(term.Screen(), "Ask Codex to do anything")
	})
	term.Key("-l", text)
	term.until("the prompt stands there", func() bool { return strings.Contains(term.Screen(), text) })
	time.Sleep(paste)
	term.Key("Enter")
}

// Exec runs a prompt in a new session whose model answers with these turns, and returns its requests. sandbox
// is the client's own. The person's trust in the hooks is taken for given: it needs the terminal.
func (c *Codex) Exec(sandbox, prompt string, turns ...codexTurn) []codexRequest {
	c.lab.t.Helper()
	return c.exec(turns, "exec", "--dangerously-bypass-hook-trust", "--sandbox", sandbox, prompt)
}

// Resume is Exec for the session that was under way last, in its own sandbox.
func (c *Codex) Resume(prompt string, turns ...codexTurn) []codexRequest {
	c.lab.t.Helper()
	return c.exec(turns, "exec", "--dangerously-bypass-hook-trust", "resume", "--last", prompt)
}

func (c *Codex) exec(turns []codexTurn, args ...string) []codexRequest {
	c.lab.t.Helper()
	c.mu.Lock()
	c.turns = turns
	from := len(c.asked)
	c.mu.Unlock()
	run := c.run(args...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if left := len(c.turns) + len(c.sub); run.Code != 0 || left > 0 {
		c.lab.t.Errorf("codex %q: exit %d, %d turns left\n%s", args, run.Code, left, run.Stderr)
	}
	return c.asked[from:]
}

// A codexScript is a model that makes one call after the other, and what it was told of each.
type codexScript struct{ told []string }

// does is the turn that answers with r, whatever the last call came to.
func (s *codexScript) does(r codexReply) codexTurn {
	return func(req codexRequest) codexReply {
		s.told = append(s.told, req.Result())
		return r
	}
}
