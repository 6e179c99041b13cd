package session

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/gate/armed"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/records"
)

// Armed returns the folder of what the person armed in this project.
func (ms *Memories) Armed() armed.Folder { return armed.Folder(ms.state()) }

// A GuardState is a guard with what it is doing.
type GuardState struct {
	guard.Rule
	Armed bool
	Off   bool   // the person switched it off
	Idle  string // why an armed guard does not act, in a sentence; "" if it does
	Apart string // in what the memory differs here from when it was armed, in a sentence; "" for nothing
	Held  bool   // its memory waits for the person's yes, and can't be armed before
	// Proposed is the guard that its record proposes, if it is not the one that is armed; nil for none. A
	// rule that is not armed is what is said once a session, or the same as it.
	Proposed *memory.Guard
}

// Acts reports whether the gate is to know the guard.
func (g GuardState) Acts() bool { return g.Idle == "" && !g.Off && (g.Armed || g.Once) }

// RuleOf returns the guard that a record proposes, with the words that it comes from: those that give a
// guard, or else the title.
func RuleOf(m memory.Stored) (r guard.Rule, ok bool) {
	r = guard.Rule{Record: m.Path, Title: brief.Line(m.Title)}
	_, from, found := guard.Propose(guard.WordsOf(m.Record)...)
	if r.Words = brief.Line(from); !found {
		r.Words = r.Title
	}
	if m.Guard == nil {
		return r, false
	}
	r.Guard = *m.Guard
	return r, true
}

