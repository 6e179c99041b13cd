// Package handoff carries the work from one session to the next. It gathers where the work on a project
// stands, from planning files, notes, memories and what waits for the person, and writes the note that a
// session leaves. Package brief puts it into words.
//
// Planning files are read and never written, with one exception: progress.md gets notes appended if the
// settings ask for that.
package handoff

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/secret"
)

// Names of the planning files in the project's folder.
const (
	planFile     = "task_plan.md"
	findingsFile = "findings.md"
	progressFile = "progress.md"
)

// maxPlanning is the size of the largest planning file that is read, in bytes.
const maxPlanning = scratch.MaxFile

// A Look is where and when a project is looked at.
type Look struct {
	*session.Session
	// Client is the client's configuration directory, which holds answers of the person; with "" they are not
	// read.
	Client string
	Now    time.Time
}

// Notes returns the notes of the project's checkout that are not promoted, in the order in which they were
// made, and the number of those that are.
func (l Look) Notes(ctx context.Context) (open []tiers.Note, promoted int, err error) {
	var errs []error
	all, err := tiers.Scratch{Root: l.Root, Warn: func(err error) { errs = append(errs, err) }}.All(ctx)
	for _, n := range all {
		if len(n.Promoted) > 0 {
			promoted++
		} else {
			open = append(open, n)
		}
	}
	slices.SortStableFunc(open, func(a, b tiers.Note) int { return a.At.Compare(b.At) })
	return open, promoted, errors.Join(append(errs, err)...)
}

// Standing returns where the work stands, without the last decision, for which [Look.Opening] reads the
// memories. Files that cannot be read give an error beside the rest.
func (l Look) Standing(ctx context.Context) (s brief.Standing, err error) {
	var errs []error
	check := func(err error) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	asked := map[string]bool{}
	ask := func(path string, questions []string) {
		for _, q := range questions {
			q = secret.Redact(q)
			if key := strings.ToLower(q); !asked[key] {
				asked[key] = true
				s.Questions = append(s.Questions, brief.Question{Text: q, Path: path})
			}
		}
	}

	// A link is not followed, as a project could lead it anywhere.
	linked := func(err error) error {
		if errors.Is(err, disk.ErrNotRegular) {
			return nil
		}
		return err
	}
	plan, err := disk.Read(filepath.Join(l.Root, planFile), maxPlanning)
	check(linked(err))
	if s.Plan = err == nil; s.Plan {
		s.Phase = scratch.Active(plan)
		s.Phase.Title, s.Phase.Next = secret.Redact(s.Phase.Title), secret.Redact(s.Phase.Next)
		ask(planFile, scratch.Questions(plan))
	}
	findings, err := disk.Read(filepath.Join(l.Root, findingsFile), maxPlanning)
	check(linked(err))
	ask(findingsFile, scratch.Questions(findings))

	open, promoted, err := l.Notes(ctx)
	check(err)
	s.Notes = brief.Notes{Open: len(open), Promoted: promoted}
	for i, n := range slices.Backward(open) {
		if i == len(open)-1 {
			s.Notes.Newest, s.Notes.Path, s.Notes.Line = secret.Redact(n.Text), n.Path, n.Line
		}
		if !n.At.IsZero() {
			s.Notes.Since = n.At
		}
		ask(n.Path, n.Questions())
	}

	if dir := approval.Dir(layout.Approvals(l.Client)); dir != "" {
		waiting, err := dir.Waiting(l.Now)
		check(err)
		for _, r := range waiting {
			if r.Project == l.Place.Home {
				s.Calls++
			}
		}
	}

	proposed, err := l.Inbox().Waiting(l.Now)
	check(err)
	s.Proposed = len(proposed)

	file, _, err := l.noteFile()
	check(err)
	s.Said, _, _ = brief.LastHandoff(file)
	s.Said.Text = secret.Redact(s.Said.Text)

	for _, name := range []string{"STATE.md", "PROJECT.md"} {
		for _, path := range []string{name, ".planning/" + name} {
			if info, err := os.Lstat(filepath.Join(l.Root, filepath.FromSlash(path))); err == nil &&
				info.Mode().IsRegular() {
				s.Files = append(s.Files, path)
				break
			}
		}
	}
	s.NoPlan = !s.Plan && l.Config.Handoff.Note == "progress"
	if l.Config.Tiers.Router == tiers.RouterSkill {
		_, err := tiers.FindRouter(tiers.RouterHomes(l.Client))
		s.NoRouter = err != nil
	}
	return s, errors.Join(errs...)
}

