package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/disk"
)

func at(t *testing.T) Journal { return Journal(filepath.Join(t.TempDir(), "p", "journal.jsonl")) }

func add(t *testing.T, j Journal, line string) Position {
	t.Helper()
	p, err := j.Append(t.Context(), false, func([]byte) ([]byte, error) { return []byte(line + "\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAppendAndRead(t *testing.T) {
	j := at(t)
	if lines, next, anew, err := j.Read(Position{}); lines != nil || anew || next != (Position{}) ||
		err != nil {
		t.Fatal("no journal:", lines, next, anew, err)
	}
	first := add(t, j, "a")
	second := add(t, j, strings.Repeat("b", 3*tailBytes))
	lines, next, anew, err := j.Read(first)
	if err != nil || anew || next != second || len(lines) != 3*tailBytes+1 {
		t.Fatalf("%d bytes, %v, anew %t, %v", len(lines), next, anew, err)
	}
	_, err = j.Append(t.Context(), true, func(last []byte) ([]byte, error) {
		if len(last) != 3*tailBytes+1 || last[0] != 'b' {
			t.Errorf("the last line has %d bytes", len(last))
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if line, err := j.Line(first); string(line) != "a\n" || err != nil {
		t.Errorf("line %q, %v", line, err)
	}
	if line, err := j.Line(Position{first.Writing, first.Offset - 1}); line != nil || err != nil {
		t.Errorf("line %q, %v where none ends", line, err)
	}
	info, err := os.Stat(string(j))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if tail, _, err := j.Tail(10, Position{}); len(tail) != 0 || err != nil {
		t.Errorf("%d bytes of tail", len(tail))
	}
	_, behind, err := j.Tail(10, Position{})
	third := add(t, j, "c")
	if news, next, anew, rerr := j.Read(behind); string(news) != "c\n" || next != third || anew ||
		rerr != nil || err != nil {
		t.Errorf("behind the tail stands %q to %v, anew %t, %v %v", news, next, anew, rerr, err)
	}
	if tail, next, err := j.Tail(10, Position{}); string(tail) != "c\n" || next != third || err != nil {
		t.Errorf("tail %q to %v, %v", tail, next, err)
	}
}

func TestTornLineIsCutOff(t *testing.T) {
	j := at(t)
	p := add(t, j, "whole")
	f, err := os.OpenFile(string(j), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(strings.Repeat("half", tailBytes))
	f.Close()
	if lines, next, _, err := j.Read(p); len(lines) > 0 || next != p || err != nil {
		t.Errorf("read %d bytes of a line without its end, %v", len(lines), err)
	}
	add(t, j, "next")
	lines, _, _, err := j.Read(p)
	if string(lines) != "next\n" || err != nil {
		t.Errorf("%q %v", lines, err)
	}
}

func TestRewriteBeginsAnew(t *testing.T) {
	j := at(t)
	p := add(t, j, "a")
	add(t, j, "b")
	if err := j.Rewrite(t.Context(), func(lines []byte) ([]byte, error) {
		if !strings.HasSuffix(string(lines), "}\na\nb\n") {
			t.Errorf("%q", lines)
		}
		return []byte("c\n"), nil
	}); err != nil {
		t.Fatal(err)
	}
	lines, _, anew, err := j.Read(p)
	if !anew || !strings.HasSuffix(string(lines), "}\nc\n") || err != nil {
		t.Errorf("%q anew %t, %v", lines, anew, err)
	}
	if line, err := j.Line(p); line != nil || err != nil {
		t.Errorf("line %q, %v of an older writing", line, err)
	}
	failed := errors.New("no")
	if err := j.Rewrite(t.Context(), func([]byte) ([]byte, error) { return nil, failed }); !errors.Is(err,
		failed) {
		t.Error(err)
	}
	if again, _, _, _ := j.Read(Position{}); !bytes.Equal(again, lines) {
		t.Errorf("%q", again)
	}
}

func TestNotOurs(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other")
	os.WriteFile(other, []byte("precious\n"), 0o600)
	link := Journal(filepath.Join(dir, "link"))
	os.Symlink(other, string(link))
	open := Journal(filepath.Join(dir, "open"))
	os.WriteFile(string(open), nil, 0o644)
	os.Chmod(string(open), 0o644)
	foreign := Journal(filepath.Join(dir, "foreign"))
	os.WriteFile(string(foreign), []byte("a letter\n"), 0o600)
	for j, want := range map[Journal]error{link: syscall.ELOOP, open: disk.ErrNotPrivate, foreign: errHead} {
		_, err := j.Append(t.Context(), false, func([]byte) ([]byte, error) { return []byte("x\n"), nil })
		if !errors.Is(err, want) {
			t.Errorf("%s: %v; want %v", j, err, want)
		}
		if _, _, _, err := j.Read(Position{}); err == nil && j != open || err != nil &&
			!errors.Is(err, want) {
			t.Errorf("%s: read: %v; want %v", j, err, want)
		}
	}
	if b, _ := os.ReadFile(other); string(b) != "precious\n" {
		t.Errorf("%q", b)
	}
}

func TestWaitsForTheLockOnlySoLong(t *testing.T) {
	j := at(t)
	add(t, j, "a")
	lock, err := disk.Exclusive(t.Context(), string(j)+".lock")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := j.Append(ctx, false, func([]byte) ([]byte, error) {
		return []byte("b\n"),
			nil
	}); !errors.Is(err, disk.ErrLocked) {
		t.Error(err)
	}
}

// TestMany has many writers number their lines by the last one, with a rewriting
// now and then: no number is given twice, and none is lost.
func TestMany(t *testing.T) {
	j := at(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 25 {
				_, err := j.Append(context.Background(), false, func(last []byte) ([]byte, error) {
					n, _ := strconv.Atoi(strings.TrimSpace(string(last)))
					return fmt.Appendf(nil, "%d\n", n+1), nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 5 {
		err := j.Rewrite(context.Background(), func(lines []byte) ([]byte, error) {
			_, rest, _ := bytes.Cut(lines, []byte("\n"))
			return rest, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	lines, _, _, err := j.Read(Position{})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Fields(string(lines))[1:]
	for i, n := range all {
		if n != strconv.Itoa(i+1) {
			t.Fatalf("line %d says %s", i+1, n)
		}
	}
	if len(all) != 200 {
		t.Errorf("%d lines", len(all))
	}
}

// TestKilledWriters kills processes that add lines: what one has said to have
// added is there, and every line is whole.
func TestKilledWriters(t *testing.T) {
	if name := os.Getenv("KEEPSAKE_JOURNAL"); name != "" {
		for n := 0; ; n++ {
			line := fmt.Sprintf("%d %d %s\n", os.Getpid(), n, strings.Repeat("x", 2000))
			if _, err := Journal(name).Append(context.Background(), false,
				func([]byte) ([]byte, error) { return []byte(line), nil }); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Println(n)
		}
	}
	if testing.Short() {
		t.Skip("starts and kills processes")
	}
	j := at(t)
	said := map[string]bool{}
	for i := range 20 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriters$")
		cmd.Env = append(os.Environ(), "KEEPSAKE_JOURNAL="+string(j))
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for stop := time.Now().Add(2 * time.Second); j.Size() < int64(i*20000) && time.Now().Before(stop); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		for n := range strings.FieldsSeq(out.String()) {
			said[strconv.Itoa(cmd.Process.Pid)+" "+n] = true
		}
	}
	add(t, j, "0 0 last")
	lines, _, _, err := j.Read(Position{})
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(lines)), "\n")[1:] {
		f := strings.Fields(line)
		if len(f) != 3 || len(f[2]) != 2000 && f[2] != "last" {
			t.Fatalf("line %d is not whole: %.80q", i, line)
		}
		delete(said, f[0]+" "+f[1])
	}
	if len(said) > 0 {
		t.Errorf("%d lines were added and are lost", len(said))
	}
}

func TestReadingAPipeDoesNotWait(t *testing.T) {
	j := Journal(filepath.Join(t.TempDir(), "pipe"))
	if err := syscall.Mkfifo(string(j), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := j.Read(Position{}); !errors.Is(err, disk.ErrNotRegular) &&
		!errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}

// TestDiskFullNamesTheFileOnce runs out of space in the middle of a line, in a process of
// its own, where a limit on the size of files stands in for a full disk.
func TestDiskFullNamesTheFileOnce(t *testing.T) {
	path := os.Getenv("JOURNAL_FULL")
	if path != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
			t.Fatal(err)
		}
		_, err := Journal(path).Append(context.Background(), true, func([]byte) ([]byte, error) {
			return append(bytes.Repeat([]byte("x"), 10000), '\n'), nil
		})
		fmt.Fprintf(os.Stderr, "FULL %v", err)
		os.Exit(3)
	}
	path = filepath.Join(t.TempDir(), "state", "journal.jsonl")
	cmd := exec.Command(os.Args[0], "-test.run=^TestDiskFullNamesTheFileOnce$")
	cmd.Env = append(os.Environ(), "JOURNAL_FULL="+path)
	out, _ := cmd.CombinedOutput()
	if !strings.HasPrefix(string(out), "FULL write "+path+": ") || strings.Count(string(out), path) != 1 {
		t.Errorf("%s", out)
	}
}
