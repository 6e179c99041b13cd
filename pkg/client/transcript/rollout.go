package transcript

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/client/codex"

	"github.com/tidwall/gjson"
)

// The session files of Codex CLI ("rollouts") have lines of their own form: a time, a number, a type and a
// payload. What was said is in lines of the type response_item, as it went to the model; each part of a
// user's message says where it came from. The forms are those of 0.171.0.

// isRollout reports whether a line is of a rollout.
func isRollout(line []byte) bool {
	return bytes.HasPrefix(line, []byte(`{"timestamp":"`)) &&
		bytes.Contains(line[:min(len(line), headSize)], []byte(`,"payload":{`))
}

// isDullRollout reports whether the head of a line of a rollout shows that nobody said anything in it.
func isDullRollout(head []byte) bool {
	_, kind, ok := bytes.Cut(head, []byte(`,"type":"`))
	if !ok {
		return false
	}
	kind, payload, _ := bytes.Cut(kind, []byte(`"`))
	switch string(kind) {
	case "response_item", "compacted", "session_meta", "turn_context":
		return false
	case "event_msg":
		_, inner, ok := bytes.Cut(payload, []byte(`"payload":{"type":"`))
		inner, _, whole := bytes.Cut(inner, []byte(`"`))
		return ok && whole && string(inner) != "task_started" && string(inner) != "turn_aborted"
	}
	return true
}

// lineID returns the id by which a line is recognised in a copy of its file, "" if it has none.
func lineID(line []byte) string {
	if isRollout(line) {
		r := gjson.GetManyBytes(line, "type", "payload.id", "payload.call_id")
		if r[0].Str != "response_item" {
			return ""
		}
		if r[1].Str != "" {
			return r[1].Str
		}
		return r[2].Str
	}
	return gjson.GetBytes(line, "uuid").String()
}

// rolloutHead is how much of a rollout's first line is looked at, in bytes. The instructions of the model are
// the long part of it, and stand last.
const rolloutHead = 8 << 10

// rolloutBegan returns how a rollout begins. Only its first line says where; one that is broken says nothing.
func rolloutBegan(src Source) (b Beginning) {
	head := headOf(src, rolloutHead)
	line, _, whole := bytes.Cut(head, []byte("\n"))
	if (whole || int64(len(head)) == src.Size()) && !gjson.ValidBytes(line) {
		return b
	}
	r := gjson.GetManyBytes(line, "timestamp", "type", "payload.cwd", "payload.thread_source",
		"payload.source.subagent")
	b.Time, _ = time.Parse(time.RFC3339, r[0].Str)
	if r[1].Str != "session_meta" {
		return b
	}
	b.Cwd = strings.Clone(r[2].Str)
	b.Agent = r[3].Str != "" && r[3].Str != "user" || r[4].Exists()
	return b
}

// addRollout adds what a line of a rollout says.
func (p *parsed) addRollout(raw []byte, e Entry) {
	line := gjson.ParseBytes(raw)
	p.time, _ = time.Parse(time.RFC3339, line.Get("timestamp").Str)
	e.Time = p.time
	payload := line.Get("payload")
	p.rollout = true
	switch line.Get("type").Str {
	case "session_meta", "turn_context":
		p.cwd = strings.Clone(payload.Get("cwd").Str)
	case "response_item":
		e.UUID = strings.Clone(lineID(raw))
		p.uuid = e.UUID
		p.addItem(payload, e)
	case "event_msg":
		switch payload.Get("type").Str {
		case "task_started":
			p.trigger = triggerOf(payload)
		case "turn_aborted":
			e.Who, e.Interrupted, e.Text = Injected, true, cutFor(Injected, payload.Get("reason").Str)
			p.entries = append(p.entries, e)
		}
	case "compacted":
		e.Who, e.Boundary = Injected, true
		p.entries = append(p.entries, e)
		if text := strings.TrimSpace(payload.Get("message").Str); text != "" {
			e.Who, e.Boundary, e.Text = Summary, false, cutFor(Summary, text)
			p.entries = append(p.entries, e)
		}
	}
}

// triggerOf returns how the prompt of a turn that begins came in.
func triggerOf(payload gjson.Result) Marked {
	switch payload.Get("turn_attribution.turn_trigger").Str {
	case "user":
		return ByHand
	case "":
		return Unmarked
	}
	return BySDK
}

