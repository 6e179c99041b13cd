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
	log, err := git.Run(ctx, f.Root, append([]string{"log", "--diff-filter=M", "--format=", "--name-only",
		"--no-renames", "--relative", "-z", "--"}, below...)...)
	if err != nil {
		return // no repository, or no commit
	}
	changed = strings.Split(log, "\x00")
	last, err := git.Run(ctx, f.Root, append([]string{"ls-tree", "-r", "-z", "HEAD", "--"}, below...)...)
	if err != nil {
		return
	}
	blobs := map[string]string{}
	for entry := range strings.SplitSeq(last, "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		if kind, blob, ok := strings.Cut(about, " blob "); ok && strings.HasPrefix(kind, "100") {
			blobs[name] = blob
		}
	}
	for i, file := range f.Files {
		blob := blobs[file.Path]
		if !file.Rewritten && (slices.Contains(changed, file.Path) || blob != "" &&
			!git.IsBlob(blob, file.Bytes)) {
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
	was, err := git.Run(ctx, f.Root, "cat-file", "blob", strings.TrimSpace(added)+":./"+file.Path)
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
	before := map[int][]byte{}
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
					lines[i][l] = time.Time{}
					if has[i] && sameDay && !memdir.Reworded(l, before[i], text) {
						lines[i][l] = s.Taken
					}
				}
			}
			has[i], before[i] = true, text
		}
	}
	for i, dated := range lines {
		for l := range strings.Lines(string(f.Files[i].Bytes)) {
			f.Files[i].Written = append(f.Files[i].Written, dated[l])
		}
	}
}

// blame sets when the lines of files were written, as far as git knows, and which of them only put an older
// line in other words.
func (f Folder) blame(ctx context.Context) {
	asked := 0
	for i, file := range f.Files {
		if asked == maxBlamed || !memdir.Timely(file) && !memdir.Undated(file, f.Profile) {
			continue
		}
		asked++
		// The file as it is now is not given to git, which would run the filters that a repository names.
		out, err := git.Run(ctx, f.Root, "blame", "-w", "-M", "-C", "--no-textconv", "--line-porcelain",
			"HEAD", "--", filepath.FromSlash(file.Path))
		if err != nil {
			if _, none := git.Run(ctx, f.Root, "rev-parse", "--git-dir"); asked == 1 && none != nil {
				return
			}
			continue
		}
		blamed := linesOf(file.Bytes, blamedLines(out))
		f.Files[i].Written, f.Files[i].Reworded = make([]time.Time, len(blamed)), map[int]bool{}
		versions := map[string]string{}
		for n, l := range blamed {
			f.Files[i].Written[n] = l.at
			if l.previous == "" || !memdir.Timely(memdir.File{Bytes: []byte(l.text)}) {
				continue
			}
			was, known := versions[l.previous]
			if !known {
				// It is "" where git can't: a new line, then.
				was, _ = git.Run(ctx, f.Root, "cat-file", "blob", l.previous)
				versions[l.previous] = was
			}
			if memdir.Reworded(l.text, []byte(was), file.Bytes) {
				f.Files[i].Reworded[n] = true
			}
		}
	}
}

// linesOf returns the lines of a text with what is known of those of its last commit, by what they say
// without their white space. Of a line nothing is known that the commit has fewer times.
func linesOf(now []byte, last []blamed) (all []blamed) {
	key := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	had := map[string][]blamed{}
	for _, l := range last {
		had[key(l.text)] = append(had[key(l.text)], l)
	}
	times := map[string]int{}
	for l := range strings.Lines(string(now)) {
		times[key(l)]++
	}
	for l := range strings.Lines(string(now)) {
		line, k := blamed{text: strings.TrimSuffix(l, "\n")}, key(l)
		if known := had[k]; len(known) > 0 && times[k] <= len(known) {
			line.at, line.previous = known[0].at, known[0].previous
			had[k], times[k] = known[1:], times[k]-1
		}
		all = append(all, line)
	}
	return all
}

// A blamed is a line as git blame tells of it.
type blamed struct {
	text     string
	at       time.Time // zero for one that isn't committed
	previous string    // its file before that commit, as git names it; "" for none
}

// blamedLines returns the lines that git blame --line-porcelain tells of.
func blamedLines(out string) (all []blamed) {
	var l blamed
	committed := false
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		key, value, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "\t"):
			if l.text = line[1:]; !committed {
				l.at = time.Time{}
			}
			all = append(all, l)
			l.previous = ""
		case len(key) >= 40 && strings.Trim(key, "0123456789abcdef") == "":
			committed = strings.Trim(key, "0") != ""
		case key == "author-time":
			n, _ := strconv.ParseInt(value, 10, 64)
			l.at = time.Unix(n, 0)
		case key == "previous":
			commit, name, _ := strings.Cut(value, " ")
			l.previous = commit + ":" + name
		}
	}
	return all
}
