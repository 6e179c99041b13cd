package shell

import "keepsake/pkg/gate/rules"

// scheduled judges a table of jobs, or a job, that a command hands over.
func (s *shell) scheduled(name string, f []string, in source) {
	text, ok := s.read(in)
	ops := operands(f[1:])
	if name != "crontab" {
		for _, name := range valuesOf(f, "-f") {
			text, ok = s.scriptText(name)
		}
		if ok {
			s.judgeCode(text, f)
		}
	} else {
		if len(ops) > 0 && ops[len(ops)-1] != "-" {
			text, ok = s.scriptText(ops[len(ops)-1])
		}
		for _, c := range commands(tables, text) {
			s.judgeHanded(c)
		}
	}
	if !ok && in.saw.palace {
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
}
