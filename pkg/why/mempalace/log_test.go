package mempalace_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/why/mempalace"
)

// lab is a palace with one database, and a program that counts what it is told to.
type lab struct {
	t    *testing.T
	dir  string
	log  mempalace.Log
	now  time.Time
	yes  mempalace.Approved
	runs bool // an approved call may still be running
	dead map[mempalace.Client]bool
}

func newLab(t *testing.T) *lab {
	dir := t.TempDir()
	l := &lab{t: t, dir: dir, log: mempalace.Log{Path: filepath.Join(dir, "keepsake", "palace.json")},
		now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), dead: map[mempalace.Client]bool{}}
	l.program("cat >/dev/null; cat " + filepath.Join(dir, "answer"))
	return l
}

func (l *lab) program(line string) {
	l.t.Helper()
	write(l.t, filepath.Join(l.dir, "program"), "#!/bin/sh\n"+line+"\n", 0o700)
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func (l *lab) database() string {
	return filepath.Join(l.dir, ".mempalace", "palace", "chroma.sqlite3")
}

// holds makes the database hold n drawers, d1 to dn.
func (l *lab) holds(n int) {
	l.t.Helper()
	c := mempalace.Count{Path: l.database(), Rows: int64(n), Max: int64(n)}
	for i := range n {
		c.Last = append(c.Last, mempalace.Row{Row: int64(i + 1), ID: fmt.Sprintf("d%d", i+1)})
	}
	b, err := json.Marshal([]mempalace.Count{c})
	if err != nil {
		l.t.Fatal(err)
	}
	write(l.t, filepath.Join(l.dir, "answer"), string(b), 0o600)
	write(l.t, l.database(), strings.Repeat("x", 100+n), 0o600)
}

// looks takes a look and returns in short what is told and what was found.
func (l *lab) looks(session string, m mempalace.Moment, since time.Time) (tell, found string) {
	l.t.Helper()
	told, new, err := l.tries(session, m, since)
	if err != nil {
		l.t.Error(err)
	}
	return short(told), short(new)
}

func (l *lab) tries(session string, m mempalace.Moment, since time.Time) (told, found []mempalace.Finding,
	err error) {
	l.now = l.now.Add(time.Minute)
	return l.log.Take(l.t.Context(), mempalace.Look{
		Files:   mempalace.Files([]string{filepath.Join(l.dir, ".mempalace")}),
		Program: filepath.Join(l.dir, "program"),
		Session: session, Client: func() mempalace.Client {
			return client(session)
		}, Since: since, Moment: m, Now: l.now,
		Ended:    func(c mempalace.Client) bool { return l.dead[c] },
		Approved: func(time.Time) (mempalace.Approved, bool, error) { return l.yes, l.runs, nil },
	})
}

func client(session string) mempalace.Client {
	return mempalace.Client{PID: int(session[0]), Start: "1"}
}

func short(all []mempalace.Finding) string {
	var out []string
	for _, f := range all {
		s := strings.Join(f.IDs, "+")
		if f.Gone > 0 {
			s += fmt.Sprintf("-%d", f.Gone)
		}
		if f.Away {
			s += " away"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func (l *lab) want(session string, m mempalace.Moment, tell, found string) {
	l.t.Helper()
	if gotTell, gotFound := l.looks(session, m, time.Time{}); gotTell != tell || gotFound != found {
		l.t.Errorf("told %q, found %q; want %q and %q", gotTell, gotFound, tell, found)
	}
}

func TestOneSession(t *testing.T) {
	l := newLab(t)
	l.holds(3)
	l.want("a", mempalace.Start, "", "") // what was there before is no finding
	l.want("a", mempalace.Turn, "", "")
	l.holds(5)
	l.want("a", mempalace.Turn, "d4+d5", "d4+d5")
	l.want("a", mempalace.Turn, "", "") // once
	l.holds(6)
	l.yes.IDs = []string{"d6"}
	l.want("a", mempalace.Turn, "", "")
	l.holds(4)
	l.want("a", mempalace.Turn, "-2", "-2")
	l.holds(5)
	l.want("a", mempalace.End, "", "d5") // nobody listens at the end
	l.want("b", mempalace.Start, "", "")
	l.want("b", mempalace.Turn, "d5", "")
	kept, err := l.log.Found()
	if err != nil || short(kept) != "d4+d5, -2, d5" {
		t.Errorf("kept %q, %v", short(kept), err)
	}
}

// What appears while no session is open is the person's own doing.
func TestBetweenSessions(t *testing.T) {
	l := newLab(t)
	l.holds(1)
	l.want("a", mempalace.Start, "", "")
	l.want("a", mempalace.End, "", "")
	l.holds(2)
	l.want("b", mempalace.Start, "", "d2 away")
	l.want("b", mempalace.Turn, "", "")
	// While another session is open, it may be that session's doing.
	l.holds(3)
	l.want("c", mempalace.Start, "", "d3")
	l.want("c", mempalace.Turn, "d3", "")
	// A session whose client died counts as open until the next look.
	l.dead[client("b")], l.dead[client("c")] = true, true
	l.holds(4)
	l.want("d", mempalace.Start, "", "d4")
	l.want("d", mempalace.End, "", "")
	l.holds(5)
	l.want("e", mempalace.Start, "", "d5 away")
}

// A palace that appears during the session was empty before.
func TestPalaceAppears(t *testing.T) {
	l := newLab(t)
	began := l.now
	l.want("a", mempalace.Start, "", "")
	if _, err := os.Stat(filepath.Dir(l.log.Path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written where no palace is: %v", err)
	}
	l.holds(2)
	if tell, _ := l.looks("a", mempalace.Turn, began); tell != "d1+d2" {
		t.Errorf("told %q", tell)
	}
	// A palace that vanishes held something.
	if err := os.Remove(l.database()); err != nil {
		t.Fatal(err)
	}
	l.want("a", mempalace.Turn, "-2", "-2")
	l.want("a", mempalace.Turn, "", "")
}

// A call that is still running is given one look to get recorded.
func TestGrace(t *testing.T) {
	l := newLab(t)
	l.holds(1)
	l.want("a", mempalace.Start, "", "")
	l.holds(2)
	l.runs = true
	l.want("a", mempalace.Turn, "", "")
	l.yes.IDs = []string{"d2"}
	l.want("a", mempalace.Turn, "", "")
	l.holds(3)
	l.want("a", mempalace.Turn, "", "")
	l.want("a", mempalace.Turn, "d3", "d3")
}

// So is one that makes the palace; everything else that appears is found all the same.
func TestGraceOfTheFirst(t *testing.T) {
	l := newLab(t)
	started := l.now
	l.want("a", mempalace.Start, "", "")
	l.holds(1)
	l.runs = true
	if tell, found := l.looks("a", mempalace.Turn, started); tell != "" || found != "" {
		t.Errorf("while it runs: told %q, found %q", tell, found)
	}
	l.runs, l.yes.IDs = false, []string{"d1"}
	l.holds(2)
	if tell, found := l.looks("a", mempalace.Turn, started); tell != "d2" || found != "d2" {
		t.Errorf("told %q, found %q, want d2", tell, found)
	}
}

func TestTrouble(t *testing.T) {
	l := newLab(t)
	l.holds(1)
	l.want("a", mempalace.Start, "", "")
	for name, program := range map[string]string{
		"fails": "echo no >&2; exit 1",
		"talks": "cat >/dev/null; echo hello",
		"can't count": `cat >/dev/null; echo '[{"path":"` + l.database() +
			`","error":"database is locked"}]'`,
	} {
		t.Run(name, func(t *testing.T) {
			l.t = t
			l.holds(2)
			l.program(program)
			if _, found, err := l.tries("a", mempalace.Turn, time.Time{}); err == nil ||
				!strings.Contains(err.Error(), l.database()) || len(found) > 0 {
				t.Errorf("found %v, error %v", found, err)
			}
			l.want("a", mempalace.Turn, "", "") // told once, until it changes
			write(t, l.database(), strings.Repeat("y", 200), 0o600)
			if _, _, err := l.tries("a", mempalace.Turn, time.Time{}); err != nil {
				t.Errorf("the same trouble was told twice: %v", err)
			}
			l.program("cat >/dev/null; cat " + filepath.Join(l.dir, "answer"))
			l.holds(1)
			l.want("a", mempalace.Turn, "", "") // repaired, and as it was before
		})
	}
}

func TestDeadline(t *testing.T) {
	l := newLab(t)
	l.holds(1)
	l.program("exec sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := mempalace.Run(ctx, filepath.Join(l.dir, "program"),
		[]mempalace.Ask{{Path: l.database(), Kind: mempalace.Drawers}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the deadline", err)
	}
}

// A broken record is reported and begun anew, without alarm. One of a newer version is left alone.
func TestBrokenRecord(t *testing.T) {
	l := newLab(t)
	l.holds(3)
	write(t, l.log.Path, "{", 0o600)
	if told, found, err := l.tries("a", mempalace.Turn, l.now); err == nil || len(told)+len(found) > 0 {
		t.Errorf("told %v, found %v, error %v", told, found, err)
	}
	l.holds(4)
	l.want("a", mempalace.Turn, "d4", "d4")
	newer := `{"version":2,"files":[]}`
	write(t, l.log.Path, newer, 0o600)
	l.want("a", mempalace.Turn, "", "")
	if b, err := os.ReadFile(l.log.Path); err != nil || string(b) != newer {
		t.Errorf("the newer record is now %q, %v", b, err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".mempalace/tunnels.json", ".mempalace/knowledge_graph.sqlite3",
		".mempalace/palace/chroma.sqlite3", ".mempalace/palace/other.sqlite3",
		"mine/data/sqlite_exact.sqlite3", "mine/tunnels.json"} {
		write(t, filepath.Join(dir, name), "x", 0o600)
	}
	if err := os.Symlink(filepath.Join(dir, ".mempalace"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range mempalace.Files([]string{filepath.Join(dir, ".mempalace"), filepath.Join(dir, "link"),
		filepath.Join(dir, ".mempalace", "palace"), filepath.Join(dir, "mine", "data"),
		filepath.Join(dir, "none")}) {
		rel, err := filepath.Rel(dir, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(f.Kind)+" "+rel)
	}
	want := "fact .mempalace/knowledge_graph.sqlite3; tunnel .mempalace/tunnels.json; drawer " +
		".mempalace/palace/chroma.sqlite3; drawer mine/data/sqlite_exact.sqlite3; tunnel mine/tunnels.json"
	if strings.Join(got, "; ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), want)
	}
}
