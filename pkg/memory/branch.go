package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// A Branch says on which branch a memory was made, other than the default one. Until the work that it is
// about has come into another history, the memory belongs to that branch (pkg/memory/ancestry). All of it
// is untrusted text: a record of the repository names what it likes.
type Branch struct {
	Name string `json:"name"` // without refs/heads/
	Head string `json:"head"` // the commit that was checked out, whole
	// Base is the latest commit that the branch then shared with the default one. It is Head if the branch
	// had no commit of its own yet, and "" if the two share none.
	Base string `json:"base,omitempty"`
}

// MaxBranch is the length of the longest name of a branch that a record may have, in runes.
const MaxBranch = 200

// IsBound reports whether memories of a category belong to the branch on which they are made. Rules count
// wherever the person works, and how something is done is true on every branch.
func (c Category) IsBound() bool { return c == Decision || c == TechDebt || c == SessionSummary }

// ValidBranch reports whether a text can be the name of a branch. What git allows and a shell, a terminal or
// a pattern would read as something else is no name here: such a memory is bound to nothing.
func ValidBranch(name string) bool {
	if name == "" || utf8.RuneCountInString(name) > MaxBranch || text.Clean(name) != name ||
		strings.ContainsAny(name, " \t\r\n~^:?*[\\\x7f") || strings.Contains(name, "..") ||
		strings.Contains(name, "@{") || name == "@" || name == "HEAD" || strings.HasPrefix(name, "-") {
		return false
	}
	return !slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return part == "" || part[0] == '.' || strings.HasSuffix(part, ".") ||
			strings.HasSuffix(part, ".lock")
	})
}

// ValidCommit reports whether a text is the whole name of a commit.
func ValidCommit(sum string) bool {
	return (len(sum) == 40 || len(sum) == 64) && strings.Trim(sum, "0123456789abcdef") == ""
}

// HadWork reports whether the branch had commits of its own when the memory was made.
func (b Branch) HadWork() bool { return b.Base != b.Head }

// BoundTo returns the branch that a record belongs to. It belongs to none if its category never does, or if
// its branch has no name or commit that can be one: then it counts everywhere.
func (r Record) BoundTo() (b Branch, bound bool) {
	if r.Branch == nil || !r.Category.IsBound() || r.Branch.fault() != "" {
		return Branch{}, false
	}
	return *r.Branch, true
}

// fault returns the field of a branch that is not valid, or "".
func (b Branch) fault() string {
	switch {
	case !ValidBranch(b.Name):
		return "name"
	case !ValidCommit(b.Head):
		return "head"
	case b.Base != "" && !ValidCommit(b.Base):
		return "base"
	}
	return ""
}

// check adds what is wrong with the branch of a record that is written.
func (b *Branch) check(c *checker) {
	if b == nil || b.fault() == "" {
		return
	}
	field := b.fault()
	want := map[string]string{"name": fmt.Sprintf("the name of a branch, at most %d characters", MaxBranch)}
	got := map[string]string{"name": b.Name, "head": b.Head, "base": b.Base}
	c.addProblem("branch."+field, cmp.Or(want[field], "the whole name of a commit"),
		strconv.Quote(text.Shorten(got[field], 70)), "take branch out: the memory then counts everywhere")
}

// branch reads the branch of a record.
func (d *decoder) branch() *Branch {
	sub, ok := d.object("branch")
	if !ok {
		return nil
	}
	b := &Branch{Name: sub.text("name", true), Head: sub.text("head", true), Base: sub.text("base", false)}
	d.addProblemsOf("branch", sub)
	return b
}

// rewrite returns the branch with f applied to its name. A branch of another name would be another branch,
// so it is nil if f changes it.
func (b *Branch) rewrite(f func(string) string) *Branch {
	if b == nil || f(b.Name) != b.Name || f(b.Head) != b.Head || f(b.Base) != b.Base {
		return nil
	}
	return b
}

// mergeBranches returns the branch of a record that two sides changed. A memory that one side has bound to
// nothing counts everywhere; of two branches the later side's stays.
func mergeBranches(base, a, b *Branch, ours, theirs Record) *Branch {
	return merge3(base, a, b, func(a, b *Branch) *Branch {
		if a == nil || b == nil {
			return nil
		}
		return ofLater(a, b, ours, theirs)
	})
}
