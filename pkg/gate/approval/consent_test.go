package approval

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/journal"
	"keepsake/pkg/layout"
)

// stopped is a call of a palace's tool that the gate has stopped, and where answers are kept.
func stopped(t *testing.T) (Call, rules.Verdict, Dir) {
	t.Helper()
	client, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	c := Call{
		Tool:  "mcp__mempalace__mempalace_add_drawer",
		Args:  []byte(`{"wing":"app","content":"we use Postgres"}`),
		UseID: "toolu_1", Session: "s1", Transcript: filepath.Join(client, "projects", "-p", "s1.jsonl"),
		Cwd: project, ProjectDir: project,
	}
	v := rules.Verdict{Decision: rules.Deny, Checkpoint: rules.MemPalaceWrite, Rule: "add",
		Reason: "permanent memory write: MemPalace\nwing app", Person: true}
	return c, v, Dir(layout.Approvals(client))
}

// answered lets a person answer the one call that waits.
func answered(t *testing.T, d Dir,
	answer func(Dir, string, By, string, time.Time) (Request, error),
	by By, session string, at time.Time,
) {
	t.Helper()
	all, err := d.Waiting(at)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d wait, %v", len(all), err)
	}
	if _, err := answer(d, all[0].ID, by, session, at); err != nil {
		t.Fatal(err)
	}
}

// TestYesIsForOneCall: a yes lets exactly the call through that was asked about, once, and no other.
func TestYesIsForOneCall(t *testing.T) {
	other := t.TempDir()
	for name, tt := range map[string]struct {
		by    By
		later time.Duration
		next  func(*Call, *rules.Verdict)
		want  rules.Decision
	}{
		"the same call": {want: rules.Allow},
		"blanks and order": {next: func(c *Call, _ *rules.Verdict) {
			c.Args = []byte(` {"content":"we use Postgres", "wing":"app"}`)
		}, want: rules.Allow},
		"another use": {next: func(c *Call, _ *rules.Verdict) {
			c.UseID = "toolu_2"
		}, want: rules.Allow},
		"another folder, which its words don't depend on": {
			next: func(c *Call, _ *rules.Verdict) { c.Cwd = filepath.Join(c.Cwd, "sub") }, want: rules.Allow},
		"another session, said in a terminal": {next: func(c *Call, _ *rules.Verdict) {
			c.Session = "s2"
		}, want: rules.Allow},
		"another session, typed into the first": {by: Slash,
			next: func(c *Call, _ *rules.Verdict) { c.Session = "s2" }, want: rules.Deny},
		"another project": {next: func(c *Call, _ *rules.Verdict) {
			c.Cwd, c.ProjectDir = other, other
		}, want: rules.Deny},
		"another text": {next: func(c *Call, _ *rules.Verdict) {
			c.Args = []byte(`{"wing":"app","content":"x"}`)
		}, want: rules.Deny},
		"another tool": {next: func(c *Call, _ *rules.Verdict) { c.Tool += "s" }, want: rules.Deny},
		"another checkpoint": {next: func(_ *Call, v *rules.Verdict) {
			v.Checkpoint = "before_rules_write"
		}, want: rules.Deny},
		"told otherwise": {next: func(_ *Call, v *rules.Verdict) {
			v.Reason = "a script that writes elsewhere"
		}, want: rules.Deny},
		"told otherwise below the first line": {
			next: func(_ *Call, v *rules.Verdict) {
				v.Reason = "permanent memory write: MemPalace\nx"
			}, want: rules.Allow},
		"too late":         {later: Valid + time.Minute, want: rules.Deny},
		"just in time":     {later: Valid - time.Minute, want: rules.Allow},
		"a clock set back": {later: -time.Hour, want: rules.Deny},
		"a key named twice": {next: func(c *Call, _ *rules.Verdict) {
			c.Args = []byte(`{"wing":"app","wing":"app"}`)
		}, want: rules.Deny},
	} {
		t.Run(name, func(t *testing.T) {
			c, v, d := stopped(t)
			now := time.Now()
			told, id := Weigh(c, v, false, now)
			if told.Decision != rules.Deny || id != "" || !strings.Contains(told.Reason, " approve ") {
				t.Fatalf("%+v, %q", told, id)
			}
			by := tt.by
			if by == "" {
				by = Terminal
			}
			answered(t, d, Dir.Approve, by, c.Session, now)
			if tt.next != nil {
				tt.next(&c, &v)
			}
			got, id := Weigh(c, v, false, now.Add(tt.later))
			if got.Decision != tt.want || (id != "") != (tt.want == rules.Allow) {
				t.Fatalf("%v with %q: %s", got.Decision, id, got.Reason)
			}
			if again, _ := Weigh(c, v, false, now.Add(tt.later)); again.Decision != rules.Deny {
				t.Errorf("a second time: %v", again.Decision)
			}
		})
	}
}

