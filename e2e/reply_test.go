//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Reply is what the scripted model says: text and tool calls, in order.
type Reply struct {
	Blocks []Block
	Hold   func() // when set, the answer waits until it returns
	Status int    // when set, the request fails with this HTTP status
	Tokens int    // that the answer says its context window held
}

// Block is a text, or a tool call when Tool is set.
type Block struct {
	Text  string
	Tool  string
	Input map[string]any
}

// Say answers with a text and ends the turn.
func Say(text string) Reply { return Reply{Blocks: []Block{{Text: text}}} }

// Call answers with one tool call.
func Call(tool string, input map[string]any) Reply {
	return Reply{Blocks: []Block{{Tool: tool, Input: input}}}
}

// Bash answers with one Bash call.
func Bash(command string) Reply {
	return Call("Bash", map[string]any{"command": command, "description": "run a command"})
}

// And adds the blocks of another reply to the same message: parallel calls, or text before a call.
func (r Reply) And(more Reply) Reply {
	r.Blocks = append(append([]Block(nil), r.Blocks...), more.Blocks...)
	return r
}

// content is the message content of the API for this reply; n makes tool ids unique.
func (r Reply) content(n int) []map[string]any {
	var out []map[string]any
	for i, b := range r.Blocks {
		if b.Tool == "" {
			out = append(out, map[string]any{"type": "text", "text": b.Text})
			continue
		}
		out = append(out, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%04d_%d", n, i),
			"name": b.Tool, "input": b.Input})
	}
	return out
}

func (r Reply) stopReason() string {
	for _, b := range r.Blocks {
		if b.Tool != "" {
			return "tool_use"
		}
	}
	return "end_turn"
}

func (r Reply) usage() map[string]any {
	return map[string]any{"input_tokens": 10, "cache_creation_input_tokens": 0,
		"cache_read_input_tokens": max(0, r.Tokens-10), "output_tokens": 5}
}

func (r Reply) message(req *Request) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("msg_%04d", req.N), "type": "message", "role": "assistant", "model": req.Model,
		"content": r.content(req.N), "stop_reason": r.stopReason(), "stop_sequence": nil, "usage": r.usage(),
	}
}

// write sends the reply as plain JSON or as server-sent events, as the request asked.
func (r Reply) write(w http.ResponseWriter, req *Request) {
	if r.Status != 0 {
		writeJSON(w, r.Status,
			map[string]any{"type": "error",
				"error": map[string]any{"type": "invalid_request_error", "message": "scripted failure"}})
		return
	}
	if !req.Stream {
		writeJSON(w, http.StatusOK, r.message(req))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(kind string, data map[string]any) {
		data["type"] = kind
		b, _ := json.Marshal(data) // maps of strings, numbers and maps always encode
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
	}
	start := r.message(req)
	start["content"], start["stop_reason"] = []any{}, nil
	event("message_start", map[string]any{"message": start})
	for i, block := range r.content(req.N) {
		empty, delta := map[string]any{"type": "text", "text": ""},
			map[string]any{"type": "text_delta", "text": block["text"]}
		if block["type"] == "tool_use" {
			input, _ := json.Marshal(block["input"])
			empty = map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"],
				"input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
		}
		event("content_block_start", map[string]any{"index": i, "content_block": empty})
		event("content_block_delta", map[string]any{"index": i, "delta": delta})
		event("content_block_stop", map[string]any{"index": i})
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": r.stopReason(),
		"stop_sequence": nil}, "usage": r.usage()})
	event("message_stop", map[string]any{})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client hung up: nothing to do about it
}
