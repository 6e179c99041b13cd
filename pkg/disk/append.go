package disk

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Append calls more with a regular file that exists and its size in bytes, and adds the bytes that more
// returns to its end, durably. A write that fails in the middle is taken back. A link is not followed, and a
// pipe does not block. Two callers at once need a lock.
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
