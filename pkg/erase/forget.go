package erase

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/git"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/store"
)

// Deletion is everything that is deleted when something is forgotten for good: a record, or a finding
// that became none, and the findings that the record was made of or that say the same.
type Deletion struct {
	Path    string // of the record, "" for none
	Numbers []int  // of the findings

	s           *session.Session
	book        *finding.Book
	record      *memory.Stored // nil if it is already gone, and only its history is left to delete
	traces      Traces
	transcripts []string // the client's files in which the findings were said
}

// NewDeletion returns the deletion of a target, with the findings that say the same.
func NewDeletion(s *session.Session, book *finding.Book, t Target) Deletion {
	d := Deletion{Path: t.Path, s: s, book: book, record: t.Record}
	if t.Finding != nil {
		d.Numbers = []int{t.Finding.Number}
	} else {
		d.Numbers = finding.Numbers(book.Was(t.Path))
	}
	var content *memory.Record
	if t.Record != nil {
		content = &t.Record.Record
	}
	d.Numbers = append(d.Numbers, finding.Numbers(echoesOf(book, d.Numbers, content))...)
	slices.Sort(d.Numbers)
	d.Numbers = slices.Compact(d.Numbers)
	d.traces = NewTraces(t.Path, d.sentences(), nil)
	for _, n := range d.Numbers {
		f, _ := book.Find(n)
		st, err := s.Sessions().Load(f.Session)
		if err == nil && st.Transcript != "" && !slices.Contains(d.transcripts, st.Transcript) {
			d.transcripts = append(d.transcripts, st.Transcript)
		}
	}
	return d
}

// Lines returns what is deleted, a line each, for the person who decides about it.
func (d Deletion) Lines() (lines []string) {
	if d.Path != "" {
		title := "is gone already; its history goes"
		if d.record != nil {
			title = brief.Line(d.record.Title)
		}
		lines = append(lines, brief.Line(d.Path)+"  "+title)
	}
	for _, n := range d.Numbers {
		if w, ok := d.book.Find(n); ok {
			lines = append(lines, fmt.Sprintf("[%d] %q (%s, %s)", n, brief.Line(w.Text),
				answer.WhoSaid(w.Finding), w.Time.Format(time.DateOnly)))
		}
	}
	return lines
}

// sentences returns all texts of the memory, of its earlier versions and of the findings that it was made
// of. The names of its drawers are left out: the approvals must know these until the drawers are
// withdrawn.
func (d Deletion) sentences() (texts []string) {
	for _, n := range d.Numbers {
		if f, ok := d.book.Find(n); ok {
			texts = append(texts, f.Text)
		}
	}
	if d.Path == "" {
		return texts
	}
	add := func(r memory.Record) {
		texts = append(texts, r.Title)
		r.Content.Rewrite(func(t string) string {
			texts = append(texts, t)
			return t
		})
	}
	if d.record != nil {
		add(d.record.Record)
	}
	// Expunge reports a history that cannot be read.
	_ = d.s.Store().History(func(a store.Applied) bool {
		for _, e := range a.Edits {
			if e.Path != d.Path {
				continue
			}
			texts = append(texts, e.Title)
			for _, b := range [][]byte{e.Old, e.After} {
				if r, err := memory.Decode(b); err == nil {
					add(r)
				}
			}
		}
		return true
	}, nil)
	slices.Sort(texts)
	return slices.Compact(texts)
}

// again is the hint for a deletion that was cut short. The next run goes on where this one stopped.
const again = "; hint: run the same command again"

// goOn returns the hint for a deletion of which something is left, "" if no command finds it any more.
func (d Deletion) goOn() string {
	switch {
	case d.Path == "":
		return again
	case len(d.book.Was(d.Path)) > 0: // the title that it was named by may be gone
		return "; hint: keepsake forget " + brief.Line(store.IDOf(d.Path)) + " --for-good goes on from there"
	}
	return ""
}

// Delete deletes everything, with the person's approval. It returns how many plans of the history held
// edits of the record. If the record has changed, the error is store.ErrConflict and nothing was deleted.
func (d Deletion) Delete(ctx context.Context, at time.Time) (plans int, err error) {
	var left error
	if d.Path != "" {
		digest := ""
		if d.record != nil {
			digest = d.record.Digest
		}
		gone, err := d.s.Store().Expunge(ctx, d.Path, digest)
		if errors.Is(err, store.ErrConflict) {
			return 0, err
		}
		if err != nil {
			return 0, fmt.Errorf("%w"+again+": it goes on where it stopped", err)
		}
		plans, left = gone.Plans, d.forgetRecord(gone.Rewritten)
	}
	if err := d.traces.eraseFromState(d.s, d.Numbers); err != nil {
		err = fmt.Errorf("not everything that has its words was cleaned: %w", err)
		return plans, fmt.Errorf("%w%s", errors.Join(left, err), d.goOn())
	}
	// The journal is cleaned last, so that a command still finds what is left after a failure. While other
	// files have the record's name, the findings keep it too, but no words.
	e := finding.Erasure{Numbers: d.Numbers, To: d.Path, Says: sayingsOf(d.book, d.Numbers).repeated}
	if left != nil {
		e.To = ""
	}
	if _, err := d.s.EraseFindings(e, "person", at); err != nil {
		left = errors.Join(left, fmt.Errorf("the memory is deleted, but not what was said: %w", err))
	}
	if left != nil {
		return plans, fmt.Errorf("%w%s", left, d.goOn())
	}
	return plans, nil
}

