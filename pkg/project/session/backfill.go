package session

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
)

// Backfill returns the log of what sessions said that Keepsake did not hear. It has the form of the journal;
// what is offered of it to the person is a finding of the journal's.
func (s *Findings) Backfill() journal.Journal { return journal.Journal(s.state().Backfill()) }

// Options returns how this project's sessions are listened to, with what the person's answers taught.
func (s *Findings) Options() triage.Options {
	o := s.Config.TriageOptions()
	o.Learned = s.learned()
	return o
}

// tidyBackfill deletes the log of the backfill once its candidates would have expired: they count from when
// they were read.
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

// eraseBackfill takes out of the log what says the same as findings of the journal that are forgotten.
func (s *Findings) eraseBackfill(of *finding.Book, e finding.Erasure, by string, now time.Time) error {
	if s.Backfill().Size() == 0 {
		return nil
	}
	digests := map[string]bool{}
	for _, n := range e.Numbers {
		if f, ok := of.Find(n); ok {
			digests[f.Digest] = true
		}
	}
	ctx, cancel := s.lockContext()
	defer cancel()
	err := s.Backfill().Rewrite(ctx, func(lines []byte) ([]byte, error) {
		broken := func(line []byte) bool { return hasWordsOf(of, e.Numbers, string(line)) }
		return s.rewrittenLog(lines, now, broken, func(b *finding.Book) (*finding.Book, error) {
			is := func(f finding.Status) bool { return digests[f.Digest] }
			same := finding.Erasure{Says: e.Says, Numbers: finding.Numbers(b.Each(is))}
			if len(b.Erase(finding.Move{At: now, By: by}, same)) == 0 {
				return nil, errUnchanged
			}
			return b, nil
		})
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}
