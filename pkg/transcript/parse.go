package transcript

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/text"

	"github.com/tidwall/gjson"
)

// parsed is what one line says.
type parsed struct {
	entries []Entry // behind those that were there
	calls   func(id string) *Call
	uuid    string // of a message
	model   string // that answered
	time    time.Time
	prompt  bool // a human prompt that begins a turn
	broken  bool
	blank   bool
	sources bool // asked for; see Request
}

// record is the top level of a line, as far as it matters.
type record struct {
	kind, subtype, uuid, timestamp, cwd        string
	promptSource, turnOrigin, originKind       string
	agent                                      string // in whose conversation the line stands
	entrypoint, decided                        string // decided: who allowed the call that a result answers
	plan                                       string // that the client hands over in a prompt
	wakeup, meta, sidechain, summary, apiError bool
	feedback                                   string // what a person said with their No
	holdsWords                                 bool
	message, attachment, result                gjson.Result
}

// parse reads one line that starts at offset at, and puts what it says behind entries.
// Calls that its results answer are looked up in calls, which may be nil.
func parse(raw []byte, at int64, entries []Entry, calls func(id string) *Call) parsed {
	return parseLine(raw, at, entries, calls, false)
}

func parseLine(raw []byte, at int64, entries []Entry, calls func(id string) *Call, sources bool) parsed {
	p := parsed{entries: entries, calls: calls, sources: sources}
	if bytes.IndexByte(raw, 0) >= 0 { // a hole left by a crash: the next line is glued to it
		raw, p.broken = bytes.TrimLeft(raw, "\x00"), true
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		p.blank = true
		return p
	}
	if !sources && dull(raw) {
		return p
	}
	if raw[0] != '{' || !gjson.ValidBytes(raw) {
		p.broken = true
		return p
	}
	if !utf8.Valid(raw) {
		raw, p.broken = bytes.ToValidUTF8(raw, []byte("\uFFFD")), true
	}
	r := readRecord(raw)
	if r.sidechain && !sources {
		return p
	}
	p.time, _ = time.Parse(time.RFC3339, r.timestamp)
	base := Entry{UUID: strings.Clone(r.uuid), Time: p.time, Offset: at}
	if sources {
		base.Cwd, base.Sidechain, base.Agent = strings.Clone(r.cwd), r.sidechain, strings.Clone(r.agent)
	}
	switch r.kind {
	case "user", "human":
		p.uuid = base.UUID
		p.user(r, base)
	case "assistant":
		p.uuid = base.UUID
		p.assistant(r, base)
	case "attachment":
		p.attachment(r, base)
	case "system":
		if r.subtype == "compact_boundary" {
			base.Who, base.Boundary = Injected, true
			p.entries = append(p.entries, base)
		}
	}
	return p
}

func readRecord(raw []byte) record {
	var r record
	gjson.ParseBytes(raw).ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "type":
			r.kind = v.Str
		case "subtype":
			r.subtype = v.Str
		case "uuid":
			r.uuid = v.Str
		case "timestamp":
			r.timestamp = v.Str
		case "cwd":
			r.cwd = v.Str
		case "isSidechain":
			r.sidechain = v.Bool()
		case "agentId":
			r.agent = v.Str
		case "isMeta":
			r.meta = v.Bool()
		case "isCompactSummary":
			r.summary = v.Bool()
		case "isApiErrorMessage":
			r.apiError = v.Bool()
		case "promptSource":
			r.promptSource = v.Str
		case "turnOrigin":
			r.turnOrigin = v.Str
		case "origin":
			r.originKind = v.Get("kind").Str
		case "wakeupSource":
			r.wakeup = v.Str != ""
		case "entrypoint":
			r.entrypoint = v.Str
		case "permissionDecision":
			r.decided = v.Get("source").Str
		case "planContent":
			r.plan = v.Str
		case "userFeedback":
			r.feedback = v.Str
		case "holdsPersonsWords":
			r.holdsWords = v.Bool()
		case "toolUseResult":
			r.result = v
		case "message":
			r.message = v
		case "attachment":
			r.attachment = v
		}
		return true
	})
	return r
}

