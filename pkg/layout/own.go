package layout

import (
	"path/filepath"
	"slices"
)

// HomeOf returns the home of the person whose client wrote a transcript: the folder of its .claude or
// .codex. It is "" when the client's folder is elsewhere.
func HomeOf(transcript string) string { return homeOfClient(Client(transcript)) }

// Trusted returns the folders that count for a project, and those refused. A project's settings can set
// the variables that name these folders. So a folder that lies in the project is refused, and the one
// below home is used instead. home returns the home with which the client was started, or "". A state
// folder that git tracks is refused wherever it lies, since somebody else may have written its files;
// State is then "" if there is no other.
func (d Dirs) Trusted(p Place, home func() string) (own Dirs, refused []string) {
	grounds := p.grounds()
	inGrounds := func(path string) bool {
		return slices.ContainsFunc(grounds, func(g string) bool { return isBelow(path, g) })
	}
	theirs := "" // the home, once it was asked for
	asked := false
	ask := func() {
		if !asked {
			theirs, asked = home(), true
			if theirs != "" { // what their home lies in is theirs
				real := resolve(theirs)
				grounds = slices.DeleteFunc(grounds, func(g string) bool { return isBelow(real, g) })
			}
		}
	}
	own = d
	for _, f := range []struct {
		dir   *string
		usual func(Dirs) string
		state bool
	}{
		{&own.Config, func(d Dirs) string { return d.Config }, false},
		{&own.Data, func(d Dirs) string { return d.Data }, false},
		{&own.State, func(d Dirs) string { return d.State }, true},
		{&own.Cache, func(d Dirs) string { return d.Cache }, false},
		{&own.Runtime, func(d Dirs) string { return d.Runtime }, false},
	} {
		if *f.dir == "" {
			continue
		}
		real := resolve(*f.dir)
		inside := inGrounds(real)
		tracked := f.state && isTracked(real)
		if !inside && !tracked {
			continue
		}
		ask()
		usual := f.usual(UsualDirs(theirs))
		inside = theirs != "" && *f.dir != usual && inGrounds(real)
		switch {
		case !inside && !tracked:
			continue
		case f.state && (usual == "" || usual == *f.dir || isTracked(resolve(usual))):
			usual = ""
		}
		refused = append(refused, *f.dir)
		*f.dir = usual
	}
	return own, refused
}

// DirsFor returns Keepsake's folders as they count for a project in a session with this
// transcript.
func DirsFor(p Place, transcript string) Dirs {
	own, _ := Load().Trusted(p, func() string { return HomeOf(transcript) })
	return own
}

// grounds returns the folders of a project, in this checkout and in the main one, and the checkouts
// around them.
func (p Place) grounds() (all []string) {
	for _, dir := range []string{p.Dir, p.Home} {
		if dir == "" || slices.Contains(all, dir) {
			continue
		}
		all = append(all, dir)
		for up := filepath.Dir(dir); up != filepath.Dir(up); up = filepath.Dir(up) {
			if IsCheckout(up) && !slices.Contains(all, up) {
				all = append(all, up)
			}
		}
	}
	return all
}

// isBelow reports whether a path is a folder or lies below it, both without links.
func isBelow(path, dir string) bool {
	_, is := Relative(dir, path)
	return is
}

// isTracked reports whether git tracks a folder, in any of the checkouts around it. An
// index that can't be read may.
func isTracked(real string) bool {
	for _, g := range indexesAround(real) {
		if is, err := g.Has(real); is || err != nil {
			return true
		}
	}
	return false
}
