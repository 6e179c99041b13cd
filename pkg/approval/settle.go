package approval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
)

// An Outcome is what became of one call that a person had answered yes to.
type Outcome struct {
	Time       time.Time `json:"time"`
	ID         string    `json:"id"`
	Digest     string    `json:"digest"`
	Checkpoint string    `json:"checkpoint"`
	Rule       string    `json:"rule,omitempty"`
	Tool       string    `json:"tool"`
	Session    string    `json:"session"`
	Project    string    `json:"project"`
	By         By        `json:"by"`
	Result     Result    `json:"result"`
	Writes     string    `json:"writes,omitempty"` // of a promotion, as in its request
	Stored     []string  `json:"stored,omitempty"` // ids of what was stored, as the back end named them
	Error      string    `json:"error,omitempty"`  // its class, without the person's words
}

// Result says how a call ended.
type Result string

// How calls end.
const (
	Stored  Result = "stored"  // it ran; Stored names what the back end said it keeps
	Failed  Result = "failed"  // nothing was stored
	Changed Result = "changed" // it ran with other arguments than the person had seen
	NotRun  Result = "not run" // the turn ended without it: No in the client's dialog, as a rule
)

// maxLog is the size in bytes past which settled.jsonl starts afresh; the full
// one is kept beside it.
const maxLog = 1 << 20

// Open reports the call with the client's id use if it was let through and is
// not settled: one stat for all other calls.
func (d Dir) Open(use string) (Request, bool, error) {
	if use == "" {
		return Request{}, false, nil
	}
	r, err := d.load(d.path("taken", name(use, "")))
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	return r, err == nil, err
}

// Settle writes down what became of an open call and forgets its request.
func (d Dir) Settle(r Request, use string, o Outcome) error {
	o.Time, o.ID, o.Digest, o.Checkpoint, o.Rule, o.Tool = o.Time.UTC(), r.ID, r.Digest, r.Checkpoint, r.Rule, r.Tool
	o.Session, o.Project, o.By, o.Writes = r.Session, r.Project, r.By, r.Writes
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := disk.AppendLine(d.log(), line, maxLog); err != nil {
		return err
	}
	return d.forget(r, use)
}

// forget takes away the request of a call that is settled.
func (d Dir) forget(r Request, use string) error {
	if r.Writes != "" && use != "" {
		if err := d.revoke(use); err != nil {
			return err
		}
	}
	if r.By == Dialog { // the same request may also have waited for another answer
		if err := disk.Remove(d.path("asked", r.ID)); err != nil {
			return err
		}
	}
	return disk.Remove(d.path("taken", name(use, "")))
}

// outcomes is the file of what became of each call.
const outcomes = "settled.jsonl"

func (d Dir) log() string { return filepath.Join(string(d), outcomes) }

// Settled returns what became of calls since a time, the oldest first. A line
// that can't be read is skipped.
func (d Dir) Settled(since time.Time) ([]Outcome, error) {
	var all []Outcome
	for _, path := range []string{d.log() + ".1", d.log()} {
		b, err := disk.Read(path, 2*maxLog+maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return all, err
		}
		lines := bufio.NewScanner(bytes.NewReader(b))
		lines.Buffer(nil, len(b)+1)
		for lines.Scan() {
			var o Outcome
			if json.Unmarshal(lines.Bytes(), &o) == nil && !o.Time.Before(since) && o.ID != "" {
				all = append(all, o)
			}
		}
	}
	return all, nil
}

// inFlight is how long a call that was let through counts as running while
// nothing settles it: one that the person said no to in the client's dialog, until the
// turn is over.
const inFlight = 30 * time.Minute

// Running tells whether a call that was let through may still be running.
func (d Dir) Running(now time.Time) bool {
	entries, err := os.ReadDir(filepath.Join(string(d), "taken"))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		info, err := e.Info()
		return err == nil && now.Sub(info.ModTime()) < inFlight
	})
}
