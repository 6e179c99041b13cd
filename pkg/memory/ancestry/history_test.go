package ancestry

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

// A history is a repository of git and a model of it that knows by itself which commit has what. Each commit
// adds a file of its own, so that nothing ever conflicts.
type history struct {
	t       *testing.T
	dir     string
	rand    *rand.Rand
	clock   int
	files   int
	commits map[string]*commit
	heads   map[string]*commit // by branch
	on      string
	dead    []string // branches that were deleted
	renames int
	notes   map[string]*note
	works   map[string]Work
	said    []string // what was done, for a failure
}

type commit struct {
	sum     string
	parents []*commit
	has     []int // the files that it adds, that of its subject first; none for a merge
	squash  bool  // it has all of a branch in one
}

// A note is a memory as the model knows it.
type note struct {
	branch string
	hadOwn bool
	work   *commit // the first commit after it, else the one that it was made on if that was the branch's own
	after  bool    // work came after it
	// unseen: its branch was renamed while another one was checked out, and nobody has looked since. If it is
	// deleted then, git has forgotten that, and the memory is lost.
	unseen, lost bool
}

func newHistory(t *testing.T, seed uint64) *history {
	h := &history{t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 18)),
		commits: map[string]*commit{}, heads: map[string]*commit{}, on: "main", notes: map[string]*note{},
		works: map[string]Work{}}
	h.git("init", "-q", "-b", "main")
	for _, kv := range [][2]string{{"user.name", "a"}, {"user.email", "a@example.com"},
		{"commit.gpgsign", "false"}, {"core.logAllRefUpdates", "true"}, {"gc.auto", "0"},
		{"advice.detachedHead", "false"}} {
		h.git("config", kv[0], kv[1])
	}
	h.commit()
	return h
}

// run is how git is asked: strictly, a failure is an error.
func (h *history) run(args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", h.dir}, args...)...)
	h.clock++
	at := fmt.Sprintf("%d +0000", 1_790_000_000+h.clock)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_EDITOR=true")
	out, err := cmd.Output()
	if e, ok := err.(*exec.ExitError); ok {
		if e.ExitCode() == 1 && args[0] == "merge-base" {
			return out, nil
		}
		err = fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, e.Stderr)
	}
	return out, err
}

func (h *history) git(args ...string) string {
	h.t.Helper()
	out, err := h.run(args...)
	if err != nil {
		h.t.Fatalf("%v\n%s", err, strings.Join(h.said, "\n"))
	}
	return strings.TrimSpace(string(out))
}

func (h *history) say(format string, args ...any) {
	h.said = append(h.said, fmt.Sprintf(format, args...))
}

// head notes that the branch that is checked out is at a new commit.
func (h *history) head(c *commit) *commit {
	c.sum = h.git("rev-parse", "HEAD")
	if was, known := h.commits[c.sum]; known {
		c = was
	}
	h.commits[c.sum], h.heads[h.on] = c, c
	return c
}

func (h *history) write() int {
	h.files++
	name := "f" + strconv.Itoa(h.files)
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(name+"\n"), 0o644); err != nil {
		h.t.Fatal(err)
	}
	h.git("add", name)
	return h.files
}

func (h *history) commit() {
	n := h.write()
	h.git("commit", "-q", "-m", "add f"+strconv.Itoa(n))
	c := h.head(&commit{parents: h.parents(), has: []int{n}})
	for _, m := range h.notes {
		if m.branch == h.on && !m.after {
			m.work, m.after = c, true
		}
	}
	h.say("commit f%d on %s", n, h.on)
}

func (h *history) parents() []*commit {
	if c := h.heads[h.on]; c != nil {
		return []*commit{c}
	}
	return nil
}

// reach returns all commits that a commit has, itself too.
func reach(c *commit) map[*commit]bool {
	all := map[*commit]bool{}
	for todo := []*commit{c}; len(todo) > 0; {
		c, todo = todo[0], todo[1:]
		if c != nil && !all[c] {
			all[c] = true
			todo = append(todo, c.parents...)
		}
	}
	return all
}

