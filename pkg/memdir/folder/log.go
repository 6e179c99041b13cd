package folder

import (
	"context"
	"os"
	"strings"
	"time"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

// logPaths is how many of a save's records the line in the log of the day names.
const logPaths = 3

// LogSave adds a line about a save to the log of the day beside the Markdown memories,
// where there are any. The log is never the source of truth: what fails there is a
// matter for the ledger, and the save stands.
func LogSave(ctx context.Context, s *session.Session, line string, saved plan.Plan, now func() time.Time) {
	dir := s.MemoryDir()
	if dir == "" || !s.KeepsLog(dir) || s.Config.Gate[rules.AutoMemoryWrite] != "off" {
		return // nobody is asked about this line
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return // the client's to make
	}
	paths := saved.Paths()
	where := strings.Join(paths[:min(len(paths), logPaths)], ", ")
	if len(paths) > logPaths {
		where += ", …"
	}
	// The save is in place: an interruption now must not look like its failure.
	ctx = context.WithoutCancel(ctx)
	notes := s.Notes(dir)
	err := notes.PlanInTurn(ctx, func() error {
		f, err := Open(s, dir, "", now())
		if err != nil {
			return err
		}
		p := classify.Log(f.Dir, f.Profile, "apply: "+memdir.Cut(line, 120)+" → "+where)
		return notes.Apply(ctx, p)
	})
	if err != nil {
		s.Fault("apply", "a save is not in the log of the day", err)
	}
}
