// Package session opens what a door needs to know about where it is: the
// project, its settings, one session's state and desk. It puts the hands
// together so that every hook and verb finds the same files by the same rules.
package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/config"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
	"keepsake/pkg/paths"
	"keepsake/pkg/recall"
	"keepsake/pkg/stage"
	"keepsake/pkg/store"
	"keepsake/pkg/trust"
)

// A Call is what a hook event says about where it happened.
type Call struct{ ID, Transcript, Cwd string }

// A Session is one session of the client in one project.
type Session struct {
	ID       string // as a file name
	Root     string // of the project in the checkout that the session works in, absolute
	Place    paths.Place
	Dirs     paths.Dirs
	State    stage.State // as it was when the session was opened; Update changes it
	Known    bool        // a state file was there
	Desk     stage.Desk
	Config   config.Config
	Warnings []string // of the settings

	tier   string // of the staging base; "" when the state already named the desk
	hook   bool   // opened by one, which has little time
	unread error  // why a state file that is there could not be used

	trusted   *trust.View // what is known of records, once asked for
	isTracked *bool       // whether git tracks the store, once asked for
	read      *bookRead   // of the journal, once asked for

	// Both cost many looks, and are asked for again and again.
	clientMemory string            // what clientsMemory found; "" before
	real         map[string]string // what followed found
}

// Off tells whether the person silenced Keepsake with KEEPSAKE=off. The gate
// over MemPalace does not ask.
func Off() bool { return os.Getenv("KEEPSAKE") == "off" }

// Attended tells whether somebody sits at the terminal client. A project's
// settings can claim so wrongly; nothing that needs a person may rest on it.
func Attended() bool { return os.Getenv("CLAUDE_CODE_ENTRYPOINT") == "cli" }

// ErrNoState says that there is no folder for what Keepsake knows.
var ErrNoState = errors.New("no place for state")

// Open finds the session of a hook event. Nothing is created but, where the
// platform offers no private runtime directory, the staging base in the cache.
func Open(c Call) (*Session, error) {
	deep(0)
	s, err := open(placeOf(c), c.ID, c.Transcript)
	if s != nil {
		s.hook = true
	}
	return s, err
}

// In opens a session of the project of a directory, whatever the environment
// says.
func In(dir, id string) (*Session, error) { return open(paths.Project("", dir), id, "") }

// placeOf is where an event happened. The client names the folder that it was
// started in. A client that does not leaves the working directory, which
// follows cd: what the session's state says goes before it.
func placeOf(c Call) paths.Place {
	dir := os.Getenv("CLAUDE_PROJECT_DIR")
	if !filepath.IsAbs(dir) {
		if st, ok, err := latest(c, paths.Project("", c.Cwd)); ok && err == nil {
			return placeOfState(st)
		}
	}
	return paths.Project(dir, c.Cwd)
}

func open(place paths.Place, id, transcript string) (*Session, error) {
	s := &Session{ID: paths.Session(id), Root: place.Dir, Place: place}
	refused, err := s.load(transcript)
	if err == nil && transcript == "" && s.State.Transcript != "" {
		// It names the home where the system does not say what the client was started with.
		refused, err = s.load(s.State.Transcript)
	}
	if err != nil {
		return nil, err
	}
	if s.Desk.Dir == "" {
		if s.Desk.Dir, s.tier, err = s.Dirs.Desk(place.Home, s.ID); err != nil {
			return nil, err
		}
	}
	s.State.Root, s.State.Home, s.State.Stage = place.Dir, place.Home, s.Desk.Dir
	if transcript != "" {
		s.State.Transcript = transcript
	}
	s.Config, s.Warnings = settings(s.Dirs.Settings(), s.Place.Settings())
	if len(refused) > 0 {
		s.Warnings = append(s.Warnings, strings.Join(refused, ", ")+": ignored: it lies in the project, or git "+
			"tracks it, and is not yours; what counts is in "+s.Dirs.State)
	}
	return s, nil
}

// load finds Keepsake's folders and reads the session's state there.
func (s *Session) load(transcript string) (refused []string, err error) {
	s.State, s.Known, s.Desk, s.unread = stage.State{}, false, stage.Desk{}, nil
	s.Dirs, refused = dirsFor(s.Place, transcript)
	if s.Dirs.State == "" {
		if len(refused) > 0 {
			return nil, fmt.Errorf("%w: %s lies in the project, or git tracks it; "+
				"hint: take it out of git, or set XDG_STATE_HOME to another folder", ErrNoState,
				strings.Join(refused, ", "))
		}
		return nil, fmt.Errorf("%w: neither HOME nor XDG_STATE_HOME is set; hint: set HOME to your folder",
			ErrNoState)
	}
	st, err := s.sessions().Load(s.ID)
	switch {
	case err == nil:
		s.State, s.Known = st, true
		s.Desk = stage.Desk{Dir: st.Stage}
	case !errors.Is(err, fs.ErrNotExist):
		s.unread = err // recall and the gate do without; Update says what becomes of it
	}
	return refused, nil
}

