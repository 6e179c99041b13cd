package transcript

import (
	"bytes"
	"io"
	"strings"

	"github.com/tidwall/gjson"
)

// The tools with which the model asks the person.
const (
	askTool  = "AskUserQuestion"
	planTool = "ExitPlanMode"
)

// newCall returns the Call of a tool_use block.
func newCall(tool string, b block) *Call {
	c := &Call{ID: b.id, Tool: tool}
	field := func(names ...string) string {
		for _, name := range names {
			if v := b.input.get(name); v.exists() {
				return cutFor(Tool, v.text())
			}
		}
		return ""
	}
	switch tool {
	case "Bash":
		c.Command = field("command")
	case "WebFetch", "WebSearch":
		c.URL = field("url", "query")
	case askTool:
		c.Asks = parseQuestions(b.input.get("questions").result())
	case planTool:
		c.Plan = cutFor(Person, strings.TrimSpace(b.input.get("plan").str()))
	case "Agent", "Task":
		c.Prompt = cutFor(Person, strings.TrimSpace(b.input.get("prompt").str()))
	case "MultiEdit":
		c.File = field("file_path")
		var all []string
		b.input.get("edits").each(func(_ []byte, v value) bool {
			all = append(all, v.get("new_string").text())
			return true
		})
		c.Wrote = cutFor(Tool, strings.Join(all, "\n"))
	default:
		if !strings.HasPrefix(tool, "mcp__") {
			c.File = field("file_path", "notebook_path", "path")
		}
		switch tool {
		case "Write", "Edit", "NotebookEdit":
			c.Wrote = field("content", "new_string", "new_source")
		}
	}
	return c
}

// parseQuestions returns the questions of a call, or of its result.
func parseQuestions(v gjson.Result) (all []Asked) {
	v.ForEach(func(_, q gjson.Result) bool {
		a := Asked{Question: cutFor(Tool, strings.TrimSpace(q.Get("question").Str))}
		a.Multi = q.Get("multiSelect").Bool()
		q.Get("options").ForEach(func(_, o gjson.Result) bool {
			a.Options = append(a.Options, Option{cutFor(Tool, o.Get("label").Str),
				cutFor(Tool, o.Get("description").Str)})
			return true
		})
		if a.Question != "" {
			all = append(all, a)
		}
		return true
	})
	return all
}

// lookBehind is how far before its first line a reading looks for the call that a result answers, in bytes.
const lookBehind = 128 << 10

// calls finds the call of a result, among the lines read or shortly before them.
type calls struct {
	src    io.ReaderAt
	start  int64 // where the reading began
	behind int   // how many calls were looked for in the lines before it
	by     map[string]*Call
	lost   bool   // one was not found
	buf    []byte // room for what is looked through
}

func (c *calls) add(call *Call) {
	if call == nil || call.ID == "" {
		return
	}
	if c.by == nil {
		c.by = map[string]*Call{}
	}
	c.by[call.ID] = call
}

// maxBehind is how many calls are looked for one by one. Then all that stand there are read.
const maxBehind = 3

func (c *calls) find(id string) *Call {
	call := c.by[id]
	if call == nil && c.src != nil && c.behind <= maxBehind {
		c.lookBehind(id)
		call = c.by[id]
	}
	c.lost = c.lost || call == nil
	return call
}

// lookBehind adds the call with an id, or all calls, from shortly before the first line. On an error they
// stay unknown, but the reading goes on.
func (c *calls) lookBehind(id string) {
	all := c.behind == maxBehind || strings.ContainsFunc(id, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > 'z')
	})
	c.behind++
	// Mostly a call stands right before its result.
	for near := int64(lookBehind / 16); ; near *= 4 {
		if all || near > lookBehind {
			near = lookBehind
		}
		c.addBetween(max(0, c.start-near), id, all)
		if c.by[id] != nil || near >= min(lookBehind, c.start) {
			return
		}
	}
}

// addBetween adds the call with an id, or all calls, that stand between an offset and the first line.
func (c *calls) addBetween(from int64, id string, all bool) {
	from, err := firstLine(c.src, from, c.start)
	if err != nil {
		return
	}
	before := calls{}
	lines := newLines(c.src, from, c.start, &c.buf)
	for {
		line, _, ok := lines.next()
		if !ok {
			break
		}
		if (bytes.Contains(line, []byte(`tool_use`)) || isRollout(line)) &&
			(all || bytes.Contains(line, []byte(id))) {
			for _, e := range parse(line, 0, nil, nil).entries {
				before.add(e.Call)
			}
		}
	}
	for id, call := range before.by {
		if c.by[id] == nil {
			c.add(call)
		}
	}
}
