package session

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/why/mempalace"
)

// How long an audit of the palaces may take, by the hook. Each is far below the hook's deadline.
const (
	startLook = time.Second
	turnLook  = 1500 * time.Millisecond
	endLook   = 400 * time.Millisecond
)

// auditor is the source of the ledger's entries about palaces. Audit itself tells the person of
// them, so they are not counted as failures.
const auditor = "palace"

// Audit returns a text for the person about what appeared without an approval in their palaces or among
// Keepsake's own drawers, once. It adds these findings to the ledger, and the reason if it could not
// look. If there is neither a palace nor a drawer, it costs a few stats. KEEPSAKE=off does not end it,
// since it belongs to before_mempalace_write.
func (fl *InFlight) Audit(ctx context.Context, m mempalace.Moment) string {
	client := layout.Client(fl.State.Transcript)
	log := mempalace.Log{Path: layout.PalaceLog(client)}
	if log.Path == "" {
		return ""
	}
	limit := map[mempalace.Moment]time.Duration{mempalace.Start: startLook, mempalace.Turn: turnLook,
		mempalace.End: endLook}
	ctx, cancel := context.WithTimeout(ctx, limit[m])
	defer cancel()
	look := mempalace.Look{
		Files:   Audited(client),
		Program: layout.Libexec("palace"),
		Session: fl.ID,
		Client:  func() mempalace.Client { return mempalace.Client(Client()) },
		Moment:  m,
		History: mempalace.History{Dir: layout.PalaceHistory(client)},
		Now:     time.Now().UTC(),
		Ended:   func(c mempalace.Client) bool { return stage.Process(c).Ended() },
		Approved: func(since time.Time) (mempalace.Approved, bool, error) {
			yes, err := Approved(client, since)
			return yes, isStoring(client, time.Now()), err
		},
	}
	if m != mempalace.Start {
		look.Since = fl.State.Looked
	}
	tell, found, err := log.Take(ctx, look)
	if err != nil {
		fl.Fault(auditor, "a palace could not be looked at", err)
	}
	for _, f := range found {
		if !f.Away {
			appendFailure(fl.Ledger(), auditor, fl.ID, Appeared(f), nil)
		}
	}
	return brief.Appeared(sumByKind(tell))
}

// Audited returns the files of palaces and the folders of drawers that are counted for the person
// of a client.
func Audited(client string) []mempalace.File {
	homes := layout.Homes(client)
	return append(mempalace.Files(layout.Palaces(homes)), mempalace.OwnFolders(layout.Drawers(homes))...)
}

// Appeared returns a finding as one line of the ledger or of doctor.
func Appeared(f mempalace.Finding) string {
	return f.Path + ": " + strings.Join(brief.Findings(sumByKind([]mempalace.Finding{f})), " ")
}

// sumByKind returns findings added up by their kinds.
func sumByKind(found []mempalace.Finding) (all []brief.Stored) {
	for _, k := range []mempalace.Kind{mempalace.Drawers, mempalace.Facts, mempalace.Tunnels, mempalace.Own} {
		one := brief.Stored{Kind: string(k)}
		if k == mempalace.Own {
			one.Kind, one.Own = string(mempalace.Drawers), true
		}
		for _, f := range found {
			if f.Kind == k {
				one.IDs = append(one.IDs, f.IDs...)
				one.New += f.New()
				one.Gone += f.Gone
			}
		}
		if one.New+one.Gone > 0 {
			all = append(all, one)
		}
	}
	return all
}

// afterwards is how long an approved command that does not name what it stores may go on storing.
// The client reports a command in the background when it begins.
const afterwards = 15 * time.Minute

// palaceWrite is the checkpoint whose approvals count here. It is rules.MemPalaceWrite, repeated so
// that no hook links the gate for one word.
const palaceWrite = "before_mempalace_write"

// storesNothing are the rules of that checkpoint whose calls store nothing in a palace themselves,
// so that a yes to one is no yes to rows. They are the gate's, repeated for the same reason.
var storesNothing = []string{"gate-file", "gate-settings", "mempalace-later"}

// Words in the names of tools that take away or replace, and in the names of those that store
// nothing new and so return no ids.
var (
	removing = []string{"delete", "update", "supersede", "sync", "exec", "forget", "revoke"}
	ending   = []string{"invalidate", "supersede", "exec", "revoke"}
	idless   = []string{"delete", "update", "sync", "invalidate", "settings", "forget", "revoke"}
)

// Approved returns what a person said yes to since a time, by the ids that were stored. A call that
// ran with other arguments than they had seen does not count.
func Approved(client string, since time.Time) (a mempalace.Approved, err error) {
	all, err := ApprovalsOf(client, since)
	return all.Between(since.Add(-afterwards), time.Time{}), err
}

// Approvals are what a person said yes to, oldest first.
type Approvals []approval.Outcome

// ApprovalsOf returns what the person of a client said yes to since a time, there or in the other client.
func ApprovalsOf(client string, since time.Time) (Approvals, error) {
	all, err := approvalsOf(client).Settled(since.Add(-afterwards))
	slices.SortStableFunc(all, func(a, b approval.Outcome) int { return a.Time.Compare(b.Time) })
	return all, err
}

// approvalsOf returns the folders in which what the person of a client approves is kept.
func approvalsOf(client string) (all approval.Clients) {
	for _, dir := range layout.ClientsBeside(client) {
		all = append(all, approval.Dir(layout.Approvals(dir)))
	}
	return all
}

// Between returns what was approved between two times. A zero until is now. An approved command that does
// not name what it stores may have begun before.
func (all Approvals) Between(since, until time.Time) (a mempalace.Approved) {
	for _, o := range all {
		if o.Result != approval.Stored || o.Checkpoint != palaceWrite ||
			slices.Contains(storesNothing, o.Rule) || !until.IsZero() && o.Time.After(until) {
			continue
		}
		open := len(o.Stored) == 0 && !containsAny(o.Tool, idless)
		a.Open = a.Open || open && !o.Time.Before(since.Add(-afterwards))
		if o.Time.Before(since) {
			continue
		}
		a.IDs = append(a.IDs, o.Stored...)
		a.Removes = a.Removes || containsAny(o.Tool, removing)
		a.Ends = a.Ends || containsAny(o.Tool, ending)
	}
	return a
}

// isStoring reports whether something that was approved may still be storing: a call, or a
// promotion at the person's terminal, whose journal exists until it is settled.
func isStoring(client string, now time.Time) bool {
	return approvalsOf(client).Running(now) ||
		slices.ContainsFunc(layout.States(layout.Homes(client)), func(dir string) bool {
			return isPromoting(dir, now)
		})
}

// containsAny reports whether a tool's name contains one of some words.
func containsAny(tool string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(tool, w) })
}

// isPromoting reports whether a promotion of any project below a folder of states is being written.
// Its journal exists from before the first drawer until all are settled. One that was cut off long
// ago does not count.
func isPromoting(states string, now time.Time) bool {
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
