// Package evidence reads what was said, read and printed in conversations, and works out whose words each
// text has. Drafts are checked against that. The result of a tool is foreign, unless it is known to be the
// project's own.
package evidence

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/origin"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/secret"
)

// maxEvidence bounds how much of the end of one session's transcript is looked at, in
// bytes, and maxForeign how much of one result.
const (
	maxEvidence = 64 << 20
	maxForeign  = 16 << 20
)

// Evidence is the texts that the words of drafts are checked against. It also has the project, where words
// that look foreign can be searched for.
type Evidence struct {
	*origin.Evidence
	project *projectFiles
	looked  map[string]bool // for these words
}

// A Request names the sources of evidence.
type Request struct {
	Conversations []Conversation
	// Prompts returns whose words the prompts of a session are: a person's, an agent's
	// where nobody sat, and what an agent put into a call where its client was started by
	// another one.
	Prompts func(session string) origin.Source
	Open    func(path string) (File, error) // opens a transcript
	Root    string                          // the project's folder
	// Git, which may be nil, is asked what was committed: without it nothing of a checkout
	// is known to be the project's.
	Git Git
}

// A Conversation is where a session's transcript lies.
type Conversation struct{ Session, Path string }

// A File is an open transcript.
type File interface {
	transcript.Source
	io.Closer
}

// Gather reads conversations, those of the agents that they started, and those that made a plan which one
// of them carries out. A transcript that no longer exists is passed over.
func Gather(r Request) (*Evidence, error) {
	g := gathering{Request: r, seen: map[string]bool{},
		agents: &reporters{ids: map[string]bool{}, prompts: map[string]bool{}}}
	defer func() {
		for _, c := range g.all {
			c.t.Close()
		}
	}()
	for _, c := range r.Conversations {
		g.session(c)
	}
	e := &Evidence{Evidence: origin.New(), project: newProjectFiles(r.Root, r.Git), looked: map[string]bool{}}
	e.project.begin(g.all)
	var texts []statement
	for _, c := range g.all {
		texts = append(texts, c.statements(e.project)...)
	}
	// Texts count in the order of time, across all conversations.
	slices.SortStableFunc(texts, func(x, y statement) int { return x.at.Compare(y.at) })
	for _, x := range texts {
		e.Add(x.from, secret.Redact(x.text)) // as it stands in findings and drafts
	}
	return e, errors.Join(g.errs...)
}

// GitError returns why it isn't known what git has of the project. With such an error more memories are
// held back than needed.
func (e *Evidence) GitError() error { return e.project.err }

// A gathering is what was read so far.
type gathering struct {
	Request
	seen   map[string]bool // by path
	agents *reporters
	all    []*conversation
	errs   []error
}

// read reads one transcript, once.
func (g *gathering) read(path string, prompts origin.Source) *conversation {
	if g.seen[path] {
		return nil
	}
	c, err := readConversation(g.Open, path, prompts)
	switch {
	case err == nil:
		g.seen[path], g.all = true, append(g.all, c)
		c.agents = g.agents
	case !errors.Is(err, fs.ErrNotExist):
		g.errs = append(g.errs, err)
	}
	return c
}

// session reads a conversation and those that belong to it, and reports whether it was
// read.
func (g *gathering) session(at Conversation) bool {
	c := g.read(at.Path, g.Prompts(at.Session))
	if c == nil {
		return g.seen[at.Path]
	}
	g.agents.found(c, "")
	// What an agent within the conversation read stands in a file of its own.
	for _, other := range agentFiles(at.Path) {
		if o := g.read(other, origin.Called); o != nil {
			id := strings.TrimSuffix(filepath.Base(other), ".jsonl")
			g.agents.found(o, strings.TrimPrefix(id, "agent-"))
		}
	}
	// A plan that it was begun with was made in another one.
	if from := c.plannedIn(); filepath.Dir(from) == filepath.Dir(at.Path) && from != at.Path {
		c.planned = g.session(Conversation{strings.TrimSuffix(filepath.Base(from), ".jsonl"), from})
	}
	return true
}

// agentFiles finds the transcripts of the agents that a conversation started, wherever they
// lie in its folder for them.
func agentFiles(path string) (files []string) {
	dir := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents")
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		// What can't be read has no say, and its agent's report is foreign then.
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".jsonl" {
			files = append(files, path)
		}
		return nil
	})
	return files
}

