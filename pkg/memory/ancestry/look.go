package ancestry

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
)

// Git runs git in a checkout and returns what it printed.
type Git func(args ...string) ([]byte, error)

// A Checkout is what can be read of one without git.
type Checkout struct {
	On      string        // the branch that is checked out, "" for none
	Head    string        // the commit; needed where it is not the one at which On is
	Main    string        // the name of the default branch, "" if it is not known
	Shallow bool          // the clone lacks the beginning of its history
	Moves   func() []Move // reads the log of HEAD, the oldest first
}

// Limits of one Look, which a session waits for. What is beyond them is not known, so that it counts, and is
// looked at the next time: View.Cut says so.
const (
	maxFollowed = 12    // memories whose commits are looked at, and whose changes are looked for
	maxPatches  = "300" // commits of the default branch whose changes are compared with those of a branch
)

// errNoHead is the error for a checkout without a commit.
var errNoHead = errors.New("no commit is checked out")

// Look asks git for the facts of memories, by the same keys. It returns the works with what was seen of
// their branches. If git fails, nothing is known of any, and they come back as they were.
func Look(git Git, at Checkout, works map[string]Work, now time.Time) (View, map[string]Facts,
	map[string]Work, error) {
	l := &looking{git: git, at: at, works: maps.Clone(works), keys: slices.Sorted(maps.Keys(works)),
		passed: map[string]bool{}}
	facts, err := l.facts(now)
	if err != nil {
		return View{}, nil, works, err
	}
	return l.view, facts, l.works, nil
}

// looking is one Look.
type looking struct {
	git   Git
	at    Checkout
	works map[string]Work
	keys  []string // of works, in order

	view   View
	local  map[string]string // the commits of branches of this repository that were asked for
	tips   map[string]string // of these, and of those that only a remote has
	logged map[string]*trail // what the log of HEAD says, once it was read
	chains [][]string        // the names of branches that were renamed, see renames
	lines  map[string][]authored
	logs   map[string][]patch
	nets   map[string]patch // of branches
	asked  int              // memories whose commits were asked for
	passed map[string]bool  // those that were not followed, since there were too many
}

func (l *looking) facts(now time.Time) (map[string]Facts, error) {
	if err := l.refs(); err != nil {
		return nil, err
	}
	if err := l.rename(); err != nil {
		return nil, err
	}
	l.follow()
	inDefault, err := l.within(l.view.Default)
	if err != nil {
		return nil, err
	}
	landed := l.land(inDefault)
	here := inDefault
	if len(landed) > 0 || len(l.view.Default) != 1 || l.view.Default[0] != l.view.Head {
		if here, err = l.within([]string{l.view.Head}); err != nil {
			return nil, err
		}
	}
	facts := map[string]Facts{}
	for _, key := range l.keys {
		w := l.works[key]
		f := Facts{On: w.Today() == l.at.On, Here: here(w),
			AtTip: l.at.On == "" && l.tips[w.Today()] == l.view.Head}
		if len(l.view.Default) > 0 {
			if f.Default = inDefault(w); landed[key] {
				f.Default = Yes
			}
		}
		if l.passed[key] && f.Here != Yes {
			f.Here, f.Default = Unknown, Unknown
		}
		if f.Default == No && !landed[key] && l.works[key].Looked == "" && w.mark() != "" && !f.On {
			f.Default = Unknown // nobody could look whether it was squashed
		}
		f.Branch = l.branch(w, f)
		facts[key] = f
		switch is := Decide(f) == Deleted; {
		case is && w.Gone.IsZero():
			w.Gone = now
		case !is:
			w.Gone = time.Time{}
		}
		l.works[key] = w
	}
	return facts, nil
}

// refs finds the commits of the branches, of the default one and of the checkout.
func (l *looking) refs() error {
	l.local, l.tips = map[string]string{}, map[string]string{}
	l.view = View{On: l.at.On, Main: l.at.Main}
	names := []string{l.at.On, l.at.Main}
	for _, key := range l.keys {
		names = append(names, l.works[key].Today())
	}
	if err := l.ask(names); err != nil {
		return err
	}
	if sum := l.local[l.at.Main]; sum != "" {
		l.view.Default = slices.Compact(append([]string{sum}, l.view.Default...))
	}
	if l.view.Head = cmp.Or(l.at.Head, l.local[l.at.On]); l.view.Head == "" {
		return errNoHead
	}
	return nil
}

