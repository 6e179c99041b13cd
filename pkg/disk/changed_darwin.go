package disk

import "syscall"

// ctime returns when a file was last changed, in seconds and nanoseconds.
func ctime(st *syscall.Stat_t) (sec, nsec int64) { return st.Ctimespec.Sec, st.Ctimespec.Nsec }

// atime returns when a file was last read, or made, in seconds and nanoseconds.
func atime(st *syscall.Stat_t) (sec, nsec int64) { return st.Atimespec.Sec, st.Atimespec.Nsec }
