package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// AppendLine adds one line, given without its line break, to the file at path, which is made with mode 0600
// if its folder exists. The line is written whole with O_APPEND, so several processes can share a file
// without a lock. A file of more than limit bytes is first renamed to path.1, replacing an earlier one. A
// link is not followed, and a pipe does not block.
func AppendLine(path string, line []byte, limit int64) error {
	if fi, err := os.Lstat(path); err == nil && fi.Size() > limit && fi.Mode().IsRegular() {
		if err := os.Rename(path, path+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK,
		0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line[:len(line):len(line)], '\n'))
	return errors.Join(err, f.Close())
}
