package shell

import (
	"strings"

	"keepsake/pkg/gate/rules"
)

// typed returns the text that a program of unknown options reads from its standard
// input.
func (s *shell) typed(in source) (string, bool) {
	if in.hdoc != nil && in.hdoc.Hdoc != nil && !verbatim(in.hdoc.Word) {
		return s.hereFold(in.hdoc.Hdoc), true
	}
	return s.read(in)
}

// handed judges a text that another program hands to a shell.
func (s *shell) handed(text string) {
	if hasHole(text) {
		if s.look([]string{text}).palace && !strings.ContainsAny(withoutHoles(text), " ") {
			s.find(rules.RuleUndecided, show(text))
			return
		}
	}
	c := s.sub()
	c.depth++
	c.script(filled(text))
}

// code judges text that is run as shell commands by f.
func (s *shell) code(text string, f []string) {
	text = s.spelled(text)
	if hasHole(text) {
		if g := s.look(append([]string{text}, f...)); g.palace || g.zones&inPalace != 0 {
			// What is known of it may still be a plain read with an unknown word.
			s.handed(text)
			if !s.stopped() && undecidable(text) {
				s.find(rules.RuleUndecided, line(f))
			}
			return
		}
	}
	c := s.sub()
	c.depth++
	c.script(filled(text))
}

// spelled returns the text of a word that is only what cat prints of a file, as in
// sh -c "$(cat name)", or else the word itself.
func (s *shell) spelled(word string) string {
	if mark := strings.ReplaceAll(word, bareHole, quotedHole); strings.HasPrefix(mark, procMark) {
		if text, ok := s.scriptText(mark); ok {
			return text
		}
	}
	return word
}

// undecidable reports whether a hole in text may be a command of its own: it stands
// where a command begins.
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
