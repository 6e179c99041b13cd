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

// tellAgain is how long a session is told nothing more of failures and waiting work after it was
// told, so that a fault that comes with every prompt is told once.
const tellAgain = time.Hour

// maxFailures is how many entries of the ledger are looked at.
const maxFailures = 1000

// News returns what a prompt has to be told, and a function that notes in the state that it was
// told. The function is nil when there is nothing to note.
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
		n.Failures = fl.failuresSince(st.Told, now)
		left, _, drafted := fl.waitingWork()
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

// NewsAtStart returns the news at the beginning of a session: everything that waits, and everything that
// no session of the project was told of. told marks in the session's state what it was told. What other
// sessions had to tell is marked in theirs.
func (fl *InFlight) NewsAtStart(now time.Time) (n brief.News, told func(*stage.State)) {
	all, _ := fl.Sessions().Recent() // those that can be read
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
	n.Failures = fl.failuresSince(since, now)
	n.Left, n.Staged, n.Drafted = fl.waitingWork()
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

// failuresSince counts the ledger's entries since a time. Where that time is still to come the
// clock was set back, and the entries of the last hour are counted.
func (pl *Place) failuresSince(since, now time.Time) int {
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

// waitingWork returns the categories of unsaved work: what ended sessions left, once for each
// session, what lies on this session's desk, and what of that is drafted and waits because no
// drafter delivered. Statements of ended sessions wait in the journal, and are told to the person,
// not to the agent.
func (fl *InFlight) waitingWork() (left, staged, drafted []memory.Category) {
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
