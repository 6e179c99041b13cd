package palace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Newest is how many of the newest rows a count names.
const Newest = 100

// An Ask is one file to be counted.
type Ask struct {
	Path  string `json:"path"`
	Kind  Kind   `json:"kind"`
	After int64  `json:"after"` // how many rows lie behind this one is told too
}

// A Row is one stored thing: its place in the table, which grows, and its id.
type Row struct {
	Row int64  `json:"row"`
	ID  string `json:"id"`
}

// A Count is what one file holds.
type Count struct {
	Path  string `json:"path"`
	Rows  int64  `json:"rows"`
	Max   int64  `json:"max"`   // the highest row
	Later int64  `json:"later"` // rows behind After of the Ask
	Last  []Row  `json:"last"`  // the Newest rows, in order
	Error string `json:"error,omitempty"`
	// Names are own drawers, the first 8 bytes of the SHA-256 of each wing/room/id.
	Names []byte `json:"names,omitempty"`

	own []drawer // the same, where they were just counted
}

// Run counts files: own drawers itself, palaces by the program, which is not started
// for none. It ends with ctx; why a file can't be counted is in its Error.
func Run(ctx context.Context, program string, asks []Ask) (map[string]Count, error) {
	by := map[string]Count{}
	var others []Ask
	for _, a := range asks {
		if a.Kind != Own {
			others = append(others, a)
			continue
		}
		c, err := own(ctx, a.Path)
		if c.Path = a.Path; err != nil {
			c.Error = err.Error()
		}
		by[a.Path] = c
	}
	if len(others) == 0 {
		return by, nil
	}
	counts, err := outside(ctx, program, others)
	for _, c := range counts {
		by[c.Path] = c
	}
	return by, err
}

// outside has the program count.
func outside(ctx context.Context, program string, asks []Ask) ([]Count, error) {
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
