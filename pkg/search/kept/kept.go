// Package kept keeps the index of a search in two files of a cache. The base is large and seldom written.
// Beside it is a file with what changed since, and with a note of what the index was made of. The caller
// makes that note and checks whether it still holds.
package kept

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"
)

const (
	baseSuffix = ".base"
	maxSealed  = 64 << 20 // bytes
	mode       = 0o600    // it has words of what may be private
)

// Base returns the file of the base of the index at path.
func Base(path string) string { return path + baseSuffix }

// Open opens the index that is kept at path, and returns what it was made of. If only the base is whole,
// made is nil and the index is old. If there is no index, the file is nil. Otherwise the caller closes the
// file once the index is no longer used.
func Open[T any](path string, open func(base io.ReaderAt, size int64, delta []byte) (T, error)) (ix T,
	made []byte, base *os.File) {
	if path == "" {
		return ix, nil, nil
	}
	base, info, err := disk.Open(Base(path))
	if err != nil {
		return ix, nil, nil
	}
	sealed, err := disk.Read(path, maxSealed)
	if made, delta, ok := segment.Unseal(sealed); ok && err == nil {
		if ix, err = open(base, info.Size(), delta); err == nil {
			return ix, made, base
		}
	}
	if ix, err = open(base, info.Size(), nil); err != nil {
		base.Close()
		return ix, nil, nil
	}
	return ix, nil, base
}

// FileOf returns the time and the size of a file, by which an index tells its versions apart.
func FileOf(info fs.FileInfo) memory.File {
	return memory.File{Time: info.ModTime().UnixNano(), Size: info.Size()}
}

// Save keeps an index that was changed: the base, if it is not nil, and the rest. If path is "", it keeps
// nothing. Two saves at once, or one that is cut off, leave at worst an old index.
func Save(path string, made, base, delta []byte) error {
	if path == "" {
		return nil
	}
	if base != nil {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		// It costs much to make again, so this waits for the disk.
		if err := disk.Write(Base(path), base, mode); err != nil {
			return err
		}
	}
	return disk.Replace(path, segment.Seal(made, delta), mode)
}

// Forget removes the index at path, so that the next search makes it anew.
func Forget(path string) {
	if path != "" {
		os.Remove(Base(path))
	}
}

// Drop deletes the indexes whose files match a pattern of filepath.Match. It does nothing for "".
func Drop(pattern string) error {
	if pattern == "" {
		return nil
	}
	var errs []error
	for _, of := range []string{pattern, Base(pattern)} {
		files, err := filepath.Glob(of)
		errs = append(errs, err)
		for _, path := range files {
			errs = append(errs, disk.Remove(path))
		}
	}
	return errors.Join(errs...)
}
