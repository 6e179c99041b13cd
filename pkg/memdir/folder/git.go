package folder

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/git"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/snapshot"
	"keepsake/pkg/plan"
)

// MarkRewritten marks the files below events and cases that were changed after they were added, according
// to git, or to Keepsake's snapshots where git has no repository or doesn't track the file. The dates within
// a file show a change, too. Links that follow a moved file are no change.
func (f Folder) MarkRewritten(ctx context.Context) {
	var below []string
	for _, file := range f.Files {
		for _, name := range [...]string{"user/events", "agent/cases"} {
			if at := strings.Index("/"+file.Path, "/"+name+"/"); at >= 0 &&
				!slices.Contains(below, file.Path[:at]+name) {
				below = append(below, file.Path[:at]+name)
			}
		}
	}
	if len(below) == 0 {
		return
	}
	tracked, err := git.Run(ctx, f.Root, append([]string{"ls-files", "-z", "--"}, below...)...)
	if err != nil {
		tracked = ""
	}
	known := strings.Split(tracked, "\x00")
	f.markFromSnapshots(func(name string) bool {
		return !slices.Contains(known, name) && slices.ContainsFunc(below, func(dir string) bool {
			return strings.HasPrefix(name, dir+"/")
		})
	})
	var changed []string
	for _, args := range [][]string{{"log", "--diff-filter=M", "--format=", "--name-only", "--no-renames",
		"--relative", "-z"}, {"diff", "HEAD", "--diff-filter=M", "--name-only", "--no-ext-diff", "--relative",
		"-z"}} {
		out, err := git.Run(ctx, f.Root, append(append(args, "--"), below...)...)
		if err != nil {
			return // no repository, or no commit
		}
		changed = append(changed, strings.Split(out, "\x00")...)
	}
	for i, file := range f.Files {
		if !file.Rewritten && slices.Contains(changed, file.Path) {
			f.Files[i].Rewritten = !f.saysAsAdded(ctx, file)
		}
	}
}

// saysAsAdded reports whether a file says what it did when git first had it, wherever its links lead.
func (f Folder) saysAsAdded(ctx context.Context, file memdir.File) bool {
	name := filepath.FromSlash(file.Path)
	added, err := git.Run(ctx, f.Root, "log", "-1", "--diff-filter=A", "--no-renames", "--format=%H", "--",
		name)
	if err != nil || strings.TrimSpace(added) == "" {
		return false
	}
	was, err := git.Run(ctx, f.Root, "show", strings.TrimSpace(added)+":./"+file.Path)
	return err == nil && memdir.SameText([]byte(was), bytes.TrimRight(file.Bytes, "\n"))
}

// markFromSnapshots marks those of some files that say something else than in the first snapshot that has
// them.
func (f Folder) markFromSnapshots(some func(name string) bool) {
	box := f.session.Snapshots(f.Root)
	names, err := box.Names()
	if err != nil {
		return
	}
	first := map[string]snapshot.File{}
	for _, name := range names {
		s, err := box.Load(name)
		if err != nil {
			continue
		}
		for _, file := range s.Files {
			if first[file.Name].Digest == "" && some(file.Name) {
				first[file.Name] = file
			}
		}
	}
	for i, file := range f.Files {
		was := first[file.Path]
		if was.Digest == "" || was.Digest == plan.DigestOf(file.Bytes) {
			continue
		}
		text, err := box.Read(was)
		f.Files[i].Rewritten = err != nil || !memdir.SameText(text, file.Bytes)
	}
}

// maxBlamed bounds for how many files git is asked.
const maxBlamed = 50

// Blame sets when the lines of files were written, as far as git or Keepsake's snapshots know, for the files
// that have relative dates or need one of their own.
func (f Folder) Blame(ctx context.Context) {
	f.blame(ctx)
	var ask []int
	for i, file := range f.Files {
		if file.Written == nil && memdir.Timely(file) {
			ask = append(ask, i)
		}
	}
	if len(ask) > 0 {
		f.dateBySnapshots(ask)
	}
}

// dateBySnapshots sets when the lines of some files were written, where a snapshot has them and the one
// before, of the same day, has the file without them.
func (f Folder) dateBySnapshots(ask []int) {
	box := f.session.Snapshots(f.Root)
	names, _ := box.Names() // without any, nothing is known
	lines := map[int]map[string]time.Time{}
	has := map[int]bool{} // in the snapshot before
	last := time.Time{}
	for _, name := range names {
		s, err := box.Load(name)
		if err != nil {
			clear(has)
			continue
		}
		sameDay := s.Taken.Local().Format(time.DateOnly) == last.Local().Format(time.DateOnly)
		last = s.Taken
		for _, i := range ask {
			at := slices.IndexFunc(s.Files, func(g snapshot.File) bool { return g.Name == f.Files[i].Path })
			if at < 0 {
				has[i] = false
				continue
			}
			text, err := box.Read(s.Files[at])
			if err != nil {
				has[i] = false
				continue
			}
			if lines[i] == nil {
				lines[i] = map[string]time.Time{}
			}
			for l := range strings.Lines(string(text)) {
				if _, known := lines[i][l]; !known {
					if lines[i][l] = (time.Time{}); has[i] && sameDay {
						lines[i][l] = s.Taken
					}
				}
			}
			has[i] = true
		}
	}
	for i, dated := range lines {
		for l := range strings.Lines(string(f.Files[i].Bytes)) {
			f.Files[i].Written = append(f.Files[i].Written, dated[l])
		}
	}
}

// blame sets when the lines of files were written, as far as git knows.
func (f Folder) blame(ctx context.Context) {
	asked := 0
	for i, file := range f.Files {
		if asked == maxBlamed || !memdir.Timely(file) && !memdir.Undated(file, f.Profile) {
			continue
		}
		asked++
		out, err := git.Run(ctx, f.Root, "blame", "--line-porcelain", "--", filepath.FromSlash(file.Path))
		if err != nil {
			if _, none := git.Run(ctx, f.Root, "rev-parse", "--git-dir"); asked == 1 && none != nil {
				return
			}
			continue
		}
		if written, lines := blameTimes(out),
			strings.Count(string(file.Bytes), "\n"); len(written) == lines ||
			len(written) == lines+1 {
			f.Files[i].Written = written
		}
	}
}

// blameTimes returns the times of the lines of git blame --line-porcelain; zero for a
// line that isn't committed.
func blameTimes(out string) (at []time.Time) {
	var now time.Time
	committed := false
	for line := range strings.Lines(out) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case strings.HasPrefix(line, "\t"):
			if !committed {
				now = time.Time{}
			}
			at = append(at, now)
		case len(key) >= 40 && strings.Trim(key, "0123456789abcdef") == "":
			committed = strings.Trim(key, "0") != ""
		case key == "author-time":
			n, _ := strconv.ParseInt(value, 10, 64)
			now = time.Unix(n, 0)
		}
	}
	return at
}
