package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/drawer"
)

// BackEnds are the back ends of the tiers of a session's project.
type BackEnds struct {
	*session.Session
	// Git runs git in a folder and returns what it prints.
	Git func(ctx context.Context, dir string, args ...string) (string, error)
	// Sibling is the path of a program of this installation.
	Sibling func(name string) string
	// Warn is called for files that were passed over, and Note with all other messages.
	Warn func(error)
	Note func(format string, args ...any)
}

// Keeper returns the back end that keeps what was promoted from the session's project, and why that one was
// chosen. If there is none, the error has the reason, and the choice is still returned.
func (b BackEnds) Keeper() (tiers.Keeper, tiers.Choice, error) {
	set := b.Config.Tiers
	var installed error
	var palaces []string
	if set.Why == "auto" {
		// A person who named the program expects it to be installed, and an error if it isn't.
		if set.MemPalaceCommand == "" {
			_, installed = tiers.PalaceServer("", b.Root)
		}
		if installed == nil {
			palaces = layout.Palaces(layout.Homes(layout.Client(b.State.Transcript)))
		}
	}
	choice := tiers.PickWhy(set.Why, installed, palaces)
	if choice.Backend == "mempalace" {
		if _, err := tiers.PalaceServer(set.MemPalaceCommand, b.Root); err != nil {
			return nil, choice, err
		}
		if in := inProject(b.Dirs.Config, b.Session); in != "" &&
			(set.Why != "auto" || set.MemPalaceCommand != "") {
			return nil, choice, fmt.Errorf("your settings, which choose MemPalace, lie in the project: %s; "+
				"hint: only a person chooses programs: let XDG_CONFIG_HOME name a folder outside of %s",
				b.Dirs.Settings(), in)
		}
		return b.palace(), choice, nil
	}
	dir := b.Dirs.Drawers()
	if dir == "" {
		return nil, choice, errors.New("no place for drawers: neither HOME nor XDG_DATA_HOME is set; " +
			"hint: set XDG_DATA_HOME to a folder of yours")
	}
	// Whoever made the project could have put drawers there, which nobody approved.
	if in := inProject(dir, b.Session); in != "" {
		return nil, choice, fmt.Errorf("the drawers would lie in the project: %s; "+
			"hint: let XDG_DATA_HOME name a folder outside of %s", dir, in)
	}
	return &tiers.Drawers{Dir: dir, Cache: b.Dirs.Cache, Wing: drawer.Tag(b.Place.Home), Warn: b.Warn},
		choice, nil
}

// Palace returns MemPalace, whatever keeps what is promoted.
func (b BackEnds) Palace() (tiers.MemPalace, error) {
	_, err := tiers.PalaceServer(b.Config.Tiers.MemPalaceCommand, b.Root)
	if in := inProject(b.Dirs.Config, b.Session); err == nil && in != "" &&
		b.Config.Tiers.MemPalaceCommand != "" {
		err = fmt.Errorf("your settings, which name MemPalace's program, lie in the project: %s; hint: let "+
			"XDG_CONFIG_HOME name a folder outside of %s", b.Dirs.Settings(), in)
	}
	return b.palace(), err
}

func (b BackEnds) palace() tiers.MemPalace {
	return tiers.MemPalace{Root: b.Root, Wing: drawer.Tag(b.Place.Home), Program: b.Sibling("mempalace"),
		Command: b.Config.Tiers.MemPalaceCommand}
}

// Locator returns what answers where something is in the session's project.
func (b BackEnds) Locator() (tiers.Finder, tiers.Choice) {
	choice := tiers.PickWhere(b.Config.Tiers.Where, b.Root)
	qmd := tiers.QMD{Root: b.Root, Collections: choice.Collections, Warn: b.Warn}
	if choice.Backend == "qmd" && !choice.Both {
		return qmd, choice
	}
	dir := ""
	if b.Dirs.Cache != "" {
		// Each checkout has its own files, also where they share their memories.
		dir = filepath.Join(b.Dirs.Cache, layout.Key(b.Root))
	}
	files := &tiers.Where{Root: b.Root, Dir: dir, Git: b.Git, Note: b.Note}
	if choice.Both {
		return tiers.Both{QMD: qmd, Files: files}, choice
	}
	return files, choice
}

// ToSkill is a call of a skill for the agent to make, as a program can't call one.
type ToSkill struct {
	Skill string `json:"skill"`
	Words string `json:"words"`
}

// Router returns the skill that the settings have ask and keep instead of Keepsake; on
// is false where they have none. When it is not installed that is an error, and
// nothing takes its place.
func (b BackEnds) Router() (r tiers.Router, on bool, err error) {
	if b.Config.Tiers.Router != tiers.RouterSkill {
		return r, false, nil
	}
	client := cmp.Or(layout.Client(b.State.Transcript), layout.ClientHere())
	if r, err = tiers.FindRouter(tiers.RouterHomes(client)); err != nil {
		return r, true, err
	}
	return r, true, nil
}

// routed notes what the skill is to be asked for a tier; false where Keepsake asks
// by itself.
func (a *asked) routed(tier string) (bool, error) {
	r, on, err := a.Router()
	if on && err == nil {
		a.skill = &ToSkill{r.Skill, r.Ask(tier, a.Text)}
	}
	return on, err
}

// inProject returns the folder of the project that contains a folder of the person's, "" if none does. A
// folder in its default place below the person's home counts as the person's, even if the home itself is
// the project.
func inProject(dir string, s *session.Session) string {
	dir = layout.Resolved(dir)
	for _, home := range homes(s) {
		for _, usual := range usualPlaces {
			if dir == filepath.Join(layout.Resolved(home), usual) {
				return ""
			}
		}
	}
	for _, root := range []string{s.Root, s.Place.Home} {
		if layout.Inside(dir, root) {
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

// homes returns the person's homes, as no project's settings can move them: the one where the client keeps
// the session, and in a terminal the value of HOME.
func homes(s *session.Session) (all []string) {
	if home := layout.HomeOf(s.State.Transcript); home != "" {
		all = append(all, home)
	}
	if session.OfAgent() == "" {
		all = append(all, os.Getenv("HOME"))
	}
	return all
}
