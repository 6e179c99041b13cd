// Command palace counts and reads what is in the files of a MemPalace. Hooks start it as
// bin/libexec/palace, so that none of them links a database engine. It reads a JSON
// array of mempalace.Ask and prints one of mempalace.Count. With a folder of histories as
// its argument, which the gate knows by its path, it reads one mempalace.Snapshot and
// takes it, as long as that lasts.
//
// It opens databases read-only, waits for no writer longer than a moment, and
// writes nothing into a palace but what SQLite itself needs to read one that is
// open elsewhere (the shared index of its log).
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"keepsake/pkg/why/mempalace"
)

// How long the program runs at most, since its caller may be gone: to count, and to read.
const (
	limit     = 3 * time.Second
	readLimit = time.Minute
)

func main() {
	do := run
	if len(os.Args) == 2 {
		do = keep
		endAfter(readLimit, "read")
	}
	if err := do(); err != nil {
		fmt.Fprintf(os.Stderr, "palace: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	var asks []mempalace.Ask
	if err := json.NewDecoder(os.Stdin).Decode(&asks); err != nil {
		return fmt.Errorf("read what to count: %w; hint: hooks and `keepsake doctor` run this", err)
	}
	if slices.ContainsFunc(asks, func(a mempalace.Ask) bool { return a.Read != nil }) {
		endAfter(readLimit, "read")
	} else {
		endAfter(limit, "counted")
	}
	counts := make([]mempalace.Count, len(asks))
	for i, a := range asks {
		c, err := count(a)
		c.Path = a.Path
		if err != nil {
			c.Error = err.Error()
		}
		counts[i] = c
	}
	return json.NewEncoder(os.Stdout).Encode(counts)
}

// endAfter ends the program after a time.
func endAfter(d time.Duration, what string) {
	time.AfterFunc(d, func() {
		fmt.Fprintf(os.Stderr, "palace: not %s within %v\n", what, d)
		os.Exit(1)
	})
}

// keep takes a snapshot. Nobody waits for it, so it leaves the processor to whoever else wants it.
func keep() error {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 15)
	var s mempalace.Snapshot
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		return fmt.Errorf("read what to keep: %w; hint: hooks run this", err)
	}
	s.History.Dir = os.Args[1]
	return s.Take(func(f mempalace.File) ([]mempalace.Item, error) {
		c, err := count(mempalace.Ask{Path: f.Path, Kind: f.Kind, Read: &mempalace.Want{All: true}})
		return c.Items, err
	})
}

func count(a mempalace.Ask) (mempalace.Count, error) {
	if a.Kind == mempalace.Tunnels {
		return tunnels(a)
	}
	return database(a)
}
