package revoke_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/mempalace"
	"keepsake/pkg/why/revoke"
)

// lab is a palace of one database of drawers, with the server that changes it.
type lab struct {
	t       *testing.T
	dir     string
	desk    revoke.Desk
	now     time.Time
	palace  map[string]string // text by id
	yes     session.Approvals
	calls   []string
	fails   int // the call that fails, from 1
	later   int // how many rows the next count finds behind those that it knew
	program string
}

func newLab(t *testing.T, palace map[string]string) *lab {
	l := &lab{t: t, dir: t.TempDir(), now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), palace: palace}
	l.program = filepath.Join(l.dir, "program")
	write(t, l.program, "#!/bin/sh\ncat >/dev/null; cat "+filepath.Join(l.dir,
		"answer")+"\n", 0o700)
	l.desk = revoke.Desk{
		Log: mempalace.Log{Path: filepath.Join(l.dir, "keepsake", "palace.json")}, Program: l.program,
		History:   mempalace.History{Dir: filepath.Join(l.dir, "history")},
		Dir:       filepath.Join(l.dir, "revoked"),
		Files:     []mempalace.File{{Path: l.database(), Kind: mempalace.Drawers}},
		Approvals: func(time.Time) (session.Approvals, error) { return l.yes, nil },
		Call:      l.call, Now: func() time.Time { return l.now },
		Settle: func(writes string, ids []string) error {
			l.approve("keepsake gate revoke", ids...)
			return nil
		},
		Note: func(format string, args ...any) { t.Errorf(format, args...) },
	}
	l.looks("s1", mempalace.Start)
	return l
}

func (l *lab) database() string { return filepath.Join(l.dir, "sqlite_exact.sqlite3") }

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// approve is a call that a person approved and that stored ids.
func (l *lab) approve(tool string, ids ...string) {
	l.yes = append(l.yes, approval.Outcome{Time: l.now, ID: "x", Checkpoint: "before_mempalace_write",
		Tool: tool, Result: approval.Stored, Stored: ids})
}

