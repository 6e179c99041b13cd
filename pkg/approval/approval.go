// Package approval keeps what a person was asked, what they answered, and what
// became of it, outside everything the agent may write.
//
// An approval is for one call: it names the SHA-256 of the checkpoint, the tool
// and its arguments, so that one changed byte is another call. It is used once,
// expires, and belongs to a project, and to a session too when it was given
// there. The life of one is its place in the folder, moved by renaming, so that
// two calls at once can't both have it:
//
//	asked/ID.json    the gate stopped this call, and a person may answer it
//	given/ID.json    a person said yes, and the call has not been made again yet
//	refused/ID.json  a person said no
//	declined/ID.json the turn ended without the call: No in the client's dialog
//	taken/USE.json   the call was let through; USE is the client's tool_use_id
//	granted/HASH.json   a promotion that may run once; HASH is of its nonce
//	redeemed/HASH.json  one that has run
//	settled.jsonl    what became of it, one line a call
//
// A request is kept with its digest, which binds the exact bytes, and with a text
// for the person from which secrets are taken out: the bytes themselves are never
// written down. Files go when they are too old to count, at the next request and
// at every sweep.
//
// Directories have mode 0700 and files 0600. A file that is a link, belongs to
// somebody else, can be written by others or does not read as what it should be
// approves nothing and is an error that names it.
package approval

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/secret"
)

// Version is the form of the files. A newer one approves nothing.
const Version = 1

// Valid is how long a yes lasts: long enough to go back to the session and have
// the call made again, short enough that it is not forgotten.
const Valid = 15 * time.Minute

// Kept is how long an unanswered request and an answered one can be seen.
const Kept = 24 * time.Hour

// maxFile bounds one file in bytes: a call's arguments and what is said of them.
const maxFile = 20 << 20

// maxWaiting is how many requests are kept; with one more the oldest goes.
const maxWaiting = 200

// Dir is the folder of the approvals, absolute.
type Dir string

// By says where an answer was given.
type By string

// Where answers come from.
const (
	Terminal By = "terminal" // keepsake inbox approve or keepsake review, at the controlling terminal
	Slash    By = "slash"    // /keepsake:approve, typed into the session that asked
	Dialog   By = "dialog"   // the client's own dialog
)

// A Request is one call that was stopped, and the answer once there is one.
type Request struct {
	Version    int             `json:"version"`
	ID         string          `json:"id"`
	Digest     string          `json:"digest"` // of checkpoint, tool and canonical arguments, in hexadecimal
	Checkpoint string          `json:"checkpoint"`
	Rule       string          `json:"rule"`
	Tool       string          `json:"tool"`
	Args       json.RawMessage `json:"args"` // as kept: without the secrets
	// what the person was told, as kept: without the secrets
	Reason  string    `json:"reason"`
	Line    string    `json:"line,omitempty"` // digest of the first line of what they were told
	Session string    `json:"session"`        // that asked
	Project string    `json:"project"`        // its home directory
	Cwd     string    `json:"cwd,omitempty"`  // where it would run, for a command
	Agent   string    `json:"agent,omitempty"`
	Asked   time.Time `json:"asked"`
	// Writes is the digest of what a promotion would write, "" for every other
	// call: the same words may mean other bytes by now. Runs is that of the command
	// that the gate has put in the place of the call's.
	Writes string `json:"writes,omitempty"`
	Runs   string `json:"runs,omitempty"`

	By       By        `json:"by,omitempty"`
	Answered time.Time `json:"answered,omitzero"`
}

// Told reports whether the person was told that the call would do what reason says
// in its first line. With another script behind the same words it is another one.
func (r Request) Told(reason string) bool {
	if r.Line == "" { // kept by a version that wrote the reason down as it was
		return firstLine(r.Reason) == firstLine(reason)
	}
	return r.Line == lineDigest(reason)
}

func firstLine(reason string) string {
	first, _, _ := strings.Cut(reason, "\n")
	return first
}

func lineDigest(reason string) string {
	sum := sha256.Sum256([]byte(firstLine(reason)))
	return hex.EncodeToString(sum[:])
}

// kept is r as it may be written down.
func (r Request) kept() Request {
	if r.Line == "" {
		r.Line = lineDigest(r.Reason)
	}
	r.Reason = secret.RedactValues(r.Reason, secret.ValuesJSON(r.Args)) // it has cut what it quotes
	if len(r.Args) > 0 {
		r.Args = secret.RedactJSON(r.Args)
	}
	return r
}

// Expired says that a yes is too old to be used, or lies in the future: a clock
// that was set back must not make it last.
func (r Request) Expired(now time.Time) bool {
	return now.Sub(r.Answered) > Valid || now.Before(r.Answered.Add(-time.Minute))
}