// Guards returns the guards of the project: what the person armed, what records propose, and the rules of the
// person's that are said once a session since their words are about one command, path or tool.
func (ms *Memories) Guards() (all []GuardState, err error) {
	entries, err := ms.Armed().Entries()
	if err != nil {
		return nil, err
	}
	byRecord := map[string]armed.Entry{}
	paths := make([]string, 0, len(entries))
	for _, e := range entries {
		byRecord[e.Record] = e
		paths = append(paths, e.Record)
	}
	candidates, _, err := ms.guardRecords()
	if err != nil {
		return nil, err
	}
	for _, p := range candidates {
		if _, known := byRecord[p]; !known {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	read, bad := ms.Store().ReadAll(paths)
	found := map[string]bool{}
	for _, b := range bad { // a rule that can't be read is not said
		if e, known := byRecord[b.Path]; known && !e.Off {
			found[b.Path] = true
			all = append(all, armedGuard(e, "its memory can't be read"))
		}
	}
	for _, m := range read {
		found[m.Path] = true
		e, known := byRecord[m.Path]
		if g, ok := ms.guardOf(m, e, known); ok {
			all = append(all, g)
		}
	}
	for _, e := range entries {
		if !found[e.Record] && !e.Off {
			all = append(all, armedGuard(e, "its memory is not here"))
		}
	}
	slices.SortStableFunc(all, func(a, b GuardState) int { return strings.Compare(a.Record, b.Record) })
	return all, nil
}

// armedGuard returns a guard that the person armed, with the words that they saw. It acts whatever became of
// the memory's file: files come and go with branches, and an agent may change them. Only that Keepsake ended
// the memory ends it, beside the person's own word.
func armedGuard(e armed.Entry, apart string) GuardState {
	g := GuardState{Rule: e.Rule, Armed: true, Apart: apart}
	if e.Ended != "" {
		g.Idle, g.Apart = e.Ended, ""
	}
	return g
}

// guardOf returns the guard of a record, given what the person said about it.
func (ms *Memories) guardOf(m memory.Stored, e armed.Entry, known bool) (g GuardState, ok bool) {
	proposed, has := RuleOf(m)
	switch {
	case known && !e.Off:
		apart := ""
		if m.Status != memory.Active {
			apart = "its memory's file says that it is " + string(m.Status) + ", and Keepsake did not do that"
		} else if guard.WordsOf(m.Record) == nil {
			apart = "its memory says that the rule is not in force"
		}
		g = armedGuard(e, apart)
		if has && m.Status == memory.Active && (proposed.Key() != e.Key() || g.Idle != "") {
			g.Proposed = m.Guard
		}
		return g, true
	case m.Status != memory.Active:
		return g, false
	}
	if g = (GuardState{Rule: proposed, Proposed: m.Guard}); known {
		g.Rule, g.Off = e.Rule, true
		return g, true
	}
	t := ms.TrustOf(m)
	if g.Held = t.Held; t.Held || !t.Persons() {
		return g, has
	}
	said, _, ok := guard.Propose(guard.WordsOf(m.Record)...)
	if !ok {
		return g, has
	}
	g.Guard, g.Once = said, true
	g.Does = memory.Say
	return g, true
}

// endGuards notes which memories with an armed guard an applied plan ends or brings back. Upkeep ends none:
// who fills the store until the oldest go would disarm what the person armed.
func (ms *Memories) endGuards(p plan.Plan) error {
	ended := map[string]string{}
	for _, e := range p.Edits {
		if plan.CheckRecord(e.Path) != nil {
			continue
		}
		if e.After == nil {
			if e.Verb == plan.Revert {
				ended[e.Path] = "its memory was taken back"
			}
			continue
		}
		switch r, err := memory.Decode(e.After); {
		case err != nil || upkeep.Ended(r):
		case r.Status == memory.Active:
			ended[e.Path] = ""
		default:
			ended[e.Path] = "its memory was " + string(r.Status)
		}
	}
	if len(ended) == 0 || ms.Armed() == "" {
		return nil
	}
	return ms.Armed().End(ended)
}

// mostRules is of how many rules guards are made: the newest. A session start has no time to read more.
const mostRules = 2 * guard.MaxRules

// guardRecords returns the paths of the records that may have a guard, and a digest of what they are: of the
// constraints and preferences that are active, as the search index has them, the newest mostRules.
func (ms *Memories) guardRecords() (paths []string, digest string, err error) {
	sum := sha256.New()
	var rules []memory.Stored
	err = ms.Index(func(ix *records.Index) error {
		rules = nil
		sum.Reset()
		return ix.Each(func(e records.Entry) bool {
			if e.Category == memory.Constraint || e.Category == memory.Preference {
				fmt.Fprintln(sum, e.Path, e.Status, e.File.Time, e.File.Size)
				if e.Status == memory.Active {
					rules = append(rules, memory.Stored{Path: e.Path, File: e.File})
				}
			}
			return true
		})
	})
	return newest(rules, mostRules), hex.EncodeToString(sum.Sum(nil)[:8]), err
}

// newest returns the paths of the n records whose files changed last, of those that change together the
// first.
func newest(rules []memory.Stored, n int) (paths []string) {
	sorted := slices.SortedStableFunc(slices.Values(rules), func(a, b memory.Stored) int {
		return cmp.Compare(b.File.Time, a.File.Time)
	})
	for _, r := range sorted[:min(n, len(sorted))] {
		paths = append(paths, r.Path)
	}
	slices.Sort(paths)
	return paths
}

// programVersion is of the program that makes the file: a newer one may read other rules out of the same
// words.
var programVersion = layout.Version

// PackGuards makes the file that the gate reads anew, if the memories, or what the person said about their
// guards or records, has changed since it was made.
func (ms *Memories) PackGuards() error {
	folder := ms.Armed()
	if folder == "" {
		return nil
	}
	candidates, basis, err := ms.guardRecords()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(fmt.Append(nil, programVersion(), basis, statOf(string(ms.state()), "guards.json"),
		statOf(string(ms.state()), "records.jsonl"), ms.isGitTracked()))
	basis = hex.EncodeToString(sum[:8])
	if packed, err := folder.Packed(); err == nil && guard.Basis(packed) == basis {
		return nil
	}
	all, err := ms.Guards()
	if err != nil {
		return err
	}
	var rules, said []guard.Rule // those that are armed come first: what is too much is left out
	for _, g := range all {
		switch {
		case g.Acts() && g.Armed:
			rules = append(rules, g.Rule)
		case g.Acts():
			said = append(said, g.Rule)
		}
	}
	rules = append(rules, said...)
	return folder.Pack(rules, basis, len(candidates) > 0)
}

// RenewGuards is PackGuards, and notes what fails: guards only add to the gate, and nothing stops for them.
func (ms *Memories) RenewGuards(where string) {
	if err := ms.PackGuards(); err != nil {
		ms.Fault(where, "the guards could not be made anew, so the gate uses those that it had", err)
	}
}

// statOf returns what tells versions of a file apart, "" for none.
func statOf(dir, name string) string {
	info, err := os.Lstat(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return disk.State(info)
}