// TestACommandIsOfItsFolder: the same words of a shell may mean other files elsewhere.
func TestACommandIsOfItsFolder(t *testing.T) {
	for cwd, want := range map[string]rules.Decision{"": rules.Allow, "sub": rules.Deny} {
		c, v, d := stopped(t)
		now := time.Now()
		c.Tool, c.Args = "Bash", []byte(`{"command":"./write"}`)
		Weigh(c, v, false, now)
		answered(t, d, Dir.Approve, Terminal, "", now)
		c.Cwd = filepath.Join(c.Cwd, cwd)
		if got, _ := Weigh(c, v, false, now); got.Decision != want {
			t.Errorf("in %q: %v", cwd, got.Decision)
		}
	}
}

// TestNoAnswer: what a person may not answer passes as it was judged, and what can't be kept for one says
// why.
func TestNoAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		call   func(*Call)
		broken func(t *testing.T, d Dir)
		of     rules.Decision
		person bool
		want   rules.Decision
		says   string
		waits  int
	}{
		"no person":           {of: rules.Deny, want: rules.Deny},
		"asked in the dialog": {of: rules.Ask, person: true, want: rules.Ask, waits: 1},
		"denied, so that it waits": {of: rules.Deny, person: true, want: rules.Deny, says: " approve ",
			waits: 1},
		"no client's folder": {of: rules.Deny, person: true, want: rules.Deny,
			says: "the client's folder is unknown",
			call: func(c *Call) { c.Transcript = "/tmp/s.jsonl" }},
		"no folder, but a dialog": {of: rules.Ask, person: true, want: rules.Ask,
			says: "the client's folder is unknown",
			call: func(c *Call) { c.Transcript = "" }},
		"no JSON": {of: rules.Deny, person: true, want: rules.Deny, says: "no JSON object",
			call: func(c *Call) { c.Args = []byte("wing") }},
		"nothing can be written": {of: rules.Deny, person: true, want: rules.Deny,
			says: "It can't wait for an answer",
			broken: func(t *testing.T, d Dir) {
				if err := errors.Join(os.MkdirAll(filepath.Dir(string(d)), 0o700),
					os.WriteFile(string(d), nil, 0o600)); err != nil {
					t.Fatal(err)
				}
			}},
	} {
		t.Run(name, func(t *testing.T) {
			c, v, d := stopped(t)
			if tt.call != nil {
				tt.call(&c)
			}
			if tt.broken != nil {
				tt.broken(t, d)
			}
			v.Decision, v.Person = tt.of, tt.person
			got, id := Weigh(c, v, false, time.Now())
			if got.Decision != tt.want || id != "" || !strings.Contains(got.Reason, tt.says) {
				t.Errorf("%v, %q: %s", got.Decision, id, got.Reason)
			}
			if tt.says == "" && got.Reason != v.Reason {
				t.Errorf("reworded: %s", got.Reason)
			}
			if tt.broken != nil {
				failures, err := journal.Failures(ledgerOf(c), 9)
				if err != nil || len(failures) == 0 || failures[0].Where != "gate" ||
					failures[0].Session != "s1" {
					t.Errorf("the ledger has %+v, %v", failures, err)
				}
				return
			}
			if all, err := d.Waiting(time.Now()); err != nil || len(all) != tt.waits {
				t.Errorf("%d wait, %v", len(all), err)
			}
		})
	}
}

func ledgerOf(c Call) string {
	place := layout.Project(c.ProjectDir, c.Cwd)
	return layout.DirsFor(place, c.Transcript).Of(place.Home).Ledger()
}

