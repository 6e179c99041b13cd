package stop

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/journal/event"
)

// logged are the events of the lab, without times.
func (l *lab) logged() []event.Event {
	l.t.Helper()
	r, err := l.open().Events().Last(time.Time{}, 1000, func(event.Event) bool { return true })
	if err != nil || r.Broken > 0 {
		l.t.Fatalf("%d broken, %v", r.Broken, err)
	}
	return r.Events
}

func TestLog(t *testing.T) {
	l := newLab(t)
	l.silent(l.stop("")) // before the client has written anything
	l.tells(l.person(decided).stop("Yes."))
	l.silent(l.person("Thanks.").stop("Welcome."))
	l.config(`{"capture":{"on_stop":"off"}}`)
	l.silent(l.person(decided2).stop("Yes."))
	events := l.logged()
	var types []string
	for _, e := range events {
		types = append(types, e.Type)
		if e.Hook != "stop" || e.Session != "s1" || e.Level != event.Info || e.Error != "" {
			t.Errorf("%+v", e)
		}
	}
	if !slices.Equal(types, []string{event.TriageSkip, event.TriageScore, event.SaveStart, event.Cost,
		event.TriageScore, event.TriageSkip}) {
		t.Fatalf("%v", types)
	}
	if d := events[0].Data; d.Text("reason") != "no_transcript" {
		t.Errorf("%v", d)
	}
	if d := events[1].Data; events[1].Took <= 0 || d.Flag("explicit") ||
		!slices.Equal(d.List("triggered"), []string{"decision"}) ||
		!slices.Equal(d.List("boosted"), []string{"decision"}) || d.Numbers("scores")["decision"] < 0.5 {
		t.Errorf("%+v", events[1])
	}
	if d := events[2].Data; !slices.Equal(d.List("categories"), []string{"decision"}) ||
		d.Number("saves") != 1 {
		t.Errorf("%v", d)
	}
	if d := events[3].Data; d.Number("bytes") < 100 || d.Number("tokens")+d.Number("requests") != 0 {
		t.Errorf("%v", d)
	}
	if d := events[5].Data; d.Text("reason") != "off" {
		t.Errorf("%v", d)
	}
}

func TestAFailureIsLoggedByItsClass(t *testing.T) {
	l := newLab(t)
	l.person(decided)
	fault(hook.Fault{Common: hook.Common{Session: "s1", Cwd: "/"}, Err: hook.ErrDeadline})
	if e := l.logged(); len(e) != 1 || e[0].Type != event.Failure || e[0].Level != event.Error ||
		e[0].Error != "deadline" || e[0].Hook != "stop" {
		t.Errorf("%+v", e)
	}
}

// The log has nothing of what was said: neither the words, nor the commands, nor
// the project's path.
func TestTheLogHasNoText(t *testing.T) {
	l := newLab(t)
	said := []string{decided, decided2, prefers, chatter, "Remember that the staging server is called heron."}
	for _, text := range said {
		l.person(text).agent(says("Understood: "+text), uses("Bash"))
		l.stop("So be it: " + text)
		l.applied()
		l.stop("Saved.")
	}
	var text strings.Builder
	files, err := filepath.Glob(filepath.Join(l.dir, "state", "keepsake", "*", "log", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no log", err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(b)
	}
	log := strings.ToLower(text.String())
	for _, word := range regexp.MustCompile(`[a-z]{4,}`).FindAllString(strings.ToLower(strings.Join(said,
		" ")+" understood go test"), -1) {
		if strings.Contains(log, word) {
			t.Errorf("%q is in the log", word)
		}
	}
	if strings.Contains(log, strings.ToLower(l.dir)) || strings.Contains(log, " ") {
		t.Errorf("a path or a sentence is in the log:\n%s", log)
	}
	if n := strings.Count(log, event.SaveStart); n < 3 {
		t.Errorf("only %d saves: did the conversation go as meant?\n%s", n, log)
	}
}
