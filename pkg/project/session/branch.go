package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/ancestry"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/secret"
)

// BranchHere returns the branch to which a memory belongs that is made now, nil for none: on the default
// branch, on none, before the first commit, and where it can't be told which the default branch is. git may
// be nil: without it the memory's branch counts as one with work of its own, unless it is just where the
// default branch is.
func (pl *Place) BranchHere(cwd string, git ancestry.Git) *memory.Branch {
	refs := layout.GitRefsOf(pl.topOf(cwd))
	on, head := refs.Head()
	main := refs.Default()
	if head == "" || main == "" || on == main || !memory.ValidBranch(on) || secret.Redact(on) != on {
		return nil
	}
	b := &memory.Branch{Name: on, Head: head}
	tips := defaultTips(refs, main)
	switch {
	case slices.Contains(tips, head):
		b.Base = head
	case git != nil:
		out, err := git(append([]string{"merge-base", head}, tips...)...)
		if sum := strings.TrimSpace(string(out)); err == nil && memory.ValidCommit(sum) {
			b.Base = sum
		}
	}
	return b
}

// defaultTips returns the commits at which the default branch is, here and on the remote.
func defaultTips(refs *layout.GitRefs, main string) (tips []string) {
	for _, ref := range []string{"refs/heads/" + main, "refs/remotes/origin/" + main} {
		if sum := refs.Of(ref); sum != "" && !slices.Contains(tips, sum) {
			tips = append(tips, sum)
		}
	}
	return tips
}

// BranchFile returns the file of what is known of the branches of the project's records.
func (pl *Place) BranchFile() standing.BranchFile {
	return standing.BranchFile{Path: pl.state().Branches()}
}

// branchesHere is what is known of branches, with the checkout as it is now.
type branchesHere struct {
	standing.Branches
	refs     *layout.GitRefs
	on, head string          // as layout.GitRefs.Working has them
	looked   bool            // the following are known
	moves    []ancestry.Move // of HEAD, the latest, if it has moved since the facts were found out
	grew     ancestry.Growth // since then
}

// knownBranches reads what is known of the branches of records, once.
func (ms *Memories) knownBranches() *branchesHere {
	if ms.branches == nil {
		b, err := ms.BranchFile().Read()
		if err != nil {
			ms.Fault("standing", "what is known of the branches of memories could not be read", err)
		}
		ms.branches = &branchesHere{Branches: b, refs: layout.GitRefsOf(ms.Top)}
	}
	return ms.branches
}

// stateOf returns what a record's branch is to this checkout as it is now; known is false if no session
// start has found anything out. moved reports that the checkout has moved since, so that it can't be told.
func (ms *Memories) stateOf(m memory.Stored) (s ancestry.State, f ancestry.Facts, moved, known bool) {
	b, bound := m.BoundTo()
	if !bound {
		return s, f, false, false
	}
	here := ms.knownBranches()
	view := here.Views[ms.Root]
	f, known = view.Facts[m.Path]
	if w, has := here.Works[m.Path]; !known || !has || w.Branch != b {
		return s, f, false, false
	}
	if !here.looked {
		here.on, here.head = here.refs.Working()
		if here.looked = true; here.head != view.Head || here.on != view.On {
			here.moves = movesOf(here.refs.LastMoves())
			here.grew = ancestry.Since(here.moves, view.Head)
		}
	}
	was := f.Here
	name := here.nameOf(m.Path)
	f = ancestry.Moved(f, name, view.View, here.on, here.head, here.grew)
	return ancestry.Decide(f), f, was != ancestry.Unknown && f.Here == ancestry.Unknown, true
}

// nameOf returns what the branch of a record is called now.
func (b *branchesHere) nameOf(path string) string {
	name := b.Works[path].Today()
	if len(b.moves) > 0 && name != b.on && b.refs.Of("refs/heads/"+name) == "" {
		name = ancestry.Renamed(name, b.moves)
	}
	return name
}

// movesOf returns moves of HEAD as package ancestry has them.
func movesOf(moves []layout.HeadMove) []ancestry.Move {
	all := make([]ancestry.Move, len(moves))
	for i, m := range moves {
		all[i] = ancestry.Move{From: m.From, Commit: m.Commit, Why: m.Why}
	}
	return all
}

