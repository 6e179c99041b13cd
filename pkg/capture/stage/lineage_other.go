//go:build !linux

package stage

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Environ returns nil: this system does not give the environment of other processes.
func Environ(int) (getenv func(name string) string) { return nil }

// Lineage returns the processes above this one, the nearest first, without process 1. It is nil if one of
// them can't be read, since half a lineage proves nothing. Without a /proc it runs the system's own ps
// once, which joins arguments with spaces.
func Lineage() []Ancestor {
	out, err := exec.Command("/bin/ps", "-axo", "pid=,ppid=,args=").Output()
	if err != nil {
		return nil
	}
	parents, lines := map[int]int{}, map[int][]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		pid, err := strconv.Atoi(f[0])
		parent, perr := strconv.Atoi(f[1])
		if err == nil && perr == nil {
			parents[pid], lines[pid] = parent, f[2:]
		}
	}
	var all []Ancestor
	for pid := os.Getppid(); pid > 1; pid = parents[pid] {
		args, ok := lines[pid]
		if !ok || len(all) == maxLineage {
			return nil
		}
		all = append(all, Ancestor{pid, filepath.Base(args[0]), args})
	}
	return all
}
