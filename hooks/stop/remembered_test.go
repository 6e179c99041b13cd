package stop

import (
	"encoding/json"
	"strings"
	"testing"

	"keepsake/pkg/capture/stage"
)

// remembers is a call by which the agent saves something by itself; record has the store
// and the state as it leaves them.
func (l *lab) remembers(id, title, decision string) *lab {
	l.t.Helper()
	draft, _ := json.Marshal(map[string]any{"category": "decision", "title": title})
	l.agent(map[string]any{"type": "tool_use", "id": "t", "name": "Bash",
		"input": map[string]any{"command": "keepsake remember '" + string(draft) + "'"}})
	l.record(id, title, decision)
	err := l.open().Update(func(st *stage.State) error {
		st.Applied, st.Saved = true, append(st.Saved, "decisions/"+id+".json")
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return l
}

// TestATurnWithASaveIsHeard: what the agent saved by the way is not asked for again, in
// whose words ever, and what else was said in the turn is heard and offered.
func TestATurnWithASaveIsHeard(t *testing.T) {
	l := newLab(t).byItself()
	l.config(agentIsHeard)
	l.person("Remember that we decided to use Postgres instead of SQLite for billing.")
	l.agent(says("I'll keep it: we decided to use Postgres instead of SQLite for billing."))
	l.remembers("postgres", "Postgres for billing", "We use Postgres instead of SQLite for billing.")
	l.agent(says("Saved. On to the queue: " + decided2))
	got := keep.FindAllStringSubmatch(l.stop("All done."), -1)
	if len(got) != 1 || !strings.Contains(got[0][3], "Kafka rather than") {
		t.Errorf("offered %q; want only what the agent decided on the queue", got)
	}
	l.wantWaiting("Kafka")
	l.silent(l.person("Thanks.").stop("Welcome."))
}

// TestWhatThePersonSaysBesideASaveIsOffered in the same turn, and the opposite of what was
// saved is not taken for it.
func TestWhatThePersonSaysBesideASaveIsOffered(t *testing.T) {
	l := newLab(t).byItself()
	l.person("Remember that we use Postgres for billing. " + prefers)
	l.remembers("postgres", "Postgres for billing", "We use Postgres for billing.")
	l.queued("We decided to use MySQL for billing because the host has no Postgres.")
	got := keep.FindAllStringSubmatch(l.stop("Saved."), -1)
	if len(got) != 2 || got[0][3] != prefers {
		t.Errorf("offered %q; want the preference and what was decided then", got)
	}
}

// TestTheTurnAfterASaveIsHeard where the turn that saved ended without a Stop of its own:
// from the person's prompt on the agent counts too.
func TestTheTurnAfterASaveIsHeard(t *testing.T) {
	l := newLab(t).byItself()
	l.config(agentIsHeard)
	if len(keep.FindAllString(l.person(decided).stop("Yes."), -1)) != 1 {
		t.Fatal("the decision was not offered")
	}
	l.remembers("postgres", "Postgres instead of SQLite", decided)
	l.applied()
	l.agent(says("Saved: we decided to keep Postgres for the billing service."))
	got := keep.FindAllStringSubmatch(l.person("Now the queue.").stop(decided2), -1)
	if len(got) != 1 || !strings.Contains(got[0][3], "Kafka rather than") {
		t.Errorf("offered %q; want what the agent decided on the queue", got)
	}
}
