package session

import (
	"os"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
)

// tellAgain is how long a session hears nothing more of failures and waiting
// work once it was told: a fault that comes with every prompt is told once.
const tellAgain = time.Hour

// maxFailures bounds how much of the ledger is looked at, in entries.
const maxFailures = 1000

// News is what a prompt has to be told, and how to note in the state that it
// was: told is nil when there is nothing to note.
func (fl *InFlight) News(now time.Time) (n brief.News, told func(*stage.State)) {
	if fl.unread != nil {
		return n, nil // what can't be noted would be told again at every prompt
	}
	st := fl.State
	if st.Result != nil && !st.Result.Told {
		n.Saved = st.Result.Line
	}
	waits := st.Waits
	if since := now.Sub(st.Spoke); since < 0 || since >= tellAgain {
		n.Failures = fl.failures(st.Told, now)
		left, _, drafted := fl.waiting()
		if waits = len(left) + len(drafted); waits > st.Waits {
			n.Left, n.Drafted = left, drafted
		}
	}
	if full := fl.Full(st); full.At == triage.Alert && st.Pressure.Said < int(full.At) && fl.Asks() {
		n.Full = full
	}
	if n.Saved == "" && n.Failures == 0 && waits == st.Waits && n.Full == (brief.Full{}) {
		return n, nil
	}
	return n, func(st *stage.State) {
		if st.Result != nil && n.Saved != "" {
			st.Result.Told = true
		}
		if n.Failures > 0 || waits > st.Waits {
			st.Told, st.Spoke = now, now
		}
		st.Waits, st.Pressure.Said = waits, max(st.Pressure.Said, int(n.Full.At))
	}
}

// NewsAtStart is what a session is told when it begins: all that waits, and what
// no session of the project was told of. What it takes from other sessions it
// notes there.
func (fl *InFlight) NewsAtStart(now time.Time) (n brief.News, told func(*stage.State)) {
	all, _ := fl.Sessions().All() // those that can be read
	since := fl.State.Told
	var saved time.Time
	for _, st := range all {
		since = later(since, st.Told)
		if st.Result == nil || st.Result.Told {
			continue
		}
		if st.Result.At.After(saved) {
			n.Saved, saved = st.Result.Line, st.Result.At
		}
		if st.Session != fl.ID {
			_ = fl.Sessions().Update(st.Session, st, func(st *stage.State) error {
				if st.Result != nil {
					st.Result.Told = true
				}
				return nil
			})
		}
	}
	n.Failures = fl.failures(since, now)
	n.Left, n.Staged, n.Drafted = fl.waiting()
	return n, func(st *stage.State) {
		if st.Result != nil {
			st.Result.Told = true
		}
		st.Told, st.Waits = now, len(n.Left)+len(n.Drafted)
		if n.Failures+st.Waits > 0 {
			st.Spoke = now
		}
	}
}

// failures counts the ledger's entries since a time. One that is still to come
// says that the clock was set back: then it counts those of the last hour.
func (pl *Place) failures(since, now time.Time) int {
	if since.After(now) {
		since = now.Add(-tellAgain)
	}
	if fi, err := os.Lstat(pl.Ledger()); err != nil || !fi.ModTime().After(since) {
		return 0
	}
	entries, _ := journal.Failures(pl.Ledger(), maxFailures)
	n := 0
	for _, e := range entries {
		if e.Time.After(since) && e.Where != auditor {
			n++
		}
	}
	return n
}

// waiting lists the categories of unsaved work: what ended sessions left, once
// for each of them, what lies on this session's desk, and what of that is drafted
// and waits because no drafter delivered. Statements of ended sessions wait in the
// journal, and the person is told of them, not the agent.
func (fl *InFlight) waiting() (left, staged, drafted []memory.Category) {
	sessions, _ := fl.Pending().Waiting()
	for id, cats := range sessions {
		from := fl.Pending().Desk(id)
		names, _ := from.Files()
		for _, c := range cats {
			if slices.Contains(names, stage.IntentName(c)) {
				left = append(left, c)
			} else if context, err := from.Context(c); err != nil || !context.Numbered() {
				left = append(left, c)
			}
		}
	}
	names, _ := fl.Desk.Files()
	pending := slices.Contains(names, stage.PendingName)
	for _, c := range memory.Categories() {
		switch {
		case pending && slices.Contains(names, stage.IntentName(c)):
			drafted = append(drafted, c)
		case slices.Contains(names, stage.ContextName(c)):
			staged = append(staged, c)
		}
	}
	return left, staged, drafted
}
