package guard

import (
	"path"
	"slices"
	"strings"
)

// Changed hears of a file that is changed, made, removed or renamed. The path is absolute where that is
// known. It may be a pattern of the shell's, and what find comes upon below a folder is the folder with hole
// behind. The command that changes it was heard before.
func (w *Watch) Changed(name string) {
	if !slices.ContainsFunc(w.rows, func(r row) bool { return r.kind == 'p' && !r.hit }) || !w.hears(name) {
		return
	}
	t := w.target(name)
	real := ""
	if w.Resolve != nil && !t.found && path.IsAbs(name) && w.spend(50000) {
		if real = w.Resolve(name); real == name {
			real = ""
		}
	}
	for i := range w.rows {
		r := &w.rows[i]
		if r.kind != 'p' || r.hit || !w.spend(100) {
			continue
		}
		within := strings.Contains(name, r.key) || real != "" && strings.Contains(real, r.key)
		if !within && !t.whole && !t.found && !isPattern(name) || !w.spend(5000) {
			continue
		}
		rule := r.rule()
		if rule == nil || !w.spend((len(name)+len(real))*len(rule.Path)) {
			continue
		}
		if w.meets(rule.Path, name, t) || real != "" && w.meets(rule.Path, real, t) {
			r.hit = true
			w.addHit(*rule, strings.TrimSuffix(name, hole))
		}
	}
}

// hole is what the judge of commands has in the place of a name that find comes upon.
const hole = "/\x00"

// A target is how a command changes what it names.
type target struct {
	whole bool     // with all that is in a folder
	root  bool     // also the project's own folder as a whole
	found bool     // files that find comes upon below a folder
	names []string // of these, the patterns of names that find has; nil for all names
}

// target returns how the command that was heard last changes a file that it names.
func (w *Watch) target(name string) (t target) {
	words := w.last
	if strings.HasSuffix(name, hole) {
		words = w.finds
	}
	if len(words) == 0 {
		return t
	}
	args := words[1:]
	has := func(options ...string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return hasOption(words[0], nil, args, o) })
	}
	switch words[0] {
	case "rm", "grm":
		t.whole = has("-r", "-R")
	case "chmod", "chown", "chgrp":
		t.whole = has("-R", "--recursive")
	case "mv", "gmv": // the last operand is where it goes
		t.whole = len(args) > 0 && !isNamed(name, args[len(args)-1])
	case "rsync":
		t.whole = slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--delete") })
	case "git":
		t.whole = true
		return t // of the whole project it mostly takes back nothing
	case "find", "gfind":
		t.found, t.whole = true, true
		for i, a := range args[:len(args)-1] {
			if (a == "-name" || a == "-iname") && (i == 0 || args[i-1] != "!" && args[i-1] != "-not") {
				t.names = append(t.names, args[i+1])
			}
		}
	}
	t.root = t.whole && t.names == nil
	return t
}

// hears reports whether the command that was heard last changes the file that it names: of git, some name
// branches.
func (w *Watch) hears(name string) bool {
	if len(w.last) == 0 || w.last[0] != "git" {
		return true
	}
	verb := ""
	for _, v := range [...]string{"checkout", "restore", "rm", "mv", "clean", "stash"} {
		if matchCommand([]string{"git", v}, w.last) {
			verb = v
		}
	}
	end := slices.Index(w.last, "--")
	if verb == "" || verb == "checkout" && end < 0 && slices.ContainsFunc(w.last, func(a string) bool {
		return slices.Contains([]string{"-b", "-B", "--orphan", "-t", "--track", "--detach"}, a)
	}) {
		return false
	}
	return end < 0 || slices.ContainsFunc(w.last[end+1:], func(o string) bool { return isNamed(name, o) })
}

// isNamed reports whether an operand may be the one that a path was made of.
func isNamed(name, operand string) bool {
	operand = path.Clean(operand)
	return operand == "." || strings.HasSuffix(path.Clean(name), strings.TrimLeft(operand, "./"))
}

// MayTake reports whether a shell command may change what a guard's pattern names without naming it: it takes
// folders away or names files by a pattern.
func (w *Watch) MayTake(text string) bool {
	return slices.ContainsFunc(w.rows, func(r row) bool { return r.kind == 'p' }) &&
		(isPattern(text) || slices.ContainsFunc(takers, func(t string) bool {
			return strings.Contains(text, t)
		}))
}

// takers are the programs that target knows.
var takers = []string{"rm ", "mv ", "chmod ", "chown ", "chgrp ", "rsync ", "git ", "find "}

// meets reports whether a command that changes a file changes one of a pattern's.
func (w *Watch) meets(pattern, name string, t target) bool {
	name = path.Clean(strings.TrimSuffix(name, hole))
	dirs := w.dirs
	if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
		pattern, dirs = "/"+rest, []string{strings.TrimRight(w.Home, "/")}
	}
	for _, d := range dirs {
		below, ok := strings.CutPrefix(name, d+"/")
		switch {
		case d == "":
		case ok:
			if w.meetsBelow(pattern, strings.Split(below, "/"), t) {
				return true
			}
		case t.root && (name == d || strings.HasPrefix(d, strings.TrimRight(name, "/")+"/")):
			return true
		case t.found && name == d && w.meetsBelow(pattern, nil, t):
			return true
		}
	}
	return false
}

func (w *Watch) meetsBelow(pattern string, names []string, t target) bool {
	parts, rooted := partsOf(pattern)
	if matchParts(parts, names) {
		// all that is in a folder is not meant for a file that may be in any
		last := len(names) - 1
		return rooted || last < 1 || strings.Trim(names[last], "*") != ""
	}
	if len(t.names) > 0 && (len(names) == 0 || !rooted) {
		// below the project's folder, or for a file that may be in any: it is to be looked for by its name
		return slices.ContainsFunc(t.names, func(n string) bool { return meetNames(parts[len(parts)-1], n) })
	}
	return t.whole && rooted && isAround(names, parts) && (len(names) > 0 || t.root)
}

// isAround reports whether a folder is around what a pattern names.
func isAround(names, parts []string) bool {
	if len(names) >= len(parts) {
		return false
	}
	for i, n := range names {
		if parts[i] == "**" || !meetNames(parts[i], n) {
			return false
		}
	}
	return true
}
