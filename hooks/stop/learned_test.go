package main

import (
	"fmt"
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
