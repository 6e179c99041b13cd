package shell

import (
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
)

// askEffect asks about a command that reorganises memories, with what it would do. Where nobody can be asked,
// one that deletes nothing is left to the client, whose rules may allow it.
func (s *shell) askEffect(c ownCall, f []string) {
	if s.call.Effect == nil || s.stopped() || s.answer(rules.RuleReorganise) == rules.Pass {
		return
	}
	unknown := s.cwd == "" || slices.ContainsFunc(f[1:], hasHole)
	var e rules.Effect
	if !unknown {
		var err error
		e, err = s.call.Effect(s.cwd, previewArgs(c, f[1:]))
		unknown = err != nil
	}
	says := "what it would do could not be counted"
	switch {
	case !unknown && e.Says == "", !s.call.Dialog && e.Deletes == 0:
		return
	case !unknown:
		says = e.Says
	}
	s.addFinding(rules.RuleReorganise, commandText(f), says)
}

// previewArgs returns the arguments with which a command of that verb changes nothing and prints JSON.
func previewArgs(c ownCall, f []string) (args []string) {
	flags := []string{"--json"}
	if c.verb.With == "" { // else it writes nothing without that flag
		flags = append(flags, "--dry-run")
	}
	for i, a := range f {
		switch {
		case a == "--":
			return append(append(args, flags...), f[i:]...)
		case a == "--json", a == "--diff", c.verb.With != "" && strings.HasPrefix(a, "--w"):
			continue
		case strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--"):
			if a = "-" + strings.Trim(a, "-wd"); a == "-" {
				continue
			}
		}
		args = append(args, a)
	}
	return append(args, flags...)
}
