package shell

import (
	"path"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// The rule of last resort: a call that puts a command which writes a palace somewhere, and runs something
// that cannot be worked out, may run that command. So it asks. A text in a document is not put there to be
// run. [mayWritePalace] is the default for every text that may be run: it asks because of any command in any
// line, whatever stands around it.

// A writing is a text that this call puts into a file, or hands to a program.
type writing struct {
	name string // the file, as far as it is known
	text string
	dark bool // the text is not known, and what made it named a palace
}

// maxWrote is how many texts are kept that name no palace, and maxKept how many bytes are kept or read again.
// Past that the call is undecided.
const (
	maxWrote = 1024
	maxKept  = 4 << 20
)

// darkText stands for a text that is not known and names a palace, in whatever language it is.
const darkText = "mempalace ${__unknown} # import mempalace; exec()\n"

// keep remembers what this call puts into a file.
func (s *shell) keep(name, text string, dark bool) {
	p := s.fileOf(name)
	device := strings.HasPrefix(p, "/dev/") && !strings.HasPrefix(p, descriptors)
	if s.kept += len(text); p == "." || device || text == "" && !dark || s.kept > maxKept {
		return
	}
	if !dark && !hasHole(p) {
		if s.files == nil {
			s.files = make(map[string]*strings.Builder)
		}
		if s.files[p] == nil {
			s.files[p] = new(strings.Builder)
		}
		s.files[p].WriteString(text) // an overwritten text is kept, as either may be run
	}
	if len(s.wrote) < maxWrote || palace.IsNamed(text) {
		s.wrote = append(s.wrote, writing{p, text, dark})
	}
}

// descriptors is where a process finds its own descriptors. The variables that it gets are kept there too,
// with a "=" before their names.
const descriptors = "/dev/fd/"

// fileOf returns the path of a file, and its one name where it is a descriptor.
func (s *shell) fileOf(name string) string {
	p := path.Clean(s.absolute(name, s.cwd))
	if n, ok := strings.CutPrefix(p, "/proc/self/fd/"); ok {
		p = descriptors + n
	}
	if to, ok := s.opened[p]; ok {
		return to
	}
	return p
}

// someText returns what this call put into files that may be the one that p names. If p is run, a text
// that is not known counts.
func (s *shell) someText(p string, run bool) (string, bool) {
	var b strings.Builder
	found := false
	for _, w := range s.wrote {
		if !mayBe(w.name, p) || w.dark && !run {
			continue
		}
		if found = true; w.dark {
			w.text = darkText
		}
		if s.kept += len(w.text); s.kept > maxKept {
			break
		}
		b.WriteString(w.text + "\n")
	}
	return b.String(), found
}

// mayBe reports whether a file that was written may be the one that is named, as far as their paths are
// known.
func mayBe(written, named string) bool {
	if !hasHole(written) || !hasHole(named) {
		return written == named
	}
	a := written[strings.LastIndexAny(written, quotedHole+bareHole)+1:]
	b := named[strings.LastIndexAny(named, quotedHole+bareHole)+1:]
	return strings.HasSuffix(a, b) || a != "" && strings.HasSuffix(b, a)
}

// blindly notes that f runs something that cannot be worked out.
func (s *shell) blindly(f []string) {
	if s.blind == nil {
		s.blind = f
	}
}

// lastResort asks about a call that ran something unknown, and put a command which writes a palace where it
// may have run it.
func (s *shell) lastResort() {
	f := s.blind
	if f == nil {
		f = s.tests
	}
	if f == nil || s.stopped() {
		return
	}
	for _, w := range s.wrote {
		if w.dark || isDocument(w.name) || !mayWritePalace(w.text) {
			continue
		}
		if _, writes := starts(w.text); writes || s.blind != nil && !isTest(w.name) {
			s.addFinding(rules.RuleUndecided, commandText(f))
			return
		}
	}
}

// isTest reports whether a file is a test, by its name.
func isTest(p string) bool {
	base := strings.ToLower(path.Base(p))
	return strings.HasPrefix(base, "test_") || containsAny(base, "_test.", ".test.", ".spec.")
}

// isDocument reports whether a file is a document or the data of a test, by its name.
func isDocument(p string) bool {
	base := strings.ToLower(path.Base(p))
	return strings.Contains(p, "/testdata/") || base != "cmakelists.txt" &&
		listed(path.Ext(base), ".md .mdx .markdown .txt .rst .adoc .html .css .csv .log .golden")
}

// mayWritePalace reports whether a text of any language has a command or code that writes a palace.
func mayWritePalace(text string) bool {
	if !palace.IsNamed(text) && !palace.IsEncoded(text) && zoneIn(text)&inPalace == 0 {
		return false
	}
	if len(text) > maxCode || palace.IsUsed(text) || palace.IsEncoded(text) ||
		zoneIn(text)&inPalace != 0 && capable(text) {
		return true
	}
	for l := range strings.Lines(strings.ReplaceAll(text, `\n`, "\n")) {
		if l = strings.TrimLeft(strings.TrimSpace(l), "+@"); !palace.IsNamed(l) ||
			l[0] == '#' || strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "//go:generate") {
			continue
		}
		if palaceWrite(wordsOf(l)) >= 0 {
			return true
		}
	}
	return false
}

// carried asks about a command that is told to run another one by an option of its own, which writes a
// palace.
func (s *shell) carried(p *row, f []string) {
	if p.runs == "" || !s.look(f).palace {
		return
	}
	for i, a := range f[1:] {
		option, value, joined := strings.Cut(a, "=")
		if len(a) > 2 && a[1] != '-' && listed(a[:2], p.runs) {
			option, value = a[:2], a[2:]
		} else if !joined {
			value = strings.Join(f[i+2:min(i+3, len(f))], "")
		}
		if listed(option, p.runs) && strings.ContainsAny(value, " =(!") && mayWritePalace(value) {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	}
}
