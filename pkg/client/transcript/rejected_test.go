package transcript

import (
	"strings"
	"testing"
)

// TestRejected: the results that both clients write for No, Esc and No with words are rejections of that call
// and of no other. What a hook denied, what failed, and what only quotes a rejection is none.
func TestRejected(t *testing.T) {
	const (
		said = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it " +
			"was a file edit, the new_string was NOT written to the file)."
		stop = said + " STOP what you are doing and wait for the user to tell you how to proceed."
	)
	result := func(use, text, rest string) string {
		return `{"parentUuid":"p","isSidechain":false,"type":"user","message":{"role":"user","content":[` +
			`{"type":"tool_result","content":"` + text + `","is_error":true,"tool_use_id":"` + use +
			`"}]},"uuid":"u","timestamp":"2026-11-23T23:14:01.906Z"` + rest + "}\n"
	}
	call := `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash"}]}}` + "\n"
	for name, tt := range map[string]struct {
		text string
		from int64
		want bool
	}{
		"2.1.197":       {result("t1", stop, `,"toolUseResult":"User rejected tool use"`), 0, true},
		"2.1.329":       {result("t1", stop, `,"toolDenialKind":"user-rejected"`), 0, true},
		"with words":    {result("t1", said+` To tell you how to proceed, the user said:\nshorter`, ""), 0, true},
		"behind more":   {call + result("t2", "x", "") + result("t1", stop, ""), 0, true},
		"in blocks":     {strings.Replace(result("t1", "T", ""), `"T"`, `[{"type":"text","text":"`+stop+`"}]`, 1), 0, true},
		"from within":   {call + result("t1", stop, ""), 7, true},
		"nothing":       {"", 0, false},
		"the call":      {call, 0, false},
		"another":       {result("t2", stop, "") + call, 0, false},
		"denied":        {result("t1", "permanent memory write: x", ""), 0, false},
		"quoted":        {result("t1", "it says: "+stop, ""), 0, false},
		"no error":      {strings.Replace(result("t1", stop, ""), "true", "false", 2), 0, false},
		"before":        {result("t1", stop, ""), 40, false},
		"being written": {strings.TrimSuffix(result("t1", stop, ""), "\n"), 0, false},
		"broken":        {strings.Replace(result("t1", stop, ""), "}]", "", 1), 0, false},
	} {
		got, err := Rejected(strings.NewReader(tt.text), tt.from, 1<<20, "t1")
		if got != tt.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, _ := Rejected(strings.NewReader(call+result("t1", stop, "")), 0, 90, "t1"); got {
		t.Error("read more than the limit")
	}
	if got, _ := Rejected(strings.NewReader(result("", stop, "")), 0, 1<<20, ""); got {
		t.Error("a call without an id was rejected")
	}
}
