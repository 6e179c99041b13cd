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
	"keepsake/pkg/layout"
)

// An Outcome is the result of a call to which a person said yes.
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
	Stored     []string  `json:"stored,omitempty"` // ids of what was stored, as the back end calls it
	Error      string    `json:"error,omitempty"`  // its class, without anybody's words
}

// Result is how a call ended.
type Result string

// The results.
const (
	Stored  Result = "stored"  // it ran; Stored has the ids that the back end returned
	Failed  Result = "failed"  // nothing was stored
	Changed Result = "changed" // it ran with other arguments than the person had seen
	NotRun  Result = "not run" // the turn ended without it, mostly after No in the client's dialog
)

// maxLog is the size in bytes at which a new settled.jsonl is begun; the full one is kept beside it.
const maxLog = 1 << 20

// Ran notes that a call has run, if it is one of those that are counted. For other calls it costs one failed
// removal.
func (c Call) Ran() {
	if mark := layout.Counted(layout.Client(c.Transcript), c.UseID); mark != "" {
		os.Remove(mark)
	}
}

// openRequest returns the request of the call with the client's id use, and reports whether it was let
// through and is not settled. For other calls it costs one stat.
func (d Dir) openRequest(use string) (Request, bool, error) {
	if use == "" {
		return Request{}, false, nil
	}
	r, err := d.loadRequest(d.requestPath("taken", useName(use, "")))
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	return r, err == nil, err
}

// Settle stores the result of an open call and deletes its request.
func (d Dir) Settle(r Request, use string, o Outcome) error {
	o.Time, o.ID, o.Digest, o.Checkpoint, o.Rule, o.Tool = o.Time.UTC(), r.ID, r.Digest, r.Checkpoint, r.Rule,
		r.Tool
	o.Session, o.Project, o.By, o.Writes = r.Session, r.Project, r.By, r.Writes
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := disk.AppendLine(d.logPath(), line, maxLog); err != nil {
		return err
	}
	if o.Result == Stored {
		err = d.answerRepeats(r, "given")
	}
	return errors.Join(err, d.forgetRequest(r, use))
}

// forgetRequest deletes the request of a settled call.
func (d Dir) forgetRequest(r Request, use string) error {
	if r.Writes != "" && use != "" {
		if err := d.revoke(use); err != nil {
			return err
		}
	}
	if r.By == Dialog { // the same request may also wait for another answer
		if err := disk.Remove(d.requestPath("asked", r.ID)); err != nil {
			return err
		}
	}
	return disk.Remove(d.requestPath("taken", useName(use, "")))
}

// outcomes is the name of the file with the result of each call.
const outcomes = "settled.jsonl"

func (d Dir) logPath() string { return filepath.Join(string(d), outcomes) }

// Settled returns the results of calls since a time, oldest first. Lines that cannot be read are skipped.
func (d Dir) Settled(since time.Time) ([]Outcome, error) {
	var all []Outcome
	for _, path := range []string{d.logPath() + ".1", d.logPath()} {
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

// inFlight is how long an unsettled call that was let through counts as running. The person may have said no
// in the client's dialog, which Over notices at the end of the turn.
const inFlight = 30 * time.Minute

// Running reports whether a call that was let through may still be running.
func (d Dir) Running(now time.Time) bool {
	entries, err := os.ReadDir(filepath.Join(string(d), "taken"))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		info, err := e.Info()
		return err == nil && now.Sub(info.ModTime()) < inFlight
	})
}
