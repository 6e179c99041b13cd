package session

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
)

// Backfill returns the log of what sessions said that Keepsake did not hear. It has the form of the journal; what
// is offered of it to the person is a finding of the journal's.
func (s *Findings) Backfill() journal.Journal { return journal.Journal(s.state().Backfill()) }

// Options returns how this project's sessions are listened to, with what the person's answers taught.
func (s *Findings) Options() triage.Options {
	o := s.Config.TriageOptions()
	o.Learned = s.learned()
	return o
}

// tidyBackfill deletes the log of the backfill once its candidates would have expired: they count from when they
// were read.
func (s *Findings) tidyBackfill(now time.Time) error {
	path, age := s.state().Backfill(), s.ages().Candidate
	if path == "" || age == 0 {
		return nil
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && now.Sub(disk.Changed(info)) < age {
		return nil
	}
	return errors.Join(err, os.Remove(path))
}