// block is one of the parts of a message, as far as it matters.
type block struct {
	kind, text, name, id string
	input, content       gjson.Result
	failed               bool
}

func readBlock(v gjson.Result) block {
	var b block
	v.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "type":
			b.kind = v.Str
		case "text":
			b.text = v.String()
		case "name":
			b.name = v.String()
		case "id", "tool_use_id":
			b.id = v.Str
		case "input":
			b.input = v
		case "content":
			b.content = v
		case "is_error":
			b.failed = v.Bool()
		}
		return b.kind != "thinking" // which can be long
	})
	return b
}

// speaker tells who wrote a prompt. New clients say so in one to three fields;
// a line with none of them is from an older client, where everything that is
// not marked as meta was typed. A value that is not known here is not taken
// for a person.
func (r record) speaker() Who {
	switch {
	case r.originKind == continuation && r.plan != "": // what a yes to a plan begins
		return Person
	case r.originKind == "task-notification" || r.turnOrigin == "task_notification":
		return Notification
	case r.originKind == "peer" || r.turnOrigin == "peer":
		return Peer
	case r.wakeup || r.turnOrigin == "scheduled" || r.promptSource == "system":
		return Scheduled
	case r.meta:
		return Injected
	}
	for _, said := range []string{r.originKind, r.turnOrigin, r.promptSource} {
		switch said {
		case "":
		case "human", "typed", "sdk":
			return Person
		default:
			return Injected
		}
	}
	return Person
}

// continuation is the origin of a prompt that the client writes to go on by itself.
const continuation = "auto-continuation"

// marked tells what the line says of a person's words in it.
func (r record) marked() Marked {
	says := [...]string{r.originKind, r.turnOrigin, r.promptSource}
	switch {
	case slices.Contains(says[:], "sdk") || strings.HasPrefix(r.entrypoint, "sdk"):
		return BySDK
	case slices.Contains(says[:], "human") || slices.Contains(says[:], "typed"):
		return ByHand
	case r.originKind == continuation && r.plan != "", strings.HasPrefix(r.decided, "user"), r.holdsWords:
		return ByHand
	}
	return Unmarked
}

// user adds a prompt, or the results of tools.
func (p *parsed) user(r record, e Entry) {
	content := r.message.Get("content")
	if !r.message.IsObject() || content.Type != gjson.String && !content.IsArray() {
		p.broken = true
		return
	}
	var said, aside []string // the person's own words, and what stood in tags beside them
	command := ""
	add := func(text string) {
		kept, tagged, cmd := words(text)
		command = cmp.Or(command, cmd)
		if strings.TrimSpace(kept) != "" {
			said = append(said, kept)
		}
		if tagged {
			aside = append(aside, text)
		}
	}
	result, settled := false, false // settled: the person answered a question or approved a plan
	if content.Type == gjson.String {
		add(content.Str)
	}
	content.ForEach(func(_, v gjson.Result) bool {
		switch b := readBlock(v); b.kind {
		case "text":
			add(b.text)
		case "tool_result":
			result = true
			settled = p.result(r, b, e) || settled
		}
		return true
	})
	if content.Type != gjson.String && result && len(said) == 0 {
		return
	}
	who := r.speaker()
	switch {
	case r.summary:
		who = Summary
	case result && !settled:
		who = Injected // text that the client put beside a result; a person may add some to their yes
	}
	p.prompt = who == Person && !result && (len(said) > 0 || command != "")
	text := strings.Join(said, "\n")
	if who == Person && len(said) == 0 {
		who, text = Injected, strings.Join(aside, "\n")
	} else if who != Person {
		text = strings.Join(append(aside, said...), "\n")
	}
	text = strings.TrimSpace(text)
	if public(text) == "" {
		return
	}
	if who == Person {
		e.Called, e.Marked = command, r.marked()
		if !result {
			text, e.Plan = handedPlan(public(text), public(r.plan))
		}
	}
	e.Who, e.Text = who, cut(who, text)
	p.entries = append(p.entries, e)
}

