package mempalace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/why/mempalace"
)

// shelf is a folder of own drawers that one session looks at.
type shelf struct {
	*lab
	root  string
	looks int
}

func newShelf(t *testing.T) *shelf {
	l := newLab(t)
	l.program("exit 1") // it must not run
	return &shelf{lab: l, root: filepath.Join(l.dir, "drawers")}
}

// put writes files below the folder and sets its time forward, so that no change is young.
func (s *shelf) put(names ...string) {
	s.t.Helper()
	for _, name := range names {
		write(s.t, filepath.Join(s.root, name), "x", 0o600)
	}
	s.settle()
}

func (s *shelf) settle() {
	s.t.Helper()
	s.looks++
	at := time.Now().Add(time.Duration(s.looks-1000) * time.Second)
	if err := filepath.WalkDir(s.root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chtimes(path, at, at)
		}
		return err
	}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) take(m mempalace.Moment, since time.Time) (tell, found []mempalace.Finding) {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	tell, found, err := s.log.Take(s.t.Context(), mempalace.Look{
		Files:   mempalace.OwnFolders([]string{s.root, filepath.Join(s.dir, "none")}),
		Program: filepath.Join(s.dir, "program"),
		Session: "a", Client: func() mempalace.Client {
			return client("a")
		}, Since: since, Moment: m, Now: s.now,
		Ended:    func(mempalace.Client) bool { return false },
		Approved: func(time.Time) (mempalace.Approved, bool, error) { return s.yes, s.runs, nil },
	})
	if err != nil {
		s.t.Error(err)
	}
	return tell, found
}

func (s *shelf) turn(want string) {
	s.t.Helper()
	if tell, _ := s.take(mempalace.Turn, time.Time{}); short(tell) != want {
		s.t.Errorf("told %q, want %q", short(tell), want)
	}
}

func TestOwnDrawers(t *testing.T) {
	s := newShelf(t)
	s.put("shop/decisions/one-1.md", ".lock", "shop/.hidden/no.md", "shop/decisions/.one.md123",
		"shop/decisions/notes.txt", "shop/too-high.md", "shop/a/b/too-deep.md")
	s.take(mempalace.Start, time.Time{})
	s.turn("") // what was there before is no finding
	s.put("shop/decisions/two-2.md", "bank/http/three-3.md", "bank/http/.swp.md")
	s.turn("three-3+two-2")
	s.turn("") // once
	s.yes.IDs = []string{"four-4"}
	s.put("shop/decisions/four-4.md")
	s.turn("") // approved
	s.put("bank/http/four-4.md", "bank/http/four-4_chunk_1.md")
	s.turn("bank/http/four-4+bank/http/four-4_chunk_1") // an approval is for one drawer
	if err := os.RemoveAll(filepath.Join(s.root, "bank")); err != nil {
		t.Fatal(err)
	}
	s.settle()
	s.turn("-3")
	s.yes.Removes = true
	if err := os.Remove(filepath.Join(s.root, "shop/decisions/two-2.md")); err != nil {
		t.Fatal(err)
	}
	s.settle()
	s.turn("")
	s.yes = mempalace.Approved{}
	s.runs = true // a running promotion is given one look
	s.put("shop/decisions/five-5.md")
	s.turn("")
	s.turn("five-5")

	later := func() []mempalace.Finding {
		t.Helper()
		asks := s.log.Asks(mempalace.OwnFolders([]string{s.root}))
		counts, err := mempalace.Run(t.Context(), filepath.Join(s.dir, "program"), asks)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.log.Later(asks, counts, func(time.Time) (mempalace.Approved, error) {
			return s.yes, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	s.put("shop/decisions/six-6.md")
	if got := later(); short(got) != "six-6" {
		t.Errorf("doctor finds %q", short(got))
	}
	s.yes.IDs = []string{"six-6"}
	if got := later(); len(got) != 0 {
		t.Errorf("doctor finds %q, which is approved", short(got))
	}
	if err := os.RemoveAll(s.root); err != nil {
		t.Fatal(err)
	}
	s.turn("-3")
}

// A folder that appears during the session was empty before. A folder with a young change is listed again.
func TestOwnDrawersAppear(t *testing.T) {
	s := newShelf(t)
	began := s.now
	s.take(mempalace.Start, time.Time{})
	if _, err := os.Stat(s.log.Path); err == nil {
		t.Error("something was written where there are no drawers")
	}
	for i := range 130 {
		write(t, filepath.Join(s.root, "shop", "decisions", fmt.Sprintf("drawer-%03d.md", i)), "x", 0o600)
	}
	tell, _ := s.take(mempalace.Turn, began)
	if len(tell) != 1 || len(tell[0].IDs) != mempalace.Newest || tell[0].More != 30 ||
		tell[0].IDs[0] != "drawer-000" || tell[0].Kind != mempalace.Own {
		t.Errorf("told %+v", tell)
	}
	now := time.Now().Add(time.Hour) // a clock that stands still
	room := filepath.Join(s.root, "shop", "decisions")
	for i := range 3 {
		if err := os.Chtimes(room, now, now); err != nil {
			t.Fatal(err)
		}
		s.turn([]string{"", "new-1", "new-2"}[i])
		write(t, filepath.Join(room, fmt.Sprintf("new-%d.md", i+1)), "x", 0o600)
	}
}

// A folder that cannot be listed in time gives an error once, and no alarm.
func TestOwnDrawersTrouble(t *testing.T) {
	s := newShelf(t)
	s.put("shop/decisions/one-1.md")
	s.take(mempalace.Start, time.Time{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	counts, err := mempalace.Run(ctx, filepath.Join(s.dir, "program"),
		s.log.Asks(mempalace.OwnFolders([]string{s.root})))
	if err != nil || counts[s.root].Error != context.Canceled.Error() {
		t.Errorf("counted %+v, %v", counts, err)
	}
	if found, err := s.log.Later(s.log.Asks(mempalace.OwnFolders([]string{s.root})), counts,
		nil); err != nil ||
		len(found) > 0 {
		t.Errorf("found %v, %v", found, err)
	}
}

// Links to drawers are not followed, and a folder with several names is counted once.
func TestOwnFolders(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "home", "drawers")
	if err := os.MkdirAll(real, 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"drawers": real, "home2": filepath.Join(dir, "home")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	got := mempalace.OwnFolders([]string{filepath.Join(dir, "drawers"), real,
		filepath.Join(dir, "home2", "drawers"), filepath.Join(dir, "none")})
	if want := []mempalace.File{{Path: real, Kind: mempalace.Own}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
