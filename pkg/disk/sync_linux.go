package disk

import (
	"errors"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// SyncFolders makes all files durable that were written until now to the file systems of some folders. For
// hundreds of files this takes a tenth of the time of a sync for each. The error is errors.ErrUnsupported on
// a system that can't.
func SyncFolders(dirs []string) error {
	var done []uint64 // file systems
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		system := uint64(info.Sys().(*syscall.Stat_t).Dev)
		if slices.Contains(done, system) {
			continue
		}
		if err := syncSystem(dir); err != nil {
			return err
		}
		done = append(done, system)
	}
	return nil
}

// syncSystem syncs the file system of a folder.
func syncSystem(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	err = unix.Syncfs(int(f.Fd()))
	if errors.Is(err, unix.ENOSYS) {
		return errors.ErrUnsupported
	}
	return os.NewSyscallError("syncfs", err)
}
