package erase

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/gate/approval"
)

func TestTracesWithout(t *testing.T) {
	traces := NewTraces("decisions/feed-the-zebra.json",
		[]string{"Feed the zebra.", "We decided to feed the Zebra, because it was hungry.", "accepted",
			"Not recorded.", "Said with keepsake remember"},
		[]string{"feed-the-zebra-0f9c3a71d2e4"})
	for text, want := range map[string]string{
		"":         "",
		"accepted": "accepted",
		"Not recorded. Said with keepsake remember":  "Not recorded. Said with keepsake remember",
		"decisions/feed-the-zebra.json":              "[forgotten]",
		"FEED  THE\nzebra! And then":                 "[forgotten]! And then",
		"title: \"We decided to fee…\"":              "title: \"[forgotten]…\"",
		"ends… we decided to feed … so…":             "ends… [forgotten]… so…",
		"we decided to feed… so…":                    "[forgotten]… so…",
		"we decided to use…":                         "we decided to use…",
		"shop/decisions/feed-the-zebra-0f9c3a71d2e4": "shop/decisions/[forgotten]",
		"We decided to feed the zebra at noon":       "We decided to [forgotten] at noon",
	} {
		if got := traces.Without(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := traces.In(text); got != (text != want) {
			t.Errorf("%q: %t", text, got)
		}
	}
	if NewTraces("", nil, nil).In("anything at all…") {
		t.Error("nothing is found")
	}
}

// TestEchoes: what says the same in other words, or less of it, is an echo; what only has
// its words is none, and is looked at by a person where most of it is there.
func TestEchoes(t *testing.T) {
	const (
		other = iota
		resembles
		echo
	)
	for said, texts := range map[string]map[string]int{
		"Our nightly backups go to Hetzner, because S3 became too expensive.": {
			"Got it, nightly backups go to Hetzner.":                     echo,
			"Backups: Hetzner from now on, S3 became too expensive.":     echo,
			"Sure. So nightly backups go to Hetzner. What else is open?": echo,
			"I'll send the nightly backups to Hetzner then.":             resembles,
			"Backups are tested every month.":                            other,
			"The Hetzner bill came today.":                               other,
		},
		"Never log the customer's email address, since that breaks the GDPR.": {
			"Noted, the customer's email address is never logged.": echo,
			"I will not log customer email addresses.":             echo,
			"The GDPR page is missing.":                            other,
			"Log the order number.":                                other,
		},
		"The parser lives in internal/lex and must not import net/http.": {
			"internal/lex won't import net/http.": echo,
			"The parser stays in internal/lex.":   resembles,
			"The lexer has a bug in line 30.":     other,
			"The parser is slow.":                 other,
		},
		"We settled on gRPC for the ingest service because JSON was too slow.": {
			"Then gRPC for the ingest service.":         echo,
			"gRPC it is for ingest, JSON was too slow.": echo,
			"JSON is what the config is written in.":    other,
			"The ingest service runs on port 80.":       other,
		},
	} {
		traces := NewTraces("", []string{said}, nil)
		for text, want := range texts {
			got := other
			switch {
			case traces.Echoed(text):
				got = echo
			case traces.Resembles(text):
				got = resembles
			}
			if got != want {
				t.Errorf("%q of %q: %d, want %d", text, said, got, want)
			}
		}
	}
	traces := NewTraces("", []string{"Our nightly backups go to Hetzner."}, nil)
	if got := traces.WithoutEchoes("Fine.\nSo nightly backups go to Hetzner.\nNext: tests.\n"); got !=
		"Fine.\n[forgotten]\nNext: tests.\n" {
		t.Errorf("%q", got)
	}
}

// TestForgetApprovals: a yes, a no and a question that have the words go, those of other
// calls stay, and the log keeps how often something was stored.
func TestForgetApprovals(t *testing.T) {
	d := approval.Dir(filepath.Join(t.TempDir(), "approvals"))
	now := time.Now()
	ask := func(command string) string {
		args, _ := json.Marshal(map[string]string{"command": command})
		id, _, err := d.Ask(approval.Request{Digest: command, Tool: "Bash", Args: args, Session: "s1",
			Project: "/p", Reason: "it runs " + command, Asked: now})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	for _, animal := range []string{"zebra", "duck"} {
		yes, no := ask("feed the "+animal+" now"), ask("feed the "+animal+" never")
		ask("feed the " + animal + " perhaps")
		if _, err := d.Approve(yes, approval.Terminal, "s1", now); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Reject(no, approval.Terminal, "s1", now); err != nil {
			t.Fatal(err)
		}
	}
	r, err := d.Find(ask("other"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Show(r, "use"); err != nil {
		t.Fatal(err)
	}
	if err := d.Settle(r, "use", approval.Outcome{Time: now, Result: approval.Stored,
		Stored: []string{"feed-the-zebra-0f9c3a71d2e4", "feed-the-duck"}}); err != nil {
		t.Fatal(err)
	}
	traces := NewTraces("", []string{"feed the zebra"}, []string{"feed-the-zebra-0f9c3a71d2e4"})
	if err := d.Forget(traces.In, traces.Without, now); err != nil {
		t.Fatal(err)
	}
	ducks := 0
	filepath.WalkDir(string(d), func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			b, _ := os.ReadFile(path)
			if strings.Contains(string(b), "zebra") {
				t.Errorf("left in %s: %s", path, b)
			}
			ducks += strings.Count(string(b), "feed the duck") / 2
		}
		return err
	})
	done, err := d.Settled(now.Add(-time.Hour))
	if ducks != 3 || err != nil || len(done) != 1 || len(done[0].Stored) != 2 ||
		done[0].Stored[1] != "feed-the-duck" {
		t.Errorf("%d ducks, %+v, %v", ducks, done, err)
	}
}
