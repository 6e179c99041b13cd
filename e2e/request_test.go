//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Request is one call of the Messages API as the client sent it.
type Request struct {
	N        int       // 1 for the first request of a lab
	At       time.Time // when it arrived
	Route    string    // who answered it
	Model    string
	System   string
	Messages []Message
	Tools    []string
	Stream   bool
}

// Message is one entry of the conversation. Hook context arrives as role "system" on the models the suite
// uses.
type Message struct {
	Role  string
	Text  string // every block as text, tool calls and tool results included
	Calls []ToolCall
	// Results are what tool calls came to, by the call's id. The client lists them as they end, not as they
	// were called.
	Results map[string]string
}

// ToolCall is a call that the model made earlier in the conversation.
type ToolCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// Command is the command of a Bash call.
func (c ToolCall) Command() string {
	var in struct{ Command string }
	_ = json.Unmarshal(c.Input, &in) // other tools have no command
	return in.Command
}

// First is the text of the first user message: what tells a subagent's conversation from the main one.
func (r *Request) First() string {
	for _, m := range r.Messages {
		if m.Role == "user" {
			return m.Text
		}
	}
	return ""
}

// Tail is everything said since the model last spoke: tool results, the prompt, hook context.
func (r *Request) Tail() string { return join(r.newest()) }

func (r *Request) newest() []Message {
	from := len(r.Messages)
	for from > 0 && r.Messages[from-1].Role != "assistant" {
		from--
	}
	return r.Messages[from:]
}

// LastCall is the last tool call the model made in its newest message; its Name is "" when it only spoke.
func (r *Request) LastCall() ToolCall {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := r.Messages[i]; m.Role == "assistant" {
			if len(m.Calls) == 0 {
				return ToolCall{}
			}
			return m.Calls[len(m.Calls)-1]
		}
	}
	return ToolCall{}
}

// heard is how the context that a hook gave the model looks in a request: the hook's event, then a text
// that matches the pattern. Both clients word it so.
func heard(event, pattern string) *regexp.Regexp {
	return regexp.MustCompile(event + ` hook additional context: [\s\S]*` + pattern)
}

// Text is the whole conversation.
func (r *Request) Text() string { return join(r.Messages) }

// Offers reports whether the model may call the tool.
func (r *Request) Offers(tool string) bool { return slices.Contains(r.Tools, tool) }

func join(messages []Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "--- %s\n%s\n", m.Role, m.Text)
	}
	return b.String()
}

func parseRequest(body []byte) (*Request, error) {
	var wire struct {
		Model    string          `json:"model"`
		Stream   bool            `json:"stream"`
		System   json.RawMessage `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	r := &Request{At: time.Now(), Model: wire.Model, Stream: wire.Stream, System: contentText(wire.System)}
	for _, m := range wire.Messages {
		r.Messages = append(r.Messages,
			Message{Role: m.Role, Text: contentText(m.Content), Calls: contentCalls(m.Content),
				Results: contentResults(m.Content)})
	}
	for _, t := range wire.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	return r, nil
}

// contentText flattens message content: a string, or a list of blocks.
func contentText(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct {
		Type    string          `json:"type"`
		Text    string          `json:"text"`
		Name    string          `json:"name"`
		Input   json.RawMessage `json:"input"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return string(raw)
	}
	var parts []string
	for _, b := range blocks {
		switch b.Type {
		case "text":
			parts = append(parts, b.Text)
		case "tool_use":
			parts = append(parts, "[call "+b.Name+"] "+string(b.Input))
		case "tool_result":
			parts = append(parts, "[result] "+contentText(b.Content))
		}
	}
	return strings.Join(parts, "\n")
}

// contentCalls are the tool calls among the blocks of a message.
func contentCalls(raw json.RawMessage) []ToolCall {
	var blocks []struct {
		Type string `json:"type"`
		ToolCall
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return nil // a plain string
	}
	var out []ToolCall
	for _, b := range blocks {
		if b.Type == "tool_use" {
			out = append(out, b.ToolCall)
		}
	}
	return out
}

// contentResults are the results of tool calls among the blocks of a message.
func contentResults(raw json.RawMessage) map[string]string {
	var blocks []struct {
		Type    string          `json:"type"`
		ID      string          `json:"tool_use_id"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return nil // a plain string
	}
	out := map[string]string{}
	for _, b := range blocks {
		if b.Type == "tool_result" {
			out[b.ID] = contentText(b.Content)
		}
	}
	return out
}
