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

// parsed is the contents of one line.
type parsed struct {
	entries []Entry // appended to those given
	calls   func(id string) *Call
	uuid    string // of the message
	model   string // of the model that answered
	time    time.Time
	prompt  bool   // it is a human prompt that begins a turn
	trigger Marked // of the turn that begins with the line
	rollout bool
	cwd     string // of the lines that follow in a rollout; "" if the line doesn't say
	lost    bool   // the line is broken and may have had one
	broken  bool
	blank   bool
	sources bool // Request.Sources is set
}

// record has the top-level fields of a line that matter here.
type record struct {
	kind, subtype, uuid, timestamp, cwd        string
	promptSource, turnOrigin, originKind       string
	agent                                      string // id of the agent in whose conversation the line is
	entrypoint, decided                        string // decided: who allowed the call that a result answers
	plan                                       string // the plan that the client hands over in a prompt
	wakeup, meta, sidechain, summary, apiError bool
	feedback                                   string // what a person typed with their No
	holdsWords                                 bool
	message, attachment, result                value
}

// parse parses the line at offset at and appends what it says to entries. It calls calls for the call that a
// result answers; calls may be nil.
func parse(raw []byte, at int64, entries []Entry, calls func(id string) *Call) parsed {
	return parseLine(raw, at, entries, calls, false, nil)
}

func parseLine(raw []byte, at int64, entries []Entry, calls func(id string) *Call, sources bool,
	nodes *[]node) parsed {
	p := parsed{entries: entries, calls: calls, sources: sources}
	if bytes.IndexByte(raw, 0) >= 0 { // a crash left a hole, and the next line follows it without a break
		raw, p.broken = bytes.TrimLeft(raw, "\x00"), true
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		p.blank = true
		return p
	}
	if !sources && isDull(raw) {
		return p
	}
	if !utf8.Valid(raw) {
		raw, p.broken = bytes.ToValidUTF8(raw, []byte("\uFFFD")), true
	}
	line, ok := parseValue(raw, nodes)
	if !ok || !line.isObject() {
		p.broken, p.lost = true, mayMove(raw)
		return p
	}
	if isRollout(raw) {
		p.addRollout(raw, Entry{Offset: at})
		return p
	}
	r := readRecord(line)
	if r.sidechain && !sources {
		return p
	}
	p.time, _ = time.Parse(time.RFC3339, r.timestamp)
	base := Entry{UUID: r.uuid, Time: p.time, Offset: at}
	if n := len(entries); n > 0 && entries[n-1].Cwd == r.cwd { // as nearly always
		base.Cwd = entries[n-1].Cwd
	} else {
		base.Cwd = r.cwd
	}
	if sources {
		base.Sidechain, base.Agent = r.sidechain, r.agent
	}
	switch r.kind {
	case "user", "human":
		p.uuid = base.UUID
		p.addUser(r, base)
	case "assistant":
		p.uuid = base.UUID
		p.addAssistant(r, base)
	case "attachment":
		p.addAttachment(r, base)
	case "system":
		if r.subtype == "compact_boundary" {
			base.Who, base.Boundary = Injected, true
			p.entries = append(p.entries, base)
		}
	}
	return p
}