// ask finds the commits of some branches.
func (l *looking) ask(names []string) error {
	args := []string{"for-each-ref", "--format=%(refname) %(objectname)"}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name != "" {
			args = append(args, "refs/heads/"+name, "refs/remotes/*/"+name)
		}
	}
	if len(args) == 2 {
		return nil // git would name all
	}
	out, err := l.git(args...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		ref, sum, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name, is := strings.CutPrefix(ref, "refs/heads/"); is {
			l.local[name], l.tips[name] = sum, sum
			continue
		}
		remote, name, _ := strings.Cut(strings.TrimPrefix(ref, "refs/remotes/"), "/")
		if _, has := l.tips[name]; !has {
			l.tips[name] = sum
		}
		if remote == "origin" && name == l.at.Main && !slices.Contains(l.view.Default, sum) {
			l.view.Default = append(l.view.Default, sum)
		}
	}
	return nil
}

// trails returns what the log of HEAD says of each branch.
func (l *looking) trails() map[string]*trail {
	if l.logged == nil {
		l.logged = map[string]*trail{}
		if l.at.Moves != nil {
			l.logged = trails(l.at.Moves(), l.at.On)
		}
	}
	return l.logged
}

// tip returns where the branch of a memory is or, if it is gone, where this checkout left it.
func (l *looking) tip(w Work) string {
	if sum := l.tips[w.Today()]; sum != "" {
		return sum
	}
	if t := l.trail(w); t != nil {
		return t.tip
	}
	return ""
}

// trail returns what the log of HEAD says of the branch of a memory under all of its names, nil for nothing.
func (l *looking) trail(w Work) *trail {
	logged := l.trails()
	if w.Called == "" {
		return logged[w.Name]
	}
	names := []string{w.Name, w.Called}
	for _, c := range l.chains {
		if i := slices.Index(c, w.Name); i >= 0 && c[len(c)-1] == w.Called {
			names = c[i:]
		}
	}
	var all *trail
	for _, name := range names {
		if t := logged[name]; t != nil {
			before := all
			all = &trail{tip: t.tip, was: t.was}
			if before != nil {
				all.was = slices.Concat(before.was, t.was)
			}
		}
	}
	return all
}

// rename follows the branches that are not there to the names that they have now.
func (l *looking) rename() error {
	gone := func(key string) bool { w := l.works[key]; return l.local[w.Today()] == "" && w.Gone.IsZero() }
	if !slices.ContainsFunc(l.keys, gone) {
		return nil
	}
	if err := l.renames(); err != nil {
		return err
	}
	for _, key := range l.keys {
		if w := l.works[key]; gone(key) {
			if now := l.renamed(w); now != "" {
				w.Called = now
				l.works[key] = w
			}
		}
	}
	return nil
}

// renames reads which branches were renamed. The log of a branch has it as long as the branch is there, and
// that of HEAD if the branch was checked out.
func (l *looking) renames() error {
	if l.chains != nil {
		return nil
	}
	l.chains = [][]string{}
	if l.at.Moves != nil {
		l.chains = renamesIn(l.at.Moves())
	}
	out, err := l.git("log", "--no-show-signature", "--walk-reflogs", "--grep-reflog="+renamedFrom,
		"--branches", "--format=%gD%x00%gs")
	if err != nil {
		return err
	}
	of := map[string][]string{} // the names of a branch, the latest first, by what the log calls it
	var last []string
	for line := range strings.Lines(string(out)) {
		at, why, _ := strings.Cut(strings.TrimSpace(line), "\x00")
		from, to, ok := renamed(why)
		if !ok {
			continue
		}
		branch := at[:max(strings.LastIndex(at, "@{"), 0)]
		if of[branch] == nil {
			of[branch] = []string{to}
			last = append(last, to)
		}
		of[branch] = append(of[branch], from)
	}
	for _, names := range of {
		slices.Reverse(names)
		l.chains = append(l.chains, names)
	}
	slices.SortStableFunc(l.chains, slices.Compare)
	return l.ask(last)
}

