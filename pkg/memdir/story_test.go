package memdir_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memdir"
)

// What a topic that is done may still say, which holds on. Each has room for a name that nothing else has.
var holding = []string{
	"never restart %s by hand", "%s must keep its order", "always ask Ada before %s is touched",
	"%s takes at most 50 requests a second", "don't use %s on Fridays", "the limit of %s is 30 s",
	"we decided to keep %s in PostgreSQL", "%s was chosen because it is cheaper",
	"[ ] tell the team about %s", "TODO: remove the flag of %s", "is %s still needed?",
	"%s keeps its jobs in the bucket", "the password of %s lies in the vault",
	"it turned out that %s drops empty messages", "we found that %s answers twice",
	"%s darf nie von Hand gestartet werden", "no se debe reiniciar %s", "%s は再起動してはいけない",
	"никогда не перезапускай %s", "ne jamais relancer %s",
	"**Why:** %s had no index", "**How to apply:** look at %s first", "Follow-up: rotate the key of %s",
	"the timeout of %s was raised to 90 s", "%s was moved to the new cluster",
}

// Steps of how it came about, without a word that holds on.
var steps = []string{
	"it stood still at night in %s", "Ada restarted %s again", "%s was watched for a day",
	"the consumer of %s had died", "we looked at the traces of %s", "opened a ticket about %s",
	"the build of %s failed three times", "[x] %s was told", "10:42 %s came back",
}

// A statement of a generated topic.
type stated struct {
	lines []string
	holds bool
}

// topicOf returns a topic that is done, of statements of both kinds below headings and names in bold.
func topicOf(r *rand.Rand) (text string, all []stated) {
	n := 0
	one := func(of []string) string {
		n++
		return fmt.Sprintf(of[r.IntN(len(of))], fmt.Sprintf("n%dx", n))
	}
	one1 := func(of ...string) string { return of[r.IntN(len(of))] }
	var lines []string
	for range 2 + r.IntN(4) {
		names := false
		switch r.IntN(6) {
		case 0:
			names = true
			lines = append(lines, "", one1("### ", "#### ")+
				one1("Key points", "Rules", "Follow-up", "Still open", "Gotchas", "Decisions:"), "")
		case 1:
			names = true
			lines = append(lines, "", one1("**Rules**", "**Open points:**", "**Lessons learned**"), "")
		case 2:
			lines = append(lines, "", one1("### Log", "### Timeline", "### What happened", "**Steps**"), "")
		case 3:
			lines = append(lines, "", "### About the work", "")
		default:
			lines = append(lines, "")
		}
		item := one1("- ", "- ", "1. ", "")
		for range 1 + r.IntN(5) {
			s := stated{holds: names}
			say := func(indent, mark string, holds bool) {
				of := steps
				if holds {
					of, s.holds = holding, true
				}
				s.lines = append(s.lines, indent+mark+one(of))
			}
			if r.IntN(10) == 0 { // a table instead
				s.lines = []string{"| what | when |", "| --- | --- |"}
				say("", "| now | ", r.IntN(4) == 0)
				say("", "| then | ", false)
				lines = append(append(append(lines, ""), s.lines...), "")
				all = append(all, s)
				continue
			}
			say("", item, r.IntN(3) == 0)
			if item == "" {
				lines = append(append(lines, s.lines...), "")
				all = append(all, s)
				continue
			}
			if r.IntN(4) == 0 {
				say("   ", "", r.IntN(3) == 0)
			}
			for range max(0, r.IntN(5)-2) {
				say("   ", "- ", r.IntN(4) == 0)
			}
			if r.IntN(6) == 0 {
				n++
				s.lines, s.holds = append(s.lines, item+fmt.Sprintf("Except n%dx", n)), true
			}
			lines = append(lines, s.lines...)
			all = append(all, s)
		}
	}
	return strings.Join(lines, "\n") + "\n", all
}

// TestUpkeepKeepsWhatHolds shortens generated topics: what holds stays word for word and whole, nothing comes
// apart, and the archive has everything.
func TestUpkeepKeepsWhatHolds(t *testing.T) {
	t.Parallel()
	p, _ := memdir.Named("pointer")
	shortened := 0
	for seed := range uint64(600) {
		body, all := topicOf(rand.New(rand.NewPCG(seed, 3)))
		topic := "---\nname: t\ndescription: how the queue was moved\ntype: project\n---\n\n# T\n\n" +
			"## [2026-05-02] The move ✅\n" + body
		if seed%2 == 0 {
			topic = "---\nname: t\nstatus: done\nlast_updated: 2026-05-02\n---\n\n# The move\n" + body
		}
		d := memdir.Dir{Now: now, Files: []memdir.File{{Path: "t.md", Bytes: []byte(topic), Modified: now}}}
		k := memdir.Upkeep(d, p)
		if len(k.Acts) == 0 {
			continue
		}
		shortened++
		after := applied(t, d, k.Plan)
		at := slices.IndexFunc(after.Files, func(f memdir.File) bool { return f.Path == "t.md" })
		live := "\n" + string(after.Files[at].Bytes)
		archive := string(after.Files[1-at].Bytes)
		for _, s := range all {
			whole := "\n" + strings.Join(s.lines, "\n") + "\n"
			if !strings.Contains(live, whole) && (s.holds || strings.Contains(live, "\n"+s.lines[0]+"\n")) {
				t.Errorf("seed %d: not in the file: %q", seed, whole)
			}
			if !strings.Contains(archive, whole) {
				t.Errorf("seed %d: not in the archive: %q", seed, whole)
			}
		}
		if again := memdir.Upkeep(after, p); len(again.Acts) > 0 {
			t.Errorf("seed %d: a second time %v\n%s", seed, again.Acts, dump(after))
		}
		if t.Failed() {
			t.Fatalf("seed %d\n%s\nAFTER\n%s", seed, topic, dump(after))
		}
	}
	if shortened < 300 {
		t.Errorf("only %d topics became shorter", shortened)
	}
}
