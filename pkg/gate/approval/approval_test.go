package approval

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func folder(t *testing.T) Dir { return Dir(filepath.Join(t.TempDir(), "keepsake", "approvals")) }

func request() Request {
	return Request{
		Digest: strings.Repeat("ab", 32), Checkpoint: "before_mempalace_write", Rule: "mempalace-tool",
		Tool: "mcp__m__mempalace_add_drawer",
		Args: []byte(`{"wing":"w"}`), Session: "s1", Project: "/p", Asked: now,
	}
}

func ask(t *testing.T, d Dir, r Request) string {
	t.Helper()
	id, refused, err := d.Ask(r)
	if err != nil || refused || !isID(id) {
		t.Fatalf("asked: %q, refused %v, %v", id, refused, err)
	}
	return id
}

func TestApprovedOnceForTheSameBytes(t *testing.T) {
	d, r := folder(t), request()
	id := ask(t, d, r)
	if again := ask(t, d, r); again != id {
		t.Errorf("the same call has the ids %s and %s", id, again)
	}
	if _, ok, err := d.Take(r.Digest, "s1", "/p", "u1", now); ok || err != nil {
		t.Fatalf("taken before an answer: %v, %v", ok, err)
	}
	if w, err := d.Waiting(now); err != nil || len(w) != 1 || w[0].ID != id {
		t.Errorf("waiting %v, %v", w, err)
	}
	if _, err := d.Approve(" "+strings.ToUpper(id)+" ", Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		digest, project string
		at              time.Time
	}{
		"other bytes":   {strings.Repeat("ac", 32), "/p", now},
		"other project": {r.Digest, "/q", now},
		"too late":      {r.Digest, "/p", now.Add(Valid + time.Second)},
		"before it":     {r.Digest, "/p", now.Add(-time.Hour)},
		"no digest":     {"", "/p", now},
	} {
		if _, ok, err := d.Take(c.digest, "s1", c.project, "u0", c.at); ok || err != nil {
			t.Errorf("%s: taken %v, %v", name, ok, err)
		}
	}
	got, ok, err := d.Take(r.Digest, "another session", "/p", "u1", now.Add(time.Minute))
	if !ok || err != nil || got.ID != id || got.By != Terminal {
		t.Fatalf("%+v, %v, %v", got, ok, err)
	}
	if _, ok, _ := d.Take(r.Digest, "s1", "/p", "u2", now.Add(time.Minute)); ok {
		t.Error("taken twice")
	}
}