// renamed returns what the branch of a memory is called now, if it was renamed, else "". If branches of the
// same name became several, it is the one that has the commit of the memory.
func (l *looking) renamed(w Work) (now string) {
	for _, names := range l.chains {
		last := names[len(names)-1]
		if i := slices.Index(names, w.Today()); i < 0 || i == len(names)-1 || last == l.at.Main {
			continue
		}
		switch {
		case now == "", l.local[last] != "" && l.local[now] == "",
			l.local[last] != "" && l.isIn(w.at(), l.local[last]) && !l.isIn(w.at(), l.local[now]):
			now = last
		}
	}
	return now
}

// follow finds the first commit after each memory on its branch.
func (l *looking) follow() {
	for _, key := range l.keys {
		w := l.works[key]
		tip := l.tip(w)
		if tip == "" || tip == w.Tip {
			continue
		}
		if l.asked >= maxFollowed {
			l.passed[key], l.view.Cut = true, true
			continue
		}
		if mark := w.mark(); mark != "" && !l.isIn(mark, tip) && l.renames() == nil {
			// It was rewritten, or another branch has its name now.
			if now := l.renamed(w); now != "" && l.isIn(mark, l.local[now]) {
				w.Called, tip = now, l.local[now]
			}
		}
		if w, ok := l.first(w, tip); ok {
			l.works[key] = w
		}
	}
}

// first returns a work with the first commit after the memory on its branch, which is at tip. ok is false if
// git can't tell.
//
// The first-parent line from tip down to the memory's commit has it. If the branch was rewritten, its commits
// are told by who wrote them when. A branch may also have moved up along the default one, from which it began
// or into which it was merged. That is no work of its own: commits count that are not on the first-parent
// line of the default branch, or that the log of HEAD says were made here.
func (l *looking) first(w Work, tip string) (Work, bool) {
	w.Tip = tip
	if tip == w.at() {
		w.First = ""
		return w, true
	}
	l.asked++
	line, ok := l.line(w.at(), tip)
	switch {
	case !ok:
		return w, false
	case w.First != "" && (has(line, w.First) || l.isIn(w.First, tip)):
		return w, true
	case w.First != "":
		if copied := l.copyOf(w.First, line); copied != "" {
			w.First = copied
			return w, true
		}
		if l.landed(&w) { // and so a rebase left it out
			return w, true
		}
	}
	w.First, w.Landed, w.Looked = "", "", ""
	var before []authored // of which the branch may have copies
	dropped := false
	if w.HadWork() && !l.isIn(w.at(), tip) {
		if copied := l.copyOf(w.at(), line); copied != "" {
			w.Now = copied
			line, ok = l.line(copied, tip)
		} else {
			dropped = true
			before, ok = l.line(w.Base, w.at())
		}
		if !ok {
			return w, false
		}
	}
	t := l.trail(w)
	if t != nil {
		if ok, err := l.madeFirst(&w, t, tip, line, before); ok || err != nil {
			return w, err == nil
		}
	}
	if dropped {
		if len(line) > 0 && !l.landed(&w) {
			w.First = tip // it has the work, whatever else
		}
		return w, true
	}
	main, ok := l.line(w.at(), l.view.Default...)
	if !ok {
		return w, false
	}
	for _, c := range slices.Backward(line) {
		if !has(main, c.commit) {
			w.First = c.commit
			return w, true
		}
	}
	if t == nil && !w.HadWork() && len(line) > 0 {
		w.First = line[len(line)-1].commit // it is in the default branch: the person is asked
	}
	return w, true
}

// madeFirst sets the first commit after a memory to the first that the log says was made on its branch: as it
// is, as it was rewritten, or as the default branch has it, so that a rebase has left it out. Copies of
// commits before the memory are passed over. ok is false if there is none.
func (l *looking) madeFirst(w *Work, t *trail, tip string, line, before []authored) (ok bool, err error) {
	made, seen := t.madeSince(w.at())
	if len(made) == 0 {
		return false, nil
	}
	since, err := l.git("rev-list", tip, "--not", w.at(), "--")
	if err != nil {
		return false, err
	}
	for _, c := range made {
		if len(before) > 0 && l.copyOf(c, before) != "" {
			continue
		}
		if strings.Contains(string(since), c) {
			w.First = c
			return true, nil
		}
		if !seen {
			continue
		}
		if w.First = l.copyOf(c, line); w.First != "" {
			return true, nil
		}
		if w.First = c; l.landed(w) {
			return true, nil
		}
	}
	w.First = ""
	return false, nil
}

