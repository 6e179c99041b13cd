package session

import (
	"encoding/json"
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

// Memdir is the project's Markdown memories, and those of the root scope. What it finds is
// kept, since both cost many looks and are asked for again and again.
type Memdir struct {
	*InFlight
	clientMemory string            // what clientsMemory found; "" before
	real         map[string]string // what followed found
}

// MemoryDir is the directory of Markdown memories of the project: the setting
// memdir.dir, else what the person's settings of the client say
// (autoMemoryDirectory), else the client's own place for the project. It need not
// exist; "" when nothing says where the client is.
func (md *Memdir) MemoryDir() string {
	if dir := atHome(md.Config.Memdir.Dir); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	if md.clientMemory == "" {
		md.clientMemory = md.clientsMemory()
	}
	return md.clientMemory
}

// clientsMemory is MemoryDir without the setting.
func (fl *InFlight) clientsMemory() string {
	client := fl.client()
	if dir := autoDirectory(client); dir != "" {
		return dir
	}
	top := layout.Project(fl.Place.Home, "").Top
	if top == "" {
		top = fl.Place.Home
	}
	return layout.ClientMemory(client, top)
}

// RootMemoryDir is the directory for what concerns more than one project, by the
// setting scope.root: the path of a folder whose memory it is, or the client's name
// for one. "" when none is set.
func (fl *InFlight) RootMemoryDir() string {
	root := fl.Config.Scope.Root
	if root == "" {
		return ""
	}
	if dir := atHome(root); filepath.IsAbs(dir) {
		return layout.ClientMemory(fl.client(), filepath.Clean(dir))
	}
	return layout.ClientMemory(fl.client(), root) // a slug is its own slug
}

// client is the client's configuration directory: as the session's transcript
// says, which no project moves, else as the environment does.
func (fl *InFlight) client() string {
	if dir := layout.Client(fl.State.Transcript); dir != "" {
		return dir
	}
	return layout.ClientHere()
}

// autoDirectory is autoMemoryDirectory of the person's settings of the client.
func autoDirectory(client string) string {
	for _, name := range [...]string{"settings.local.json", "settings.json"} {
		var conf struct {
			Dir string `json:"autoMemoryDirectory"`
		}
		b, err := ReadSettings(filepath.Join(client, name))
		if err != nil || json.Unmarshal(b, &conf) != nil {
			continue
		}
		if dir := atHome(conf.Dir); filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
	}
	return ""
}

// atHome is a path with its leading ~ made the home directory.
func atHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(os.Getenv("HOME"), rest)
	}
	return path
}

// ReadMemories gathers the files of a directory of Markdown memories, within the
// limits of mdwalk.Walk. pass is told what is left out and why. Alike is not set.
func ReadMemories(dir string, now time.Time, pass func(name, why string)) (memdir.Dir, error) {
	d := memdir.Dir{Now: now}
	err := mdwalk.Walk(dir, func(n mdwalk.Note) {
		d.Files = append(d.Files, memdir.File{Path: n.Name, Bytes: n.Bytes, Modified: n.Modified})
	}, pass)
	return d, err
}

// Notes opens a directory of Markdown memories for plans. What is ours lies Beside it.
func (md *Memdir) Notes(dir string) *store.Store {
	return store.OpenNotes(md.followed(dir), md.Beside(dir),
		store.Options{Keep: md.keep(), Tell: md.cutShort})
}

// Settle finishes what a process that was killed left half done in the project's and
// the root scope's directories of Markdown memories. It costs a few looks where there
// is nothing.
func (md *Memdir) Settle() {
	for _, dir := range md.MemoryDirs() {
		md.Notes(dir).Tidy()
	}
}

// MemoryDirs are the directories of Markdown memories that there may be.
func (md *Memdir) MemoryDirs() (dirs []string) {
	for _, dir := range []string{md.MemoryDir(), md.RootMemoryDir()} {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// followed is a path with its links resolved, as far as it exists. Each is looked at
// once.
func (md *Memdir) followed(path string) string {
	if real, known := md.real[path]; known {
		return real
	}
	if md.real == nil {
		md.real = map[string]string{}
	}
	md.real[path] = layout.Resolved(path)
	return md.real[path]
}
