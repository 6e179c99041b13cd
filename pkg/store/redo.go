package store

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/text"
)

// redoVersion is the newest version of the form of logs. A log has it only if an edit says when its file was
// last written, which the version before does not know.
const redoVersion = 2

// redo is a plan with everything needed to finish or undo it. It is the form of .redo.json and of the files
// in .history.
type redo struct {
	Version int        `json:"version"`
	Digest  string     `json:"digest"` // of the plan; proves that the log is whole
	Applied string     `json:"applied"`
	Edits   []redoEdit `json:"edits"`
}

type redoEdit struct {
	Path     string    `json:"path"`
	Verb     plan.Verb `json:"verb"`
	Category string    `json:"category"`
	Title    string    `json:"title"`
	Before   contents  `json:"before"` // null: there was no file
	After    contents  `json:"after"`  // null: the file is removed
	// Mode is the permissions that the file had before, or last had if this edit brings it back.
	Mode perm `json:"mode,omitempty"`
	// Modified is when the file says that it was last written, and WasModified when it said so before. The
	// zero time stands for one that nobody named, or for a file that was not there.
	Modified    time.Time `json:"modified,omitzero"`
	WasModified time.Time `json:"was_modified,omitzero"`
}

// contents is the bytes of a file, written as a JSON string so that people can read a log. Bytes that are not
// UTF-8 become {"base64": "…"}.
type contents []byte

// append appends the edit as JSON, in one line. A json.Marshaler would have each of the files of a large plan
// gone through three times.
func (e redoEdit) append(b []byte) []byte {
	const more = 256 // bytes of the rest, mostly
	b = slices.Grow(b, (len(e.Before)+len(e.After))*9/8+more)
	b = text.AppendJSON(append(b, `{"path":`...), e.Path)
	b = text.AppendJSON(append(b, `,"verb":`...), string(e.Verb))
	b = text.AppendJSON(append(b, `,"category":`...), e.Category)
	b = text.AppendJSON(append(b, `,"title":`...), e.Title)
	b = e.Before.append(append(b, `,"before":`...))
	b = e.After.append(append(b, `,"after":`...))
	if e.Mode != 0 {
		b = fmt.Appendf(b, `,"mode":"%04o"`, uint32(e.Mode))
	}
	for _, at := range []struct {
		name string
		time time.Time
	}{{"modified", e.Modified}, {"was_modified", e.WasModified}} {
		if !at.time.IsZero() {
			b = at.time.AppendFormat(append(b, `,"`+at.name+`":"`...), time.RFC3339Nano+`"`)
		}
	}
	return append(b, '}')
}

func (c contents) append(b []byte) []byte {
	switch {
	case c == nil:
		return append(b, "null"...)
	case !utf8.Valid(c):
		b = base64.StdEncoding.AppendEncode(append(b, `{"base64":"`...), c)
		return append(b, `"}`...)
	}
	return text.AppendJSON(b, c)
}

func (c *contents) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("{")) {
		var m struct{ Base64 []byte }
		err := json.Unmarshal(b, &m)
		*c = m.Base64
		return err
	}
	var s *string
	if err := json.Unmarshal(b, &s); err != nil || s == nil {
		*c = nil
		return err
	}
	*c = contents(*s)
	return nil
}

// perm is the permissions of a file, written in octal; 0 if nobody knows them.
type perm fs.FileMode

func (p *perm) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 8, 9)
	*p = perm(n)
	return err
}

// newRedo returns the log of a plan; found is what is at the paths of its edits.
func newRedo(p plan.Plan, found []guard, now time.Time) redo {
	log := redo{Version: 1, Digest: p.Digest(), Applied: memory.Stamp(now)}
	log.Edits = make([]redoEdit, 0, len(p.Edits))
	for i, e := range p.Edits {
		if !e.Modified.IsZero() {
			log.Version = redoVersion
		}
		log.Edits = append(log.Edits, redoEdit{e.Path, e.Verb, e.Category, e.Title, found[i].before, e.After,
			perm(found[i].mode), e.Modified, found[i].modified})
	}
	return log
}

