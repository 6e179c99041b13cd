//go:build !linux

package stage

// startOf returns "": the start of a process isn't known here without a call per platform. The process
// number alone has to do.
func startOf(int) string { return "" }

// ParentOf returns zero values: the parent isn't known here without a call per platform.
func ParentOf(int) (ppid int, name string) { return 0, "" }

// SessionID returns 0: the session isn't known here without a call per platform.
func SessionID() int { return 0 }
