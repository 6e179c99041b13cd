// Command palace counts what is in the files of a MemPalace. Hooks start it as
// bin/libexec/palace, so that none of them links a database engine. It reads a JSON
// array of mempalace.Ask and prints one of mempalace.Count.
//
// It opens databases read-only, waits for no writer longer than a moment, and
// writes nothing into a palace but what SQLite itself needs to read one that is
// open elsewhere (the shared index of its log).
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"keepsake/pkg/why/mempalace"
)

// limit is how long the program runs at most, since its caller may be gone.
const limit = 3 * time.Second

func main() {
	time.AfterFunc(limit, func() {
		fmt.Fprintf(os.Stderr, "palace: not counted within %v\n", limit)
		os.Exit(1)
	})
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "palace: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	var asks []mempalace.Ask
	if err := json.NewDecoder(os.Stdin).Decode(&asks); err != nil {
		return fmt.Errorf("read what to count: %w; hint: hooks and `keepsake doctor` run this", err)
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

func count(a mempalace.Ask) (mempalace.Count, error) {
	if a.Kind == mempalace.Tunnels {
		return tunnels(a)
	}
	return database(a)
}
