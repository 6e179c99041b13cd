//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Turn answers one request of a conversation. It is a function because stage paths and plan digests are
// only known while the story runs.
type Turn func(*Request) Reply

// Fixed is a turn that says the same whatever it is asked.
func Fixed(r Reply) Turn { return func(*Request) Reply { return r } }

// Match selects requests by regular expression; an empty field matches everything.
type Match struct {
	First, Last, System, Any, Model string
	// Bare takes requests that offer no tools, and no others.
	Bare bool
}

func (m Match) takes(r *Request) bool {
	for _, f := range []struct{ pattern, text string }{
		{m.First, r.First()}, {m.Last, r.Tail()}, {m.System, r.System}, {m.Any, r.Text()}, {m.Model, r.Model},
	} {
		if f.pattern != "" && !regexp.MustCompile(f.pattern).MatchString(f.text) {
			return false
		}
	}
	return true
}

// Model is the scripted model: a Messages API on a random port of 127.0.0.1 that remembers every
// request.
//
// Compaction requests and the auto-mode classifier of 2.1.197 are answered by the server itself, and a
// call of an MCP tool that the client did not know yet is made again: on a busy machine it takes a
// moment to. Then the routes are tried in the order they were added. What no route takes is answered
// with "ok": titles and other requests without tools. A request with tools that no route takes is a hole
// in the script and is listed by Unscripted.
type Model struct {
	URL string
	// Before, when set, is waited for before each answer to a request with tools.
	Before func(*Request, Reply)

	t      *testing.T
	server *httptest.Server
	log    *os.File
	closed chan struct{}
	broken chan struct{} // closed when the script cannot go on

	mu       sync.Mutex
	requests []*Request
	routes   []*route
	news     chan struct{} // closed and replaced at each request
}

type route struct {
	name  string
	match Match
	turns []Turn
	loop  bool
	next  int
}

// NewModel starts a model that logs each request to the file logPath, one JSON body per line.
func NewModel(t *testing.T, logPath string) *Model {
	t.Helper()
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{
		t:      t,
		log:    log,
		closed: make(chan struct{}),
		broken: make(chan struct{}),
		news:   make(chan struct{}),
	}
	m.server = httptest.NewServer(http.HandlerFunc(m.serve))
	m.URL = m.server.URL
	t.Cleanup(func() {
		close(m.closed)
		m.server.CloseClientConnections()
		m.server.Close()
		_ = log.Close()
	})
	return m
}

// Script answers the matching requests with the turns, one after the other; further ones are unscripted.
func (m *Model) Script(name string, match Match, turns ...Turn) {
	m.add(&route{name: name, match: match, turns: turns})
}

// Mind answers every matching request with the same turn, which looks at the request to decide.
func (m *Model) Mind(name string, match Match, turn Turn) {
	m.add(&route{name: name, match: match, turns: []Turn{turn}, loop: true})
}

func (m *Model) add(r *route) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.routes = append(m.routes, r)
}

// GiveUp fails the test and ends every wait: the script cannot go on. It may be called from a turn. The
// reply tells the client that the turn is over.
func (m *Model) GiveUp(why string) Reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.t.Error("the scripted model cannot go on: " + why)
	if !m.gaveUp() {
		close(m.broken)
	}
	return Say("I cannot go on.")
}

func (m *Model) gaveUp() bool {
	select {
	case <-m.broken:
		return true
	default:
		return false
	}
}

// over says that the model is closed, or that its script cannot go on.
func (m *Model) over() bool {
	select {
	case <-m.closed:
		return true
	default:
		return m.gaveUp()
	}
}

// Requests are the requests so far, titles and classifiers included.
func (m *Model) Requests() []*Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]*Request(nil), m.requests...)
}

// Answered are the requests so far that the named route answered.
func (m *Model) Answered(name string) []*Request {
	var out []*Request
	for _, r := range m.Requests() {
		if r.Route == name {
			out = append(out, r)
		}
	}
	return out
}

// Tails are the requests so far whose newest part matches.
func (m *Model) Tails(re *regexp.Regexp) []*Request {
	var out []*Request
	for _, r := range m.Requests() {
		if re.MatchString(r.Tail()) {
			out = append(out, r)
		}
	}
	return out
}

// Unscripted are requests with tools that no route took: the client asked for a turn the story does not know.
func (m *Model) Unscripted() []*Request { return m.Answered("unscripted") }

// Await returns the first request that the predicate takes, waiting for it if need be. It ends the test
// when none came in time.
func (m *Model) Await(what string, take func(*Request) bool) *Request {
	m.t.Helper()
	r := m.wait(take)
	if r == nil {
		m.t.Fatalf("no request came within %v: %s\n%s", patience, what, m.Digest())
	}
	return r
}

