package stage

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// startOf returns when a process began, in clock ticks since boot.
func startOf(pid int) string {
	_, fields := statOf(pid)
	return fieldOf(fields, 22)
}

// ParentOf returns the parent of a process, 0 if it isn't known, and the process's own command name.
func ParentOf(pid int) (ppid int, name string) {
	name, fields := statOf(pid)
	ppid, _ = strconv.Atoi(fieldOf(fields, 4))
	return ppid, name
}

// SessionID returns the number of the process session that this process is in, 0 if it isn't known.
func SessionID() int {
	_, fields := statOf(os.Getpid())
	sid, _ := strconv.Atoi(fieldOf(fields, 6))
	return sid
}

// statOf returns a process's command name and the fields behind it in /proc/PID/stat
// (proc(5)), which begin behind the last parenthesis: the name may hold anything.
func statOf(pid int) (name string, fields []string) {
	b, err := readProc(pid, "stat")
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if err != nil || open < 0 || end < open {
		return "", nil
	}
	return string(b[open+1 : end]), strings.Fields(string(b[end+1:]))
}

// fieldOf returns the field of a number in /proc/PID/stat, of those behind the name, which
// is field 2.
func fieldOf(fields []string, n int) string {
	if n-3 >= len(fields) {
		return ""
	}
	return fields[n-3]
}

// readProc returns the contents of a file of /proc/PID. A hook reads a dozen of them, and the extra work of
// os.ReadFile would take longer than the reading.
func readProc(pid int, file string) ([]byte, error) {
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+"/"+file, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	b := make([]byte, 0, 1<<10)
	for {
		n, err := syscall.Read(fd, b[len(b):cap(b)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, err
		case n == 0:
			return b, nil
		}
		if b = b[:len(b)+n]; len(b) == cap(b) {
			b = slices.Grow(b, len(b))
		}
	}
}
