package explain

import (
	"fmt"
	"strings"
	"testing"

	"keepsake/pkg/client/transcript"
)

// script builds a conversation from lines: "p:" and words of the person, "a:" and text of the agent, "$" and
// a command, ">" and its output, "x>" where it failed, "e:" and a file that is changed, "q:" and a question
// of the client, "answer", "r:" and words with a refusal, "no" for one without, "stop" for an interruption,
// eventsOf returns what happened at each entry at or after from.
func eventsOf(all []transcript.Entry, from int) []Events {
	h := happenedIn(all, from)
	return h.events[h.from-h.start:]
}

// "plan" that is approved, "handed" plan, "--" for a boundary.
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
			add(transcript.Entry{Who: transcript.Tool, Call: call, Failed: true, Refused: true,
				Declined: true})
		case "--":
			add(transcript.Entry{Who: transcript.Injected, Boundary: true})
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
			"0 first prompt, short reply, led to change; 1 before change; 4 ends turn, after change; " +
				"5 short reply"},
		"an answer": {"p: why is the import slow?\na: It reads every file twice.",
			"0 first prompt, short reply; 1 ends turn, answers person"},
		"agreed": {"p: two writers collide\n" +
			"a: I recommend flock because it dies with its process. Shall I do that?\n" +
			"p: yes, do that",
			"0 first prompt, short reply; 1 ends turn, was agreed, ends asking; 2 short reply, " +
				"follows question, agrees"},
		"agreed in other words": {"p: two writers collide\n" +
			"a: The lock file could move below the state directory.\np: yeah let's move it",
			"0 first prompt, short reply; 1 ends turn, was agreed; 2 short reply, agrees"},
		"picked": {"p: which lock?\na: Options:\\n1. flock on the file\\n2. a pid file\\n\\n" +
			"Which one?\np: option 2",
			"0 first prompt, short reply; 1 ends turn, was agreed, ends asking, answers person; " +
				"2 short reply, follows question, follows options, picks"},
		"picked by its words": {"p: where to?\n" +
			"a: Should we fold it into the March release, or ship a separate patch release?\n" +
			"p: let's do the separate patch then",
			"0 first prompt, short reply; 1 ends turn, was agreed, ends asking, answers person; " +
				"2 short reply, follows question, follows options, picks, agrees"},
		"no answer to a question": {"p: two writers collide\na: Shall I add a lock?\n" +
			"p: what does the log say?",
			"0 first prompt, short reply; 1 ends turn, ends asking; 2 short reply, follows question"},
		"refused with words": {"p: go on\n$ git push\nr: not before the tests pass\na: Understood.\n" +
			"$ make test\n> ok",
			"0 first prompt, short reply; 3 refusal words, short reply, objects; 4 ends turn, after refusal"},
		"refused without": {"p: go on\n$ git push\nno\nstop\np: we push only from main",
			"0 first prompt, short reply; 4 after interrupt, short reply"},
		"stopped": {"p: go on\na: I rename it.\nstop\np: no, keep the name as it is",
			"0 first prompt, short reply; 1 ends turn, was rejected; 3 after interrupt, short reply, " +
				"objects"},
		"handed over": {"handed # Lock\\n\\nUse flock.\na: I begin.\np: ok",
			"0 first prompt, plan handed over; 1 ends turn; 2 short reply"},
		"handed over in the same session": {"p: plan it\na: Which lock?\nno\nhanded # Lock\\n\\nUse flock.",
			"0 first prompt, short reply; 1 ends turn, ends asking; 3 plan handed over"},
		"approved": {"p: plan it\na: My plan.\nplan # Lock\na: I begin.",
			"0 first prompt, short reply; 2 plan approved; 3 ends turn"},
		"answers": {"p: add a lock\na: One question.\nq: Which lock?\nanswer flock\nq: Which lock?\n" +
			"answer neither, use a lease\na: Fine.",
			"0 first prompt, short reply; 1 before question; 3 answer chosen; 5 answer in own words; " +
				"6 ends turn"},
		"fixed": {"p: run the tests\n$ go test ./x\nx> undefined: y\na: The name has changed.\n" +
			"e: x.go\n> ok\n$ go test ./x\n> ok\na: They pass.",
			"0 first prompt, short reply, led to change; 3 before change, after failure, mends, fixed; " +
				"8 ends turn, after change"},
		"failed, behind a pipe": {"p: run the tests\n$ go test ./x | tail\n> --- FAIL: TestX\n" +
			"a: The name has changed.\ne: x.go\n> ok\n$ go test ./x | tail\n> ok",
			"0 first prompt, short reply, led to change; 3 ends turn, before change, after failure, " +
				"mends, fixed"},
		"another command passes": {"p: run the tests\n$ go test ./x\nx> undefined: y\n" +
			"a: The name has changed.\ne: x.go\n> ok\n$ go vet ./x\n> ok",
			"0 first prompt, short reply, led to change; 3 ends turn, before change, after failure, mends"},
		"right behind a failure": {"p: run the tests\n$ go test ./x\nx> undefined: y\n" +
			"a: The name has changed.",
			"0 first prompt, short reply; 3 ends turn, after failure"},
		"taken back": {"p: use a lease\ne: x.go\n> ok\na: The lease is in.\n" +
			"p: please revert that, the lease is too slow",
			"0 first prompt, short reply, led to change; 3 ends turn, after change, was rejected; " +
				"4 takes back"},
		"a wish": {"p: can you use a switch instead?\na: Yes.\ne: x.go\n> ok",
			"0 first prompt, short reply, led to change, followed wish; 1 ends turn, before change, " +
				"answers person"},
		"an errand": {"p: can you commit that?\ne: x.go\n> ok", "0 first prompt, short reply, led to change"},
		"an error shown": {"p: the build says:\\nx.go:3: fatal: no such file",
			"0 first prompt, shows error"},
		"a boundary": {"p: add a lock\na: Shall I use flock?\n--\np: yes",
			"0 first prompt, short reply; 3 short reply"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for i, e := range eventsOf(script(c.script), 0) {
				if e != 0 {
					got = append(got, fmt.Sprint(i, " ", e))
				}
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("\n got %s\nwant %s", s, c.want)
			}
		})
	}
}

