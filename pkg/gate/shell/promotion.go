package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepsake/pkg/gate/rules"
)

// promote judges a call of Keepsake that would keep something for good. A person can only be asked
// about one plain command, whose words are all known: the gate puts one of its own in its place.
func (s *shell) promote(f []string) {
	for _, a := range f[1:] {
		if a == "--" {
			break
		}
		if name, _, _ := strings.Cut(a, "="); name == "--approval" {
			s.addFinding(rules.RuleApproval, "keepsake --approval")
			return
		}
	}
	s.addFinding(rules.RulePromote, commandText(f))
	if j := s.judge; j.found != nil && j.found.rule == rules.RulePromote && j.promoted == nil {
		j.promoted = f
	}
}

// isDryRun reports whether arguments have --dry-run and nothing that takes it back.
func isDryRun(args []string) bool {
	only := false
	for _, a := range args {
		switch {
		case a == "--":
			return only
		case a == "--dry-run":
			only = true
		case strings.Contains(a, "dry-run"):
			return false
		}
	}
	return only
}

// promotion turns a promotion's verdict into one about what it would write. What can't be told
// beforehand is denied, since there is nothing to show to a person.
func (j *judge) promotion(v rules.Verdict) rules.Verdict {
	deny := func(what, hint string) rules.Verdict {
		v.Decision, v.Person = rules.Deny, false
		v.Reason = rules.Line(rules.RulePromote.Rule().Says+": "+commandText(j.promoted)) +
			"\nNothing was stored: " + rules.Line(what) + "\n" + hint
		return v
	}
	if !j.isLoneCommand() {
		return deny("a person is asked about one plain command only.",
			"hint: run it as one command of its own: no cd, pipe, variable or script, its text in quotes")
	}
	if j.call.Promotion == nil {
		return deny("what it would write is not known here.",
			"hint: the person can run it themselves in a terminal")
	}
	p, err := j.call.Promotion(j.promoted[1:])
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return deny(first, "hint: say what is wrong; keepsake promote --help says what it takes")
	}
	v.Promotion = &p
	v.Reason = p.Reason(v.Decision)
	return v
}

// isLoneCommand reports whether the call is one plain command of Keepsake, with nothing before,
// behind or around it and every word known.
func (j *judge) isLoneCommand() bool {
	command, ok := j.one("command")
	if !ok || j.call.Tool != "Bash" || holed(j.promoted) {
		return false
	}
	st, words := loneCommand(command)
	if len(words) != len(j.promoted) || len(st.Redirs) > 0 || path.Base(j.promoted[0]) != "keepsake" {
		return false
	}
	for i, w := range words {
		if t, plain := wordText(w); !plain || i == 0 && !strings.Contains(t, "keepsake") {
			return false
		}
	}
	return true
}

// loneCommand returns the statement of a text and the words of its command, if it is one plain command with
// nothing before, behind or around it but redirections.
func loneCommand(text string) (*syntax.Stmt, []*syntax.Word) {
	f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil || len(f.Stmts) != 1 || len(f.Last) > 0 {
		return nil, nil
	}
	st := f.Stmts[0]
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || st.Negated || st.Background || st.Coprocess || st.Disown || len(st.Comments) > 0 ||
		len(c.Assigns) > 0 {
		return nil, nil
	}
	return st, c.Args
}

// wordText returns the literal text of a word, its quotes gone. plain reports whether no part of it is for
// the shell to find out.
func wordText(w *syntax.Word) (text string, plain bool) {
	var b strings.Builder
	plain = true
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			b.WriteString(n.Value)
		case *syntax.SglQuoted:
			b.WriteString(n.Value)
		case nil, *syntax.Word, *syntax.DblQuoted:
		default:
			plain = false
		}
		return true
	})
	return b.String(), plain
}
