package approval

import (
	"errors"
	"testing"
	"time"
)

// TestClients: what waits in two clients is one list, and an answer goes to the client that asked.
func TestClients(t *testing.T) {
	one, two := Dir(t.TempDir()), Dir(t.TempDir())
	all := Clients{one, two}
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	ask := func(d Dir, digest string, at time.Time) string {
		t.Helper()
		id, _, err := d.Ask(Request{Digest: digest, Tool: "Bash", Args: []byte(`{}`), Session: "s", Project: "/p",
			Asked: at})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	later := ask(one, "a1", now)
	earlier := ask(two, "b2", now.Add(-time.Minute))
	waiting, err := all.Waiting(now)
	if err != nil || len(waiting) != 2 || waiting[0].ID != earlier || waiting[1].ID != later {
		t.Errorf("%+v, %v", waiting, err)
	}
	if r, err := all.Find(earlier); err != nil || r.ID != earlier {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := all.Approve(earlier, Terminal, "", now); err != nil {
		t.Error(err)
	}
	if _, err := all.Reject(later, Terminal, "", now); err != nil {
		t.Error(err)
	}
	given, refused, err := all.Answered(now)
	if err != nil || len(given) != 1 || given[0].ID != earlier || len(refused) != 1 ||
		refused[0].ID != later {
		t.Errorf("%+v, %+v, %v", given, refused, err)
	}
	if mine, _, _ := one.Answered(now); len(mine) != 0 {
		t.Errorf("the yes went to the other client: %+v", mine)
	}
	if _, err := all.Find("zzzzzz"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}
