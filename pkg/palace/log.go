package palace

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

// version is the form of the log's file. One that can't be read is begun anew.
const version = 1

// Log remembers counts and findings in one file for all projects and sessions of a
// person: a palace is shared by all of them.
type Log struct{ Path string }

// Moment is where in a session a look is taken.
type Moment uint8

// The moments.
const (
	Start Moment = iota + 1
	Turn
	End
)

// A Client is the process that a session runs in; zero when it isn't known.
type Client struct {
	PID   int    `json:"pid,omitempty"`
	Start string `json:"start,omitempty"`
}

// A Finding is what appeared in one file, or went, without a person's yes.
type Finding struct {
	At    time.Time `json:"at"`    // when it was found
	Since time.Time `json:"since"` // when the file was counted before
	Path  string    `json:"path"`
	Kind  Kind      `json:"kind"`
	IDs   []string  `json:"ids,omitempty"`
	More  int64     `json:"more,omitempty"` // further ones, not named
	Gone  int64     `json:"gone,omitempty"`
	// Away is what happened while no session was open: the person's own work.
	Away bool `json:"away,omitempty"`
	Told bool `json:"told,omitempty"`
}

// New is how many rows appeared.
func (f Finding) New() int64 { return int64(len(f.IDs)) + f.More }

// seen is one file as it was counted last.
type seen struct {
	Kind    Kind      `json:"kind"`
	Stamp   string    `json:"stamp"`
	At      time.Time `json:"at"`
	Counted bool      `json:"counted"` // false: it could not be, Trouble says why
	Count   Count     `json:"count"`
	Trouble string    `json:"trouble,omitempty"`
	Waits   bool      `json:"waits,omitempty"` // looked odd while an approved call was still running
}

type open struct {
	Client Client    `json:"client"`
	Seen   time.Time `json:"seen"`
}

type record struct {
	Version int             `json:"version"`
	Files   map[string]seen `json:"files"`
	Open    map[string]open `json:"open"` // sessions
	Found   []Finding       `json:"found"`
}

// Bounds of the record: findings kept, and how long a session of an unknown
// client counts as open without a word.
const (
	maxFound = 50
	silent   = 7 * 24 * time.Hour
)

// maxRecord is the largest record that is read, in bytes.
const maxRecord = 4 << 20

// lockWait is how long a look waits for another one.
const lockWait = 100 * time.Millisecond

// A Look is one look at the palaces.
type Look struct {
	Files   []File
	Program string
	Session string
	Client  func() Client // that the session runs in
	// Since is when this session was first looked at, zero when it began without:
	// a file that came after that was empty before.
	Since  time.Time
	Moment Moment
	Now    time.Time
	Ended  func(Client) bool
	// Approved says what was approved since a time; Running that a call which
	// was approved may not be written down yet.
	Approved func(since time.Time) (a Approved, running bool, err error)
}

