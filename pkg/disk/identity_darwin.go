package disk

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Identity returns what stays the same when a folder is moved or renamed on its disk, and that no other
// folder on it ever has: its number and when it was made. It is "" where the file system does not say that.
func Identity(dir string) string {
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil || st.Btim.Sec == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d.%09d", st.Ino, st.Btim.Sec, st.Btim.Nsec)
}
