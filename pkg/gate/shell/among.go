package shell

import (
	"strings"

	"keepsake/pkg/gate/rules"
)

// judgeAmong judges the arguments of a program that runs a command somewhere among them. Any word
// that begins a command we know is taken as one.
func (s *shell) judgeAmong(args []string, in source) {
	s.mentions(args)
	for i, a := range args {
		if s.stopped() || i > 64 {
			return
		}
		if strings.ContainsAny(a, " \t\n") {
			s.judgeHanded(a)
			continue
		}
		if program(a) == "keepsake" {
			s.keepsake(args[i:])
		}
		if interpreter(program(a)) {
			c := s.sub()
			c.depth++
			if c.depth <= maxNested {
				c.command(args[i:], in)
			}
			return
		}
	}
}

// mentions looks for MemPalace's program among the arguments of another one. Only a sub-command
// that is known to write counts, since a mere name is a mention.
func (s *shell) mentions(args []string) {
	for i, a := range args {
		if len(a) < 6 {
			if a == "-m" && i+1 < len(args) {
				if u, ok := palaceModule(args[i+1], tail(args, i+2)); ok && u == useWrite {
					s.addFinding(rules.RulePalaceCommand, commandText(args[i:]))
				}
			}
			continue
		}
		if palaceProgram(a) && palaceUse(program(a), args[i+1:]) == useWrite {
			s.addFinding(rules.RulePalaceCommand, commandText(args[i:]))
			return
		}
	}
}

// interpreter reports whether a program's arguments are commands or code, so that they are worth
// finding behind a wrapper we do not know.
func interpreter(p string) bool {
	switch p {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "env", "sudo", "xargs", "eval", "uvx", "pipx",
		"timeout", "nohup":
		return true
	}
	return strings.HasPrefix(p, "python")
}
