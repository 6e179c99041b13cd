package disk

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Identity returns what stays the same when a folder is moved or renamed on its disk, and that no other
// folder on it ever has: its number and when it was made. It is "" where the file system does not say that.
func Identity(dir string) string {
	var st unix.Statx_t
	const want = unix.STATX_INO | unix.STATX_BTIME
	err := unix.Statx(unix.AT_FDCWD, dir, unix.AT_SYMLINK_NOFOLLOW, want, &st)
	if err != nil || st.Mask&want != want {
		return ""
	}
	return fmt.Sprintf("%d-%d.%09d", st.Ino, st.Btime.Sec, st.Btime.Nsec)
}
