package session

import (
	"os"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/layout"
)

// Promotions is where promotions under way are kept. All worktrees share it.
func (ms *Memories) Promotions() string { return ms.state().Promotions() }

// Drawers is the list of what was promoted from the project. All worktrees share it.
func (ms *Memories) Drawers() string { return ms.state().Drawers() }

// promoting tells whether a promotion of any project below a folder of states is
// being written: its journal lies there from before the first drawer until all are
// settled. One that was cut off long ago is not.
func promoting(states string, now time.Time) bool {
	projects, err := layout.Dirs{State: states}.States()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(projects, func(p layout.State) bool {
		files, err := os.ReadDir(p.Promotions())
		return err == nil && slices.ContainsFunc(files, func(f os.DirEntry) bool {
			name, is := strings.CutSuffix(f.Name(), ".json")
			info, err := f.Info()
			return is && !strings.HasSuffix(name, ".near") && err == nil &&
				now.Sub(info.ModTime()) < afterwards
		})
	})
}