// branchRow returns what is known against a record because of its branch. It reads where the checkout is now,
// as that may change in the middle of a session, and runs no git. If it then can't be told whether the
// checkout has the record's branch, the record is told with a mark: neither hidden nor taken for granted.
func (ms *Memories) branchRow(m memory.Stored) (row standing.Row, is bool) {
	state, facts, moved, known := ms.stateOf(m)
	row = standing.Row{Path: m.Path, LeaveOut: !state.Counts()}
	what := ""
	switch {
	case !known:
		return row, false
	case state == ancestry.Untold && facts.AtTip:
		what = "; no branch is checked out, and this commit is the latest of it"
	case state == ancestry.Untold && moved:
		what = "; whether this checkout has that was not looked up since it moved"
	case state == ancestry.Elsewhere && facts.Default == ancestry.Yes:
		what = ", which is merged, but not into this checkout yet"
	case state == ancestry.Elsewhere:
		what = ", which this checkout does not have"
	case state == ancestry.Deleted:
		what = ", which was deleted and not merged"
	}
	name := m.Branch.Name
	if now := ms.knownBranches().nameOf(m.Path); now != name {
		name += " (" + now + " now)"
	}
	row.Text = "made on branch " + name + what
	return row, what != ""
}

// noteBranches notes the branches of records that a plan has made, so that the next session start looks at
// them. Of this checkout it is known that it is on their branch, and that no other has their work.
func (ms *Memories) noteBranches(ctx context.Context, p plan.Plan) {
	made := map[string]memory.Branch{}
	for _, e := range p.Edits {
		if e.Verb != plan.Create || !strings.Contains(string(e.After), `"branch"`) {
			continue
		}
		r, err := memory.Decode(e.After)
		if b, bound := r.BoundTo(); err == nil && bound {
			made[e.Path] = b
		}
	}
	if len(made) == 0 {
		return
	}
	refs := layout.GitRefsOf(ms.Top)
	on, head := refs.Head()
	main := refs.Default()
	err := ms.BranchFile().Update(func(b *standing.Branches) {
		v, looked := b.Views[ms.Root]
		if !looked {
			v.View = ancestry.View{On: on, Head: head, Main: main, Default: defaultTips(refs, main)}
		}
		v.Facts = maps.Clone(v.Facts)
		if v.Facts == nil {
			v.Facts = map[string]ancestry.Facts{}
		}
		for path, of := range made {
			b.Works[path] = ancestry.Work{Branch: of}
			v.Facts[path] = ancestry.New(of, v.View)
		}
		b.Views[ms.Root] = v
	})
	if err != nil {
		ms.Fault("standing", "on which branch a memory was made could not be written down", err)
	}
	ms.branches = nil
}

// maxViews is how many worktrees have a view.
const maxViews = 64

// LookAtBranches asks git what the branches of records are to this checkout, if anything has changed since a
// session last asked. Without a record that was made on a branch, or a change, git is not started.
func (ms *Memories) LookAtBranches(ctx context.Context, git ancestry.Git, now time.Time) error {
	known, err := ms.BranchFile().Read()
	if err != nil || len(known.Works) == 0 || ms.Top == "" {
		return err
	}
	refs := layout.GitRefsOf(ms.Top)
	at := ancestry.Checkout{Main: refs.Default(), Shallow: refs.Shallow(), Moves: func() []ancestry.Move {
		moves, err := layout.FindGitIndex(ms.Top).HeadMoves()
		if err != nil {
			ms.Fault("standing", "git's log of HEAD could not be read", err)
		}
		return movesOf(moves)
	}}
	if at.On, at.Head = refs.Working(); at.Head == "" {
		return nil // no commit, or references that only git can read: all stays as it is known
	}
	seen := seenOf(refs, at, known.Works)
	if known.Views[ms.Root].Seen == seen {
		return nil
	}
	works, over := ms.boundStill(known.Works)
	committed, err := ms.committed(git, works)
	if err != nil {
		return err
	}
	view, facts, works, err := ancestry.Look(git, at, works, now.UTC().Truncate(time.Second))
	if err != nil {
		return fmt.Errorf("git: %w", err)
	}
	if view.Cut {
		seen = "" // the next start goes on
	}
	for path := range committed {
		f := facts[path]
		f.Committed = true
		facts[path] = f
	}
	err = ms.BranchFile().Update(func(b *standing.Branches) {
		for path, w := range works {
			if now, still := b.Works[path]; still && now.Branch == w.Branch {
				w.Asked = w.Asked || now.Asked
				b.Works[path] = w
			}
		}
		for _, path := range over {
			delete(b.Works, path)
		}
		for dir := range b.Views {
			if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) || len(b.Views) > maxViews {
				delete(b.Views, dir)
			}
		}
		b.Views[ms.Root] = standing.View{View: view, Seen: seen, Facts: facts}
	})
	ms.branches = nil
	return err
}

