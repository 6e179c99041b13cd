package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// must has the person type at their terminal, and returns all that was said.
func (d *desk) must(typed string, args ...string) string {
	d.t.Helper()
	out, errs, code := d.typing(typed, args...)
	if code != exitDone {
		d.t.Fatalf("%v: exit %d, %q, %q", args, code, out, errs)
	}
	return out + errs + d.shown
}

// cached has a decision remembered and promoted, and returns the path of its drawer.
func (d *desk) cached() (drawer string) {
	d.t.Helper()
	d.must("", "remember", "--as", "decision", "We use Redis for the cache, because pages are slow.")
	said := d.must("y\n", "promote", redisMemory)
	_, drawer, _ = strings.Cut(said, " / ")
	drawer, _, _ = strings.Cut(drawer, "\n")
	if !strings.HasPrefix(drawer, "shop/decisions/we-use-redis-for-the-cache-") || len(d.kept()) != 1 {
		d.t.Fatalf("%q, kept %q", said, d.kept())
	}
	return drawer
}

// reverse has the person change their mind.
func (d *desk) reverse() (said string) {
	return d.must("", "remember", "--as", "decision",
		"We no longer use Redis for the cache, because it lost data.")
}

// redisMemory is the id of what cached remembers.
const redisMemory = "we-use-redis-for-the-cache"

// successorPath is where what reverse says is remembered.
const successorPath = "decisions/we-no-longer-use-redis-for-the-cache.json"

// TestDrawerSuperseded: what took the place of a memory is told with its drawer at once,
// and the drawer waits for the person, who alone withdraws it.
func TestDrawerSuperseded(t *testing.T) {
	d := newDesk(t)
	drawer := d.cached()
	recall := func() string { return d.must("", "recall", "--tier", "why", "redis cache") }
	if said := recall(); !strings.Contains(said, "[source: WHY] "+drawer) || strings.Contains(said, "weak") {
		t.Errorf("%q", said)
	}
	if said := d.must("", "inbox"); !strings.Contains(said, "nothing waits") {
		t.Errorf("%q", said)
	}
	if said := d.reverse(); !strings.Contains(said, "keepsake forget "+drawer) {
		t.Errorf("%q", said)
	}
	said := recall()
	at, by := strings.Index(said, "weak matches"), strings.Index(said, "superseded by "+successorPath)
	if at < 0 || by < at {
		t.Errorf("%q", said)
	}
	out, _, _ := d.run("recall", "--tier", "why", "--json", "redis cache")
	var found recallJSON
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Results) != 2 {
		t.Fatalf("%s, %v", out, err)
	}
	if r := found.Results[1]; !r.Weak || r.Path != drawer || r.SupersededBy != successorPath {
		t.Errorf("%s", out)
	}
	if said := d.must("", "inbox"); !strings.Contains(said, drawer+": superseded by "+successorPath) {
		t.Errorf("%q", said)
	}

	if _, errs, code := d.run("forget", drawer); code != exitPerson || len(d.kept()) != 1 {
		t.Errorf("an agent: exit %d, %q", code, errs)
	}
	for _, typed := range []string{"", "n\n"} {
		if said := d.must(typed, "forget", drawer); !strings.Contains(said, "nothing was withdrawn") ||
			!strings.Contains(said, "  | We use Redis for the cache") || len(d.kept()) != 1 {
			t.Errorf("%q: %q", typed, said)
		}
	}
	since := d.now
	d.now = d.now.Add(time.Second)
	said = d.must("y\n", "forget", drawer)
	if !strings.Contains(said, "withdrawn: "+drawer) || len(d.kept()) != 0 {
		t.Errorf("%q, kept %q", said, d.kept())
	}
	if said := recall(); strings.Contains(said, "[source: WHY]") {
		t.Errorf("%q", said)
	}
	if said := d.must("", "inbox"); !strings.Contains(said, "nothing waits") {
		t.Errorf("%q", said)
	}
	// Nobody wonders where it went.
	yes, err := session.Approved(layout.ClientHere(), since)
	if err != nil || !yes.Removes || yes.Open {
		t.Errorf("%+v, %v", yes, err)
	}
	_, errs, code := d.typing("y\n", "forget", drawer)
	if code != exitFailed || !strings.Contains(errs, "no such drawer") {
		t.Errorf("again: exit %d, %q", code, errs)
	}
	done, err := d.approvals().Settled(since)
	if err != nil || len(done) < 1 || done[len(done)-1].By != approval.Terminal {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestForgetPromoted: forgetting a memory asks about its drawer, which is recalled no
// more whatever the answer is; a no in the review says that it is true all the same.
func TestForgetPromoted(t *testing.T) {
	d := newDesk(t)
	drawer := d.cached()
	recall := func() string { return d.must("", "recall", "--tier", "why", "redis cache") }
	said := d.must("n\n", "forget", redisMemory)
	if !strings.Contains(said, drawer+", which was promoted: decisions/"+redisMemory+
		".json holds no longer") ||
		!strings.Contains(said, "its drawer stays, and is recalled no more") || len(d.kept()) != 1 {
		t.Errorf("%q", said)
	}
	if said := recall(); strings.Contains(said, drawer) {
		t.Errorf("%q", said)
	}
	d.must("", "restore", redisMemory)
	if said := recall(); !strings.Contains(said, "[source: WHY] "+drawer) {
		t.Errorf("what holds again is not told: %q", said)
	}
	if out, errs, code := d.run("forget", redisMemory); code != exitDone ||
		!strings.Contains(errs, "its drawer stays until the person withdraws it") || len(d.kept()) != 1 {
		t.Errorf("an agent: exit %d, %q, %q", code, out, errs)
	}
	for _, typed := range []string{"l\n", "q\n"} {
		if said := d.must(typed, "review"); !strings.Contains(said, "1 of 1. "+drawer) || len(d.kept()) != 1 {
			t.Errorf("%q: %q", typed, said)
		}
	}
	if said := d.must("n\n", "review"); !strings.Contains(said, "it stays, and is recalled as before") {
		t.Errorf("%q", said)
	}
	if said := d.must("", "inbox"); !strings.Contains(said, "nothing waits") {
		t.Errorf("%q", said)
	}
	if said := recall(); !strings.Contains(said, "[source: WHY] "+drawer) {
		t.Errorf("%q", said)
	}
}

// TestForgetPromotedAway: a yes withdraws the drawer with its memory.
func TestForgetPromotedAway(t *testing.T) {
	for _, more := range [][]string{nil, {"--for-good"}} {
		d := newDesk(t)
		drawer := d.cached()
		said := d.must("y\ny\n", append([]string{"forget", redisMemory}, more...)...)
		if !strings.Contains(said, "withdrawn: "+drawer) || len(d.kept()) != 0 {
			t.Errorf("%v: %q", more, said)
		}
		if said := d.must("", "recall", "--tier", "why", "redis cache"); strings.Contains(said, "WHY") {
			t.Errorf("%v: %q", more, said)
		}
	}
}