// reporters are the agents of whom it is known what they read.
type reporters struct {
	ids     map[string]bool
	prompts map[string]bool // what they were told at first
}

// found notes the agents in a conversation: the one that has it for its own, "" for none,
// and those that older clients wrote into it.
func (a *reporters) found(c *conversation, id string) {
	begun := map[string]bool{}
	for _, e := range c.entries {
		if !e.Sidechain && id == "" {
			continue
		}
		if id != "" {
			a.ids[id] = true
		}
		if e.Agent != "" && e.Who != transcript.Tool {
			a.ids[e.Agent] = true
		}
		if e.Who == transcript.Person && (id == "" && e.Agent == "" || !begun[e.Agent]) {
			begun[e.Agent] = true
			a.prompts[e.Text] = true
		}
	}
}

// report returns whose words the report of an agent has. It is foreign if it isn't known what the agent
// read. Older clients don't name the agent in the result; then the prompt in the call identifies it.
func (a *reporters) report(id string, call *transcript.Call) origin.Source {
	if a == nil {
		return origin.Foreign
	}
	if a.ids[id] || id == "" && call != nil && call.Prompt != "" && a.prompts[call.Prompt] {
		return origin.Agent
	}
	return origin.Foreign
}

// Settle adds to the evidence what the project has of the words that look foreign or
// unknown in texts, as it was before the first of the conversations began.
func (e *Evidence) Settle(texts ...string) {
	doubts := slices.DeleteFunc(e.Doubts(texts...), func(w string) bool { return e.looked[w] })
	if len(doubts) > 0 {
		for _, w := range doubts {
			e.looked[w] = true
		}
		for _, text := range e.project.find(doubts) {
			e.Add(origin.Committed, secret.Redact(text))
		}
	}
}

// A conversation is what a transcript holds.
type conversation struct {
	t       File
	from    int64 // where the entries begin
	entries []transcript.Entry
	prompts origin.Source // whose words its prompts are
	agents  *reporters    // those whose reading is known
	planned bool          // it began with a plan, and the conversation that made the plan is known
}

// A statement is a text of a conversation, and when it was said.
type statement struct {
	at   time.Time
	from origin.Source
	text string
}

