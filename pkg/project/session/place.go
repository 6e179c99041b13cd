package session

import (
	"fmt"
	"path/filepath"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/journal"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/project/config"
	"keepsake/pkg/secret"
	"keepsake/pkg/store"
)

// A Place is where a session works: the project, Keepsake's folders and the settings that count
// there.
type Place struct {
	layout.Place
	ID       string // of the session, as a file name
	Root     string // of the project in the checkout that the session works in, absolute
	Dirs     layout.Dirs
	Config   config.Config
	Warnings []string // of the settings

	hook       bool   // opened by one, which has little time
	looks      bool   // OnlyLook was called
	identified bool   // its state says whose folder it is
	transcript string // of the session, "" if it is not known
	typed      *bool  // a person typed the latest prompt, once it was looked up
}

// MemoryRoot returns the path of the project's memory store. Worktrees may share it, so it need not
// lie below Root.
func (pl *Place) MemoryRoot() string { return pl.Place.Memory }

// Writable returns why nothing may be written into the folder of the project's memories, which may not exist
// yet: the project is gone, or a link leads out of it.
func (pl *Place) Writable() error {
	return layout.Holds(filepath.Dir(filepath.Dir(pl.MemoryRoot())), pl.MemoryRoot())
}

// OnlyLook has the session write nothing but its cache, and that only where the project has state already.
func (pl *Place) OnlyLook() { pl.looks = true }

// state returns the folder with Keepsake's state of the project.
func (pl *Place) state() layout.State { return pl.Dirs.Of(pl.Place.Home) }

// Sessions returns the states of all sessions of the project.
func (pl *Place) Sessions() stage.Sessions {
	return stage.Sessions{Dir: pl.state().Sessions()}
}

// Pending returns the unsaved work that ended sessions of the project left.
func (pl *Place) Pending() stage.Pending {
	return stage.Pending{Dir: pl.state().Pending()}
}

// Ledger returns the path of the project's failure ledger.
func (pl *Place) Ledger() string { return pl.state().Ledger() }

// Promotions returns the folder of the promotions under way. All worktrees share it.
func (pl *Place) Promotions() string { return pl.state().Promotions() }

// Drawers returns the path of the list of what was promoted from the project. All worktrees share
// it.
func (pl *Place) Drawers() string { return pl.state().Drawers() }

// CachePath returns the path of a file in the project's cache folder, "" without a cache home.
func (pl *Place) CachePath(name string) string {
	return pl.Dirs.ProjectCached(filepath.Dir(filepath.Dir(pl.MemoryRoot())), name)
}

// historyKept returns how much of a store's history is kept by the settings.
func (pl *Place) historyKept() store.Keep {
	return store.Keep{Grace: time.Duration(pl.Config.Delete.GraceDays) * 24 * time.Hour}
}

// noteCutShort adds to the ledger that an interrupted plan could not be finished.
func (pl *Place) noteCutShort(b store.Bad) {
	pl.Fault("store", "a save that was cut short could not be finished whole",
		fmt.Errorf("%s: %w", b.Path, b.Err))
}

// Head returns the branch and the commit that the session works on. cwd may lie in another worktree
// of the same repository, and then they are that worktree's.
func (pl *Place) Head(cwd string) (branch, commit string) {
	branch, commit = layout.Head(pl.topOf(cwd))
	return brief.Text(secret.Redact(branch), memory.MaxBranch), commit
}

// topOf returns the root of the checkout around a folder, if it is one of the project, else the session's.
func (pl *Place) topOf(cwd string) string {
	if here := layout.Project("", cwd); here.Top != "" && here.Home == pl.Place.Home {
		return here.Top
	}
	return pl.Place.Top
}

// ProjectID returns the name of the session's project on the blackboard, made of its folder's name.
// It is "" where that name has no letter or digit.
func (pl *Place) ProjectID() string { return memory.Slug(filepath.Base(pl.Place.Home)) }

// UpkeepRules returns the rules by which a save puts old memories away, as the settings say.
func (pl *Place) UpkeepRules() upkeep.Rules {
	r := upkeep.Rules{
		MaxRetained:    pl.Config.Categories[memory.SessionSummary].MaxRetained,
		MaxPerCategory: pl.Config.MaxPerCategory,
		RetentionDays:  map[memory.Category]int{},
		GraceDays:      pl.Config.Delete.GraceDays,
		ArchiveRetired: pl.Config.Delete.Archive,
	}
	if known, err := pl.BranchFile().Read(); err != nil {
		pl.Fault("standing", "which branches are gone could not be read", err)
	} else {
		r.Gone = known.Gone()
	}
	for c, settings := range pl.Config.Categories {
		r.RetentionDays[c] = settings.RetentionDays
	}
	return r
}

// Parallel returns, for the save skill, how this project's drafters are run.
func (pl *Place) Parallel() stage.ParallelConfig {
	p := pl.Config.Triage.Parallel
	return stage.ParallelConfig{
		Enabled: p.Enabled, CategoryModels: p.Models, DefaultModel: p.DefaultModel,
		VerificationEnabled: p.Verify, VerificationModel: p.VerificationModel,
	}
}

// Listens reports whether the settings let Keepsake listen to the session.
func (pl *Place) Listens() bool {
	return pl.Config.Triage.Enabled && pl.Config.Capture.OnStop != config.Off
}

// Asks reports whether the agent of this session is told how full its context window is. It is
// where a person sits there, unless the settings have the agent never told to save.
func (pl *Place) Asks() bool {
	return pl.Attended() && pl.Config.Triage.Enabled && pl.Config.Capture.OnStop == config.Save &&
		pl.Config.Capture.MaxSaves > 0
}

// Fault puts a failure into the ledger, and its class into the event log. It is the last resort, so
// it returns no error of its own. A session that only looks puts nothing there.
func (pl *Place) Fault(where, what string, why error) {
	if pl.looks {
		return
	}
	appendFailure(pl.Ledger(), where, pl.ID, what, why)
	pl.Log(failureEvent(where, why))
}

// appendFailure adds a failure to the ledger at a path. Without a home there is no ledger.
func appendFailure(path, where, id, what string, why error) {
	e := journal.Failure{Time: time.Now(), Where: where, Session: id, What: what}
	if why != nil {
		e.Why = why.Error()
	}
	if filepath.IsAbs(path) { // without a home there is no ledger
		_ = journal.AppendFailure(path, e)
	}
}
