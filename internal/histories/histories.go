// Package histories makes random histories of three people who share memories by git, and says what a merge
// has to come to. Tests run them with the merge alone, and with git and the merge driver.
//
// The people change different things: records of their own, and in shared ones different fields, tags,
// entries of lists and lessons. So no merge may have a conflict, and nothing that they wrote may be lost.
package histories

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// People is how many there are.
const People = 3

const (
	store     = ".claude/memory/"
	index     = store + "index.md"
	learned   = ".agents/memory/" + lessons.Journal
	shared    = 4 // records that all change
	ownTexts  = 3 // of each person in a list of one record
	ownChecks = memory.MaxChecks / People
)

// A Tree is the files of a commit, by their paths.
type Tree map[string][]byte

// A Step is what one person does next.
type Step struct {
	Who  int
	From int  // whose branch they merge; -1 if they change something
	Tree Tree // what their branch has then
}

// A History is what happened, from a first commit on that all have. It ends when all have merged all.
type History struct {
	First Tree
	Steps []Step
	Alive map[string]bool // texts that nobody took out again
	Gone  map[string]bool // and those that somebody did
}

type commit struct {
	tree    Tree
	parents []*commit
}

type maker struct {
	*rand.Rand
	tips  [People]*commit
	clock time.Time
	next  int
	h     History
}

// New returns the history of a seed. The error is a conflict, in which two people got in each other's way.
func New(seed int64) (History, error) {
	m := &maker{Rand: rand.New(rand.NewSource(seed)), clock: time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC),
		h: History{Alive: map[string]bool{}, Gone: map[string]bool{}}}
	first := Tree{learned: []byte("# Learnings\n")}
	for n := range shared {
		r := m.record(fmt.Sprint("shared-", n), memory.Categories()[1+n])
		first[store+memory.Path(r.Category, r.ID)] = r.Encode()
	}
	m.h.First = withIndex(first)
	for who := range m.tips {
		m.tips[who] = &commit{tree: m.h.First}
		if who > 0 {
			m.tips[who] = m.tips[0]
		}
	}
	for range 6 + m.Intn(14) {
		who := m.Intn(People)
		if m.Intn(4) > 0 {
			m.change(who)
		} else if err := m.merge(who, (who+1+m.Intn(People-1))%People); err != nil {
			return m.h, err
		}
	}
	for _, pair := range [][2]int{{0, 1}, {0, 2}, {1, 0}, {2, 0}} {
		if err := m.merge(pair[0], pair[1]); err != nil {
			return m.h, err
		}
	}
	return m.h, nil
}

// text returns a text that is like no other.
func (m *maker) text() string {
	m.next++
	t := fmt.Sprintf("text%dx", m.next)
	m.h.Alive[t] = true
	return t
}

// replace says that a text is taken out.
func (m *maker) drop(text string) {
	delete(m.h.Alive, text)
	m.h.Gone[text] = true
}

func (m *maker) now() string {
	m.clock = m.clock.Add(time.Minute)
	return memory.Stamp(m.clock)
}

func (m *maker) record(id string, c memory.Category) memory.Record {
	r := memory.Record{Category: c, ID: id, Title: m.text(), Status: memory.Active, CreatedAt: m.now(),
		Tags: []string{"all"}, Content: memory.Content{}}
	r.UpdatedAt = r.CreatedAt
	if m.Intn(2) == 0 {
		r.Branch = m.branch()
	}
	for _, f := range memory.Fields(c) {
		switch {
		case f.Kind == memory.Enum && f.Required:
			r.Content[f.Name] = f.Enum[0]
		case f.Kind == memory.Flag && f.Required:
			r.Content[f.Name] = true
		case f.Kind == memory.List:
			r.Content[f.Name] = []string{m.text()}
		case f.Kind == memory.Text && f.Name != "expires":
			r.Content[f.Name] = m.text()
		}
	}
	return r
}

// branch returns a branch that is like no other.
func (m *maker) branch() *memory.Branch {
	name := m.text()
	return &memory.Branch{Name: name, Head: fmt.Sprintf("%040x", m.next), Base: fmt.Sprintf("%040x", 1)}
}

