package approval

import (
	"testing"
	"time"

	"keepsake/pkg/gate/rules"
)

// repeated has one call asked twice in session s1 and once in s2, with another call in between.
func repeated(t *testing.T) (d Dir, ids map[string]string, now time.Time) {
	t.Helper()
	c, v, d := stopped(t)
	now = time.Now().UTC()
	ids = map[string]string{}
	for i, session := range []string{"s1", "other", "s1", "s2"} {
		call := c
		call.Session = session
		if session == "other" {
			call.Args = []byte(`{"wing":"app","content":"another text"}`)
		}
		v.Decision = rules.Deny
		Weigh(call, v, true, now.Add(time.Duration(i)*time.Minute))
		all, err := d.readAll("asked")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			ids[r.Session] = r.ID
		}
	}
	return d, ids, now.Add(4 * time.Minute)
}

// TestRepeatsAreOne: a call that was asked again is listed once and counted, in its first place, whoever
// asked.
func TestRepeatsAreOne(t *testing.T) {
	d, ids, now := repeated(t)
	all, err := d.Waiting(now)
	if err != nil || len(all) != 2 || all[0].ID != ids["s1"] || all[0].Times != 3 ||
		all[1].ID != ids["other"] || all[1].Times != 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	if got := now.Sub(all[0].Asked); got != time.Minute {
		t.Errorf("last asked %v ago", got)
	}
}

// TestRepeatsAreSettled: one answer is for all of them. A yes lets the call run once and no more, and a no
// counts in each of the sessions.
func TestRepeatsAreSettled(t *testing.T) {
	for _, by := range []By{Terminal, Slash} {
		for _, named := range []string{"s1", "s2"} { // whose id the person gives
			d, ids, now := repeated(t)
			session := map[By]string{Slash: "s2"}[by]
			r, err := d.Approve(ids[named], by, session, now)
			if err != nil || by == Slash && r.Session != "s2" {
				t.Fatalf("%s, %s: %+v, %v", by, named, r, err)
			}
			if all, err := d.Waiting(now); err != nil || len(all) != 1 || all[0].ID != ids["other"] {
				t.Errorf("%s, %s: waiting %+v, %v", by, named, all, err)
			}
			runs := 0
			for range 3 {
				if _, ok, _ := d.Take(r.Digest, "s2", r.Project, "", now); ok {
					runs++
				}
			}
			if runs != 1 {
				t.Errorf("%s, %s: it may run %d times", by, named, runs)
			}
		}
	}
	d, ids, now := repeated(t)
	if _, err := d.Reject(ids["s1"], Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	_, refused, err := d.Answered(now)
	if all, _ := d.Waiting(now); err != nil || len(refused) != 2 || len(all) != 1 {
		t.Errorf("refused %+v, waiting %+v, %v", refused, all, err)
	}
	if _, err := d.Approve(ids["other"], Slash, "s1", now); err == nil {
		t.Error("another session's call was approved")
	}
}

// TestStoredSettlesRepeats: what ran with a yes in the dialog waits nowhere else.
func TestStoredSettlesRepeats(t *testing.T) {
	d, ids, now := repeated(t)
	r, err := d.Find(ids["s1"])
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Show(r, "use"); err != nil {
		t.Fatal(err)
	}
	r.By = Dialog
	if err := d.Settle(r, "use", Outcome{Time: now, Result: Stored}); err != nil {
		t.Fatal(err)
	}
	if all, err := d.Waiting(now); err != nil || len(all) != 1 || all[0].ID != ids["other"] {
		t.Errorf("waiting %+v, %v", all, err)
	}
}
