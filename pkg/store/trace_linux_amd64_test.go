package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A traced call is a system call of a child that changes files or waits for the
// disk.
type sysCall struct {
	name string // write, sync, rename, remove, mkdir
	path string
	to   string // of rename
}

func (c sysCall) String() string { return strings.TrimSpace(c.name + " " + c.path + " " + c.to) }

const (
	sysRenameat2  = 316
	optExitKill   = 0x100000
	syscallStop   = syscall.SIGTRAP | 0x80
	traceOptions  = syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | optExitKill
	noSuchSyscall = ^uint64(0)
)

// traced runs a child and returns its calls below root, in the order in which their effect can be relied on:
// calls that wait for the disk when they end, all others when they begin. If fail returns an error for a
// call, the call is not made and returns it. The output is the child's.
func traced(t *testing.T, what, root string, fail func(n int, c sysCall) syscall.Errno) (calls []sysCall,
	output string) {
	t.Helper()
	runtime.LockOSThread() // only the thread that began a trace may go on with it
	defer runtime.UnlockOSThread()
	cmd := child(t, what, root)
	var out bytes.Buffer
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		t.Skipf("no process can be traced here: %v", err)
	}
	w.Close()
	read := make(chan struct{})
	go func() {
		out.ReadFrom(r)
		close(read)
	}()
	pid := cmd.Process.Pid
	var ws syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &ws, 0, nil); err != nil || !ws.Stopped() {
		t.Skipf("no process can be traced here: %v, %v", err, ws)
	}
	if err := errors.Join(syscall.PtraceSetOptions(pid, traceOptions),
		syscall.PtraceSyscall(pid, 0)); err != nil {
		t.Skipf("no process can be traced here: %v", err)
	}
	inside := map[int]*sysCall{} // the call that a thread is in; the zero call changes nothing below root
	failed := map[int]syscall.Errno{}
	for n := 0; ; {
		thread, err := syscall.Wait4(-1, &ws, syscall.WALL, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ws.Exited() || ws.Signaled() {
			if thread == pid {
				break
			}
			continue
		}
		deliver := 0
		switch sig := ws.StopSignal(); sig {
		case syscallStop:
			var regs syscall.PtraceRegs
			if err := syscall.PtraceGetRegs(thread, &regs); err != nil {
				break
			}
			c, entered := inside[thread]
			if entered {
				delete(inside, thread)
				if no := failed[thread]; no != 0 {
					delete(failed, thread)
					regs.Rax = uint64(-int64(no))
					syscall.PtraceSetRegs(thread, &regs)
				} else if strings.HasPrefix(c.name, "sync") && int64(regs.Rax) == 0 {
					calls = append(calls, *c)
				}
				break
			}
			c = callOf(thread, regs, root)
			inside[thread] = c
			if c.name == "" {
				break
			}
			if fail != nil {
				if no := fail(n, *c); no != 0 {
					failed[thread] = no
					regs.Orig_rax = noSuchSyscall
					syscall.PtraceSetRegs(thread, &regs)
				}
			}
			n++
			if failed[thread] == 0 && !strings.HasPrefix(c.name, "sync") {
				calls = append(calls, *c)
			}
		case syscall.SIGTRAP, syscall.SIGSTOP: // a thread is born
		default:
			deliver = int(sig)
		}
		syscall.PtraceSyscall(thread, deliver) // a thread that was killed meanwhile is waited for above
	}
	cmd.Process.Release()
	<-read
	r.Close()
	return calls, out.String()
}

// callOf returns the call that a thread is about to make; the zero call changes nothing below root.
func callOf(thread int, regs syscall.PtraceRegs, root string) *sysCall {
	none := &sysCall{}
	byFD := func(name string) *sysCall {
		path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, int32(regs.Rdi)))
		if err != nil {
			return none
		}
		return &sysCall{name: name, path: path}
	}
	text := func(at uint64) string {
		buf := make([]byte, 4096)
		n, _ := syscall.PtracePeekData(thread, uintptr(at), buf)
		s, _, _ := bytes.Cut(buf[:n], []byte{0})
		return string(s)
	}
	// in is text below the folder of a descriptor.
	in := func(fd, at uint64) string {
		name := text(at)
		if dir, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, int32(fd))); err == nil &&
			!filepath.IsAbs(name) {
			return filepath.Join(dir, name)
		}
		return name
	}
	c := none
	switch regs.Orig_rax {
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64:
		c = byFD("write")
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		c = byFD("sync")
	case unix.SYS_SYNCFS:
		c = byFD("syncfs")
	case syscall.SYS_RENAME:
		c = &sysCall{"rename", text(regs.Rdi), text(regs.Rsi)}
	case syscall.SYS_RENAMEAT, sysRenameat2:
		c = &sysCall{"rename", in(regs.Rdi, regs.Rsi), in(regs.Rdx, regs.R10)}
	case syscall.SYS_UNLINK, syscall.SYS_RMDIR:
		c = &sysCall{name: "remove", path: text(regs.Rdi)}
	case syscall.SYS_UNLINKAT:
		c = &sysCall{name: "remove", path: in(regs.Rdi, regs.Rsi)}
	case syscall.SYS_MKDIR:
		c = &sysCall{name: "mkdir", path: text(regs.Rdi)}
	case syscall.SYS_MKDIRAT:
		c = &sysCall{name: "mkdir", path: in(regs.Rdi, regs.Rsi)}
	}
	if c.path != root && !strings.HasPrefix(c.path, root+"/") {
		return none
	}
	return c
}

