package shell

import (
	"strings"

	"keepsake/pkg/gate/rules"
)

// standardInputText returns the text that a program of unknown options reads from its standard
// input.
func (s *shell) standardInputText(in source) (string, bool) {
	if in.hdoc != nil && in.hdoc.Hdoc != nil && !verbatim(in.hdoc.Word) {
		return s.hereFold(in.hdoc.Hdoc), true
	}
	return s.read(in)
}

// judgeHanded judges a text that another program hands to a shell.
func (s *shell) judgeHanded(text string) {
	if hasHole(text) {
		if s.look([]string{text}).palace && !strings.ContainsAny(withoutHoles(text), " ") {
			s.addFinding(rules.RuleUndecided, show(text))
			return
		}
	}
	c := s.sub()
	c.depth++
	c.script(filled(text))
}

// judgeCode judges text that f runs as shell commands.
func (s *shell) judgeCode(text string, f []string) {
	text = s.printedWord(text)
	if hasHole(text) {
		if undecidable(text) {
			s.blindly(f)
		}
		if g := s.look(append([]string{text}, f...)); g.palace || g.zones&inPalace != 0 {
			// What is known of it may still be a plain read with an unknown word.
			s.judgeHanded(text)
			if !s.stopped() && undecidable(text) {
				s.addFinding(rules.RuleUndecided, commandText(f))
			}
			return
		}
	}
	c := s.sub()
	c.depth++
	c.script(filled(text))
}

// printedWord returns the text of the file where a word is only what cat prints of it, as in sh -c
// "$(cat name)". Otherwise it returns the word itself.
func (s *shell) printedWord(word string) string {
	if mark := strings.ReplaceAll(word, bareHole, quotedHole); strings.HasPrefix(mark, procMark) {
		if text, ok := s.scriptText(mark); ok {
			return text
		}
	}
	return word
}

// undecidable reports whether a hole in text may be a command of its own, since it stands where a
// command begins.
func undecidable(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != quotedHole[0] && text[i] != bareHole[0] {
			continue
		}
		before := strings.TrimRight(text[:i], " \t")
		if before == "" || strings.IndexByte(";|&(\n{`", before[len(before)-1]) >= 0 {
			return true
		}
	}
	return false
}
