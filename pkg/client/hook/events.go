package hook

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Common are the fields that every event has. Fields that the client left out are empty.
type Common struct {
	Session    string // session_id
	Transcript string // transcript_path, computed by the client itself
	Cwd        string // follows cd, so it is not the project
	Event      string // hook_event_name
	PromptID   string // prompt_id
	Mode       string // permission_mode; only on some events
	AgentID    string // agent_id; set inside a subagent
	AgentType  string // agent_type, such as "keepsake:drafter"
	Codex      bool   // it is an event of Codex CLI
}

// fields are the top-level members of an event by name. If a name occurs twice, the first counts.
type fields map[string]gjson.Result

// fieldsOf parses an event once, as some hold a megabyte.
func fieldsOf(in gjson.Result) fields {
	f := make(fields)
	in.ForEach(func(k, v gjson.Result) bool {
		if _, again := f[k.Str]; !again {
			f[k.Str] = v
		}
		return true
	})
	return f
}

func commonOf(in fields) Common {
	return Common{
		Session:    in["session_id"].Str,
		Transcript: in["transcript_path"].Str,
		Cwd:        in["cwd"].Str,
		Event:      in["hook_event_name"].Str,
		PromptID:   in["prompt_id"].Str,
		Mode:       in["permission_mode"].Str,
		AgentID:    in["agent_id"].Str,
		AgentType:  in["agent_type"].Str,
		Codex:      isCodex(in),
	}
}

// isCodex reports whether an event is one of Codex CLI: by the id of its turn, which only that client has, or
// by the name of its session file. Both are the client's own.
func isCodex(in fields) bool {
	return in["turn_id"].Str != "" || strings.HasPrefix(path.Base(in["transcript_path"].Str), "rollout-")
}

// Deadlines are far below the timeouts in hooks.json, since older clients let a call through on a timeout.
// That of SessionEnd is also below the 1.5 s that the client grants to all plugins together.
const (
	gateDeadline   = 2 * time.Second
	afterDeadline  = 2 * time.Second
	promptDeadline = 3 * time.Second
	stopDeadline   = 5 * time.Second
	endDeadline    = 1200 * time.Millisecond
	fullDeadline   = 2 * time.Second
)

// PreToolUse is a tool call about to run. Args is the raw JSON of tool_input.
type PreToolUse struct {
	Common
	Tool  string
	Args  []byte
	UseID string
}

// RunPreToolUse serves one PreToolUse event. Without a judgement it denies the call.
func RunPreToolUse(o Options, judge func(context.Context, PreToolUse) (PreToolUseAnswer, error)) int {
	return run(o, event[PreToolUse, PreToolUseAnswer]{
		name:     "PreToolUse",
		deadline: gateDeadline,
		decode: func(c Common, in fields) PreToolUse {
			return PreToolUse{Common: c, Tool: in["tool_name"].Str, Args: []byte(in["tool_input"].Raw),
				UseID: in["tool_use_id"].Str}
		},
		encode: toolDecision,
		fault: func(err error) []byte {
			return PreToolUseAnswer{Decision: Deny,
				Reason: "keepsake: the memory gate could not judge this call, so it is stopped: " +
					err.Error() + "\nhint: run `keepsake doctor` in a terminal"}.encode()
		},
	}, judge)
}

// UserPromptSubmit is a prompt about to be sent. It does not prove that a person wrote it: task notifications
// and scheduled prompts arrive here too.
type UserPromptSubmit struct {
	Common
	Prompt string
}

// RunUserPromptSubmit serves one UserPromptSubmit event.
func RunUserPromptSubmit(o Options, judge func(context.Context, UserPromptSubmit) (PromptAnswer, error)) int {
	return run(o, event[UserPromptSubmit, PromptAnswer]{
		name:     "UserPromptSubmit",
		deadline: promptDeadline,
		decode: func(c Common, in fields) UserPromptSubmit {
			return UserPromptSubmit{Common: c, Prompt: in["prompt"].Str}
		},
		encode: func(_ Common, a PromptAnswer) []byte { return a.encode() },
	}, judge)
}

