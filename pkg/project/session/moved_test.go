package session

import (
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// TestFollowMove: what is known of a project goes where its folder goes, and nowhere else.
func TestFollowMove(t *testing.T) {
	top := t.TempDir()
	t.Setenv("HOME", filepath.Join(top, "home"))
	at := func(name string) *Session {
		t.Helper()
		s, err := In(filepath.Join(top, name), "s1")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	follow := func(name string, begin bool, want string) *Session {
		t.Helper()
		s := at(name)
		from, err := s.FollowMove(begin)
		if want != "" {
			want = filepath.Join(top, want)
		}
		if err != nil || from != want {
			t.Fatalf("%s: from %q, %v; want %q", name, from, err, want)
		}
		return s
	}
	mkdir := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(top, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(top, from), filepath.Join(top, to)); err != nil {
			t.Fatal(err)
		}
	}
	put := func(s *Session, path, text string) {
		t.Helper()
		path = filepath.Join(string(s.state()), path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	has := func(s *Session, path, want string) {
		t.Helper()
		b, _ := os.ReadFile(filepath.Join(string(s.state()), path))
		if string(b) != want {
			t.Errorf("%s: %q, want %q", path, b, want)
		}
	}

	mkdir("shop")
	if disk.Identity(filepath.Join(top, "shop")) == "" {
		t.Skip("this file system does not say when a folder was made")
	}
	if shop := follow("shop", false, ""); !absent(string(shop.state())) {
		t.Error("a look made a state")
	}
	shop := follow("shop", true, "")
	put(shop, "guards.json", "armed")
	put(shop, "log/one.jsonl", "one")
	put(shop, "log/both.jsonl", "old")

	mkdir("copy") // has the same files and is another folder
	has(follow("copy", true, ""), "guards.json", "")
	has(shop, "guards.json", "armed")

	move("shop", "store")
	mkdir("shop") // there is a folder of the old name again: nobody knows whose the state is
	has(follow("store", false, ""), "guards.json", "")
	if err := os.Remove(filepath.Join(top, "shop")); err != nil {
		t.Fatal(err)
	}
	store := at("store")
	put(store, "log/two.jsonl", "two") // some call wrote there before
	put(store, "log/both.jsonl", "new")
	store = follow("store", false, "shop")
	has(store, "guards.json", "armed")
	has(store, "log/one.jsonl", "one")
	has(store, "log/two.jsonl", "two")
	has(store, "log/both.jsonl", "new") // what both have is lost in neither
	has(shop, "log/both.jsonl", "old")
	if !absent(shop.state().Folder()) {
		t.Error("the old state is still followed")
	}
	if err := os.RemoveAll(string(shop.state())); err != nil {
		t.Fatal(err)
	}
	follow("store", false, "")

	// Who was interrupted goes on: what says whose folder it was is the last that goes.
	move("store", "shop")
	shop = at("shop")
	put(shop, "guards.json", "armed")
	if err := os.Remove(filepath.Join(string(store.state()), "guards.json")); err != nil {
		t.Fatal(err)
	}
	shop = follow("shop", true, "store")
	if !absent(string(store.state())) {
		t.Error("nothing is left of the old state, and it is still there")
	}
	has(shop, "guards.json", "armed")
	has(shop, "log/one.jsonl", "one")

	// A state of an earlier version says of no folder, and a broken one of none either.
	move("shop", "store")
	put(shop, filepath.Base(layout.State("x").Folder()), "{")
	has(follow("store", true, ""), "guards.json", "")
}