// change lets one person change something, and commits it.
func (m *maker) change(who int) {
	tree := maps.Clone(m.tips[who].tree)
	switch m.Intn(5) {
	case 0:
		r := m.record(fmt.Sprintf("of-%d-%d", who, m.next), memory.Categories()[1+m.Intn(5)])
		tree[store+memory.Path(r.Category, r.ID)] = r.Encode()
	case 1:
		t := m.text()
		tree[learned], _ = lessons.Append(tree[learned], lessons.Lesson{Title: t, Trigger: "when " + t,
			Lesson: "that " + t, Next: "do " + t}, m.clock)
	default:
		n := m.Intn(shared)
		path := store + memory.Path(memory.Categories()[1+n], fmt.Sprint("shared-", n))
		r, err := memory.Decode(tree[path])
		if err != nil {
			panic(err) // a merge made it, and the caller has looked
		}
		tree[path] = m.edit(r, who).Encode()
	}
	m.commit(who, withIndex(tree), m.tips[who])
	m.h.Steps = append(m.h.Steps, Step{who, -1, m.tips[who].tree})
}

// edit changes what belongs to one person in a shared record.
func (m *maker) edit(r memory.Record, who int) memory.Record {
	if who == 0 && r.ID == "shared-3" && r.Status == memory.Active && m.Intn(3) == 0 {
		moved, err := r.Retire(m.text(), m.clock)
		if err == nil {
			return moved.Record
		}
	}
	r.Content = maps.Clone(r.Content)
	// Texts belong to whoever has their number; of the lists each has some entries.
	texts, lists := []string{}, []string{}
	for i, f := range memory.Fields(r.Category) {
		switch _, there := r.Content[f.Name]; {
		case f.Kind == memory.Text && there && i%People == who:
			texts = append(texts, f.Name)
		case f.Kind == memory.List && there && f.Name != "steps":
			lists = append(lists, f.Name)
		}
	}
	summary := m.text()
	switch what := m.Intn(6); {
	case what == 0 && len(texts) > 0:
		name := texts[m.Intn(len(texts))]
		m.drop(r.Content[name].(string))
		r.Content[name] = m.text()
	case what == 1 && len(lists) > 0:
		name := lists[m.Intn(len(lists))]
		list := slices.Clone(r.Content[name].([]string))
		mine := slices.DeleteFunc(slices.Clone(list), func(s string) bool {
			return !strings.HasPrefix(s, own(who))
		})
		if len(mine) < ownTexts {
			list = append(list, own(who)+m.text())
		} else { // takes one of theirs out
			m.drop(strings.TrimPrefix(mine[0], own(who)))
			list = slices.DeleteFunc(list, func(s string) bool { return s == mine[0] })
		}
		r.Content[name] = list
	case what == 3:
		mine := slices.IndexFunc(r.Verify, func(s string) bool { return strings.HasPrefix(s, ownCheck(who)) })
		lines, full := slices.Clone(r.Verify), m.countOwn(r, who) == ownChecks
		if full || mine >= 0 && m.Intn(ownChecks) == 0 {
			m.drop(strings.TrimPrefix(lines[mine], ownCheck(who)))
			r.Verify = slices.Delete(lines, mine, mine+1)
		} else {
			r.Verify = append(lines, ownCheck(who)+m.text())
		}
	case what == 4 && m.isOwner(r, who):
		if r.Branch == nil {
			r.Branch = m.branch()
		} else { // it was merged, and kept
			m.drop(r.Branch.Name)
			r.Branch = nil
		}
	case what == 2:
		r.Tags = memory.CleanTags(append(slices.Clone(r.Tags), fmt.Sprintf("t%d-%d", who, m.Intn(3))))
	default:
		r.RelatedFiles = append(slices.Clone(r.RelatedFiles), m.text()+".go")
	}
	r.UpdatedAt = m.now()
	r.TimesUpdated++
	r.Changes = memory.AppendChanges(r.Changes, memory.Change{Date: r.UpdatedAt, Summary: summary})
	return r
}

// ownCheck returns how the checks of one person begin.
func ownCheck(who int) string { return fmt.Sprintf("path_exists of-%d/", who) }

