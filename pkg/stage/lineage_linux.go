package stage

import (
	"os"
	"strconv"
	"strings"
)

// Lineage lists the processes above this one, the nearest first, down to
// process 1, which is left out. It is nil when a link of the chain can't be
// read: half a lineage proves nothing.
func Lineage() []Ancestor {
	var all []Ancestor
	for pid := os.Getppid(); pid > 1; {
		parent, name := ParentOf(pid)
		args, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if err != nil || name == "" || len(all) == maxLineage {
			return nil
		}
		all = append(all, Ancestor{pid, name, strings.Split(strings.TrimSuffix(string(args), "\x00"), "\x00")})
		pid = parent
	}
	return all
}
