package session

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/learn"
	"keepsake/pkg/disk"
)

// maxAnswers bounds the file of answers, in bytes. Those that count are far fewer.
const maxAnswers = 1 << 20

// Answers returns what the person answered about findings of the project, as far as it counts.
func (s *Findings) Answers() ([]learn.Answer, error) {
	b, err := disk.Read(s.state().Answers(), maxAnswers)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return learn.Parse(b)
}

// learned returns what the person's answers taught, or nil if the settings say that nothing is learned.
// Answers that can't be read teach nothing.
func (s *Findings) learned() *learn.Layer {
	if !s.Config.Triage.Learn || s.state() == "" {
		return nil
	}
	all, err := s.Answers()
	if err != nil && !errors.Is(err, learn.ErrNewer) {
		s.Fault("learn", "what you answered about earlier findings was not counted", err)
	}
	return learn.New(all)
}

// Answered notes the person's answer about a finding: whether they keep it. The caller knows that it was the
// person, where no agent has a voice. Nothing of the finding's text is noted.
func (s *Findings) Answered(f finding.Finding, kept bool, now time.Time) error {
	traits, ok := explain.TraitsOf(f)
	if !ok || !s.Config.Triage.Learn {
		return nil
	}
	return s.changeAnswers(func(all []learn.Answer) []learn.Answer {
		return append(all, learn.Answer{Number: f.Number, At: now.UTC(), Kept: kept,
			Score: math.Round(f.Score*1000) / 1000, Traits: traits})
	})
}

// Unlearn forgets what the person answered about any finding, and returns how many answers counted.
func (s *Findings) Unlearn() (n int, err error) {
	path := s.state().Answers()
	lock, err := s.lockAnswers(path)
	if lock == nil {
		return 0, err
	}
	defer lock.Unlock()
	all, _ := s.Answers() // what can't be read is forgotten all the same
	return len(all), disk.Remove(path)
}

// changeAnswers replaces the answers by what change makes of them.
func (s *Findings) changeAnswers(change func([]learn.Answer) []learn.Answer) error {
	path := s.state().Answers()
	lock, err := s.lockAnswers(path)
	if lock == nil {
		return err
	}
	defer lock.Unlock()
	all, err := s.Answers()
	if err != nil {
		return err
	}
	return disk.Write(path, learn.Encode(change(all)), 0o600)
}

// lockAnswers takes the lock of the file of answers. Without a home there is neither.
func (s *Findings) lockAnswers(path string) (*disk.Lock, error) {
	if path == "" {
		return nil, nil
	}
	if err := disk.Private(filepath.Dir(path)); err != nil {
		return nil, err
	}
	ctx, cancel := s.lockContext()
	defer cancel()
	return disk.Exclusive(ctx, path+".lock")
}

// ForgetAnswers takes what the person answered about some findings out.
func (s *Findings) ForgetAnswers(numbers []int) error {
	if all, err := s.Answers(); err == nil && len(learn.Without(all, numbers)) == len(all) {
		return nil
	}
	return s.changeAnswers(func(all []learn.Answer) []learn.Answer { return learn.Without(all, numbers) })
}
