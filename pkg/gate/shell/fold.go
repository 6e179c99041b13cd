package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"keepsake/pkg/why/palace"
)

// A hole stands in a folded word for text that only the shell will know. A bareHole, from an unquoted
// expansion, may become any number of words. No shell word can hold these bytes.
const (
	quotedHole = palace.Hole
	bareHole   = palace.Holes
)

// maxText bounds a folded word, in bytes, and maxFields the words that one word
// becomes; past either it is a hole. maxFolded bounds all that expansions add in
// one call: past it nothing more is folded and the call is undecided. Braces are
// expanded in words of at most maxBraced parts.
const (
	maxBraced = 32
	maxText   = 64 << 10
	maxFields = 256
	maxFolded = 4 << 20
)

func hasHole(s string) bool {
	return strings.IndexByte(s, quotedHole[0]) >= 0 || strings.IndexByte(s, bareHole[0]) >= 0
}

// What holes become: a replacer is built at its first use, and that costs more than a short text.
var (
	holesGone    = strings.NewReplacer(quotedHole, "", bareHole, "")
	holesShown   = strings.NewReplacer(quotedHole, "…", bareHole, "…")
	holesUnknown = strings.NewReplacer(quotedHole, "${__unknown}", bareHole, "${__unknown}")
)

func withoutHoles(s string) string {
	if !hasHole(s) {
		return s
	}
	return holesGone.Replace(s)
}

// fields folds a word the way a shell expands it: quotes and escapes removed, braces, known variables
// and constant substitutions filled in, the result split where an unquoted expansion splits.
func (s *shell) fields(w *syntax.Word) []string {
	if lit, ok := asItStands(w); ok {
		return []string{lit}
	}
	split := &syntax.Word{Parts: w.Parts[:len(w.Parts):len(w.Parts)]}
	if syntax.SplitBraces(split) { // of a copy: Walk knows no split words
		all := s.braces(split)
		if len(all) > maxFields || len(split.Parts) > maxBraced {
			s.inner(w) // what the words left out substitute
		}
		return all
	}
	f := folder{s: s, split: true}
	for _, p := range w.Parts {
		f.part(p, false)
	}
	return f.done()
}

// asItStands returns a word that a shell takes as it stands.
func asItStands(w *syntax.Word) (string, bool) {
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(lit.Value, "\\~{") {
			return lit.Value, true
		}
	}
	return "", false
}

// text folds a word into one string, as an assignment or a here-document does.
func (s *shell) text(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	if lit, ok := asItStands(w); ok && len(lit) <= maxText {
		return lit
	}
	f := folder{s: s}
	for _, p := range w.Parts {
		f.part(p, false)
	}
	return strings.Join(f.done(), " ")
}

// braces expands {a,b}, and leaves a hole where there would be too many words.
func (s *shell) braces(w *syntax.Word) (all []string) {
	for i, p := range w.Parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok || len(w.Parts) > maxBraced {
			continue
		}
		elems := b.Elems
		if b.Sequence {
			elems = []*syntax.Word{{Parts: []syntax.WordPart{&syntax.Lit{Value: bareHole}}}}
		}
		for _, e := range elems {
			if len(all) > maxFields {
				return append(all, bareHole)
			}
			parts := slices.Concat(w.Parts[:i], e.Parts, w.Parts[i+1:])
			all = append(all, s.braces(&syntax.Word{Parts: parts})...)
		}
		return all
	}
	f := folder{s: s, split: true}
	for _, p := range w.Parts {
		f.part(p, false)
	}
	return f.done()
}

// A folder collects the fields of one word.
type folder struct {
	s     *shell
	split bool // unquoted expansions split into fields
	out   []string
	cur   []byte
	open  bool // cur is a field, even when it is empty
}

func (f *folder) put(t string) {
	if len(f.cur)+len(t) > maxText {
		keep := max(0, maxText-len(f.cur))
		t = t[:min(keep, len(t))] + bareHole
		if len(f.cur) > maxText {
			return
		}
	}
	f.cur = append(f.cur, t...)
	f.open = true
}

func (f *folder) cut() {
	if f.open && len(f.out) <= maxFields {
		f.out = append(f.out, string(f.cur))
	}
	f.cur, f.open = f.cur[:0], false
}

func (f *folder) done() []string {
	f.cut()
	return f.out
}

