package session

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/config"
	"keepsake/pkg/store"
)

// Log writes events of this session, unless the settings turn the log off. An event that can't be written
// is lost, as a log must never make its caller fail.
func (pl *Place) Log(events ...event.Event) { logEvents(pl.Events(), pl.ID, events...) }

// Events returns the project's event log with its settings.
func (pl *Place) Events() journal.Events { return eventLog(pl.Dirs, pl.Place, pl.Config) }

// AllEvents returns the project's event log to read, also while the settings turn logging off.
func (pl *Place) AllEvents() journal.Events { return journal.Events{Dir: pl.state().Events()} }

// eventLog returns the event log of a project with its settings.
func eventLog(d layout.Dirs, p layout.Place, c config.Config) journal.Events {
	dir := d.Of(p.Home).Events()
	if !c.Logging.Enabled || dir == "" {
		return journal.Events{}
	}
	return journal.Events{Dir: dir, Least: event.Level(c.Logging.Level), Days: c.Logging.RetentionDays}
}

// logEvents writes events of a session into a log.
func logEvents(l journal.Events, session string, events ...event.Event) {
	for i := range events {
		events[i].Session = session
	}
	_ = l.Append(time.Now(), events...)
}

// Scored returns the event of a stretch of conversation that was read: in which categories something sure
// was noticed and with which score, which of them a booster raised, how many candidates there were, and
// how full the context window was.
func Scored(hook string, n Noticed, entries int, at triage.Pressure) event.Event {
	scores := map[string]float64{}
	triggered, boosted, moments := []string{}, []string{}, []string{}
	candidates := 0
	for _, f := range n.Findings {
		name := string(f.Category)
		switch {
		case f.Level == finding.Candidate:
			candidates++
		case f.Moment != "":
			if kind := string(f.Moment); !slices.Contains(moments, kind) {
				moments = append(moments, kind)
			}
		default:
			if !slices.Contains(triggered, name) {
				triggered = append(triggered, name)
			}
			scores[name] = max(scores[name], f.Score)
			if n.boosted[f.Digest] && !slices.Contains(boosted, name) {
				boosted = append(boosted, name)
			}
		}
	}
	return event.Event{Type: event.TriageScore, Hook: hook, Took: event.Untimed, Data: event.Data{
		"entries": entries, "explicit": n.Explicit, "triggered": triggered, "scores": scores,
		"boosted": boosted, "moments": moments,
		"candidates": candidates, "pressure": int(at),
	}}
}

// failureEvent returns the event of a failure in the ledger. It has no text of the error.
func failureEvent(where string, why error) event.Event {
	e := event.Event{Type: event.Failure, Level: event.Error, Took: event.Untimed, Error: Class(why)}
	switch where {
	case "stop", "userpromptsubmit", "sessionstart", "sessionend", "subagentstop", "precompact":
		e.Hook = where
	default:
		e.Script = where
	}
	return e
}

// Class returns the class of an error in one word, or "" for nil. It leaves out the error's text, which
// has paths and may have words of the conversation.
func Class(err error) string {
	if err == nil {
		return ""
	}
	for _, c := range []struct {
		err  error
		name string
	}{
		{store.ErrConflict, "conflict"}, {disk.ErrLocked, "locked"}, {memory.ErrNewer, "newer_version"},
		{stage.ErrNewer, "newer_version"},
		{disk.ErrNotRegular, "not_regular"}, {disk.ErrTooLarge, "too_large"},
		{disk.ErrNotPrivate, "not_private"},
		{syscall.ENOSPC, "disk_full"}, {syscall.EROFS, "read_only"}, {syscall.EMFILE, "too_many_files"},
		{syscall.ENFILE, "too_many_files"}, {syscall.EIO, "io"},
		{fs.ErrNotExist, "absent"}, {fs.ErrExist, "exists"}, {fs.ErrPermission, "permission"},
		{context.DeadlineExceeded, "deadline"}, {context.Canceled, "canceled"},
	} {
		if errors.Is(err, c.err) {
			return c.name
		}
	}
	if strings.HasPrefix(err.Error(), "panic: ") {
		return "panic"
	}
	return "other"
}