// Take counts what changed, keeps the counts and what was found, and returns the
// findings that a person has to be told and was not; they count as told then. At
// Start and End nobody listens, so nothing is returned and it waits for the next
// turn. New are those that this look found. Where there is no palace and was none,
// nothing is written. A palace that can't be counted is an error, once until it
// changes.
func (l Log) Take(ctx context.Context, k Look) (tell, found []Finding, err error) {
	if len(k.Files) == 0 {
		if _, err := disk.Read(l.Path, maxRecord); err != nil {
			return nil, nil, nil // none there, none known
		}
	}
	if err := disk.Private(filepath.Dir(l.Path)); err != nil {
		return nil, nil, err
	}
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := disk.Exclusive(wait, l.Path+".lock")
	if errors.Is(err, disk.ErrLocked) {
		return nil, nil, nil // another session looks just now; the next turn looks again
	}
	if err != nil {
		return nil, nil, err
	}
	defer lock.Unlock()
	r, before, broken := l.load()
	if broken != nil {
		k.Since = time.Time{} // what was there before is not known any more
	}
	if r.Version > version {
		return nil, nil, nil // the newer one looks
	}
	away := k.Moment == Start && len(r.Open) == 0
	r.session(k)
	found, trouble := r.count(ctx, k, away)
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

// session keeps the list of open sessions.
func (r *record) session(k Look) {
	for id, o := range r.Open {
		if k.Ended(o.Client) || o.Client.Start == "" && k.Now.Sub(o.Seen) > silent {
			delete(r.Open, id)
		}
	}
	_, known := r.Open[k.Session]
	switch {
	case k.Moment == End:
		delete(r.Open, k.Session)
	case k.Moment == Start || !known: // one that is resumed has a new client
		r.Open[k.Session] = open{k.Client(), k.Now}
	}
}

// count has the changed files counted and compares them with what they were.
func (r *record) count(ctx context.Context, k Look, away bool) (found []Finding, err error) {
	stamps := map[string]string{}
	var asks []Ask
	for _, f := range k.Files {
		s, err := f.stamp()
		if err != nil || s == r.Files[f.Path].Stamp {
			continue
		}
		stamps[f.Path] = s
		asks = append(asks, Ask{f.Path, f.Kind, r.Files[f.Path].Count.Max})
	}
	found = r.lost(k, away)
	if len(asks) == 0 {
		return found, nil
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
			if c = c.Less(approved); c.is() {
				if running && !old.Waits && !away {
					old.Waits, old.Stamp = true, ""      // once: the next look knows what it stored
					old.Kind, old.Counted = a.Kind, true // and compares with this, were it with nothing
					r.Files[a.Path] = old
					continue
				}
				c = c.names()
				found = append(found, Finding{At: k.Now, Since: old.At, Path: a.Path, Kind: a.Kind,
					IDs: c.New, More: c.More, Gone: c.Gone, Away: away})
			}
		}
		r.Files[a.Path] = next
	}
	return found, errors.Join(errs...)
}

// lost forgets files that are not there any more, with all that was in them.
func (r *record) lost(k Look, away bool) (found []Finding) {
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

// Found are the findings that are kept, the oldest first.
func (l Log) Found() ([]Finding, error) {
	r, _, err := l.load()
	return r.Found, err
}

// Asks are what Run has to count so that Later can compare.
func (l Log) Asks(files []File) []Ask {
	r, _, _ := l.load() // a broken one is told by Found
	var asks []Ask
	for _, f := range files {
		asks = append(asks, Ask{f.Path, f.Kind, r.Files[f.Path].Count.Max})
	}
	return asks
}

// Later compares counts with those of the last look and keeps nothing: what came
// after the last turn, or while no session was open, and is not approved.
func (l Log) Later(asks []Ask, counts map[string]Count,
	approved func(since time.Time) (Approved, error)) ([]Finding, error) {
	r, _, _ := l.load()
	var all []Finding
	var errs []error
	for _, a := range asks {
		old, now := r.Files[a.Path], counts[a.Path]
		if !old.Counted || now.Path == "" || now.Error != "" {
			continue
		}
		c := Between(old.Count, now)
		if !c.is() {
			continue
		}
		yes, err := approved(old.At)
		errs = append(errs, err)
		if c = c.Less(yes).names(); c.is() {
			all = append(all, Finding{Since: old.At, Path: a.Path, Kind: a.Kind, IDs: c.New, More: c.More,
				Gone: c.Gone, Away: len(r.Open) == 0})
		}
	}
	return all, errors.Join(errs...)
}

// load reads the record, and returns its file too. One that is broken is begun anew,
// and the error says so.
func (l Log) load() (r record, file []byte, err error) {
	r.Version = version
	b, err := disk.Read(l.Path, maxRecord)
	if err == nil {
		err = json.Unmarshal(b, &r) // fills in the version even when another field has a newer form
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
