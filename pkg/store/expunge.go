package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// expungedName is the list of plans from which something was expunged. It holds digests and times, and
// nothing of what was removed.
const (
	expungedFile = "expunged.json"
	expungedName = historyName + "/" + expungedFile
)

// maxExpunged and maxExpungedBytes bound that list, in plans and in bytes.
const (
	maxExpunged      = 1000
	maxExpungedBytes = 1 << 20
)

type expungedList struct {
	Version int            `json:"version"`
	At      time.Time      `json:"at"` // when something was last removed, UTC
	Plans   []expungedPlan `json:"plans"`
}

// expungedPlan is a plan that the history no longer has as it was.
type expungedPlan struct {
	Digest string `json:"digest"`
	Now    string `json:"now,omitempty"` // digest of the rest of the plan; "" if nothing is left
}

// Expunged is what was removed for good.
type Expunged struct {
	File  bool     // the file still existed
	Plans int      // plans of the history that held edits of it
	Aside []string // names of copies that had been set aside
	// Rewritten are the records that named it and no longer do.
	Rewritten []Rewritten
}

// A Rewritten record had mentions removed.
type Rewritten struct{ Path, Was, Now string } // digests of its file

// Expunge removes a record and everything about it in Keepsake's own history, so that nothing brings it back.
// The file must have this digest; "" means that it is already gone. Other records stay, but lose mentions of
// its path and id. A call that was cut short can be repeated: the record is removed last.
func (s *Store) Expunge(ctx context.Context, name, digest string) (out Expunged, err error) {
	if err := plan.CheckRecord(name); err != nil {
		return out, fmt.Errorf("store: %w", err)
	}
	if there, err := s.exists(); err != nil || !there {
		return out, err
	}
	h, err := s.lockStore(ctx, false)
	if err != nil {
		return out, err
	}
	defer h.close()
	if _, err := h.recover(ctx); err != nil {
		return out, err
	}
	b, _, err := h.read(name, recordLimit)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, fmt.Errorf("store: %w", err)
	}
	if plan.DigestOf(b) != digest {
		return out, fmt.Errorf("store: %s: %w", name, ErrConflict)
	}
	if out.Plans, err = h.expungeHistory(name); err != nil {
		return out, err
	}
	if out.Rewritten, err = h.expungeMentions(ctx, name); err != nil {
		return out, err
	}
	if out.Aside, err = h.expungeAside(name); err != nil {
		return out, err
	}
	if out.File = b != nil; out.File {
		dir, file, err := h.at(name)
		if err == nil {
			err = errors.Join(dir.Remove(file), dir.Sync())
		}
		if err != nil {
			return out, fmt.Errorf("store: %w", err)
		}
	}
	return out, nil
}

// expungeHistory removes a record's edits from the history. A plan with other edits keeps those. The lock is
// held.
func (s *held) expungeHistory(name string) (plans int, err error) {
	list, err := s.readExpunged()
	if err != nil {
		return 0, err
	}
	var found []Applied
	var broken error
	err = s.history(func(a Applied) bool {
		if slices.ContainsFunc(a.Edits, func(d Done) bool { return d.Path == name }) {
			found = append(found, a)
		}
		return true
	}, func(b Bad) { broken = errors.Join(broken, fmt.Errorf("%s: %w", b.Path, b.Err)) })
	if err = errors.Join(err, broken); err != nil { // a broken log may hold the record
		return 0, fmt.Errorf("store: %w; hint: delete what can't be read and try again", err)
	}
	dir, err := s.historyDir()
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	list.At = time.Now().UTC()
	if err := s.writeExpunged(list); err != nil {
		return 0, err
	}
	for _, a := range found {
		log, err := s.withoutRecord(a, name)
		if err != nil {
			return plans, err
		}
		// The list is written first: a listed plan that still exists is just found again.
		list.Plans = append(list.Plans, expungedPlan{Digest: a.Digest, Now: log.Digest})
		if err := s.writeExpunged(list); err != nil {
			return plans, err
		}
		if log.Digest != "" {
			b, err := log.encode()
			if err != nil {
				return plans, fmt.Errorf("store: %w", err)
			}
			stamp, _, _ := strings.Cut(a.Name, "-")
			if err := writeTo(dir, stamp+"-"+log.Digest[:12]+".json", b, privateMode); err != nil {
				return plans, err
			}
		}
		if err := errors.Join(dir.Remove(a.Name), dir.Sync()); err != nil {
			return plans, fmt.Errorf("store: %w", err)
		}
		plans++
	}
	return plans, nil
}

