package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/drawer"
	"keepsake/pkg/paths"
	"keepsake/pkg/secret"
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
		return tiers.MemPalace{Root: s.Root, Wing: drawer.Tag(s.Place.Home), Program: paths.Libexec("mempalace"), Command: set.MemPalaceCommand}, choice, nil
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

// drawerJSON is what show --json prints of a drawer.
type drawerJSON struct {
	Path   string `json:"path"`           // wing/room/drawer
	File   string `json:"file,omitempty"` // of Keepsake's own
	Text   string `json:"text"`
	Source string `json:"source"`
	Filed  string `json:"filed"`
}

// drawer shows one drawer whole.
func (c *call) drawer(s *session.Session, at string) error {
	k, _, err := keeper(c, s)
	if err != nil {
		return failed(err)
	}
	var dr drawer.Drawer
	file := ""
	if own, is := k.(*tiers.Drawers); is {
		dr, file, err = own.File(at)
	} else {
		dr, err = k.Read(c.ctx, at)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return noDrawer(at)
	}
	if err != nil {
		return failed(err)
	}
	out := drawerJSON{Path: at, File: file, Text: secret.Redact(dr.Text), Source: dr.Source}
	if !dr.Filed.IsZero() {
		out.Filed = dr.Filed.Format(time.RFC3339)
	}
	for _, l := range [...]struct{ label, text string }{{"Drawer", at}, {"File", file}, {"From", out.Source}, {"Filed", out.Filed}} {
		if l.text != "" {
			c.line("%s: %s", l.label, brief.Line(l.text))
		}
	}
	c.line("")
	for line := range strings.SplitSeq(out.Text, "\n") {
		c.line("%s", brief.Line(line))
	}
	c.value(out)
	return nil
}

// inProject returns the folder of the project in which a folder of the person's
// lies, "" where it does not. Where it is by default, below the person's home, it
// is theirs even if the home itself is the project.
func inProject(dir string, s *session.Session) string {
	dir = paths.Resolved(dir)
	for _, home := range homes(s) {
		for _, usual := range usualPlaces {
			if dir == filepath.Join(paths.Resolved(home), usual) {
				return ""
			}
		}
	}
	for _, root := range []string{s.Root, s.Place.Home} {
		if paths.Inside(dir, root) {
			return root
		}
	}
	return ""
}

// usualPlaces are where Keepsake's folders are below a home, on Linux and on a Mac.
var usualPlaces = []string{
	".config/keepsake", ".local/share/keepsake/drawers",
	"Library/Application Support/keepsake", "Library/Application Support/keepsake/drawers",
}

// homes are the person's home as no project's settings can move it: where the
// client keeps the session, and in a terminal what HOME says.
func homes(s *session.Session) (all []string) {
	if client := paths.Client(s.State.Transcript); filepath.Base(client) == ".claude" {
		all = append(all, filepath.Dir(client))
	}
	if os.Getenv("CLAUDE_CODE_SESSION_ID") == "" {
		all = append(all, os.Getenv("HOME"))
	}
	return all
}
