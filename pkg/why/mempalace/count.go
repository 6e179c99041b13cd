package mempalace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Newest is how many of the newest rows a count has the ids of.
const Newest = 100

// An Ask is a file to be counted.
type Ask struct {
	Path  string `json:"path"`
	Kind  Kind   `json:"kind"`
	After int64  `json:"after"` // also count the rows behind this one
	Read  *Want  `json:"read,omitempty"`
}

// A Row is one stored thing: its number in the table, which grows, and its id.
type Row struct {
	Row int64  `json:"row"`
	ID  string `json:"id"`
}

// A Count is what was counted in one file.
type Count struct {
	Path  string `json:"path"`
	Rows  int64  `json:"rows"`
	Max   int64  `json:"max"`   // number of the highest row
	Later int64  `json:"later"` // how many rows are behind the After of the Ask
	Last  []Row  `json:"last"`  // the Newest rows, in order
	Error string `json:"error,omitempty"`
	// Names stand for own drawers: the first 8 bytes of the SHA-256 of each wing/room/id.
	Names []byte `json:"names,omitempty"`
	Items []Item `json:"items,omitempty"` // what the Ask wanted to be read

	own []drawer // the same drawers, if they were just counted
}

// Run counts files: own drawers itself, and palaces with the program, which is started only if there are any.
// It ends with ctx. A Count has the error of a file that cannot be counted.
func Run(ctx context.Context, program string, asks []Ask) (map[string]Count, error) {
	by := map[string]Count{}
	var others []Ask
	for _, a := range asks {
		if a.Kind != Own {
			others = append(others, a)
			continue
		}
		c, err := countOwn(ctx, a.Path)
		if c.Path = a.Path; err != nil {
			c.Error = err.Error()
		}
		by[a.Path] = c
	}
	if len(others) == 0 {
		return by, nil
	}
	counts, err := countOutside(ctx, program, others)
	for _, c := range counts {
		by[c.Path] = c
	}
	return by, err
}

// countOutside runs the program to count.
func countOutside(ctx context.Context, program string, asks []Ask) ([]Count, error) {
	in, err := json.Marshal(asks)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Stdin = bytes.NewReader(in)
	cmd.WaitDelay = 50 * time.Millisecond
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", program, ctx.Err())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(errs.String()))
	}
	var counts []Count
	if err := json.Unmarshal(out, &counts); err != nil {
		return nil, fmt.Errorf("%s: broken answer: %w", program, err)
	}
	return counts, nil
}
