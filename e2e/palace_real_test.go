//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// RealPalace is MemPalace itself, from PyPI, with its exact SQLite back end and embeddings from a server of
// the story. Its data is in the lab's home, where a new installation has it.
type RealPalace struct {
	lab *Lab
	env map[string]string
	bin string // folder of its programs
	log string // what its server said to clients

	server, config string // what the client starts, and the settings that say so

	thinks atomic.Int64 // nanoseconds that its embeddings take
}

// RealPalace prepares MemPalace for the lab. Args make the client start its MCP server, called "mempalace".
func (l *Lab) RealPalace() (p *RealPalace, args []string) {
	l.t.Helper()
	bin, err := filepath.Abs(filepath.Join("mempalace", "venv", "bin"))
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(bin, "mempalace-mcp")); err != nil {
		l.t.Fatalf("MemPalace is not installed: %v\nhint: run e2e/install-mempalace.sh", err)
	}
	p = &RealPalace{lab: l, bin: bin}
	embed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(p.thinks.Load()))
		embeddings(w, r)
	}))
	l.t.Cleanup(embed.Close)
	p.env = map[string]string{
		"MEMPALACE_BACKEND": "sqlite_exact", "MEMPALACE_EMBEDDING_MODEL": "openai-compat",
		"MEMPALACE_EMBEDDING_API_URL": embed.URL, "MEMPALACE_EMBEDDING_API_MODEL": "hash",
	}
	p.log = filepath.Join(l.Root, "mempalace-mcp.log")
	server := filepath.Join(l.Root, "mempalace-mcp.sh")
	l.WriteProgram(server, "#!/bin/sh\n"+quote(p.program("mempalace-mcp"))+" | tee -a "+quote(p.log)+"\n")
	p.server, p.config = server, filepath.Join(l.Root, "mcp.json")
	p.Entry(nil)
	return p, []string{"--mcp-config", p.config}
}

// Entry writes the server's entry in the client's settings anew, with more variables.
func (p *RealPalace) Entry(more map[string]string) {
	env := maps.Clone(p.env)
	maps.Copy(env, more)
	p.lab.WriteJSON(p.config, map[string]any{"mcpServers": map[string]any{
		"mempalace": map[string]any{"type": "stdio", "command": p.server, "args": []string{}, "env": env},
	}})
}

// embeddings answers like OpenAI's /v1/embeddings: a vector that is the digest of the text.
func embeddings(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input json.RawMessage }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var texts []string
	if json.Unmarshal(in.Input, &texts) != nil {
		texts = []string{string(in.Input)}
	}
	data := []any{}
	for i, text := range texts {
		sum := sha256.Sum256([]byte(text))
		vector := make([]float64, len(sum))
		for j, b := range sum {
			vector[j] = float64(b) / 255
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": vector})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "hash", "data": data})
}

// Connected waits until a client has been told of the server's tools. It is false when none has within the
// suite's patience.
func (p *RealPalace) Connected() bool { return saidIn(p.log, `"tools": [`, `"tools":[`) }

// Stores is a model that has texts stored, one call after the other, and then says "All is stored.".
func (p *RealPalace) Stores(texts ...string) Turn {
	return func(r *Request) Reply {
		if strings.Contains(r.Tail(), `"success": true`) && len(texts) > 0 {
			texts = texts[1:]
		}
		if len(texts) == 0 {
			return Say("All is stored.")
		}
		return store(texts[0]).after(p)
	}
}

func (p *RealPalace) program(name string) string { return filepath.Join(p.bin, name) }

// Database is the file with its drawers.
func (p *RealPalace) Database() string {
	return filepath.Join(p.lab.Home, ".config", "mempalace", "palace", "sqlite_exact.sqlite3")
}

// Command is one of its command lines as a person types it, outside of any client.
func (p *RealPalace) Command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(p.program(name), args...)
	cmd.Dir, cmd.Env = p.lab.Project, p.lab.environ()
	for k, v := range p.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// A RealServer is an MCP server of the palace that the story itself talks to, as another program would.
type RealServer struct {
	lab *Lab
	in  *json.Encoder
	out *bufio.Reader
	end func()
	n   int
}

// Serve starts a server. It ends with Close, or with the lab.
func (p *RealPalace) Serve() *RealServer {
	t := p.lab.t
	t.Helper()
	cmd := p.Command("mempalace-mcp")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	s := &RealServer{lab: p.lab, in: json.NewEncoder(in), out: bufio.NewReader(out)}
	s.end = func() {
		if ended {
			return
		}
		ended = true
		in.Close()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
		if err := cmd.Wait(); err != nil {
			t.Logf("mempalace-mcp: %v", err)
		}
		if t.Failed() {
			t.Logf("mempalace-mcp said:\n%s", errs.String())
		}
	}
	t.Cleanup(s.end)
	s.rpc("initialize", map[string]any{"protocolVersion": "2024-11-05", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "e2e", "version": "1"}})
	return s
}

