package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// maxOffers bounds what is read of a list of plugins, in bytes.
const maxOffers = 1 << 20

// Newer returns the name of this plugin and the version that its marketplace offers, if that is newer. It
// reads what the client has fetched, and asks no network. Where the client runs the plugin in place there is
// nothing newer. version is "" for none.
func Newer() (plugin, version string, err error) {
	c, cached := layout.CachedIn(layout.Plugin())
	if !cached || c.OfCodex() {
		return "", "", nil
	}
	b, err := disk.Read(c.Offers(), maxOffers)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", nil // it is a folder of the person's
	}
	var market struct {
		Plugins []struct{ Name, Version string }
	}
	if err == nil {
		err = json.Unmarshal(b, &market)
	}
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", c.Offers(), err)
	}
	for _, p := range market.Plugins {
		if p.Name == c.Name() && isNewer(p.Version, layout.Version()) {
			return c.ID(), p.Version, nil
		}
	}
	return "", "", nil
}

// isNewer reports whether a version is newer than another. Both have to be numbers with dots between them:
// which of other versions is newer nobody can tell.
func isNewer(a, b string) bool {
	x, ok := versionOf(a)
	y, too := versionOf(b)
	return ok && too && slices.Compare(x, y) > 0
}

func versionOf(s string) (numbers []int, ok bool) {
	for part := range strings.SplitSeq(s, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}

// NoteVersion notes that this version of Keepsake works for a session, if it has one.
func NoteVersion(st *stage.State) {
	if v := layout.Version(); v != layout.Unversioned {
		st.Versions.Add(v)
	}
}

// maxNotices bounds what is read of the list of notices, in bytes.
const maxNotices = 64 << 10

// NoteOnce reports whether the person is to be given a notice, because they were not given one of this name
// in any project. It notes that they are.
func (s *Session) NoteOnce(name string) (bool, error) {
	path := s.Dirs.Notices()
	b, err := disk.Read(path, maxNotices)
	if path == "" || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if slices.Contains(strings.Split(string(b), "\n"), name) {
		return false, nil
	}
	return true, disk.Replace(path, append(b, name+"\n"...), 0o600)
}

// NewerOnce is Newer for a person who was not told of this version yet.
func (s *Session) NewerOnce() (plugin, version string, err error) {
	plugin, version, err = Newer()
	if version != "" {
		due, err := s.NoteOnce("version " + version)
		if err != nil || !due {
			return "", "", err
		}
	}
	return plugin, version, err
}

// Unlinked returns the path of the command line if its name alone does not start it, once.
func (s *Session) Unlinked() (program string, err error) {
	program = layout.CommandPath()
	if _, err := os.Stat(program); err != nil {
		return "", nil // doctor says that it is gone
	}
	due, err := s.NoteOnce("link")
	if err != nil || !due || layout.OnPath() != "" {
		return "", err
	}
	return program, nil
}