// withoutRecord returns the log of an applied plan without its edits of a record; the zero redo if no other
// edits are left.
func (s *Store) withoutRecord(a Applied, name string) (log redo, err error) {
	b, err := disk.Read(s.ownFile(historyName+"/"+a.Name), redoLimit)
	if err != nil {
		return log, fmt.Errorf("store: %w", err)
	}
	if log, err = s.parseRedo(b); err != nil {
		return log, fmt.Errorf("store: %w", err)
	}
	log.Edits = slices.DeleteFunc(log.Edits, func(e redoEdit) bool { return e.Path == name })
	if len(log.Edits) == 0 {
		return redo{}, nil
	}
	log.Digest = log.plan().Digest()
	return log, nil
}

// expungeMentions removes the path and the id of a record from other records and from the history.
func (s *held) expungeMentions(ctx context.Context, name string) (all []Rewritten, err error) {
	if err := s.beginWriting(); err != nil {
		return nil, err
	}
	defer s.endWriting()
	clean := func(text string) string { return memory.WithoutMention(text, name) }
	digestOf := func(path string) string {
		b, _ := disk.Read(s.file(path), recordLimit) // one that cannot be read is left alone
		return plan.DigestOf(b)
	}
	var loaded Loaded
	s.readInto(&loaded)
	for _, r := range loaded.Records {
		all = append(all, Rewritten{Path: r.Path, Was: r.Digest})
	}
	if _, err = s.scrubRecords(ctx, clean, name); err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Now = digestOf(all[i].Path)
	}
	all = slices.DeleteFunc(all, func(r Rewritten) bool { return r.Was == r.Now })
	list, err := s.readExpunged()
	if err != nil {
		return all, err
	}
	_, err = s.scrubHistory(clean, func(was, now string) error {
		list.Plans = append(list.Plans, expungedPlan{Digest: was, Now: now})
		return s.writeExpunged(list)
	})
	return all, err
}

// expungeAside removes broken versions of a record that were set aside.
func (s *held) expungeAside(name string) (names []string, err error) {
	dir, _, err := s.at(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var entries []fs.DirEntry
	if err == nil {
		entries, err = dir.List()
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), path.Base(name)+".invalid.") && e.Type().IsRegular() {
			if err := errors.Join(dir.Remove(e.Name()), dir.Sync()); err != nil {
				return names, fmt.Errorf("store: %w", err)
			}
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func (s *Store) readExpunged() (list expungedList, err error) {
	b, err := disk.Read(s.ownFile(expungedName), maxExpungedBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return expungedList{Version: 1}, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil {
		return list, fmt.Errorf("store: %s: %w", expungedName, err)
	}
	return list, nil
}

func (s *held) writeExpunged(list expungedList) error {
	list.Version = 1
	list.Plans = list.Plans[max(0, len(list.Plans)-maxExpunged):]
	b, err := json.Marshal(list)
	if err == nil {
		var dir *disk.Folder
		if dir, err = s.historyDir(); err == nil {
			return writeTo(dir, expungedFile, append(b, '\n'), privateMode)
		}
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// WasExpunged reports whether something was expunged from a plan whose digest begins like this. It returns
// the digest of the rest of the plan, or "" if nothing is left.
func (s *Store) WasExpunged(digest string) (now string, was bool, err error) {
	list, err := s.readExpunged()
	for _, p := range slices.Backward(list.Plans) {
		if strings.HasPrefix(p.Digest, digest) {
			return p.Now, true, err
		}
	}
	return "", false, err
}

// LastExpunged returns when something was last expunged, or the zero time.
func (s *Store) LastExpunged() (time.Time, error) {
	list, err := s.readExpunged()
	return list.At, err
}
