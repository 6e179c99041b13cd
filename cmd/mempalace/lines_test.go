package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"keepsake/pkg/libexec"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// echo answers a call with what was asked.
func echo(_ context.Context, q libexec.HostCall) (libexec.HostAnswer, error) {
	return libexec.HostAnswer{Text: q.Tool + " " + string(q.Args)}, nil
}

// welcomed takes what a server answers. As an input it is empty, and ends when the server has answered once.
type welcomed struct {
	text  bytes.Buffer
	once  sync.Once
	first chan struct{}
}

func (w *welcomed) Write(p []byte) (int, error) {
	defer w.once.Do(func() { close(w.first) })
	return w.text.Write(p)
}

func (w *welcomed) Read([]byte) (int, error) {
	<-w.first
	return 0, io.EOF
}

// serveRaw has the server read an input of a client that has said hello, to its end, and returns what it
// answers behind that hello.
func serveRaw(t *testing.T, most int, input string) []string {
	t.Helper()
	out := welcomed{first: make(chan struct{})}
	l := newLines(io.MultiReader(strings.NewReader(hello), &out, strings.NewReader(input)), &out, most)
	if err := serveHost(t.Context(), l, echo); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.text.String(), "\n"), "\n")
	if !strings.HasPrefix(lines[0], `{"jsonrpc":"2.0","id":"hello","result":`) {
		t.Fatalf("no welcome: %s", out.text.String())
	}
	return lines[1:]
}

// TestRawLines speaks the protocol by hand. A line that is no message is answered, and the next one as well.
func TestRawLines(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":`
	long := strings.Repeat("x", 3000)
	for name, c := range map[string]struct{ line, want string }{
		"broken":        {`{"jsonrpc":"2.0","id":1,`, `"id":null,"error":{"code":-32700,`},
		"no JSON":       {"hello?", `"id":null,"error":{"code":-32700,`},
		"two on a line": {ping + ping, `"id":null,"error":{"code":-32700,`},
		"bytes":         {"\xff\x00\xfe", `"id":null,"error":{"code":-32700,`},
		"a batch": {"[" + ping + "]", `"id":null,"error":{"code":-32600,"message":"keepsake: this line is ` +
			`no message of JSON-RPC 2.0: it must be an object, not a list"`},
		"nothing": {"[]", `"id":null,"error":{"code":-32600,`},
		"a number": {"5", `"id":null,"error":{"code":-32600,"message":"keepsake: this line is no message ` +
			`of JSON-RPC 2.0: it must be an object, not a number"`},
		"null": {"null", `"id":null,"error":{"code":-32600,`},
		"another version": {`{"jsonrpc":"1.0","id":1,"method":"ping"}`,
			`"id":null,"error":{"code":-32600,`},
		"an id that is none": {`{"jsonrpc":"2.0","id":[1],"method":"ping"}`,
			`JSON-RPC 2.0: its id must be a text or a number"`},
		"a method that is none": {`{"jsonrpc":"2.0","id":1,"method":5}`, `"id":null,"error":{"code":-32600,` +
			`"message":"keepsake: this line is no message of JSON-RPC 2.0: its method must be a text, ` +
			`not a number"`},
		"too deep": {call + strings.Repeat("[", 1200) + strings.Repeat("]", 1200) + "}",
			`"id":null,"error":{"code":-32600,`},
		"too long": {call + `{"name":"show","arguments":{"id":"` + long + `"}}}`,
			`"id":7,"error":{"code":-32600,`},
		"too long, the id last": {`{"method":"tools/call","params":{"id":1,"x":"\"},\"id\":2,` + long +
			`"},"id" : "nine"}`, `"id":"nine","error":{"code":-32600,`},
		"too long, no id": {long, `"id":null,"error":{"code":-32600,`},
		"unknown method":  {`{"jsonrpc":"2.0","id":7,"method":"nope"}`, `"id":7,"error":{"code":-32601,`},
		"bad params": {call + `5}`, `"id":7,"error":{"code":-32602,"message":"keepsake: tools/call: params ` +
			`must be an object, not a number"`},
		"a name that is none": {call + `{"name":[]}}`, `"id":7,"error":{"code":-32602,"message":"keepsake: ` +
			`tools/call: name must be a text, not a list"`},
		"unknown tool":  {call + `{"name":"nope"}}`, `"id":7,"error":{"code":-32602,`},
		"bad arguments": {call + `{"name":"show","arguments":[1]}}`, `"id":7,"error":{"code":-32602,`},
		"a call":        {call + `{"name":"show","arguments":{"id":"d1"}}}`, `show {\"id\":\"d1\"}`},
		"no arguments":  {call + `{"name":"show"}}`, `show {}`},
		"a call, as Windows ends a line": {call + `{"name":"show","arguments":{"id":"d1"}}}` + "\r",
			`show {\"id\":\"d1\"}`},
		"an id once more": {`{"jsonrpc":"2.0","id":"hello","method":"nope"}`,
			`"id":"hello","error":{"code":-32601,`},
		"an answer to what none asks": {`{"jsonrpc":"2.0","id":3,"result":{}}`, ""},
		"an empty line":               {"", ""},
	} {
		got := serveRaw(t, 2500, c.line+"\n"+ping) // the last line ends with the input
		all := strings.Join(got, "\n")
		if !strings.Contains(all, `{"jsonrpc":"2.0","id":"ping","result":{}}`) {
			t.Errorf("%s: the server did not go on: %s", name, got)
		}
		if !strings.Contains(all, c.want) || c.want == "" && len(got) != 1 ||
			c.want != "" && len(got) != 2 {
			t.Errorf("%s: %s, want %s", name, all, c.want)
		}
		for _, line := range got {
			if strings.Contains(line, `"id":null`) && !strings.Contains(line, `"message":"keepsake: `) {
				t.Errorf("%s: nobody is named: %s", name, line)
			}
			for _, of := range []string{"json:", "unmarshal", "jsonrpc2", "mcp.", "interface", "struct"} {
				if strings.Contains(line, of) {
					t.Errorf("%s: %q is of Go: %s", name, of, line)
				}
			}
		}
	}
}

