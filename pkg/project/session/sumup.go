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

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
)

// Limits of what a session's end writes. SessionEnd has 1.5 s for all that it does.
const (
	summing      = 400 * time.Millisecond
	maxSummaries = 500 // files in their folder; with more the summary waits for a save
)

// summaryWaits reports whether a summary of this session waits already, drafted or not. Whoever
// saves it then sums up the rest as well.
func (fl *InFlight) summaryWaits() bool {
	for _, d := range []stage.Desk{fl.Desk, fl.pendingDesk()} {
		names, err := d.Files()
		if err != nil || slices.ContainsFunc(names, isSummary) {
			return true
		}
	}
	return false
}

// pendingDesk returns the folder of what this session leaves unsaved.
func (fl *InFlight) pendingDesk() stage.Desk { return fl.Pending().Desk(fl.ID) }

// isSummary reports whether a file of a desk is the context or the draft of a session summary.
func isSummary(name string) bool {
	return name == stage.ContextName(memory.SessionSummary) ||
		strings.HasPrefix(name, "intent-"+string(memory.SessionSummary)+".")
}

// hasPerson reports whether a person wrote one of the entries, as far as these say.
func hasPerson(entries []transcript.Entry) bool {
	return slices.ContainsFunc(entries, func(e transcript.Entry) bool {
		return e.Who == transcript.Person && e.Marked != transcript.BySDK
	})
}

// saveSummary saves the summary of a session that is over, so that the next one begins with how it
// ended. The draft waits until that is done, and stays where it fails.
func (ms *Memories) saveSummary(written []byte, now time.Time) error {
	d, _, err := draft.Parse(written, memory.SessionSummary)
	if err != nil {
		return err
	}
	d.Origin = draft.Automatic
	records, taken, err := ms.summaries()
	if err != nil {
		return err
	}
	branch, commit := ms.Head(ms.Root)
	p, ends := draft.Resolve(draft.Input{
		Drafts: []draft.Draft{d}, Existing: records, Taken: taken, Now: now,
		Provenance: &memory.Provenance{
			Session: ms.ID, Branch: branch, Commit: commit,
		},
		Branch: ms.BranchHere(ms.Root, nil), // a hook that ends with the client starts no git
		Exists: ms.Store().InProject,
	})
	switch ends[0].State {
	case draft.Create:
	case draft.Nothing: // the same was asked for twice in a day
		return ms.dropSummary()
	default:
		return fmt.Errorf("%s: %s", ends[0].State, ends[0].Reason)
	}
	p, _ = upkeep.Save(p, records, ms.UpkeepRules(), now)
	// The words are the person's, and nobody has looked at the summary made of them.
	judged := map[string]Judged{ends[0].Path: {Origin: finding.FromAgent}}
	if err := ms.Trust(p, judged, false, now); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), summing)
	defer cancel()
	if err := ms.Apply(ctx, p, nil); err != nil {
		return err
	}
	return ms.dropSummary()
}

// dropSummary deletes the waiting draft of the summary.
func (fl *InFlight) dropSummary() error {
	_, err := fl.pendingDesk().Remove(stage.IntentName(memory.SessionSummary),
		stage.ContextName(memory.SessionSummary))
	_ = os.Remove(fl.pendingDesk().Dir) // only when empty
	return err
}

// summaries returns the session summaries of the store, and the paths of those that can't be read.
func (ms *Memories) summaries() (records []memory.Stored, taken []string, err error) {
	folder := memory.SessionSummary.Folder()
	files, err := os.ReadDir(filepath.Join(ms.MemoryRoot(), folder))
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
	st := ms.Store()
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