// seenOf returns what git's files say of everything that the facts of works rest on.
func seenOf(refs *layout.GitRefs, at ancestry.Checkout, works map[string]ancestry.Work) string {
	var b strings.Builder
	fmt.Fprintln(&b, at.On, at.Head, at.Main, at.Shallow, defaultTips(refs, at.Main))
	for _, path := range slices.Sorted(maps.Keys(works)) {
		w := works[path]
		fmt.Fprintln(&b, path, w.Branch, w.Today(), refs.Of("refs/heads/"+w.Name),
			refs.Of("refs/heads/"+w.Today()), refs.Of("refs/remotes/origin/"+w.Today()))
	}
	return plan.DigestOf([]byte(b.String()))
}

// boundStill returns those works whose records are still bound to their branches, and the paths of the rest.
func (ms *Memories) boundStill(works map[string]ancestry.Work) (map[string]ancestry.Work, []string) {
	var over []string
	still := map[string]ancestry.Work{}
	st := ms.Store()
	for path, w := range works {
		m, err := st.Read(path)
		b, bound := m.BoundTo()
		switch {
		case err == nil && (!bound || b != w.Branch):
			over = append(over, path)
		case errors.Is(err, fs.ErrNotExist) && !ms.isGitTracked(): // else another branch may have it
			over = append(over, path)
		default:
			still[path] = w
		}
	}
	return still, over
}

// committed returns those records that the commit has that is checked out. They came with it, whatever became
// of their branch.
func (ms *Memories) committed(git ancestry.Git, works map[string]ancestry.Work) (map[string]bool, error) {
	below, ok := layout.Relative(ms.Top, ms.MemoryRoot())
	if len(works) == 0 || !ok || !ms.isGitTracked() {
		return nil, nil
	}
	out, err := git("ls-tree", "-r", "-z", "--full-tree", "--name-only", "HEAD", "--", below+"/")
	if err != nil {
		return nil, fmt.Errorf("git: %w", err)
	}
	has := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		path := strings.TrimPrefix(name, below+"/")
		if _, is := works[path]; is {
			has[path] = true
		}
	}
	return has, nil
}

// CameWithMerge returns the active records whose branch was merged into the default branch, which is checked
// out, by branch. Until the person says whether to keep them they count, and stay bound to their branch.
func (ms *Memories) CameWithMerge() (sets []MergedSet, err error) {
	here := ms.knownBranches()
	view := here.Views[ms.Root]
	st := ms.Store()
	for _, path := range slices.Sorted(maps.Keys(here.Works)) {
		if f := view.Facts[path]; view.On != view.Main || ancestry.Decide(f) != ancestry.Merged {
			continue
		}
		m, rerr := st.Read(path)
		state, _, _, known := ms.stateOf(m)
		switch {
		case errors.Is(rerr, fs.ErrNotExist):
			continue
		case rerr != nil:
			err = errors.Join(err, rerr)
			continue
		case !known || state != ancestry.Merged || here.on != view.Main || m.Status != memory.Active:
			continue
		}
		name := here.Works[path].Today()
		i := slices.IndexFunc(sets, func(s MergedSet) bool { return s.Branch == name })
		if i < 0 {
			i = len(sets)
			sets = append(sets, MergedSet{Branch: name})
		}
		sets[i].Records = append(sets[i].Records, m)
	}
	slices.SortStableFunc(sets, func(a, b MergedSet) int { return cmp.Compare(a.Branch, b.Branch) })
	return sets, err
}

// A MergedSet is the records of a branch that was merged into the default branch.
type MergedSet struct {
	Branch  string
	Records []memory.Stored
}

// AskMerged returns the question to the person about records that came with a merge and that they were not
// asked about, and "" if there are none. It asks once about each.
func (ms *Memories) AskMerged(ctx context.Context) (string, error) {
	works := ms.knownBranches().Works
	sets, err := ms.CameWithMerge()
	var names []string
	var paths []string
	for _, s := range sets {
		before := len(paths)
		for _, m := range s.Records {
			if !works[m.Path].Asked {
				paths = append(paths, m.Path)
			}
		}
		if len(paths) > before {
			names = append(names, s.Branch)
		}
	}
	if len(paths) == 0 {
		return "", err
	}
	err = errors.Join(err, ms.BranchFile().Update(func(b *standing.Branches) {
		for _, path := range paths {
			w := b.Works[path]
			w.Asked = true
			b.Works[path] = w
		}
	}))
	ms.branches = nil
	return brief.CameWithMerge(len(paths), names), err
}