// Errors that a caller tells apart.
var (
	ErrUnknown  = errors.New("nothing of this id waits for an answer")
	ErrAnswered = errors.New("is answered so already")
	ErrSession  = errors.New("was asked in another session")
)

// Ask writes down a call that was stopped and returns its id, which is the same
// for the same call of the same session. A call that a person refused keeps its
// id and is not asked again; refused says so.
func (d Dir) Ask(r Request) (id string, refused bool, err error) {
	if err := d.make("asked"); err != nil {
		return "", false, err
	}
	r.Version = Version
	for n := 6; n <= 12; n += 2 {
		id = shortID(r, n)
		old, where, err := d.find(id)
		switch {
		case err == nil && old.Digest == r.Digest && old.Session == r.Session:
			if where == "refused" {
				return id, true, nil
			}
			if where == "given" && !old.Expired(r.Asked) {
				return id, false, nil // answered while this call was being stopped: the next one runs
			}
			if where == "given" || where == "declined" { // too old, or to be decided anew: ask afresh
				if err := disk.Remove(d.path(where, id)); err != nil {
					return "", false, err
				}
			}
		case err == nil:
			continue // another call of that id
		case !errors.Is(err, ErrUnknown):
			return "", false, err
		}
		r.ID = id
		if err := d.prune(r.Asked, maxWaiting); err != nil {
			return "", false, err
		}
		return id, false, d.write("asked", r)
	}
	return "", false, fmt.Errorf("%s: no free id", d)
}

// Approve turns a request into a yes that Take can use once. With Slash, session
// must be the one that asked.
func (d Dir) Approve(id string, by By, session string, now time.Time) (Request, error) {
	return d.answer(id, "given", by, session, now)
}

// Reject turns a request into a no: the same call of the same session is then
// refused without asking, until the request is forgotten. A person may change
// their mind: until a yes is used, either answer takes the place of the other.
func (d Dir) Reject(id string, by By, session string, now time.Time) (Request, error) {
	return d.answer(id, "refused", by, session, now)
}

func (d Dir) answer(id, to string, by By, session string, now time.Time) (Request, error) {
	r, where, err := d.find(strings.ToLower(strings.TrimSpace(id)))
	switch {
	case err != nil:
		return r, err
	case where == to && !(to == "given" && r.Expired(now)):
		return r, fmt.Errorf("%s %w", r.ID, ErrAnswered)
	case now.Sub(r.Asked) > Kept:
		return r, fmt.Errorf("%s: %w", id, ErrUnknown)
	case by == Slash && r.Session != session:
		return r, fmt.Errorf("%s %w", r.ID, ErrSession)
	}
	if err := d.make(to); err != nil {
		return r, err
	}
	// Renamed first, so that a yes that a call uses meanwhile can't be taken for one
	// that was taken back. Until it is written, the file in given is an old yes.
	switch err := os.Rename(d.path(where, r.ID), d.path(to, r.ID)); {
	case errors.Is(err, fs.ErrNotExist):
		return r, fmt.Errorf("%s: %w", id, ErrUnknown)
	case err != nil:
		return r, err
	}
	r.By, r.Answered = by, now.UTC()
	return r, d.write(to, r)
}

// Take uses up the yes for a call, if there is one: for these bytes, for this
// project, and for this session if it was given there. use is the client's id of
// the call. Of several callers at once one gets it. A file that can't be trusted
// is skipped and returned as an error beside what was found.
func (d Dir) Take(digest, session, project, use string, now time.Time) (r Request, ok bool, err error) {
	if digest == "" {
		return r, false, nil
	}
	all, err := d.read("given")
	for _, g := range all {
		if g.Digest != digest || g.Project != project || g.Expired(now) || g.By == Slash && g.Session != session {
			continue
		}
		if mk := d.make("taken"); mk != nil {
			return r, false, errors.Join(err, mk)
		}
		switch to := d.path("taken", name(use, g.ID)); os.Rename(d.path("given", g.ID), to) {
		case nil:
			return g, true, err
		default: // another call took it
		}
	}
	return r, false, err
}

// Show writes down that the client's own dialog was asked for a call, so that
// Settle knows who said yes if the call runs.
func (d Dir) Show(r Request, use string) error {
	if err := d.make("taken"); err != nil {
		return err
	}
	r.Version, r.By, r.Answered = Version, Dialog, r.Asked
	return d.save(d.path("taken", name(use, r.ID)), r)
}

// Keep writes down again a request that Take has used up, with what will run.
func (d Dir) Keep(r Request, use string) error { return d.save(d.path("taken", name(use, r.ID)), r) }