// refusal is how a No in a permission dialog begins, and feedback how the
// client joins what the person typed with it. The words are in no prompt.
const (
	refusal  = "The user doesn't want to proceed with this tool use."
	feedback = "the user said:\n"
)

// result adds the result of a tool, and what a person said by it: when they refused
// the call, answered a question or approved a plan. It reports whether they did one of
// the last two.
func (p *parsed) result(r record, b block, e Entry) (settled bool) {
	text, all := textOf(b.content), resultText(b.content)
	e.Who, e.Failed = Tool, b.failed
	if p.calls != nil && b.id != "" {
		e.Call = p.calls(b.id)
	}
	if e.Failed {
		e.Text = clip(clean(public(all)), MaxOther, MaxOther/2)
	} else {
		e.Text = cut(Tool, all)
	}
	if p.sources {
		e.Agent = strings.Clone(r.result.Get("agentId").Str)
	}
	p.entries = append(p.entries, e)
	e.Who, e.Failed, e.Agent, e.Marked = Person, false, "", r.marked()
	if !b.failed {
		return p.settle(r, text, e)
	}
	said := ""
	if r.holdsWords {
		said = r.feedback
	} else if strings.HasPrefix(text, refusal) && strings.HasPrefix(r.result.Str, "Error: "+refusal) {
		_, said, _ = strings.Cut(text, feedback)
	}
	if said = strings.TrimSpace(said); said != "" {
		if e.Text = cut(Person, said); e.Text != "" {
			p.entries = append(p.entries, e)
		}
	}
	return false
}

// assistant adds the blocks of a message of the model.
func (p *parsed) assistant(r record, e Entry) {
	var id, model string
	var content, usage gjson.Result
	r.message.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "id":
			id = v.Str
		case "model":
			model = v.Str
		case "content":
			content = v
		case "usage":
			usage = v
		}
		return true
	})
	if !r.message.IsObject() || content.Type != gjson.String && !content.IsArray() {
		p.broken = true
		return
	}
	e.Who = Assistant
	p.model = strings.Clone(model)
	if r.apiError || model == "<synthetic>" {
		e.Who = Injected // the client speaking: "API Error: …"
	}
	e.MessageID = strings.Clone(id)
	if usage.Exists() {
		e.Usage = Usage{
			Input:         usage.Get("input_tokens").Int(),
			CacheCreation: usage.Get("cache_creation_input_tokens").Int(),
			CacheRead:     usage.Get("cache_read_input_tokens").Int(),
			Output:        usage.Get("output_tokens").Int(),
		}
	}
	text := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			e := e
			if e.Text = cut(e.Who, s); e.Text != "" {
				p.entries = append(p.entries, e)
			}
		}
	}
	if content.Type == gjson.String {
		text(content.Str)
		return
	}
	content.ForEach(func(_, v gjson.Result) bool {
		switch b := readBlock(v); b.kind {
		case "text":
			text(b.text)
		case "tool_use":
			e := e
			if e.Tool = strings.Clone(b.name); e.Tool == "" {
				return true
			}
			e.Call = newCall(e.Tool, b)
			switch e.Tool {
			case "Bash":
				e.Command = e.Call.Command
			case "Write", "Edit", "MultiEdit":
				e.File = e.Call.File
			}
			p.entries = append(p.entries, e)
		}
		return true
	})
}

