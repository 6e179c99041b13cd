package transcript

import (
	"strings"
	"testing"
)

// rolled is a line of a rollout.
func rolled(kind, payload string) string {
	return `{"timestamp":"2026-11-28T03:19:33.163Z","ordinal":7,"type":"` + kind + `","payload":` + payload + "}\n"
}

// part is a user's message of one part, with its kind and source.
func part(text, kind, from string) string {
	return rolled("response_item", `{"type":"message","id":"m1","role":"user","content":[`+
		`{"type":"input_text","text":"`+text+`"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["`+kind+
		`"],"content_item_metadata":[{"provenance":{"type":"`+from+`"}}]}}`)
}

func began(trigger string) string {
	return rolled("event_msg", `{"type":"task_started","turn_attribution":{"turn_trigger":"`+trigger+`"}}`)
}

// TestRolloutPerson: only a part that the client marks as typed is a person's, and only a turn that it says a
// user began is by hand.
func TestRolloutPerson(t *testing.T) {
	for name, tt := range map[string]struct {
		lines string
		who   Who
		mark  Marked
	}{
		"typed":        {began("user") + part("a", "user.text", "user"), Person, ByHand},
		"by a program": {began("exec") + part("a", "user.text", "user"), Person, BySDK},
		"by a new way": {began("robot") + part("a", "user.text", "user"), Person, BySDK},
		"not said how": {part("a", "user.text", "user"), Person, Unmarked},
		"instructions": {began("user") + part("a", "agents_md.instructions", "agents_md"),
			Injected, Unmarked},
		"another source": {began("user") + part("a", "user.text", "harness"), Injected, Unmarked},
		"a hook's prompt": {began("user") + part("<hook_prompt>a</hook_prompt>", "unknown", "harness"),
			Injected, Unmarked},
		"no marks at all": {began("user") + rolled("response_item",
			`{"type":"message","id":"m","role":"user","content":[{"type":"input_text","text":"a"}]}`),
			Injected, Unmarked},
		"the client's": {rolled("response_item",
			`{"type":"message","id":"m","role":"developer","content":[{"text":"a"}]}`), Injected, Unmarked},
	} {
		span := read(t, source(tt.lines), Request{Whole: true})
		if len(span.Entries) != 1 || span.Entries[0].Who != tt.who || span.Entries[0].Marked != tt.mark {
			t.Errorf("%s: %+v", name, span.Entries)
		}
	}
}

// TestRolloutCwd: what is said in a turn has the folder of that turn, wherever the reading begins.
func TestRolloutCwd(t *testing.T) {
	said := func(text string) string { return part(text, "user.text", "user") }
	in := func(cwd string) string { return rolled("turn_context", `{"cwd":"`+cwd+`"}`) }
	long := rolled("event_msg", `{"type":"token_count","info":"`+strings.Repeat("x", 1<<20)+`"}`)
	text := rolled("session_meta", `{"cwd":"/shop"}`) + said("a") + in("/shop/pkg") + said("b") +
		said(`\"turn_context\",\"payload\":{\"cwd\":\"/quoted\"}`) + long + said("c") +
		rolled("turn_context", `{"model":"m"}`) + said("d") + in("/other") + said("e")
	want := map[string]string{"a": "/shop", "b": "/shop/pkg", "c": "/shop/pkg", "d": "/shop/pkg",
		"e": "/other"}
	for from := range text {
		if from > 0 && text[from-1] != '\n' {
			continue
		}
		span := read(t, source(text), Request{Whole: true,
			From: Mark{Device: 1, Inode: 7, Offset: int64(from)}})
		for _, e := range span.Entries {
			if dir, ok := want[e.Text]; ok && e.Cwd != dir {
				t.Errorf("%s, read from %d: %q, want %q", e.Text, from, e.Cwd, dir)
			}
		}
		if n := strings.Count(text[from:], `"user.text"`); len(span.Entries) != n {
			t.Errorf("from %d: %d entries, want %d", from, len(span.Entries), n)
		}
	}
	lost := said("a")
	if span := read(t, source(lost), Request{Whole: true}); span.Entries[0].Cwd != "" {
		t.Errorf("nobody said where: %q", span.Entries[0].Cwd)
	}
}

// TestRolloutCwdLost: a line that would say the folder and is broken leaves none, until another says it.
func TestRolloutCwdLost(t *testing.T) {
	said := func(text string) string { return part(text, "user.text", "user") }
	in := func(cwd string) string { return rolled("turn_context", `{"cwd":"`+cwd+`"}`) }
	for name, tt := range map[string]struct{ line, want string }{
		"torn":            {in("/other")[:90] + "\n", ""},
		"torn and run on": {in("/other")[:90] + said("x"), ""},
		"behind a tear":   {said("x")[:90] + "\x00\x00" + in("/other"), ""},
		"of a resumption": {rolled("session_meta", `{"cwd":"/other"`), ""},
		"too long": {rolled("turn_context", `{"all":[`+strings.Repeat("1,", 1<<20)+`1],"cwd":"/other"}`),
			""},
		"behind a hole": {"\x00\x00\x00" + in("/other"), "/other"},
		"another kind":  {rolled("response_item", `{"type":"message",`), "/shop"},
		"quoted": {rolled("response_item", `{"type":"message","text":"{\"type\":\"turn_context\"}"`),
			"/shop"},
	} {
		text := in("/shop") + said("a") + tt.line + said("b") + in("/shop") + said("c")
		want := map[string]string{"a": "/shop", "b": tt.want, "c": "/shop"}
		for from := range text {
			if from > 0 && text[from-1] != '\n' {
				continue
			}
			span := read(t, source(text), Request{Whole: true,
				From: Mark{Device: 1, Inode: 7, Offset: int64(from)}})
			for _, e := range span.Entries {
				if dir, ok := want[e.Text]; ok && e.Cwd != dir {
					t.Errorf("%s: %s, read from %d: %q, want %q", name, e.Text, from, e.Cwd, dir)
				}
			}
		}
	}
}

