package memdir

// Past reports whether a file says what was and not what is, by its path: the log of a day, or an archive.
func Past(path string) bool {
	role := roleOf(path, "")
	return role == log || role == archived
}
