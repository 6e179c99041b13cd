package stop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/journal"
)

// note appends to the notes of the lab's project.
func (l *lab) note(texts ...string) *lab {
	l.t.Helper()
	dir := filepath.Join(l.dir, "project", ".agents", "memory", "scratch")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		l.t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "general.md"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		l.t.Fatal(err)
	}
	defer f.Close()
	for _, text := range texts {
		fmt.Fprintf(f, "## %s\n%s\n\n", l.now.Format("2006-01-02T15:04:05Z"), text)
	}
	return l
}

// names says whether a feedback names the memory-keeper, with how many notes.
func names(said, count string) bool {
	return strings.HasPrefix(said, count+" ") && strings.Contains(said, "`"+brief.Keeper+"`")
}

func (l *lab) looked() {
	l.t.Helper()
	if _, err := l.open().Propose("Nothing.", l.now, l.now); err != nil {
		l.t.Fatal(err)
	}
}

func TestKeeperIsNamed(t *testing.T) {
	l := newLab(t)
	l.silent(l.person(chatter).stop("Good."))
	l.note("Notes are kept by topic.")
	if said := l.person(chatter).stop("Good."); !names(said, "One note") {
		t.Fatalf("%q", said)
	}
	l.silent(l.stop("", active))                                   // it was started
	l.silent(l.person(chatter).stop("Good."))                      // told once
	l.silent(l.note("Another one.").person(chatter).stop("Good.")) // too few more
	l.note("b", "c", "d", "e")
	if said := l.person(chatter).stop("Good."); !names(said, "6 notes") {
		t.Errorf("with five more: %q", said)
	}
	l.looked()
	l.silent(l.person(chatter).stop("Good."))
}

// TestKeeperWaitsForTheSave: what is to be saved goes first, and while a save or a
// keeper is under way nobody is named.
func TestKeeperWaitsForTheSave(t *testing.T) {
	l := newLab(t)
	l.note("Notes are kept by topic.")
	said := l.person(decided).stop("Yes.")
	l.tells(said)
	if strings.Contains(said, brief.Keeper) {
		t.Errorf("both at once: %q", said)
	}
	l.silent(l.stop("", drafters))
	l.applied()
	l.silent(l.stop("Saved."))
	if said := l.person(chatter).stop("Good."); !names(said, "One note") {
		t.Errorf("after the save: %q", said)
	}
	keeper := func(in *hook.Stop) {
		in.Tasks = []hook.Task{{ID: "a1", Type: "subagent", Status: "running", AgentType: brief.Keeper}}
	}
	l.note("b", "c", "d", "e", "f", "g")
	l.silent(l.person(chatter).stop("Good.", keeper))
}

// TestKeeperSpeech: what the agent says of the keeper's candidates is not noticed
// as something new.
func TestKeeperSpeech(t *testing.T) {
	l := newLab(t)
	l.note(decided)
	if said := l.person(chatter).stop("Good."); !names(said, "One note") {
		t.Fatalf("%q", said)
	}
	l.silent(l.agent(says("The keeper proposes: "+decided)).stop("It waits on the inbox: "+decided, active))
	if said := l.person(chatter).stop("Good."); said != "" {
		t.Errorf("noticed: %q", said)
	}
}

func TestKeeperIsNotNamed(t *testing.T) {
	for name, change := range map[string]func(*lab){
		"switched off":   func(l *lab) { l.config(`{"inbox":{"keeper":false}}`) },
		"no proposals":   func(l *lab) { l.config(`{"inbox":{"daily_proposals":0}}`) },
		"nobody there":   func(l *lab) { l.attended = false },
		"plan mode":      func(l *lab) { l.mode = "plan" },
		"staged only":    func(l *lab) { l.config(`{"capture":{"on_stop":"stage"}}`) },
		"not listening":  func(l *lab) { l.config(`{"capture":{"on_stop":"off"}}`) },
		"no budget left": func(l *lab) { l.config(`{"capture":{"max_saves_per_session":0}}`) },
		"looked at":      (*lab).looked,
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t).note("Notes are kept by topic.")
			change(l)
			l.silent(l.person(chatter).stop("Good."))
		})
	}
}

// TestKeeperWaitsForTomorrow: when today's proposals are used up, no keeper is named
// before the next day, and the note that was left out is looked at then.
func TestKeeperWaitsForTomorrow(t *testing.T) {
	l := newLab(t).note("Apples ripen in the cellar.", "Boats leave from Hamburg.")
	l.config(`{"inbox":{"daily_proposals":1}}`)
	const file = ".agents/memory/scratch/general.md"
	r, err := l.open().Propose("> Apples ripen in the cellar.\nSource: "+file+
		":2\n\n> Boats leave from Hamburg.\nSource: "+file+":5\n", l.now, l.now)
	if err != nil || r.Taken() != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	l.silent(l.person(chatter).stop("Good."))
	l.now = l.now.AddDate(0, 0, 1)
	if said := l.person(chatter).stop("Good."); !names(said, "One note") {
		t.Errorf("the next day: %q", said)
	}
}

func TestKeeperTakesFromTheBudget(t *testing.T) {
	l := newLab(t)
	l.config(`{"capture":{"max_saves_per_session":1}}`)
	l.note("a")
	if said := l.person(chatter).stop("Good."); !names(said, "One note") {
		t.Fatalf("%q", said)
	}
	l.silent(l.person(decided).stop("Yes."))
}

// TestBrokenNotes: the turn goes on, and the failure is told.
func TestBrokenNotes(t *testing.T) {
	l := newLab(t).note("a")
	dir := filepath.Join(l.dir, "project", ".agents", "memory", "scratch")
	if err := os.Rename(dir, dir+".real"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir+".real", dir); err != nil {
		t.Fatal(err)
	}
	l.tells(l.person(decided).stop("Yes."))
	l.applied()
	l.silent(l.stop("Saved."))
	l.silent(l.person(chatter).stop("Good."))
	all, err := journal.Failures(l.open().Ledger(), 9)
	if err != nil || len(all) != 1 || !strings.Contains(all[0].Why, "is no folder") {
		t.Errorf("%+v, %v", all, err)
	}
}
