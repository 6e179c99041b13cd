package disk

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// names returns what is in a directory, joined by spaces.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

// TestRead: only regular files are read, and nothing blocks. A read that does
// block fails the test by its time limit.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("file"), "12345")
	write(t, at("empty"), "")
	for _, err := range []error{
		os.Symlink(at("file"), at("link")), os.Symlink(at("none"), at("dangling")),
		os.Mkdir(at("dir"), 0o700),
		syscall.Mkfifo(at("pipe"), 0o600), os.Symlink("/dev/zero", at("device link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path  string
		limit int64
		want  string
		err   error
	}{
		{at("file"), 5, "12345", nil},
		{at("file"), 4, "", ErrTooLarge},
		{at("empty"), 0, "", nil},
		{at("link"), 5, "", ErrNotRegular},
		{at("dangling"), 5, "", ErrNotRegular},
		{at("dir"), 5, "", ErrNotRegular},
		{at("pipe"), 5, "", ErrNotRegular},
		{at("device link"), 5, "", ErrNotRegular},
		{"/dev/zero", 5, "", ErrNotRegular},
		{at("none"), 5, "", fs.ErrNotExist},
		{at("file/below"), 5, "", syscall.ENOTDIR},
	} {
		got, err := Read(tt.path, tt.limit)
		if string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("Read(%s, %d) = %q, %v; want %q, %v", tt.path, tt.limit, got, err, tt.want, tt.err)
		}
		if err != nil && !strings.Contains(err.Error(), tt.path) {
			t.Errorf("%v does not name the path", err)
		}
	}
}

// TestReadGrowing reads a file that claims to be empty and is not, like those in /proc. It could be endless.
func TestReadGrowing(t *testing.T) {
	const proc = "/proc/self/maps"
	if _, err := os.Stat(proc); err != nil {
		t.Skip("there is no /proc here")
	}
	if b, err := Read(proc, 1<<20); err != nil || len(b) < 100 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if _, err := Read(proc, 100); !errors.Is(err, ErrTooLarge) {
		t.Errorf("over the limit: %v", err)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	for _, tt := range []struct {
		before, perm, want fs.FileMode
	}{
		{0, 0o666, 0o644},     // new: less the umask
		{0, 0o600, 0o600},     //
		{0o600, 0o644, 0o600}, // a file that was tightened stays so
		{0o666, 0o644, 0o644}, // a file that is too open is tightened
		{0o644, 0o600, 0o600}, //
	} {
		os.Remove(path)
		if tt.before != 0 {
			write(t, path, "before")
			if err := os.Chmod(path, tt.before); err != nil {
				t.Fatal(err)
			}
		}
		if err := Write(path, []byte("after"), tt.perm); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(path)
		if err != nil || text(t, path) != "after" || info.Mode().Perm() != tt.want {
			t.Errorf("%+v: mode %v, %v", tt, info.Mode(), err)
		}
	}
	// A link is replaced, not followed.
	target := write(t, filepath.Join(dir, "target"), "mine")
	os.Remove(path)
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("after"), 0o600); err != nil || text(t, target) != "mine" ||
		text(t, path) != "after" {
		t.Errorf("through a link: %v, the target says %q", err, text(t, target))
	}
	if got := names(t, dir); got != "file target" {
		t.Errorf("left behind: %s", got)
	}
}

// TestWriteFails: an error names the path, the old content stays and nothing is
// left behind.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "old")
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(sub, "child"), "x")
	for _, path := range []string{filepath.Join(file, "below"), filepath.Join(dir, "none", "file"), sub} {
		err := Write(path, []byte("new"), 0o600)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want an error that names it", path, err)
		}
	}
	if got := names(t, dir); got != "file sub" || text(t, file) != "old" {
		t.Errorf("after failures: %s, %q", got, text(t, file))
	}
}

// TestDiskFull runs out of space in the middle of a write. A limit on the size of files stands in for a full
// disk: the kernel refuses the bytes in the same place, with EFBIG instead of ENOSPC. It needs a process of
// its own.
func TestDiskFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if os.Getenv("DISK_FULL") != "" {
		path = os.Getenv("DISK_FULL")
		// Without this the kernel ends the process instead of the write.
		signal.Ignore(syscall.SIGXFSZ)
		limit := syscall.Rlimit{Cur: 4096, Max: 4096}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, bytes.Repeat([]byte("x"), 10000), 0o600); err != nil {
			os.Stderr.WriteString("FULL " + err.Error())
			os.Exit(3)
		}
		os.Exit(0)
	}
	write(t, path, "old")
	cmd := exec.Command(os.Args[0], "-test.run=^TestDiskFull$")
	cmd.Env = append(os.Environ(), "DISK_FULL="+path)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "FULL write "+path+":") {
		t.Errorf("got %v: %s; want an error that names %s", err, out, path)
	}
	if text(t, path) != "old" || names(t, filepath.Dir(path)) != "file" {
		t.Errorf("after it: %q, %s", text(t, path), names(t, filepath.Dir(path)))
	}
}

