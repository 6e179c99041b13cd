package tiers

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/files"
	"keepsake/pkg/search/kept"
	"keepsake/pkg/search/segment"
	"keepsake/pkg/secret"
)

const (
	indexName = "where.idx"
	// A change that is larger than grown files and than one in grownShare of them has
	// the base made anew.
	grown      = 1000
	grownShare = 10
	// surely and lookFor bound how many files are looked at for changes.
	surely  = 8192
	lookFor = 60 * time.Millisecond
	// batch is how many files are packed into one segment before all are merged.
	batch = 4096
)

// fresh brings the index up to date and returns it, with the files that are listed and
// not there now. They stay in the index, for when they are back.
func (w *Where) fresh(ctx context.Context) (ix *segment.Index, hidden map[string]bool, err error) {
	ix, was := w.open()
	known := make([]segment.Document, 0, ix.Docs(true))
	err = ix.Each(func(d *segment.Document) bool { known = append(known, *d); return true })
	if err != nil {
		return nil, nil, err
	}
	change, now := ix.Change(), was
	var changed []string
	relisted := !was.same()
	if relisted {
		var paths []string
		if paths, now, err = w.list(ctx); err != nil {
			return nil, nil, err
		}
		listed := make(map[string]bool, len(paths))
		for _, p := range paths {
			listed[p] = true
		}
		all := len(known)
		known = slices.DeleteFunc(known, func(d segment.Document) bool {
			gone := !listed[d.Path]
			if gone {
				change.Remove(d.Path)
			}
			delete(listed, d.Path)
			return gone
		})
		for _, p := range paths {
			if listed[p] {
				changed = append(changed, p)
			}
		}
		// Without git nothing says when the list is another.
		relisted = now != was || len(known) < all
	}
	edited, hidden := w.compare(known)
	if changed = append(changed, edited...); len(changed) == 0 && !relisted {
		return ix, hidden, ctx.Err()
	}
	for _, path := range changed {
		change.Remove(path)
	}
	if err := w.read(ctx, changed, change, hidden); err != nil {
		return nil, nil, err
	}
	base, delta, err := change.Done(max(grown, ix.Base.Docs/grownShare))
	if err != nil {
		return nil, nil, err
	}
	made, err := json.Marshal(now)
	if err != nil {
		return nil, nil, err
	}
	// In the client's sandbox all caches are read-only, for every question.
	if err := kept.Save(w.file(), made, base, delta); err != nil && !errors.Is(err, syscall.EROFS) {
		w.note("the index of files is not kept, and is made again for each question: %v", err)
	}
	ix, err = ix.With(base, delta)
	return ix, hidden, err
}

// open opens the index that is kept, and returns which files it is of. The listing is empty if they aren't
// known. A missing or damaged index is opened as an empty one.
func (w *Where) open() (ix *segment.Index, was listing) {
	// The file is never closed: a question is one process, which reads of it to its end.
	ix, made, base := kept.Open(w.file(), segment.Open)
	if base == nil {
		return segment.New(), was
	}
	if json.Unmarshal(made, &was) != nil {
		was = listing{}
	}
	return ix, was
}

// compare returns which of the indexed files have changed, and which no longer exist. It looks at surely
// files. Then it goes on with the others for the time lookFor, from a place that differs each time. So in a
// very large project on a busy machine only a later question may find a change.
func (w *Where) compare(known []segment.Document) (changed []string, hidden map[string]bool) {
	const step = 512
	hidden = map[string]bool{}
	begun := time.Now()
	start := int(begun.UnixNano() % int64(max(len(known), 1)))
	var next atomic.Int64
	var mu sync.Mutex
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		all.Go(func() {
			name := append([]byte(w.Root), filepath.Separator)
			root := len(name)
			for {
				from := int(next.Add(step)) - step
				if from >= len(known) || from >= surely && time.Since(begun) > lookFor {
					return
				}
				for k := from; k < min(from+step, len(known)); k++ {
					d := &known[(start+k)%len(known)]
					name = append(name[:root], d.Path...)
					info, err := os.Lstat(string(name))
					there := err == nil && info.Mode().IsRegular()
					if there && d.File == fileOf(info) {
						continue
					}
					mu.Lock()
					if there {
						changed = append(changed, d.Path)
					} else {
						hidden[d.Path] = true
					}
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return changed, hidden
}

// read reads files into the change, with as many hands as there are processors. Those
// that are not there it adds to the hidden ones.
func (w *Where) read(ctx context.Context, paths []string, change *segment.Change,
	hidden map[string]bool) error {
	if len(paths) >= worthSaying {
		w.note("reading %d files into the index, which the next question finds", len(paths))
	}
	until := time.Now().Add(readFor)
	var late, next atomic.Int64
	packs := make([][]byte, (len(paths)+batch-1)/batch)
	var mu sync.Mutex
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
					f, there := files.File{Path: path, Stat: files.Unread}, true
					if time.Now().Before(until) {
						f, there = w.load(path)
					} else {
						late.Add(1)
					}
					if b.Add(f); !there {
						mu.Lock()
						hidden[path] = true
						mu.Unlock()
					}
				}
				packs[at] = b.Pack()
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if n := late.Load(); n > 0 {
		w.note("%d of %d files are known by their path only, after %s: ask again and the rest is read", n,
			len(paths), readFor)
	}
	for _, p := range packs {
		change.Add(p)
	}
	return nil
}

// fileOf returns by what a version of a file is known. Its time of modification isn't enough: a memory that a
// rule mended keeps it.
func fileOf(info fs.FileInfo) memory.File {
	return memory.File{Time: disk.Changed(info).UnixNano(), Size: info.Size()}
}

// load reads a file for the index, and reports whether it is there.
func (w *Where) load(path string) (f files.File, there bool) {
	name := filepath.Join(w.Root, filepath.FromSlash(path))
	text, info, err := disk.ReadInfo(name, maxText)
	if err != nil { // too large, or not for us to read: found by its path
		if info, err = os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			return files.File{Path: path, Stat: files.Unread}, false
		}
	}
	f = files.File{Path: path, Stat: fileOf(info)}
	if !binary(text) {
		// No words of a secret go into the cache.
		f.Text = []byte(secret.Redact(string(text)))
	}
	return f, true
}
