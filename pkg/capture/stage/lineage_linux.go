package stage

import (
	"os"
	"strings"
)

// Lineage returns the processes above this one, the nearest first. It is nil if one of them can't be read,
// since half a lineage proves nothing. It is also nil if process 1 is the only one, since that also takes
// in orphans. Process 1 comes last if it can be read: a container may run the client as its first process.
func Lineage() []Ancestor {
	var all []Ancestor
	pid := os.Getppid()
	for pid > 1 {
		parent, name := ParentOf(pid)
		args, err := readProc(pid, "cmdline")
		if err != nil || name == "" || len(all) == maxLineage {
			return nil
		}
		all = append(all, Ancestor{pid, name, words(args)})
		pid = parent
	}
	if all == nil || pid != 1 { // what enters a container from outside has no parent there
		return all
	}
	if args, err := readProc(1, "cmdline"); err == nil {
		_, name := ParentOf(1)
		all = append(all, Ancestor{1, name, words(args)})
	}
	return all
}

// Environ returns a function like os.Getenv for the environment that a process was started with, nil if it
// can't be read. What the process sets later is not in it.
func Environ(pid int) (getenv func(name string) string) {
	b, err := readProc(pid, "environ")
	if err != nil || len(b) == 0 {
		return nil
	}
	all := words(b)
	return func(name string) string {
		for _, v := range all {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// words takes a command line apart as the system gives it.
func words(cmdline []byte) []string {
	return strings.Split(strings.TrimSuffix(string(cmdline), "\x00"), "\x00")
}
