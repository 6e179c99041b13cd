package tiers

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/search/files"
	"keepsake/pkg/secret"
)

// The index is two segments: the base, and what changed since, which is small
// and written anew with each change. When it has grown they become one.
const (
	baseName  = "where.idx"
	freshName = "where-fresh.idx"
	// grown is from how many files on, and from which share of the base, two
	// segments become one.
	grown      = 1000
	grownShare = 10
	// surely and lookFor bound how much of a segment is looked at for changes.
	surely  = 8192
	lookFor = 60 * time.Millisecond
	// batch is how many files are packed into one segment before all are merged.
	batch = 4096
)

// opened is a segment with what is known of its files now.
type opened struct {
	*files.Segment
	listing listing
	dead    []bool // no longer listed, or read anew
	hidden  []bool // listed, and not there now
}

func (o *opened) part() files.Part { return files.Part{Segment: o.Segment, Dead: o.dead} }

// fresh brings the index up to date and returns it.
func (w *Where) fresh(ctx context.Context) ([]files.Part, error) {
	segments := w.open()
	last := listing{}
	if len(segments) > 0 {
		last = segments[len(segments)-1].listing
	}
	changed, now, err := w.compare(ctx, segments, last)
	if err != nil {
		return nil, err
	}
	relisted := now.Index != last.Index || now.Size != last.Size || now.Mtime != last.Mtime
	if len(changed) > 0 || relisted || len(segments) == 0 {
		if segments, err = w.renew(ctx, segments, changed, now); err != nil {
			return nil, err
		}
	}
	var parts []files.Part
	for _, s := range segments {
		p := s.part()
		for i, hidden := range s.hidden {
			p.Dead[i] = p.Dead[i] || hidden
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// open opens what is kept: nothing, the base, or both. What is damaged or of
// another version is as good as missing.
func (w *Where) open() (segments []*opened) {
	if w.Dir == "" {
		return nil
	}
	for _, name := range []string{baseName, freshName} {
		// Never closed: a question is one process, which reads terms of it to its end.
		f, info, err := disk.Open(w.file(name))
		if err != nil {
			break
		}
		o, err := openSegment(f, info.Size())
		if err != nil || len(segments) > 0 && o.listing.Base != segments[0].ID() {
			f.Close()
			break
		}
		segments = append(segments, o)
	}
	return segments
}

func openSegment(from interface {
	ReadAt([]byte, int64) (int, error)
}, size int64) (*opened, error) {
	s, err := files.Open(from, size)
	if err != nil {
		return nil, err
	}
	o := &opened{Segment: s, dead: make([]bool, s.Len()), hidden: make([]bool, s.Len())}
	return o, json.Unmarshal(s.Meta(), &o.listing)
}

// compare holds the index against the files that are there now: it marks what is
// dead or hidden, and returns the paths to be read.
func (w *Where) compare(ctx context.Context, segments []*opened, last listing) (changed []string, now listing,
	err error) {
	if len(segments) == 2 {
		over := map[string]bool{}
		for i := range segments[1].Len() {
			over[string(segments[1].Path(i))] = true
		}
		for _, path := range last.Gone {
			over[path] = true
		}
		if len(over) > 0 {
			for i := range segments[0].dead {
				segments[0].dead[i] = over[string(segments[0].Path(i))]
			}
		}
	}
	now = last
	if len(segments) == 0 || !last.same() {
		var paths []string
		if paths, now, err = w.list(ctx); err != nil {
			return nil, now, err
		}
		listed := make(map[string]bool, len(paths))
		for _, p := range paths {
			listed[p] = true
		}
		for _, s := range segments {
			for i := range s.dead {
				if s.dead[i] {
					continue
				}
				path := string(s.Path(i))
				s.dead[i] = !listed[path]
				delete(listed, path)
			}
		}
		for _, p := range paths {
			if listed[p] {
				changed = append(changed, p)
			}
		}
	}
	for _, s := range segments {
		changed = append(changed, w.stat(s)...)
	}
	return changed, now, ctx.Err()
}

// stat looks at the living files of a segment and returns those that are not as
// they were read. It looks at surely files, and then at others as long as lookFor
// lasts, from a place that differs each time: on a busy machine a change in a very
// large project may be found by a later question.
func (w *Where) stat(s *opened) (changed []string) {
	const step = 512
	begun := time.Now()
	start := int(begun.UnixNano() % int64(max(s.Len(), 1)))
	var next atomic.Int64
	var mu sync.Mutex
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		all.Go(func() {
			name := append([]byte(w.Root), filepath.Separator)
			root := len(name)
			for {
				from := int(next.Add(step)) - step
				if from >= s.Len() || from >= surely && time.Since(begun) > lookFor {
					return
				}
				for k := from; k < min(from+step, s.Len()); k++ {
					i := (start + k) % s.Len()
					if s.dead[i] {
						continue
					}
					name = append(name[:root], s.Path(i)...)
					info, err := os.Lstat(string(name))
					switch {
					case err != nil || !info.Mode().IsRegular():
						s.hidden[i] = true
					case !s.Same(i, info.Size(), info.ModTime().UnixNano()):
						mu.Lock()
						s.dead[i] = true
						changed = append(changed, string(name[root:]))
						mu.Unlock()
					}
				}
			}
		})
	}
	all.Wait()
	return changed
}

// renew reads what changed and writes the index: a new base, or what goes beside it.
func (w *Where) renew(ctx context.Context, segments []*opened, changed []string, now listing) ([]*opened,
	error) {
	more, err := w.read(ctx, changed)
	if err != nil {
		return nil, err
	}
	now.Base, now.Gone = 0, nil
	if len(segments) > 0 {
		base := segments[0]
		beside := len(changed)
		for i, dead := range base.dead {
			if dead {
				now.Gone = append(now.Gone, string(base.Path(i)))
			}
		}
		if len(segments) == 2 {
			beside += segments[1].Len()
		}
		if max(beside, len(now.Gone)) <= max(grown, base.Len()/grownShare) {
			now.Base = base.ID()
			fresh, err := w.merge(freshName, now, append(segments[1:], more...))
			if err != nil {
				return nil, err
			}
			return []*opened{base, fresh}, nil
		}
	}
	now.Gone = nil
	base, err := w.merge(baseName, now, append(segments, more...))
	if err != nil {
		return nil, err
	}
	if w.Dir != "" {
		os.Remove(w.file(freshName))
	}
	return []*opened{base}, nil
}

// merge makes one segment of several and keeps it under a name.
func (w *Where) merge(name string, l listing, segments []*opened) (*opened, error) {
	meta, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	var parts []files.Part
	for _, s := range segments {
		parts = append(parts, s.part())
	}
	made, err := files.Merge(meta, parts...)
	if err != nil {
		w.forget()
		return nil, err
	}
	if w.Dir != "" {
		err := os.MkdirAll(w.Dir, 0o700)
		if err == nil {
			err = disk.Replace(w.file(name), made, 0o600)
		}
		if err != nil {
			w.note("the index of files is not kept, and is made again for each question: %v", err)
		}
	}
	o, err := openSegment(bytes.NewReader(made), int64(len(made)))
	if err != nil {
		return nil, err
	}
	// What is listed and not there stays in the index, for when it is back.
	for i := range o.hidden {
		info, err := os.Lstat(filepath.Join(w.Root, string(o.Path(i))))
		o.hidden[i] = err != nil || !info.Mode().IsRegular()
	}
	return o, nil
}

// read packs files into segments, with as many hands as there are processors.
func (w *Where) read(ctx context.Context, paths []string) ([]*opened, error) {
	if len(paths) >= worthSaying {
		w.note("reading %d files into the index, which the next question finds", len(paths))
	}
	until := time.Now().Add(readFor)
	var late atomic.Int64
	packs := make([][]byte, (len(paths)+batch-1)/batch)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4, len(packs)) {
		all.Go(func() {
			for {
				at := int(next.Add(1)) - 1
				if at >= len(packs) || ctx.Err() != nil {
					return
				}
				var b files.Builder
				for _, path := range paths[at*batch : min(at*batch+batch, len(paths))] {
					if ctx.Err() != nil {
						return
					}
					f := files.File{Path: path, Unread: true}
					if time.Now().Before(until) {
						f = w.load(path)
					} else {
						late.Add(1)
					}
					b.Add(f)
				}
				packs[at] = b.Bytes([]byte("{}"))
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n := late.Load(); n > 0 {
		w.note("%d of %d files are known by their path only, after %s: ask again and the rest is read", n,
			len(paths), readFor)
	}
	var segments []*opened
	for _, p := range packs {
		o, err := openSegment(bytes.NewReader(p), int64(len(p)))
		if err != nil {
			return nil, err
		}
		segments = append(segments, o)
	}
	return segments, nil
}

// load reads a file for the index.
func (w *Where) load(path string) files.File {
	name := filepath.Join(w.Root, filepath.FromSlash(path))
	f := files.File{Path: path}
	text, info, err := disk.ReadInfo(name, maxText)
	if err != nil { // too large, or not for us to read: found by its path
		if info, err = os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			f.Unread = true
			return f
		}
	}
	f.Size, f.Mtime = info.Size(), info.ModTime().UnixNano()
	if !binary(text) {
		// No words of a secret go into the cache.
		f.Text = []byte(secret.Redact(string(text)))
	}
	return f
}
