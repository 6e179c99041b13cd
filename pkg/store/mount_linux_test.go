package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() { children["mounts"] = onSmallDisks }

// TestSmallDisks saves on a full disk and on a read-only one. They are real file systems in memory, which a
// child process mounts for itself alone. Where that is not allowed the test is skipped, and only TestDiskFull
// is left.
func TestSmallDisks(t *testing.T) {
	cmd := child(t, "mounts", t.TempDir())
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
}

// onSmallDisks prints "ok", "skip" and why, or what went wrong.
func onSmallDisks(dir string) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
		fmt.Print("skip ", err)
		return
	}
	root := filepath.Join(dir, "memory")
	s := Open(root, Options{Derive: titles, Cache: filepath.Join(dir, "cache", "x.idx")})
	check := func(what string, ok bool, v ...any) {
		if !ok {
			fmt.Println(append([]any{what}, v...)...)
			os.Exit(1)
		}
	}
	err := s.Apply(background, planOf(create(preference("a", 0)), create(preference("big", 20_000))))
	check("first save", err == nil, err)
	was, err := s.Read("preferences/a.json")
	check("read", err == nil, err)

	// 128 KB hold one copy of 60 KB beside what is there, but not the log too.
	for _, size := range []int{200_000, 60_000} {
		err = s.Apply(background, planOf(create(preference("b", 1)), update(was, preference("a", size))))
		check("full: error", errors.Is(err, syscall.ENOSPC) && strings.Contains(err.Error(), root), err)
		check("full: not unfinished", !errors.Is(err, ErrUnfinished), err)
		l, err := s.Load()
		check("full: content", err == nil && summary(l) == "preferences/a.json=0 preferences/big.json=20000",
			summary(l), err)
		check("full: log", !s.inUse())
	}
	_, err = indexed(s)
	check("index", err == nil, err)

	// A plan that was cut short on a disk that has become read-only.
	stopping := Open(root, Options{})
	stopping.step = func(step string) error {
		if step == "file 1" {
			return errStopped
		}
		return nil
	}
	err = stopping.Apply(background, planOf(create(preference("b", 1)), update(was, preference("a", 1))))
	check("cut short", errors.Is(err, ErrUnfinished), err)
	err = syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	if err != nil {
		fmt.Print("skip ", err)
		return
	}
	err = s.Apply(background, planOf(create(preference("c", 1))))
	check("read-only: error", errors.Is(err, syscall.EROFS) && strings.Contains(err.Error(), root), err)
	l, err := s.Load()
	check("read-only: Load", err == nil, err)
	check("read-only: the plan is seen whole",
		strings.HasPrefix(summary(l), "preferences/a.json=1 preferences/b.json=1 preferences/big.json=20000"),
		summary(l))
	b, err := indexed(s)
	check("read-only: Index", err == nil && strings.Count(string(b), "\n") == 3, string(b), err)
	err = Open(filepath.Join(dir, "fresh"), Options{}).Apply(background, planOf(create(preference("c", 1))))
	check("read-only: fresh", errors.Is(err, syscall.EROFS) &&
		strings.Contains(err.Error(), filepath.Join(dir, "fresh")), err)
	fmt.Print("ok")
}
