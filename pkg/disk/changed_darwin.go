package disk

import "syscall"

// ctime returns when a file was last changed, in seconds and nanoseconds.
func ctime(st *syscall.Stat_t) (sec, nsec int64) { return st.Ctimespec.Sec, st.Ctimespec.Nsec }