func readConversation(open func(string) (File, error), path string, prompts origin.Source) (*conversation,
	error) {
	t, err := open(path)
	if err != nil {
		return nil, err
	}
	c := &conversation{t: t, prompts: prompts}
	size := t.Size()
	if size > maxEvidence {
		c.from, err = transcript.LineAt(t, size-maxEvidence)
	}
	var span transcript.Span
	if err == nil {
		span, err = transcript.Read(io.NewSectionReader(t, c.from, size-c.from),
			transcript.Request{Whole: true, Sources: true})
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	c.entries = span.Entries
	return c, nil
}

// statements returns what a conversation holds, in its order. A time that is not known is
// that of what stands before it.
func (c *conversation) statements(p *projectFiles) (all []statement) {
	var now time.Time
	add := func(from origin.Source, text string) {
		if text != "" {
			all = append(all, statement{now, from, text})
		}
	}
	calls := map[string]transcript.Entry{} // by their ids
	cwd := ""                              // where the client stood after the last result
	served := false                        // a prompt of an MCP server was called
	read := int64(-1)                      // the line of calls that was read as a whole
	for _, x := range c.entries {
		if x.Time.After(now) {
			now = x.Time
		}
		switch {
		case x.Who == transcript.Person:
			served = fromServer(x.Called)
			by := c.prompts
			switch {
			case x.Sidechain:
				by = origin.Called
			case by == origin.Person && x.Marked == transcript.BySDK:
				by = origin.Called // a program's prompt, as of a client that an agent starts for this session
			case by == origin.Person && x.Marked != transcript.ByHand:
				by = origin.Agent
			}
			if x.Asked != nil {
				add(origin.Agent, x.Asked.Question)
			}
			add(by, x.Own())
			switch {
			case by == origin.Person && x.Handed() && !c.planned:
				by = origin.Agent // whatever was read there may be in it
			case by == origin.Person:
				by = origin.Approved
			}
			add(by, x.Plan)
		case x.Who == transcript.Assistant && x.Tool != "":
			served = false
			add(origin.Called, x.Command)
			if x.Call == nil {
				continue
			}
			if x.Call.ID != "" {
				calls[x.Call.ID] = x
			}
			add(origin.Agent, x.Call.Plan)
			add(origin.Called, x.Call.URL)
			add(origin.Project, p.nameOf(x))
			if x.Offset >= 0 && x.Offset != read && !short(x.Call) {
				read = x.Offset
				if whole, err := c.line(x.Offset); err == nil {
					add(origin.Called, whole)
				}
			}
		case x.Who == transcript.Tool:
			r := result{call: x.Call, text: c.whole(x), at: now}
			id := x.Agent
			if x.Call != nil && x.Call.Tool == "TaskOutput" {
				head, _, _ := strings.Cut(r.text, "<output>")
				id = between(head, "<task_id>", "</task_id>")
			}
			r.agents = c.agents.report(id, x.Call)
			for _, dir := range []string{x.Cwd, cwd} {
				if dir != "" && !slices.Contains(r.dirs, dir) {
					r.dirs = append(r.dirs, dir)
				}
			}
			if x.Call != nil {
				if call, ok := calls[x.Call.ID]; ok {
					r.asked = call.Time
					if call.Cwd != "" && !slices.Contains(r.dirs, call.Cwd) {
						r.dirs = append(r.dirs, call.Cwd)
					}
				}
			}
			for _, part := range p.read(r) {
				add(part.from, part.text)
			}
			cwd = x.Cwd
		case x.Who == transcript.Attached:
			text := x.Text
			if whole, err := c.line(x.Offset); err == nil {
				text = whole
			}
			if from, counts := p.attached(x.Call, now); counts {
				add(from, text)
			}
		case x.Who == transcript.Injected && x.Event == "":
			served = served || strings.Contains(x.Text, "<command-name>") && fromServer(x.Text)
			if served || strings.HasPrefix(x.Text, "<bash-std") {
				add(origin.Foreign, c.whole(x))
			}
		case x.Who == transcript.Peer:
			add(origin.Foreign, c.whole(x)) // what it read is not known
		case x.Who == transcript.Notification:
			call := calls[between(x.Text, "<tool-use-id>", "</tool-use-id>")]
			from := origin.Foreign
			if call.Tool == "Agent" || call.Tool == "Task" {
				from = c.agents.report(between(x.Text, "<task-id>", "</task-id>"), call.Call)
			}
			add(from, c.whole(x))
		case x.Who == transcript.Assistant, x.Who == transcript.Summary:
			served = false
			add(origin.Agent, x.Text)
		}
	}
	return all
}

// between returns what stands between two marks, the first time; "" where they are not.
func between(text, from, to string) string {
	_, text, ok := strings.Cut(text, from)
	text, _, closed := strings.Cut(text, to)
	if !ok || !closed {
		return ""
	}
	return strings.TrimSpace(text)
}

// fromServer reports whether a typed command is a prompt of an MCP server.
func fromServer(command string) bool {
	return strings.Contains(command, "mcp__") || strings.Contains(command, "(MCP)")
}

// short reports whether the entry of a call has the whole call.
func short(c *transcript.Call) bool {
	switch c.Tool {
	case "Read", "NotebookRead", "LS", "WebFetch", "WebSearch", "ExitPlanMode":
		return true
	}
	return c.Tool == "Bash" && len(c.Command) < transcript.MaxOther/2
}

// whole returns the whole text of an entry. The entry itself has only the beginning and the end of a long
// text.
func (c *conversation) whole(x transcript.Entry) string {
	if x.Offset >= 0 && len(x.Text) >= transcript.MaxOther/2 {
		if whole, err := c.line(x.Offset); err == nil {
			return whole
		}
	}
	return x.Text
}

// plannedIn returns the transcript in which the plan was made that this conversation began with. It is ""
// if there is none, or if it isn't known.
func (c *conversation) plannedIn() string {
	for _, x := range c.entries {
		if x.Handed() && x.Offset >= 0 {
			whole, _ := c.line(x.Offset)
			return transcript.PlannedIn(whole)
		}
	}
	return ""
}

// line returns the whole texts of a line of the conversation, which starts at the given byte.
func (c *conversation) line(at int64) (string, error) {
	at += c.from
	var line []byte
	buf := make([]byte, 8<<10)
	for len(line) < maxForeign {
		n, err := c.t.ReadAt(buf, at+int64(len(line)))
		end := bytes.IndexByte(buf[:n], '\n')
		if end >= 0 {
			line = append(line, buf[:end]...)
			break
		}
		line = append(line, buf[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		if len(buf) < 256<<10 {
			buf = make([]byte, 256<<10)
		}
	}
	return transcript.Texts(line)
}
