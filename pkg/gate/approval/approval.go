// Package approval stores what a person was asked, what they answered and what came of it, in a place where
// the agent may not write.
//
// An approval is for one call: it has the SHA-256 of the checkpoint, the tool and its arguments, so a call
// that differs in a byte is another call. It can be used once, expires, and belongs to a project, and also to
// a session if it was given there. Its state is the folder it is in. It is moved by renaming, so that two
// calls at once cannot both use it:
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
// A request is stored with its digest, which stands for the exact bytes, and with a text for the person
// without secrets; the bytes themselves are never stored. Expired files are deleted at the next request and
// at every sweep.
//
// Directories have mode 0700 and files 0600. A file approves nothing if it is a link, belongs to somebody
// else, can be written by others or does not parse; the error names it.
//
// Weigh and Settle put these answers and the gate's verdicts together: a call that was approved runs, one
// that was stopped is written down, and its result is settled when it has run.
package approval

import (
	"bytes"
	"cmp"
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

// Version is the version of the files' form. A file of a newer one approves nothing.
const Version = 1

// Valid is how long a yes can be used: long enough to go back to the session and have the call made again,
// short enough not to be forgotten.
const Valid = 15 * time.Minute

// Kept is how long a request can be seen, answered or not.
const Kept = 24 * time.Hour

// maxFile is the size of the largest file that is read, in bytes. It holds a call's arguments and the reason.
const maxFile = 20 << 20

// maxWaiting is how many requests are kept; one more removes the oldest.
const maxWaiting = 200

// Dir is the path of the folder of approvals; it is absolute.
type Dir string

// folders are where the requests and grants of each state are.
var folders = [...]string{"asked", "given", "refused", "declined", "taken", "granted", "redeemed"}

// By is the place where an answer was given.
type By string

// The places where an answer can be given.
const (
	Terminal By = "terminal" // keepsake inbox approve or keepsake review, at the controlling terminal
	Slash    By = "slash"    // /keepsake:approve, typed into the session that asked
	Dialog   By = "dialog"   // the client's own dialog
)

// A Request is one call that was stopped, and the answer once there is one.
type Request struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	// of the checkpoint, the tool and the canonical arguments, in hex
	Digest     string          `json:"digest"`
	Checkpoint string          `json:"checkpoint"`
	Rule       string          `json:"rule"`
	Tool       string          `json:"tool"`
	Args       json.RawMessage `json:"args"` // with secrets taken out
	// the text the person was shown, with secrets taken out
	Reason  string    `json:"reason"`
	Line    string    `json:"line,omitempty"` // digest of the first line of the text as it was shown
	Session string    `json:"session"`        // the session that asked
	Project string    `json:"project"`        // its home directory
	Cwd     string    `json:"cwd,omitempty"`  // working directory of a command
	Agent   string    `json:"agent,omitempty"`
	AgentID string    `json:"agent_id,omitempty"`
	Asked   time.Time `json:"asked"`           // the last time
	First   time.Time `json:"first,omitzero"`  // the first time, if it was asked more than once
	Times   int       `json:"times,omitempty"` // how often it was asked, if more than once
	// Transcript is the session's file, and From its size in bytes when the call was asked about. The call's
	// result stands behind it, or in the file of the subagent that made it.
	Transcript string `json:"transcript,omitempty"`
	From       int64  `json:"from,omitempty"`
	// Writes is the digest of what a promotion would write, since the same command may write other bytes
	// later; "" for other calls. Runs is the digest of the command that the gate put in the place of the
	// call's.
	Writes string `json:"writes,omitempty"`
	Runs   string `json:"runs,omitempty"`

	By       By        `json:"by,omitempty"`
	Answered time.Time `json:"answered,omitzero"`
}

