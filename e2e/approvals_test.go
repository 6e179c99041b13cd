//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Standing is what `keepsake approvals --json` prints.
type Standing struct {
	Waiting, Approved, Rejected []Stopped
	Settled                     []Settled
}

// Settled is what became of a call.
type Settled struct {
	ID, By, Result, Error string
	Stored                []string
}

// Ran are the settled calls without those that the person said no to in the dialog.
func (s Standing) Ran() (all []Settled) {
	for _, o := range s.Settled {
		if o.Result != "not run" {
			all = append(all, o)
		}
	}
	return all
}

// Stopped is a call that the gate stopped, with the person's answer to it, if any.
type Stopped struct {
	ID, By, Agent, Session, Project string
	Args                            struct{ Content string }
}

// Approvals asks the lab's Keepsake what waits, is answered and is settled.
func (l *Lab) Approvals() (s Standing) {
	l.t.Helper()
	cmd := exec.Command(l.keepsake(), "approvals", "--json")
	cmd.Dir, cmd.Env = l.Project, l.environ()
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &s)
	}
	if err != nil {
		l.t.Fatalf("keepsake approvals: %v\n%s", err, out)
	}
	return s
}

// keepsake is the command line of the lab's plugin.
func (l *Lab) keepsake() string { return filepath.Join(l.Plugin, "bin", "keepsake") }

// Waits is the id of the stopped call that would store a text and waits for an answer, or that the person
// declined in the client's dialog, and can still approve.
func (l *Lab) Waits(content string) string {
	l.t.Helper()
	id, all := "", l.Approvals()
	declined, err := filepath.Glob(filepath.Join(l.Home, ".claude", "keepsake", "approvals", "declined", "*"))
	if err != nil {
		l.t.Fatal(err)
	}
	for _, path := range declined {
		var r Stopped
		if json.Unmarshal([]byte(l.Read(path)), &r) == nil && r.Args.Content == content {
			id = r.ID
		}
	}
	for _, r := range all.Waiting {
		if r.Args.Content == content {
			id = r.ID // the newest of several
		}
	}
	if id == "" {
		l.t.Fatalf("no call that stores %s waits: %+v", content, all)
	}
	return id
}

// AtTerminal runs keepsake in a terminal of its own, outside of any client, types an answer to each of its
// questions, and returns all that the terminal showed.
func (l *Lab) AtTerminal(args []string, answers ...string) string {
	l.t.Helper()
	return l.AtTerminalOf(l.keepsake(), args, answers...)
}

// AtTerminalOf is AtTerminal with another installation's keepsake.
func (l *Lab) AtTerminalOf(program string, args []string, answers ...string) string {
	l.t.Helper()
	term := l.TerminalFor(140, 50, program, args...)
	for i, answer := range answers {
		term.until("a question", func() bool { return strings.Count(term.History(), "[y]es, [n]o") > i })
		term.Key("-l", answer)
		term.Key("Enter")
	}
	term.Wait("CLIENT-ENDED-")
	screen := term.History()
	term.close()
	return screen
}

// Keeper is the mind of a model that stores in MemPalace what the person names, one call after the
// other, and makes a call again when Keepsake tells it that the person approved it. It ends each turn
// with a text of its own.
type Keeper struct {
	Palace interface{ Connected() bool }
	Texts  map[string]string // what it stores by a name, where that is not the name itself
	// Attacks are what it does when told "please try NAME", and a subagent when it shall keep drawer-NAME.
	Attacks map[string]Reply
	Held    chan struct{} // when told to work slowly it does until this is closed
	// Continued is what it does, once, when Stop asked it to keep something.
	Continued *Reply

	mu     sync.Mutex
	todo   []string
	turns  int
	misfit string // added to the next approved text
	redo   string // what it does again when told of the next approval, instead of storing
}

var (
	wish        = regexp.MustCompile(`(store|delegate|leave) (drawer-[\w-]+(?:, drawer-[\w-]+)*)`)
	try         = regexp.MustCompile(`please try ([\w-]+)`)
	askedToKeep = heard("Stop", `keepsake: keep \[`)
	approved    = "<memory-approval>The person has approved the call"
)

// Answer is the turn of the main conversation.
func (k *Keeper) Answer(r *Request) Reply {
	k.mu.Lock()
	defer k.mu.Unlock()
	tail := r.Tail()
	switch m := wish.FindAllStringSubmatch(tail, -1); {
	case k.Continued != nil && askedToKeep.MatchString(tail):
		reply := *k.Continued
		k.Continued = nil
		return reply
	case strings.Contains(tail, approved) && k.redo != "":
		name := k.redo
		k.redo = ""
		return k.Attacks[name]
	case strings.Contains(tail, approved):
		content := lastStored(r) + k.misfit
		k.misfit = ""
		return store(content).after(k.Palace)
	case m != nil && m[len(m)-1][1] == "store":
		k.todo = strings.Split(m[len(m)-1][2], ", ")
	case m != nil:
		return k.delegate(m[len(m)-1][2], m[len(m)-1][1] == "leave")
	case try.MatchString(tail):
		return k.Attacks[try.FindStringSubmatch(tail)[1]]
	case strings.Contains(tail, "work slowly"):
		k.turns++
		say := Say(turnEnd(k.turns))
		say.Hold = func() { <-k.Held }
		return say
	}
	if len(k.todo) > 0 {
		content := k.todo[0]
		k.todo = k.todo[1:]
		if text, ok := k.Texts[content]; ok {
			content = text
		}
		return store(content).after(k.Palace)
	}
	k.turns++
	return Say(turnEnd(k.turns))
}

