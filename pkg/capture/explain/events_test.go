package explain

import (
	"strings"
	"testing"

	"keepsake/pkg/client/transcript"
)

// script builds a conversation from lines: "p: words of the person", "a: text of the agent", "a! the same of
// the agent", "$ command", "> output", "x> output of a failure", "e: file that is changed", "q: question; of
// the client", "r: words with a refusal", "no" for a refusal without, "stop" for an interruption.
func script(lines string) (all []transcript.Entry) {
	add := func(e transcript.Entry) { all = append(all, e) }
	var call *transcript.Call
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		sign, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		text = strings.ReplaceAll(text, `\n`, "\n")
		switch sign {
		case "p:":
			add(transcript.Entry{Who: transcript.Person, Text: text})
		case "a:":
			add(transcript.Entry{Who: transcript.Assistant, Text: text})
		case "$":
			call = &transcript.Call{Tool: "Bash", Command: text}
			add(transcript.Entry{Who: transcript.Assistant, Tool: "Bash", Call: call, Command: text})
		case "e:":
			call = &transcript.Call{Tool: "Edit", File: text}
			add(transcript.Entry{Who: transcript.Assistant, Tool: "Edit", Call: call, File: text})
		case ">", "x>":
			add(transcript.Entry{Who: transcript.Tool, Call: call, Text: text, Failed: sign == "x>"})
		case "r:":
			add(transcript.Entry{Who: transcript.Tool, Call: call, Failed: true, Refused: true})
			add(transcript.Entry{Who: transcript.Person, Call: call, Text: text, Refused: true})
		case "no":
			add(transcript.Entry{Who: transcript.Tool, Call: call, Failed: true, Refused: true, Declined: true})
		case "stop":
			add(transcript.Entry{Who: transcript.Injected, Interrupted: true})
		case "plan":
			add(transcript.Entry{Who: transcript.Person, Plan: text})
		case "handed":
			add(transcript.Entry{Who: transcript.Person, Plan: text,
				Text: "Implement the following plan:\n\n" + text})
		case "q:":
			call = &transcript.Call{Tool: "AskUserQuestion", Asks: []transcript.Asked{{Question: text,
				Options: []transcript.Option{{Label: "flock"}, {Label: "a pid file"}}}}}
			add(transcript.Entry{Who: transcript.Assistant, Tool: "AskUserQuestion", Call: call})
		case "answer":
			add(transcript.Entry{Who: transcript.Person, Text: text, Asked: &call.Asks[0]})
		default:
			panic("script: " + line)
		}
	}
	return all
}

func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   string // the events of each entry that has any, by its index
	}{
		"a turn": {"p: please add a lock\na: I look.\ne: lock.go\n> ok\na: Done.\np: thanks",
			"0 first prompt, short reply; 1 before change; 4 ends turn, after change; 5 short reply"},
	} {
		var got []string
		all := script(c.script)
		for i, e := range eventsOf(all, 0) {
			if e != 0 {
				got = append(got, string(rune('0'+i))+" "+e.String())
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, s, c.want)
		}
	}
}
