package layout

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"keepsake/pkg/disk"
)

// A GitIndex is the list of the files that git tracks in a checkout, as its index
// has it. No git is run: a hook has no time for it, and a project's git
// configuration could make it run something.
type GitIndex struct {
	Top  string // of the checkout, without links
	File string // the index; "" outside of a checkout

	dir string // git's folder of this worktree
	sum int    // bytes of an object's name
}

// FindGitIndex returns the index of the checkout around a folder.
func FindGitIndex(folder string) GitIndex {
	top := checkout(resolve(folder))
	if top == "" {
		return GitIndex{}
	}
	return indexOf(top)
}

// GitIndexes returns the indexes of all checkouts around a folder, the nearest first: an outer repository
// does not list the files of a submodule or of a repository within it. Above the folder, only checkouts
// of this user or of the folder's owner count.
func GitIndexes(folder string) []GitIndex { return indexesAround(resolve(folder)) }

// indexesAround is GitIndexes of a path without links.
func indexesAround(start string) (all []GitIndex) {
	for dir := start; ; dir = filepath.Dir(dir) {
		if fi, err := os.Lstat(gitOf(dir)); err == nil && (dir == start || ours(fi, start)) {
			all = append(all, indexOf(dir))
		}
		if dir == filepath.Dir(dir) {
			return all
		}
	}
}

// indexOf returns the index of the checkout whose root is top.
func indexOf(top string) GitIndex {
	dir := gitOf(top)
	if p := readPointer(dir); p != "" {
		dir = p
	}
	return GitIndex{Top: top, File: filepath.Join(dir, "index"), dir: dir}
}

// Stat returns the file info of the index, which git writes anew with every change. The error is
// fs.ErrNotExist if nothing is tracked.
func (g GitIndex) Stat() (fs.FileInfo, error) {
	if g.File == "" {
		return nil, fs.ErrNotExist
	}
	return os.Lstat(g.File)
}

// maxIndex is the size of the largest index that is read, in bytes: some five million files.
const maxIndex = 512 << 20

// ErrGitIndex is the error for an index of an unknown form.
var ErrGitIndex = errors.New("git's index can't be read")

// Has reports whether git tracks a file, or any file below a folder. The path is
// absolute. What lies in a submodule is the outer repository's too, as far as the
// submodule has no index of its own that says more.
func (g GitIndex) Has(path string) (bool, error) {
	below, ok := Relative(g.Top, resolve(path))
	if g.File == "" || !ok {
		return false, nil
	}
	names, err := g.entriesOf()
	if err != nil {
		return false, err
	}
	for name, mode := range names {
		switch {
		case below == ".", string(name) == below, isIn(string(name), below):
			return true, nil
		case mode&typeMask == gitlink && isIn(below, string(name)):
			inner := indexOf(filepath.Join(g.Top, string(name)))
			if _, err := inner.Stat(); err != nil {
				return true, nil
			}
		}
	}
	return false, nil
}

// isIn reports whether a path with slashes lies below a folder.
func isIn(path, folder string) bool {
	return len(path) > len(folder) && path[len(folder)] == '/' && path[:len(folder)] == folder
}

// The type of an entry in its mode: a gitlink is a submodule, or a repository that was
// added within another one.
const (
	typeMask = 0o170000
	gitlink  = 0o160000
)

