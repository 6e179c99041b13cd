package stop

import (
	"fmt"
	"os"
	"testing"

	"keepsake/pkg/capture/finding"
)

// TestStopLearns: after three rejections a statement like them is only a candidate; after a reset it is sure
// again. What an agent or Keepsake settles teaches nothing.
func TestStopLearns(t *testing.T) {
	l := newLab(t).byItself()
	tools := []string{"Redis", "Kafka", "Postgres", "Caddy", "Vue"}
	parts := []string{"session cache", "billing queue", "search index", "front door", "settings page", "mail",
		"tax rules"}
	said := 0
	offered := func() bool {
		said++
		l.person(fmt.Sprintf("Let's go with %s for the %s.", tools[said%len(tools)], parts[said%len(parts)]))
		return len(keep.FindAllString(l.stop("All right."), -1)) == 1
	}
	settle := func(by string, kept bool) {
		t.Helper()
		s := l.open()
		book, err := s.Book()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range book.Waiting() {
			if by == "person" {
				err = s.Answered(f.Finding, kept, l.now)
			}
			if merr := s.MoveFindings(finding.Move{At: l.now, Act: finding.PutAside, Numbers: []int{f.Number},
				By: by}); err != nil || merr != nil {
				t.Fatal(err, merr)
			}
		}
		l.applied() // the desk is empty, and what is noticed next is offered
	}
	l.config(`{"capture":{"max_saves_per_session":100}}`)
	for _, by := range []string{"agent", "keepsake", "drafter", "agent"} {
		if !offered() {
			t.Fatalf("after %d that %s settled: not offered", said, by)
		}
		settle(by, false)
	}
	if all, err := l.open().Answers(); len(all) != 0 || err != nil {
		t.Fatalf("%v, %v", all, err)
	}
	for range 3 {
		if !offered() {
			t.Fatalf("after %d: not offered", said)
		}
		l.stop("I will not save it.", active)
	}
	settle("person", false)
	if offered() {
		t.Error("offered after three rejections")
	}
	book, err := l.open().Book()
	if waiting := book.Waiting(); err != nil || len(waiting) != 1 || waiting[0].Level != finding.Candidate {
		t.Errorf("%v, %+v", err, waiting)
	}
	settle("agent", false)

	l.config(`{"triage":{"learn":false},"capture":{"max_saves_per_session":100}}`)
	if !offered() {
		t.Error("switched off, it still counts")
	}
	settle("person", false) // which notes nothing now
	l.config(`{"capture":{"max_saves_per_session":100}}`)
	if offered() {
		t.Error("switched on again, it does not count")
	}
	settle("agent", false)
	if n, err := l.open().Unlearn(); n != 3 || err != nil {
		t.Errorf("%d answers forgotten, %v", n, err)
	}
	if !offered() {
		t.Error("not offered after the reset")
	}
}

// TestStopWithoutAnswers: answers that can't be read teach nothing and stop nothing, and those of a newer
// version are not rewritten.
func TestStopWithoutAnswers(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"newer":    func(path string) error { return os.WriteFile(path, []byte("{\"version\":2}\n"), 0o600) },
		"no lines": func(path string) error { return os.WriteFile(path, []byte("\x00\xff\n{}\n"), 0o600) },
	} {
		l := newLab(t).byItself()
		s := l.open()
		path := s.Dirs.Of(s.Home).Answers()
		if err := spoil(path); err != nil {
			t.Fatal(err)
		}
		if n := len(keep.FindAllString(l.person(decided).stop("All right."), -1)); n != 1 {
			t.Errorf("%s: %d offered", name, n)
		}
		book, err := s.Book()
		if err != nil || len(book.Waiting()) != 1 {
			t.Fatalf("%s: %v", name, err)
		}
		err = s.Answered(book.Waiting()[0].Finding, true, l.now)
		all, _ := l.open().Answers()
		if noted := name == "no lines"; noted != (err == nil) || noted != (len(all) == 1) {
			t.Errorf("%s: %v, %d answers", name, err, len(all))
		}
	}
}