// Opening returns the opening of a session. With fresh, for a session without a past, it has how the last
// session ended, and every record is compared with its file. It has no News. If recall is off, it is
// empty.
func (l Look) Opening(ctx context.Context, fresh bool) (o brief.Opening, err error) {
	if !l.Config.Retrieval.Enabled {
		return o, nil
	}
	standing, err := l.Standing(ctx)
	o.Standing = standing
	if !fresh && !standing.InFlight() {
		return o, err
	}
	use := l.Index
	if fresh {
		// This finds records edited in place since the last session.
		use = l.Sync
	}
	return o, errors.Join(err, use(func(index *records.Index) error {
		o.Count = index.Len()
		var errs [3]error
		if fresh {
			o.Last, errs[0] = l.newest(index, memory.SessionSummary)
		}
		if o.Last != nil || standing.InFlight() { // otherwise nothing is said
			if o.Standing.Decision, errs[1] = l.newest(index, memory.Decision); o.Standing.Decision != nil {
				o.Standing.Decision, errs[2] = l.undisputed(index, o.Standing.Decision)
			}
		}
		return errors.Join(errs[:]...)
	}))
}

// newest returns the active record of a category that was changed last; nil if there is none or the category
// is off.
func (l Look) newest(index *records.Index, c memory.Category) (*brief.Recalled, error) {
	if !l.Config.Categories[c].Enabled {
		return nil, nil
	}
	all, err := index.List(c, 0)
	if err != nil {
		return nil, err
	}
	// A record is not changed later than its file. In a fresh clone all files have about the same time;
	// reading only the date of a record then costs a fraction of reading it.
	slices.SortFunc(all, func(a, b records.Entry) int { return cmp.Compare(b.File.Time, a.File.Time) })
	dates := make(map[string]string, len(all))
	latest := ""
	for i, e := range all {
		if latest > time.Unix(0, e.File.Time).UTC().Format(time.RFC3339) {
			all = all[:i]
			break
		}
		text, err := disk.Read(filepath.Join(l.MemoryRoot(), filepath.FromSlash(e.Path)), maxPlanning)
		if err == nil {
			dates[e.Path] = updatedAt(text)
			latest = max(latest, dates[e.Path])
		}
	}
	slices.SortStableFunc(all, func(a, b records.Entry) int {
		return strings.Compare(dates[b.Path], dates[a.Path])
	})
	for _, e := range all {
		if m := l.told(e.Path); m != nil {
			return m, nil
		}
	}
	return nil, nil
}

// told returns the record at a path, or nil if it is not active or nobody is told of it.
func (l Look) told(path string) *brief.Recalled {
	m, err := l.Store().Read(path)
	if err != nil || m.Status != memory.Active {
		return nil
	}
	t := l.TrustOf(m)
	if _, leftOut := standing.LeftOut(t.Standing); t.Held || leftOut {
		return nil
	}
	r := t.Recalled(m)
	return &r
}

// Where undisputed looks for records that say the opposite of a choice.
const (
	searched = 12 // records that are most about it
	rivals   = 4  // of these that state a choice too; they are read
)

// undisputed returns what is told of a choice: itself, or the newest record that says the opposite. The one
// that is told names the others.
func (l Look) undisputed(index *records.Index, m *brief.Recalled) (*brief.Recalled, error) {
	hits, err := index.Search(records.Query{Text: m.Title, Limit: searched})
	among := []brief.Recalled{*m}
	for _, h := range hits {
		if len(among) > rivals || h.Path == m.Path || !h.Category.IsChoice() ||
			!l.Config.Categories[h.Category].Enabled {
			continue
		}
		if other := l.told(h.Path); other != nil {
			among = append(among, *other)
		}
	}
	for _, r := range brief.Undisputed(among, l.BothHold) {
		if r.Path == m.Path ||
			slices.ContainsFunc(r.Disputes, func(d alike.Dispute) bool { return d.Path == m.Path }) {
			return &r, err
		}
	}
	return m, err
}

// updatedAt returns the date of the last change in the text of a record, or "" if there is none.
func updatedAt(record []byte) string {
	_, rest, _ := bytes.Cut(record, []byte(`"updated_at"`))
	_, rest, _ = bytes.Cut(rest, []byte(`"`))
	date, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok || len(date) > len("2006-01-02T15:04:05.000000000Z") {
		return ""
	}
	return string(date)
}
