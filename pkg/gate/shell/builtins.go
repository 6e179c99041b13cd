package shell

import "strings"

// builtin judges a command that changes the shell which runs it.
func (s *shell) builtin(name string, f []string, in source) {
	args := f[1:]
	switch name {
	case "cd", "pushd", "chdir":
		s.chdir(args)
	case "popd":
		s.cwd = ""
	case "eval":
		s.judgeCode(strings.Join(args, " "), f)
	case ".", "source":
		s.file(args, in)
	case "alias":
		for _, a := range args {
			if k, v, ok := strings.Cut(a, "="); ok {
				s.scope.set("alias "+k, strings.Fields(v))
			}
		}
	case "hash":
		if len(args) == 3 && args[0] == "-p" {
			s.scope.set("alias "+args[2], args[1:2])
		}
	case "trap":
		if len(args) > 0 {
			s.judgeCode(args[0], f)
		}
	case "set":
		for i, a := range args {
			if a == "--" || len(a) > 0 && a[0] != '-' && a[0] != '+' {
				if a == "--" {
					i++
				}
				s.params, s.paramsKnown = args[i:], true
				break
			}
		}
	case "shift":
		if s.paramsKnown && len(s.params) > 0 {
			s.params = s.params[1:]
		}
	case "read", "mapfile", "readarray":
		s.readInto(args, in)
	case "unset":
		s.unset(args)
	case "printf":
		if len(args) > 2 && args[0] == "-v" {
			g := s.look(args)
			v := quotedHole + g.taint()
			if t, ok := formatted(args[2], args[3:]); ok && !holed(args) {
				v = t
			}
			s.scope.set(args[1], []string{v})
		}
	}
}

func (s *shell) chdir(args []string) {
	var to string
	for _, a := range args {
		if a == "" || a[0] != '-' {
			to = a
			break
		}
	}
	switch {
	case to == "" && len(args) > 0:
		s.cwd = ""
	case to == "":
		s.cwd = s.call.Home
	default:
		if s.cwd = s.absolute(to, s.cwd); s.cwd != "" {
			s.cwd = cleanPath(s.cwd) // cd goes by the name, not by the link
		}
	}
}

// readInto sets the variables of read from what it reads.
func (s *shell) readInto(args []string, in source) {
	t, ok := s.read(in)
	apart, _ := s.variable("IFS")
	words := strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune(apart+" \t\n", r) })
	names := operands(args)
	for i, n := range names {
		v := []string{quotedHole + in.saw.taint()}
		switch {
		case !ok:
		case flagged(args, "a"):
			v = words
		case len(names) > 1 && i < len(words):
			v = words[i : i+1]
		default:
			v = []string{strings.Join(words, " ")}
		}
		s.scope.set(n, v)
	}
}
