package disk

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Append adds to the end of a regular file that is there what more makes of it and
// its size in bytes, durably; nothing where more returns nothing. What could not be
// written whole is taken back. A link is not followed, a pipe not waited for. Two
// at once need a lock.
func Append(path string, more func(f io.ReaderAt, size int64) ([]byte, error)) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &os.PathError{Op: "append", Path: path, Err: ErrNotRegular}
	}
	text, err := more(f, info.Size())
	if err != nil || len(text) == 0 {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	return nil
}