// wasTold reports whether the person was told what the first line of reason says. It differs when the same
// command would by now run another script.
func (r Request) wasTold(reason string) bool {
	if r.Line == "" { // an older version stored the reason as it was
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

// withoutSecrets returns r without secrets, as it may be stored.
func (r Request) withoutSecrets() Request {
	if r.Line == "" {
		r.Line = lineDigest(r.Reason)
	}
	// the reason may quote a part of a secret
	r.Reason = secret.RedactValues(r.Reason, secret.ValuesJSON(r.Args))
	if len(r.Args) > 0 {
		r.Args = secret.RedactJSON(r.Args)
	}
	return r
}

// isExpired reports whether a yes is too old to be used. It also does for one in the future, so that
// setting a clock back does not extend it.
func (r Request) isExpired(now time.Time) bool {
	return now.Sub(r.Answered) > Valid || now.Before(r.Answered.Add(-time.Minute))
}

// Errors that callers tell apart.
var (
	ErrUnknown  = errors.New("nothing of this id waits for an answer")
	errAnswered = errors.New("already has this answer")
	errSession  = errors.New("was asked in another session")
	errUsed     = errors.New("its answer was used already")
)

// Ask stores a call that was stopped and returns its id. The same call of the same session has the same id. A
// call that a person refused keeps its id and is not asked about again; refused reports that.
func (d Dir) Ask(r Request) (id string, refused bool, err error) {
	if err := d.makeDir("asked"); err != nil {
		return "", false, err
	}
	r.Version = Version
	for n := 6; n <= 12; n += 2 {
		id = shortID(r, n)
		old, where, err := d.findRequest(id)
		switch {
		case err == nil && old.Digest == r.Digest && old.Session == r.Session:
			if where == "refused" {
				return id, true, nil
			}
			if where == "given" && !old.isExpired(r.Asked) {
				return id, false, nil // answered just now: the next call runs
			}
			r.First, r.Times = old.since(), old.times()+1
			if where == "given" || where == "declined" { // too old, or to be asked about again
				if err := disk.Remove(d.requestPath(where, id)); err != nil {
					return "", false, err
				}
			}
		case err == nil:
			continue // another call has that id
		case !errors.Is(err, ErrUnknown):
			return "", false, err
		}
		r.ID = id
		if err := d.prune(r.Asked, maxWaiting); err != nil {
			return "", false, err
		}
		return id, false, d.writeRequest("asked", r)
	}
	return "", false, fmt.Errorf("%s: no free id", d)
}

// Approve turns a request into a yes that Take can use once. If by is Slash, session must be the one that
// asked.
func (d Dir) Approve(id string, by By, session string, now time.Time) (Request, error) {
	return d.moveAnswered(id, "given", by, session, now)
}

// Reject turns a request into a no. The same call of the same session is then refused without asking until
// the request expires. Until a yes is used, a person may replace either answer with the other.
func (d Dir) Reject(id string, by By, session string, now time.Time) (Request, error) {
	return d.moveAnswered(id, "refused", by, session, now)
}

func (d Dir) moveAnswered(id, to string, by By, session string, now time.Time) (Request, error) {
	r, where, err := d.findRequest(strings.ToLower(strings.TrimSpace(id)))
	if err == nil && by == Slash && r.Session != session {
		r, where = d.repeatIn(session, r, where)
	}
	switch {
	case err != nil:
		return r, err
	case where == to && !(to == "given" && r.isExpired(now)):
		return r, fmt.Errorf("%s %w", r.ID, errAnswered)
	case now.Sub(r.Asked) > Kept:
		return r, fmt.Errorf("%s: %w", id, ErrUnknown)
	case by == Slash && r.Session != session:
		return r, fmt.Errorf("%s %w", r.ID, errSession)
	}
	if err := d.makeDir(to); err != nil {
		return r, err
	}
	// The rename comes first, so that a yes taken back and a yes used at this moment cannot be mixed up.
	// Until the new answer is written, the file in given is an old yes.
	switch err := os.Rename(d.requestPath(where, r.ID), d.requestPath(to, r.ID)); {
	case errors.Is(err, fs.ErrNotExist):
		return r, fmt.Errorf("%s: %w", id, ErrUnknown)
	case err != nil:
		return r, err
	}
	r.By, r.Answered = by, now.UTC()
	return r, errors.Join(d.writeRequest(to, r), d.answerRepeats(r, to))
}

// Unanswer has a call wait again whose answer has not been used. A no that was for the same call of other
// sessions is taken back there too.
func (d Dir) Unanswer(id string) (Request, error) {
	r, where, err := d.findRequest(strings.ToLower(strings.TrimSpace(id)))
	if err != nil {
		return r, err
	}
	if where != "given" && where != "refused" {
		return r, fmt.Errorf("%s has no answer that could be taken back", r.ID)
	}
	all, err := d.readAll(where)
	errs := []error{err}
	for _, o := range all {
		if o.ID == r.ID || where == "refused" && o.repeats(r) && o.Answered.Equal(r.Answered) {
			errs = append(errs, d.ungive(o, where))
		}
	}
	return r, errors.Join(errs...)
}

// ungive moves one request back to those that wait. As with an answer, the rename comes first: a yes that is
// used at this moment is either used or taken back.
func (d Dir) ungive(r Request, where string) error {
	if err := d.makeDir("asked"); err != nil {
		return err
	}
	err := os.Rename(d.requestPath(where, r.ID), d.requestPath("asked", r.ID))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", r.ID, errUsed)
	}
	if err != nil {
		return err
	}
	r.By, r.Answered = "", time.Time{}
	return d.writeRequest("asked", r)
}

// Take uses up the yes for a call, if there is one for these bytes and this project, and for this session if
// it was given there. use is the client's id of the call. If several callers ask at once, one gets it. A file
// that cannot be trusted is skipped, and its error returned with the result.
func (d Dir) Take(digest, session, project, use string, now time.Time) (r Request, ok bool, err error) {
	if digest == "" {
		return r, false, nil
	}
	all, err := d.readAll("given")
	for _, g := range all {
		if g.Digest != digest || g.Project != project || g.isExpired(now) || g.By == Slash &&
			g.Session != session {
			continue
		}
		if mk := d.makeDir("taken"); mk != nil {
			return r, false, errors.Join(err, mk)
		}
		switch to := d.requestPath("taken", useName(use, g.ID)); os.Rename(d.requestPath("given", g.ID), to) {
		case nil:
			return g, true, err
		default: // another call took it
		}
	}
	return r, false, err
}

// WaitingIn returns what waits of a session, as Waiting does.
func (d Dir) WaitingIn(session string, now time.Time) ([]Request, error) {
	all, err := d.Waiting(now)
	return slices.DeleteFunc(all, func(r Request) bool {
		if r.Session == session {
			return false
		}
		own, where := d.repeatIn(session, r, "")
		return where != "asked" || own.Session != session
	}), err
}

// Show notes that the client's own dialog is shown for a call, so that Settle knows who said yes if it runs.
func (d Dir) Show(r Request, use string) error {
	if err := d.makeDir("taken"); err != nil {
		return err
	}
	r.Version, r.By, r.Answered = Version, Dialog, r.Asked
	return d.saveFile(d.requestPath("taken", useName(use, r.ID)), r)
}

// keepTaken stores a request that Take has used up again, now with what will run.
func (d Dir) keepTaken(r Request, use string) error {
	return d.saveFile(d.requestPath("taken", useName(use, r.ID)), r)
}

// Waiting returns the calls without an answer, in the order in which they were first asked. That order does
// not change, so a range of them means the same later. A call that several sessions asked about is there
// once, with the id of the first, and counts how often it was asked.
func (d Dir) Waiting(now time.Time) ([]Request, error) {
	all, err := d.readAll("asked")
	all = slices.DeleteFunc(all, func(r Request) bool { return now.Sub(r.Asked) > Kept })
	slices.SortFunc(all, func(a, b Request) int {
		return cmp.Or(a.since().Compare(b.since()), strings.Compare(a.ID, b.ID))
	})
	var once []Request
	for _, r := range all {
		i := slices.IndexFunc(once, r.repeats)
		if i < 0 {
			once = append(once, r)
			continue
		}
		first := &once[i]
		first.First, first.Times = first.since(), first.times()+r.times()
		if r.Asked.After(first.Asked) {
			first.Asked = r.Asked
		}
	}
	return once, err
}

// Answered returns each yes that can still be used and each no that still counts.
func (d Dir) Answered(now time.Time) (given, refused []Request, err error) {
	given, gerr := d.readAll("given")
	given = slices.DeleteFunc(given, func(r Request) bool { return r.isExpired(now) })
	refused, rerr := d.readAll("refused")
	refused = slices.DeleteFunc(refused, func(r Request) bool { return now.Sub(r.Answered) > Kept })
	return given, refused, errors.Join(gerr, rerr)
}

// Find returns a request by its id, answered or not.
func (d Dir) Find(id string) (Request, error) {
	r, _, err := d.findRequest(strings.ToLower(strings.TrimSpace(id)))
	return r, err
}

func (d Dir) findRequest(id string) (Request, string, error) {
	if !isID(id) {
		return Request{}, "", fmt.Errorf("%q: %w", id, ErrUnknown)
	}
	for _, where := range []string{"given", "refused", "asked", "declined"} {
		r, err := d.loadRequest(d.requestPath(where, id))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return r, where, err
		}
	}
	return Request{}, "", fmt.Errorf("%s: %w", id, ErrUnknown)
}