// attachment adds a prompt that was typed while the model worked, and what
// hooks said.
func (p *parsed) attachment(r record, e Entry) {
	a := r.attachment
	kind := a.Get("type").Str
	switch {
	case kind == "queued_command":
		q := record{originKind: a.Get("origin.kind").Str, meta: a.Get("isMeta").Bool() || r.meta,
			entrypoint: r.entrypoint}
		e.Who = q.speaker()
		mode := a.Get("commandMode").Str
		if mode == "task-notification" {
			e.Who = Notification
		}
		text := textOf(a.Get("prompt"))
		if e.Who == Person {
			kept, _, _ := words(text)
			if kept = strings.TrimSpace(kept); kept == "" || mode != "prompt" && mode != "" {
				e.Who = Injected
			} else {
				text, e.Marked = kept, q.marked()
			}
		}
		e.Text = cut(e.Who, strings.TrimSpace(text))
	case strings.HasPrefix(kind, "hook_"):
		e.Who, e.Event = Injected, strings.Clone(a.Get("hookEvent").Str)
		text := textOf(a.Get("content"))
		if text == "" {
			text = textOf(a.Get("blockingError.blockingError"))
		}
		e.Text = cut(Injected, strings.TrimSpace(text))
	case p.sources && !clientsOwn(kind):
		e.Who, e.Call = Attached, &Call{Tool: strings.Clone(kind), File: attachedFile(a)}
		e.Text = cut(Attached, strings.TrimSpace(textOf(a.Get("content"))))
		p.entries = append(p.entries, e) // the text of most is deeper; see its line
		return
	}
	if e.Text != "" {
		p.entries = append(p.entries, e)
	}
}

// clientsOwn reports whether the client itself wrote what an attachment of a kind says,
// or the person or the agent did. Kinds that are not known are somebody else's.
func clientsOwn(kind string) bool {
	switch kind {
	case "skill_listing", "skill_discovery", "dynamic_skill", "invoked_skills", "agent_listing_delta",
		"agent_mention", "plan_mode", "plan_mode_reentry", "plan_mode_exit", "plan_file_reference",
		"verify_plan_reminder", "task_reminder", "todo_reminder", "todo",
		"command_permissions", "prompt_snapshot", "environment", "model", "date", "date_change", "language",
		"auto_mode", "auto_mode_exit", "session_context", "deferred_tools_delta", "deferred_tools_record",
		"remote_session_change", "output_style", "output_style_instructions", "token_usage", "budget_usd",
		"output_token_usage", "max_turns_reached", "critical_system_reminder", "structured_output",
		"goal_status", "compaction_reminder", "opened_file_in_ide", "compact_file_reference",
		"already_read_file", "async_hook_response", "async_hook_response_batch", "silent_turn_reminder",
		"bash_output_audience_note", "unknown_command_fallback", "queued_command":
		return true
	}
	return strings.HasPrefix(kind, "hook_")
}

// attachedFile is the file that an attachment is of, "" for none or several.
func attachedFile(a gjson.Result) string {
	for _, name := range [...]string{"filename", "path", "content.path", "content.file.filePath"} {
		if v := a.Get(name); v.Type == gjson.String && v.Str != "" {
			return cut(Attached, v.Str)
		}
	}
	return ""
}

// textOf is the text of a string, or of an array of strings and text blocks.
func textOf(v gjson.Result) string {
	if !v.IsArray() {
		return v.Str
	}
	var parts []string
	v.ForEach(func(_, b gjson.Result) bool {
		if b.Type == gjson.String {
			parts = append(parts, b.Str)
		} else if t := b.Get("text"); t.Type == gjson.String {
			parts = append(parts, t.Str)
		}
		return true
	})
	return strings.Join(parts, "\n")
}

// cut bounds a text by what is kept of its speaker, and frees the line it came from.
func cut(who Who, text string) string {
	text = public(text)
	if who == Person || who == Assistant {
		return clip(clean(text), MaxText, MaxText*2/3)
	}
	return clip(clean(text), MaxOther, MaxOther*2/3)
}

// clean makes text valid UTF-8 without NULs. gjson turns lone surrogates into
// U+FFFD already.
func clean(text string) string {
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if utf8.ValidString(text) { // which takes a tenth of the time
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// clip returns a copy of s in at most limit bytes: its head and its tail.
func clip(s string, limit, head int) string {
	const gap = " … "
	if len(s) <= limit {
		return strings.Clone(s)
	}
	return text.CutBytes(s, head) + gap + text.LastBytes(s, limit-head-len(gap))
}
