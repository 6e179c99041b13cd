package host

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/journal"
	"keepsake/pkg/layout"
)

// A tally counts the calls of one session that reorganised memories after one
// prompt.
type tally struct {
	Session string `json:"session"`
	Prompt  string `json:"prompt"`
	Count   int    `json:"count"`
	// Open are the calls that were let through and of which nobody knows yet whether they run: somebody else
	// may deny them. Each has its file, layout.Counted, until it has run.
	Open []begun `json:"open,omitempty"`
}

// A begun is a call by the client's id, and when it was judged.
type begun struct {
	Use string    `json:"use"`
	At  time.Time `json:"at"`
}

// openFor is how long a call counts that has not run. Calls that are made at once count from the beginning;
// after that one that has not run was denied, or waits for a person and counts when it has run.
const openFor = 5 * time.Second

// settle counts the open calls that have run by now, and forgets those that were denied.
func (t *tally) settle(client string) {
	t.Open = slices.DeleteFunc(t.Open, func(b begun) bool {
		_, err := os.Lstat(layout.Counted(client, b.Use))
		if errors.Is(err, fs.ErrNotExist) {
			t.Count++
		}
		return errors.Is(err, fs.ErrNotExist)
	})
}

// sum returns how many calls count.
func (t tally) sum(now time.Time) int {
	n := t.Count
	for _, b := range t.Open {
		if now.Sub(b.At) < openFor {
			n++
		}
	}
	return n
}

// maxTallies is how many sessions of a project are counted.
const maxTallies = 16

// lockWait is how long a call waits for another one that counts.
const lockWait = 200 * time.Millisecond

// reorganised returns a function that counts the call among those after the same prompt. It is nil
// without a prompt, since such a call does not run.
func reorganised(e rules.Event) func() int {
	if e.Prompt == "" || e.Session == "" {
		return nil
	}
	return func() int {
		place := layout.Project(e.ProjectDir, e.Cwd)
		state := layout.DirsFor(place, e.Transcript).Of(place.Home)
		if state == "" {
			return 0
		}
		n, err := count(state, e, time.Now())
		if err != nil {
			_ = journal.AppendFailure(state.Ledger(), journal.Failure{
				Time: time.Now(), Where: "gate", Session: layout.Session(e.Session),
				What: "a change of memories could not be counted, so the circuit breaker did not see it",
				Why:  err.Error(),
			})
		}
		return n
	}
}

// count adds a call to the tally of its session, which begins anew with each prompt.
func count(state layout.State, e rules.Event, now time.Time) (int, error) {
	if err := disk.Private(string(state)); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	path := state.Reorganised()
	lock, err := disk.Exclusive(ctx, path+".lock")
	if err != nil {
		return 0, err
	}
	defer lock.Unlock()
	b, err := disk.Read(path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	var all []tally
	if err := json.Unmarshal(b, &all); err != nil {
		all = nil // none yet, or a broken file: counting begins anew
	}
	client, session := layout.Client(e.Transcript), layout.Session(e.Session)
	kept := make([]tally, 0, len(all)+1)
	mine := tally{Session: session, Prompt: e.Prompt}
	for _, t := range all {
		switch {
		case t.Session != session:
			kept = append(kept, t)
		case t.Prompt == e.Prompt:
			mine.Count, mine.Open = t.Count, t.Open
		default:
			for _, b := range t.Open {
				os.Remove(layout.Counted(client, b.Use))
			}
		}
	}
	mine.settle(client)
	if mark := layout.Counted(client, e.UseID); client == "" || mark == "" || begin(mark) != nil {
		mine.Count++
	} else {
		mine.Open = append(mine.Open, begun{e.UseID, now})
	}
	kept = append(kept, mine)
	kept = kept[max(0, len(kept)-maxTallies):]
	if b, err = json.Marshal(kept); err != nil {
		return 0, err
	}
	return mine.sum(now), disk.Replace(path, append(b, '\n'), os.FileMode(0o600))
}

// begin makes the file of a call that has not run yet.
func begin(mark string) error {
	return errors.Join(disk.Private(filepath.Dir(mark)), disk.Replace(mark, nil, 0o600))
}
