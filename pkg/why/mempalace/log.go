package mempalace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
)

// version is the version of the log's form. A log of another form is begun anew.
const version = 1

// Log stores counts and findings in one file for all projects and sessions of a person, as they all share a
// palace.
type Log struct{ Path string }

// Moment is when in a session the palaces are looked at.
type Moment uint8

// The moments.
const (
	Start Moment = iota + 1
	Turn
	End
)

// A Client is the process in which a session runs; zero if it is not known.
type Client struct {
	PID   int    `json:"pid,omitempty"`
	Start string `json:"start,omitempty"`
}

// A Finding is something that appeared in or vanished from a file without a person's yes.
type Finding struct {
	At    time.Time `json:"at"`    // when it was found
	Since time.Time `json:"since"` // when the file was counted before
	Path  string    `json:"path"`
	Kind  Kind      `json:"kind"`
	IDs   []string  `json:"ids,omitempty"`
	More  int64     `json:"more,omitempty"` // how many more are not named
	Gone  int64     `json:"gone,omitempty"`
	// Span has the numbers of the rows that are not named: those behind the first, up to the second.
	Span    *[2]int64 `json:"span,omitempty"`
	Session string    `json:"session,omitempty"` // of the look
	// Away says that no session was open at the time, so that it was the person's own work.
	Away bool `json:"away,omitempty"`
	Told bool `json:"told,omitempty"`
}

// New returns how many rows appeared.
func (f Finding) New() int64 { return int64(len(f.IDs)) + f.More }

// seen is the last count of a file.
type seen struct {
	Kind    Kind      `json:"kind"`
	Stamp   string    `json:"stamp"`
	At      time.Time `json:"at"`
	Counted bool      `json:"counted"` // false if it could not be; Trouble says why
	Count   Count     `json:"count"`
	Trouble string    `json:"trouble,omitempty"`
	Waits   bool      `json:"waits,omitempty"` // it looked wrong while an approved call was running
}

type open struct {
	Client Client    `json:"client"`
	Seen   time.Time `json:"seen"`
}

type record struct {
	Version int             `json:"version"`
	Files   map[string]seen `json:"files"`
	Open    map[string]open `json:"open"` // by session
	Found   []Finding       `json:"found"`
}

// Bounds of the record: how many findings are kept, and how long a session of an unknown client counts as
// open after its last look.
const (
	maxFound = 50
	silent   = 7 * 24 * time.Hour
)

// maxRecord is the size of the largest record that is read, in bytes.
const maxRecord = 4 << 20

// lockWait is how long a look waits for another look.
const lockWait = 100 * time.Millisecond

// A Look is one look at the palaces.
type Look struct {
	Files   []File
	Program string
	Session string
	Client  func() Client // the client in which the session runs
	// Since is when this session was first looked at; a file that appears later was empty before. It is zero
	// if that is unknown.
	Since  time.Time
	Moment Moment
	Now    time.Time
	Ended  func(Client) bool
	// Approved returns what was approved since a time. running reports that an approved call may still be
	// running and not have its result stored yet.
	Approved func(since time.Time) (a Approved, running bool, err error)
	// History is told what changed; its zero value is not.
	History History
}