// holds makes the palace hold what the map has.
func (l *lab) holds() {
	l.t.Helper()
	c := mempalace.Count{Path: l.database(), Rows: int64(len(l.palace)), Max: int64(len(l.palace)),
		Later: int64(l.later)}
	var ids []string
	for id := range l.palace {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for i, id := range ids {
		c.Last = append(c.Last, mempalace.Row{Row: int64(i + 1), ID: id})
		c.Items = append(c.Items, mempalace.Item{ID: id, Wing: "shop", Room: "queue", Text: l.palace[id],
			Meta: json.RawMessage(`[{"source_file":"/gone/x.md","added_by":"mcp"}]`)})
	}
	c.Last = c.Last[max(0, len(c.Last)-mempalace.Newest):]
	b, err := json.Marshal([]mempalace.Count{c})
	if err != nil {
		l.t.Fatal(err)
	}
	write(l.t, filepath.Join(l.dir, "answer"), string(b), 0o600)
	write(l.t, l.database(), fmt.Sprint(l.palace), 0o600)
}

// looks is a look of a hook, with a snapshot.
func (l *lab) looks(s string, m mempalace.Moment) {
	l.t.Helper()
	l.now = l.now.Add(time.Minute)
	l.holds()
	_, _, err := l.desk.Log.Take(l.t.Context(), mempalace.Look{Files: l.desk.Files, Program: l.program,
		Session: s, Client: func() mempalace.Client { return mempalace.Client{PID: 1, Start: "1"} },
		Since: l.now.Add(-time.Minute), Moment: m, Now: l.now,
		Ended: func(mempalace.Client) bool { return false },
		Approved: func(since time.Time) (mempalace.Approved, bool, error) {
			return l.yes.Between(since, time.Time{}), false, nil
		}})
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.desk.List(l.t.Context()); err != nil { // takes the snapshot as the program would
		l.t.Fatal(err)
	}
}

func (l *lab) list() []revoke.Thing {
	l.t.Helper()
	l.holds()
	all, err := l.desk.List(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return all.Things
}

// call is the server. What goes must be in a file by then.
func (l *lab) call(_ context.Context, calls []tiers.PalaceCall) (done []tiers.PalaceDone, err error) {
	defer l.holds()
	for _, c := range calls {
		if l.calls = append(l.calls, c.Tool); len(l.calls) == l.fails {
			return done, errors.New("the server is gone")
		}
		id, _ := c.Args["drawer_id"].(string)
		text, _ := c.Args["content"].(string)
		switch c.Tool {
		case "delete_drawer":
			if files, _ := filepath.Glob(filepath.Join(l.desk.Dir, "*.json")); !slices.ContainsFunc(files,
				func(f string) bool {
					b, _ := os.ReadFile(f)
					return strings.Contains(string(b), l.palace[id])
				}) {
				l.t.Errorf("%s goes, and is in no file", id)
			}
			if _, is := l.palace[id]; !is {
				done = append(done, tiers.PalaceDone{Trouble: "Drawer not found: " + id})
				continue
			}
			delete(l.palace, id)
		case "add_drawer":
			if c.Args["source_file"] != nil {
				l.t.Error("with an absolute path a sync would take it away")
			}
			id = strings.ToLower(text[:2])
			l.palace[id] = text
		default:
			l.palace[id] = text
		}
		done = append(done, tiers.PalaceDone{IDs: []string{id}})
	}
	return done, nil
}

func (l *lab) says() string { return strings.TrimPrefix(fmt.Sprint(l.palace), "map") }

func ids(things []revoke.Thing) string {
	var all []string
	for _, t := range things {
		all = append(all, t.ID())
	}
	return strings.Join(all, " ")
}

func (l *lab) out(things []revoke.Thing) (file string) {
	l.t.Helper()
	l.now = l.now.Add(time.Second)
	file, failed, err := l.desk.Out(l.t.Context(), things)
	if err != nil || len(failed) > 0 {
		l.t.Errorf("failed %v, %v", failed, err)
	}
	return file
}

// A drawer that appeared, one that was edited and one that was taken away are taken back, and put back again.
func TestOutAndBack(t *testing.T) {
	l := newLab(t, map[string]string{"m1": "M1 at night", "l1": "L1 are blue", "n1": "N1"})
	l.palace["k1"], l.palace["m1"], l.palace["p1"] = "K1 is used", "M1 at noon", "P1 approved"
	delete(l.palace, "l1")
	l.approve("add_drawer", "p1")
	l.looks("s1", mempalace.Turn)
	edited := l.says()
	things := l.list()
	if got := ids(things); got != "k1 l1 m1" {
		t.Fatalf("listed %s", got)
	}
	file := l.out(things)
	const before = "[l1:L1 are blue m1:M1 at night n1:N1 p1:P1 approved]"
	if got := l.says(); got != before {
		t.Errorf("the palace says %s, want %s", got, before)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if got := ids(l.list()); got != "" {
		t.Errorf("listed again: %s", got)
	}
	l.looks("s1", mempalace.Turn)
	reported := func(what string) {
		t.Helper()
		// before the session, and what was taken back
		if found, err := l.desk.Log.Found(); err != nil || len(found) != 2 {
			t.Errorf("%s was reported as not approved: %+v, %v", what, found, err)
		}
	}
	reported("taking back")
	all, err := revoke.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if failed, err := l.desk.Back(t.Context(), all); err != nil || len(failed) > 0 {
		t.Fatal(failed, err)
	}
	if got := l.says(); got != edited {
		t.Errorf("the palace says %s, want %s", got, edited)
	}
	l.looks("s1", mempalace.Turn)
	reported("putting back")
	if got := ids(l.list()); got != "" {
		t.Errorf("what was put back is listed: %s", got)
	}
	called := len(l.calls)
	if failed, err := l.desk.Back(t.Context(), all); err != nil || len(failed) > 0 || len(l.calls) > called {
		t.Errorf("put back twice: failed %v, %v, %q", failed, err, l.calls[called:])
	}
}

// Cut off at any call, nothing is lost, and the same again takes the rest.
func TestOutIsCutOff(t *testing.T) {
	for fails := 1; fails <= 4; fails++ {
		l := newLab(t, map[string]string{"n1": "N1", "m1": "M1 old"})
		l.palace["a1"], l.palace["b1"], l.palace["c1"], l.palace["m1"] = "A1", "B1", "C1", "M1 new"
		l.looks("s1", mempalace.Turn)
		l.fails = fails
		things := l.list()
		if len(things) != 4 {
			t.Fatalf("listed %s", ids(things))
		}
		file, _, err := l.desk.Out(t.Context(), things)
		if err == nil || (file == "") != (fails == 1) {
			t.Fatalf("cut off at %d: file %q, %v", fails, file, err)
		}
		l.out(l.list())
		if got := l.says(); got != "[m1:M1 old n1:N1]" || len(l.list()) > 0 {
			t.Errorf("cut off at %d: the palace says %s", fails, got)
		}
		files, _ := filepath.Glob(filepath.Join(l.desk.Dir, "*.json"))
		slices.Sort(files)
		if all, err := revoke.Read(files[0]); err != nil || len(all) != 4 {
			t.Errorf("%d in the file, %v", len(all), err)
		}
	}
}

// What changed since the person saw it stays, and so does what the server does not take away.
func TestOutLeaves(t *testing.T) {
	l := newLab(t, map[string]string{"n1": "N1"})
	l.palace["a1"], l.palace["b1"] = "A1", "B1"
	l.looks("s1", mempalace.Turn)
	things := l.list()
	l.palace["a1"] = "A1 other"
	l.holds()
	call := l.desk.Call
	l.desk.Call = func(ctx context.Context, calls []tiers.PalaceCall) ([]tiers.PalaceDone, error) {
		return make([]tiers.PalaceDone, len(calls)), nil // another palace's server
	}
	file, failed, err := l.desk.Out(t.Context(), things)
	if left, _ := filepath.Glob(filepath.Join(l.desk.Dir, "*.json")); file != "" || len(left) > 0 {
		t.Errorf("a file of what is still there: %q, %q", file, left)
	}
	if err != nil || len(failed) != 2 || !strings.Contains(failed[0].Why, "since you saw it") ||
		!strings.Contains(failed[1].Why, "another palace") {
		t.Errorf("%v, %v", failed, err)
	}
	l.desk.Call = call
	l.out(l.list())
	if got := l.says(); got != "[n1:N1]" {
		t.Errorf("the palace says %s", got)
	}
}

// While one run changes a palace, no other does.
func TestOutIsAlone(t *testing.T) {
	l := newLab(t, map[string]string{"n1": "N1"})
	l.palace["a1"] = "A1"
	l.looks("s1", mempalace.Turn)
	things := l.list()
	over, stop := context.WithCancel(t.Context())
	stop() // a lock is tried once, then
	call, ran := l.desk.Call, false
	l.desk.Call = func(ctx context.Context, calls []tiers.PalaceCall) ([]tiers.PalaceDone, error) {
		ran = true
		if _, _, err := l.desk.Out(over, things); !errors.Is(err, disk.ErrLocked) {
			t.Errorf("another run takes out: %v", err)
		}
		if _, err := l.desk.Back(over, things); !errors.Is(err, disk.ErrLocked) {
			t.Errorf("another run puts back: %v", err)
		}
		return call(ctx, calls)
	}
	l.out(things)
	if got := l.says(); !ran || got != "[n1:N1]" {
		t.Errorf("the palace says %s", got)
	}
}

// Of many at once only the newest are named, and all are listed but those that were approved.
func TestListManyAtOnce(t *testing.T) {
	l := newLab(t, map[string]string{"a000": "N1"})
	for i := range 250 {
		l.palace[fmt.Sprintf("b%03d", i)] = "mined"
	}
	l.later = 250
	l.approve("add_drawer", "b010", "b240")
	l.looks("s1", mempalace.Turn)
	l.later = 0
	things := l.list()
	if got := ids(things); len(things) != 248 || strings.Contains(got, "a000") ||
		strings.Contains(got, "b010") || strings.Contains(got, "b240") || !strings.Contains(got, "b000") {
		t.Errorf("%d are listed: %s", len(things), got)
	}
}

// Whatever a text holds, its lines fit, say what goes, and write nothing else to the terminal.
func TestText(t *testing.T) {
	is := func(id, text string) *mempalace.Item {
		return &mempalace.Item{ID: id, Wing: "shop", Room: "queue", Text: text}
	}
	at := time.Date(2026, 11, 21, 9, 30, 0, 0, time.Local)
	got := revoke.Text([]revoke.Thing{
		{Kind: mempalace.Drawers, At: at,
			Is:    is("d1", "\x1b[2JIt is\n\u202egone "+strings.Repeat("and on ", 40)),
			Since: at.Add(-time.Hour), Session: "0123456789"},
		{Kind: mempalace.Drawers, Is: is("d2", strings.Repeat("same ", 30)+"noon"), At: at,
			Was: is("d2", strings.Repeat("same ", 30)+"night")},
		{Kind: mempalace.Facts, Was: is("t1", "shop uses Kafka"), At: at, Twice: true},
	}, false)
	for line := range strings.SplitSeq(got, "\n") {
		if len([]rune(line)) > 80 || strings.ContainsAny(line, "\x1b\u202e") {
			t.Errorf("%q", line)
		}
	}
	for _, want := range []string{"d1\n  appeared in shop/queue, 21 Nov 08:30 to 09:30, session 01234567\n",
		"d2\n  edited in place in shop/queue, 21 Nov 09:30\n  - …ame same same same noon\n  + …ame same",
		"  a fact, taken away", "another palace has something with this id"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
