package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/text"
)

// Events is what happened at an entry of a conversation and around it, as a set. The words of an entry say
// part of what it is worth, and what was done with it says another.
type Events uint32

// Events of a person's entry.
const (
	FirstPrompt     Events = 1 << iota // it begins the conversation
	PlanHandedOver                     // it begins one with a plan made before
	PlanApproved                       // a yes to a plan
	AnswerChosen                       // of the options of a question that the client asked
	AnswerOwnWords                     // to such a question
	RefusalWords                       // with the refusal of a call
	AfterInterrupt                     // they stopped the agent, or refused without words, and say why here
	ShortReply                         // a few words
	FollowsQuestion                    // the agent's last words ask
	FollowsOptions                     // they list what to choose from
	Picks                              // it takes one of these
	Agrees                             // it takes what the agent proposed
	Objects                            // it begins with a no, or asks for something else instead
	TakesBack                          // it asks to undo something, or says that they did
	ShowsError                         // it has the output of a program that failed
	LedToChange                        // the agent changes a file in the turn that it begins
	FollowedWish                       // and it asks for something to be done, or done in another way
)

// Events of a text or a call of the agent.
const (
	EndsTurn       Events = 1 << (iota + 17) // its last words in a turn
	BeforeQuestion                           // a question or a plan of the client follows
	BeforeChange                             // a file is changed right behind it
	AfterChange                              // a file was changed earlier in the turn
	AfterRefusal                             // its first words after a refusal
	AfterFailure                             // a command failed right before
	Mends                                    // the same, after a command failed in the turn
	Fixed                                    // and the command that had failed passed then
	WasAgreed                                // the person agreed to it, or took an option of it
	EndsAsking                               // its last words in a turn ask something
	AnswersPerson                            // its last words in a turn that a question began
	WasRejected                              // the person's next words object to it, or take it back
)

var eventNames = [...]string{
	"first prompt", "plan handed over", "plan approved", "answer chosen", "answer in own words",
	"refusal words", "after interrupt", "short reply", "follows question", "follows options", "picks",
	"agrees", "objects", "takes back", "shows error", "led to change", "followed wish", "ends turn",
	"before question", "before change",
	"after change", "after refusal", "after failure", "mends", "fixed", "was agreed",
	"ends asking", "answers person", "was rejected",
}

// Has reports whether all of some events are in the set.
func (e Events) Has(some Events) bool { return e&some == some }

// happened is what happened in the last entries of a conversation.
type happened struct {
	all     []transcript.Entry
	from    int  // index in all of the first entry whose events are told
	start   int  // index of the first entry that is looked at
	work    bool // only what the agent did is read
	events  []Events
	taken   []taken // what stood before from was heard without the person's yes, and means more now
	repairs []repair
}

// A taken is what the person took of what the agent put forward.
type taken struct {
	by    int      // index in all of the person's entry
	offer int      // of the agent's, which may be before the entries that are told
	what  Resolved // the part that was taken, zero if it is not clear: a yes to the whole
}

// A repair is a command that failed, what was done then, and the same command passing.
type repair struct {
	failed  int   // index in all of the result that failed
	passed  int   // and of the one that passed
	changed []int // calls in between that change a file
}

// Bounds of the events, in entries: how far before the new ones they are read, and how far a command that
// failed is remembered.
const (
	maxEventsBack = 400
	maxRepair     = 120
)

// happenedIn reads the entries at or after from, and some before as their context.
func happenedIn(all []transcript.Entry, from int) happened {
	h := happened{all: all, from: from, start: max(0, from-maxEventsBack)}
	h.read()
	return h
}

// workIn reads only what the agent did in entries, not what was said about it.
func workIn(all []transcript.Entry) happened {
	h := happened{all: all, work: true}
	h.read()
	return h
}

func (h *happened) read() {
	all := h.all
	h.events = make([]Events, len(all)-h.start)
	t := turn{h: h, said: -1, prompt: -1, open: map[string]int{}}
	for i := h.start; i < len(all); i++ {
		switch e := all[i]; {
		case e.Boundary:
			t = turn{h: h, said: -1, prompt: -1, open: map[string]int{}, begun: true}
		case e.Interrupted:
			t.stopped = true
		case e.Who == transcript.Person:
			t.person(i, e)
		case e.Who == transcript.Assistant:
			t.agent(i, e)
		case e.Who == transcript.Tool:
			t.result(i, e)
		}
	}
	t.end()
}

// add notes events of an entry.
func (h *happened) add(i int, e Events) {
	if i >= h.start {
		h.events[i-h.start] |= e
	}
}

// at returns the events of an entry.
func (h *happened) at(i int) Events {
	if i < h.start {
		return 0
	}
	return h.events[i-h.start]
}