// Take counts what has changed, and stores the counts and the findings. found are the findings of this
// look. tell are all findings that the person has not been told of yet; Take counts them as told. At
// Start and End nobody listens, so tell is empty, and they wait for the next turn. If there is no palace
// and never was one, nothing is written. A palace that cannot be counted is an error, once until it
// changes.
func (l Log) Take(ctx context.Context, k Look) (tell, found []Finding, err error) {
	if len(k.Files) == 0 {
		if _, err := disk.Read(l.Path, maxRecord); err != nil {
			return nil, nil, nil // there are none, and none are known
		}
	}
	if err := disk.Private(filepath.Dir(l.Path)); err != nil {
		return nil, nil, err
	}
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := disk.Exclusive(wait, l.Path+".lock")
	if errors.Is(err, disk.ErrLocked) {
		return nil, nil, nil // another session is looking; the next turn looks again
	}
	if err != nil {
		return nil, nil, err
	}
	defer lock.Unlock()
	r, before, broken := l.loadRecord()
	if broken != nil {
		k.Since = time.Time{} // what was there before is no longer known
	}
	if r.Version > version {
		return nil, nil, nil // a newer version looks
	}
	away := k.Moment == Start && len(r.Open) == 0
	r.trackSession(k)
	found, changed, trouble := r.countChanged(ctx, k, away)
	trouble = errors.Join(trouble, k.snapshot(changed, away))
	r.Found = append(r.Found, found...)
	r.Found = r.Found[max(0, len(r.Found)-maxFound):]
	if k.Moment == Turn {
		for i, f := range r.Found {
			if !f.Told && !f.Away {
				tell = append(tell, f)
				r.Found[i].Told = true
			}
		}
	}
	after, err := json.Marshal(r)
	if after = append(after, '\n'); err == nil && !bytes.Equal(after, before) {
		err = disk.Replace(l.Path, after, 0o600)
	}
	return tell, found, errors.Join(broken, trouble, err)
}

// trackSession updates the list of open sessions.
func (r *record) trackSession(k Look) {
	for id, o := range r.Open {
		if k.Ended(o.Client) || o.Client.Start == "" && k.Now.Sub(o.Seen) > silent {
			delete(r.Open, id)
		}
	}
	_, known := r.Open[k.Session]
	switch {
	case k.Moment == End:
		delete(r.Open, k.Session)
	case k.Moment == Start || !known: // a resumed session has a new client
		r.Open[k.Session] = open{k.Client(), k.Now}
	}
}

// countChanged counts the changed files and compares them with their last counts.
func (r *record) countChanged(ctx context.Context, k Look, away bool) (found []Finding, changed []File,
	err error) {
	stamps := map[string]string{}
	var asks []Ask
	for _, f := range k.Files {
		s, err := f.stamp()
		if err != nil || s == r.Files[f.Path].Stamp {
			continue
		}
		stamps[f.Path] = s
		asks = append(asks, Ask{Path: f.Path, Kind: f.Kind, After: r.Files[f.Path].Count.Max})
	}
	found = r.dropLost(k, away)
	if len(asks) == 0 {
		return found, nil, nil
	}
	counts, err := Run(ctx, k.Program, asks)
	var errs []error
	for _, a := range asks {
		old, now := r.Files[a.Path], counts[a.Path]
		if err != nil && a.Kind != Own {
			now.Error = err.Error()
		}
		if now.Error != "" {
			if now.Error != old.Trouble {
				errs = append(errs, fmt.Errorf("%s: %s", a.Path, now.Error))
			}
			old.Kind, old.Stamp, old.Trouble = a.Kind, stamps[a.Path], now.Error
			r.Files[a.Path] = old
			continue
		}
		changed = append(changed, File{a.Path, a.Kind})
		next := seen{Kind: a.Kind, Stamp: stamps[a.Path], At: k.Now, Counted: true, Count: now}
		_, known := r.Files[a.Path]
		if old.Counted || !known && !k.Since.IsZero() {
			if !known {
				old.At = k.Since
			}
			c := Between(old.Count, now)
			approved, running, err := k.Approved(old.At)
			if err != nil {
				errs = append(errs, err)
			}
			if c = c.Less(approved); c.isAny() {
				if running && !old.Waits && !away {
					// only once: the next look knows what the call stored
					old.Waits, old.Stamp = true, ""
					// so that it compares with old, even if that is empty
					old.Kind, old.Counted = a.Kind, true
					r.Files[a.Path] = old
					continue
				}
				f := c.finding(a, now)
				f.At, f.Since, f.Session, f.Away = k.Now, old.At, k.Session, away
				found = append(found, f)
			}
		}
		r.Files[a.Path] = next
	}
	return found, changed, errors.Join(errs...)
}

