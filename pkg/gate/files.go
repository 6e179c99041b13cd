package gate

// fileWrite judges a path that a file tool writes. Every tool that is not known
// to only read counts as writing.
func (j *judge) fileWrite(p string) {
	if p == "" {
		return
	}
	j.findZone(j.zoneOf(p, j.call.Cwd), p, true)
	// The place for guards on settings that would switch the gate off
	// (disableAllHooks, hooks.json), as a zone of their own.
}
