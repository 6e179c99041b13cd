package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// Scrub applies clean to every text of the store, to remove what should never have been stored: to records of
// every status, to files set aside, and to the history, whose digests are computed anew so that plans can
// still be undone. Records keep their form, ids and dates; a text that clean does not change stays byte for
// byte. Scrub is no plan and leaves none behind, as the history would keep what it removes. The Markdown
// files of a store of notes are the person's and stay; only their history is cleaned. Scrub returns the
// changed files, relative to the root, or to the folder of our own files for a store of notes. After a call
// that was cut short, the next does the rest.
func (s *Store) Scrub(ctx context.Context, clean func(string) string) (changed []string, err error) {
	if _, err := os.Lstat(s.own); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if _, err := s.exists(); err != nil {
		return nil, err
	}
	h, err := s.lockStore(ctx, false)
	if err != nil {
		return nil, err
	}
	defer h.close()
	if _, err := h.recover(ctx); err != nil {
		return nil, err
	}
	if err := h.beginWriting(); err != nil {
		return nil, err
	}
	defer h.endWriting()
	if s.kind.indexed {
		if changed, err = h.scrubRecords(ctx, clean, ""); err != nil {
			return changed, err
		}
	}
	logs, err := h.scrubHistory(clean, func(string, string) error { return nil })
	return append(changed, logs...), err
}

// ScrubHistory is Scrub for the history in the folder own of a directory of Markdown files that is no longer
// known.
func ScrubHistory(ctx context.Context, own string, clean func(string) string) ([]string, error) {
	s := OpenNotes(own, own, Options{})
	if s.inUse() { // its path is unknown, so it cannot be finished
		return nil, fmt.Errorf("store: %s: %w; hint: run keepsake in the project that it belongs to first",
			own, ErrUnfinished)
	}
	return s.Scrub(ctx, clean)
}

// scrubRecords cleans the records and the files set aside, except one. The lock is held.
func (s *held) scrubRecords(ctx context.Context, clean func(string) string,
	but string) (changed []string, err error) {
	var todo []file
	var aside []string
	for _, folder := range append([]string{"."}, recordFolders(s.root)...) {
		dir, _, err := s.at(folder + "/x")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		entries, err := dir.List()
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		for _, e := range entries {
			path := filepath.ToSlash(filepath.Join(folder, e.Name()))
			record := plan.CheckRecord(path) == nil
			if !e.Type().IsRegular() || path == but || !record && !strings.Contains(e.Name(), ".invalid.") {
				continue
			}
			b, info, err := dir.Read(e.Name(), redoLimit)
			if err != nil {
				return nil, fmt.Errorf("store: %w", err)
			}
			next := s.scrubbed(path, b, clean)
			if bytes.Equal(next, b) {
				continue
			}
			todo = append(todo, file{path: path, text: next, mode: info.Mode().Perm(),
				modified: s.kind.timeOf(info.ModTime())})
			if aside = append(aside, path); !record {
				continue
			}
			if _, err := parseRecord(path, b); err == nil {
				// cannot happen: only its texts have changed
				if _, err := parseRecord(path, next); err != nil {
					return nil, fmt.Errorf("store: %s: would not be a record: %w", path, err)
				}
			}
		}
	}
	if len(todo) == 0 {
		return nil, nil
	}
	if err := s.writeAll(ctx, todo); err != nil {
		return nil, err
	}
	var loaded Loaded
	s.readInto(&loaded)
	if err := writeTo(s.dir, indexName, memory.Index(loaded.Records), recordMode); err != nil {
		return aside, err
	}
	return aside, s.syncFolders(todo)
}

// scrubbed returns a file of the store after clean. A record stays one.
func (s *Store) scrubbed(path string, b []byte, clean func(string) string) []byte {
	if b == nil {
		return nil
	}
	if s.kind.indexed {
		if r, err := parseRecord(path, b); err == nil {
			same := r.Record.Rewrite(func(t string) string { return t })
			if next := r.Record.Rewrite(clean).Encode(); !bytes.Equal(next, same.Encode()) {
				return next
			}
			return b
		}
	}
	if next := clean(string(b)); next != string(b) {
		return []byte(next)
	}
	return b
}

// scrubHistory cleans the logs of applied plans and those that were set aside. It calls renamed with the old
// and new digest of each plan before that plan changes. The lock is held.
func (s *held) scrubHistory(clean func(string) string,
	renamed func(was, now string) error) (changed []string, err error) {
	dir, err := s.ownDir.Sub(historyName)
	var entries []fs.DirEntry
	if err == nil {
		entries, err = dir.List()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store: %w", err)
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		b, _, err := dir.Read(e.Name(), redoLimit)
		if err != nil {
			return changed, fmt.Errorf("store: %w", err)
		}
		log, err := s.parseRedo(b)
		stamp, _, named := strings.Cut(e.Name(), "-")
		if errors.Is(err, memory.ErrNewer) {
			continue
		}
		if err != nil || !named {
			if next := clean(string(b)); next != string(b) {
				if err := writeTo(dir, e.Name(), []byte(next), privateMode); err != nil {
					return changed, err
				}
				changed = append(changed, historyName+"/"+e.Name())
			}
			continue
		}
		touched := false
		for i, edit := range log.Edits {
			before, after, title := s.scrubbed(edit.Path, edit.Before, clean),
				s.scrubbed(edit.Path, edit.After, clean), clean(edit.Title)
			touched = touched || !bytes.Equal(before, edit.Before) || !bytes.Equal(after, edit.After) ||
				title != edit.Title
			log.Edits[i].Before, log.Edits[i].After, log.Edits[i].Title = before, after, title
		}
		if !touched {
			continue
		}
		was := log.Digest
		log.Digest = log.plan().Digest()
		text, err := log.encode()
		if err == nil {
			_, err = s.parseRedo(text)
		}
		if err == nil {
			err = renamed(was, log.Digest)
		}
		if err != nil {
			return changed, fmt.Errorf("store: %s/%s: cannot be cleaned: %w", historyName, e.Name(), err)
		}
		name := stamp + "-" + log.Digest[:12] + ".json"
		if err := writeTo(dir, name, text, privateMode); err != nil {
			return changed, err
		}
		if name != e.Name() {
			if err := errors.Join(dir.Remove(e.Name()), dir.Sync()); err != nil {
				return changed, fmt.Errorf("store: %w", err)
			}
		}
		changed = append(changed, historyName+"/"+e.Name())
	}
	own, err := s.ownDir.List() // logs that were set aside
	if err != nil {
		return changed, fmt.Errorf("store: %w", err)
	}
	for _, e := range own {
		if !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), redoName+".invalid.") {
			continue
		}
		b, _, err := s.ownDir.Read(e.Name(), redoLimit)
		if err != nil {
			return changed, fmt.Errorf("store: %w", err)
		}
		if next := clean(string(b)); next != string(b) {
			if err := writeTo(s.ownDir, e.Name(), []byte(next), privateMode); err != nil {
				return changed, err
			}
			changed = append(changed, e.Name())
		}
	}
	return changed, nil
}