// A turn is what is known of the one that is read.
type turn struct {
	h       *happened
	begun   bool           // a person has said something in this conversation
	said    int            // index of the agent's last text, -1 if there is none
	prompt  int            // of the words of the person that began it, -1 if it is not known
	wishes  bool           // these ask for something to be done
	asks    bool           // the agent's last words in the turn before ask
	stopped bool           // the person stopped the agent
	refused bool           // a call was refused and the agent has said nothing since
	failed  bool           // a command failed
	just    bool           // the last result was a failure
	edited  bool           // a file was changed in this turn
	changed []int          // calls that changed a file, of the last commands
	mending []int          // texts of the agent right before these
	open    map[string]int // the commands that failed last, by their names
}

// person notes what a person's entry is.
func (t *turn) person(i int, e transcript.Entry) {
	h := t.h
	switch {
	case e.Asked != nil && e.Asked.Chose(e.Text):
		h.add(i, AnswerChosen)
		return
	case e.Asked != nil:
		h.add(i, AnswerOwnWords)
		return
	case e.Plan != "" && !e.Handed():
		h.add(i, PlanApproved)
		return
	case e.Refused:
		h.add(i, RefusalWords)
		t.refused = true
	}
	own := e.Own()
	if !e.Refused {
		t.end()
	}
	if !t.begun {
		h.add(i, FirstPrompt)
	}
	if e.Handed() {
		h.add(i, PlanHandedOver)
	}
	if t.stopped && !e.Handed() { // the client declines a plan that it hands over
		h.add(i, AfterInterrupt)
	}
	t.begun, t.wishes = true, false
	if !h.work && own != "" && i >= h.from {
		t.words(i, own)
		if t.said >= 0 {
			t.replies(i, own)
		}
	}
	if e.Refused {
		return
	}
	t.prompt, t.said = i, -1
	t.stopped, t.failed, t.just, t.edited = false, false, false, false
}

// maxListed is how much of the end of the agent's words is searched for what it lists, in bytes.
const maxListed = 8 << 10

// shortReply is how many words a short reply has at most.
const shortReply = 7

// words notes what a person's words show by themselves.
func (t *turn) words(i int, own string) {
	if n := len(strings.Fields(own)); n > 0 && n <= shortReply {
		t.h.add(i, ShortReply)
	}
	if showsError(own) {
		t.h.add(i, ShowsError)
	}
	all := triage.Sentences(headOf(own))
	for n, s := range all[:min(len(all), maxReferring)] {
		words := splitWords(s.Text)
		t.wishes = t.wishes || wantsDone(s.Text) && !isErrand(s.Text)
		if n == 0 && len(words) > 0 && words[0].in(objecting) {
			t.h.add(i, Objects)
		}
		if takesBack(words) {
			t.h.add(i, TakesBack)
		}
	}
	if t.said >= 0 && t.h.at(i)&(Objects|TakesBack) != 0 {
		t.h.add(t.said, WasRejected)
	}
}

// headOf returns the beginning of a message, which answers the one before.
func headOf(said string) string { return text.CutBytes(said, 4*wholePick) }

// tailOf returns the end of a message, which asks for the one after it.
func tailOf(said string) string { return text.LastBytes(said, 4*wholePick) }

// objecting are words with which a person's objection begins, as text.OneOf takes them.
const objecting = "no nope not don't stop wait hmm hm actually wrong instead rather nein nee nicht stopp " +
	"halt warte falsch stattdessen eigentlich non нет не стой alto espera não pare"

// undoing are verbs of taking something back; undone are their forms of what was done.
const (
	undoing = "revert reverted reverting undo undid undone rollback restore restored rückgängig " +
		"zurückgesetzt zurücksetzen zurücknehmen annuler revenir revertir deshacer deshaz desfazer " +
		"reverter откати откатить"
	goingBack = "roll rolled go went going switch change changed put take took"
)

// takesBack reports whether a sentence is about undoing something.
func takesBack(words []word) bool {
	for i, w := range words {
		if w.in(undoing) || w.in(goingBack) && i+1 < len(words) && (words[i+1].text == "back" ||
			i+2 < len(words) && words[i+2].text == "back" && words[i+1].in("it that this them")) {
			return true
		}
	}
	return false
}

// replies notes what a message does with the agent's last words.
func (t *turn) replies(i int, own string) {
	h := t.h
	last := h.all[t.said].Text
	if t.asks {
		h.add(i, FollowsQuestion)
	}
	lists := findLists(text.LastBytes(last, maxListed))
	if len(lists) > 0 && (offers(tailOf(last)) || slices.ContainsFunc(lists, func(l list) bool {
		return l.asked || l.kind.named()
	})) {
		h.add(i, FollowsOptions)
	}
	x := taken{by: i, offer: -1}
	if mayRefer(own) {
		if r, at, ok := resolveIn(h.all, i, own); ok {
			x.offer, x.what = at, r
		}
	}
	if x.what.Cue == Picked {
		h.add(i, Picks)
	}
	if yes := saysYes(own); yes || x.what.Cue == Agreed {
		h.add(i, Agrees)
		if x.offer < 0 {
			x.offer = t.said
		}
	}
	if x.offer >= 0 {
		h.add(x.offer, WasAgreed)
		h.taken = append(h.taken, x)
	}
}

