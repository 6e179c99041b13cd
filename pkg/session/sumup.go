package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/secret"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
	"keepsake/pkg/upkeep"
)

// UpkeepRules are the rules by which a save puts old memories away, as the settings say.
func (s *Session) UpkeepRules() upkeep.Rules {
	r := upkeep.Rules{
		MaxRetained:    s.Config.Categories[memory.SessionSummary].MaxRetained,
		MaxPerCategory: s.Config.MaxPerCategory,
		RetentionDays:  map[memory.Category]int{},
		GraceDays:      s.Config.Delete.GraceDays,
		ArchiveRetired: s.Config.Delete.Archive,
	}
	for c, settings := range s.Config.Categories {
		r.RetentionDays[c] = settings.RetentionDays
	}
	return r
}

// Bounds of what a session's end writes: SessionEnd has 1.5 s for all that it does.
const (
	summing      = 400 * time.Millisecond
	maxSummaries = 500 // files in their folder; with more the summary waits for a save
	maxBranch    = 200 // bytes
)

// summaryWaits reports whether a summary of this session waits already, drafted or not:
// then it is for whoever saves that to sum up the rest as well.
func (s *Session) summaryWaits() bool {
	for _, d := range []stage.Desk{s.Desk, s.left()} {
		names, err := d.Files()
		if err != nil || slices.ContainsFunc(names, isSummary) {
			return true
		}
	}
	return false
}

// left is the folder of what this session leaves unsaved.
func (s *Session) left() stage.Desk { return stage.Desk{Dir: filepath.Join(s.Pending().Dir, s.ID)} }

func isSummary(name string) bool {
	return name == stage.ContextName(memory.SessionSummary) ||
		strings.HasPrefix(name, "intent-"+string(memory.SessionSummary)+".")
}

// typed reports whether a person wrote one of the entries, as far as they say.
func typed(entries []transcript.Entry) bool {
	return slices.ContainsFunc(entries, func(e transcript.Entry) bool {
		return e.Who == transcript.Person && e.Marked != transcript.BySDK
	})
}

// sumUp saves the summary of a session that is over, so that the next one begins with
// how it ended. The draft waits until that is done, and stays where it fails.
func (s *Session) sumUp(draft []byte, now time.Time) error {
	d, _, err := resolve.ParseDraft(draft, memory.SessionSummary)
	if err != nil {
		return err
	}
	d.Origin = resolve.Automatic
	records, taken, err := s.summaries()
	if err != nil {
		return err
	}
	branch, commit := s.Head(s.Root)
	p, ends := resolve.Drafts(resolve.Input{
		Drafts: []resolve.Draft{d}, Existing: records, Taken: taken, Now: now,
		Provenance: &memory.Provenance{
			Session: s.ID, Branch: brief.Text(secret.Redact(branch), maxBranch), Commit: commit,
		},
		Exists: s.Store().InProject,
	})
	switch ends[0].State {
	case resolve.Create:
	case resolve.Nothing: // the same was asked for twice in a day
		return s.dropSummary()
	default:
		return fmt.Errorf("%s: %s", ends[0].State, ends[0].Reason)
	}
	p, _ = upkeep.Save(p, records, s.UpkeepRules(), now)
	// The words are the person's, and nobody has looked at what they come to.
	judged := map[string]Judged{ends[0].Path: {Origin: finding.FromAgent}}
	if err := s.Trust(p, judged, false, now); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), summing)
	defer cancel()
	if err := s.Apply(ctx, p, nil); err != nil {
		return err
	}
	return s.dropSummary()
}

// dropSummary takes away the draft of the summary, which does not wait any more.
func (s *Session) dropSummary() error {
	_, err := s.left().Remove(stage.IntentName(memory.SessionSummary),
		stage.ContextName(memory.SessionSummary))
	_ = os.Remove(s.left().Dir) // only when empty
	return err
}

// summaries are the session summaries that there are, and the paths of those that
// can't be read.
func (s *Session) summaries() (records []memory.Stored, taken []string, err error) {
	folder := memory.SessionSummary.Folder()
	files, err := os.ReadDir(filepath.Join(s.MemoryRoot(), folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if len(files) > maxSummaries {
		return nil, nil, fmt.Errorf("%s: %d files are too many for a hook; hint: keepsake records gc",
			folder, len(files))
	}
	st := s.Store()
	for _, f := range files {
		name := path.Join(folder, f.Name())
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		switch r, err := st.Read(name); {
		case err == nil:
			records = append(records, r)
		case !errors.Is(err, fs.ErrNotExist):
			taken = append(taken, name)
		}
	}
	return records, taken, nil
}
