package disk

import "syscall"

// ctime returns when a file was last changed, in seconds and nanoseconds.
func ctime(st *syscall.Stat_t) (sec, nsec int64) { return int64(st.Ctim.Sec), int64(st.Ctim.Nsec) }

// atime returns when a file was last read, or made, in seconds and nanoseconds.
func atime(st *syscall.Stat_t) (sec, nsec int64) { return int64(st.Atim.Sec), int64(st.Atim.Nsec) }
