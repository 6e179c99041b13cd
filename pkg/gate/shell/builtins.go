package shell

import "strings"

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
	words := strings.Fields(t)
	var names []string
	for _, a := range args {
		if a != "" && a[0] != '-' {
			names = append(names, a)
		}
	}
	for i, n := range names {
		v := quotedHole + in.saw.taint()
		if ok {
			v = strings.Join(words, " ")
			if len(names) > 1 && i < len(words) {
				v = words[i]
			}
		}
		s.scope.set(n, []string{v})
	}
}