// isIn reports whether the history of a commit has another one, as far as git can tell.
func (l *looking) isIn(commit, tip string) bool {
	beyond, err := l.git("rev-list", "--max-count=1", commit, "--not", tip, "--")
	return err == nil && len(beyond) == 0
}

// landed reports whether the default branch has the work of a memory, squashed or rebased.
func (l *looking) landed(w *Work) bool {
	commit, ok := l.squashed(*w, w.mark(), []string{w.mark()})
	if !ok || commit == "" {
		return false
	}
	w.Landed = commit
	return true
}

// An authored is a commit with what stays of it when it is rewritten: who wrote it, when, and its subject.
type authored struct{ commit, by string }

// authors is the format of git log for that.
const authors = "%H %at %ae %s"

func has(line []authored, commit string) bool {
	return slices.ContainsFunc(line, func(c authored) bool { return c.commit == commit })
}

// copyOf returns the commit of a line that a commit became, or "".
func (l *looking) copyOf(commit string, line []authored) string {
	out, err := l.git("log", "--no-show-signature", "--max-count=1", "--format="+authors, commit, "--")
	if err != nil {
		return ""
	}
	_, by, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	for _, c := range line {
		if c.by == by {
			return c.commit
		}
	}
	return ""
}

// line returns the commits on the first-parent lines of some commits down to one, the latest first, without
// merges: these are no work.
func (l *looking) line(from string, to ...string) (commits []authored, ok bool) {
	key := from + " " + strings.Join(to, " ")
	if commits, ok = l.lines[key]; ok {
		return commits, true
	}
	if len(to) == 0 {
		return nil, true
	}
	args := append([]string{"log", "--no-show-signature", "--first-parent", "--no-merges", "--topo-order",
		"--format=" + authors}, to...)
	if from != "" { // else down to the beginning
		args = append(args, "--not", from)
	}
	out, err := l.git(append(args, "--")...)
	if err != nil {
		return nil, false
	}
	for row := range strings.Lines(string(out)) {
		commit, by, _ := strings.Cut(strings.TrimSpace(row), " ")
		commits = append(commits, authored{commit, by})
	}
	if l.lines == nil {
		l.lines = map[string][]authored{}
	}
	l.lines[key] = commits
	return commits, true
}

// within returns a function that tells whether the history of some commits has the work of a memory. Work
// that there is not yet is in none. In a shallow clone what is missing may be further down.
func (l *looking) within(tips []string) (func(Work) Answer, error) {
	var marks []string
	for _, key := range l.keys {
		marks = append(marks, l.works[key].marks()...)
	}
	slices.Sort(marks)
	marks = slices.Compact(marks)
	in := map[string]bool{}
	if len(marks) > 0 && len(tips) > 0 {
		there, err := l.git(append(append([]string{"rev-list", "--no-walk", "--ignore-missing"}, marks...),
			"--")...)
		if err != nil {
			return nil, err
		}
		for _, m := range strings.Fields(string(there)) {
			in[m] = true
		}
		args := append([]string{"rev-list", "--ignore-missing"}, marks...)
		without, err := l.git(append(append(append(args, "--not"), tips...), "--")...)
		if err != nil {
			return nil, err
		}
		for m := range strings.FieldsSeq(string(without)) {
			delete(in, m)
		}
	}
	return func(w Work) Answer {
		switch {
		case slices.ContainsFunc(w.marks(), func(m string) bool { return in[m] }):
			return Yes
		case l.at.Shallow && w.mark() != "":
			return Unknown
		}
		return No
	}, nil
}

// land looks for work that came into the default branch squashed or rebased: its branch, or its first commit,
// changes what a commit there does. It returns whose was found now. Of a branch that was looked at before
// only the commits that came since are compared, which are the same for most.
func (l *looking) land(inDefault func(Work) Answer) map[string]bool {
	landed := map[string]bool{}
	for _, key := range l.keys {
		w := l.works[key]
		tip := cmp.Or(l.tip(w), w.Tip)
		looked := strings.Join(append([]string{tip}, l.view.Default...), " ")
		if inDefault(w) != No || w.mark() == "" || w.Today() == l.at.On || tip == "" || looked == w.Looked ||
			len(l.view.Default) == 0 {
			continue
		}
		from := []string{w.mark()}
		if before := strings.Fields(w.Looked); len(before) > 1 && before[0] == tip {
			from = before[1:]
		} else if l.asked++; l.asked > maxFollowed {
			l.view.Cut = true
			continue
		}
		commit, ok := l.squashed(w, tip, from)
		if !ok {
			continue
		}
		w.Looked = looked
		if commit != "" {
			w.Landed, landed[key] = commit, true
		}
		l.works[key] = w
	}
	return landed
}

