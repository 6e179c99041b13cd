package approval

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/gate/rules"
)

func promoting(t *testing.T) (Call, Dir, func(d rules.Decision, digest string) rules.Verdict) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	client, project := t.TempDir(), t.TempDir()
	c := Call{
		Tool: "Bash", Args: []byte(`{"command":"keepsake promote s4k2zq","description":"list files"}`),
		UseID: "toolu_1", Session: "s1",
		Transcript: filepath.Join(client, "projects", "-p", "s1.jsonl"), Cwd: project, ProjectDir: project,
	}
	return c, Dir(filepath.Join(client, "keepsake", "approvals")),
		func(d rules.Decision, digest string) rules.Verdict {
			return rules.Verdict{
				Decision: d, Checkpoint: rules.MemPalaceWrite, Rule: rules.RulePromote.Rule().Name,
				Reason: "permanent memory write: MemPalace\nwing p", Person: true,
				Promotion: &rules.Promotion{Digest: digest, Program: "/opt/keepsake/bin/keepsake",
					Words: []string{"promote", "s4k2zq", "--text=We use Postgres."},
					Near:  []string{"p/decisions/x"}},
			}
		}
}

// nonceOf is the nonce in the command that takes the place of a call's.
func nonceOf(t *testing.T, input []byte) string {
	t.Helper()
	var in map[string]string
	if err := json.Unmarshal(input, &in); err != nil || len(in) != 1 {
		t.Fatalf("%s: %v", input, err)
	}
	words := strings.Fields(in["command"])
	if !strings.HasPrefix(in["command"], "/opt/keepsake/bin/keepsake promote --approval ") ||
		!strings.HasSuffix(in["command"], " s4k2zq --text='We use Postgres.'") {
		t.Fatalf("%s", in["command"])
	}
	return words[3]
}

// TestPromotionAsked: what the dialog asks about carries the nonce, and nothing of
// the agent's own words.
func TestPromotionAsked(t *testing.T) {
	c, d, verdict := promoting(t)
	now := time.Now()
	v, _ := Weigh(c, verdict(rules.Ask, "w"), true, now)
	if v.Decision != rules.Ask {
		t.Fatalf("%+v", v)
	}
	nonce := nonceOf(t, v.Input)
	g, err := d.Redeem(nonce, "w", c.project(), now)
	if err != nil || g.Use != "toolu_1" || g.Request.By != Dialog || len(g.Near) != 1 {
		t.Fatalf("%+v, %v", g, err)
	}
	if err := d.SettlePromotion(g,
		Outcome{Time: now, Result: Stored, Stored: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	ran := c
	ran.Args = v.Input
	if o, settled, err := Settle(ran, []byte(`{"stdout":"Promoted"}`), false, now); settled || err != nil {
		t.Errorf("settled twice: %+v, %v", o, err)
	}
	done, err := d.Settled(now.Add(-time.Minute))
	if err != nil || len(done) != 1 || done[0].By != Dialog {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestPromotionApproved: a denied one waits with its text; approved it runs once with
// a nonce, and not when it would write other bytes by now.
func TestPromotionApproved(t *testing.T) {
	c, d, verdict := promoting(t)
	now := time.Now()
	approve := func() {
		t.Helper()
		all, err := d.Waiting(now)
		if err != nil || len(all) != 1 || !strings.Contains(string(all[0].Args), "We use Postgres.") ||
			strings.Contains(string(all[0].Args), "list files") {
			t.Fatalf("%+v, %v", all, err)
		}
		if _, err := d.Approve(all[0].ID, Terminal, "", now); err != nil {
			t.Fatal(err)
		}
	}
	if v, _ := Weigh(c, verdict(rules.Deny, "w"), false, now); v.Decision != rules.Deny || v.Input != nil ||
		!strings.Contains(v.Reason, " approve ") {
		t.Fatalf("%+v", v)
	}
	approve()
	if v, _ := Weigh(c, verdict(rules.Deny, "w2"), false, now); v.Decision != rules.Deny || v.Input != nil {
		t.Fatalf("other bytes: %+v", v)
	}
	approve()
	v, id := Weigh(c, verdict(rules.Deny, "w2"), false, now)
	if v.Decision != rules.Allow || id == "" {
		t.Fatalf("%+v", v)
	}
	nonce := nonceOf(t, v.Input)
	if v, _ := Weigh(c, verdict(rules.Deny, "w2"), false, now); v.Decision != rules.Deny || v.Input != nil {
		t.Errorf("used twice: %+v", v)
	}
	// What ran and did not write takes its nonce along.
	ran := c
	ran.Args = v.Input
	o, settled, err := Settle(ran, nil, true, now)
	if !settled || err != nil || o.Result != Failed {
		t.Errorf("%+v, %v, %v", o, settled, err)
	}
	if _, err := d.Redeem(nonce, "w2", c.project(), now); err == nil {
		t.Error("a nonce outlives its call")
	}
}

// TestPromotionRefused: without a place for the approval it is denied, and a no stays.
func TestPromotionRefused(t *testing.T) {
	c, d, verdict := promoting(t)
	now := time.Now()
	lost := c
	lost.Transcript = ""
	if v, _ := Weigh(lost, verdict(rules.Ask, "w"), true, now); v.Decision != rules.Deny || v.Input != nil {
		t.Errorf("%+v", v)
	}
	Weigh(c, verdict(rules.Deny, "w"), false, now)
	all, err := d.Waiting(now)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if _, err := d.Reject(all[0].ID, Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	if v, _ := Weigh(c, verdict(rules.Ask, "w"), true, now); v.Decision != rules.Deny || v.Input != nil {
		t.Errorf("%+v", v)
	}
}