func turnEnd(n int) string { return fmt.Sprintf("That was turn %d.", n) }

// delegate has a subagent store a text.
func (k *Keeper) delegate(content string, background bool) Reply {
	return Call(
		"Agent",
		map[string]any{
			"description":       "keep a text",
			"subagent_type":     "general-purpose",
			"prompt":            errand + content,
			"run_in_background": background,
		},
	).after(k.Palace)
}

// errand is what a subagent is told, before the text that it shall store.
const errand = "Keep this text: "

// Helper is the turn of a subagent's conversation.
func (k *Keeper) Helper(r *Request) Reply {
	_, content, _ := strings.Cut(r.First(), errand)
	if r.LastCall().Name != "" {
		return Say("The errand is over.")
	}
	content = strings.Fields(content)[0]
	if does, ok := k.Attacks[strings.TrimPrefix(content, "drawer-")]; ok {
		return does
	}
	return store(content).after(k.Palace)
}

// again makes the named attack what the next approval is for.
func (k *Keeper) again(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.redo = name
}

// Turn lets the person do something and waits until the model has ended one more turn.
func (k *Keeper) Turn(term *Terminal, act func()) {
	term.t.Helper()
	n := k.Ended()
	act()
	k.Await(term, n+1)
}

// Await waits until the terminal shows the end of the model's n-th turn.
func (k *Keeper) Await(term *Terminal, n int) {
	term.t.Helper()
	term.Wait(regexp.QuoteMeta(turnEnd(n)))
}

// Ended is how many turns the model has ended.
func (k *Keeper) Ended() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.turns
}

// attempt is one call to store a text, and what came of it.
type attempt struct{ content, result string }

// attempts are the calls to store of a conversation, in their order.
func attempts(r *Request) (all []attempt) {
	results := map[string]string{}
	for _, m := range r.Messages {
		for id, text := range m.Results {
			results[id] = text
		}
	}
	for _, m := range r.Messages {
		for _, c := range m.Calls {
			var in struct{ Content string }
			if c.Name == addDrawer && json.Unmarshal(c.Input, &in) == nil {
				all = append(all, attempt{in.Content, results[c.ID]})
			}
		}
	}
	return all
}

func lastStored(r *Request) string {
	all := attempts(r)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].content
}

// checkAttempts asserts what came of the last calls to store of the newest conversation: for each its
// text, and a pattern of the result.
func checkAttempts(t *testing.T, l *Lab, want ...attempt) {
	t.Helper()
	var got []attempt
	for _, r := range l.Model.Answered("main") {
		got = attempts(r)
	}
	if len(got) < len(want) {
		t.Fatalf("%d calls to store, want %d\n%s", len(got), len(want), l.Model.Digest())
	}
	for i, g := range got[len(got)-len(want):] {
		if w := want[i]; g.content != w.content || !regexp.MustCompile(w.result).MatchString(g.result) {
			t.Errorf("storing %q came to %q\nwant %q and %s", g.content, g.result, w.content, w.result)
		}
	}
}

// keeperLab is a lab with Keepsake, a palace and a model that stores what the person names.
func keeperLab(t *testing.T, c Client) (*Lab, *Keeper, []string) {
	t.Helper()
	l := NewLab(t, c)
	l.InstallKeepsake()
	palace, args := l.Palace()
	k := &Keeper{Palace: palace, Held: make(chan struct{}), Attacks: map[string]Reply{}}
	l.Model.Mind("helper", Match{First: errand}, k.Helper)
	l.Model.Mind("main", Match{}, k.Answer)
	return l, k, args
}

// checkKept asserts what the palace was given.
func checkKept(t *testing.T, l *Lab, k *Keeper, want ...string) {
	t.Helper()
	if got := k.Palace.(*Palace).Stored(); strings.Join(got, ",") != strings.Join(want, ",") {
		t.Errorf("stored %q, want %q\n%s", got, want, l.Model.Digest())
	}
}

// checkSettled asserts the newest settled call: how it was approved, how it ended, and what was stored.
func checkSettled(t *testing.T, l *Lab, id, by, result string, stored ...string) {
	t.Helper()
	all := l.Approvals().Ran()
	if len(all) == 0 {
		t.Errorf("nothing is settled, want %s %s by %s", id, result, by)
		return
	}
	if o := all[len(all)-1]; o.ID != id || o.By != by || o.Result != result ||
		strings.Join(o.Stored, ",") != strings.Join(stored, ",") {
		t.Errorf("settled as %+v, want %s %s by %s with %q", o, id, result, by, stored)
	}
}

// checkDialogs asserts how often the terminal asked the person.
func checkDialogs(t *testing.T, term *Terminal, want int) {
	t.Helper()
	if got := term.Dialogs(); len(got) != want {
		t.Errorf("%d dialogs, want %d\n%s", len(got), want, strings.Join(got, "\n\n"))
	}
}
