package session

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/store"
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
	told := s.memoriesThat(func(f mdwalk.Stat) bool { return !f.Modified.Before(first) })
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

// memoriesThat returns what those Markdown memories say that are wanted.
func (md *Memdir) memoriesThat(are func(mdwalk.Stat) bool) *alike.Told {
	l := loading{seen: map[string]bool{}}
	l.told.Split = statements
	n := 0
	for _, dir := range md.MemoryDirs() {
		all, err := listMemories(dir)
		if err != nil {
			continue
		}
		for _, f := range all {
			if n == maxWritten || !are(f) {
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
// changed. Of those that read returns, only files are looked at that changed since they were found to have a
// finding. What a plan of Keepsake's took away is not opened: somebody meant it. What another memory has now
// is known from there.
func (s *Session) ReopenWritten(read func() (*finding.Book, error), now time.Time) error {
	book, err := read()
	if err != nil {
		return err
	}
	dirs := s.MemoryDirs()
	says := map[string]*alike.Told{}
	var moves []finding.Move
	for _, f := range book.Each(func(f finding.Status) bool {
		return f.State == finding.Known && filepath.IsAbs(f.To) && markdown.HasExt(f.To)
	}) {
		i := slices.IndexFunc(dirs, func(dir string) bool { return isBelow(dir, f.To) })
		if i < 0 || f.Text == "" || !changedSince(f.To, f.Since) {
			continue
		}
		if says[f.To] == nil {
			b, _ := mdwalk.Read(filepath.Dir(f.To), filepath.Base(f.To)) // one that is gone says nothing
			says[f.To] = toldBy(f.To, b)
		}
		if _, ok := says[f.To].Holds(f.Text); ok {
			continue
		}
		open := finding.Move{At: now, Act: finding.Reopen, Numbers: []int{f.Number}, By: "keepsake"}
		changed := func(m mdwalk.Stat) bool { return m.Changed.After(f.Since) }
		if to, ok := s.memoriesThat(changed).Holds(f.Text); ok {
			moves = append(moves, open, finding.Move{At: now, Act: finding.Know, Numbers: open.Numbers,
				To: to, By: "keepsake"})
		} else if !s.tookAway(dirs[i], f) {
			moves = append(moves, open)
		}
	}
	return s.MoveFindings(moves...)
}

// changedSince reports whether a file was changed after a time, or is gone.
func changedSince(path string, t time.Time) bool {
	info, err := os.Lstat(path)
	return err != nil || disk.Changed(info).After(t)
}

// tookAway reports whether a plan of Keepsake's took the words of a finding out of the file that had them.
func (md *Memdir) tookAway(dir string, f finding.Status) (ours bool) {
	name, err := filepath.Rel(dir, f.To)
	if err != nil {
		return false
	}
	err = md.Notes(dir).History(func(a store.Applied) bool {
		for _, e := range a.Edits {
			if ours || e.Path != filepath.ToSlash(name) || a.At.Before(f.Since) {
				continue
			}
			_, had := toldBy(f.To, e.Old).Holds(f.Text)
			_, has := toldBy(f.To, e.After).Holds(f.Text)
			ours = had && !has
		}
		return !ours && a.At.After(f.Since)
	}, nil)
	return ours && err == nil
}

// toldBy returns what the text of a memory file says.
func toldBy(path string, text []byte) *alike.Told {
	l := loading{seen: map[string]bool{}}
	l.told.Split = statements
	l.add(path, markdown.Parse(text))
	return &l.told
}

// isBelow reports whether a path is below a directory.
func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