func contents(c *commit) map[int]bool {
	all := map[int]bool{}
	for c := range reach(c) {
		for _, n := range c.has {
			all[n] = true
		}
	}
	return all
}

// others returns the branches that are not checked out, in order.
func (h *history) others() (names []string) {
	for name := range h.heads {
		if name != h.on {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (h *history) pick(names []string) string { return names[h.rand.IntN(len(names))] }

func (h *history) checkout(name string) {
	h.git("checkout", "-q", name)
	h.on = name
	h.say("checkout %s", name)
}

func (h *history) branch() {
	name := fmt.Sprintf("feat/%d", len(h.heads)+len(h.dead))
	h.git("checkout", "-q", "-b", name)
	h.heads[name] = h.heads[h.on]
	h.say("branch %s from %s", name, h.on)
	h.on = name
}

// remember makes a memory on the branch that is checked out.
func (h *history) remember() {
	c := h.heads[h.on]
	if h.on == "main" || len(c.parents) > 1 {
		return
	}
	base := h.git("merge-base", c.sum, "main")
	key := fmt.Sprintf("decisions/m%d.json", len(h.notes)+1)
	m := &note{branch: h.on, hadOwn: base != c.sum}
	if m.hadOwn != !reach(h.heads["main"])[c] {
		h.t.Fatal("the model does not know the repository")
	}
	if m.hadOwn {
		m.work = c
	}
	h.notes[key] = m
	h.works[key] = Work{Branch: memory.Branch{Name: h.on, Head: c.sum, Base: base}}
	h.say("remember %s on %s", key, h.on)
}

// merge merges a branch into the one that is checked out, by a fast-forward where that can be.
func (h *history) merge(name string) {
	theirs := h.heads[name]
	switch {
	case reach(h.heads[h.on])[theirs]:
		return
	case reach(theirs)[h.heads[h.on]] && (h.on == "main" || name == "main") && h.rand.IntN(2) == 0:
		h.git("merge", "-q", "--ff-only", name)
		h.heads[h.on] = theirs
		h.say("fast-forward %s to %s", h.on, name)
	default:
		h.git("merge", "-q", "--no-ff", "-m", "merge "+name, name)
		h.head(&commit{parents: append(h.parents(), theirs)})
		h.say("merge %s into %s", name, h.on)
	}
}

// squash puts a branch into main as one commit.
func (h *history) squash(name string) {
	h.checkout("main")
	main := contents(h.heads["main"])
	c := &commit{parents: h.parents(), squash: true}
	for n := range contents(h.heads[name]) {
		if !main[n] {
			c.has = append(c.has, n)
		}
	}
	if len(c.has) == 0 {
		return
	}
	h.git("merge", "-q", "--squash", name)
	h.git("commit", "-q", "-m", "squash "+name)
	h.head(c)
	h.say("squash %s into main", name)
}

// rewritten puts the commits of the branch that is checked out above a commit, as git has made them anew.
func (h *history) rewritten(above *commit, more ...int) {
	old := reach(h.heads[h.on])
	h.heads[h.on] = above
	for row := range strings.Lines(h.git("log", "--reverse", "--format=%H %s", above.sum+"..HEAD")) {
		sum, subject, _ := strings.Cut(strings.TrimSpace(row), " ")
		n, err := strconv.Atoi(strings.TrimPrefix(subject, "add f"))
		if err != nil {
			h.t.Fatalf("%q\n%s", row, strings.Join(h.said, "\n"))
		}
		c := h.commits[sum]
		if c == nil {
			c = &commit{sum: sum, parents: h.parents()}
			for was := range old {
				if !was.squash && len(was.has) > 0 && was.has[0] == n {
					c.has = append(slices.Clone(was.has), more...)
				}
			}
			h.commits[sum] = c
		}
		h.heads[h.on] = c
		for _, m := range h.notes {
			if m.branch == h.on && m.work != nil && m.work.has[0] == n && !m.work.squash {
				m.work = c
			}
		}
	}
}

// rebase puts the branch that is checked out upon main. One that has a squash in it is left as it is.
func (h *history) rebase() {
	main := h.heads["main"]
	for c := range reach(h.heads[h.on]) {
		if !reach(main)[c] && c.squash {
			return
		}
	}
	h.git("rebase", "-q", "main")
	h.rewritten(main)
	h.say("rebase %s on main", h.on)
}

// amend makes the latest commit of the branch that is checked out anew.
func (h *history) amend() {
	c := h.heads[h.on]
	if len(c.parents) != 1 || c.squash || reach(h.heads["main"])[c] {
		return
	}
	n := h.write()
	h.git("commit", "-q", "--amend", "--no-edit")
	h.rewritten(c.parents[0], n)
	h.say("amend f%d on %s", c.has[0], h.on)
}

func (h *history) remove(name string) {
	h.git("branch", "-q", "-D", name)
	delete(h.heads, name)
	h.dead = append(h.dead, name)
	h.say("delete %s", name)
	for _, m := range h.notes {
		m.lost = m.lost || m.branch == name && m.unseen
	}
}

// rename gives a branch another name.
func (h *history) rename(name string) {
	h.renames++
	to := fmt.Sprintf("renamed/%d", h.renames)
	h.git("branch", "-m", name, to)
	for _, m := range h.notes {
		if m.branch == name {
			m.branch, m.unseen = to, m.unseen || h.on != name
		}
	}
	if h.heads[to] = h.heads[name]; h.on == name {
		h.on = to
	}
	delete(h.heads, name)
	h.say("rename %s to %s", name, to)
}

// step does something at random.
func (h *history) step() {
	others := h.others()
	switch n := h.rand.IntN(22); {
	case n < 4:
		h.commit()
	case n < 7 && len(h.heads) < 4 || len(others) == 0:
		h.branch()
	case n < 10:
		h.remember()
	case n < 12:
		h.checkout(h.pick(others))
	case n < 14: // a pull request: the branch is merged, and often deleted
		name := h.on
		if name == "main" {
			name = h.pick(others)
		}
		switch h.rand.IntN(3) {
		case 0:
			h.squash(name)
		case 1:
			if h.on != name {
				h.checkout(name)
			}
			h.rebase()
			h.checkout("main")
			h.merge(name)
		default:
			if h.on != "main" {
				h.checkout("main")
			}
			h.merge(name)
		}
		if h.on != name && h.rand.IntN(3) > 0 {
			h.remove(name)
		}
	case n < 15 && h.on != "main":
		h.rebase()
	case n < 16 && h.on != "main":
		h.amend()
	case n < 17:
		h.merge(h.pick(others))
	case n < 18:
		if name := h.pick(others); name != "main" {
			h.remove(name)
		}
	case n < 19: // no branch is checked out
		at := h.heads[h.pick(append(others, h.on))]
		if h.rand.IntN(2) == 0 && len(at.parents) > 0 {
			at = at.parents[0]
		}
		h.git("checkout", "-q", at.sum)
		h.say("detach at %s", at.sum[:7])
		h.lookFrom("", at)
		h.git("checkout", "-q", h.on)
	case n < 20:
		if name := h.pick(append(others, h.on)); name != "main" {
			h.rename(name)
		}
	default:
		h.look()
	}
}

// want returns the state of a memory by the model, where a branch is checked out, "" for none, and its
// commit.
func (h *history) want(m *note, branch string, on *commit) State {
	has := func(c *commit) bool { return m.work != nil && reach(c)[m.work] }
	main := h.heads["main"]
	var landed []*commit
	if m.work != nil && !has(main) {
		for c := range reach(main) {
			lacks := func(n int) bool { return !slices.Contains(c.has, n) }
			if c.squash && !slices.ContainsFunc(m.work.has, lacks) ||
				!c.squash && len(c.has) > 0 && c.has[0] == m.work.has[0] {
				landed = append(landed, c)
			}
		}
	}
	here := func(c *commit) bool {
		all := reach(c)
		return has(c) || slices.ContainsFunc(landed, func(l *commit) bool { return all[l] })
	}
	switch {
	case m.branch == branch:
		return Own
	case here(on) && here(main):
		return Merged
	case here(on):
		return Own
	case branch == "" && h.heads[m.branch] == on:
		return Untold
	case h.heads[m.branch] != nil, here(main):
		return Elsewhere
	}
	for _, c := range h.heads {
		if here(c) {
			return Elsewhere
		}
	}
	return Deleted
}

// landedIn reports whether a checkout has a squash of the work that the default branch has too.
func (m *note) landedIn(main map[*commit]bool, head *commit) bool {
	for c := range reach(head) {
		if main[c] && c.squash && slices.Contains(c.has, m.work.has[0]) {
			return true
		}
	}
	return false
}

// look asks git, and compares with the model.
func (h *history) look() {
	h.t.Helper()
	h.lookFrom(h.on, h.heads[h.on])
}

// lookFrom is look where a branch is checked out, "" for none, and its commit.
func (h *history) lookFrom(on string, head *commit) {
	h.t.Helper()
	moves := func() (all []Move) {
		b, _ := os.ReadFile(filepath.Join(h.dir, ".git", "logs", "HEAD"))
		for line := range strings.Lines(string(b)) {
			head, why, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			f := strings.Fields(head)
			all = append(all, Move{f[0], f[1], why})
		}
		return all
	}
	at := Checkout{On: on, Head: head.sum, Main: "main", Moves: moves}
	v, facts, works, err := Look(h.run, at, h.works, time.Unix(1, 0))
	if err != nil {
		h.t.Fatal(err)
	}
	h.works = works
	h.say("look on %q", on)
	for key, m := range h.notes {
		got, want := Decide(facts[key]), h.want(m, on, head)
		m.unseen = false
		main := reach(h.heads["main"])
		switch {
		case m.lost, got == Untold && v.Cut: // git has forgotten it, or there is too much for one look
			continue
		case got == Merged && want == Elsewhere && m.work != nil && main[m.work] && m.landedIn(main, head):
			continue // it was squashed, and later merged: this checkout has the squash
		}
		if got != want {
			h.t.Errorf("%s: %v, want %v\n%+v\n%+v\n%s\n%s", key, got, want, facts[key], works[key],
				strings.Join(h.said, "\n"), h.git("log", "--graph", "--all", "--reflog", "--format=%h %s %d"))
		}
		if gone := !works[key].Gone.IsZero(); gone != (Decide(facts[key]) == Deleted) {
			h.t.Errorf("%s: gone is %v", key, gone)
		}
	}
	if v.Head != head.sum || v.Default[0] != h.heads["main"].sum {
		h.t.Errorf("%+v", v)
	}
}

// TestHistories compares what git says of random histories with a model that knows where every commit went.
// KEEPSAKE_HISTORIES is how many; a failure prints the seed and all that was done.
func TestHistories(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	many, from := 120, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("KEEPSAKE_HISTORIES")); err == nil {
		many, from = n, uint64(time.Now().UnixNano())
	}
	if n, err := strconv.ParseUint(os.Getenv("KEEPSAKE_SEED"), 10, 64); err == nil {
		many, from = 1, n
	}
	for seed := from; seed < from+uint64(many); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, seed)
			h.branch()
			h.remember()
			for range 6 + h.rand.IntN(14) {
				if h.step(); t.Failed() {
					return
				}
			}
			h.look()
			if h.on != "main" {
				h.checkout("main")
				h.look()
			}
		})
	}
}