func (d Dir) requestPath(where, id string) string { return filepath.Join(string(d), where, id+".json") }

// makeDir makes a folder of d. It, d and the folder around d become private.
func (d Dir) makeDir(where string) error {
	for _, dir := range []string{filepath.Dir(string(d)), string(d), filepath.Join(string(d), where)} {
		if err := disk.Private(dir); err != nil {
			return err
		}
	}
	return nil
}

func (d Dir) writeRequest(where string, r Request) error {
	return d.saveFile(d.requestPath(where, r.ID), r)
}

func (d Dir) saveFile(path string, r Request) error {
	r = r.withoutSecrets()
	args := r.Args
	r.Args = nil
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	// the arguments are inserted as they are: having a digest, they are valid, and they may be a megabyte
	if len(args) > 0 {
		head, rest, _ := bytes.Cut(b, []byte(`"args":null`))
		b = slices.Concat(head, []byte(`"args":`), args, rest)
	}
	return disk.Write(path, b, 0o600)
}

// readAll returns the requests in a folder. A missing folder has none.
func (d Dir) readAll(where string) ([]Request, error) {
	dir := filepath.Join(string(d), where)
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() { // a link may lead to anybody's files
		return nil, fmt.Errorf("%s: %w; hint: it should be a folder; remove it", dir, disk.ErrNotPrivate)
	}
	paths, err := d.files(where)
	errs := []error{err}
	var all []Request
	for _, path := range paths {
		r, err := d.loadRequest(path)
		switch {
		case err == nil:
			all = append(all, r)
		case !errors.Is(err, fs.ErrNotExist): // except one taken meanwhile
			errs = append(errs, err)
		}
	}
	return all, errors.Join(errs...)
}