// TestANoStays: what a person refused is not asked again, in whatever way it was asked before.
func TestANoStays(t *testing.T) {
	for _, of := range []rules.Decision{rules.Deny, rules.Ask} {
		c, v, d := stopped(t)
		now := time.Now()
		Weigh(c, v, false, now)
		answered(t, d, Dir.Reject, Terminal, "", now)
		v.Decision = of
		if got, id := Weigh(c, v, true, now); got.Decision != rules.Deny || id != "" ||
			!strings.Contains(got.Reason, "has said no") {
			t.Errorf("%v: %v, %s", of, got.Decision, got.Reason)
		}
		c.Session = "s2"
		if got, _ := Weigh(c, v, true, now); got.Decision != of {
			t.Errorf("another session is not asked: %v", got.Decision)
		}
	}
}

// TestAnApprovalThatCantBeRead lets nothing through, and is told of.
func TestAnApprovalThatCantBeRead(t *testing.T) {
	c, v, d := stopped(t)
	now := time.Now()
	Weigh(c, v, false, now)
	answered(t, d, Dir.Approve, Terminal, "", now)
	given, err := filepath.Glob(filepath.Join(string(d), "given", "*.json"))
	if err != nil || len(given) != 1 {
		t.Fatal(given, err)
	}
	if err := os.Chmod(given[0], 0o666); err != nil {
		t.Fatal(err)
	}
	got, id := Weigh(c, v, false, now)
	if got.Decision != rules.Deny || id != "" || strings.Contains(got.Reason, string(d)) {
		t.Errorf("%v, %q: %s", got.Decision, id, got.Reason)
	}
	if failures, err := journal.Failures(ledgerOf(c), 9); err != nil || len(failures) == 0 {
		t.Errorf("the ledger has %+v, %v", failures, err)
	}
}

func TestSettleCall(t *testing.T) {
	for name, tt := range map[string]struct {
		ran      string // other arguments that it ran with
		response string
		failed   bool
		result   Result
		stored   []string
	}{
		"stored": {response: `{"success":true,"drawer_id":"drawer_app_1"}`,
			result: Stored, stored: []string{"drawer_app_1"}},
		"no answer": {result: Stored},
		"refused": {response: `{"success":false,"error":"no such wing"}`,
			result: Failed},
		"the client says": {response: `{"success":true}`, failed: true,
			result: Failed},
		"other arguments": {ran: `{"wing":"app","content":"x"}`, response: `{"success":true}`,
			result: Changed},
		"other arguments, and it failed": {ran: `{"wing":"app","content":"x"}`, failed: true,
			result: Failed},
	} {
		t.Run(name, func(t *testing.T) {
			c, v, d := stopped(t)
			now := time.Now()
			if o, settled, err := Settle(c, []byte(tt.response), tt.failed, now); settled || err != nil {
				t.Fatalf("nobody asked: %+v, %v", o, err)
			}
			v.Decision = rules.Ask
			Weigh(c, v, true, now)
			if tt.ran != "" {
				c.Args = []byte(tt.ran)
			}
			o, settled, err := Settle(c, []byte(tt.response), tt.failed, now)
			if err != nil || !settled || o.Result != tt.result || !slices.Equal(o.Stored, tt.stored) ||
				(o.Error == "") != (o.Result == Stored) {
				t.Errorf("%+v, %v, %v", o, settled, err)
			}
			if again, settled, err := Settle(c, []byte(tt.response), tt.failed, now); settled || err != nil {
				t.Errorf("a second time: %+v, %v", again, err)
			}
			done, err := d.Settled(now.Add(-time.Minute))
			if err != nil || len(done) != 1 || done[0].Result != tt.result || done[0].By != Dialog {
				t.Errorf("written down: %+v, %v", done, err)
			}
			if all, err := d.Waiting(now); err != nil || len(all) != 0 {
				t.Errorf("%d still wait, %v", len(all), err)
			}
		})
	}
	c, _, _ := stopped(t)
	c.Transcript = ""
	if _, settled, err := Settle(c, nil, false, time.Now()); settled || err != nil {
		t.Errorf("without a client's folder: %v, %v", settled, err)
	}
}