// AwaitTail waits for a request whose newest part matches the pattern.
func (m *Model) AwaitTail(pattern string) *Request {
	m.t.Helper()
	re := regexp.MustCompile(pattern)
	return m.Await("newest part matches "+pattern, func(r *Request) bool { return re.MatchString(r.Tail()) })
}

// Hold is for Reply.Hold: the answer waits until a request matches. When none does in time the answer
// goes out all the same, so that a wrong script fails in the story's assertions and not in the client.
func (m *Model) Hold(take func(*Request) bool) func() { return func() { m.wait(take) } }

// wait returns nil when no request matches within the suite's patience or before the model is closed.
func (m *Model) wait(take func(*Request) bool) *Request {
	deadline := time.After(patience)
	for seen := 0; ; {
		m.mu.Lock()
		all, news := m.requests, m.news
		m.mu.Unlock()
		for ; seen < len(all); seen++ {
			if take(all[seen]) {
				return all[seen]
			}
		}
		select {
		case <-news:
		case <-m.closed:
			return nil
		case <-m.broken:
			return nil
		case <-deadline:
			return nil
		}
	}
}

// Digest is a short account of the requests for a failing test: of each new message, the end.
func (m *Model) Digest() string {
	var b strings.Builder
	for _, r := range m.Requests() {
		fmt.Fprintf(&b, "#%d, answered by %s\n", r.N, r.Route)
		for _, message := range r.newest() {
			text := message.Text
			if cut := len(text) - 500; cut > 0 {
				text = "…" + strings.ToValidUTF8(text[cut:], "")
			}
			fmt.Fprintf(&b, "  %s: %s\n", message.Role, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	return b.String()
}

func (m *Model) serve(w http.ResponseWriter, hr *http.Request) {
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return // the client went away in the middle of its own request
	}
	switch {
	case hr.Method != http.MethodPost || !strings.HasPrefix(hr.URL.Path, "/v1/messages"):
		writeJSON(w, http.StatusOK, map[string]any{})
	case strings.Contains(hr.URL.Path, "count_tokens"):
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": 10})
	default:
		req, err := parseRequest(body)
		if err != nil {
			m.t.Errorf("model: %v", err)
			writeJSON(
				w,
				http.StatusBadRequest,
				map[string]any{
					"type":  "error",
					"error": map[string]any{"type": "invalid_request_error", "message": err.Error()},
				},
			)
			return
		}
		turn := m.admit(req, body)
		reply := turn(req)
		if m.Before != nil && len(req.Tools) > 0 {
			m.Before(req, reply)
		}
		if m.held(reply) {
			reply.write(w, req)
		}
	}
}

// held waits as a reply says, and is false when the model is closed before: a story that failed waits
// for nothing.
func (m *Model) held(r Reply) bool {
	if r.Hold == nil {
		return true
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		r.Hold()
	}()
	select {
	case <-over:
		return true
	case <-m.closed:
		return false
	}
}

// admit records the request and finds who answers it.
func (m *Model) admit(req *Request, body []byte) Turn {
	m.mu.Lock()
	defer m.mu.Unlock()
	req.N = len(m.requests) + 1
	name, turn := m.pick(req)
	req.Route = name
	m.requests = append(m.requests, req)
	var line bytes.Buffer
	if json.Compact(&line, body) == nil {
		fmt.Fprintf(m.log, "%s\n", line.Bytes())
	}
	close(m.news)
	m.news = make(chan struct{})
	return turn
}

func (m *Model) pick(req *Request) (string, Turn) {
	switch {
	case strings.Contains(req.Tail(), "Your task is to create a detailed summary"):
		return "compaction", Fixed(
			Say("<analysis>a</analysis><summary>A summary of the conversation so far.</summary>"),
		)
	case strings.Contains(req.System, "security monitor for autonomous AI coding agents"):
		return "classifier", Fixed(Say("<block>no</block>"))
	case unknownTool.MatchString(req.Tail()):
		return "again", again
	}
	for _, r := range m.routes {
		if (len(req.Tools) == 0) != r.match.Bare || !r.match.takes(req) ||
			(r.next >= len(r.turns) && !r.loop) {
			continue
		}
		turn := r.turns[r.next%len(r.turns)]
		r.next++
		return r.name, turn
	}
	if len(req.Tools) == 0 {
		return "side", Fixed(Say("ok"))
	}
	return "unscripted", Fixed(Say("I have nothing more to say."))
}

// unknownTool is how the client answers the call of a tool of an MCP server that has just begun to list
// its tools.
var unknownTool = regexp.MustCompile(`No such tool available: mcp__`)

// again makes the last call once more.
func again(r *Request) Reply {
	last := r.LastCall()
	input := map[string]any{}
	_ = json.Unmarshal(last.Input, &input) // it was made of such a map
	reply := Call(last.Name, input)
	// What the client lists now is not to be seen from here.
	reply.Hold = func() { time.Sleep(100 * time.Millisecond) }
	return reply
}
