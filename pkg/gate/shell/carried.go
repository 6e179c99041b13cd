package shell

import "strings"

// carried judges the commands that a program is told to run by one of its own
// options, beside what it does itself.
func (s *shell) carried(name string, p *row, f []string) {
	if p.runs == "" {
		return
	}
	for i := 1; i < len(f); i++ {
		a := f[i]
		next := ""
		if i+1 < len(f) {
			next = f[i+1]
		}
		option, value, joined := strings.Cut(a, "=")
		switch {
		case !namesPalace(a) && !namesPalace(next):
		case listed(a, p.runs):
			s.commandOption(next)
		case listed(option, p.runs) && joined:
			s.commandOption(value)
		case len(a) > 2 && a[1] != '-' && listed(a[:2], p.runs):
			s.commandOption(a[2:])
		case name == "less" && (strings.HasPrefix(a, "+!") || strings.HasPrefix(a, "+|")):
			s.commandOption(a[2:])
		}
	}
}

// commandOption judges the value of such an option. Some have a word before the command:
// ProxyCommand=…, enter:execute(…), a "!" for a shell.
func (s *shell) commandOption(value string) {
	if !strings.ContainsAny(value, " \t\n$") { // a lone word is a name, or MemPalace's help
		return
	}
	s.judgeHanded(value)
	if i := strings.IndexAny(value, "=(:!"); i >= 0 && !s.stopped() {
		s.commandOption(strings.TrimRight(value[i+1:], ") "))
	}
}