// entriesOf returns the paths of the tracked files, below Top and with slashes, with the mode of each. A path
// is valid until the next one. Of a split index it has also those that were taken out since it was split.
func (g GitIndex) entriesOf() (iter.Seq2[[]byte, uint32], error) {
	if g.File == "" {
		return func(func([]byte, uint32) bool) {}, nil
	}
	text, err := disk.Read(g.File, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return func(func([]byte, uint32) bool) {}, nil
	}
	if err != nil {
		return nil, err
	}
	g.sum = 20
	common := g.dir
	if c, ok := readLine(filepath.Join(g.dir, "commondir")); ok {
		common = join(g.dir, c)
	}
	if config, err := disk.Read(filepath.Join(common, "config"), maxGit); err == nil {
		if low := bytes.ToLower(config); bytes.Contains(low, []byte("objectformat")) &&
			bytes.Contains(low, []byte("sha256")) {
			g.sum = 32
		}
	}
	var texts [][]byte
	end, err := g.entries(text, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.File, err)
	}
	texts = append(texts, text)
	if shared := g.shared(text[end:]); shared != "" {
		base, err := disk.Read(filepath.Join(g.dir, "sharedindex."+shared), maxIndex)
		if err == nil {
			_, err = g.entries(base, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: its shared part: %w", g.File, err)
		}
		texts = append(texts, base)
	}
	return func(yield func([]byte, uint32) bool) {
		goes := true
		for _, t := range texts {
			if goes {
				_, _ = g.entries(t, func(name []byte, mode uint32) bool {
					goes = yield(name, mode)
					return goes
				})
			}
		}
	}, nil
}

// entries walks the entries of an index and returns where they end.
func (g GitIndex) entries(text []byte, see func(name []byte, mode uint32) bool) (end int, err error) {
	const head = 12
	if len(text) < head || string(text[:4]) != "DIRC" {
		return 0, ErrGitIndex
	}
	version := binary.BigEndian.Uint32(text[4:])
	if version < 2 || version > 4 {
		return 0, fmt.Errorf("%w: version %d", ErrGitIndex, version)
	}
	at := head
	var name []byte
	for range binary.BigEndian.Uint32(text[8:]) {
		fixed := at + 40 + g.sum + 2 // what lstat says, the object, flags
		if fixed > len(text) {
			return 0, ErrGitIndex
		}
		flags := binary.BigEndian.Uint16(text[fixed-2:])
		mode := binary.BigEndian.Uint32(text[at+24:])
		if flags&0x4000 != 0 && version > 2 {
			fixed += 2
		}
		if fixed > len(text) {
			return 0, ErrGitIndex
		}
		rest := text[fixed:]
		if version == 4 { // the name continues the one before
			cut, n := readOffset(rest)
			if n == 0 || cut > len(name) {
				return 0, ErrGitIndex
			}
			rest = rest[n:]
			fixed += n
			name = name[:len(name)-cut]
		} else {
			name = name[:0]
		}
		length := bytes.IndexByte(rest, 0)
		if length < 0 {
			return 0, ErrGitIndex
		}
		name = append(name, rest[:length]...)
		if version == 4 {
			at = fixed + length + 1
		} else { // eight bytes are a row, and at least one is zero
			at += (fixed - at + length + 8) &^ 7
		}
		// In a split index an entry that replaces a shared one has no name of its own.
		if see != nil && len(name) > 0 && !see(name, mode) {
			return at, nil
		}
	}
	if at > len(text) {
		return 0, ErrGitIndex
	}
	return at, nil
}

// readOffset reads a number in git's variable-length form, and returns how many bytes it took, 0
// where it is broken.
func readOffset(b []byte) (value, n int) {
	for n < len(b) && n < 5 {
		c := b[n]
		n++
		value = value<<7 | int(c&0x7F)
		if c&0x80 == 0 {
			return value, n
		}
		value++
	}
	return 0, 0
}

// shared returns the name of the shared part of a split index, from the extensions
// behind the entries; "" for an index that is whole.
func (g GitIndex) shared(extensions []byte) string {
	for len(extensions) >= 8+g.sum {
		size := int(binary.BigEndian.Uint32(extensions[4:]))
		if size < 0 || 8+size > len(extensions) {
			return ""
		}
		if string(extensions[:4]) == "link" && size >= g.sum {
			if sum := extensions[8 : 8+g.sum]; bytes.Trim(sum, "\x00") != nil {
				return hex.EncodeToString(sum)
			}
			return ""
		}
		extensions = extensions[8+size:]
	}
	return ""
}
