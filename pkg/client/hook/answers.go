package hook

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Decision is the answer of PreToolUse to a call.
type Decision string

const (
	None  Decision = ""      // the client's own rules and modes decide
	Allow Decision = "allow" // runs without a dialog
	Ask   Decision = "ask"   // a dialog in the terminal client; refused where no dialog is shown
	Deny  Decision = "deny"  // refused, in every mode
)

// PreToolUseAnswer is the answer to PreToolUse. The zero answer leaves the call
// to the client's normal permission flow.
type PreToolUseAnswer struct {
	Decision Decision
	Reason   string // shown in the dialog (ask) or to the model (deny)
	Input    []byte // replaces the call's tool_input, one JSON object; nil leaves it
	// Context is given to the model with the result of a call that is left to the client. It is not sent with
	// a decision.
	Context string
}

func (a PreToolUseAnswer) encode() []byte {
	if a.Decision == None {
		return ContextAnswer{Context: a.Context}.encode("PreToolUse")
	}
	b := append([]byte(nil), `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":`...)
	b = gjson.AppendJSONString(b, string(a.Decision))
	if a.Reason != "" {
		b = append(b, `,"permissionDecisionReason":`...)
		b = gjson.AppendJSONString(b, a.Reason)
	}
	if a.Input != nil {
		b = append(append(b, `,"updatedInput":`...), a.Input...)
	}
	return append(b, "}}"...)
}

// toolDecision encodes the answer to PreToolUse as the event's client takes it. Codex CLI shows no dialog for
// an ask, and lets the call run; so it is denied. It takes an allow only with another input, and a deny only
// with a reason.
func toolDecision(c Common, a PreToolUseAnswer) []byte {
	if c.Codex {
		switch {
		case a.Decision == Ask:
			a.Decision, a.Input = Deny, nil
		case a.Decision == Allow && a.Input == nil:
			a = PreToolUseAnswer{Context: a.Context}
		}
		if a.Decision == Deny && a.Reason == "" {
			a.Reason = "keepsake: the memory gate stopped this call"
		}
	}
	return a.encode()
}

// stopAnswer encodes the answer to Stop as the event's client takes it. Codex CLI has no context there: it
// goes on with the reason for which it may not stop yet.
func stopAnswer(c Common, a ContextAnswer) []byte {
	if !c.Codex || a.Context == "" {
		return a.encode("Stop")
	}
	b := gjson.AppendJSONString([]byte(`{"decision":"block","reason":`), cutUTF16(a.Context, MaxContext))
	if a.Message != "" {
		b = gjson.AppendJSONString(append(b, `,"systemMessage":`...), a.Message)
	}
	return append(b, '}')
}

// MaxContext is the length of the longest context that the client passes on whole, in UTF-16 code units. It
// saves a longer one to a file and shows a preview.
const MaxContext = 10_000

// ContextAnswer adds text to what the model reads. The zero answer says nothing.
type ContextAnswer struct {
	Context string // for the model; cut at MaxContext
	Message string // systemMessage: for the person, never sent to the model
}

func (a ContextAnswer) encode(event string) []byte {
	if a.Context == "" && a.Message == "" {
		return nil
	}
	b := []byte{'{'}
	if a.Message != "" {
		b = append(b, `"systemMessage":`...)
		b = gjson.AppendJSONString(b, a.Message)
	}
	if a.Context != "" {
		if a.Message != "" {
			b = append(b, ',')
		}
		b = append(b, `"hookSpecificOutput":{"hookEventName":"`...)
		b = append(b, event...)
		b = append(b, `","additionalContext":`...)
		b = gjson.AppendJSONString(b, cutUTF16(a.Context, MaxContext))
		b = append(b, '}')
	}
	return append(b, '}')
}

// ToolAnswer answers a tool call that has run. The zero answer says nothing.
type ToolAnswer struct {
	ContextAnswer
	End string // ends the turn with this text for the person; "" goes on
}

func (a ToolAnswer) encode() []byte {
	b := a.ContextAnswer.encode("PostToolUse")
	if a.End == "" {
		return b
	}
	end := gjson.AppendJSONString([]byte(`{"continue":false,"stopReason":`), a.End)
	if b == nil {
		return append(end, '}')
	}
	return append(append(end, ','), b[1:]...)
}

// cutUTF16 returns at most n UTF-16 code units of s, in whole runes.
func cutUTF16(s string, n int) string {
	if len(s) <= n { // a UTF-8 text never has fewer bytes than code units
		return s
	}
	units := 0
	for i, r := range s {
		w := 1
		if r != utf8.RuneError && utf16.RuneLen(r) == 2 {
			w = 2
		}
		if units+w > n {
			return s[:i]
		}
		units += w
	}
	return s
}

// TextAnswer is plain text, for an event that takes JSON only for decisions. "" says nothing.
type TextAnswer string // cut at MaxContext

func (a TextAnswer) encode() []byte { return []byte(cutUTF16(string(a), MaxContext)) }

// EndAnswer ends a subagent at once, before the client hands over its answer in another way. The zero answer
// says nothing.
type EndAnswer struct{ End bool }

func (a EndAnswer) encode() []byte {
	if !a.End {
		return nil
	}
	return []byte(`{"continue":false}`)
}

// PromptAnswer answers a prompt: with context for it, or with a message to the person in place of the prompt.
type PromptAnswer struct {
	ContextAnswer
	Block string // stops a notification that is settled, with this text for the person; "" lets it pass
}

func (a PromptAnswer) encode() []byte {
	if a.Block == "" {
		return a.ContextAnswer.encode("UserPromptSubmit")
	}
	b := gjson.AppendJSONString([]byte(`{"decision":"block","reason":`), a.Block)
	return append(b,
		`,"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true}}`...)
}

// Silence is the answer to events that take none.
type Silence struct{}

func (Silence) encode() []byte { return nil }
