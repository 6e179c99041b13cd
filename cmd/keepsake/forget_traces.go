package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/session"
	"keepsake/pkg/store"
)

// tracesOf returns the name and the sentences of what is deleted for good: of the memory
// as it is and as it was, and of what was said. The names of its drawers go when these are
// withdrawn: until then the approvals have to know them.
func tracesOf(s *session.Session, book *finding.Book, f forgetting, numbers []int) session.Traces {
	var texts []string
	for _, n := range numbers {
		if w, ok := book.Find(n); ok {
			texts = append(texts, w.Text)
		}
	}
	if f.path == "" {
		return session.NewTraces("", texts, nil)
	}
	said := func(r memory.Record) {
		texts = append(texts, r.Title)
		r.Content.Rewrite(func(t string) string {
			texts = append(texts, t)
			return t
		})
	}
	if f.record != nil {
		said(f.record.Record)
	}
	// What the history can't be read for, deleting says.
	_ = s.Store().History(func(a store.Applied) bool {
		for _, e := range a.Edits {
			if e.Path != f.path {
				continue
			}
			texts = append(texts, e.Title)
			for _, b := range [][]byte{e.Old, e.After} {
				if r, err := memory.Decode(b); err == nil {
					said(r)
				}
			}
		}
		return true
	}, nil)
	slices.Sort(texts)
	return session.NewTraces(f.path, slices.Compact(texts), nil)
}

// transcriptsOf are the client's files in which findings were said.
func transcriptsOf(s *session.Session, book *finding.Book, numbers []int) (files []string) {
	for _, n := range numbers {
		f, _ := book.Find(n)
		st, err := s.Sessions().Load(f.Session)
		if err == nil && st.Transcript != "" && !slices.Contains(files, st.Transcript) {
			files = append(files, st.Transcript)
		}
	}
	return files
}

// maxResembling is how many statements are named that may say the same, the newest.
const maxResembling = 5

// elsewhere names what Keepsake does not touch and may have it still.
func (c *call) elsewhere(s *session.Session, f forgetting, traces session.Traces,
	transcripts []string) (lines []string) {
	if f.path != "" {
		lines = append(lines, c.inGit(s, f.path)...)
	}
	if book, err := s.Whole(); err == nil {
		named := 0
		for _, w := range slices.Backward(book.Each(func(w finding.Status) bool { return w.Text != "" })) {
			switch {
			case traces.In(w.Text):
				lines = append(lines, fmt.Sprintf(
					"another statement has its words: keepsake forget %d --for-good", w.Number))
			case named < maxResembling && traces.Resembles(w.Text):
				named++
				lines = append(lines, fmt.Sprintf(
					"another statement may say the same: keepsake forget %d --for-good", w.Number))
			}
		}
	}
	for _, path := range c.filesWithTraces(s, traces) {
		lines = append(lines, "still has its words: "+brief.Line(path))
	}
	if kept, err := s.Snapshots(s.MemoryDir()).Names(); err == nil && len(kept) > 0 {
		lines = append(lines, "snapshots of the client's memory files stay: keepsake md snapshot list")
	}
	line := "the client's own transcripts of what was said are not Keepsake's, and stay"
	if len(transcripts) > 0 {
		line += ": " + brief.Line(strings.Join(transcripts, ", "))
	}
	return append(lines, line)
}

// inGit says whether a commit of git has a record.
func (c *call) inGit(s *session.Session, record string) []string {
	if _, err := git(c.ctx, s.Place.Home, "rev-parse", "--git-dir"); err != nil {
		return nil // no repository, or no git
	}
	file := ".claude/memory/" + record
	look := "git log --all -- " + brief.Line(file)
	switch found, err := git(c.ctx, s.Place.Home, "log", "--all", "--format=%h", "-n", "1", "--", file); {
	case err != nil && !strings.Contains(err.Error(), "does not have any commits"):
		return []string{"whether git has it could not be found out: " + look}
	case found != "":
		return []string{"git keeps what was committed: " + look}
	}
	return nil
}

// filesWithTraces are the files of this user's that still have the words: other memories,
// notes, drawers, the client's memory files. Caches are made anew.
func (c *call) filesWithTraces(s *session.Session, traces session.Traces) (files []string) {
	journal := string(s.Journal()) // its findings are named one by one
	own := filepath.Dir(journal)
	for _, v := range (&audit{call: c, s: s}).vaults() {
		if v.root == "" || v.how == anew {
			continue
		}
		err := filepath.WalkDir(v.root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() && filepath.Dir(path) == s.Dirs.State && path != own &&
				e.Name() != "notes" {
				return fs.SkipDir // of another project
			}
			if err != nil || !e.Type().IsRegular() || v.only != nil && !v.only(path) ||
				slices.Contains(files, path) || path == journal ||
				slices.Contains(strings.Split(path, "/"), "snapshots") {
				return nil
			}
			b, err := disk.Read(path, maxAudited)
			if err == nil && traces.In(string(b)) {
				files = append(files, path)
			}
			return nil
		})
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			c.note("%s: %v", spelled(v.root), err)
		}
	}
	return files
}
