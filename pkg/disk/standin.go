package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

// A stand-in is a file that is there as long as the lock is held, for file systems without locks. It says
// who holds it, so that what a killed process left is taken away: at once if that process ran on this
// machine, and after abandoned if it ran on another. Readers keep each other out like writers.
const (
	standSuffix = ".held"
	abandoned   = 5 * time.Minute  // gc of 100,000 records holds a lock for two
	cutShort    = 10 * time.Second // what it says is written right after it is made
)

// stand takes a stand-in and reports whether it was free.
func stand(path string) (bool, error) {
	host, err := os.Hostname()
	if err != nil {
		return false, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return false, clearStand(path, host)
	case err != nil:
		return false, err
	}
	_, err = fmt.Fprintf(f, "%d %s\n", os.Getpid(), host)
	if err = errors.Join(err, f.Close()); err != nil {
		return false, errors.Join(err, os.Remove(path))
	}
	return true, nil
}

// clearStand takes away the stand-in of a process that is gone. Of several that find it, one moves it aside;
// if that was a younger one, taken meanwhile, it is put back.
func clearStand(path, host string) error {
	before, gone, err := standOver(path, host)
	if err != nil || !gone {
		return err
	}
	aside := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.Rename(path, aside); err != nil {
		return ignoreGone(err)
	}
	now, err := os.Stat(aside)
	if err == nil && !os.SameFile(before, now) {
		_ = os.Link(aside, path) // fails where somebody else has it by now: two then work side by side
	}
	return errors.Join(ignoreGone(err), os.Remove(aside))
}

// standOver reports whether whoever holds a stand-in is gone.
func standOver(path, host string) (fs.FileInfo, bool, error) {
	b, info, err := ReadInfo(path, 1<<10)
	if err != nil {
		return nil, false, ignoreGone(err)
	}
	var pid int
	var holder string
	age := time.Since(info.ModTime())
	switch _, err := fmt.Sscan(strings.TrimSpace(string(b)), &pid, &holder); {
	case err != nil:
		return info, age > cutShort, nil
	case holder != host:
		return info, age > abandoned, nil
	}
	return info, errors.Is(syscall.Kill(pid, 0), syscall.ESRCH), nil
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
