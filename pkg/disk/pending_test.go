package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReplace: only the file that was there is replaced. It is kept until it is removed; another one stays.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	d, err := Hold(dir, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	prepare := func() *Pending {
		t.Helper()
		p, err := d.Prepare("file", ".file", []byte("new"), 0o600, time.Time{}, false)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := prepare()
	if old, err := p.Replace(nil); err != nil || old != "" || text(t, filepath.Join(dir, "file")) != "new" {
		t.Errorf("a new file: %q, %v", old, err)
	}
	was, err := d.Lstat("file")
	if err != nil {
		t.Fatal(err)
	}
	p = prepare()
	if _, err := p.Replace(nil); !errors.Is(err, ErrChanged) {
		t.Errorf("over a file that nobody expected: %v", err)
	}
	old, err := p.Replace(was)
	if err != nil || old == "" {
		t.Skipf("names can't be swapped here: %v", err)
	}
	if info, err := d.Lstat(old); err != nil || !info.SameFile(was) {
		t.Errorf("the old one: %v", err)
	}
	if err := d.Remove(old); err != nil || names(t, dir) != "file" {
		t.Errorf("%v, %s", err, names(t, dir))
	}
	p = prepare()
	if _, err := p.Replace(was); !errors.Is(err, ErrChanged) || p.Discard() != nil ||
		names(t, dir) != "file" {
		t.Errorf("another file: %v, %s", err, names(t, dir))
	}
}

// TestSwappedLate: a file that was replaced by another hand after the last look is put back.
func TestSwappedLate(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "old")
	d, err := Hold(dir, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	was, err := d.Lstat("file")
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Prepare("file", ".file", []byte("new"), 0o600, time.Time{}, false)
	if err != nil {
		t.Fatal(err)
	}
	lookedAt = func() {
		write(t, filepath.Join(dir, "other"), "theirs")
		if err := os.Rename(filepath.Join(dir, "other"), filepath.Join(dir, "file")); err != nil {
			t.Error(err)
		}
	}
	defer func() { lookedAt = func() {} }()
	if old, err := p.Replace(was); !errors.Is(err, ErrChanged) {
		t.Skipf("names can't be swapped here: %q, %v", old, err)
	}
	if got := text(t, filepath.Join(dir, "file")); got != "theirs" {
		t.Errorf("there is %q", got)
	}
	if p.Discard() != nil || names(t, dir) != "file" {
		t.Errorf("left: %s", names(t, dir))
	}
}

// TestHold: a folder that is held leads nowhere else when a link takes its place, and none is opened through
// one.
func TestHold(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	root := filepath.Join(dir, "a", "b")
	d, err := Hold(root, 2, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := errors.Join(os.Rename(root, root+"2"), os.Symlink(outside, root)); err != nil {
		t.Fatal(err)
	}
	if err := d.Write("file", ".file", []byte("x"), 0o600); err != nil || names(t, outside) != "" ||
		names(t, root+"2") != "file" {
		t.Errorf("%v, outside: %s", err, names(t, outside))
	}
	if _, err := Hold(root, 1, 0o755); err == nil {
		t.Error("opened through a link")
	}
	if err := os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := Hold(filepath.Join(dir, "link", "b2"), 2, 0); err == nil {
		t.Error("opened below a link")
	}
	if h, err := Hold(filepath.Join(dir, "link", "b2"), 1, 0); err != nil {
		t.Error(err)
	} else {
		h.Close()
	}
}
