// Package armed keeps what a person armed of a project's guards, the packed file that the gate reads, and
// what became of the calls that guards were about.
//
// Three files in the project's folder of states, for this user alone:
//
//	guards.json    what the person armed, and what they switched off
//	guards.packed  all rules that act, made from that and from the memories (pkg/gate/guard)
//	guards.jsonl   a line for each call that a rule was about, or that ran what a rule needs
//
// What a person armed is bound to the bytes of the guard that they saw, and keeps the words that they saw. It
// acts whatever becomes of the memory's file, until the person disarms it or Keepsake ends the memory.
package armed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/gate/guard"
)

// An Entry is a person's word about the guard of one record.
type Entry struct {
	guard.Rule           // as the person saw it
	At         time.Time `json:"at"`              // UTC
	Off        bool      `json:"off,omitempty"`   // nothing of this record acts, not even by itself
	Ended      string    `json:"ended,omitempty"` // how Keepsake ended its memory; "" if it did not
}

// Limits of the files.
const (
	maxArmed   = 1 << 20 // bytes
	maxMarks   = 1 << 20 // bytes
	maxEntries = 500     // armed guards
)

// lockWait is how long a change waits for another process.
const lockWait = 2 * time.Second

// Folder is the folder of a project's state, "" where there is none.
type Folder string

func (f Folder) armed() string  { return filepath.Join(string(f), "guards.json") }
func (f Folder) packed() string { return filepath.Join(string(f), "guards.packed") }
func (f Folder) marks() string  { return filepath.Join(string(f), "guards.jsonl") }

// Entries returns what the person armed or switched off.
func (f Folder) Entries() (all []Entry, err error) {
	b, err := disk.Read(f.armed(), maxArmed)
	if errors.Is(err, fs.ErrNotExist) || f == "" {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; hint: move it away, and arm the guards again", f.armed(), err)
	}
	return all, nil
}

// Set puts an entry in the place of what there was about its record, or takes that away if drop says so.
func (f Folder) Set(e Entry, drop bool) error {
	return f.change(func(all []Entry) ([]Entry, error) {
		all = slices.DeleteFunc(all, func(o Entry) bool { return o.Record == e.Record })
		if drop {
			return all, nil
		}
		if len(all) >= maxEntries {
			return nil, fmt.Errorf("%d guards are armed already; hint: keepsake guard list says which never "+
				"act", maxEntries)
		}
		return append(all, e), nil
	})
}

// End notes how Keepsake ended the memories of entries, by the paths of the records; "" for one that is in
// force.
func (f Folder) End(ended map[string]string) error {
	changes := func(e Entry) bool {
		how, is := ended[e.Record]
		return is && how != e.Ended
	}
	if all, err := f.Entries(); err != nil || !slices.ContainsFunc(all, changes) {
		return err
	}
	return f.change(func(all []Entry) ([]Entry, error) {
		for i, e := range all {
			if changes(e) {
				all[i].Ended = ended[e.Record]
			}
		}
		return all, nil
	})
}