// UserPromptExpansion is a slash command about to become a prompt. A skill that no model may invoke gets here
// only if it was typed into a client.
type UserPromptExpansion struct {
	Common
	Command string // fully qualified, such as "keepsake:approve", however it was typed
	Args    string // the rest of the line
	Source  string // command_source, "plugin" for a plugin's own
}

// RunUserPromptExpansion serves one UserPromptExpansion event.
func RunUserPromptExpansion(o Options, judge func(context.Context, UserPromptExpansion) (ContextAnswer,
	error)) int {
	return run(o, event[UserPromptExpansion, ContextAnswer]{
		name:     "UserPromptExpansion",
		deadline: promptDeadline,
		decode: func(c Common, in fields) UserPromptExpansion {
			return UserPromptExpansion{Common: c, Command: in["command_name"].Str,
				Args: in["command_args"].Str, Source: in["command_source"].Str}
		},
		encode: func(_ Common, a ContextAnswer) []byte { return a.encode("UserPromptExpansion") },
	}, judge)
}

// PostToolUse is a tool call that ran. Args are the arguments it ran with; Response is the raw JSON of
// tool_response. A MemPalace server reports failures in Response, not by PostToolUseFailure.
type PostToolUse struct {
	Common
	Tool     string
	Args     []byte
	Response []byte
	UseID    string
}

// RunPostToolUse serves one PostToolUse event.
func RunPostToolUse(o Options, judge func(context.Context, PostToolUse) (ToolAnswer, error)) int {
	return run(o, event[PostToolUse, ToolAnswer]{
		name:     "PostToolUse",
		deadline: afterDeadline,
		decode: func(c Common, in fields) PostToolUse {
			return PostToolUse{Common: c, Tool: in["tool_name"].Str, Args: []byte(in["tool_input"].Raw),
				Response: []byte(in["tool_response"].Raw), UseID: in["tool_use_id"].Str}
		},
		encode: func(_ Common, a ToolAnswer) []byte { return a.encode() },
	}, judge)
}

// PostToolUseFailure is a tool call that ran and failed.
type PostToolUseFailure struct {
	Common
	Tool  string
	Args  []byte
	UseID string
}

// RunPostToolUseFailure serves one PostToolUseFailure event, silently.
func RunPostToolUseFailure(o Options, judge func(context.Context, PostToolUseFailure) (Silence, error)) int {
	return run(o, event[PostToolUseFailure, Silence]{
		name:     "PostToolUseFailure",
		deadline: afterDeadline,
		decode: func(c Common, in fields) PostToolUseFailure {
			return PostToolUseFailure{Common: c, Tool: in["tool_name"].Str,
				Args: []byte(in["tool_input"].Raw), UseID: in["tool_use_id"].Str}
		},
		encode: func(_ Common, a Silence) []byte { return a.encode() },
	}, judge)
}

// SessionStart is a session that begins or goes on. Only the terminal client sets Model, on startup and after
// compaction.
type SessionStart struct {
	Common
	Source string // startup, resume, clear or compact
	Model  string
}

// RunSessionStart serves one SessionStart event.
func RunSessionStart(o Options, judge func(context.Context, SessionStart) (ContextAnswer, error)) int {
	return run(o, event[SessionStart, ContextAnswer]{
		name:     "SessionStart",
		deadline: promptDeadline,
		decode: func(c Common, in fields) SessionStart {
			return SessionStart{Common: c, Source: in["source"].Str, Model: in["model"].Str}
		},
		encode: func(_ Common, a ContextAnswer) []byte { return a.encode("SessionStart") },
	}, judge)
}

// A Task is an entry of background_tasks: work that goes on after a Stop.
type Task struct {
	ID        string
	Type      string // "subagent", "shell", "monitor"
	Status    string
	AgentType string
}

