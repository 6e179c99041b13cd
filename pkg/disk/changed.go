package disk

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// Changed returns when a file was last changed, whatever time of modification it was given since. A file that
// a rule mended keeps that time, so it doesn't tell whether the file is another one.
func Changed(info fs.FileInfo) time.Time {
	at := info.ModTime()
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		if c := time.Unix(ctime(st)); c.After(at) {
			at = c
		}
	}
	return at
}

// Touched returns when a file was last read or written, whichever is later. A file that Prepare wrote may say
// that it was written long ago, but not that it was read then.
func Touched(info fs.FileInfo) time.Time {
	at := info.ModTime()
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		if a := time.Unix(atime(st)); a.After(at) {
			at = a
		}
	}
	return at
}

// State returns a text that differs after any change of a file: its inode, when it was last changed, and its
// size.
func State(info fs.FileInfo) string {
	var inode uint64
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		inode = st.Ino
	}
	return fmt.Sprintf("%d %d %d", inode, Changed(info).UnixNano(), info.Size())
}
