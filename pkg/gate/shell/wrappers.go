package shell

import (
	"iter"
	"slices"
	"strings"
)

// unwrap takes one wrapper off. It returns false where f is the command itself.
func (s *shell) unwrap(name string, f []string, in source) ([]string, bool) {
	switch name {
	case "env":
		s.chdirOption(f, "-C", "--chdir")
		f = splitEnv(f)
		rest := unwrapEnv(f)
		if takesVariables(f[1:max(1, len(f)-len(rest))]) {
			s.adrift++
		}
		for _, a := range f[1:max(1, len(f)-len(rest))] {
			if variable, value, ok := strings.Cut(a, "="); ok {
				s.environment(variable, value)
				s.gives(variable, value)
				if namesClient(variable) {
					s.adrift++
				}
				s.variableRuns(variable, value)
			}
		}
		return rest, true
	case "xargs", "gxargs":
		return s.unwrapXargs(f, in), true
	case "command":
		if len(f) > 1 && (f[1] == "-v" || f[1] == "-V") { // it only says where programs lie
			return append([]string{"type"}, f[2:]...), true
		}
	case "faketime": // its moment may begin with a dash
		i := 1
		for i < len(f) && (f[i] == "-f" || f[i] == "-m") {
			i++
		}
		return tail(f, i+1), true
	case "flock":
		i := skip(f, "wE", "timeout wait conflict-exit-code") + 1
		if i < len(f) && f[i] == "-c" {
			return append([]string{"sh"}, f[i:]...), true
		}
		return tail(f, i), true
	}
	if p := programNamed(name); p.runner {
		return s.unwrapRunner(name, p, f)
	}
	if name == "sudo" || name == "doas" {
		s.chdirOption(f, "-D", "--chdir")
		if rest, ok := unwrapPlain(name, f); ok && len(rest) > 0 && shellOption(f[:len(f)-len(rest)]) {
			return []string{"sh", "-c", strings.Join(rest, " ")}, true
		} else if ok && len(rest) == 0 && shellOption(f) {
			return []string{"sh"}, true
		}
	}
	return unwrapPlain(name, f)
}

// chdirOption follows a wrapper's option that names the command's directory.
func (s *shell) chdirOption(f []string, short, long string) {
	for _, dir := range valuesOf(f, short+" "+long) {
		s.chdir([]string{dir})
	}
}

// shellOption reports whether sudo hands its command to a shell.
func shellOption(options []string) bool {
	return slices.ContainsFunc(options, func(o string) bool { return listed(o, "-s -i --shell --login") })
}

// unwrapPlain takes off a wrapper that hands its command nothing of its own.
func unwrapPlain(name string, f []string) ([]string, bool) {
	p := programNamed(name)
	if p.kind != kindWraps {
		return nil, false
	}
	i := skip(f, p.values, p.long) + p.words
	if name == "sudo" || name == "doas" {
		for i < len(f) && assignment(f[i]) {
			i++
		}
	}
	return tail(f, i), true
}

// bare returns a command without its plain wrappers.
func bare(f []string) []string {
	for range maxPending {
		if len(f) == 0 {
			break
		}
		name := program(f[0])
		rest, ok := unwrapPlain(name, f)
		if name == "env" {
			rest, ok = unwrapEnv(f), true
		}
		if !ok {
			break
		}
		f = rest
	}
	return f
}

func tail(f []string, i int) []string {
	if i >= len(f) {
		return nil
	}
	return f[i:]
}

// skip returns the index of the first word behind the options of f[0].
func skip(f []string, values, long string) int {
	i := 1
	for i < len(f) {
		a := f[i]
		switch {
		case a == "--":
			return i + 1
		case len(a) < 2 || a[0] != '-':
			return i
		case strings.HasPrefix(a, "--"):
			name, _, joined := strings.Cut(a[2:], "=")
			if !joined && listed(name, long) {
				i++
			}
		default:
			if strings.IndexAny(a[1:], values) == len(a)-2 { // its value is the next word
				i++
			}
		}
		i++
	}
	return i
}

// listed reports whether name is one of the words of list.
func listed(name, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == name {
			return true
		}
	}
	return false
}

// valuesOf returns the values of options, as the next word or behind a "="; names are separated by blanks.
func valuesOf(args []string, names string) (values []string) {
	for i, a := range args {
		name, v, joined := strings.Cut(a, "=")
		switch {
		case !listed(name, names):
		case joined:
			values = append(values, v)
		case i+1 < len(args):
			values = append(values, args[i+1])
		}
	}
	return values
}

// containsAny reports whether a text has one of some words in it.
func containsAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// behind returns what stands behind each place of a word in a text.
func behind(text, word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest, ok := text, true; ; {
			if _, rest, ok = strings.Cut(rest, word); !ok || !yield(rest) {
				return
			}
		}
	}
}

func assignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && isPlainDelimiter(name)
}

// splitEnv puts the words of env -S in the place of its text.
func splitEnv(f []string) []string {
	for i := 1; i < len(f); i++ {
		a, n := f[i], 1
		text, split := strings.CutPrefix(a, "--split-string=")
		switch {
		case split:
		case (a == "-S" || a == "--split-string" || a == "-vS") && i+1 < len(f):
			text, split, n = f[i+1], true, 2
		case strings.HasPrefix(a, "-S"):
			text, split = a[2:], true
		case strings.HasPrefix(a, "-vS"):
			text, split = a[3:], true
		case a == "-u" || a == "-C" || a == "-P" || a == "--unset" || a == "--chdir":
			i++
		case assignment(a) || len(a) > 0 && a[0] == '-':
		default:
			return f
		}
		if split { // once: what stands in it begins no other one
			return slices.Concat(f[:i], strings.Fields(text), f[i+n:])
		}
	}
	return f
}

func unwrapEnv(f []string) []string {
	f = splitEnv(f)
	i := skip(f, "uCP", "unset chdir")
	for i < len(f) && (assignment(f[i]) || f[i] == "-") {
		i++
	}
	return tail(f, i)
}

// unwrapXargs returns the command xargs runs, with what it reads behind it.
func (s *shell) unwrapXargs(f []string, in source) []string {
	i := skip(f, "IJadEeLlnPRSs", `arg-file delimiter max-lines max-args max-procs max-chars
		process-slot-var`)
	rest, replace := slices.Clone(tail(f, i)), ""
	opts := f[:min(i, len(f))]
	for _, value := range valuesOf(opts, "-I -J --replace") {
		replace = value
	}
	for _, a := range opts {
		if a == "-i" || a == "--replace" {
			replace = "{}"
		} else if strings.HasPrefix(a, "-I") && len(a) > 2 {
			replace = a[2:]
		}
	}
	for _, file := range valuesOf(opts, "-a --arg-file") {
		in = source{saw: in.saw}
		in.str, in.known = s.scriptText(file)
	}
	if len(rest) == 0 {
		return nil
	}
	given := []string{bareHole + in.saw.taint()}
	// -0, -d or quotes may make it one word, which a shell then reads
	if t, ok := s.read(in); ok {
		t = strings.NewReplacer("'", "", `"`, "", "\x00", " ").Replace(t)
		if given = strings.Fields(t); rest[len(rest)-1] == "-c" {
			given = []string{t}
		}
	}
	if replace == "" {
		return append(rest, given...)
	}
	all := strings.Join(given, " ")
	for k := range rest {
		rest[k] = strings.ReplaceAll(rest[k], replace, all)
	}
	return rest
}
