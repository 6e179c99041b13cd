package stage

import (
	"os"
	"strconv"
	"strings"
)

// startOf is when a process began, in clock ticks since boot: field 22 of
// /proc/PID/stat (proc(5)), counted behind the last parenthesis because the
// name before it may hold anything.
func startOf(pid int) string { return statField(pid, 22) }

// ParentOf is the parent of a process, 0 when it can't be told, and the
// process's own command name.
func ParentOf(pid int) (ppid int, name string) {
	ppid, _ = strconv.Atoi(statField(pid, 4))
	return ppid, statField(pid, 2)
}

func statField(pid, n int) string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	open, end := strings.IndexByte(string(b), '('), strings.LastIndexByte(string(b), ')')
	if open < 0 || end < open {
		return ""
	}
	if n == 2 {
		return string(b[open+1 : end])
	}
	if f := strings.Fields(string(b[end+1:])); len(f) > n-3 {
		return f[n-3]
	}
	return ""
}
