package session

// deep makes room on the stack for what reads and writes a session, in one step: else
// the runtime doubles it four times, and copies it each time.
//
//go:noinline
func deep(n int) byte {
	var room [24 << 10]byte
	return room[n]
}
