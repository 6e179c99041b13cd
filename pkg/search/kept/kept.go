// Package kept keeps the index of a search in two files of a cache: its base, which is
// large and written seldom, and beside it what changed since and what the index was made
// of. What that is, and whether it is still so, is known to those who keep one.
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

// Open opens what is kept at path, and returns with it what it was made of. Where only
// the base is whole, that is nil and the index old. There is no index where the file is
// nil; else the caller closes it, and not before the index was used.
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

// FileOf returns what tells versions of a file apart, as an index knows them.
func FileOf(info fs.FileInfo) memory.File {
	return memory.File{Time: info.ModTime().UnixNano(), Size: info.Size()}
}

// Save keeps an index that was changed: the base, where it is not nil, and the rest. A
// path of "" keeps nothing. Two who save at once, or one who is cut off, leave at worst an
// index that is old.
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
