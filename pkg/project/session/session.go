// Package session opens what a hook or a command needs to know about its surroundings: the project, its
// settings, the state of one session and its desk. Every hook and verb opens its files through it, so
// that all find the same ones by the same rules.
package session

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/layout"
)

// A Call is the part of what the client says to a program that shows where it is called. Project is the
// folder in which the client was started, "" where CLAUDE_PROJECT_DIR says it.
type Call struct{ ID, Transcript, Cwd, Project string }

// A Session is one session of the client in one project, in parts. Each part stands on those before
// it and knows nothing of those after it. The methods of Session itself need several parts.
type Session struct {
	*Place     // the project, its folders and settings, the log of failures
	*InFlight  // the work in hand: state and desk
	*Memories  // the project's records, and how far they are trusted
	*Findings  // the findings and their outcomes
	*Capture   // noticing: what is said becomes findings, and findings become contexts
	*Digests   // the judging of ended sessions by a small model
	*Memdir    // the Markdown memories, and Keepsake's own files about them
	*Proposals // the memory-keepers' candidates
}

// newSession puts the parts together.
func newSession(place layout.Place, id string) *Session {
	s := &Session{Place: &Place{Place: place, ID: layout.Session(id), Root: place.Dir}}
	s.InFlight = &InFlight{Place: s.Place}
	s.Memories = &Memories{InFlight: s.InFlight}
	s.Findings = &Findings{Memories: s.Memories, read: &bookRead{}}
	s.Capture = &Capture{Findings: s.Findings}
	s.Digests = &Digests{Capture: s.Capture}
	s.Memdir = &Memdir{InFlight: s.InFlight}
	s.Proposals = &Proposals{Place: s.Place}
	return s
}

// Off reports whether the person silenced Keepsake with KEEPSAKE=off. The gate over MemPalace does
// not ask it.
func Off() bool { return os.Getenv("KEEPSAKE") == "off" }

// attended reports whether somebody sits at a terminal of Claude Code, as it says. A project's settings can
// forge that, so nothing that needs a person may rest on it.
func attended() bool { return os.Getenv("CLAUDE_CODE_ENTRYPOINT") == "cli" }

// Attended reports whether somebody sits at the terminal client, as the client says: Claude Code in the
// environment, Codex CLI in its session file, by how the latest turn began. Nothing that needs a person may
// rest on it.
func (pl *Place) Attended() bool {
	if !layout.IsCodex(pl.transcript) {
		return attended()
	}
	if pl.typed == nil {
		typed := false
		if file, err := OpenTranscript(pl.transcript); err == nil {
			by, err := transcript.TurnTrigger(file)
			typed = err == nil && by == transcript.ByHand
			file.Close()
		}
		pl.typed = &typed
	}
	return *pl.typed
}

// Codex reports whether the session is one of Codex CLI. It has none of Keepsake's agents and skills.
func (pl *Place) Codex() bool { return layout.IsCodex(pl.transcript) }

// OfAgent returns the id of the session in whose shell this program runs, as the client says, or "".
func OfAgent() string {
	return cmp.Or(os.Getenv("CLAUDE_CODE_SESSION_ID"), os.Getenv("CODEX_THREAD_ID"))
}

// ErrNoState is the error of Open if there is no folder for Keepsake's state.
var ErrNoState = errors.New("no place for state")

// Open returns the session of a hook event. It creates nothing, except the staging base in the
// cache where the platform has no private runtime directory.
func Open(c Call) (*Session, error) {
	GrowStack()
	s, err := open(placeOf(c), c.ID, c.Transcript)
	if s != nil {
		s.hook = true
	}
	return s, err
}

// Named returns the session that the client names to a program which is no hook.
func Named(c Call) (*Session, error) {
	GrowStack()
	return open(placeOf(c), c.ID, c.Transcript)
}

// In opens a session of the project of a directory, whatever the environment says.
func In(dir, id string) (*Session, error) { return open(layout.Project("", dir), id, "") }

// placeOf returns the place of an event. The client names the folder in which it was started. If it names
// none, there is only the working directory, which follows cd; so the session's state is asked first.
func placeOf(c Call) layout.Place {
	dir := cmp.Or(c.Project, os.Getenv("CLAUDE_PROJECT_DIR"))
	if !filepath.IsAbs(dir) {
		if st, ok, err := latestState(c, layout.Project("", c.Cwd)); ok && err == nil {
			return placeOfState(st)
		}
	}
	return layout.Project(dir, c.Cwd)
}

// open opens a session by its id in a place. file is its transcript, "" where the caller does not know it.
func open(place layout.Place, id, file string) (*Session, error) {
	s := newSession(place, id)
	refused, asked, err := s.load(file)
	if err == nil && asked && file == "" && s.State.Transcript != "" {
		// It names the home where the system does not say what the client was started with.
		refused, _, err = s.load(s.State.Transcript)
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
	if file != "" {
		s.State.Transcript = file
	}
	s.Place.transcript = s.State.Transcript
	s.Config, s.Warnings = readConfig(s.Dirs.Settings(), place.Settings())
	if len(refused) > 0 {
		s.Warnings = append(s.Warnings, strings.Join(refused, ", ")+
			": ignored: it lies in the project, or git "+
			"tracks it, and is not yours; what counts is in "+s.Dirs.State)
	}
	return s, nil
}

// Fault records a failure of a call for which no Session could be opened.
func Fault(c Call, where, what string, why error) {
	place, id := placeOf(c), layout.Session(c.ID)
	dirs, _, _ := dirsFor(place, c.Transcript)
	appendFailure(dirs.Of(place.Home).Ledger(), where, id, what, why)
	conf, _ := readConfig(dirs.Settings(), place.Settings())
	logEvents(eventLog(dirs, place, conf), id, failureEvent(where, why))
}

// GrowStack makes room on the stack for what reads and writes a session, in one step. Otherwise the runtime
// doubles the stack four times and copies it each time. It is called where little is on the stack yet.
func GrowStack() { useStack(0) }

//go:noinline
func useStack(n int) byte {
	var room [24 << 10]byte
	return room[n]
}