// change writes the entries that do makes of those that there are.
func (f Folder) change(do func([]Entry) ([]Entry, error)) error {
	if f == "" {
		return errors.New("there is no folder for Keepsake's state")
	}
	if err := disk.Private(string(f)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock, err := disk.Exclusive(ctx, f.armed()+".lock")
	if err != nil {
		return err
	}
	all, err := f.Entries()
	if err == nil {
		all, err = do(all)
	}
	var b []byte
	if err == nil {
		b, err = json.MarshalIndent(all, "", "  ")
	}
	if err == nil {
		err = disk.Write(f.armed(), append(b, '\n'), 0o600)
	}
	return errors.Join(err, lock.Unlock())
}

// Has reports whether there is a packed file.
func (f Folder) Has() bool {
	_, err := os.Lstat(f.packed())
	return f != "" && err == nil
}

// Packed returns the packed file, nil where there is none.
func (f Folder) Packed() ([]byte, error) {
	if f == "" {
		return nil, nil
	}
	b, err := disk.Read(f.packed(), guard.MaxPacked+200)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// Pack writes the packed file of rules. Where there are none it takes the file away, unless keep says that
// the basis is worth to be known.
func (f Folder) Pack(all []guard.Rule, basis string, keep bool) error {
	if f == "" {
		return nil
	}
	old, err := f.Packed()
	if len(all) == 0 && !keep {
		if old == nil && err == nil {
			return nil
		}
		if err := os.Remove(f.packed()); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	packed := guard.Pack(all, basis)
	if err == nil && bytes.Equal(old, packed) {
		return nil
	}
	if err := disk.Private(string(f)); err != nil {
		return err
	}
	return disk.Replace(f.packed(), packed, 0o600)
}

// What became of a call that a rule is about.
const (
	Said   = "said"   // the agent was told
	Asked  = "asked"  // the person was asked
	Denied = "denied" // the call was stopped
	Passed = "passed" // the call went on: the agent was told earlier in the session
	Began  = "began"  // the call runs what the rule needs
	Ran    = "ran"    // it has run, and did not fail
	Lifted = "lifted" // the person disarmed the guard
)

// A Mark is a line of guards.jsonl. It has none of the call's words.
type Mark struct {
	At         time.Time `json:"at"` // UTC
	Session    string    `json:"session"`
	Record     string    `json:"record"`
	Guard      string    `json:"guard"` // its key
	What       string    `json:"what"`
	Use        string    `json:"use,omitempty"`        // the client's id of the call
	Transcript string    `json:"transcript,omitempty"` // of the session, where the person was asked
}

// Note adds lines. A file that is full is kept as guards.jsonl.1, in the place of the one before.
func (f Folder) Note(all ...Mark) error {
	if f == "" || len(all) == 0 {
		return nil
	}
	if err := disk.Private(string(f)); err != nil {
		return err
	}
	var b []byte
	for _, m := range all {
		m.At = m.At.UTC()
		line, err := json.Marshal(m)
		if err != nil {
			return err
		}
		b = append(append(b, line...), '\n')
	}
	return disk.AppendLine(f.marks(), b[:len(b)-1], maxMarks)
}

// Marks returns the lines, the oldest first. Those that can't be read are left out.
func (f Folder) Marks() (all []Mark, err error) {
	if f == "" {
		return nil, nil
	}
	for _, path := range []string{f.marks() + ".1", f.marks()} {
		b, rerr := disk.Read(path, 2*maxMarks)
		if rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
		for line := range bytes.Lines(b) {
			var m Mark
			if json.Unmarshal(line, &m) == nil && m.Record != "" {
				all = append(all, m)
			}
		}
	}
	return all, err
}

// Forget takes out all that the files say of a record. The packed file has to be made anew then.
func (f Folder) Forget(record string) error {
	if f == "" {
		return nil
	}
	all, err := f.Entries()
	errs := []error{err}
	if slices.ContainsFunc(all, func(e Entry) bool { return e.Record == record }) {
		errs = append(errs, f.Set(Entry{Rule: guard.Rule{Record: record}}, true))
	}
	for _, path := range []string{f.marks() + ".1", f.marks()} {
		b, err := disk.Read(path, 2*maxMarks)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var left []byte
		for line := range bytes.Lines(b) {
			var m Mark
			if json.Unmarshal(line, &m) == nil && m.Record != record {
				left = append(left, line...)
			}
		}
		if err == nil && len(left) < len(b) {
			err = disk.Write(path, left, 0o600)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// recent is how much of the end of guards.jsonl is looked through for a call that has just run, in bytes.
const recent = 64 << 10

// Finish notes that a call, by the client's id, has run and did not fail. Most calls run nothing that a rule
// needs, so only the newest lines are read.
func (f Folder) Finish(use string, now time.Time) error {
	if f == "" || use == "" {
		return nil
	}
	file, info, err := disk.Open(f.marks())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	b := make([]byte, min(info.Size(), recent))
	if _, err := file.ReadAt(b, info.Size()-int64(len(b))); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	var ran []Mark
	for line := range bytes.Lines(b) {
		var m Mark
		if !bytes.Contains(line, []byte(use)) || json.Unmarshal(line, &m) != nil || m.Use != use {
			continue
		}
		switch m.What {
		case Began:
			m.At, m.What = now, Ran
			ran = append(ran, m)
		case Ran: // a second hook of the same call
			return nil
		}
	}
	return f.Note(ran...)
}