// finding returns a change of a file that was counted as a finding, without its times.
func (c Change) finding(a Ask, now Count) Finding {
	c = c.limitNames()
	f := Finding{Path: a.Path, Kind: a.Kind, IDs: c.New, More: c.More, Gone: c.Gone}
	if c.More > 0 && a.Kind != Own {
		f.Span = &[2]int64{a.After, now.Max}
	}
	return f
}

// snapshot starts a snapshot of the palaces that changed, and of those that have none yet.
func (k Look) snapshot(changed []File, away bool) error {
	if k.History.Dir == "" {
		return nil
	}
	s := Snapshot{History: k.History, Session: k.Session, At: k.Now, Away: away}
	for _, f := range k.Files {
		if f.Kind != Own && (slices.Contains(changed, f) || k.Moment == Start && !k.History.has(f.Path)) {
			s.Files = append(s.Files, f)
		}
	}
	if len(s.Files) == 0 {
		return nil
	}
	return s.start(k.Program)
}

// dropLost removes files that are gone from the record and returns findings for all that was in them.
func (r *record) dropLost(k Look, away bool) (found []Finding) {
	for _, path := range slices.Sorted(maps.Keys(r.Files)) {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		old := r.Files[path]
		delete(r.Files, path)
		if approved, _, err := k.Approved(old.At); old.Count.Rows > 0 &&
			(err != nil || !approved.Open && !approved.Removes) {
			found = append(found, Finding{At: k.Now, Since: old.At, Path: path, Kind: old.Kind,
				Gone: old.Count.Rows, Away: away})
		}
	}
	return found
}

// Found returns the stored findings, oldest first.
func (l Log) Found() ([]Finding, error) {
	r, _, err := l.loadRecord()
	return r.Found, err
}

// Asks returns what Run has to count for Later.
func (l Log) Asks(files []File) []Ask {
	r, _, _ := l.loadRecord() // Found returns the error of a broken log
	var asks []Ask
	for _, f := range files {
		asks = append(asks, Ask{Path: f.Path, Kind: f.Kind, After: r.Files[f.Path].Count.Max})
	}
	return asks
}

// Later compares counts with those of the last look and stores nothing. It returns what is not approved and
// came after the last turn, or while no session was open.
func (l Log) Later(asks []Ask, counts map[string]Count,
	approved func(since time.Time) (Approved, error)) ([]Finding, error) {
	r, _, _ := l.loadRecord()
	var all []Finding
	var errs []error
	for _, a := range asks {
		old, now := r.Files[a.Path], counts[a.Path]
		if !old.Counted || now.Path == "" || now.Error != "" {
			continue
		}
		c := Between(old.Count, now)
		if !c.isAny() {
			continue
		}
		yes, err := approved(old.At)
		errs = append(errs, err)
		if c = c.Less(yes); c.isAny() {
			f := c.finding(a, now)
			f.Since, f.Away = old.At, len(r.Open) == 0
			all = append(all, f)
		}
	}
	return all, errors.Join(errs...)
}

// loadRecord returns the record and its file. A broken record is begun anew, and the error says so.
func (l Log) loadRecord() (r record, file []byte, err error) {
	r.Version = version
	b, err := disk.Read(l.Path, maxRecord)
	if err == nil {
		err = json.Unmarshal(b, &r) // sets the version even if another field has a newer form
		if r.Version > version {
			err = nil
		}
		if err != nil {
			r, err = record{Version: version}, fmt.Errorf("%s: broken, so what came before is not known: %w",
				l.Path, err)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if r.Files == nil {
		r.Files = map[string]seen{}
	}
	if r.Open == nil {
		r.Open = map[string]open{}
	}
	return r, b, err
}

// IsAway reports whether no session is known to be open.
func (l Log) IsAway() bool {
	r, _, err := l.loadRecord()
	return err == nil && len(r.Open) == 0
}