// TestEventsOfTheNewEntries: earlier entries are the context of the new ones, and no more of them are read
// than it takes.
func TestEventsOfTheNewEntries(t *testing.T) {
	all := script("p: two writers collide\na: I recommend flock for the queue. Shall I do that?\n" +
		"p: yes, do that\na: Done.")
	h := happenedIn(all, 2)
	got := eventsOf(all, 2)
	if len(got) != 2 || !got[0].Has(Agrees|FollowsQuestion) || got[0].Has(FirstPrompt) {
		t.Errorf("the new entries: %v", got)
	}
	if len(h.taken) != 1 || h.taken[0].by != 2 || h.taken[0].offer != 1 ||
		h.taken[0].what.Text != "I recommend flock for the queue." {
		t.Errorf("taken: %+v", h.taken)
	}
	if got := eventsOf(all[3:], 0); len(got) != 1 || got[0] != EndsTurn {
		t.Errorf("without a prompt: %v", got)
	}
	far := script(strings.Repeat("p: go on\na: Done, all of it.\n", maxEventsBack))
	if h := happenedIn(far, len(far)-1); len(h.events) != maxEventsBack+1 {
		t.Errorf("%d entries are read", len(h.events))
	}
}

// TestRepairs: a repair knows the command, what it printed and what was changed.
func TestRepairs(t *testing.T) {
	h := happenedIn(script("p: run it\n$ go test ./x\nx> undefined: y\ne: x.go\n> ok\n$ go test ./y\n> ok\n"+
		"e: z.go\n> ok\n$ go vet ./x && go test ./x\n> ok"), 0)
	if len(h.repairs) != 1 {
		t.Fatalf("%+v", h.repairs)
	}
	if r := h.repairs[0]; r.failed != 2 || r.passed != 6 || len(r.changed) != 1 || r.changed[0] != 3 {
		t.Errorf("%+v", r)
	}
}

// TestEventsAreLinear: the work on a conversation grows with its length, whatever it is made of.
func TestEventsAreLinear(t *testing.T) {
	for name, part := range map[string]string{
		"replies": "a: I recommend flock for the queue. Shall I do that?\np: yes, do that\n",
		"choices": "a: Which?\\n1. flock on a file\\n2. a pid file\np: what does the log say about it?\n",
		"failures": "p: go on\n$ go test ./x\nx> undefined\na: It is gone.\ne: x.go\n> ok\n$ go test " +
			"./x\n> ok\n",
		"calls": "e: x.go\n> ok\n",
		"texts": "a: I recommend flock for the queue.\n",
	} {
		allocs := func(n int) float64 {
			all := script("p: begin\n" + strings.Repeat(part, n))
			return testing.AllocsPerRun(1, func() { happenedIn(all, 0) })
		}
		few, many := allocs(500), allocs(2000)
		if many > 6*few {
			t.Errorf("%s: %.0f allocations for 500 of them, %.0f for 2000", name, few, many)
		}
	}
}

// String returns the names of the events, with commas.
func (e Events) String() string {
	var names []string
	for i, name := range eventNames {
		if e.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