// expansion puts the value of an expansion, which splits when it is bare.
func (f *folder) expansion(v string, quoted bool) {
	if f.s.folded += len(v); f.s.folded > maxFolded {
		f.put(bareHole)
		return
	}
	space := " \t\n"
	if ifs, ok := f.s.scope.get("IFS"); ok && len(ifs) == 1 && !hasHole(ifs[0]) {
		space = ifs[0]
	}
	if quoted || !f.split || !strings.ContainsAny(v, space) {
		if quoted || v != "" {
			f.put(v)
		}
		return
	}
	words := strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(space, r) })
	if strings.IndexByte(space, v[0]) >= 0 {
		f.cut()
	}
	for i, w := range words {
		if i > 0 {
			f.cut()
		}
		f.put(w)
	}
	if strings.IndexByte(space, v[len(v)-1]) >= 0 {
		f.cut()
	}
}

func (f *folder) part(p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		if quoted {
			f.put(unescape(p.Value, true))
			return
		}
		v := p.Value
		if !f.open && strings.HasPrefix(v, "~") && (len(v) == 1 || v[1] == '/') && f.s.call.Home != "" {
			f.put(f.s.call.Home)
			v = v[1:]
		}
		f.put(unescape(v, false))
	case *syntax.SglQuoted:
		if p.Dollar {
			f.put(ansiC(p.Value))
		} else {
			f.put(p.Value)
		}
	case *syntax.DblQuoted:
		if len(p.Parts) == 1 && f.list(p.Parts[0], true) {
			return
		}
		f.put("")
		for _, q := range p.Parts {
			f.part(q, true)
		}
	case *syntax.ParamExp:
		if !quoted && f.list(p, false) {
			return
		}
		v := f.s.param(p)
		if !quoted {
			v = strings.ReplaceAll(v, quotedHole, bareHole)
		}
		f.expansion(v, quoted)
	case *syntax.CmdSubst:
		v := f.s.substitution(p)
		if !quoted {
			v = strings.ReplaceAll(v, quotedHole, bareHole)
		}
		f.expansion(v, quoted)
	case *syntax.ProcSubst:
		f.put(f.s.process(p))
	case *syntax.ArithmExp:
		f.s.inner(p)
		f.put(quotedHole)
	case *syntax.BraceExp: // too many of them
		f.put(bareHole)
	case *syntax.ExtGlob:
		f.put(bareHole)
		f.put(p.Pattern.Value)
	}
}

// list puts "$@", "${a[@]}" and their like as fields of their own. In quotes
// each item stays one field; bare ones split further.
func (f *folder) list(part syntax.WordPart, quoted bool) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Excl || p.Length || p.Slice != nil || p.Repl != nil || p.Exp != nil {
		return false
	}
	var items []string
	switch name := p.Param.Value; {
	case name == "@" || name == "*":
		if !f.s.paramsKnown {
			return false
		}
		items = f.s.params
	default:
		w, ok := p.Index.(*syntax.Word)
		if !ok {
			return false
		}
		if at := w.Lit(); at != "@" && at != "*" {
			return false
		}
		items, ok = f.s.scope.get(name)
		if !ok {
			return false
		}
	}
	for i, it := range items {
		if i > 0 {
			f.cut()
		}
		f.expansion(it, quoted)
	}
	return true
}

// param returns the value of a parameter expansion. If the value is not known, it returns a hole with
// what the variable names.
func (s *shell) param(p *syntax.ParamExp) string {
	s.inner(p)
	if p.Param == nil {
		return quotedHole
	}
	v, set := s.variable(p.Param.Value)
	if p.Excl && set && p.Names == 0 {
		v, set = s.variable(v)
	}
	unknown := func() string { return quotedHole + s.taint(v) }
	if p.Length || p.Width || p.IsSet || p.Names != 0 || p.NestedParam != nil || p.Flags != nil ||
		len(p.Modifiers) > 0 {
		return unknown()
	}
	if w, ok := p.Index.(*syntax.Word); ok {
		items, _ := s.scope.get(p.Param.Value)
		n, err := strconv.Atoi(w.Lit())
		switch {
		case w.Lit() == "@" || w.Lit() == "*":
			v = strings.Join(items, " ")
		case err == nil && n >= 0 && n < len(items):
			v = items[n]
		default:
			v = strings.Join(items, " ")
			return unknown()
		}
	} else if p.Index != nil {
		return unknown()
	}
	switch {
	case p.Slice != nil:
		from, ok1 := constant(p.Slice.Offset)
		n, ok2 := constant(p.Slice.Length)
		if p.Slice.Length == nil {
			n, ok2 = len(v), true
		}
		if !set || hasHole(v) || !ok1 || !ok2 || from < 0 || n < 0 {
			return unknown()
		}
		from = min(from, len(v))
		return v[from:min(from+n, len(v))]
	case p.Repl != nil:
		orig, with := s.text(p.Repl.Orig), s.text(p.Repl.With)
		if !set || hasHole(v+orig+with) || orig == "" || strings.ContainsAny(orig, "*?[#%") {
			return quotedHole + s.taint(v+orig+with)
		}
		if p.Repl.All {
			if len(v)+strings.Count(v, orig)*len(with) > maxText {
				return unknown()
			}
			return strings.ReplaceAll(v, orig, with)
		}
		return strings.Replace(v, orig, with, 1)
	case p.Exp != nil:
		if v := s.expand(p.Exp, v, set); set || p.Exp.Op != syntax.AssignUnset &&
			p.Exp.Op != syntax.AssignUnsetOrNull {
			return v
		}
		v = s.text(p.Exp.Word)
		s.scope.set(p.Param.Value, []string{v})
		return v
	}
	if !set || v == "" && strings.HasPrefix(p.Param.Value, "XDG_") {
		return quotedHole + unset(p.Param.Value)
	}
	return v
}

