package approval

import (
	"strings"
	"testing"
	"time"

	"keepsake/pkg/gate/rules"
)

// TestWeigh: what a call comes to by what the person did about it before, where the gate would ask in the
// client's dialog (plan mode as any other that asks) and where it denies because nobody can be asked there
// (headless, or a mode that answers itself).
func TestWeigh(t *testing.T) {
	const dialog, headless = rules.Ask, rules.Deny
	now := time.Now()
	for name, tt := range map[string]struct {
		before           func(h *history)
		dialog, headless rules.Decision
		waits            int    // how many requests wait after it
		says             string // of the reason of a deny
		usedOnce         bool   // an answer is used up
	}{
		"nothing": {before: func(*history) {}, dialog: rules.Ask, headless: rules.Deny, waits: 1,
			says: "It waits as "},
		"stopped before": {before: func(h *history) { h.stop() },
			dialog: rules.Ask, headless: rules.Deny, waits: 1, says: "It waits as "},
		"approved in a terminal": {before: func(h *history) { h.approve(h.stop(), Terminal, "s1") },
			dialog: rules.Allow, headless: rules.Allow, usedOnce: true},
		"approved in its session": {before: func(h *history) { h.approve(h.stop(), Slash, "s1") },
			dialog: rules.Allow, headless: rules.Allow, usedOnce: true},
		"approved in another session": {before: func(h *history) {
			id := h.stop()
			h.call.Session = "s2"
			h.approve(id, Slash, "s1")
		}, dialog: rules.Ask, headless: rules.Deny, waits: 1, says: "It waits as "},
		"approved and used up": {before: func(h *history) {
			h.approve(h.stop(), Terminal, "")
			h.weigh(headless)
		}, dialog: rules.Ask, headless: rules.Deny, waits: 1, says: "It waits as "},
		"approved and expired": {before: func(h *history) {
			h.approve(h.stop(), Terminal, "")
			h.now = h.now.Add(Valid + time.Second)
		}, dialog: rules.Ask, headless: rules.Deny, waits: 1, says: "It waits as "},
		"approved again after that": {before: func(h *history) {
			id := h.stop()
			h.approve(id, Terminal, "")
			h.now = h.now.Add(Valid + time.Second)
			h.approve(id, Terminal, "")
		}, dialog: rules.Allow, headless: rules.Allow, usedOnce: true},
		"approved for other bytes": {before: func(h *history) {
			h.approve(h.stop(), Terminal, "")
			h.call.Args = []byte(`{"wing":"app","content":"we use SQLite"}`)
		}, dialog: rules.Ask, headless: rules.Deny, waits: 1, says: "It waits as "},
		"approved for another project": {before: func(h *history) {
			h.approve(h.stop(), Terminal, "")
			h.call.ProjectDir, h.call.Cwd = t.TempDir(), ""
		}, dialog: rules.Ask, headless: rules.Deny, waits: 1, says: "It waits as "},
		"approved, and a subagent makes it": {before: func(h *history) {
			h.approve(h.stop(), Terminal, "")
			h.call.Agent = "keepsake:drafter"
		}, dialog: rules.Allow, headless: rules.Allow, usedOnce: true},
		"rejected": {before: func(h *history) { h.reject(h.stop()) },
			dialog: rules.Deny, headless: rules.Deny, says: "has said no to exactly this call"},
		"rejected in another session": {before: func(h *history) {
			h.reject(h.stop())
			h.call.Session = "s2"
		}, dialog: rules.Ask, headless: rules.Deny, waits: 1, says: "It waits as "},
		"rejected after a yes": {before: func(h *history) {
			id := h.stop()
			h.approve(id, Terminal, "")
			h.reject(id)
		}, dialog: rules.Deny, headless: rules.Deny, says: "has said no to exactly this call"},
		"approved after a no": {before: func(h *history) {
			id := h.stop()
			h.reject(id)
			h.approve(id, Terminal, "")
		}, dialog: rules.Allow, headless: rules.Allow, usedOnce: true},
		"no in the dialog": {before: func(h *history) {
			h.weigh(dialog)
			h.over()
		}, dialog: rules.Ask, headless: rules.Deny, waits: 1, says: "It waits as "},
		"no in the dialog, then approved": {before: func(h *history) {
			h.weigh(dialog)
			h.over()
			h.approve(h.declined(), Terminal, "")
		}, dialog: rules.Allow, headless: rules.Allow, usedOnce: true},
	} {
		for decision, want := range map[rules.Decision]rules.Decision{dialog: tt.dialog,
			headless: tt.headless} {
			t.Run(name+"/"+decision.String(), func(t *testing.T) {
				h := newHistory(t, now)
				tt.before(h)
				got, id := h.weigh(decision)
				if got.Decision != want || (id != "") != (want == rules.Allow) {
					t.Fatalf("%v with %q: %s", got.Decision, id, got.Reason)
				}
				if got.Decision == rules.Deny && !strings.Contains(got.Reason, tt.says) {
					t.Errorf("it says %q", got.Reason)
				}
				if all, err := h.dir.Waiting(h.now); err != nil || len(all) != tt.waits {
					t.Errorf("%d wait, %v", len(all), err)
				}
				if again, _ := h.weigh(decision); tt.usedOnce && again.Decision != decision {
					t.Errorf("a second time: %v", again.Decision)
				}
			})
		}
	}
}