func TestPrepare(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "file"), "old")
	d, err := Hold(dir, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p, err := d.Prepare("file", ".file", []byte("new"), 0o600, time.Time{}, false)
	if err != nil {
		t.Fatal(err)
	}
	if text(t, path) != "old" {
		t.Error("it is in place before Commit")
	}
	if err := p.Discard(); err != nil || names(t, dir) != "file" || text(t, path) != "old" {
		t.Errorf("discarded: %v, %s", err, names(t, dir))
	}
	if p, err = d.Prepare("file", ".file", []byte("new"), 0o600, time.Time{}, true); err != nil {
		t.Fatal(err)
	}
	if err := p.Sync(); err != nil {
		t.Error(err)
	}
	err = SyncFolders([]*Folder{d, d})
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	if err := p.Commit(); err != nil || text(t, path) != "new" {
		t.Errorf("committed: %v, %q", err, text(t, path))
	}
	if err := p.Discard(); err != nil || text(t, path) != "new" {
		t.Errorf("discarded after Commit: %v, %q", err, text(t, path))
	}

	// Something is at its path: both stay until it is discarded.
	if p, err = d.Prepare("file", ".file", []byte("newest"), 0o600, time.Time{}, false); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "full"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(); err == nil || !strings.Contains(err.Error(), "write "+path+": ") {
		t.Errorf("a folder in its place: %v", err)
	}
	if err := p.Discard(); err != nil || names(t, dir) != "file" {
		t.Errorf("discarded: %v, %s", err, names(t, dir))
	}
}

func TestRename(t *testing.T) {
	dir := t.TempDir()
	a, b := write(t, filepath.Join(dir, "a"), "a"), write(t, filepath.Join(dir, "b"), "b")
	if err := Rename(a, b); !errors.Is(err, fs.ErrExist) || text(t, b) != "b" {
		t.Errorf("over a file: %v", err)
	}
	if err := Rename(a, filepath.Join(dir, "c")); err != nil || names(t, dir) != "b c" {
		t.Errorf("%v, %s", err, names(t, dir))
	}
}

func TestMakeDir(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b", "c")
	for range 2 {
		if err := MakeDir(deep, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(filepath.Dir(deep)); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info, err)
	}
	file := write(t, filepath.Join(dir, "file"), "")
	for _, path := range []string{file, filepath.Join(file, "below")} {
		if err := MakeDir(path, 0o700); !errors.Is(err, syscall.ENOTDIR) ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestPrivate(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := Private(at("new/deep")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at("open"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Private(at("open")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"new", "new/deep", "open"} {
		if info, err := os.Stat(at(name)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if err := os.Symlink(at("open"), at("link")); err != nil {
		t.Fatal(err)
	}
	write(t, at("file"), "")
	for _, name := range []string{"link", "file"} {
		if err := Private(at(name)); err == nil || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.Mkdir(at("theirs"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(at("theirs"), 12345, 12345); err != nil {
			t.Skip(err)
		}
		if err := Private(at("theirs")); !errors.Is(err, ErrNotPrivate) {
			t.Errorf("somebody else's: got %v", err)
		}
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	background := context.Background()
	short := func() context.Context {
		ctx, cancel := context.WithTimeout(background, 20*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	l, err := Exclusive(short(), path)
	if err != nil {
		t.Fatal(err)
	}
	for name, lock := range map[string]func(context.Context, string) (*Lock, error){"exclusive": Exclusive,
		"shared": Shared} {
		start := time.Now()
		if _, err := lock(short(), path); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v", name, err)
		}
		if waited := time.Since(start); waited < 15*time.Millisecond || waited > 2*time.Second {
			t.Errorf("%s: waited %v", name, waited)
		}
	}
	time.AfterFunc(30*time.Millisecond, func() { l.Unlock() })
	l2, err := Exclusive(background, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := l2.Unlock(); err != nil {
		t.Fatal(err)
	}
	a, err := Shared(short(), path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Shared(short(), path)
	if err != nil {
		t.Fatalf("readers keep each other out: %v", err)
	}
	if _, err := Exclusive(short(), path); !errors.Is(err, ErrLocked) {
		t.Errorf("a writer among readers: %v", err)
	}
	a.Unlock()
	b.Unlock()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
}

func TestLockRefuses(t *testing.T) {
	dir := t.TempDir()
	link, pipe, target := filepath.Join(dir, "link"), filepath.Join(dir, "pipe"), filepath.Join(dir, "target")
	if err := errors.Join(os.Symlink(target, link), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, pipe, dir, filepath.Join(dir, "none", "lock")} {
		if _, err := Exclusive(context.Background(), path); err == nil ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v", path, err)
		}
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("a link was followed")
	}
}