// TestRolloutBegan: where a session began is in its first line alone, however long that is.
func TestRolloutBegan(t *testing.T) {
	meta := func(fields string) string { return rolled("session_meta", `{"cwd":"/shop"`+fields+`}`) }
	later := rolled("turn_context", `{"cwd":"/shop"}`) + meta("")
	for name, tt := range map[string]struct {
		text, cwd string
		agent     bool
	}{
		"a session":       {meta(`,"source":"cli","thread_source":"user"`), "/shop", false},
		"an older client": {meta(`,"source":"vscode"`), "/shop", false},
		"a long line":     {meta(`,"base_instructions":"`+strings.Repeat("x", 1<<20)+`"`) + later, "/shop", false},
		"not whole":       {strings.TrimSuffix(meta(""), "\"}}\n"), "", false},
		"broken":          {strings.TrimSuffix(meta(""), "\"}}\n") + "\n" + later, "", false},
		"another line":    {later, "", false},
		"an agent's":      {meta(`,"source":"cli","thread_source":"subagent"`), "/shop", true},
		"a reviewer's":    {meta(`,"source":{"subagent":"review"}`), "/shop", true},
	} {
		b := Began(source(tt.text))
		if b.Cwd != tt.cwd || b.Agent != tt.agent || tt.cwd != "" && b.Time.IsZero() {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestRolloutLines(t *testing.T) {
	said := func(payload string) string { return rolled("response_item", payload) }
	for line, want := range map[string]string{
		rolled("compacted", `{"message":"so far","replacement_history":[]}`): "injected: boundary\n" +
			"summary: so far",
		rolled("event_msg", `{"type":"turn_aborted","reason":"interrupted"}`):          "injected: interrupted",
		said(`{"type":"reasoning","summary":[{"text":"hidden"}]}`):                     "",
		rolled("event_msg", `{"type":"item_completed","item":{"type":"UserMessage"}}`): "",
		said(`{"type":"local_shell_call","action":{"command":["bash","-lc","ls"]}}`):   "assistant: Bash ls",
		said(`{"type":"function_call","name":"shell","arguments":` +
			`"{\"command\":[\"ls\",\"a b\"]}"}`): "assistant: Bash ls 'a b'",
		said(`{"type":"function_call","name":"apply_patch","arguments":` +
			`"{\"input\":\"*** Begin Patch\\n*** Delete File: x\\n*** End Patch\"}"}`): "assistant: Edit > x",
		said(`{"type":"custom_tool_call","name":"apply_patch","input":"garbage"}`): "assistant: Edit",
		said(`{"type":"web_search_call","action":{"type":"search","query":"q"}}`):  "assistant: WebSearch q",
		said(`{"type":"function_call","name":"spawn_agent","namespace":"multi_agent_v1",` +
			`"arguments":"{\"message\":\"m\"}"}`): "assistant: spawn_agent m",
		said(`{"type":"function_call_output","output":[{"type":"input_text",` +
			`"text":"Wall time: 1 seconds\nOutput:"},{"type":"input_text","text":"found"}]}`): "tool: found",
		said(`{"type":"custom_tool_call_output","output":"apply_patch verification failed: x"}`): "tool: " +
			"failed apply_patch verification failed: x",
		said(`{"type":"function_call_output","output":"Exit code: 1\nWall time: 1 s\nOutput:\nno"}`): "tool: " +
			"failed Exit code: 1\nWall time: 1 s\nOutput:\nno",
	} {
		var got []string
		for _, e := range read(t, source(line), Request{Whole: true}).Entries {
			s := e.Who.String() + ":"
			switch {
			case e.Boundary:
				s += " boundary"
			case e.Failed:
				s += " failed"
			}
			if e.Tool != "" {
				s += " " + e.Tool + " " + e.Command + e.Call.URL + e.Call.Prompt
			}
			if e.File != "" {
				s += " > " + e.File
			}
			if e.Text != "" {
				s += " " + e.Text
			}
			got = append(got, strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " "))
		}
		if g := strings.Join(got, "\n"); g != want {
			t.Errorf("%s got %q, want %q", line, g, want)
		}
	}
}

func TestTurnTrigger(t *testing.T) {
	for lines, want := range map[string]Marked{
		began("user") + part("a", "user.text", "user"):                 ByHand,
		began("user") + part("a", "user.text", "user") + began("exec"): BySDK,
		part(`{\"type\":\"task_started\"}`, "user.text", "user"):       Unmarked,
		prompt("one", "1"): Unmarked,
	} {
		if got, err := TurnTrigger(source(lines)); got != want || err != nil {
			t.Errorf("%v, %v, want %v: %s", got, err, want, lines)
		}
	}
}

// TestRolloutRuns: a call that has its result runs no more.
func TestRolloutRuns(t *testing.T) {
	call := rolled("response_item", `{"type":"function_call","name":"exec_command","call_id":"c1",`+
		`"arguments":"{\"cmd\":\"bin/keepsake save\"}"}`)
	done := rolled("response_item", `{"type":"function_call_output","call_id":"c1","output":"ok"}`)
	for lines, want := range map[string]bool{call: true, call + done: false, done: false} {
		src := source(lines)
		if got, err := Runs(src, src.Size(), "keepsake"); got != want || err != nil {
			t.Errorf("%v, %v: %s", got, err, lines)
		}
	}
}
