package gate

// fileWrite judges a path that a file tool writes. Every tool that is not known
// to only read counts as writing.
func (j *judge) fileWrite(p string) {
	if p == "" {
		return
	}
	j.findZone(j.changed(p, j.call.Cwd), ending(p), true)
	// The place for guards on settings that would switch the gate off
	// (disableAllHooks, hooks.json), as a zone of their own.
}

// ending is a path with its beginning left out when it is long: the end of a
// path says more.
func ending(p string) string {
	const most = 60 // bytes
	if len(p) <= most {
		return p
	}
	i := len(p) - most
	for i < len(p) && p[i]&0xC0 == 0x80 {
		i++
	}
	return "…" + p[i:]
}
