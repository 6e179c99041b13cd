package disk

import "golang.org/x/sys/unix"

const omitTime = unix.UTIME_OMIT

// swapNames lets two files of a folder change their names, in one step.
func swapNames(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}

// addName renames a file of a folder if nothing has the new name, in one step.
func addName(dir int, from, to string) error {
	return unix.Renameat2(dir, from, dir, to, unix.RENAME_NOREPLACE)
}