// TestUnanswer: an answer that was not used is taken back, and the call waits as it did; a used one stays.
func TestUnanswer(t *testing.T) {
	d, r := folder(t), request()
	id := ask(t, d, r)
	if _, err := d.Unanswer(id); err == nil {
		t.Error("a call without an answer was taken back")
	}
	other := r
	other.Session = "s2"
	ask(t, d, other)
	for name, answer := range map[string]func(string, By, string, time.Time) (Request, error){
		"yes": d.Approve, "no": d.Reject} {
		if _, err := answer(id, Terminal, "", now); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Unanswer(id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		w, err := d.Waiting(now)
		if err != nil || len(w) != 1 || w[0].ID != id || w[0].By != "" || !w[0].Answered.IsZero() {
			t.Errorf("%s: %+v, %v", name, w, err)
		}
		if _, ok, _ := d.Take(r.Digest, "s1", "/p", "u0", now); ok {
			t.Errorf("%s: it still counts", name)
		}
		if _, refused, err := d.Ask(other); refused || err != nil {
			t.Errorf("%s: refused in another session: %v, %v", name, refused, err)
		}
	}
	if _, err := d.Approve(id, Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := d.Take(r.Digest, "s1", "/p", "u1", now); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := d.Unanswer(id); err == nil {
		t.Error("a yes that was used was taken back")
	}
}

// TestAnsweredMeanwhile: a yes given while the same call is being stopped stays.
func TestAnsweredMeanwhile(t *testing.T) {
	d, r := folder(t), request()
	id := ask(t, d, r)
	if _, err := d.Approve(id, Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	if again := ask(t, d, r); again != id {
		t.Errorf("asked again as %s, not %s", again, id)
	}
	if _, ok, err := d.Take(r.Digest, "s1", "/p", "u", now); !ok || err != nil {
		t.Errorf("the yes is gone: %v", err)
	}
	if w, _ := d.Waiting(now); len(w) != 0 {
		t.Errorf("it waits too: %v", w)
	}
}

func TestSlashBelongsToItsSession(t *testing.T) {
	d, r := folder(t), request()
	id := ask(t, d, r)
	if _, err := d.Approve(id, Slash, "s2", now); !errors.Is(err, errSession) {
		t.Errorf("answered from another session: %v", err)
	}
	if _, err := d.Approve(id, Slash, "s1", now); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := d.Take(r.Digest, "s2", "/p", "u", now); ok {
		t.Error("used in another session")
	}
	if _, ok, _ := d.Take(r.Digest, "s1", "/p", "u", now); !ok {
		t.Error("not to be used in its own session")
	}
}

func TestRejectedStaysRejected(t *testing.T) {
	d, r := folder(t), request()
	id := ask(t, d, r)
	if _, err := d.Reject(id, Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	if again, refused, err := d.Ask(r); again != id || !refused || err != nil {
		t.Errorf("asked again: %s, %v, %v", again, refused, err)
	}
	if _, err := d.Reject(id, Terminal, "", now); !errors.Is(err, errAnswered) {
		t.Errorf("rejected twice: %v", err)
	}
	other := r
	other.Session = "s2"
	if _, refused, err := d.Ask(other); refused || err != nil {
		t.Errorf("refused in another session too: %v", err)
	}
}

// TestChangedMind: a no can become a yes and a yes a no, and each is in one place only. One that has expired
// can be given again.
func TestChangedMind(t *testing.T) {
	d, r := folder(t), request()
	id := ask(t, d, r)
	for _, give := range []func(string, By, string, time.Time) (Request, error){d.Reject, d.Approve,
		d.Reject} {
		if _, err := give(id, Terminal, "", now); err != nil {
			t.Fatal(err)
		}
		given, refused, err := d.Answered(now)
		if len(given)+len(refused) != 1 || err != nil {
			t.Fatalf("%v, %v, %v", given, refused, err)
		}
	}
	if _, ok, _ := d.Take(r.Digest, "s1", "/p", "u", now); ok {
		t.Error("a yes that was taken back was used")
	}
	if _, err := d.Approve(id, Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	later := now.Add(Valid + time.Minute)
	if _, err := d.Approve(id, Terminal, "", later); err != nil {
		t.Errorf("an old yes can't be given again: %v", err)
	}
	if _, ok, _ := d.Take(r.Digest, "s1", "/p", "u", later); !ok {
		t.Error("given again and not used")
	}
}

// TestTakenBackOrUsed: if a call uses a yes while the person takes it back, one of the two happens, and the
// person is told which.
func TestTakenBackOrUsed(t *testing.T) {
	for range 50 {
		d, r := folder(t), request()
		id := ask(t, d, r)
		if _, err := d.Approve(id, Terminal, "", now); err != nil {
			t.Fatal(err)
		}
		var both sync.WaitGroup
		var used bool
		var back error
		both.Go(func() { _, used, _ = d.Take(r.Digest, "s1", "/p", "u", now) })
		both.Go(func() { _, back = d.Reject(id, Terminal, "", now) })
		both.Wait()
		if used == (back == nil) || back != nil && !errors.Is(back, ErrUnknown) {
			t.Fatalf("used %v, and taking it back said %v", used, back)
		}
	}
}

func TestUnknown(t *testing.T) {
	d := folder(t)
	for _, id := range []string{"", "abc", "zzzzzz", "../../x", "ABCDEF/..", strings.Repeat("a", 40)} {
		if _, err := d.Approve(id, Terminal, "", now); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v", id, err)
		}
	}
	id := ask(t, d, request())
	if _, err := d.Approve(id, Terminal, "", now.Add(Kept+time.Second)); !errors.Is(err, ErrUnknown) {
		t.Errorf("approved a day later: %v", err)
	}
}

// TestParallelCallsDoNotShare: of many callers that want one approval, one gets it.
func TestParallelCallsDoNotShare(t *testing.T) {
	d, r := folder(t), request()
	if _, err := d.Approve(ask(t, d, r), Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	var got atomic.Int32
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			if _, ok, _ := d.Take(r.Digest, "s1", "/p", fmt.Sprint("u", i), now); ok {
				got.Add(1)
			}
		})
	}
	all.Wait()
	if got.Load() != 1 {
		t.Errorf("%d calls were let through by one approval", got.Load())
	}
}

// TestBrokenFilesApproveNothing: each broken file is reported, and none hides a good one.
func TestBrokenFilesApproveNothing(t *testing.T) {
	good := func(t *testing.T) (Dir, Request, string) {
		d, r := folder(t), request()
		id := ask(t, d, r)
		if _, err := d.Approve(id, Terminal, "", now); err != nil {
			t.Fatal(err)
		}
		return d, r, d.requestPath("given", id)
	}
	for name, spoil := range map[string]func(path string) error{
		"not JSON": func(p string) error { return os.WriteFile(p, []byte("{"), 0o600) },
		"empty":    func(p string) error { return os.WriteFile(p, nil, 0o600) },
		"newer": func(p string) error {
			return os.WriteFile(p, []byte(`{"version":9,"id":"aaaaaa","digest":"x"}`), 0o600)
		},
		"open to others": func(p string) error { return os.Chmod(p, 0o644) },
		"a link": func(p string) error {
			return errors.Join(os.Rename(p, p+".real"), os.Symlink(p+".real", p))
		},
		"a directory": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			d, r, path := good(t)
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			if _, ok, err := d.Take(r.Digest, "s1", "/p", "u", now); ok || err == nil ||
				!strings.Contains(err.Error(), filepath.Base(path)) {
				t.Errorf("taken %v, %v", ok, err)
			}
			r.Digest = strings.Repeat("cd", 32)
			if _, err := d.Approve(ask(t, d, r), Terminal, "", now); err != nil {
				t.Fatal(err)
			}
			if _, ok, err := d.Take(r.Digest, "s1", "/p", "u", now); !ok || err == nil {
				t.Errorf("beside it: taken %v, %v", ok, err)
			}
		})
	}
}