// files returns the paths of the files in a folder, without those that are being written. A missing
// folder has none.
func (d Dir) files(where string) (paths []string, err error) {
	entries, err := os.ReadDir(filepath.Join(string(d), where))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), ".json") {
			paths = append(paths, filepath.Join(string(d), where, e.Name()))
		}
	}
	return paths, err
}

// loadRequest reads a file and returns an error if it cannot be trusted.
func (d Dir) loadRequest(path string) (Request, error) {
	var r Request
	b, err := readPrivate(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return r, fmt.Errorf("%s: broken: %w; hint: remove it", path, err)
	}
	if r.Version != Version || r.Digest == "" || !isID(r.ID) {
		return r,
			fmt.Errorf("%s: not an approval of version %d; hint: remove it, or install the newer keepsake "+
				"again", path, Version)
	}
	return r, nil
}

// readPrivate reads a file that nobody else can have written or read.
func readPrivate(path string) ([]byte, error) {
	b, info, err := disk.ReadInfo(path, maxFile)
	if err == nil && (!disk.OwnedByUs(info) || info.Mode().Perm()&0o077 != 0) {
		err = fmt.Errorf("%s: %w; hint: approvals are files of mode 0600; remove it", path,
			disk.ErrNotPrivate)
	}
	return b, err
}

// Sweep deletes requests and answers that are too old to be seen, and settles calls that the person rejected
// in a dialog. The start of a session and each listing of what waits call it.
func (d Dir) Sweep(now time.Time) error {
	if d == "" {
		return nil
	}
	return errors.Join(d.prune(now, maxWaiting+1), d.SettleRejected(now))
}

// prune deletes what is too old to be seen, and then the oldest requests until fewer than room are left.
func (d Dir) prune(now time.Time, room int) error {
	for _, where := range folders {
		dir := filepath.Join(string(d), where)
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		var files []fs.FileInfo
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				files = append(files, info)
			}
		}
		slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
		for i, f := range files {
			if now.Sub(f.ModTime()) > Kept || len(files)-i >= room {
				err := os.Remove(filepath.Join(dir, f.Name()))
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
	}
	return nil
}
