package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() { children["eio"] = onBadDisk }

// TestBadDisk reads and saves where a record gives a real EIO: the child process mounts /proc/self/mem, whose
// beginning nobody can read, over it. Where that is not allowed the test is skipped.
func TestBadDisk(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{})
	apply(t, s, create(preference("a", 0)), create(preference("b", 0)))
	before := tree(t, root)["preferences/a.json"]
	cmd := child(t, "eio", root)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.Output()
	if err != nil && len(out) == 0 || strings.HasPrefix(string(out), "skip ") {
		t.Skipf("cannot mount here: %v %s", err, out)
	}
	if err != nil || string(out) != "ok" {
		t.Errorf("%v:\n%s", err, out)
	}
	if got := tree(t, root)["preferences/a.json"]; got != before {
		t.Errorf("the record that could not be read has changed:\n%s", got)
	}
	// Once the disk can be read again, nothing derived is missing.
	s = Open(root, Options{Derive: titles, Cache: filepath.Join(filepath.Dir(root), "x.idx")})
	if b, err := indexed(s); err != nil || !bytes.Equal(b, titlesOf(load(t, s).Records)) {
		t.Errorf("search file %q, %v", b, err)
	}
}

// onBadDisk prints "ok", "skip" and why, or what went wrong.
func onBadDisk(root string) {
	s := Open(root, Options{Derive: titles, Cache: filepath.Join(filepath.Dir(root), "x.idx")})
	was, err := s.Read("preferences/a.json")
	if err == nil {
		err = syscall.Mount("/proc/self/mem", s.file("preferences/a.json"), "", syscall.MS_BIND, "")
	}
	if err != nil {
		fmt.Print("skip ", err)
		return
	}
	check := func(what string, ok bool, v ...any) {
		if !ok {
			fmt.Println(append([]any{what}, v...)...)
			os.Exit(1)
		}
	}
	_, err = s.Read("preferences/a.json")
	check("read", errors.Is(err, syscall.EIO) && strings.Contains(err.Error(), "preferences/a.json"), err)
	l, err := s.Load()
	check("load", err == nil && summary(l) == "preferences/b.json=0 bad preferences/a.json", summary(l), err)
	err = s.Apply(background, planOf(update(was, preference("a", 1))))
	check("update", errors.Is(err, syscall.EIO) && strings.Contains(err.Error(), "preferences/a.json") &&
		!s.inUse(), err)
	err = s.Apply(background, planOf(create(preference("a", 1))))
	check("create", errors.Is(err, ErrExists) && errors.Is(err, syscall.EIO), err)
	err = s.Apply(background, planOf(create(preference("c", 0))))
	check("another record", err == nil, err)
	b, err := indexed(s)
	check("index", err == nil && strings.Count(string(b), "\n") == 2, string(b), err)
	fmt.Print("ok")
}
