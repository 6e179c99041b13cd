package approval

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/layout"
)

// Over settles calls of a session's main agent that were let through or shown in a dialog and that nothing
// has settled. Called when no turn is under way, it finds those that did not run: the client reports every
// call that ran, but not those that a person said no to in its dialog. Such a call no longer waits, but can
// still be approved by its id. Calls of subagents stay, as these work between turns too.
func (d Dir) Over(session string, now time.Time) error {
	return d.settleNotRun(now, func(r Request, _ string) (bool, error) {
		return r.Session == session && r.Agent == "", nil
	})
}

// AgentOver is Over for a subagent that has ended, by the client's id of it.
func (c Call) AgentOver(now time.Time) error {
	d, session := c.dir(), layout.Session(c.Session)
	if d == "" || c.AgentID == "" {
		return nil
	}
	return d.settleNotRun(now, func(r Request, _ string) (bool, error) {
		return r.Session == session && r.AgentID == c.AgentID, nil
	})
}

// SettleRejected settles calls that a person has rejected in a dialog, as the transcripts say. No hook runs
// then: after Esc or No the main agent's turn just ends.
func (d Dir) SettleRejected(now time.Time) error {
	return d.settleNotRun(now, func(r Request, use string) (bool, error) { return d.isRejected(r, use) })
}

// settleNotRun settles the calls that were let through or shown in a dialog and of which notRun reports that
// they did not run. use is the name of a call's file, which is mostly the client's id.
func (d Dir) settleNotRun(now time.Time, notRun func(r Request, use string) (bool, error)) error {
	paths, err := d.files("taken")
	errs := []error{err}
	for _, path := range paths {
		use := strings.TrimSuffix(filepath.Base(path), ".json")
		r, err := d.loadRequest(path)
		if errors.Is(err, fs.ErrNotExist) { // settled meanwhile
			continue
		}
		over := false
		if err == nil {
			over, err = notRun(r, use)
		}
		if err == nil && over {
			err = os.Remove(path) // the one of several processes that removes it settles it
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && over {
			err = errors.Join(d.decline(r), d.Settle(r, use, Outcome{Time: now, Result: NotRun}))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// maxAfter is how much of a transcript behind a request is searched for its result, in bytes.
const maxAfter = 16 << 20

// isRejected reports whether the transcript has it that the person rejected a call. Only a transcript in the
// client's folder that d lies in is read.
func (d Dir) isRejected(r Request, use string) (bool, error) {
	path, from := r.Transcript, r.From
	if Dir(layout.Approvals(layout.Client(path))) != d {
		return false, nil
	}
	if strings.ContainsRune(r.AgentID, filepath.Separator) {
		return false, nil
	}
	if r.AgentID != "" {
		path, from = transcript.OfAgent(path, r.AgentID), 0
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	return transcript.Rejected(io.NewSectionReader(f, 0, info.Size()), from, maxAfter, use)
}

// fileSize returns the size of a file in bytes, or 0 if there is none.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// decline moves the request of a call that the dialog was shown for to the declined ones.
func (d Dir) decline(r Request) error {
	if r.By != Dialog {
		return nil
	}
	if err := d.makeDir("declined"); err != nil {
		return err
	}
	if err := os.Rename(d.requestPath("asked", r.ID), d.requestPath("declined", r.ID)); !errors.Is(err,
		fs.ErrNotExist) {
		return err
	}
	return nil // answered elsewhere meanwhile
}
