package approval

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// TestRejectedInDialog: Esc and No run no hook, so a listing takes them from the transcript, the main agent's
// or a subagent's. The call no longer waits then, and can still be approved by its id.
func TestRejectedInDialog(t *testing.T) {
	for _, agent := range []string{"", "a7"} {
		c, v, d := stopped(t)
		c.AgentID, c.Agent = agent, map[string]string{"a7": "general-purpose"}[agent]
		now := time.Now()
		write := func(path, text string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err == nil {
				_, err = f.WriteString(text)
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		waits := func(want int) {
			t.Helper()
			if err := d.Sweep(now); err != nil {
				t.Fatal(err)
			}
			if all, err := d.Waiting(now); len(all) != want || err != nil {
				t.Fatalf("agent %q: %d wait, want %d: %v", agent, len(all), want, err)
			}
		}
		no := func(use string) string {
			return fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","content":"The user `+
				`doesn't want to proceed with this tool use.","is_error":true,"tool_use_id":%q}]}}`+"\n", use)
		}
		write(c.Transcript, no(c.UseID)) // before the call: of another one with the same id
		v.Decision = rules.Ask
		if got, _ := Weigh(c, v, true, now); got.Decision != rules.Ask {
			t.Fatalf("%+v", got)
		}
		waits(1)
		path := c.Transcript
		if agent != "" {
			path = filepath.Join(filepath.Dir(path), "s1", "subagents", "agent-a7.jsonl")
		}
		write(path, no("another"))
		waits(1)
		write(path, no(c.UseID))
		waits(0)
		done, err := d.Settled(now.Add(-time.Minute))
		if err != nil || len(done) != 1 || done[0].Result != NotRun || done[0].By != Dialog {
			t.Fatalf("%+v, %v", done, err)
		}
		if _, err := d.Approve(done[0].ID, Terminal, "", now); err != nil {
			t.Errorf("it can't be approved any more: %v", err)
		}
	}
}

// TestSettledOnce: a listing and a hook that notice the same call at once settle it once.
func TestSettledOnce(t *testing.T) {
	c, v, d := stopped(t)
	v.Decision = rules.Ask
	now := time.Now()
	const calls = 40
	for i := range calls {
		call := c
		call.UseID, call.Args = fmt.Sprint("use", i), fmt.Appendf(nil, `{"wing":"app","content":"%d"}`, i)
		if got, _ := Weigh(call, v, true, now); got.Decision != rules.Ask {
			t.Fatalf("%+v", got)
		}
	}
	var both sync.WaitGroup
	for range 4 {
		both.Go(func() {
			if err := d.Over("s1", now); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if all, err := d.Settled(now.Add(-time.Minute)); err != nil || len(all) != calls {
		t.Errorf("%d results of %d calls, %v", len(all), calls, err)
	}
}

// TestNoOtherTranscript: a transcript outside of the client's folder settles nothing, nor does one that is no
// regular file, and a subagent's id leads nowhere else.
func TestNoOtherTranscript(t *testing.T) {
	c, v, d := stopped(t)
	v.Decision = rules.Ask
	outside := filepath.Join(t.TempDir(), "projects", "-p", "s1.jsonl")
	fifo := filepath.Join(filepath.Dir(c.Transcript), "folder.jsonl")
	for _, dir := range []string{filepath.Dir(outside), fifo} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	line := `{"type":"user","message":{"content":[{"type":"tool_result","content":"The user doesn't want to ` +
		`proceed with this tool use","is_error":true,"tool_use_id":"toolu_1"}]}}` + "\n"
	if err := os.WriteFile(outside, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]Request{
		"outside":    {Transcript: outside},
		"none":       {},
		"gone":       {Transcript: c.Transcript},
		"no file":    {Transcript: fifo},
		"led astray": {Transcript: c.Transcript, AgentID: "../../../" + filepath.Base(filepath.Dir(outside))},
	} {
		if is, err := d.isRejected(r, "toolu_1"); is || err != nil {
			t.Errorf("%s: %v, %v", name, is, err)
		}
	}
	if layout.Client(outside) == "" {
		t.Error("the path outside has not the form of a transcript")
	}
}

// TestAgentOver: what a subagent that has ended did not run is settled; another one's is not.
func TestAgentOver(t *testing.T) {
	c, v, d := stopped(t)
	v.Decision = rules.Ask
	now := time.Now()
	for _, agent := range []string{"a1", "a2"} {
		call := c
		call.Agent, call.AgentID, call.UseID = "general-purpose", agent, "use-"+agent
		call.Args = []byte(`{"wing":"app","content":"` + agent + `"}`)
		if got, _ := Weigh(call, v, true, now); got.Decision != rules.Ask {
			t.Fatalf("%+v", got)
		}
	}
	ended := Call{Session: c.Session, Transcript: c.Transcript, AgentID: "a1"}
	if err := ended.AgentOver(now); err != nil {
		t.Fatal(err)
	}
	all, err := d.Waiting(now)
	if err != nil || len(all) != 1 || all[0].AgentID != "a2" {
		t.Errorf("%+v, %v", all, err)
	}
	for _, nobody := range []Call{{Session: "s9", Transcript: c.Transcript, AgentID: "a2"},
		{Session: c.Session, Transcript: c.Transcript}} {
		if err := nobody.AgentOver(now); err != nil {
			t.Fatal(err)
		}
	}
	if all, _ := d.Waiting(now); len(all) != 1 {
		t.Error("another agent's end settled it")
	}
}
