package main

import (
	"strings"
	"testing"
)

// TestUnbacked: a draft of an agent that would replace what a person said is a question
// to them, by itself on the inbox; a yes carries it out, a no drops it.
func TestUnbacked(t *testing.T) {
	const draft = `{"category":"decision","supersedes":"we-use-redis-for-the-cache","title":"Use Memcached for the ` +
		`cache","content":{"context":"Redis lost data.","decision":"Memcached caches","rationale":["it is simple"]}}`
	for typed, want := range map[string]string{"y\n": "saved", "n\n": "dropped", "l\n": "waits"} {
		d := newDesk(t)
		d.must("", "remember", "--as", "decision", "We use Redis for the cache, because pages are slow.")
		if _, errs, code := d.run("remember", draft); code != exitFailed ||
			!strings.Contains(errs, "UNBACKED_ERROR") {
			t.Fatalf("exit %d, %q", code, errs)
		}
		said := d.must("", "inbox")
		if !strings.Contains(said, "An agent would end, replace or add to what you said; a yes does that") ||
			strings.Contains(said, "could not be saved") {
			t.Errorf("%q", said)
		}
		said = d.must(typed, "review")
		if !strings.Contains(said, "It ends, replaces or adds to what you said. Do that?") {
			t.Errorf("%q: %q", typed, said)
		}
		old := d.must("", "show", "we-use-redis-for-the-cache")
		if retired := strings.Contains(old, "Status: retired"); retired != (want == "saved") {
			t.Errorf("%q: %q", typed, old)
		}
		if waits := strings.Contains(d.must("", "inbox"), "An agent would"); waits != (want == "waits") {
			t.Errorf("%q: waits %v, want %s", typed, waits, want)
		}
	}
}

// TestUnfit: what nobody said is not added to a memory of the person's, but asked. With
// their yes it is added, and what they said is told on as theirs.
func TestUnfit(t *testing.T) {
	const draft = `{"category":"decision","target":"we-use-redis-for-the-cache","new_info_summary":"how to look",` +
		`"content":{"consequences":["Look at it with redis-cli --bigkeys"]}}`
	for typed, want := range map[string]string{"y\n": "added", "n\n": "dropped", "l\n": "waits"} {
		d := newDesk(t)
		d.must("", "remember", "--as", "decision", "We use Redis for the cache, because pages are slow.")
		if _, errs, code := d.run("remember", draft); code != exitFailed ||
			!strings.Contains(errs, "UNBACKED_ERROR") {
			t.Fatalf("exit %d, %q", code, errs)
		}
		if said := d.must("", "inbox"); !strings.Contains(said, "replace or add to what you said") {
			t.Errorf("%q", said)
		}
		said := d.must(typed, "review")
		if !strings.Contains(said, "It ends, replaces or adds to what you said. Do that?") {
			t.Errorf("%q: %q", typed, said)
		}
		now := d.must("", "show", "we-use-redis-for-the-cache")
		if added := strings.Contains(now, "--bigkeys"); added != (want == "added") ||
			strings.Contains(now, "held") || !strings.Contains(now, "We use Redis for the cache") {
			t.Errorf("%q: %q", typed, now)
		}
		if told := d.must("", "recall", "redis", "cache"); !strings.Contains(told,
			"We use Redis for the cache") ||
			strings.Contains(told, "said by the agent") {
			t.Errorf("%q: %q", typed, told)
		}
		if waits := strings.Contains(d.must("", "inbox"), "An agent would"); waits != (want == "waits") {
			t.Errorf("%q: waits %v, want %s", typed, waits, want)
		}
	}
}
