package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"keepsake/pkg/search/tiers"
)

// TestMain makes this test also the program itself and a MemPalace that answers
// by a script: the tests start both as they are started in earnest.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("KEEPSAKE_FAKE_PALACE") != "":
		fake(os.Getenv("KEEPSAKE_FAKE_PALACE"))
	case os.Getenv("KEEPSAKE_FAKE_MAIN") != "":
		main()
	default:
		os.Exit(m.Run())
	}
}

// says is one answer of a tool: a text, or an error of JSON-RPC.
type says struct {
	Text    string `json:",omitempty"`
	Notice  string `json:",omitempty"` // a text before it
	IsError bool   `json:",omitempty"`
	Code    int    `json:",omitempty"`
	Message string `json:",omitempty"`
	Data    any    `json:",omitempty"`
}

// fake serves MCP. The script has the answers of each tool, of which the last is
// given again and again. Calls are noted beside the script.
func fake(script string) {
	var answers map[string][]says
	text, err := os.ReadFile(script)
	if err == nil {
		err = json.Unmarshal(text, &answers)
	}
	log, lerr := os.OpenFile(script+".calls", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil || lerr != nil {
		fmt.Fprintln(os.Stderr, err, lerr)
		os.Exit(1)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var call struct {
			ID     json.RawMessage
			Method string
			Params struct {
				ProtocolVersion, Name string
				Arguments             json.RawMessage
			}
		}
		if err := json.Unmarshal(in.Bytes(), &call); err != nil || call.ID == nil {
			continue
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": call.ID}
		name := call.Params.Name
		switch all := answers[name]; {
		case call.Method == "initialize":
			answer["result"] = map[string]any{"protocolVersion": "2024-11-05",
				"capabilities": map[string]any{"tools": map[string]any{}},
				"serverInfo":   map[string]any{"name": "mempalace", "version": "3.11.0"}}
		case call.Method != "tools/call" || len(all) == 0:
			answer["error"] = map[string]any{"code": -32601, "message": "Unknown tool: " + name}
		default:
			fmt.Fprintf(log, "%s %s read-only=%s\n", name, call.Params.Arguments,
				os.Getenv("MEMPALACE_MCP_READ_ONLY"))
			if len(all) > 1 {
				answers[name] = all[1:]
			}
			a := all[0]
			if a.Code != 0 {
				answer["error"] = map[string]any{"code": a.Code, "message": a.Message, "data": a.Data}
				break
			}
			content := []any{}
			for _, text := range []string{a.Notice, a.Text} {
				if text != "" {
					content = append(content, map[string]any{"type": "text", "text": text})
				}
			}
			answer["result"] = map[string]any{"content": content, "isError": a.IsError}
		}
		_ = json.NewEncoder(os.Stdout).Encode(answer)
	}
}

// palace makes a MemPalace that answers by a script, and tells what it was asked.
func palace(t *testing.T, answers map[string][]says) (server []string, calls func() string) {
	t.Helper()
	script := filepath.Join(t.TempDir(), "script")
	text, err := json.Marshal(answers)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KEEPSAKE_FAKE_PALACE", script)
	return []string{os.Args[0]}, func() string {
		b, _ := os.ReadFile(script + ".calls")
		return string(b)
	}
}

// The texts are MemPalace 3.11's own, cut short.
const (
	none      = `{"error": "No palace found", "results": [], "hint": "Run: mempalace init <dir> && mempalace mine <dir>"}`
	noBackend = `{"error": "Backend open failed", "details": "Could not open the selected backend collection.", "hint": "Run: mempalace status", "backend": "sqlite_exact"}`
	embedder  = `{"success": false, "error": "Embedding API unavailable", "error_class": "EmbeddingAPIError", "details": "Connection refused", "hint": "Check that the embedding server is running"}`
	jobs      = `{"query": "jobs", "results": [{"drawer_id": "drawer_a", "text": "Jobs in Postgres.", "wing": "shop", "room": "decisions", "created_at": "2026-11-21T18:21:13.535463", "similarity": 0.447, "bm25_score": 1.19},
		{"drawer_id": "drawer_a", "text": "More of it.", "wing": "shop", "room": "decisions", "similarity": 0.2}]}`
	others   = `{"results": [{"drawer_id": "drawer_b", "text": "Jobs elsewhere.", "wing": "till", "room": "mail", "similarity": null}, {"drawer_id": "drawer_a", "text": "Jobs in Postgres.", "wing": "shop", "room": "decisions", "similarity": 0.447}]}`
	existing = `{"success": true, "reason": "already_exists", "drawer_id": "drawer_a"}`
)

func TestAnswers(t *testing.T) {
	search := tiers.PalaceAsk{Do: "search", Text: "jobs", Most: 3, Wing: "shop"}
	near := tiers.PalaceAsk{Do: "near", Text: "Jobs in Postgres!", Most: 3}
	add := tiers.PalaceAsk{Do: "add", Text: "Jobs in Postgres.", Wing: "shop", Room: "decisions",
		Source: "a/b.md:3"}
	remove := tiers.PalaceAsk{Do: "remove", Text: "Jobs in Postgres.", ID: "drawer_a"}
	busy := says{Code: codeBusy + apart,
		Message: "Peer MCP writer active; this server is read-only for mutating tools",
		Data:    map[string]any{"reason": "held by PID 7"}}
	for name, c := range map[string]struct {
		ask     tiers.PalaceAsk
		answers map[string][]says
		want    string // the answer, as JSON
		calls   string // what was asked, "" is not looked at
	}{
		"found": {search, map[string][]says{"mempalace_search": {{Text: jobs},
			{Notice: "[mempalace] without its hub", Text: others}}},
			`{"found":[{"id":"drawer_a","wing":"shop","room":"decisions","text":"Jobs in Postgres.","filed":"2026-11-21T18:21:13.535463","likeness":0.447},{"id":"drawer_b","wing":"till","room":"mail","text":"Jobs elsewhere.","filed":"","likeness":0}]}`,
			`mempalace_search {"limit":3,"query":"jobs","wing":"shop"} read-only=1` + "\n" +
				`mempalace_search {"limit":3,"query":"jobs"} read-only=1` + "\n"},
		"no palace": {search, map[string][]says{"mempalace_search": {{Text: none}}}, `{}`, ""},
		"nothing":   {search, map[string][]says{"mempalace_search": {{Text: `{"results": []}`}}}, `{}`, ""},
		"no embedder": {search, map[string][]says{"mempalace_search": {{Text: embedder, IsError: true}}},
			`{"trouble":"Embedding API unavailable: Connection refused","hint":"Check that the embedding server is running"}`, ""},
		"no embedder, older": {search, map[string][]says{"mempalace_search": {{Text: embedder}}},
			`{"trouble":"Embedding API unavailable: Connection refused","hint":"Check that the embedding server is running"}`, ""},
		"no JSON": {search, map[string][]says{"mempalace_search": {{Text: "found\n 3 drawers"}}},
			`{"trouble":"mempalace_search answered \"found 3 drawers\", which is no JSON object"}`, ""},
		"no text": {search, map[string][]says{"mempalace_search": {{}}},
			`{"trouble":"mempalace_search answered \"\", which is no JSON object"}`, ""},
		"a list": {search, map[string][]says{"mempalace_search": {{Text: "[1]"}}},
			`{"trouble":"mempalace_search answered \"[1]\", which is no JSON object"}`, ""},
		"other JSON": {search, map[string][]says{"mempalace_search": {{Text: `{"results": 7}`}}},
			`{"trouble":"mempalace_search answered \"{\\\"results\\\": 7}\", which is no answer of that tool"}`,
			""},
		"an error": {search,
			map[string][]says{"mempalace_search": {{Text: "Internal  error", IsError: true}}},
			`{"trouble":"mempalace_search failed: Internal error"}`, ""},
		"no tool": {search, map[string][]says{"other": {{}}},
			`{"trouble":"Unknown tool: mempalace_search"}`, ""},

		"near": {near,
			map[string][]says{"mempalace_check_duplicate": {{Text: `{"is_duplicate": true, "matches": [{"id": "drawer_a", "wing": "shop", "room": "decisions", "similarity": 1.0, "content": "Jobs in Postgres."}]}`}}},
			`{"found":[{"id":"drawer_a","wing":"shop","room":"decisions","text":"Jobs in Postgres.","filed":"","likeness":1}]}`, `mempalace_check_duplicate {"content":"Jobs in Postgres!"} read-only=1` + "\n"},
		"none near": {near,
			map[string][]says{"mempalace_check_duplicate": {{Text: `{"is_duplicate": false, "matches": []}`}}}, `{}`, ""},
		"near, no palace": {near,
			map[string][]says{"mempalace_check_duplicate": {{Text: noBackend, IsError: true}},
				"mempalace_search": {{Text: none}}}, `{}`, ""},
		"near, a broken one": {near,
			map[string][]says{"mempalace_check_duplicate": {{Text: noBackend, IsError: true}},
				"mempalace_search": {{Text: noBackend}}},
			`{"trouble":"Backend open failed: Could not open the selected backend collection.","hint":"Run: mempalace status"}`, ""},
		"near, but found some": {near,
			map[string][]says{"mempalace_check_duplicate": {{Text: `{"error": "Duplicate check failed"}`}},
				"mempalace_search": {{Text: jobs}}}, `{"trouble":"Duplicate check failed"}`, ""},
		"near, but found none": {near,
			map[string][]says{"mempalace_check_duplicate": {{Text: `{"error": "Duplicate check failed"}`}},
				"mempalace_search": {{Text: `{"results": []}`}}}, `{"trouble":"Duplicate check failed"}`, ""},
		"near, no vectors": {near,
			map[string][]says{"mempalace_check_duplicate": {{Text: `{"is_duplicate": false, "matches": [], "vector_disabled": true, "vector_disabled_reason": "index diverged", "hint": "run mempalace repair"}`}}},
			`{"trouble":"it can't look for duplicates: index diverged","hint":"run mempalace repair"}`, ""},

		"read": {tiers.PalaceAsk{Do: "read", Text: "drawer_a"},
			map[string][]says{"mempalace_get_drawer": {{Text: `{"drawer_id": "drawer_a", "content": "All\nof it.", "wing": "shop", "room": "decisions", "metadata": {"filed_at": "2026-11-21T18:21:13.562821", "source_file": "x.md:3"}}`}}},
			`{"found":[{"id":"drawer_a","wing":"shop","room":"decisions","text":"All\nof it.","source":"x.md:3","filed":"2026-11-21T18:21:13.562821","likeness":1}]}`, `mempalace_get_drawer {"drawer_id":"drawer_a"} read-only=1` + "\n"},
		"read, none": {tiers.PalaceAsk{Do: "read", Text: "x"},
			map[string][]says{"mempalace_get_drawer": {{Text: `{"error": "Drawer not found: x"}`}}}, `{}`,
			""},
		"read, failed": {tiers.PalaceAsk{Do: "read", Text: "x"},
			map[string][]says{"mempalace_get_drawer": {{Text: noBackend}}},
			`{"trouble":"Backend open failed: Could not open the selected backend collection.","hint":"Run: mempalace status"}`, ""},

		"add": {add,
			map[string][]says{"mempalace_add_drawer": {{Text: `{"success": true, "drawer_id": "drawer_a", "wing": "shop", "room": "decisions", "chunks": 1}`}}}, `{"ids":["drawer_a"]}`,
			`mempalace_add_drawer {"added_by":"keepsake","content":"Jobs in Postgres.","room":"decisions","source_file":"a/b.md:3","wing":"shop"} read-only=` + "\n"},
		"add, in pieces": {add,
			map[string][]says{"mempalace_add_drawer": {{Text: `{"success": true, "drawer_id": "drawer_a", "chunks": 2, "chunk_ids": ["drawer_a_0", "drawer_a_1"]}`}}}, `{"ids":["drawer_a","drawer_a_0","drawer_a_1"]}`, ""},
		"add again": {add, map[string][]says{"mempalace_add_drawer": {{Text: existing}},
			"mempalace_get_drawer": {{Text: `{"drawer_id": "drawer_a", "content": "Jobs in Postgres."}`}}},
			`{"ids":["drawer_a"],"existed":true}`, ""},
		"add again, in pieces": {add, map[string][]says{"mempalace_add_drawer": {{Text: existing}},
			"mempalace_get_drawer": {{Text: `{"content": "Jobs in Postgres.", "chunk_ids": ["drawer_a_0"]}`}}},
			`{"ids":["drawer_a","drawer_a_0"],"existed":true}`, ""},
		"edited since": {add, map[string][]says{"mempalace_add_drawer": {{Text: existing}},
			"mempalace_get_drawer": {{Text: `{"content": "Jobs in Redis."}`}}},
			`{"trouble":"the drawer drawer_a was stored with this text and has another now","hint":"look at it with MemPalace; the same text in another room is another drawer"}`, ""},
		"remove": {remove,
			map[string][]says{"mempalace_get_drawer": {{Text: `{"drawer_id": "drawer_a", "content": "Jobs in Postgres."}`}},
				"mempalace_delete_drawer": {busy, {Text: `{"success": true, "drawer_id": "drawer_a"}`}}},
			`{}`,
			`mempalace_get_drawer {"drawer_id":"drawer_a"} read-only=` + "\n" +
				`mempalace_delete_drawer {"drawer_id":"drawer_a"} read-only=` +
				"\n" + `mempalace_delete_drawer {"drawer_id":"drawer_a"} read-only=` + "\n"},
		"remove, gone": {remove,
			map[string][]says{"mempalace_get_drawer": {{Text: `{"error": "Drawer not found: drawer_a"}`}}},
			`{}`,
			`mempalace_get_drawer {"drawer_id":"drawer_a"} read-only=` + "\n"},
		"remove, edited": {remove,
			map[string][]says{"mempalace_get_drawer": {{Text: `{"content": "Jobs in Redis."}`}}},
			`{"trouble":"the drawer drawer_a has another text by now","hint":"look at it again"}`,
			`mempalace_get_drawer {"drawer_id":"drawer_a"} read-only=` + "\n"},
		"remove, failed": {remove,
			map[string][]says{"mempalace_get_drawer": {{Text: `{"content": "Jobs in Postgres."}`}},
				"mempalace_delete_drawer": {{Text: `{"success": false, "error": "disk full"}`}}},
			`{"trouble":"disk full"}`, ""},
		"a name": {add,
			map[string][]says{"mempalace_add_drawer": {{Text: `{"success": false, "error": "wing contains invalid characters"}`}}}, `{"trouble":"wing contains invalid characters"}`, ""},
		"no success": {add, map[string][]says{"mempalace_add_drawer": {{Text: `{"success": false}`}}},
			`{"trouble":"mempalace_add_drawer failed"}`, ""},
		"busy once": {add, map[string][]says{"mempalace_add_drawer": {busy,
			{Text: `{"success": true, "drawer_id": "drawer_a"}`}}}, `{"ids":["drawer_a"]}`, ""},
		"read-only": {add, map[string][]says{"mempalace_add_drawer": {{Code: codeReadOnly + apart,
			Message: "Server is in read-only mode; this tool is disabled"}}},
			`{"trouble":"Server is in read-only mode; this tool is disabled","hint":"MEMPALACE_MCP_READ_ONLY is set, or tiers.mempalace_command has --read-only: it stores nothing with it"}`, ""},
		"diverged": {add, map[string][]says{"mempalace_add_drawer": {{Code: codeDiverged + apart,
			Message: "Vector index diverged", Data: "17 rows"}}},
			`{"trouble":"Vector index diverged","hint":"mempalace repair-status"}`, ""},
		"arguments": {add, map[string][]says{"mempalace_add_drawer": {{Code: -32602,
			Message: "Unknown parameter 'added_by'"}}}, `{"trouble":"Unknown parameter 'added_by'"}`, ""},
		"unknown": {tiers.PalaceAsk{Do: "forget"}, nil, `{"trouble":"can't \"forget\""}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			server, calls := palace(t, c.answers)
			c.ask.Server = server
			a, end := answer(t.Context(), c.ask)
			end()
			got, err := json.Marshal(a)
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, c.want)
			}
			if got := calls(); c.calls != "" && got != c.calls {
				t.Errorf("asked %s\nwant  %s", got, c.calls)
			}
		})
	}
}

// A palace that another program keeps is an error that names it, in the end.
func TestBusy(t *testing.T) {
	e := refusal(&jsonrpc.Error{Code: codeBusy, Message: "Peer MCP writer active",
		Data: []byte(`{"reason": "held by PID 7"}`)})
	if e.what != "Peer MCP writer active: held by PID 7" || !strings.Contains(e.hint, "mempalace serve") {
		t.Errorf("%+v", e)
	}
}

// What is no MCP server is told, with what it said itself.
func TestNoServer(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"traceback": {"echo 'Traceback (most recent call last):'; echo 'ModuleNotFoundError: no " +
			"chromadb' >&2; cat >/dev/null", "invalid character 'T'"},
		"ends": {"echo 'first' >&2; echo 'OSError: disk full' >&2; exit 3",
			"it ended; it said: OSError: disk full"},
		"half a line": {`read x; printf '{"jsonrpc":"2.0","id":1,"res'`, "unexpected EOF"},
		"endless":     {`read x; printf '"'; exec cat /dev/zero`, "invalid character"},
		"large":       {`read x; printf '"'; yes | tr -d '\n'`, "maximum line length"},
		"echo":        {"cat", "initialize"},
		"in a call":   {`id() { sed -n 's/.*"id":\([0-9]*\),.*/\1/p'; }; read x; printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}\n' $(echo "$x" | id); read x; read x; echo 'killed by a wolf' >&2`, "it ended; it said: killed by a wolf"},
		"garbage":     {`read x; echo '[[]]'`, "did not answer as an MCP server"},
	} {
		t.Run(name, func(t *testing.T) {
			bin := filepath.Join(t.TempDir(), "server")
			if err := os.WriteFile(bin, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			a, end := answer(t.Context(), tiers.PalaceAsk{Server: []string{bin}, Do: "search", Text: "x",
				Most: 1})
			end()
			if !strings.Contains(a.Trouble, c.want) {
				t.Errorf("%+v, want %q", a, c.want)
			}
		})
	}
	for _, server := range [][]string{nil, {"/nowhere/mempalace-mcp"}} {
		if a, end := answer(t.Context(), tiers.PalaceAsk{Server: server, Do: "search"}); a.Trouble == "" {
			t.Errorf("%q: %+v", server, a)
		} else {
			end()
		}
	}
}

// Whoever asked and is gone leaves nothing behind, not even a server that won't end.
func TestNobodyWaits(t *testing.T) {
	dir := t.TempDir()
	bin, pids := filepath.Join(dir, "server"), filepath.Join(dir, "pids")
	// It and its child end by force only.
	script := "#!/bin/sh\ntrap '' TERM HUP\nsleep 600 &\necho $$ $! >" + pids + ".new; mv " + pids + ".new " +
		pids + "\nwait\nwait\n"
	if err := os.WriteFile(bin, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KEEPSAKE_FAKE_MAIN=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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
	defer cmd.Process.Kill()
	if err := json.NewEncoder(in).Encode(tiers.PalaceAsk{Server: []string{bin}, Do: "search", Text: "x",
		Most: 1}); err != nil {
		t.Fatal(err)
	}
	var server, child int
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if b, err := os.ReadFile(pids); err == nil {
			if _, err := fmt.Sscan(string(b), &server, &child); err != nil {
				t.Fatal(err)
			}
			break
		}
		if time.Now().After(until) {
			t.Fatal("the server was not started")
		}
	}
	in.Close()
	out.Close()
	_ = cmd.Wait() // it takes itself along
	for _, pid := range []int{server, child} {
		for until := time.Now().Add(20 * time.Second); alive(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("process %d lives", pid)
			}
		}
	}
}

// The gate takes it for MemPalace's own command line, of which some arguments read.
func TestNoArguments(t *testing.T) {
	for _, arg := range []string{"search", "--help", ""} {
		cmd := exec.Command(os.Args[0], arg)
		cmd.Env = append(os.Environ(), "KEEPSAKE_FAKE_MAIN=1")
		cmd.Stdin = strings.NewReader(`{"server":["true"],"do":"search","text":"x","most":1}`)
		if out, err := cmd.CombinedOutput(); err == nil ||
			!strings.HasPrefix(string(out), "mempalace: takes no arguments") {
			t.Errorf("%q: %s, %v", arg, out, err)
		}
	}
}

// alive tells whether a process runs; one that only waits for its parent does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(b), ") Z ")
}