// addItem adds an item of the conversation.
func (p *parsed) addItem(item gjson.Result, e Entry) {
	switch kind := item.Get("type").Str; kind {
	case "message":
		p.addMessage(item, e)
	case "function_call", "custom_tool_call", "local_shell_call", "mcp_tool_call", "web_search_call":
		p.addCalls(kind, item, e)
	case "function_call_output", "custom_tool_call_output", "mcp_tool_call_output":
		e.Who = Tool
		if id := item.Get("call_id").Str; p.calls != nil && id != "" {
			e.Call = p.calls(strings.Clone(id))
		}
		text := resultText(item.Get("output"))
		if e.Failed = outputFailed(text); e.Failed {
			e.Text = clip(validText(withoutPrivate(text)), MaxOther, MaxOther/2)
		} else {
			e.Text = cutFor(Tool, outputOf(text))
		}
		p.entries = append(p.entries, e)
	}
}

// typedKind marks a part of a message that the person typed. Other parts stand beside it: instructions of
// AGENTS.md, the environment, what hooks said.
const typedKind = "user.text"

// addMessage adds a message. Only a part that is marked as typed is the person's.
func (p *parsed) addMessage(item gjson.Result, e Entry) {
	passed := item.Get("internal_chat_message_metadata_passthrough")
	kinds, sources := passed.Get("content_item_kinds").Array(), passed.Get("content_item_metadata").Array()
	e.MessageID = e.UUID
	add := func(who Who, text string) {
		text = strings.TrimSpace(text)
		if e.Who, e.Text = who, cutFor(who, text); e.Text != "" {
			p.entries = append(p.entries, e)
		}
	}
	role := item.Get("role").Str
	var said []string
	i := -1
	item.Get("content").ForEach(func(_, part gjson.Result) bool {
		i++
		text := part.Get("text").Str
		from, hook := "", false
		if i < len(sources) {
			from, hook = sources[i].Get("provenance.type").Str, sources[i].Get("provenance.hook").Bool()
		}
		switch {
		case role == "assistant":
			add(Assistant, text)
		case role == "user" && i < len(kinds) && kinds[i].Str == typedKind && from == "user":
			said = append(said, text)
		default:
			e.Event = ""
			if hook {
				e.Event = "hook"
				if strings.HasPrefix(text, "<hook_prompt") {
					e.Event = "Stop"
				}
			}
			add(Injected, text)
			e.Event = ""
		}
		return true
	})
	if len(said) > 0 {
		p.prompt = true
		add(Person, strings.Join(said, "\n"))
	}
}

// addCalls adds a call. A patch is one call for each file that it changes, as of the tools that change one.
func (p *parsed) addCalls(kind string, item gjson.Result, e Entry) {
	e.Who = Assistant
	name := item.Get("name").Str
	id := strings.Clone(item.Get("call_id").Str)
	args := item.Get("arguments")
	if args.Type == gjson.String {
		args = gjson.Parse(args.Str)
	}
	one := func(c *Call) {
		e := e
		e.Tool, e.Call, e.Command = c.Tool, c, c.Command
		if c.Tool == "Edit" || c.Tool == "Write" {
			e.File = c.File
		}
		p.entries = append(p.entries, e)
	}
	switch {
	case kind == "web_search_call":
		one(&Call{ID: id, Tool: "WebSearch", URL: cutFor(Tool, webSearched(item.Get("action")))})
	case kind == "local_shell_call":
		one(&Call{ID: id, Tool: "Bash", Command: cutFor(Tool, codex.Command([]byte(item.Get("action").Raw)))})
	case codex.IsShell(name):
		one(&Call{ID: id, Tool: "Bash", Command: cutFor(Tool, codex.Command([]byte(args.Raw)))})
	case name == codex.Patch:
		text := item.Get("input").Str
		if text == "" {
			text = args.Get("input").Str
		}
		changes, err := codex.ParsePatch(text)
		if err != nil {
			one(&Call{ID: id, Tool: "Edit"}) // Codex refuses it too
			return
		}
		for _, c := range changes {
			tool := "Edit"
			if c.Kind == codex.Add {
				tool = "Write"
			}
			one(&Call{ID: id, Tool: tool, File: cutFor(Tool, c.Path), Wrote: cutFor(Tool, written(c))})
			if c.To != "" {
				one(&Call{ID: id, Tool: tool, File: cutFor(Tool, c.To)})
			}
		}
	case name != "":
		if space := item.Get("namespace").Str; strings.HasPrefix(space, "mcp__") {
			name = space + "__" + name
		}
		c := &Call{ID: id, Tool: strings.Clone(name)}
		if !strings.HasPrefix(name, "mcp__") {
			c.File = cutFor(Tool, args.Get("path").String())
		}
		if name == "spawn_agent" {
			c.Prompt = cutFor(Person, strings.TrimSpace(args.Get("message").Str))
		}
		one(c)
	}
}

