// Package trust keeps what this user's Keepsake knows of records: which it wrote,
// whose words they have, and which a person accepted or refused. What a record's
// file says of its own origin is only display; this counts.
//
// One folder per project, for this user alone:
//
//	records.jsonl one line for each record that was written, accepted or refused
//	records.idx   where the last line of each stands; derived, and made anew
//	records.lock  held while one of them is changed
//
// A line names a record by its path and the digest of its file, so that a file
// which somebody else changed is another one. The last line of a record counts.
package trust

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
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
)

// Act is what happened to a record.
type Act string

// The acts.
const (
	Saved    Act = "saved"    // this user's Keepsake wrote it
	Accepted Act = "accepted" // a person was shown it whole and said yes
	Refused  Act = "refused"  // a person was shown it whole and said no
	Signed   Act = "signed"   // somebody whose signature the person trusts signed it
)

// An Entry is what is known of one version of a record.
type Entry struct {
	At       time.Time      `json:"at"` // UTC
	Act      Act            `json:"act"`
	Path     string         `json:"path"`             // below the store's root
	Digest   string         `json:"digest"`           // of its file: plan.DigestOf
	Origin   finding.Origin `json:"origin"`           //
	Quotes   []string       `json:"quotes,omitempty"` // what the person said, word for word
	Agent    []string       `json:"agent,omitempty"`  // the fields that have the agent's wording
	Kept     []string       `json:"kept,omitempty"`   // what a person said or accepted, in fields of Agent
	Findings []int          `json:"findings,omitempty"`
	Why      string         `json:"why,omitempty"` // it is held, in a sentence

	By        string `json:"by,omitempty"`        // who signed it
	Approvers string `json:"approvers,omitempty"` // digest of the approvers by whose word By may
	Project   string `json:"project,omitempty"`   // of accepted approvers: where what they sign counts
}

// Held reports whether the record waits for a person's yes, or got a no.
func (e Entry) Held() bool {
	switch e.Act {
	case Accepted, Signed:
		return false
	case Refused:
		return true
	}
	return e.Origin != finding.FromPerson && e.Origin != finding.FromAgent
}

// Persons reports whether the record is a person's: in their words, or accepted by them.
func (e Entry) Persons() bool { return e.Origin == finding.FromPerson || e.Act == Accepted }

// maxLog bounds what is read of the log, in bytes; maxTail how much of it may stand
// behind what the index covers; and slack how large a log may be before one that is
// mostly over is written anew.
const (
	maxLog  = 64 << 20
	maxTail = 16 << 10
	slack   = 256 << 10
)

// maxVersions is how many versions of a record are known at a time: branches and
// worktrees have their own.
const maxVersions = 16

// lockWait is how long a change waits for another process.
const lockWait = 2 * time.Second

// Records is the folder with what is known of a project's records.
type Records struct{ Dir string }

// Log returns the path of the lines.
func (r Records) Log() string { return filepath.Join(r.Dir, "records.jsonl") }

func (r Records) index() string { return filepath.Join(r.Dir, "records.idx") }

// Add writes down what happened to records, all of it or nothing.
func (r Records) Add(entries ...Entry) error {
	if len(entries) == 0 {
		return nil
	}
	lines, err := encode(entries)
	if err != nil {
		return err
	}
	return r.locked(func() error {
		f, err := os.OpenFile(r.Log(), os.O_CREATE|os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		err = disk.Append(r.Log(), func(f io.ReaderAt, size int64) ([]byte, error) {
			if size+int64(len(lines)) > maxLog {
				return nil, fmt.Errorf("%s: larger than %d MiB; hint: move it away; keepsake review then "+
					"shows the records again", r.Log(), maxLog>>20)
			}
			if last := make([]byte, 1); size > 0 {
				if _, err := f.ReadAt(last, size-1); err != nil {
					return nil, err
				}
				if last[0] != '\n' { // a line that was cut short
					return append([]byte("\n"), lines...), nil
				}
			}
			return lines, nil
		})
		if err != nil {
			return err
		}
		r.cover()
		return nil
	})
}

// Accept writes down that a person was shown records whole and said yes, or no.
// What was known of them before stays known.
func (r Records) Accept(act Act, at time.Time, seen ...Entry) error {
	if act != Accepted && act != Refused {
		return fmt.Errorf("%q is no answer", act)
	}
	entries := make([]Entry, len(seen))
	for i, e := range seen {
		e.Act, e.At = act, at.UTC()
		entries[i] = e
	}
	return r.Add(entries...)
}

func encode(entries []Entry) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, e := range entries {
		if e.Path == "" || e.Digest == "" {
			return nil, errors.New("trust: an entry without a path or a digest names no record")
		}
		e.At = e.At.UTC()
		if err := enc.Encode(e); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func (r Records) locked(do func() error) error {
	for _, dir := range []string{filepath.Dir(r.Dir), r.Dir} {
		if err := disk.Private(dir); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock, err := disk.Exclusive(ctx, filepath.Join(r.Dir, "records.lock"))
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}

// A View answers questions about records. It is of one moment, and must be closed.
type View struct {
	log, index *os.File
	size       int64  // of the log
	rows       int    // of the index
	tail       []byte // of the log, behind what the index covers
}

// View opens what is known. Of a project without records nothing is known, which is
// no error.
func (r Records) View() (*View, error) {
	v := &View{}
	f, info, err := disk.Open(r.Log())
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.log, v.size = f, info.Size()
	covered := v.openIndex(r.index())
	if v.size-covered > maxLog {
		v.Close()
		return nil, fmt.Errorf("%s: larger than %d MiB", r.Log(), maxLog>>20)
	}
	v.tail = make([]byte, v.size-covered)
	if _, err := f.ReadAt(v.tail, covered); err != nil && len(v.tail) > 0 {
		v.Close()
		return nil, err
	}
	return v, nil
}

// Close closes the files.
func (v *View) Close() {
	for _, f := range []*os.File{v.log, v.index} {
		if f != nil {
			f.Close()
		}
	}
}

// Know returns the last entry of a record whose file has a digest.
func (v *View) Know(path, digest string) (Entry, bool) {
	if len(digest) == 0 {
		return Entry{}, false
	}
	for rest := v.tail; len(rest) > 0; {
		i := bytes.LastIndex(rest, []byte(digest))
		if i < 0 {
			break
		}
		from := bytes.LastIndexByte(rest[:i], '\n') + 1
		line, _, _ := bytes.Cut(rest[from:], []byte("\n"))
		if e, ok := parse(line); ok && e.Path == path && e.Digest == digest {
			return e, true
		}
		rest = rest[:from]
	}
	if v.index == nil {
		return Entry{}, false
	}
	return v.find(path, digest)
}

// Each yields the last entry of each version of a record, in no order.
func (v *View) Each(see func(Entry) bool) error {
	if v.log == nil {
		return nil
	}
	text := make([]byte, v.size)
	if _, err := v.log.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for _, at := range lastLines(text) {
		if e, ok := parse(text[at.from:at.to]); ok && !see(e) {
			return nil
		}
	}
	return nil
}

// parse parses a line. ok is false if it was cut short or edited by hand.
func parse(line []byte) (e Entry, ok bool) {
	err := json.Unmarshal(line, &e)
	return e, err == nil && e.Path != "" && e.Digest != "" && strings.Trim(e.Digest, "0123456789abcdef") == ""
}
