package host

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
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
		n, err := count(state, layout.Session(e.Session), e.Prompt)
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

// count adds one to the tally of a session, which begins anew with each prompt.
func count(state layout.State, session, prompt string) (int, error) {
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
	kept := make([]tally, 0, len(all)+1)
	mine := tally{Session: session, Prompt: prompt}
	for _, t := range all {
		switch {
		case t.Session != session:
			kept = append(kept, t)
		case t.Prompt == prompt:
			mine.Count = t.Count
		}
	}
	mine.Count++
	kept = append(kept, mine)
	kept = kept[max(0, len(kept)-maxTallies):]
	if b, err = json.Marshal(kept); err != nil {
		return 0, err
	}
	return mine.Count, disk.Replace(path, append(b, '\n'), os.FileMode(0o600))
}