// Waiting lists what waits for an answer, the oldest first.
func (d Dir) Waiting(now time.Time) ([]Request, error) {
	all, err := d.read("asked")
	all = slices.DeleteFunc(all, func(r Request) bool { return now.Sub(r.Asked) > Kept })
	slices.SortFunc(all, func(a, b Request) int { return a.Asked.Compare(b.Asked) })
	return all, err
}

// Answered lists the yeses that can still be used and the noes that still count.
func (d Dir) Answered(now time.Time) (given, refused []Request, err error) {
	given, gerr := d.read("given")
	given = slices.DeleteFunc(given, func(r Request) bool { return r.Expired(now) })
	refused, rerr := d.read("refused")
	refused = slices.DeleteFunc(refused, func(r Request) bool { return now.Sub(r.Answered) > Kept })
	return given, refused, errors.Join(gerr, rerr)
}

// Find returns a request by its id, answered or not.
func (d Dir) Find(id string) (Request, error) {
	r, _, err := d.find(strings.ToLower(strings.TrimSpace(id)))
	return r, err
}

func (d Dir) find(id string) (Request, string, error) {
	if !isID(id) {
		return Request{}, "", fmt.Errorf("%q: %w", id, ErrUnknown)
	}
	for _, where := range []string{"given", "refused", "asked", "declined"} {
		r, err := d.load(d.path(where, id))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return r, where, err
		}
	}
	return Request{}, "", fmt.Errorf("%s: %w", id, ErrUnknown)
}

func (d Dir) path(where, id string) string { return filepath.Join(string(d), where, id+".json") }

// make makes one folder of d, private, as are d and the folder around it.
func (d Dir) make(where string) error {
	for _, dir := range []string{filepath.Dir(string(d)), string(d), filepath.Join(string(d), where)} {
		if err := disk.Private(dir); err != nil {
			return err
		}
	}
	return nil
}

func (d Dir) write(where string, r Request) error { return d.save(d.path(where, r.ID), r) }

func (d Dir) save(path string, r Request) error {
	r = r.kept()
	args := r.Args
	r.Args = nil
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if len(args) > 0 { // put in as they are: they have a digest, so they are valid, and may be a megabyte
		head, rest, _ := bytes.Cut(b, []byte(`"args":null`))
		b = slices.Concat(head, []byte(`"args":`), args, rest)
	}
	return disk.Write(path, b, 0o600)
}

// read returns what one folder holds. No folder is nothing.
func (d Dir) read(where string) ([]Request, error) {
	dir := filepath.Join(string(d), where)
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.IsDir(): // what a link leads to may be anybody's
		return nil, fmt.Errorf("%s: %w; hint: it should be a folder; remove it", dir, disk.ErrNotPrivate)
	}
	entries, err := os.ReadDir(dir)
	errs := []error{err}
	var all []Request
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !strings.HasSuffix(e.Name(), ".json") {
			continue // being written
		}
		r, err := d.load(filepath.Join(string(d), where, e.Name()))
		switch {
		case err == nil:
			all = append(all, r)
		case !errors.Is(err, fs.ErrNotExist): // taken meanwhile
			errs = append(errs, err)
		}
	}
	return all, errors.Join(errs...)
}

// load reads one file, if it can be trusted.
func (d Dir) load(path string) (Request, error) {
	var r Request
	b, info, err := disk.ReadInfo(path, maxFile)
	switch {
	case err != nil:
		return r, err
	case !disk.OwnedByUs(info) || info.Mode().Perm()&0o077 != 0:
		return r, fmt.Errorf("%s: %w; hint: approvals are files of mode 0600; remove it", path, disk.ErrNotPrivate)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return r, fmt.Errorf("%s: broken: %w; hint: remove it", path, err)
	}
	if r.Version != Version || r.Digest == "" || !isID(r.ID) {
		return r, fmt.Errorf("%s: not an approval of version %d; hint: remove it, or install the newer keepsake again", path, Version)
	}
	return r, nil
}

// Sweep deletes the requests and answers that are too old to be seen. It needs no
// further request: a session's start and every look at what waits do it.
func (d Dir) Sweep(now time.Time) error {
	if d == "" {
		return nil
	}
	return d.prune(now, maxWaiting+1)
}

// prune forgets what is too old to be seen, and the oldest so that fewer than room are left.
func (d Dir) prune(now time.Time, room int) error {
	for _, where := range []string{"asked", "given", "refused", "declined", "taken", "granted", "redeemed"} {
		dir := filepath.Join(string(d), where)
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		type file struct {
			path string
			at   time.Time
		}
		var files []file
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				files = append(files, file{filepath.Join(dir, e.Name()), info.ModTime()})
			}
		}
		slices.SortFunc(files, func(a, b file) int { return a.at.Compare(b.at) })
		for i, f := range files {
			if now.Sub(f.at) > Kept || len(files)-i >= room {
				if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
	}
	return nil
}
