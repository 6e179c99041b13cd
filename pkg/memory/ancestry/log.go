package ancestry

import (
	"slices"
	"strings"
)

// A Move is one line of git's log of HEAD, as layout.HeadMove has it.
type Move struct{ From, Commit, Why string }

// A trail is what the log of HEAD of one checkout says of a branch.
type trail struct {
	tip string // where the branch was when it was left last
	was []step // where it was before, the oldest first
}

// A step is a commit at which a branch was, and whether it was made on it.
type step struct {
	commit string
	made   bool
}

// madeSince returns the commits that were made on the branch after it was at one. seen is false if it never
// was: then all are returned.
func (t *trail) madeSince(commit string) (made []string, seen bool) {
	from := slices.IndexFunc(t.was, func(s step) bool { return s.commit == commit })
	for _, s := range t.was[from+1:] { // that one is not after itself
		if s.made {
			made = append(made, s.commit)
		}
	}
	return made, from >= 0
}

// trails returns what the log of HEAD says of each branch that was checked out. on is the branch that is
// checked out now. The log names branches only where the checkout changes from one to another.
func trails(moves []Move, on string) map[string]*trail {
	all := map[string]*trail{}
	end := len(moves)
	name := on
	for i := len(moves) - 1; i >= -1; i-- {
		from, to, switches := "", "", false
		if i >= 0 {
			from, to, switches = switched(moves[i].Why)
		}
		if i >= 0 && !switches {
			continue
		}
		// moves[i+1:end] happened on a branch, and moves[i] came to it. It may have been renamed since, so
		// what the next line says of it counts.
		if name == "" && switches && !isCommitName(to) {
			name = to
		}
		if name != "" {
			t := all[name]
			if t == nil {
				t = new(trail)
				all[name] = t
			}
			for j := end - 1; j >= max(i, 0); j-- {
				if t.tip == "" {
					t.tip = moves[j].Commit
				}
				t.was = append(t.was, step{moves[j].Commit, j > i && isNewCommit(moves[j].Why)})
			}
		}
		end = max(i, 0)
		if name = from; isCommitName(name) {
			name = "" // no branch was checked out
		}
	}
	for _, t := range all {
		slices.Reverse(t.was)
	}
	return all
}

// switched parses why HEAD moved, if it was a checkout.
func switched(why string) (from, to string, ok bool) {
	rest, ok := strings.CutPrefix(why, "checkout: moving from ")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, " to ")
}

// renamedFrom begins the line of a log that says that a branch was renamed.
const renamedFrom = "Branch: renamed refs/heads/"

// renamed parses why a branch or HEAD moved, if the branch was renamed.
func renamed(why string) (from, to string, ok bool) {
	rest, ok := strings.CutPrefix(why, renamedFrom)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, " to refs/heads/")
}

// renamesIn returns the names of each branch that moves say was renamed, the latest last.
func renamesIn(moves []Move) (chains [][]string) {
	for i, m := range moves {
		from, to, ok := renamed(m.Why)
		if !ok || i > 0 && moves[i-1].Why == m.Why { // git writes it twice: it leaves one name for the other
			continue
		}
		at := slices.IndexFunc(chains, func(c []string) bool { return c[len(c)-1] == from })
		if at < 0 {
			at = len(chains)
			chains = append(chains, []string{from})
		}
		chains[at] = append(chains[at], to)
	}
	return chains
}

// Renamed returns what a branch is called after moves of HEAD, the oldest first.
func Renamed(name string, moves []Move) string {
	for _, c := range renamesIn(moves) {
		if slices.Contains(c, name) {
			name = c[len(c)-1]
		}
	}
	return name
}

// isCommitName reports whether a name in the log stands for a commit and not for a branch.
func isCommitName(name string) bool {
	return len(name) >= 7 && strings.Trim(name, "0123456789abcdef") == "" || name == "HEAD" ||
		strings.ContainsAny(name, "~^:@ ")
}

// isNewCommit reports whether a move made a commit, and no merge, rather than going to one that there was.
func isNewCommit(why string) bool {
	what, _, _ := strings.Cut(why, ":")
	verb, _, _ := strings.Cut(what, " ")
	switch verb {
	case "commit":
		return what != "commit (merge)"
	case "cherry-pick", "revert", "am":
		return true
	case "rebase":
		return !strings.Contains(what, "(start)") && !strings.Contains(what, "(finish)") &&
			!strings.Contains(what, "(abort)")
	}
	return false
}

// A Growth says how a checkout came from one commit to another.
type Growth uint8

// The kinds of growth.
const (
	Jumped Growth = iota // it may have lost and gained anything
	Gained               // it has what it had, and perhaps more from elsewhere
	Grew                 // only commits were made: it has what it had, and nothing of another branch
)

// Since returns how a checkout came from a commit to the present one. moves are the latest ones, the oldest
// first.
func Since(moves []Move, from string) Growth {
	is := Grew
	for i := len(moves) - 1; i >= 0; i-- {
		what, _, _ := strings.Cut(moves[i].Why, ":")
		verb, _, _ := strings.Cut(what, " ")
		switch {
		case verb == "commit", verb == "revert":
		case verb == "merge", verb == "cherry-pick", verb == "am",
			verb == "pull" && !strings.Contains(what, "rebase"):
			is = Gained
		default:
			return Jumped
		}
		if moves[i].From == from {
			return is
		}
	}
	return Jumped
}
