package session

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/store"
)

// Memdir is the project's Markdown memories, and those of the root scope. It remembers what it has looked
// up, as that takes many file lookups and is asked for often.
type Memdir struct {
	*InFlight
	clientMemory string            // what clientsMemory found; "" before it was asked
	real         map[string]string // what resolved found, by the path that was asked for
}

// MemoryDir returns the directory of Markdown memories of the project: the setting memdir.dir, else
// autoMemoryDirectory of the person's settings of the client, else the client's own place for the
// project. It need not exist. It is "" when nothing says where the client is.
func (md *Memdir) MemoryDir() string {
	if dir := expandHome(md.Config.Memdir.Dir); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	if md.clientMemory == "" {
		md.clientMemory = md.clientsMemory()
	}
	return md.clientMemory
}

// clientsMemory is MemoryDir without the setting.
func (fl *InFlight) clientsMemory() string {
	client := fl.ClientConfig()
	if dir := autoMemoryDirectory(client); dir != "" {
		return dir
	}
	top := layout.Project(fl.Place.Home, "").Top
	if top == "" {
		top = fl.Place.Home
	}
	return layout.ClientMemory(client, top)
}

// KeepsLog reports whether each note and each save adds a line to the log of the day in a directory of
// Markdown memories. The client adds a pointer for each such file to the index of its own directory, which
// every session loads, so there the person must have asked for it.
func (md *Memdir) KeepsLog(dir string) bool {
	return md.Config.Memdir.Log && (md.Config.Memdir.LogOwn || !md.IsClients(dir))
}

// IsClients reports whether a directory of Markdown memories is the client's own, of the project or of the
// root scope.
func (md *Memdir) IsClients(dir string) bool {
	for _, own := range []string{md.clientsMemory(), md.RootMemoryDir()} {
		if own != "" && md.resolved(own) == md.resolved(dir) {
			return true
		}
	}
	return false
}

// RootMemoryDir returns the directory of memories that concern more than one project, or "" if the
// setting scope.root is empty. The setting is the path of a folder to which the memory belongs, or the
// client's name for it.
func (fl *InFlight) RootMemoryDir() string {
	root := fl.Config.Scope.Root
	if root == "" {
		return ""
	}
	if dir := expandHome(root); filepath.IsAbs(dir) {
		return layout.ClientMemory(fl.ClientConfig(), filepath.Clean(dir))
	}
	return layout.ClientMemory(fl.ClientConfig(), root) // the slug of a slug is the slug
}

// ClientConfig returns the client's configuration directory: the one with the session's transcript, which
// no project can move, or else the one that the environment names.
func (fl *InFlight) ClientConfig() string {
	if dir := layout.Client(fl.State.Transcript); dir != "" {
		return dir
	}
	return layout.ClientHere()
}

// autoMemoryDirectory returns the setting of that name from the person's settings of the client, or "" if
// it is not an absolute path.
func autoMemoryDirectory(client string) string {
	for _, name := range [...]string{"settings.local.json", "settings.json"} {
		var conf struct {
			Dir string `json:"autoMemoryDirectory"`
		}
		b, err := ReadSettings(filepath.Join(client, name))
		if err != nil || json.Unmarshal(b, &conf) != nil {
			continue
		}
		if dir := expandHome(conf.Dir); filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
	}
	return ""
}

// expandHome returns a path with a leading ~ replaced by the home directory.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(os.Getenv("HOME"), rest)
	}
	return path
}

// profile returns the profile of a directory of Markdown memories: that of the setting, or else the one
// that fits its files.
func (md *Memdir) profile(files []memdir.File) memdir.Profile {
	p, _ := memdir.ProfileOf(md.Config.Memdir.Profile, files)
	return p
}

// ReadMemories reads the files of a directory of Markdown memories, within the limits of mdwalk.Walk. It
// calls pass for each file that is left out, with the reason. Alike is not set.
func ReadMemories(dir string, now time.Time, pass func(name, why string)) (memdir.Dir, error) {
	d := memdir.Dir{Now: now, Unread: map[string]string{}}
	err := mdwalk.Walk(dir, func(n mdwalk.Note) {
		d.Files = append(d.Files, memdir.File{Path: n.Name, Bytes: n.Bytes, Modified: n.Modified})
	}, func(name, why string) {
		d.Unread[name] = unread(dir, name, why)
		pass(name, why)
	})
	return d, err
}

// unread says in few words why a file of a directory was not read.
func unread(dir, name, why string) string {
	path := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return why
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(path)
		return "is a link to " + to + ": Keepsake reads and writes no links; put the file itself there"
	case info.Mode().IsRegular() && info.Size() > mdwalk.MaxNote:
		return fmt.Sprintf("has %d KiB: Keepsake reads at most %d; cut it by hand first", info.Size()>>10,
			mdwalk.MaxNote>>10)
	}
	return why
}

// Notes opens a directory of Markdown memories for plans. Keepsake's own files lie Beside it.
func (md *Memdir) Notes(dir string) *store.Store {
	return store.OpenNotes(md.resolved(dir), md.Beside(dir),
		store.Options{Keep: md.historyKept(), Tell: md.noteCutShort})
}

// Settle finishes plans that a killed process left half done in the project's and the root scope's
// directories of Markdown memories. Where there are none it costs a few file lookups.
func (md *Memdir) Settle() {
	for _, dir := range md.MemoryDirs() {
		md.Notes(dir).Tidy()
	}
}

// ClearLeftovers removes the files that a killed process left half written there, however long ago.
func (md *Memdir) ClearLeftovers(now time.Time) {
	for _, dir := range md.MemoryDirs() {
		md.Notes(dir).Clear(now)
	}
}

// MemoryDirs returns the project's and the root scope's directory, without those that are not set.
func (md *Memdir) MemoryDirs() (dirs []string) {
	for _, dir := range []string{md.MemoryDir(), md.RootMemoryDir()} {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// resolved returns a path with its links resolved, as far as it exists. Each is looked up once.
func (md *Memdir) resolved(path string) string {
	if real, known := md.real[path]; known {
		return real
	}
	if md.real == nil {
		md.real = map[string]string{}
	}
	md.real[path] = layout.Resolved(path)
	return md.real[path]
}