// countOwn returns how many checks of a record one person has written.
func (m *maker) countOwn(r memory.Record, who int) (n int) {
	for _, line := range r.Verify {
		if strings.HasPrefix(line, ownCheck(who)) {
			n++
		}
	}
	return n
}

// isOwner reports whether the branch of a shared record is one person's to change.
func (m *maker) isOwner(r memory.Record, who int) bool {
	return strings.HasSuffix(r.ID, fmt.Sprint("-", who))
}

func own(who int) string { return fmt.Sprintf("of %d: ", who) }

func (m *maker) commit(who int, tree Tree, parents ...*commit) {
	m.tips[who] = &commit{tree, parents}
}

// merge merges the branch of one person into that of another.
func (m *maker) merge(into, from int) error {
	ours, theirs := m.tips[into], m.tips[from]
	switch {
	case reaches(ours, theirs): // it is there already
	case reaches(theirs, ours):
		m.tips[into] = theirs // fast forward
	default:
		tree, err := mergeTrees(baseOf(ours, theirs), ours.tree, theirs.tree)
		if err != nil {
			return err
		}
		m.commit(into, tree, ours, theirs)
	}
	m.h.Steps = append(m.h.Steps, Step{into, from, m.tips[into].tree})
	return nil
}

// reaches reports whether a commit is another one or has it in its past.
func reaches(from, to *commit) bool { return slices.Contains(past(from), to) }

// past returns a commit and all before it.
func past(c *commit) []*commit {
	all := []*commit{c}
	for i := 0; i < len(all); i++ {
		for _, p := range all[i].parents {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// baseOf returns the tree that two commits come from. If there are several best ones, git merges these first.
func baseOf(a, b *commit) Tree {
	var common, best []*commit
	for _, c := range past(a) {
		if reaches(b, c) {
			common = append(common, c)
		}
	}
	for _, c := range common {
		if !slices.ContainsFunc(common, func(d *commit) bool { return d != c && reaches(d, c) }) {
			best = append(best, c)
		}
	}
	base := best[0]
	for _, next := range best[1:] {
		tree, err := mergeTrees(baseOf(base, next), base.tree, next.tree)
		if err != nil {
			tree = base.tree // as good as any: the conflict shows in the merge itself
		}
		base = &commit{tree, []*commit{base, next}}
	}
	return base.tree
}

// mergeTrees merges two trees as git does with the merge driver of Keepsake.
func mergeTrees(base, ours, theirs Tree) (Tree, error) {
	out := Tree{}
	paths := slices.AppendSeq(slices.Collect(maps.Keys(ours)), maps.Keys(theirs))
	for _, path := range paths {
		b, o, t := base[path], ours[path], theirs[path]
		switch {
		case string(o) == string(t), string(b) == string(t):
			out[path] = o
		case string(b) == string(o):
			out[path] = t
		case path == index:
			out[path] = memory.MergeIndex(b, o, t)
		case path == learned:
			merged, ok := lessons.Merge(b, o, t)
			if !ok {
				return nil, fmt.Errorf("%s: a conflict of\n%s\nand\n%s", path, o, t)
			}
			out[path] = merged
		default:
			m, ok := memory.MergeFiles(b, o, t)
			if !ok || len(m.Conflicts) > 0 {
				return nil, fmt.Errorf("%s: %v: a conflict of\n%s\nand\n%s", path, m.Conflicts, o, t)
			}
			out[path] = m.Text()
		}
	}
	return out, nil
}

// withIndex returns a tree with the index of its records.
func withIndex(tree Tree) Tree {
	tree[index] = memory.Index(Records(tree))
	return tree
}

// Records returns the records of a tree. One that can't be read is left out.
func Records(tree Tree) (all []memory.Stored) {
	for path, b := range tree {
		below, ok := strings.CutPrefix(path, store)
		if !ok || plan.CheckRecord(below) != nil {
			continue
		}
		if r, err := memory.Decode(b); err == nil {
			all = append(all, memory.Stored{Record: r, Path: below, Digest: plan.DigestOf(b)})
		}
	}
	slices.SortFunc(all, func(a, b memory.Stored) int { return strings.Compare(a.Path, b.Path) })
	return all
}