// TestWeighLeavesVerdicts: what a person may not answer stays as the gate judged it, whatever they approved.
func TestWeighLeavesVerdicts(t *testing.T) {
	for _, decision := range []rules.Decision{rules.Pass, rules.Allow, rules.Ask, rules.Deny} {
		h := newHistory(t, time.Now())
		h.approve(h.stop(), Terminal, "")
		h.verdict.Person = false
		if got, id := h.weigh(decision); got.Decision != decision || id != "" ||
			got.Reason != h.verdict.Reason {
			t.Errorf("%v: %v with %q: %s", decision, got.Decision, id, got.Reason)
		}
	}
}

// TestWeighSaysWhere: the way to answer in the session is told only where a person sits at it.
func TestWeighSaysWhere(t *testing.T) {
	for _, here := range []bool{true, false} {
		c, v, _ := stopped(t)
		got, _ := Weigh(c, v, here, time.Now())
		if strings.Contains(got.Reason, "/keepsake:approve ") != here ||
			!strings.Contains(got.Reason, " inbox approve ") {
			t.Errorf("here %v: %s", here, got.Reason)
		}
	}
}

// A history is what was done about one call.
type history struct {
	*testing.T
	call    Call
	verdict rules.Verdict
	dir     Dir
	now     time.Time
}

func newHistory(t *testing.T, now time.Time) *history {
	c, v, d := stopped(t)
	return &history{t, c, v, d, now}
}

func (h *history) weigh(decision rules.Decision) (rules.Verdict, string) {
	h.verdict.Decision = decision
	return Weigh(h.call, h.verdict, true, h.now)
}

// stop has the call denied and returns its id.
func (h *history) stop() string {
	h.Helper()
	h.weigh(rules.Deny)
	all, err := h.dir.Waiting(h.now)
	if err != nil || len(all) != 1 {
		h.Fatalf("%d wait, %v", len(all), err)
	}
	return all[0].ID
}

func (h *history) approve(id string, by By, session string) {
	h.Helper()
	if _, err := h.dir.Approve(id, by, session, h.now); err != nil {
		h.Fatal(err)
	}
}

func (h *history) reject(id string) {
	h.Helper()
	if _, err := h.dir.Reject(id, Terminal, "", h.now); err != nil {
		h.Fatal(err)
	}
}

// over ends the turn.
func (h *history) over() {
	h.Helper()
	if err := h.dir.Over(h.call.Session, h.now); err != nil {
		h.Fatal(err)
	}
}

// declined returns the id of the call that the turn ended without.
func (h *history) declined() string {
	h.Helper()
	all, err := h.dir.readAll("declined")
	if err != nil || len(all) != 1 {
		h.Fatalf("%d declined, %v", len(all), err)
	}
	return all[0].ID
}