// unset returns what the name of an unset variable shows about its value: a path in a palace, the word
// mempalace, or "".
func unset(name string) string {
	switch {
	case name == "MEMPALACE_PALACE_PATH" || name == "MEMPAL_PALACE_PATH":
		return "/.mempalace/" + quotedHole
	case strings.HasPrefix(name, "MEMPALACE_"):
		return "mempalace" + quotedHole
	case name == "XDG_CONFIG_HOME":
		return "/.config"
	}
	return ""
}

// expand applies the operator of ${name<op>word}.
func (s *shell) expand(e *syntax.Expansion, v string, set bool) string {
	w := s.text(e.Word)
	known := set && !hasHole(v)
	switch e.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if set && v != "" {
			return v
		}
		if set {
			return w
		}
		// The variable may come from the environment; the default is as likely.
		if interesting(w) {
			return w
		}
		return quotedHole
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return w
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if set {
			return v
		}
		return quotedHole
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		if known {
			return strings.ToLower(v) // names and paths are compared in lower case
		}
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		if !known || hasHole(w) || strings.ContainsAny(w, "*?[") {
			break
		}
		if e.Op == syntax.RemSmallPrefix || e.Op == syntax.RemLargePrefix {
			return strings.TrimPrefix(v, w)
		}
		return strings.TrimSuffix(v, w)
	}
	return quotedHole + s.taint(v)
}

func constant(x syntax.ArithmExpr) (int, bool) {
	w, ok := x.(*syntax.Word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(w.Lit())
	return n, err == nil
}

// interesting reports whether a value must not get lost because it names a palace or a zone.
func interesting(v string) bool {
	return palace.IsNamed(v) || zoneNamed(v) != 0
}

// spokenHole stands for a value that is made of the name of a transcript.
const spokenHole = "/.claude/projects/" + quotedHole + "/" + quotedHole + ".jsonl"

// taint returns the text to put beside a hole, so that the palace or zone that a lost value named is not
// forgotten; "" if it named none.
func (s *shell) taint(v string) string {
	g := sight{palace.IsNamed(v), zoneNamed(v)}
	return g.taint()
}

// unescape removes the backslashes of unquoted text or, with quoted, those that mean something in double
// quotes.
func unescape(v string, quoted bool) string {
	if strings.IndexByte(v, '\\') < 0 {
		return v
	}
	b := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && i+1 < len(v) && (!quoted || strings.IndexByte("\n$`\"\\", v[i+1]) >= 0) {
			if i++; v[i] == '\n' {
				continue
			}
		}
		b = append(b, v[i])
	}
	return string(b)
}

// ansiC decodes the escapes of $'…', echo -e and printf.
func ansiC(v string) string {
	if strings.IndexByte(v, '\\') < 0 {
		return v
	}
	var b []byte
	for len(v) > 1 {
		if v[0] != '\\' {
			b, v = append(b, v[0]), v[1:]
			continue
		}
		c := v[1]
		if i := strings.IndexByte(`abeEfnrtv\'"?`, c); i >= 0 {
			b, v = append(b, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[i]), v[2:]
			continue
		}
		from, base, digits := 1, 8, "01234567" // \NNN or \0NNN
		most := map[byte]int{'x': 2, 'u': 4, 'U': 8, '0': 4}[c]
		switch {
		case most == 0:
			most = 3
		case c != '0':
			from, base, digits = 2, 16, "0123456789abcdefABCDEF"
		}
		end := from
		for end < min(len(v), from+most) && strings.IndexByte(digits, v[end]) >= 0 {
			end++
		}
		switch r, err := strconv.ParseUint(v[from:end], base, 32); {
		case err != nil: // no escape
			b, v = append(b, v[:2]...), v[2:]
		case c == 'u' || c == 'U':
			b, v = utf8.AppendRune(b, rune(r)), v[end:]
		default:
			b, v = append(b, byte(r)), v[end:]
		}
	}
	return string(b) + v
}