// MemoryRoot is the project's memory store. Worktrees may share it, so it need
// not lie below Root.
func (s *Session) MemoryRoot() string { return s.Place.Memory }

func (s *Session) state() paths.State { return s.Dirs.Of(s.Place.Home) }

func (s *Session) sessions() stage.Sessions {
	return stage.Sessions{Dir: s.state().Sessions()}
}

// Sessions are the states of all sessions of the project.
func (s *Session) Sessions() stage.Sessions { return s.sessions() }

// Pending is what ended sessions of the project left unsaved.
func (s *Session) Pending() stage.Pending {
	return stage.Pending{Dir: s.state().Pending()}
}

// Ledger is the path of the project's failure ledger.
func (s *Session) Ledger() string { return s.state().Ledger() }

// cache is a file in the project's cache folder, "" without a cache home.
func (s *Session) cache(name string) string {
	return s.Dirs.ProjectCached(filepath.Dir(filepath.Dir(s.MemoryRoot())), name)
}

// hookBudget is how long a hook reads records that are new to the search index:
// it has three seconds for everything.
const hookBudget = 1200 * time.Millisecond

// Store opens the project's memories. Its search index lies in the cache.
func (s *Session) Store() *store.Store {
	var budget time.Duration
	if s.hook {
		budget = hookBudget
	}
	return store.Open(s.MemoryRoot(), store.Options{
		Checkout: s.Root,
		Derive:   deriver{},
		Cache:    s.cache("recall-" + strconv.Itoa(recall.Version) + ".idx"),
		Budget:   budget,
		Keep:     s.keep(),
		Tell:     s.cutShort,
		Private:  s.private,
	})
}

// private reports whether the project's memories are the person's alone: git tracks
// none, and nobody has set it up to.
func (s *Session) private() bool {
	rows, err := disk.Read(paths.Attributes(filepath.Dir(filepath.Dir(s.MemoryRoot()))),
		maxSettings)
	return (err != nil || !strings.Contains(string(rows), GitSetup)) && !s.tracked()
}

// GitSetup begins the rows that git-setup writes.
const GitSetup = "# keepsake git-setup: begin"

// keep is how much of a store's history the settings want.
func (s *Session) keep() store.Keep {
	return store.Keep{Grace: time.Duration(s.Config.Delete.GraceDays) * 24 * time.Hour}
}

// cutShort notes what a plan that was cut short left undone.
func (s *Session) cutShort(b store.Bad) {
	s.Fault("store", "a save that was cut short could not be finished whole", fmt.Errorf("%s: %w", b.Path, b.Err))
}

// Update changes the session's state file under its lock and keeps s.State in
// step. When change fails nothing is written.
func (s *Session) Update(change func(*stage.State) error) error {
	fresh := s.State
	if fresh.Started.IsZero() {
		fresh.Started = time.Now().UTC()
	}
	return s.sessions().Update(s.ID, fresh, func(st *stage.State) error {
		st.Root, st.Home, st.Stage = s.Root, s.Place.Home, s.Desk.Dir
		if s.State.Transcript != "" {
			st.Transcript = s.State.Transcript
		}
		st.Seen = later(st.Seen, time.Now().UTC())
		if err := change(st); err != nil {
			return err
		}
		s.State, s.Known = *st, true
		if s.unread != nil { // not of a newer version, or Update had left it alone
			s.Fault("session", "a session's state could not be read, was put aside and begun anew", s.unread)
			s.unread = nil
		}
		return nil
	})
}

// later keeps a clock that steps back from making a session look older.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Fault puts a failure into the ledger, and its class into the log. It is the
// last resort and therefore has no error of its own.
func (s *Session) Fault(where, what string, why error) {
	record(s.Ledger(), where, s.ID, what, why)
	s.Log(failure(where, why))
}

// Fault records a failure of a call that could not be opened far enough to
// have a Session.
func Fault(c Call, where, what string, why error) {
	place, id := placeOf(c), paths.Session(c.ID)
	dirs, _ := dirsFor(place, c.Transcript)
	record(dirs.Of(place.Home).Ledger(), where, id, what, why)
	conf, _ := settings(dirs.Settings(), place.Settings())
	write(events(dirs, place, conf), id, failure(where, why))
}

func record(path, where, id, what string, why error) {
	e := journal.Failure{Time: time.Now(), Where: where, Session: id, What: what}
	if why != nil {
		e.Why = why.Error()
	}
	_ = journal.AppendFailure(path, e)
}