// TestAnsweredAtTheEnd holds that what was asked before the input ended is answered, however long it takes.
func TestAnsweredAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	slow := func(ctx context.Context, q libexec.HostCall) (libexec.HostAnswer, error) {
		time.Sleep(50 * time.Millisecond)
		return echo(ctx, q)
	}
	in := hello
	for i := range 3 {
		in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"recall"}}`+"\n", i)
	}
	if err := serveHost(t.Context(), newLines(strings.NewReader(in), &out, 1000), slow); err != nil &&
		!errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), `recall {}`); got != 3 {
		t.Errorf("%d of 3 calls are answered: %s", got, out.String())
	}
}

// TestClientAmidNoise has the SDK's own client call the server through a line on which others talk nonsense:
// a second opinion on what we answer.
func TestClientAmidNoise(t *testing.T) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- serveHost(t.Context(), newLines(fromClient, toClient, 1<<10), echo) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	// The client is not shown the answers to what it did not send: it takes an error without an id for a
	// broken connection.
	fromNoise, toReader := io.Pipe()
	noise, heard := 0, make(chan struct{})
	go func() {
		defer close(heard)
		for lines := bufio.NewScanner(fromServer); lines.Scan(); {
			if strings.Contains(lines.Text(), `"id":null,"error":`) {
				noise++
				continue
			}
			fmt.Fprintln(toReader, lines.Text())
		}
		toReader.Close()
	}()
	s, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromNoise, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range []string{"{", "[]", strings.Repeat("y", 5<<10), "\x00"} {
		if _, err := fmt.Fprintln(toServer, line); err != nil {
			t.Fatal(err)
		}
		a, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "show",
			Arguments: map[string]any{"id": i}})
		if err != nil || a.IsError {
			t.Fatalf("behind %.10q: %v, %v", line, a, err)
		}
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "show",
		Arguments: map[string]any{"id": strings.Repeat("z", 2<<10)}}); err == nil ||
		!strings.Contains(err.Error(), "longer than 1 KiB") {
		t.Errorf("a call that is too long: %v", err)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != len(hostTools) {
		t.Fatalf("tools: %v, %v", tools, err)
	}
	for _, tool := range tools.Tools {
		schema, err := json.Marshal(tool.InputSchema)
		if tool.Name == "memory" && (err != nil || !strings.Contains(tool.Description, ".md") ||
			!strings.Contains(string(schema), ".md")) {
			t.Errorf("memory does not say how names end: %s, %s, %v", tool.Description, schema, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("the server ended with %v", err)
	}
	toClient.Close()
	<-heard
	if noise != 4 {
		t.Errorf("%d lines of nonsense are answered, want 4", noise)
	}
}

// startServer starts the program as the server.
func startServer(t *testing.T, out io.Writer) (cmd *exec.Cmd, in io.WriteCloser, said *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said = &bytes.Buffer{}
	cmd = exec.Command(self, "server")
	cmd.Env = []string{"KEEPSAKE_FAKE_MAIN=1", "HOME=" + t.TempDir()}
	cmd.Stdout, cmd.Stderr = out, said
	if in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, said
}

// TestServerEnds holds how the program ends: by itself with the input, also behind lines that are none; by a
// signal; and with a word where it can't write.
func TestServerEnds(t *testing.T) {
	var out bytes.Buffer
	cmd, in, said := startServer(t, &out)
	for _, part := range []string{hello, "{\n", strings.Repeat("x", 3<<20), "\n"} {
		if _, err := io.WriteString(in, part); err != nil {
			t.Fatal(err)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil || said.Len() > 0 {
		t.Errorf("end of the input: %v, %q", err, said)
	}
	if got := out.String(); strings.Count(got, "\n") != 3 || !strings.Contains(got, "-32700") ||
		!strings.Contains(got, "longer than 2048 KiB") {
		t.Errorf("answers: %s", got)
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd, in, _ = startServer(t, w)
	w.Close()
	defer in.Close()
	if _, err := io.WriteString(in, hello); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(r).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	var how *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &how) ||
		how.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("SIGTERM: %v", err)
	}

	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer full.Close()
	cmd, in, said = startServer(t, full)
	if _, err := io.WriteString(in, hello); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err == nil || !strings.HasPrefix(said.String(), "keepsake: mcp: ") {
		t.Errorf("nowhere to write: %v, %q", err, said)
	}
}

// endless is an input of one letter.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// TestLongLineIsNotKept holds that a line is skipped in bounded memory.
func TestLongLineIsNotKept(t *testing.T) {
	const size = 64 << 20
	in := bufio.NewReader(io.MultiReader(io.LimitReader(endless('x'), size), strings.NewReader("\nnext\n")))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readLine(in, 1<<20)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("%d KiB were taken for a line of %d", took>>10, size>>10)
	}
	var long *longLine
	if !errors.As(err, &long) {
		t.Errorf("error %v", err)
	}
	if line, err := readLine(in, 1<<20); string(line) != "next" || err != nil {
		t.Errorf("the next line: %q, %v", line, err)
	}
}

// FuzzReadLine compares the lines of an input, which comes in pieces, with what strings.Split says of it.
func FuzzReadLine(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccc"), uint8(2), uint8(16))
	f.Add([]byte("{\"id\":1,\"x\":\"yyyyyyyyyyyyyyyyyyyyyyyy\"}\n\n"), uint8(20), uint8(16))
	f.Fuzz(func(t *testing.T, input []byte, most, buffer uint8) {
		in := bufio.NewReaderSize(iotest.OneByteReader(bytes.NewReader(input)), int(buffer))
		want := bytes.Split(input, []byte("\n"))
		if len(want[len(want)-1]) == 0 {
			want = want[:len(want)-1]
		}
		for i, w := range want {
			got, err := readLine(in, int(most))
			var long *longLine
			switch {
			case len(w) > int(most):
				if !errors.As(err, &long) || got != nil {
					t.Fatalf("line %d of %d bytes: %q, %v", i, len(w), got, err)
				}
				if id := wantID(w); json.Valid(w) && string(id) != string(long.id) {
					t.Errorf("the id of %q is %q, want %q", w, long.id, id)
				} else if long.id != nil && !json.Valid(long.id) {
					t.Errorf("the id of %q is %q", w, long.id)
				}
			case err != nil || !bytes.Equal(got, w):
				t.Fatalf("line %d: %q, %v, want %q", i, got, err, w)
			}
		}
		if got, err := readLine(in, int(most)); !errors.Is(err, io.EOF) {
			t.Errorf("behind the end: %q, %v", got, err)
		}
	})
}

// wantID returns the id of a message as encoding/json finds it, nil if it is none that is answered.
func wantID(line []byte) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil {
		return nil
	}
	id := m["id"]
	if len(id) == 0 || strings.IndexByte(`"-0123456789`, id[0]) < 0 {
		return nil
	}
	return id
}

// FuzzServer holds that no line ends the server, or keeps it from answering the next.
func FuzzServer(f *testing.F) {
	for _, s := range []string{"{", "[{}]", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`,
		`{"jsonrpc":"2.0","id":"ping","method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled",` +
			`"params":{"requestId":"hello"}}`, `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"x"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"server/discover"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got := serveRaw(t, 4<<10, line+"\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
		last := 0
		for _, answer := range got {
			if !json.Valid([]byte(answer)) {
				t.Errorf("%q is answered %q", line, answer)
			}
			if strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":"last",`) {
				last++
			}
		}
		if last == 0 {
			t.Errorf("behind %q there is no answer: %s", line, got)
		}
	})
}
