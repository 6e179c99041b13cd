// Package backfill looks through what a project has from before Keepsake: the transcripts of its sessions,
// and the files of the repository that say what was decided. It hears transcripts with the ears of the Stop
// hook (pkg/capture/explain), and offers the person the best of what may be worth keeping.
//
// Look says what there is. Read hears the transcripts into a log of its own, backfill.jsonl, from where the
// last call ended. Offer puts the best of it among the findings that wait for the person. Nothing of it
// reaches an agent before a yes.
package backfill

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// A Transcript is the file of one session of the project that Keepsake did not hear, or not from its begin.
type Transcript struct {
	Session  string
	Path     string
	Size     int64     // bytes
	Modified time.Time //

	until time.Time // Keepsake heard the session itself from then on; zero: never
}

// A Folder is one of the client's, with how much of it is of the project.
type Folder struct {
	Path     string `json:"path"`
	Sessions int    `json:"sessions"`
	Bytes    int64  `json:"bytes"`
}

// Passed is something that is not read.
type Passed struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Sources is what a project has from before Keepsake.
type Sources struct {
	Roots       []string // the folders of the clients that were looked through
	Folders     []Folder
	Transcripts []Transcript // the largest first
	Files       []string     // of the repository: AGENTS.md and what was decided
	Known       []string     // what the client loads by itself: nothing that it says is offered
	Passed      []Passed

	own   *ownFolders
	heard bool // transcripts that Keepsake heard are among them
}

// Bytes returns the size of all transcripts.
func (s Sources) Bytes() (n int64) {
	for _, t := range s.Transcripts {
		n += t.Size
	}
	return n
}

// Oldest returns when the transcript that was written to last the longest time ago was.
func (s Sources) Oldest() (at time.Time) {
	for _, t := range s.Transcripts {
		if at.IsZero() || t.Modified.Before(at) {
			at = t.Modified
		}
	}
	return at
}

// Look finds the transcripts and files of a project. The session under way is left out, and so are those
// that Keepsake hears.
func Look(s *session.Session) (Sources, error) {
	out := Sources{own: newOwnFolders(s.Place.Place)}
	out.Files, out.Known = filesOf(s)
	err := out.addTranscripts(s)
	return out, err
}

// Transcripts returns the project's transcripts, those that Keepsake heard among them. The session under way
// is left out.
func Transcripts(s *session.Session) (Sources, error) {
	out := Sources{own: newOwnFolders(s.Place.Place), heard: true}
	err := out.addTranscripts(s)
	return out, err
}

// clientsOf returns the configuration directories of both clients, "" for one that has none. Where the
// session's own is, no variable says.
func clientsOf(s *session.Session) (claude, codex string) {
	claude, codex = layout.ClientHere(), layout.CodexOf(os.Getenv)
	switch own := layout.Client(s.State.Transcript); {
	case own == "":
	case layout.IsCodex(s.State.Transcript):
		codex = own
	default:
		claude = own
	}
	if _, err := os.Stat(codex); err != nil {
		codex = ""
	}
	return claude, codex
}

// addTranscripts adds what there is in the clients' folders.
func (out *Sources) addTranscripts(s *session.Session) error {
	claude, codex := clientsOf(s)
	largest := map[string]int{} // index in out.Transcripts by session: a folder may have been copied
	var entries []fs.DirEntry
	var err error
	if root := layout.ClientSessions(claude); root != "" {
		out.Roots = append(out.Roots, root)
		if entries, err = os.ReadDir(root); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		for _, e := range entries {
			if dir := filepath.Join(root, e.Name()); e.IsDir() {
				out.addFolder(s, dir, largest)
			}
		}
	}
	if root := layout.CodexSessions(codex); root != "" {
		out.Roots = append(out.Roots, root)
		out.add(s, root, out.rolloutsIn(root), largest)
	}
	if root := layout.CodexArchive(codex); root != "" {
		if _, err := os.Stat(root); err == nil { // few have one
			out.Roots = append(out.Roots, root)
			out.add(s, root, out.rolloutsIn(root), largest)
		}
	}
	slices.SortFunc(out.Transcripts, func(x, y Transcript) int {
		return cmp.Or(cmp.Compare(y.Size, x.Size), cmp.Compare(x.Path, y.Path))
	})
	return err
}

