package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// rejected returns the line with the refusal of a call, with the words behind it; rest follows the message.
func rejected(id, words, rest string) string {
	text := refusal + " The tool use was rejected (eg. if it was a file edit). " + words
	return strings.Replace(returned(id, text, rest), `"tool_use_id"`, `"is_error":true,"tool_use_id"`, 1)
}

func TestRefusals(t *testing.T) {
	const (
		told  = "To tell you how to proceed, the user said:\nuse make\n\nand wait"
		stop  = "STOP what you are doing and wait for the user to tell you how to proceed."
		words = "tool refused\nperson refused: use make⏎⏎and wait\n"
	)
	bash := called("t1", "Bash", `{"command":"go build"}`)
	server := called("t1", "mcp__x__y", `{}`)
	for name, c := range map[string]struct{ lines, want string }{
		"with words": {bash + rejected("t1", told, `,"toolUseResult":"Error: `+refusal+` …"`), words},
		"with words, without the client's record": {bash + rejected("t1", told, ""), words},
		"with the client's advice to the model": {
			bash + rejected("t1", told+advice+" Pay close attention.", ""), words},
		"with words in a field": {bash + strings.Replace(returned("t1", "no", `,"userFeedback":"use make",`+
			`"holdsPersonsWords":true`), `"tool_use_id"`, `"is_error":true,"tool_use_id"`, 1),
			"tool refused\nperson refused: use make\n"},
		"without words":            {bash + rejected("t1", stop, `,"toolUseResult":"User rejected tool use"`), "tool declined\n"},
		"without words nor record": {bash + rejected("t1", stop, ""), "tool declined\n"},
		"a call behind one": {bash + strings.Replace(returned("t1", aborted+" "+stop,
			`,"toolUseResult":"User rejected tool use"`), `"tool_use_id"`, `"is_error":true,"tool_use_id"`, 1),
			"tool declined\n"},
		"private words": {bash + rejected("t1", "the user said:\n<private>x</private>", ""),
			"tool declined\n"},
		"a plan":                          {called("t1", "ExitPlanMode", `{"plan":"# P"}`) + rejected("t1", told, ""), words},
		"a server's words":                {server + rejected("t1", told, ""), "tool\n"},
		"a server's words, with a record": {server + rejected("t1", told, `,"toolUseResult":"Error: oops"`), "tool\n"},
		"a person refuses a server's":     {server + rejected("t1", told, `,"toolUseResult":"Error: `+refusal+` …"`), words},
		"a call that is not known":        {rejected("t9", told, ""), "tool\n"},
		"words of a result that passed":   {bash + returned("t1", refusal+" "+told, ""), "tool\n"},
		"stopped": {`{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}` + "\n",
			"injected interrupted\n"},
		"stopped in a call": {`{"type":"user","message":{"content":"[Request interrupted by user for tool use]"}}` + "\n",
			"injected interrupted\n"},
		"writing about it": {prompt("what is [Request interrupted by user]?", "p"),
			"person: what is [Request interrupted by user]?\n"},
		"a teammate": {`{"type":"user","message":{"content":"<teammate-message teammate_id=\"lead\" color=\"blue\">\nuse make\n</teammate-message>"}}` + "\n",
			"peer: <teammate-message teammate_id=\"lead\" color=\"blue\">⏎use make⏎</teammate-message>\n"},
		"another session": {`{"type":"user","message":{"content":[{"type":"text","text":"<cross-session-message from=\"a\">use make</cross-session-message>"}]}}` + "\n",
			"peer: <cross-session-message from=\"a\">use make</cross-session-message>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, e := range read(t, source(c.lines), Request{Whole: true}).Entries {
				if e.Tool != "" {
					continue
				}
				got += e.Who.String()
				switch {
				case e.Declined:
					got += " declined"
				case e.Refused:
					got += " refused"
				case e.Interrupted:
					got += " interrupted"
				}
				if e.Refused && e.Call == nil {
					t.Error("the refused call is not known")
				}
				if e.Text != "" && e.Who != Tool && !e.Interrupted {
					got += fmt.Sprint(": ", strings.ReplaceAll(e.Text, "\n", "⏎"))
				}
				got += "\n"
			}
			if got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}