// diffs are the options with which changes are compared. No program that a repository names is run.
var diffs = []string{"--unified=0", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv",
	"--full-index", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=myers"}

// squashed returns the commit of the default branch, of those that are not in the history of from, that
// changes all that the work of a memory does, or all that its branch does up to tip, or that is a copy of the
// work. It is "" if there is none. ok is false if git can't tell.
func (l *looking) squashed(w Work, tip string, from []string) (commit string, ok bool) {
	theirs, ok := l.patches(append(slices.Clone(l.view.Default), append([]string{"--not"}, from...)...)...)
	if !ok || len(theirs) == 0 {
		return "", ok
	}
	work, ok := l.patchOf(w.mark())
	if !ok {
		return "", false
	}
	for _, t := range theirs {
		if t.by == work.by || t.hasAll(work) {
			return t.commit, true
		}
	}
	if len(work.files) > 0 && !slices.ContainsFunc(theirs, work.sharesFile) {
		return "", true // nor has one of them all of a branch that has the work
	}
	branch, ok := l.branchPatch(tip)
	if !ok {
		return "", false
	}
	for _, t := range theirs {
		if t.hasAll(branch) {
			return t.commit, true
		}
	}
	return "", true
}

// branchPatch returns what a branch changes up to a commit, since it left the default branch.
func (l *looking) branchPatch(tip string) (patch, bool) {
	if p, ok := l.nets[tip]; ok {
		return p, true
	}
	base, err := l.git(append([]string{"merge-base", tip}, l.view.Default...)...)
	if err != nil || len(base) == 0 {
		return patch{}, err == nil
	}
	all, err := l.git(slices.Concat([]string{"diff"}, diffs,
		[]string{strings.TrimSpace(string(base)), tip, "--"})...)
	if err != nil {
		return patch{}, false
	}
	if l.nets == nil {
		l.nets = map[string]patch{}
	}
	l.nets[tip] = patches(append([]byte(begins+"-\n"), all...))[0]
	return l.nets[tip], true
}

// patches returns the patches of commits that git log finds, without merges, the oldest first.
func (l *looking) patches(which ...string) (found []patch, ok bool) {
	key := strings.Join(which, " ")
	if found, ok = l.logs[key]; ok {
		return found, true
	}
	out, err := l.git(slices.Concat([]string{"log", "--no-show-signature", "--no-merges", "--reverse",
		"--ignore-missing", "--max-count=" + maxPatches, "--format=" + begins + authors, "-p"}, diffs, which,
		[]string{"--"})...)
	if err != nil {
		return nil, false
	}
	if l.logs == nil {
		l.logs = map[string][]patch{}
	}
	l.logs[key] = patches(out)
	return l.logs[key], true
}

// patchOf returns the patch of a commit. Those of all works are read at once.
func (l *looking) patchOf(commit string) (patch, bool) {
	which := []string{"--no-walk", commit}
	for _, key := range l.keys {
		if m := l.works[key].mark(); m != "" && !slices.Contains(which, m) {
			which = append(which, m)
		}
	}
	slices.Sort(which)
	all, ok := l.patches(which...)
	for _, p := range all {
		if p.commit == commit {
			return p, true
		}
	}
	return patch{}, ok
}

// branch returns whether the branch of a memory is there, or another one that has its work.
func (l *looking) branch(w Work, f Facts) Answer {
	switch {
	case l.tips[w.Today()] != "":
		return Yes
	case f.Here != No || f.Default != No:
		return Unknown // nobody asks
	case w.mark() == "" && w.Tip == "" && l.trail(w) == nil:
		return Unknown // what became of it was not seen
	case w.mark() == "":
		return No
	}
	for _, m := range w.marks() {
		out, err := l.git("for-each-ref", "--count=1", "--contains="+m, "--format=%(refname)", "refs/heads",
			"refs/remotes")
		switch {
		case err != nil && w.Gone.IsZero():
			return Unknown // git has forgotten the commit before anybody saw what became of it
		case err == nil && len(out) > 0:
			return Yes
		}
	}
	return No
}