// addFolder adds the transcripts of one of the client's folders. Its name tells whether it may be the
// project's, and where it is another, such as a worktree's, its newest transcript does.
func (out *Sources) addFolder(s *session.Session, dir string, largest map[string]int) {
	found, err := transcriptsIn(dir)
	if err != nil {
		out.Passed = append(out.Passed, Passed{dir, err.Error()})
		return
	}
	if len(found) == 0 {
		return
	}
	if own, _ := out.began(found[0]); !own && !out.own.mayBe(filepath.Base(dir)) {
		return
	}
	out.add(s, dir, found, largest)
}

// add adds those of a folder's transcripts that are of the project and that Keepsake did not hear.
func (out *Sources) add(s *session.Session, dir string, found []Transcript, largest map[string]int) {
	f := Folder{Path: dir}
	for _, t := range found {
		own, begun := out.began(t)
		if !own || t.Session == s.ID || t.Session == layout.Session(session.OfAgent()) {
			continue
		}
		if st, err := s.Sessions().Load(t.Session); err == nil && !out.heard {
			t.until = st.Started
			if t.until.IsZero() || !s.Ended(t.Session) || begun.After(t.until.Add(-beginning)) {
				continue
			}
		}
		at, again := largest[t.Session]
		switch {
		case again && out.Transcripts[at].Size >= t.Size:
			continue
		case again:
			out.Transcripts[at] = t
		default:
			largest[t.Session] = len(out.Transcripts)
			out.Transcripts = append(out.Transcripts, t)
		}
		f.Sessions++
		f.Bytes += t.Size
	}
	if f.Sessions > 0 {
		out.Folders = append(out.Folders, f)
	}
}

// beginning is how long before the first hook the client may have written a session's first line.
const beginning = time.Minute

// began reports whether a transcript begins in the project, and when. That of an agent that a session started
// does not.
func (out *Sources) began(t Transcript) (own bool, at time.Time) {
	file, err := session.OpenTranscript(t.Path)
	if err != nil {
		passed := Passed{t.Path, err.Error()}
		if !slices.Contains(out.Passed, passed) {
			out.Passed = append(out.Passed, passed)
		}
		return false, at
	}
	defer file.Close()
	b := transcript.Began(file)
	return !b.Agent && out.own.has(b.Cwd), b.Time
}

// transcriptsIn returns the sessions' transcripts in a folder, the newest first. Links are left out, and the
// files of agents that a session started.
func transcriptsIn(dir string) (all []Transcript, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		id, is := strings.CutSuffix(e.Name(), ".jsonl")
		if !is || !e.Type().IsRegular() || strings.HasPrefix(id, "agent-") {
			continue
		}
		info, err := e.Info()
		if err != nil || info.Size() == 0 { // it is gone meanwhile
			continue
		}
		all = append(all, Transcript{Session: layout.Session(id), Path: filepath.Join(dir, e.Name()),
			Size: info.Size(), Modified: info.ModTime()})
	}
	slices.SortFunc(all, func(x, y Transcript) int { return y.Modified.Compare(x.Modified) })
	return all, err
}

// rolloutsIn returns the transcripts of Codex CLI below a folder, which are those of all projects. Links are
// left out.
func (out *Sources) rolloutsIn(root string) (all []Transcript) {
	_ = fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) { // it is gone meanwhile
				out.Passed = append(out.Passed, Passed{path, err.Error()})
			}
			return nil
		}
		if !e.Type().IsRegular() || !layout.IsCodex(path) || filepath.Ext(path) != ".jsonl" {
			return nil
		}
		if info, err := e.Info(); err == nil && info.Size() > 0 {
			all = append(all, Transcript{Session: layout.CodexSession(path), Path: path, Size: info.Size(),
				Modified: info.ModTime()})
		}
		return nil
	})
	return all
}

// ownFolders tells which folders belong to a project.
type ownFolders struct {
	place layout.Place
	slugs []string
	known map[string]bool
}

func newOwnFolders(p layout.Place) *ownFolders {
	o := &ownFolders{place: p, known: map[string]bool{"": false}}
	for _, dir := range []string{p.Dir, p.Home} {
		o.slugs = append(o.slugs, layout.ClientSlug(dir))
	}
	return o
}

// mayBe reports whether the client's name for a folder may be that of one in the project.
func (o *ownFolders) mayBe(name string) bool {
	return slices.ContainsFunc(o.slugs, func(slug string) bool {
		return name == slug || strings.HasPrefix(name, slug+"-")
	})
}

// has reports whether a working directory is in the project, in any of its worktrees.
func (o *ownFolders) has(cwd string) bool {
	is, ok := o.known[cwd]
	if !ok {
		is = filepath.IsAbs(cwd) && layout.Project("", cwd).Home == o.place.Home
		o.known[cwd] = is
	}
	return is
}
