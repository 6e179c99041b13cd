//go:build !linux

package stage

// startOf isn't known without a call per platform; the number alone has to do.
func startOf(int) string { return "" }

// ParentOf can't be told without a call per platform.
func ParentOf(int) (ppid int, name string) { return 0, "" }

// SessionID can't be told without a call per platform.
func SessionID() int { return 0 }
