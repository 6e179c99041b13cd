package main

import (
	"errors"
	"path/filepath"
	"runtime/debug"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// here opens the session that a verb works for:
//
//	--project DIR       that project, with --session or its latest session with staged work
//	--session ID        that session; its state file knows the project
//	by the client       the session that it names on standard input
//	in the agent's Bash the session it runs in (CLAUDE_CODE_SESSION_ID); the
//	                    working directory is not looked at, it follows cd
//	in a terminal       the project around the working directory, with its
//	                    latest session with staged work
//
// chosen reports that the session was chosen here, as the caller named none.
func (c *call) here() (s *session.Session, chosen bool, err error) {
	id := c.session
	byClient := c.named.ID != ""
	if id == "" && c.project == "" && !byClient {
		id = session.OfAgent()
	}
	switch {
	case byClient:
		s, err = session.Named(c.named)
	case c.project != "" && id != "":
		s, err = session.In(c.project, id)
	case c.project != "":
		s, err = session.At(c.project)
		chosen = true
	case id != "":
		s, err = session.Find(id)
	default:
		s, err = session.At(c.cwd)
		chosen = true
	}
	return s, chosen, err
}

// where opens a session of the project, for verbs that need no staged work, and finishes what a killed
// process left half done among the Markdown memories. If no hook of Keepsake has
// run yet, it takes the project of the working directory, which cd may have changed, and notes that.
func (c *call) where() (*session.Session, error) {
	s, err := c.whereAsIs()
	c.followMove(s)
	c.warn(s)
	c.migrate(s)
	if s != nil {
		s.Settle()
	}
	return s, err
}

// whereAsIs is where, and changes nothing.
func (c *call) whereAsIs() (*session.Session, error) {
	s, _, err := c.here()
	if unknown := err; unknown != nil && c.session == "" && c.project == "" {
		if s, err = session.At(c.cwd); err == nil {
			why, _, _ := strings.Cut(unknown.Error(), "\n")
			c.note("%s; going by the working directory: %s", why, s.Root)
		}
	}
	return s, err
}

// followMove brings along what is known of a project whose folder was moved.
func (c *call) followMove(s *session.Session) {
	if s == nil {
		return
	}
	c.opened = append(c.opened, s)
	from, err := s.FollowMove(false)
	if err != nil {
		c.note("what is known of this project could not follow its folder: %v", err)
	} else if from != "" {
		c.note("this project was %s: what Keepsake knows of it came along", brief.Line(from))
	}
}

// identify notes whose folder it is of which something is known since this call, so that it can follow the
// folder from now on. A call that wrote nothing writes nothing.
func (c *call) identify() {
	for _, s := range c.opened {
		if err := s.Identify(); err != nil {
			c.note("what is known of this project can't follow its folder: %v", err)
		}
	}
}

// migrate takes over the unsaved work of a version that had no journal.
func (c *call) migrate(s *session.Session) {
	if s == nil {
		return
	}
	if err := s.Migrate(c.now().UTC()); err != nil {
		c.note("what an earlier version left unsaved waits: %v", err)
	}
}

// untold notes which sessions of the project cannot be shown, because their state is broken or from a
// newer Keepsake.
func (c *call) untold(s *session.Session) {
	for _, err := range s.Sessions().Unread() {
		c.note("%v", err)
	}
}

// saveGC is the GC percentage of a save. A save reads little and ends soon. With this value it collects
// its garbage once rather than five times, which saves a third of the time that planning took.
const saveGC = 400

// staged opens the session whose stage a verb works on. It notes which session that is if nobody named
// one.
func (c *call) staged() (*session.Session, error) {
	s, chosen, err := c.here()
	if err != nil {
		return nil, err
	}
	if chosen && s.Known {
		c.note("session %s (the latest with staged work) of %s", s.ID, s.Root)
	}
	if err := oneFlow(s); err != nil {
		return nil, err
	}
	c.followMove(s)
	c.warn(s)
	c.migrate(s)
	s.Settle()
	debug.SetGCPercent(saveGC)
	return s, nil
}

// stagedSaver returns the Saver of the session whose stage a verb works on.
func (c *call) stagedSaver() (*save.Saver, error) {
	s, err := c.staged()
	if err != nil {
		return nil, err
	}
	return c.saver(s), nil
}

// oneFlow returns an error, in claude-memory's words, if the settings ask for another way of saving than
// the only one there is.
func oneFlow(s *session.Session) error {
	for _, w := range s.Warnings {
		if _, says, ok := strings.Cut(w, "architecture.simplified_flow: "); ok {
			return failed(errors.New(says))
		}
	}
	return nil
}

// inside reports whether the session's own agent runs this, and not somebody in a terminal beside it.
func inside(s *session.Session) bool {
	id := session.OfAgent()
	return id != "" && layout.Session(id) == s.ID
}

// warn notes what is wrong with the settings.
func (c *call) warn(s *session.Session) {
	if s == nil {
		return
	}
	for _, w := range s.Warnings {
		c.note("settings: %s", w)
	}
}

// path returns a path that the caller named, joined to the working directory if it is relative.
func (c *call) path(named string) string {
	if filepath.IsAbs(named) {
		return named
	}
	return filepath.Join(c.cwd, named)
}

// inStore reports whether a path is in the memory folder of some project, in which only plans write.
func inStore(path string) bool {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return strings.Contains(strings.ToLower(layout.ParentResolved(path)), "/.claude/memory/")
}