// written returns what a change of a patch puts into a file.
func written(c codex.Change) string {
	parts := []string{c.Text}
	for _, e := range c.Edit {
		parts = append(parts, e.New)
	}
	return strings.Join(parts, "\n")
}

func webSearched(action gjson.Result) string {
	if url := action.Get("url").Str; url != "" {
		return url
	}
	return action.Get("query").Str
}

// outputHead is the last line of what Codex writes above a command's output.
const outputHead = "\nOutput:\n"

// outputOf returns the output of a command without what Codex writes above it.
func outputOf(text string) string {
	head, output, ok := strings.Cut(text, outputHead)
	if !ok || !strings.Contains(head, "Wall time: ") {
		return text
	}
	return output
}

// outputFailed reports whether a result says that its command or call failed.
func outputFailed(text string) bool {
	head, _, ok := strings.Cut(text, outputHead)
	if !ok {
		return strings.HasPrefix(text, "Command blocked by ") ||
			strings.HasPrefix(text, "Tool call blocked by ") ||
			strings.Contains(text, " verification failed: ") || strings.HasPrefix(text, "unsupported ")
	}
	for line := range strings.Lines(head) {
		for _, of := range [...]string{"Process exited with code ", "Exit code: "} {
			if code, found := strings.CutPrefix(strings.TrimSpace(line), of); found {
				n, err := strconv.Atoi(code)
				return err == nil && n != 0
			}
		}
	}
	return false
}

// maxTrigger is how many bytes before the end are searched for the beginning of the turn.
const maxTrigger = 8 << 20

// TurnTrigger returns how the prompt of the latest turn of a rollout came in, Unmarked if that is not known.
func TurnTrigger(src Source) (Marked, error) { return triggerBefore(src, src.Size()) }

// triggerBefore returns how the prompt of the turn that began last before an offset came in.
func triggerBefore(src io.ReaderAt, end int64) (m Marked, err error) {
	_, _, _, err = lastLine(src, end, maxTrigger, nil, func(line []byte) bool {
		if !isRollout(line) || !bytes.Contains(line[:min(len(line), headSize)], []byte(`"task_started"`)) {
			return false
		}
		payload := gjson.GetBytes(line, "payload")
		if payload.Get("type").Str != "task_started" {
			return false
		}
		m = triggerOf(payload)
		return true
	})
	return m, err
}

// turnTrigger returns how the prompt of the turn came in that is being read. If the turn began before the
// first line, it is looked for there.
func (r *reading) turnTrigger() Marked {
	if r.trigger == Unmarked && !r.sought && r.calls.src != nil {
		r.sought = true
		r.trigger, _ = triggerBefore(r.calls.src, r.calls.start) // without, nobody is said to have typed it
	}
	return r.trigger
}

// turnCwd returns the working directory of the turn that is being read, "" if that can't be known. If no line
// that was read says it, it is looked for before the first line.
func (r *reading) turnCwd() string {
	if r.cwd == "" && !r.soughtCwd && r.calls.src != nil {
		r.soughtCwd = true
		r.cwd, _ = cwdBefore(r.calls.src, r.calls.start) // without, it is in no project
	}
	return r.cwd
}

// cwdBefore returns the working directory that a line before an offset says last, "" if that line is broken.
func cwdBefore(src io.ReaderAt, end int64) (cwd string, err error) {
	_, _, _, err = lastLine(src, end, maxTrigger, nil, func(line []byte) bool {
		if !mayMove(line) {
			return false
		}
		l := parse(line, 0, nil, nil)
		if l.cwd == "" && !l.lost {
			return false
		}
		cwd = l.cwd
		return true
	})
	return cwd, err
}

// mayMove reports whether a line of a rollout, which may be broken, could say the working directory of those
// that follow. A line without its end runs into the next one, so it may stand anywhere.
func mayMove(line []byte) bool {
	return bytes.Contains(line, []byte(`"type":"turn_context"`)) ||
		bytes.Contains(line, []byte(`"type":"session_meta"`))
}
