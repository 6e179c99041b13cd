package stop

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/memory"
)

// carded gives the lab's project a card.
func (l *lab) carded() *lab {
	l.t.Helper()
	s := l.open()
	path := filepath.Join(s.MemoryDir(), filepath.FromSlash(blackboard.CardPath(s.ProjectID())))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("# Project\n"), 0o644); err != nil {
		l.t.Fatal(err)
	}
	return l
}

// worked is a turn in which something was done.
func (l *lab) worked() *lab {
	l.person(chatter).agent(uses("Read"), uses("Edit"), uses("Bash"))
	l.silent(l.stop("Good."))
	return l
}

const topicSaid = "keepsake project topic"

func TestAClosedTopicGoesToTheCard(t *testing.T) {
	l := newLab(t).carded().worked()
	said := l.person("Great, that's done. Next: the exporter").stop("On it.")
	if !strings.Contains(said, topicSaid) ||
		!strings.Contains(said, `"Great, that's done. Next: the exporter" [source: user]`) ||
		strings.Contains(said, "triage_data_file") {
		t.Fatalf("%q", said)
	}
	l.silent(l.stop("Summed up.", active))
	l.silent(l.person("done").stop("Fine.")) // nothing was done since
}

func TestAClosedTopicWithoutACard(t *testing.T) {
	l := newLab(t).worked()
	l.silent(l.person("done, next").stop("Fine.")) // too little for a record
	said := l.worked().person("done, next").stop("Fine.")
	if !strings.Contains(said, `[SESSION_SUMMARY]`) ||
		!strings.Contains(said, `"done, next" [source: user]`) ||
		!strings.Contains(said, "triage_data_file") || strings.Contains(said, topicSaid) {
		t.Fatalf("%q", said)
	}
}

// TestAClosedTopicWithADecision: one feedback tells of both.
func TestAClosedTopicWithADecision(t *testing.T) {
	l := newLab(t).carded().worked()
	said := l.person(decided + "\nDone.").stop("Yes.")
	if !strings.Contains(said, "[DECISION]") || !strings.Contains(said, topicSaid) ||
		l.open().State.Saves != 1 {
		t.Fatalf("%d: %q", l.open().State.Saves, said)
	}
}

// TestAClosedTopicRidesAlong: what is said anyway takes no more of the budget.
func TestAClosedTopicRidesAlong(t *testing.T) {
	l := newLab(t).carded()
	l.config(`{"capture":{"max_saves_per_session":1}}`)
	if said := l.worked().person(decided + "\nDone.").stop("Yes."); !strings.Contains(said, "[DECISION]") ||
		!strings.Contains(said, topicSaid) {
		t.Fatalf("%q", said)
	}
}

func TestATopicIsLeftOpen(t *testing.T) {
	for name, change := range map[string]func(*lab) *lab{
		"nothing was done": func(l *lab) *lab { return l.person("done") },
		"not done":         func(l *lab) *lab { return l.worked().person("not done yet") },
		"a condition":      func(l *lab) *lab { return l.worked().person("when you're done, run the tests") },
		"an answer": func(l *lab) *lab {
			l.worked().silent(l.person(chatter).stop("Please restart the server and tell me when it is up."))
			return l.person("done")
		},
		"plan mode":    func(l *lab) *lab { l.worked().mode = "plan"; return l.person("done") },
		"nobody there": func(l *lab) *lab { l.worked().attended = false; return l.person("done") },
		"no budget left": func(l *lab) *lab {
			l.config(`{"capture":{"max_saves_per_session":0}}`)
			return l.worked().person("done")
		},
		"the last of the budget": func(l *lab) *lab {
			l.config(`{"capture":{"max_saves_per_session":1}}`)
			return l.worked().person("done")
		},
		"off": func(l *lab) *lab {
			l.config(`{"categories":{"session_summary":{"enabled":false}}}`)
			return l.worked().person("done")
		},
		"the agent did it": func(l *lab) *lab {
			return l.worked().person("done").agent(map[string]any{"type": "tool_use", "id": "t",
				"name":  "Bash",
				"input": map[string]any{"command": "/p/bin/keepsake project topic X --points y"}})
		},
	} {
		t.Run(name, func(t *testing.T) { l := newLab(t).carded(); l.silent(change(l).stop("Good.")) })
	}
}

// TestALongConversation: after 40 calls of tools a summary is staged. It starts no
// feedback of its own and comes with the next one, up to that turn.
func TestALongConversation(t *testing.T) {
	work := func(l *lab, calls int) string {
		l.person(chatter)
		for range calls {
			l.agent(uses("Bash"))
		}
		return l.stop("Good.")
	}
	l := newLab(t).carded()
	l.silent(work(l, 40))
	l.wantStaged()
	l.silent(work(l, 1))
	l.wantStaged(memory.SessionSummary)
	l.silent(work(l, 2))
	l.tells(l.person(decided).stop("Yes."), "[DECISION]", "[SESSION_SUMMARY]", "enough was done")
	if c, err := l.open().Desk.Context(memory.SessionSummary); err != nil ||
		!strings.Contains(c.Excerpt, "tool uses: 41") || !strings.Contains(c.Excerpt, decided) {
		t.Errorf("%v: %s", err, c.Excerpt)
	}
	l.applied()
	l.silent(l.stop("Saved."))
	l.silent(work(l, 10))
	l.wantStaged()
}

// TestManyTurns: 30 turns of talk are a long conversation as well, and a window that
// fills is a reason to tell of its summary.
func TestManyTurns(t *testing.T) {
	l := newLab(t).runs(haiku)
	for range 31 {
		l.wantStaged()
		l.silent(l.person(chatter).stop("Good."))
	}
	l.wantStaged(memory.SessionSummary)
	if said := l.person(chatter).answers(haiku, 145_000).stop(""); !strings.Contains(said, "fills 72 %") ||
		!strings.Contains(said, "[SESSION_SUMMARY]") {
		t.Fatalf("%q", said)
	}
}

// TestALongConversationBeyondTheBudget is summed up when the session ends.
func TestALongConversationBeyondTheBudget(t *testing.T) {
	l := newLab(t)
	l.config(`{"capture":{"max_saves_per_session":0}}`)
	for range 32 {
		l.silent(l.person(chatter).stop("Good."))
	}
	l.wantStaged()
	if err := l.open().Finish(); err != nil {
		t.Fatal(err)
	}
	waiting, err := l.open().Pending().Waiting()
	if err != nil || !slices.Equal(waiting["s1"], []memory.Category{memory.SessionSummary}) {
		t.Errorf("%v, %v", waiting, err)
	}
}