// plan returns the plan of the log.
func (l redo) plan() plan.Plan {
	p := plan.Plan{Version: plan.Version}
	for _, e := range l.Edits {
		p.Edits = append(p.Edits, plan.Edit{
			Path: e.Path, Verb: e.Verb, Before: plan.DigestOf(e.Before), After: e.After,
			Category: e.Category, Title: e.Title, Modified: e.Modified,
		})
	}
	return p
}

// encode returns the form that parseRedo reads, with a line for each edit, or an error if it would be too
// large to be read. It encodes edit by edit, several at once: a plan of thousands would else be in memory
// several times.
func (l redo) encode() ([]byte, error) {
	lines := make([][]byte, len(l.Edits))
	together(context.Background(), len(lines), func(i int) error {
		lines[i] = l.Edits[i].append(nil)
		return nil
	})
	l.Edits = []redoEdit{}
	head, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	end := []byte("]}")
	size := len(head) + 1
	for _, line := range lines {
		size += len(line) + len(",\n")
	}
	if size > redoLimit {
		return nil, fmt.Errorf("the plan changes %d files at once, %d MiB in all, more than the %d MiB of a "+
			"log; hint: do it in parts", len(lines), size>>20, redoLimit>>20)
	}
	b := append(make([]byte, 0, size), bytes.TrimSuffix(head, end)...)
	for i, line := range lines {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, '\n'), line...)
	}
	return append(append(b, end...), '\n'), nil
}

// errBadRedo is the error for a redo log that is not as it was written.
var errBadRedo = errors.New("is not a complete redo log")

// readRedo returns the plan that is being applied; the error is fs.ErrNotExist if there is none.
func (s *Store) readRedo() (redo, error) {
	b, err := disk.Read(s.ownFile(redoName), redoLimit)
	if err != nil {
		return redo{}, err
	}
	return s.parseRedo(b)
}

// parseRedo parses a log that is whole and holds only files that this store can have.
func (s *Store) parseRedo(b []byte) (redo, error) {
	var log redo
	err := json.Unmarshal(b, &log) // sets the version even if a later part has a newer form
	if log.Version > redoVersion {
		return redo{}, fmt.Errorf("%w: version %d, this one reads up to %d", memory.ErrNewer, log.Version,
			redoVersion)
	}
	if err != nil {
		return redo{}, fmt.Errorf("%w: %w", errBadRedo, err)
	}
	p := log.plan()
	if err := p.Validate(); err != nil {
		return redo{}, fmt.Errorf("%w: %w", errBadRedo, err)
	}
	for _, e := range p.Edits {
		if err := s.kind.check(e.Path); err != nil {
			return redo{}, fmt.Errorf("%w: %w", errBadRedo, err)
		}
	}
	if p.Digest() != log.Digest {
		return redo{}, fmt.Errorf("%w: its digest does not match", errBadRedo)
	}
	return log, nil
}

// recover finishes the plan in the redo log, if there is one. The caller holds the lock. It returns what it
// left as it is: records that somebody changed by hand after the plan was cut short, or a broken log.
func (s *held) recover(ctx context.Context) ([]Bad, error) {
	log, err := s.readRedo()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, errBadRedo):
		aside, moveErr := setAside(s.ownDir, redoName)
		bad := Bad{redoName, fmt.Errorf("%w; kept as %s", err, aside)}
		if moveErr == nil {
			s.opt.Tell(bad)
		}
		return []Bad{bad}, moveErr
	case err != nil:
		return nil, fmt.Errorf("store: %s: %w", s.ownFile(redoName), err)
	}
	todo, bad, err := s.unfinished(log)
	if err != nil {
		return bad, err
	}
	if err := s.beginWriting(); err != nil {
		return bad, err
	}
	defer s.endWriting()
	// In parts, so that a process that is killed again has done some of it.
	for part := range slices.Chunk(todo, 8*hands) {
		if err := s.writeAll(ctx, part); err != nil {
			return bad, err
		}
	}
	files := make([]file, len(log.Edits)) // includes those in place, whose names may not be durable
	for i, e := range log.Edits {
		files[i].path = e.Path
	}
	if err := s.syncFolders(files); err != nil {
		return bad, fmt.Errorf("store: %w", err)
	}
	if s.kind.indexed {
		var loaded Loaded
		s.readInto(&loaded)
		if err := writeTo(s.dir, indexName, memory.Index(loaded.Records), recordMode); err != nil {
			return bad, err
		}
	}
	if err := s.dropRedo(log.Digest); err != nil {
		return bad, err
	}
	for _, b := range bad {
		s.opt.Tell(b)
	}
	return bad, nil
}