// isUnsynced reports whether losing a file would cost no save.
func unsynced(path string) bool {
	return slices.Contains([]string{begunName, lockName}, filepath.Base(path))
}

// TestOrderOfFsyncs checks that the system calls of a save survive a power cut: bytes are on the disk before
// they get a name, the log and its name are on it before the first record changes, and every record is before
// the log goes.
func TestOrderOfFsyncs(t *testing.T) {
	for what, files := range map[string]int{"saver": 3, "saver of many": manyFiles + 1} { // and index.md
		root := newRoot(t)
		apply(t, Open(root, Options{}), create(preference("a", 0)))
		calls, out := traced(t, what, root, nil)
		if out != "saved" {
			t.Fatal(out)
		}
		if err := durable(root, calls, files); err != nil {
			t.Errorf("%v; the calls:\n%s", err, listed(calls))
		}
		// Leaving out any wait is noticed, except for that for a new folder: waiting for the log's name
		// covers it.
		for i, c := range calls {
			if !strings.HasPrefix(c.name, "sync") || i > 0 && calls[i-1].name == "mkdir" {
				continue
			}
			if durable(root, slices.Delete(slices.Clone(calls), i, i+1), files) == nil {
				t.Errorf("nobody would miss %q; the calls:\n%s", c, listed(calls))
			}
		}
	}
}

func listed(calls []sysCall) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintln(&b, c)
	}
	return b.String()
}

// durable returns what is wrong with the order of the calls of a save that gives files their names.
func durable(root string, calls []sysCall, files int) error {
	written := map[string]bool{} // files with bytes that are not on the disk
	dirty := map[string]string{} // folders with a name that is not, by the call that made it
	log := filepath.Join(root, redoName)
	logged, renamed := false, 0
	for _, c := range calls {
		switch c.name {
		case "write":
			written[c.path] = !unsynced(c.path)
		case "sync":
			delete(written, c.path)
			delete(dirty, c.path)
		case "syncfs":
			clear(written)
			clear(dirty)
		case "mkdir":
			dirty[filepath.Dir(c.path)] = c.String()
		case "remove":
			if !unsynced(c.path) {
				dirty[filepath.Dir(c.path)] = c.String()
			}
		case "rename":
			if written[c.path] {
				return fmt.Errorf("%s: its bytes are not on the disk", c)
			}
			switch {
			case c.path == log:
				if len(dirty) > 0 {
					return fmt.Errorf("%s: the log goes before these are durable: %v", c, dirty)
				}
				logged = false
			case c.to == log:
				logged = true
			case filepath.Ext(c.to) == ".json" || filepath.Base(c.to) == indexName:
				renamed++
				if by, ok := dirty[root]; !logged || ok && strings.HasSuffix(by, log) {
					return fmt.Errorf("%s: before the log is durable", c)
				}
			}
			dirty[filepath.Dir(c.to)] = c.String()
			if from := filepath.Dir(c.path); from != filepath.Dir(c.to) {
				dirty[from] = c.String()
			}
		}
	}
	switch {
	case len(dirty) > 0:
		return fmt.Errorf("told saved, and these are not durable: %v", dirty)
	case renamed != files:
		return fmt.Errorf("%d files got their names, want %d", renamed, files)
	}
	return nil
}

// TestDiskFails lets each call of a save in turn fail with EIO. Nothing is lost, the error is reported, and
// the next process finishes what was logged.
func TestDiskFails(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{})
	apply(t, s, create(preference("a", 0)))
	clean := filepath.Join(t.TempDir(), "clean")
	if err := os.CopyFS(clean, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	for at := 0; ; at++ {
		if err := errors.Join(os.RemoveAll(root), os.CopyFS(root, os.DirFS(clean))); err != nil {
			t.Fatal(err)
		}
		var hit *sysCall
		_, out := traced(t, "saver", root, func(n int, c sysCall) syscall.Errno {
			if n != at {
				return 0
			}
			hit = &c
			return syscall.EIO
		})
		if hit == nil {
			if at < 15 {
				t.Errorf("only %d calls were made to fail", at)
			}
			return
		}
		inLog := s.inUse()
		l := load(t, s)
		got := summary(l)
		const old, new = "preferences/a.json=0", "decisions/d.json=0 preferences/a.json=1"
		want := old
		if out == "saved" || strings.HasPrefix(out, "unfinished") {
			want = new
		}
		told := strings.Contains(out, "input/output error") && strings.Contains(out, root)
		switch {
		case out == "saved" && !unsynced(hit.path) && hit.name != "remove":
			t.Errorf("%d, %s: told saved", at, hit)
		case out != "saved" && !told:
			t.Errorf("%d, %s: %s", at, hit, out)
		case inLog && got == new, got == want && !s.inUse():
		default:
			t.Errorf("%d, %s: said %q, the log was there %v; now %s, in use %v", at, hit, out, inLog, got,
				s.inUse())
		}
		indexOf(t, s, l.Records)
	}
}