func readRecord(line value) record {
	var r record
	line.each(func(key []byte, v value) bool {
		switch string(key) {
		case "type":
			r.kind = v.str()
		case "subtype":
			r.subtype = v.str()
		case "uuid":
			r.uuid = v.str()
		case "timestamp":
			r.timestamp = v.str()
		case "cwd":
			r.cwd = v.str()
		case "isSidechain":
			r.sidechain = v.bool()
		case "agentId":
			r.agent = v.str()
		case "isMeta":
			r.meta = v.bool()
		case "isCompactSummary":
			r.summary = v.bool()
		case "isApiErrorMessage":
			r.apiError = v.bool()
		case "promptSource":
			r.promptSource = v.str()
		case "turnOrigin":
			r.turnOrigin = v.str()
		case "origin":
			r.originKind = v.get("kind").str()
		case "wakeupSource":
			r.wakeup = v.str() != ""
		case "entrypoint":
			r.entrypoint = v.str()
		case "permissionDecision":
			r.decided = v.get("source").str()
		case "planContent":
			r.plan = v.str()
		case "userFeedback":
			r.feedback = v.str()
		case "holdsPersonsWords":
			r.holdsWords = v.bool()
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

// block has the fields of a part of a message that matter here.
type block struct {
	kind, text, name, id string
	input, content       value
	failed               bool
}

func readBlock(v value) block {
	var b block
	v.each(func(key []byte, v value) bool {
		switch string(key) {
		case "type":
			b.kind = v.str()
		case "text":
			b.text = v.text()
		case "name":
			b.name = v.text()
		case "id", "tool_use_id":
			b.id = v.str()
		case "input":
			b.input = v
		case "content":
			b.content = v
		case "is_error":
			b.failed = v.bool()
		}
		return b.kind != "thinking" // these can be long
	})
	return b
}

// said returns all that the result of a tool says.
func (b block) said() string {
	if b.content.isString() {
		return b.content.str()
	}
	return resultText(b.content.result())
}

// speaker returns who wrote a prompt. New clients say so in one to three fields. A line without any of these
// is from an older client; there, everything not marked as meta was typed. An unknown value does not count as
// a person.
func (r record) speaker() Who {
	switch {
	case r.originKind == continuation && r.plan != "": // a yes to a plan begins it
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

// markedAs returns how a person's words came into the line, as far as the line has it.
func (r record) markedAs() Marked {
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

// addUser adds a prompt, or the results of tools.
func (p *parsed) addUser(r record, e Entry) {
	content := r.message.get("content")
	if !r.message.isObject() || !content.isString() && !content.isArray() {
		p.broken = true
		return
	}
	var said, aside []string // the person's own words, and those in tags beside them
	command := ""
	add := func(text string) {
		kept, tagged, cmd := ownWords(text)
		command = cmp.Or(command, cmd)
		if strings.TrimSpace(kept) != "" {
			said = append(said, kept)
		}
		if tagged {
			aside = append(aside, text)
		}
	}
	result, settled := false, false // settled: the person answered a question or approved a plan
	if content.isString() {
		add(content.str())
	}
	content.each(func(_ []byte, v value) bool {
		switch b := readBlock(v); b.kind {
		case "text":
			add(b.text)
		case "tool_result":
			result = true
			settled = p.addResult(r, b, e) || settled
		}
		return true
	})
	if !content.isString() && result && len(said) == 0 {
		return
	}
	who := r.speaker()
	switch {
	case r.summary:
		who = Summary
	case who == Person && isOfTeam(content.result()):
		who = Peer
	case result && !settled:
		who = Injected // the client put text beside a result; the text of a person's yes is with their entry
	}
	p.prompt = who == Person && !result && (len(said) > 0 || command != "")
	text := strings.Join(said, "\n")
	if who == Person && len(said) == 0 {
		who, text = Injected, strings.Join(aside, "\n")
	} else if who != Person {
		text = strings.Join(append(aside, said...), "\n")
	}
	text = strings.TrimSpace(text)
	if withoutPrivate(text) == "" {
		return
	}
	if who == Person {
		e.Called, e.Marked = command, r.markedAs()
		if !result {
			text, e.Plan = handedPlan(withoutPrivate(text), withoutPrivate(r.plan))
		}
	}
	e.Who, e.Text = who, cutFor(who, text)
	e.Interrupted = who == Injected && strings.HasPrefix(text, interruption)
	p.entries = append(p.entries, e)
}

// refusal is the beginning of a No in a permission dialog, and aborted of a call that waited behind one;
// feedback is what the client writes before the person's text with their No. No prompt has that text. advice
// is how it goes on behind the person's text, for the model.
const (
	refusal  = "The user doesn't want to proceed with this tool use."
	aborted  = "The user doesn't want to take this action right now."
	feedback = "the user said:\n"
	advice   = "\n\nNote: The user's next message may contain a correction or preference."
)

// addResult adds the result of a tool, and what a person said with it by refusing the call, answering a
// question or approving a plan. It reports whether they did one of the last two.
func (p *parsed) addResult(r record, b block, e Entry) (settled bool) {
	all := b.said()
	e.Who, e.Failed = Tool, b.failed
	if p.calls != nil && b.id != "" {
		e.Call = p.calls(b.id)
	}
	if e.Failed {
		e.Text = clip(validText(withoutPrivate(all)), MaxOther, MaxOther/2)
	} else {
		e.Text = cutFor(Tool, all)
	}
	if p.sources {
		e.Agent = r.result.get("agentId").str()
	}
	said, refused := r.refusedWith(b, e.Call)
	said, _, _ = strings.Cut(said, advice)
	said = cutFor(Person, strings.TrimSpace(said))
	e.Refused, e.Declined = refused, refused && said == ""
	p.entries = append(p.entries, e)
	e.Who, e.Failed, e.Agent, e.Marked = Person, false, "", r.markedAs()
	switch {
	case !b.failed:
		return p.addSettled(r, b, e)
	case said != "":
		p.entries = append(p.entries, e.withText(said))
	}
	return false
}

// refusedWith reports whether a person refused the call that a result answers, and what they said then.
func (r record) refusedWith(b block, call *Call) (said string, refused bool) {
	if !b.failed {
		return "", false
	}
	if r.holdsWords {
		return r.feedback, true
	}
	text := textOf(b.content.result())
	if !strings.HasPrefix(text, refusal) && !strings.HasPrefix(text, aborted) {
		return "", false
	}
	// A server could answer in the same words, but the client's own record of a result would show it. In a
	// file without these records only a result of the client's own tools is believed.
	if r.result.exists() && !r.rejects() ||
		!r.result.exists() && (call == nil || strings.HasPrefix(call.Tool, "mcp__")) {
		return "", false
	}
	_, said, _ = strings.Cut(text, feedback)
	return said, true
}

// rejects reports whether the client's record of a result says that a person refused the call.
func (r record) rejects() bool {
	said := r.result.str()
	return said == "User rejected tool use" || strings.HasPrefix(said, "Error: "+refusal) ||
		strings.HasPrefix(said, "Error: "+aborted)
}

// addAssistant adds the blocks of a message of the model.
func (p *parsed) addAssistant(r record, e Entry) {
	var id, model string
	var content, usage value
	r.message.each(func(key []byte, v value) bool {
		switch string(key) {
		case "id":
			id = v.str()
		case "model":
			model = v.str()
		case "content":
			content = v
		case "usage":
			usage = v
		}
		return true
	})
	if !r.message.isObject() || !content.isString() && !content.isArray() {
		p.broken = true
		return
	}
	e.Who = Assistant
	p.model = model
	if r.apiError || model == "<synthetic>" {
		e.Who = Injected // the client speaks: "API Error: …"
	}
	e.MessageID = id
	if usage.exists() {
		e.Usage = Usage{
			Input:         usage.get("input_tokens").int(),
			CacheCreation: usage.get("cache_creation_input_tokens").int(),
			CacheRead:     usage.get("cache_read_input_tokens").int(),
			Output:        usage.get("output_tokens").int(),
		}
	}
	text := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			e := e
			if e.Text = cutFor(e.Who, s); e.Text != "" {
				p.entries = append(p.entries, e)
			}
		}
	}
	if content.isString() {
		text(content.str())
		return
	}
	content.each(func(_ []byte, v value) bool {
		switch b := readBlock(v); b.kind {
		case "text":
			text(b.text)
		case "tool_use":
			e := e
			if e.Tool = b.name; e.Tool == "" {
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

// addAttachment adds a prompt that was typed while the model worked, or what hooks said.
func (p *parsed) addAttachment(r record, e Entry) {
	a := r.attachment.result()
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
			kept, _, _ := ownWords(text)
			if kept = strings.TrimSpace(kept); kept == "" || mode != "prompt" && mode != "" {
				e.Who = Injected
			} else {
				text, e.Marked = kept, q.markedAs()
			}
		}
		e.Text = cutFor(e.Who, strings.TrimSpace(text))
	case strings.HasPrefix(kind, "hook_"):
		e.Who, e.Event = Injected, strings.Clone(a.Get("hookEvent").Str)
		text := textOf(a.Get("content"))
		if text == "" {
			text = textOf(a.Get("blockingError.blockingError"))
		}
		e.Text = cutFor(Injected, strings.TrimSpace(text))
	case p.sources && !isClientsOwn(kind):
		e.Who, e.Call = Attached, &Call{Tool: strings.Clone(kind), File: attachedFile(a)}
		e.Text = cutFor(Attached, strings.TrimSpace(textOf(a.Get("content"))))
		p.entries = append(p.entries, e) // most have their text further down; the caller can read the line
		return
	}
	if e.Text != "" {
		p.entries = append(p.entries, e)
	}
}

// isClientsOwn reports whether text of an attachment of this kind comes from the client itself, the person or
// the agent. Unknown kinds count as somebody else's.
func isClientsOwn(kind string) bool {
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

// attachedFile returns the file that is attached, or "" if there is none or more than one.
func attachedFile(a gjson.Result) string {
	for _, name := range [...]string{"filename", "path", "content.path", "content.file.filePath"} {
		if v := a.Get(name); v.Type == gjson.String && v.Str != "" {
			return cutFor(Attached, v.Str)
		}
	}
	return ""
}

// textOf returns a string, or the text of an array of strings and text blocks.
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

// cutFor returns text cut to the limit for its speaker, copied so that the line can be freed.
func cutFor(who Who, text string) string {
	text = withoutPrivate(text)
	if who == Person || who == Assistant {
		return clip(validText(text), MaxText, MaxText*2/3)
	}
	return clip(validText(text), MaxOther, MaxOther*2/3)
}

// validText returns text as valid UTF-8 without NULs. gjson has already turned lone surrogates into U+FFFD.
func validText(text string) string {
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if utf8.ValidString(text) { // ten times as fast as ToValidUTF8
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// clip returns a copy of text of at most limit bytes: its head and its tail.
func clip(s string, limit, head int) string {
	const gap = " … "
	if len(s) <= limit {
		return strings.Clone(s)
	}
	return text.CutBytes(s, head) + gap + text.LastBytes(s, limit-head-len(gap))
}
