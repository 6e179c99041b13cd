package session

import (
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/search/alike"
)

// writtenFor is how long a finding waits for a memory file that says it: the client writes its memories in
// the same turn or in the next.
const writtenFor = time.Hour

// maxWritten bounds how many memory files are read for that.
const maxWritten = 20

// SettleWritten settles the findings of this session that a Markdown memory says which was written since they
// were said: nobody is asked to keep them twice. It returns the new ones that are left. What the person asked
// to have remembered is left alone.
func (s *Session) SettleWritten(added []finding.Finding, now time.Time) ([]finding.Finding, error) {
	if !s.wroteSince(now.Add(-writtenFor)) {
		return added, nil
	}
	book, err := s.Recent()
	if err != nil {
		return added, err
	}
	waits := book.Each(func(f finding.Status) bool {
		return f.State.Waits() && f.Session == s.ID && f.Level == finding.Sure && !f.Explicit &&
			f.Kind != finding.Change && now.Sub(f.Time) < writtenFor
	})
	if len(waits) == 0 {
		return added, nil
	}
	first := slices.MinFunc(waits, func(a, b finding.Status) int { return a.Time.Compare(b.Time) }).Time
	told := s.writtenSince(first)
	var moves []finding.Move
	for _, f := range waits {
		if to, ok := told.Holds(f.Text); ok {
			moves = append(moves, finding.Move{At: now, Act: finding.Know, Numbers: []int{f.Number}, To: to,
				By: "keepsake"})
		}
	}
	if len(moves) == 0 {
		return added, nil
	}
	if err := s.MoveFindings(moves...); err != nil {
		return added, err
	}
	return slices.DeleteFunc(slices.Clone(added), func(f finding.Finding) bool {
		return slices.ContainsFunc(moves, func(m finding.Move) bool { return m.Numbers[0] == f.Number })
	}), nil
}

// wroteSince reports whether a Markdown memory was written since a time.
func (md *Memdir) wroteSince(since time.Time) bool {
	return slices.ContainsFunc(md.MemoryDirs(), func(dir string) bool {
		all, _ := listMemories(dir)
		return slices.ContainsFunc(all, func(f mdwalk.Stat) bool { return f.Modified.After(since) })
	})
}

// writtenSince returns what the Markdown memories say that were written since a time.
func (md *Memdir) writtenSince(since time.Time) *alike.Told {
	l := loading{seen: map[string]bool{}}
	l.told.Split = statements
	n := 0
	for _, dir := range md.MemoryDirs() {
		all, err := listMemories(dir)
		if err != nil {
			continue
		}
		for _, f := range all {
			if f.Modified.Before(since) || n == maxWritten {
				continue
			}
			if b, err := mdwalk.Read(dir, f.Name); err == nil {
				n++
				l.add(filepath.Join(dir, filepath.FromSlash(f.Name)), markdown.Parse(b))
			}
		}
	}
	return &l.told
}

// ReopenWritten opens the findings again that a Markdown memory had and has no more: its lines went or were
// changed. What a plan of Keepsake's took away is not opened: somebody meant it.
func (s *Session) ReopenWritten(now time.Time) error {
	book, err := s.Book()
	if err != nil {
		return err
	}
	dirs := s.MemoryDirs()
	says := map[string]*alike.Told{}
	var moves []finding.Move
	for _, f := range book.Each(func(f finding.Status) bool {
		return f.State == finding.Known && filepath.IsAbs(f.To) && markdown.HasExt(f.To) &&
			slices.ContainsFunc(dirs, func(dir string) bool { return isBelow(dir, f.To) })
	}) {
		if says[f.To] == nil {
			l := loading{seen: map[string]bool{}}
			l.told.Split = statements
			b, err := mdwalk.Read(filepath.Dir(f.To), filepath.Base(f.To))
			if err == nil {
				l.add(f.To, markdown.Parse(b))
			}
			says[f.To] = &l.told
		}
		if _, ok := says[f.To].Holds(f.Text); !ok {
			moves = append(moves, finding.Move{At: now, Act: finding.Reopen, Numbers: []int{f.Number},
				By: "keepsake"})
		}
	}
	if len(moves) == 0 {
		return nil
	}
	return s.MoveFindings(moves...)
}

// isBelow reports whether a path is below a directory.
func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
