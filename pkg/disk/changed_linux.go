package disk

import "syscall"

// ctime returns when a file was last changed, in seconds and nanoseconds.
func ctime(st *syscall.Stat_t) (sec, nsec int64) { return int64(st.Ctim.Sec), int64(st.Ctim.Nsec) }