// writeAll writes files and gives them their names, which are not durable yet.
func (s *held) writeAll(ctx context.Context, files []file) error {
	pending, err := s.writeBeside(ctx, files, func(int, *disk.Info) {})
	defer discard(pending)
	if err != nil {
		return err
	}
	for _, c := range pending {
		if c.was = nil; c.written == nil {
			err = s.remove(c.path)
		} else {
			err = c.written.Commit()
		}
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
	}
	return nil
}

// unfinished returns the edits of a log that are not in place.
func (s *held) unfinished(log redo) (todo []file, bad []Bad, err error) {
	for _, e := range log.Edits {
		if _, _, err := s.at(e.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return todo, bad, fmt.Errorf("store: %w", err)
		}
		now, info, err := s.read(e.Path, s.kind.limit)
		gone := e.After == nil
		switch {
		case err == nil && !gone && bytes.Equal(now, e.After), gone && errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, fs.ErrNotExist) && e.Before == nil, err == nil && e.Before != nil &&
			bytes.Equal(now, e.Before):
			todo = append(todo, file{e.Path, e.After, s.kind.modeOf(fs.FileMode(e.Mode)),
				s.kind.timeOf(e.Modified), &guard{info: info}})
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, disk.ErrNotRegular) &&
			!errors.Is(err, disk.ErrTooLarge):
			return todo, bad, fmt.Errorf("store: %w", err)
		default:
			bad = append(bad, Bad{e.Path,
				fmt.Errorf("%w; it is left as it is, the version of the save is in %s", ErrByHand,
					historyName)})
		}
	}
	return todo, bad, nil
}

// dropRedo moves the log to the history, which completes the plan.
func (s *held) dropRedo(digest string) error {
	dir, err := s.historyDir()
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	entries, err := dir.List()
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := s.ownDir.Rename(redoName, dir, historyFile(entries, time.Now(), digest)); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if (len(entries)+1)%pruneEvery == 0 {
		s.prune(time.Now())
	}
	return nil
}

// historyStamp is a time format whose texts sort in order of time.
const historyStamp = "20060102T150405.000000000Z"

// historyFile returns the name of the log of a plan that is applied now. Names keep the order of application
// even if the clock has stepped back.
func historyFile(entries []fs.DirEntry, now time.Time, digest string) string {
	last := lastPlan(entries)
	now = now.UTC()
	if !now.After(last) {
		now = last.Add(time.Nanosecond)
	}
	return now.Format(historyStamp) + "-" + digest[:12] + ".json"
}

// lastPlan returns when the last plan was applied whose log is in a history, the zero time for none.
func lastPlan(history []fs.DirEntry) time.Time {
	for _, e := range slices.Backward(history) {
		stamp, _, ok := strings.Cut(e.Name(), "-")
		if last, err := time.Parse(historyStamp, stamp); ok && err == nil {
			return last
		}
	}
	return time.Time{}
}

// Later returns now, or the second after the last plan here if the clock was set back since. A record that is
// made now then counts as newer than those there are.
func (s *Store) Later(now time.Time) time.Time {
	history, err := os.ReadDir(s.ownFile(historyName))
	last := lastPlan(history)
	if err != nil || last.Before(now) {
		return now
	}
	return last.Truncate(time.Second).Add(time.Second)
}