func TestSettle(t *testing.T) {
	d, r := folder(t), request()
	id := ask(t, d, r)
	if _, err := d.Approve(id, Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	if _, open, err := d.openRequest("toolu_1"); open || err != nil {
		t.Errorf("open before it ran: %v, %v", open, err)
	}
	if _, ok, err := d.Take(r.Digest, "s1", "/p", "toolu_1", now); !ok || err != nil {
		t.Fatal(ok, err)
	}
	got, open, err := d.openRequest("toolu_1")
	if !open || err != nil || got.ID != id {
		t.Fatalf("%+v, %v, %v", got, open, err)
	}
	if err := d.Settle(got, "toolu_1",
		Outcome{Time: now, Result: Stored, Stored: []string{"drawer_1"}}); err != nil {
		t.Fatal(err)
	}
	if _, open, _ := d.openRequest("toolu_1"); open {
		t.Error("open after it was settled")
	}
	all, err := d.Settled(now.Add(-time.Second))
	if err != nil || len(all) != 1 || all[0].ID != id || all[0].Stored[0] != "drawer_1" ||
		all[0].Rule != r.Rule || all[0].By != Terminal {
		t.Errorf("%+v, %v", all, err)
	}
	if later, _ := d.Settled(now.Add(time.Second)); len(later) != 0 {
		t.Errorf("%+v", later)
	}
}

// TestDialog: a call that the client's dialog let through is settled as such, and waits for no other answer.
func TestDialog(t *testing.T) {
	d, r := folder(t), request()
	r.ID = ask(t, d, r)
	if err := d.Show(r, "use with/odd name"); err != nil {
		t.Fatal(err)
	}
	got, open, err := d.openRequest("use with/odd name")
	if !open || err != nil || got.By != Dialog {
		t.Fatalf("%+v, %v, %v", got, open, err)
	}
	if err := d.Settle(got, "use with/odd name", Outcome{Time: now, Result: Failed}); err != nil {
		t.Fatal(err)
	}
	if w, _ := d.Waiting(now); len(w) != 0 {
		t.Errorf("still waiting: %v", w)
	}
	if _, ok, _ := d.Take(r.Digest, "s1", "/p", "u", now); ok {
		t.Error("the dialog's yes was kept for another call")
	}
}

func TestRunning(t *testing.T) {
	d, r := folder(t), request()
	if d.Running(time.Now()) {
		t.Error("running before there is anything")
	}
	r.ID = ask(t, d, r)
	if err := d.Show(r, "u"); err != nil {
		t.Fatal(err)
	}
	if !d.Running(time.Now()) {
		t.Error("a call under way does not run")
	}
	if d.Running(time.Now().Add(inFlight + time.Minute)) {
		t.Error("a call that the person refused runs for ever")
	}
}

func TestOldAndManyAreForgotten(t *testing.T) {
	d, r := folder(t), request()
	r.Asked = time.Now()
	for i := range maxWaiting + 20 {
		r.Digest = fmt.Sprintf("%064d", i)
		ask(t, d, r)
	}
	w, err := d.Waiting(time.Now())
	if err != nil || len(w) > maxWaiting {
		t.Errorf("%d wait, %v", len(w), err)
	}
	old := time.Now().Add(-Kept - time.Hour)
	if err := os.Chtimes(d.requestPath("asked", w[0].ID), old, old); err != nil {
		t.Fatal(err)
	}
	r.Digest = strings.Repeat("ef", 32)
	ask(t, d, r)
	if _, err := os.Stat(d.requestPath("asked", w[0].ID)); !os.IsNotExist(err) {
		t.Errorf("an old request is kept: %v", err)
	}
}

// FuzzLoad: only a whole approval approves, whatever is in the folder.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"version":1,"id":"abcdef","digest":"x","project":"/p","by":"terminal","answered":"2026-11-21T10:00:00Z"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		d := folder(t)
		if err := d.makeDir("given"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(d.requestPath("given", "abcdef"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		r, ok, err := d.Take("x", "s", "/p", "u", now)
		if ok && (r.Digest != "x" || r.Project != "/p" || r.Version != Version || err != nil) {
			t.Errorf("%q approved: %+v, %v", b, r, err)
		}
	})
}