// agent notes what an entry of the agent is.
func (t *turn) agent(i int, e transcript.Entry) {
	h := t.h
	t.begun = true
	if e.Tool == "" {
		for _, x := range [...]struct {
			event Events
			is    bool
		}{{AfterRefusal, t.refused}, {AfterFailure, t.just}, {AfterChange, t.edited}} {
			if x.is {
				h.add(i, x.event)
			}
		}
		t.said, t.refused = i, false
		return
	}
	if e.Call == nil {
		return
	}
	switch {
	case len(e.Call.Asks) > 0 || e.Call.Plan != "":
		if t.said >= 0 {
			h.add(t.said, BeforeQuestion)
		}
	case e.File != "":
		if t.said >= 0 && t.said == i-1 {
			h.add(t.said, BeforeChange)
			if t.failed {
				h.add(t.said, Mends)
			}
			t.mending = lastFew(append(t.mending, t.said))
		}
		if t.edited = true; t.prompt >= 0 {
			h.add(t.prompt, LedToChange)
			if t.wishes {
				h.add(t.prompt, FollowedWish)
			}
		}
		t.changed = lastFew(append(t.changed, i))
	}
}

// result notes whether a command failed, or passes now.
func (t *turn) result(i int, e transcript.Entry) {
	t.just = false
	if e.Refused {
		t.stopped = t.stopped || e.Declined
		return
	}
	if e.Call == nil || e.Call.Command == "" {
		return
	}
	failed := e.Failed || showsFailure(e.Text)
	if failed {
		t.failed, t.just = true, true
		if names := programs(e.Call.Command, false); len(names) > 0 {
			name := names[len(names)-1]
			if was, ok := t.open[name]; !ok || i-was > maxRepair {
				t.open[name] = i
			}
		}
		return
	}
	for _, name := range programs(e.Call.Command, true) {
		was, ok := t.open[name]
		if !ok {
			continue
		}
		delete(t.open, name)
		if i-was > maxRepair {
			continue
		}
		r := repair{failed: was, passed: i}
		for _, c := range t.changed {
			if c > was {
				r.changed = append(r.changed, c)
			}
		}
		for _, s := range t.mending {
			if s > was {
				t.h.add(s, Fixed)
			}
		}
		t.h.repairs = append(t.h.repairs, r)
	}
}

// end notes what is known when a turn ends, as it does where the entries end.
func (t *turn) end() {
	if t.said < 0 || t.h.work {
		return
	}
	t.h.add(t.said, EndsTurn)
	if t.asks = asks(tailOf(t.h.all[t.said].Text)); t.asks {
		t.h.add(t.said, EndsAsking)
	}
	if t.prompt >= 0 && asks(headOf(t.h.all[t.prompt].Own())) {
		t.h.add(t.said, AnswersPerson)
	}
}

// lastFew returns the end of a list, which need not remember more than a repair may span.
func lastFew(all []int) []int {
	if len(all) > 2*maxRepair {
		all = append(all[:0], all[maxRepair:]...)
	}
	return all
}

// errorSigns begin or stand in lines in which programs say that they failed.
var errorSigns = [...]string{"error:", "error[", "fatal:", "panic:", "traceback (most recent", "exception:",
	"npm err!", "--- fail", "fail\t", "assertionerror", "segmentation fault", "command not found",
	"undefined reference", "cannot find module", "exit status 1", "exit code 1"}

// showsError reports whether a person's words hold what a program prints when it fails.
func showsError(said string) bool {
	if len(said) < 20 {
		return false
	}
	low := strings.ToLower(said)
	return slices.ContainsFunc(errorSigns[:], func(sign string) bool { return strings.Contains(low, sign) })
}

// showsFailure reports whether the output of a command that counts as passed says that it failed: a pipe
// hides how the program before it ended.
func showsFailure(out string) bool {
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		for _, sign := range [...]string{"FAIL\t", "--- FAIL", "FAIL:", "npm ERR!", "panic:", "fatal:",
			"error:", "error[", "Traceback (most recent call last)", "Error:", "make: ***", "FAILED ",
			"Exit code "} {
			if strings.HasPrefix(line, sign) {
				return line != "Exit code 0"
			}
		}
		if line == "FAIL" {
			return true
		}
	}
	return false
}