// Close ends the server as a client that goes does.
func (s *RealServer) Close() { s.end() }

func (s *RealServer) rpc(method string, params any) json.RawMessage {
	s.lab.t.Helper()
	s.n++
	if err := s.in.Encode(map[string]any{"jsonrpc": "2.0", "id": s.n, "method": method,
		"params": params}); err != nil {
		s.lab.t.Fatal(err)
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		s.lab.t.Fatalf("mempalace-mcp: %s: %v", method, err)
	}
	var answer struct {
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.Error != nil {
		s.lab.t.Fatalf("mempalace-mcp: %s: %s, %v", method, line, err)
	}
	return answer.Result
}

// Call calls a tool, such as "mempalace_add_drawer", and returns the JSON object that it answers.
func (s *RealServer) Call(tool string, args map[string]any) map[string]any {
	s.lab.t.Helper()
	var result struct {
		Content []struct{ Text string }
	}
	raw := s.rpc("tools/call", map[string]any{"name": tool, "arguments": args})
	answer := map[string]any{}
	if err := json.Unmarshal(raw, &result); err != nil || len(result.Content) == 0 ||
		json.Unmarshal([]byte(result.Content[0].Text), &answer) != nil {
		s.lab.t.Fatalf("%s answered %s", tool, raw)
	}
	return answer
}

// A Drawer is one stored text, or one piece of a long one.
type Drawer struct{ ID, Content string }

// Drawers are what the palace holds, in the order it was stored, read from its database.
func (p *RealPalace) Drawers() (all []Drawer) {
	t := p.lab.t
	t.Helper()
	if _, err := os.Stat(p.Database()); os.IsNotExist(err) {
		return nil
	}
	db, err := sqlite3.OpenFlags(p.Database(), sqlite3.OPEN_READONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Exec("PRAGMA busy_timeout=5000"); err != nil { // the server may be writing
		t.Fatal(err)
	}
	s, _, err := db.Prepare("SELECT id, document FROM documents ORDER BY rowid")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for s.Step() {
		all = append(all, Drawer{s.ColumnText(0), s.ColumnText(1)})
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

type count struct {
	Rows  int
	Last  []struct{ ID string }
	Error string
}

// counted is what Keepsake's program counts in one file of the palace.
func (p *RealPalace) counted(path, kind string) count {
	t := p.lab.t
	t.Helper()
	ask, err := json.Marshal([]any{map[string]any{"path": path, "kind": kind}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join("..", "bin", "libexec", "palace"))
	cmd.Stdin = bytes.NewReader(ask)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []count
	if err := json.Unmarshal(out, &all); err != nil || len(all) != 1 {
		t.Fatalf("%s, %v", out, err)
	}
	return all[0]
}

// The real server stores a drawer, a fact and a tunnel, and each is counted with its id, while the server
// runs and when it has gone.
func TestRealPalaceIsCounted(t *testing.T) {
	t.Parallel()
	l := NewLab(t, Client{Version: versions[0]})
	p, _ := l.RealPalace()
	s := p.Serve()
	drawer := s.Call("mempalace_add_drawer",
		map[string]any{"wing": "shop", "room": "queue", "content": "We use Postgres.\n"})
	s.Call("mempalace_add_drawer",
		map[string]any{"wing": "shop", "room": "mail", "content": "Mail goes out at night."})
	fact := s.Call("mempalace_kg_add",
		map[string]any{"subject": "shop", "predicate": "uses", "object": "Postgres"})
	tunnel := s.Call("mempalace_create_tunnel", map[string]any{"source_wing": "shop", "source_room": "queue",
		"target_wing": "shop", "target_room": "mail"})
	if got := p.Drawers(); len(got) != 2 || got[0].ID != drawer["drawer_id"] ||
		got[0].Content != "We use Postgres.\n" {
		t.Errorf("stored %q", got)
	}
	check := func() {
		t.Helper()
		for _, want := range []struct {
			path, kind string
			id         any
			rows       int
		}{
			{p.Database(), "drawer", drawer["drawer_id"], 2},
			{filepath.Join(l.Home, ".mempalace", "knowledge_graph.sqlite3"), "fact", fact["triple_id"], 1},
			{filepath.Join(l.Home, ".config", "mempalace", "tunnels.json"), "tunnel", tunnel["id"], 1},
		} {
			if c := p.counted(want.path, want.kind); c.Rows != want.rows || c.Error != "" ||
				c.Last[0].ID != want.id {
				t.Errorf("%s: %+v, want %d with %v", want.path, c, want.rows, want.id)
			}
		}
	}
	check()
	s.Close()
	check()
	if out, err := p.Command("mempalace", "search", "Postgres").CombinedOutput(); err != nil ||
		!strings.Contains(string(out), "We use Postgres.") {
		t.Errorf("MemPalace finds its drawer no more: %v\n%s", err, out)
	}
}

// With MemPalace's variable in the server's entry, an agent is offered no tool that stores: without a gate,
// in bypass mode, and in a project whose settings take the variable back. Another program stores meanwhile,
// and the agent reads it.
func TestReadOnlyEntryOffersNoWrites(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		p, args := l.RealPalace()
		p.Entry(map[string]string{"MEMPALACE_MCP_READ_ONLY": "1"})
		l.ProjectSettings(map[string]any{"env": map[string]string{"MEMPALACE_MCP_READ_ONLY": "0"}})
		store := func(room string) {
			other := p.Serve()
			other.Call("mempalace_add_drawer", map[string]any{"wing": "shop", "room": room, "content": room})
			other.Close()
		}
		store("queue") // there is no reading of a palace that nobody has made
		calls, found := 0, ""
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			switch calls++; calls {
			case 1:
			case 2:
				store("mail")
			default:
				found = r.Tail()
				return Say("It is read.")
			}
			return Call("mcp__mempalace__mempalace_list_drawers", map[string]any{}).after(p)
		})
		l.Headless("what is kept?", append(args, "--permission-mode", "bypassPermissions")...)
		if !strings.Contains(found, "mail") {
			t.Errorf("the agent read %q\n%s", found, l.Model.Digest())
		}
		for _, line := range lines(text(p.log)) {
			var said struct {
				Result struct{ Tools []struct{ Name string } }
			}
			if json.Unmarshal([]byte(line), &said) != nil || len(said.Result.Tools) == 0 {
				continue
			}
			names := map[string]bool{}
			for _, tool := range said.Result.Tools {
				names[tool.Name] = true
			}
			if !names["mempalace_search"] || names["mempalace_add_drawer"] || names["mempalace_kg_add"] {
				t.Errorf("the client was told of %v", names)
			}
			return
		}
		t.Errorf("the client was told of no tools: %s", text(p.log))
	})
}
