package shell

import (
	"path"
	"strings"
)

// preloads judges the files of the modules that options make an interpreter or a test runner load before
// its program.
func (s *shell) preloads(p *row, f []string) {
	name := program(f[0])
	for i := 1; i < len(f); i++ {
		option, value, joined := strings.Cut(f[i], "=")
		switch {
		case name == "ruby" && strings.HasPrefix(f[i], "-r") && len(f[i]) > 2:
			option, value, joined = "-r", f[i][2:], true
		case p.kind == kindTests && strings.HasPrefix(f[i], "-p") && len(f[i]) > 2:
			option, value, joined = "-p", f[i][2:], true
		}
		if !joined && i+1 < len(f) {
			value = f[i+1]
		}
		if !listed(option, p.loads) {
			continue
		}
		if p.loads == "-p" {
			s.module(value, nil, f, source{})
			continue
		}
		for _, ending := range [...]string{"", ".js", ".cjs", ".mjs", ".rb"} {
			if text, ok := s.scriptText(value + ending); ok {
				s.program(text, f)
			}
		}
	}
}

// environment judges the files that a variable in front of a command makes the command read or load.
func (s *shell) environment(name, value string) {
	switch name {
	case "BASH_ENV", "ENV": // a shell reads it first
		s.file([]string{value}, source{})
	case "GIT_WORK_TREE", "GIT_DIR", "GIT_OBJECT_DIRECTORY":
		s.findWrite(s.zoneOf(value, s.cwd)|s.takesTranscripts(value, s.cwd), []string{name + "=" + value})
	case "PYTEST_PLUGINS":
		for m := range strings.SplitSeq(value, ",") {
			s.module(m, nil, []string{"pytest", "-p", m}, source{})
		}
	case "PYTEST_ADDOPTS":
		s.preloads(programNamed("pytest"), append([]string{"pytest"}, strings.Fields(value)...))
	case "PYTHONSTARTUP":
		if text, ok := s.scriptText(value); ok {
			s.program(text, []string{"python", value})
		}
	case "NODE_OPTIONS":
		s.preloads(programNamed("node"), append([]string{"node"}, strings.Fields(value)...))
	case "RUBYOPT":
		s.preloads(programNamed("ruby"), append([]string{"ruby"}, strings.Fields(value)...))
	}
}

// foundFile returns the one file that a find can only mean: the place it starts at, or
// there the name it looks for; "" when that is not one that can be read.
func (s *shell) foundFile(start, tests []string) string {
	if len(start) == 0 {
		return ""
	}
	at := start[0]
	for i, t := range tests {
		if (t == "-name" || t == "-path" || t == "-wholename") && i+1 < len(tests) {
			if t == "-name" {
				at = path.Join(at, tests[i+1])
			} else {
				at = tests[i+1]
			}
			break
		}
	}
	if _, ok := s.scriptText(at); !ok {
		return ""
	}
	return at
}

// thisMachine reports whether a host's name, with a user before it or not, is that of the
// machine itself.
func thisMachine(host string) bool {
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return listed(host, "localhost localhost.localdomain ip6-localhost ::1 0.0.0.0") ||
		strings.HasPrefix(host, "127.")
}

// loginHere judges what ssh runs on this very machine: in the home directory, with the files that
// are here. It returns false where it judged nothing.
func (s *shell) loginHere(f []string, in source) bool {
	i := skip(f, "BbcDEeFIiJLlmOopQRSWw", "")
	words := tail(f, i+1)
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if i >= len(f) || !thisMachine(f[i]) {
		// the shell there takes the quotes off once more
		if text := strings.Join(words, " "); namesPalace(text) {
			s.judgeHanded(text)
		}
		return false
	}
	c := s.sub()
	if c.depth++; c.depth > maxNested {
		return false
	}
	c.adrift++ // its parents are no client's
	here := s.cwd
	c.cwd = s.call.Home
	if len(words) > 0 {
		c.judgeCode(strings.Join(words, " "), f)
		c.cwd = here
		if name := program(words[0]); in.file != "" && listed(name, "sh bash zsh dash ksh python python3") ||
			strings.HasPrefix(words[0], "bash -") || strings.HasPrefix(words[0], "sh -") {
			c.file([]string{in.file}, in)
		}
		return true
	}
	c.cwd = here
	if in.file != "" {
		c.file([]string{in.file}, in)
	}
	return true
}