// Stop is the end of a turn. LastAssistant is the last text block of the turn, which the transcript file
// usually does not hold yet.
type Stop struct {
	Common
	Active        bool // a Stop hook asked for the turn that ends now
	LastAssistant string
	Tasks         []Task
}

// RunStop serves one Stop event. The answer can only add context: no judge can refuse the stop.
func RunStop(o Options, judge func(context.Context, Stop) (ContextAnswer, error)) int {
	return run(o, event[Stop, ContextAnswer]{
		name:     "Stop",
		deadline: stopDeadline,
		decode: func(c Common, in fields) Stop {
			s := Stop{Common: c, Active: in["stop_hook_active"].Type == gjson.True,
				LastAssistant: in["last_assistant_message"].Str}
			in["background_tasks"].ForEach(func(_, t gjson.Result) bool {
				s.Tasks = append(s.Tasks,
					Task{ID: t.Get("id").Str, Type: t.Get("type").Str, Status: t.Get("status").Str,
						AgentType: t.Get("agent_type").Str})
				return true
			})
			return s
		},
		encode: stopAnswer,
	}, judge)
}

// PreCompact is a conversation about to be summarised. With trigger auto it may come with every turn and no
// compaction follow.
type PreCompact struct {
	Common
	Trigger string // manual or auto
}

// RunPreCompact serves one PreCompact event. The answer is added to the summariser's instructions.
func RunPreCompact(o Options, judge func(context.Context, PreCompact) (TextAnswer, error)) int {
	return run(o, event[PreCompact, TextAnswer]{
		name:     "PreCompact",
		deadline: fullDeadline,
		decode: func(c Common, in fields) PreCompact {
			return PreCompact{Common: c, Trigger: in["trigger"].Str}
		},
		encode: func(c Common, a TextAnswer) []byte {
			if c.Codex { // it takes no text here
				return nil
			}
			return a.encode()
		},
	}, judge)
}

// SessionEnd is a session that is over; its transcript is complete.
type SessionEnd struct {
	Common
	Reason string // other, prompt_input_exit, clear
}

// RunSessionEnd serves one SessionEnd event. Nobody reads an answer.
func RunSessionEnd(o Options, judge func(context.Context, SessionEnd) (Silence, error)) int {
	return run(o, event[SessionEnd, Silence]{
		name:     "SessionEnd",
		deadline: endDeadline,
		decode: func(c Common, in fields) SessionEnd {
			return SessionEnd{Common: c, Reason: in["reason"].Str}
		},
		encode: func(_ Common, a Silence) []byte { return a.encode() },
	}, judge)
}

// SubagentStart is a subagent that begins. AgentType is empty for the client's own
// compaction agent.
type SubagentStart struct{ Common }

// RunSubagentStart serves one SubagentStart event. The context of the answer goes to the subagent.
func RunSubagentStart(o Options, judge func(context.Context, SubagentStart) (ContextAnswer, error)) int {
	return run(o, event[SubagentStart, ContextAnswer]{
		name:     "SubagentStart",
		deadline: promptDeadline,
		decode:   func(c Common, _ fields) SubagentStart { return SubagentStart{c} },
		encode:   func(_ Common, a ContextAnswer) []byte { return a.encode("SubagentStart") },
	}, judge)
}

// SubagentStop is a subagent that has ended. AgentType is empty for the
// client's own compaction agent.
type SubagentStop struct {
	Common
	AgentTranscript string
	LastAssistant   string
}

// RunSubagentStop serves one SubagentStop event.
func RunSubagentStop(o Options, judge func(context.Context, SubagentStop) (EndAnswer, error)) int {
	return run(o, event[SubagentStop, EndAnswer]{
		name:     "SubagentStop",
		deadline: stopDeadline,
		decode: func(c Common, in fields) SubagentStop {
			return SubagentStop{Common: c, AgentTranscript: in["agent_transcript_path"].Str,
				LastAssistant: in["last_assistant_message"].Str}
		},
		encode: func(_ Common, a EndAnswer) []byte { return a.encode() },
	}, judge)
}
