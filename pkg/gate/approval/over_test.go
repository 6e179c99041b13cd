package approval

import (
	"os"
	"testing"
	"time"
)

// TestOver: calls without a result when a turn is over did not run. They no longer wait, and their yes is
// used up. Calls of other sessions and of subagents stay.
func TestOver(t *testing.T) {
	d, r := folder(t), request()
	show := func(use, session, agent, project string) string {
		r := request()
		r.Session, r.Agent, r.Project = session, agent, project
		r.ID = ask(t, d, r)
		if err := d.Show(r, use); err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	mine := show("u1", "s1", "", "/p")
	show("u2", "s2", "", "/p")
	show("u3", "s1", "keepsake:drafter", "/q")
	approved := request()
	approved.Project = "/r"
	id := ask(t, d, approved)
	if _, err := d.Approve(id, Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := d.Take(approved.Digest, "s1", "/r", "u4", now); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := d.Over("s1", now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	got, err := d.Settled(now)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, o := range got {
		want := map[string]By{mine: Dialog, id: Terminal}[o.ID]
		if o.Result != NotRun || want == "" || o.By != want || len(o.Stored) > 0 ||
			!o.Time.Equal(now.Add(time.Minute)) {
			t.Errorf("%+v", o)
		}
	}
	for use, open := range map[string]bool{"u1": false, "u2": true, "u3": true, "u4": false} {
		if _, ok, err := d.openRequest(use); ok != open || err != nil {
			t.Errorf("%s is open: %v, %v", use, ok, err)
		}
	}
	if w, err := d.Waiting(now); err != nil || len(w) != 2 {
		t.Errorf("waiting: %v, %v", w, err)
	}
	// The person may change their mind, and the agent may ask again.
	if r, err := d.Approve(mine, Slash, "s1", now); err != nil || r.ID != mine {
		t.Errorf("approved afterwards: %+v, %v", r, err)
	}
	if _, ok, err := d.Take(r.Digest, "s1", "/p", "u5", now); !ok || err != nil {
		t.Error(ok, err)
	}
	show("u6", "s1", "", "/p")
	if err := d.Over("s1", now); err != nil {
		t.Fatal(err)
	}
	if again := ask(t, d, r); again != mine {
		t.Errorf("asked again as %s, was %s", again, mine)
	}
	if w, err := d.Waiting(now); err != nil || len(w) != 2 { // the yes was for s2's repeat of it, too
		t.Errorf("waiting: %v, %v", w, err)
	}
	// A file that cannot be read hides no other, and a missing folder is no error.
	if err := os.WriteFile(d.requestPath("taken", "u0"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.Over("s2", now); err == nil {
		t.Error("a broken file was not told")
	}
	if _, ok, _ := d.openRequest("u2"); ok {
		t.Error("a broken file kept the others open")
	}
	if err := folder(t).Over("s1", now); err != nil {
		t.Error(err)
	}
}