// forgetRecord takes the quotes and the name of the record out of what is kept beside the store. rewritten
// are the records that had mentions of it. A file that can't be changed leaves nothing in the others.
func (d Deletion) forgetRecord(rewritten []store.Rewritten) error {
	var left []error
	but := func(what string, err error) {
		if err != nil {
			left = append(left, fmt.Errorf("the memory is deleted, but "+what+": %w", err))
		}
	}
	for _, r := range rewritten {
		if err := d.s.TrustRewritten(r.Path, r.Was, r.Now); err != nil {
			left = append(left, fmt.Errorf("%s no longer names it, but whose words it has is not known now: "+
				"%w; hint: keepsake review", brief.Line(r.Path), err))
		}
	}
	but("not the quotes that it was made of", d.s.Records().Forget(d.Path)) // it quotes the person
	but("not its guard", d.s.Armed().Forget(d.Path))                        // what the usage reads, too
	but("not how often it was used", d.s.ForgetUsage(d.Path))
	but("not the indexes that have its words", d.s.DropCaches())
	if err := rebuildIndex(d.s); err != nil {
		but("the search index may still have its title",
			fmt.Errorf("%w; hint: keepsake records index rebuild", err))
	}
	but("its guard may act still", d.s.PackGuards())
	but("not what you chose for it", d.s.Choices().Forget(d.Path))
	return errors.Join(left...)
}

// maxResembling is how many statements that may say the same are named, the newest first.
const maxResembling = 5

// Left returns a line for each place that still has the words after a deletion: files that Keepsake does
// not touch, and things that the person may want to delete too. It calls warn with each path that can't
// be read.
func (d Deletion) Left(ctx context.Context, warn func(path string, err error)) (lines []string) {
	// An agent may have saved its own wording of the same.
	for _, n := range d.Numbers {
		f, _ := d.book.Find(n)
		if f.State.Kept() && plan.CheckRecord(f.To) == nil && f.To != d.Path {
			name := strings.TrimSuffix(filepath.Base(f.To), ".json")
			lines = append(lines, fmt.Sprintf("what [%d] became stays: keepsake forget %s --for-good", n,
				brief.Line(name)))
		}
	}
	if d.Path != "" {
		lines = append(lines, d.inGit(ctx)...)
	}
	if book, err := d.s.Whole(); err == nil {
		named := 0
		for _, w := range slices.Backward(book.Each(func(w finding.Status) bool { return w.Text != "" })) {
			how := "has its words"
			if !d.traces.In(w.Text) {
				if named == maxResembling || !d.traces.Resembles(w.Text) {
					continue
				}
				named++
				how = "may say the same"
			}
			lines = append(lines, fmt.Sprintf("another statement %s: keepsake forget %d --for-good", how,
				w.Number))
		}
	}
	for _, path := range d.filesWithTraces(warn) {
		lines = append(lines, "still has its words: "+brief.Line(path))
	}
	if kept, err := d.s.Snapshots(d.s.MemoryDir()).Names(); err == nil && len(kept) > 0 {
		lines = append(lines, "snapshots of the client's memory files stay: keepsake md snapshot list")
	}
	line := "the client's own transcripts of what was said are not Keepsake's, and stay"
	if len(d.transcripts) > 0 {
		line += ": " + brief.Line(strings.Join(d.transcripts, ", "))
	}
	return append(lines, line)
}

// inGit returns a line if a commit of git has the record, or if that cannot be found out.
func (d Deletion) inGit(ctx context.Context) []string {
	home := d.s.Place.Home
	if _, err := git.Run(ctx, home, "rev-parse", "--git-dir"); err != nil {
		return nil // no repository, or no git
	}
	file := ".claude/memory/" + d.Path
	look := "git log --all -- " + brief.Line(file)
	switch found, err := git.Run(ctx, home, "log", "--all", "--format=%h", "-n", "1", "--", file); {
	case err != nil && !strings.Contains(err.Error(), "does not have any commits"):
		return []string{"whether git has it could not be found out: " + look}
	case found != "":
		return []string{"git keeps what was committed: " + look}
	}
	return nil
}

// filesWithTraces returns the files of this user's that still have the words: other memories,
// notes, drawers, the client's memory files. Caches are made anew.
func (d Deletion) filesWithTraces(warn func(path string, err error)) (files []string) {
	journal := string(d.s.Journal()) // its findings are named one by one
	own := filepath.Dir(journal)
	otherProject := func(dir string) bool {
		return filepath.Dir(dir) == d.s.Dirs.State && dir != own && filepath.Base(dir) != "notes"
	}
	for _, v := range vaultsOf(d.s) {
		if v.how == anew {
			continue
		}
		v.walk(otherProject, func(path string) {
			if path == journal || slices.Contains(files, path) ||
				slices.Contains(strings.Split(path, "/"), "snapshots") {
				return
			}
			if b, err := disk.Read(path, maxFile); err == nil && d.traces.In(string(b)) {
				files = append(files, path)
			}
		}, warn)
	}
	return files
}
