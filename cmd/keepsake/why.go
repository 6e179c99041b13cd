package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"keepsake/pkg/drawer"
	"keepsake/pkg/paths"
	"keepsake/pkg/session"
	"keepsake/pkg/tiers"
)

// keeper is what keeps what was promoted from the session's project, and why that.
// An error says that nothing does, and comes with the choice.
func keeper(c *call, s *session.Session) (tiers.Keeper, tiers.Choice, error) {
	set := s.Config.Tiers
	var installed error
	var palaces []string
	if set.Why == "auto" {
		// Whoever named the program has it installed, and wants to be told if not.
		if set.MemPalaceCommand == "" {
			_, installed = tiers.PalaceServer("", s.Root)
		}
		if installed == nil {
			palaces = paths.Palaces(paths.Homes(paths.Client(s.State.Transcript)))
		}
	}
	choice := tiers.PickWhy(set.Why, installed, palaces)
	if choice.Backend == "mempalace" {
		if _, err := tiers.PalaceServer(set.MemPalaceCommand, s.Root); err != nil {
			return nil, choice, err
		}
		if in := inProject(s.Dirs.Config, s); in != "" && (set.Why != "auto" || set.MemPalaceCommand != "") {
			return nil, choice, fmt.Errorf("your settings, which choose MemPalace, lie in the project: %s; hint: only a person chooses programs: let XDG_CONFIG_HOME name a folder outside of %s", s.Dirs.Settings(), in)
		}
		return tiers.MemPalace{Root: s.Root, Wing: drawer.Tag(s.Place.Home), Program: libexec("mempalace"), Command: set.MemPalaceCommand}, choice, nil
	}
	dir := s.Dirs.Drawers()
	if dir == "" {
		return nil, choice, errors.New("no place for drawers: neither HOME nor XDG_DATA_HOME is set; hint: set XDG_DATA_HOME to a folder of yours")
	}
	// Whoever made the project could have put drawers there, which nobody approved.
	if in := inProject(dir, s); in != "" {
		return nil, choice, fmt.Errorf("the drawers would lie in the project: %s; hint: let XDG_DATA_HOME name a folder outside of %s", dir, in)
	}
	return &tiers.Drawers{Dir: dir, Cache: s.Dirs.Cache, Wing: drawer.Tag(s.Place.Home), Warn: func(err error) { c.passed(err) }}, choice, nil
}

// inProject returns the folder of the project in which a folder of the person's
// lies, "" where it does not. Below the home that the system has for this user it
// is the person's wherever they work.
func inProject(dir string, s *session.Session) string {
	dir = real(dir)
	for _, root := range []string{s.Root, s.Place.Home} {
		rel, err := filepath.Rel(real(root), dir)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if u, err := user.LookupId(strconv.Itoa(os.Getuid())); err == nil {
			if rel, err := filepath.Rel(real(root), real(u.HomeDir)); err == nil && filepath.IsLocal(rel) && homely(dir, real(u.HomeDir)) {
				continue
			}
		}
		return root
	}
	return ""
}

// homely says whether a folder of Keepsake's is where it is by default below a
// home.
func homely(dir, home string) bool {
	for _, usual := range []string{".config/keepsake", ".local/share/keepsake/drawers", "Library/Application Support/keepsake", "Library/Application Support/keepsake/drawers"} {
		if dir == filepath.Join(home, usual) {
			return true
		}
	}
	return false
}

// real is a path without links, as far as it is there.
func real(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(real(dir), filepath.Base(path))
	}
	return path
}

// libexec is a program of this installation that another one starts.
func libexec(name string) string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(real(exe)), "libexec", name)
}
