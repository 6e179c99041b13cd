package shell

import (
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/verbs"
	"keepsake/pkg/why/palace"
)

// askEffect asks about a command that reorganises memories, with what it would do. Where nobody can be asked,
// one that takes nothing away is left to the client, whose rules may allow it. What can't be counted may take
// something away, and so may what is counted before another command changes the files.
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
	early := !s.firstToWrite(!unknown && e.Says == "")
	details := []string{"what it would do could not be counted"}
	switch {
	case !unknown && !early && (e.Says == "" || !s.call.Dialog && e.Deletes == 0):
		return
	case !unknown && e.Says == "":
		details[0] = "it would do nothing as it is now"
	case !unknown:
		details[0] = e.Says
	}
	if early && !unknown {
		details = append(details, "This was counted before the rest of the command has run.")
	}
	if had := s.found; had != nil && had.rule == rules.RuleReorganise { // one answer is for both
		had.details = append(had.details, "and "+commandText(f)+": "+details[0])
	}
	s.addFinding(rules.RuleReorganise, commandText(f), details...)
}

// firstToWrite reports whether all that the call runs before its last command so far is known to only read.
// What would do nothing does so each time that it is run, and in any shell.
func (s *shell) firstToWrite(idle bool) bool {
	if !idle && (s.adrift > 0 || s.depth > 0) {
		return false
	}
	command := s.args.Get("command").Str
	for _, quiet := range [...]string{"2>&1", ">/dev/null", "> /dev/null"} {
		command = strings.ReplaceAll(command, quiet, "")
	}
	isGap := func(r rune) bool { return strings.ContainsRune(" \n;", r) }
	for w := range strings.FieldsFuncSeq(command, isGap) {
		if !idle && listed(w, "for while until select function") {
			return false
		}
	}
	before, last := s.commands, []string(nil)
	if n := len(before) - 1; n >= 0 {
		before, last = before[:n], bare(before[n])
	}
	return !strings.Contains(command, ">") && !slices.ContainsFunc(before,
		func(f []string) bool {
			if idle && slices.Equal(bare(f), last) { // in a function, where it is made and where it is called
				return false
			}
			if own := (ownCall{verbs.Read(f[1:])}); program(f[0]) == "keepsake" && own.Verb != nil {
				return own.writes() && !own.looks() && !palace.Helps(own.Args) && own.Verb.Writes != ""
			}
			if _, function := s.functions[f[0]]; idle && (function || interpreter(program(f[0]))) {
				return false // what it runs is among the commands, too
			}
			return !listed(f[0], "cd pwd ls echo printf cat head tail wc grep rg diff cmp stat test [ true "+
				"false : sleep date export set")
		})
}

// previewArgs returns the arguments with which a command of that verb changes nothing and prints JSON.
func previewArgs(c ownCall, f []string) (args []string) {
	flags := []string{"--json"}
	if c.Verb.With == "" { // else it writes nothing without that flag
		flags = append(flags, "--dry-run")
	}
	for i, a := range f {
		switch {
		case a == "--":
			return append(append(args, flags...), f[i:]...)
		case a == "--json", a == "--diff", c.Verb.With != "" && strings.HasPrefix(a, "--w"):
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
