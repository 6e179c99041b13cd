package change

import (
	"strings"

	"keepsake/pkg/text"
)

// A separableForm is a German verb of leaving.
type separableForm struct {
	stems    string
	particle string // behind what is left, or before the stem: "schaffen … ab", "abschaffen"
	prep     string // before what is left
	reflects bool   // "uns" belongs to it
	by       string // before what comes in its place
	must     bool   // that has to be said
}

var separables = [...]separableForm{
	{stems: "trenn", prep: "von vom", reflects: true},
	{stems: "verabschied", prep: "von vom", reflects: true},
	{stems: "komm rück seh lass geh", particle: "ab", prep: "von vom"},
	{stems: "komm geh zieh migrier", particle: "weg", prep: "von vom"},
	{stems: "weg", prep: "von vom"},
	{stems: "lös", particle: "ab", by: "durch mit", must: true},
	{stems: "ersetz", by: "durch mit gegen", must: true},
	{stems: "schaff", particle: "ab"},
	{stems: "stampf", particle: "ein"},
	{stems: "geb gib gab", particle: "auf"},
	{stems: "hör", particle: "auf", prep: "mit"},
	{stems: "tausch", particle: "aus", by: "gegen durch mit", must: true},
	{stems: "tausch", by: "gegen", must: true},
	{stems: "werd", particle: "los"},
	{stems: "werf worf schmeiß schmiss nehm hau", particle: "raus"},
	{stems: "lass", particle: "weg"},
	{stems: "lass", particle: "sein"},
	{stems: "lass", particle: "bleiben"},
	{stems: "streich strich entfern kipp revidier verwerf verworf"},
}

// separable reads "wir schaffen X ab", "X schaffen wir ab", "X wird abgeschafft", "wir wollen
// X abschaffen" and "wir tauschen X gegen Y aus".
func separable(s sentence, i int, own bool) (turn, bool) {
	last := i == len(s.tokens)-1
	if !own && !last && !germanLeads(s, i) || germanDenied(s, i) {
		return turn{}, false
	}
	for _, f := range separables {
		joined := f.joins(s.tokens[i].word) && (f.particle != "" || i > 1 && germanEnd(s, i+1))
		if !joined && !isStem(s.tokens[i].word, f.stems) || f.reflects && !has(s.tokens, "uns mich") ||
			!joined && !germanOwn(s) && !germanLeads(s, i) {
			continue
		}
		if t, ok := f.read(s, i, joined); ok && isName(t.from) && (t.to != "" || !f.must) {
			t.cue = strings.TrimSpace(s.tokens[i].word + " " + f.particle)
			return t, true
		}
	}
	return turn{}, false
}

// read reads what is left, and what comes in its place, around the verb at a token.
func (f separableForm) read(s sentence, i int, joined bool) (out turn, ok bool) {
	n := i + 1
	if joined { // all that belongs to it stands before it
		for n = s.clauseStart(i); n < i && text.OneOf(s.tokens[n].word, leadIns); n++ {
		}
	}
	n = f.pass(s, n)
	prep := f.prep == ""
	if s.is(n, f.prep) {
		prep = true
		n++
	}
	if prep && n < len(s.tokens) && !s.is(n, f.particle) && !s.is(n, f.by) {
		out.from, n = germanPhrase(s, n, append(strings.Fields(f.by), f.particle, s.tokens[i].word,
			"wird", "werden", "wollen")...)
	} else if !joined { // "von X trennen wir uns", "X schaffen wir ab"
		out.from = germanBefore(s, i)
		prep = f.prep == "" || has(s.tokens[:i], f.prep)
	}
	if at := f.pass(s, n); s.is(at, f.by) {
		out.to, n = germanPhrase(s, at+1, f.particle, s.tokens[i].word)
	}
	if joined {
		n = f.pass(s, n)
		return out, prep && n == i && germanEnd(s, i+1)
	}
	if f.particle == "" {
		return out, prep && germanEnd(s, n)
	}
	return out, prep && s.is(n, f.particle) && germanEnd(s, n+1)
}

// pass returns the first token from n on that is neither a pronoun, an auxiliary verb nor an
// adverb of no meaning for the form.
func (f separableForm) pass(s sentence, n int) int {
	for n < len(s.tokens) && !s.is(n, f.prep) && s.is(n, "wir ich uns mich jetzt nun also doch endgültig "+
		"wieder dann damit bitte lass lasst lassen werden wird werde wollen will möchten möchte müssen "+
		"sollten haben habe sind bin den die das dem der am besten auch einfach komplett ganz können kannst "+
		"kann du sollen solltest soll muss musst") {
		n++
	}
	return n
}

// erledigt reads "X hat sich erledigt", "das mit X hat sich erledigt" and "das hat sich
// erledigt mit X".
func erledigt(s sentence, i int) (turn, bool) {
	n := s.past(i+1, "sich damit jetzt nun auch also")
	if !s.is(n, "erledigt") || n == i+1 || germanDenied(s, i) {
		return turn{}, false
	}
	if t, ok := dasMit(s, i); ok && t.from != "" {
		return t, true
	}
	from := germanBefore(s, i)
	if s.is(i-1, "das es") && s.is(n+1, "mit") {
		from, _ = germanPhrase(s, n+2)
	}
	return turn{cue: "hat sich erledigt", from: from},
		isName(from) && (germanEnd(s, n+1) || s.is(n+1, "mit"))
}

// daraus reads "mach daraus lieber X".
func daraus(s sentence, i int) (turn, bool) {
	n := s.past(i+2, "lieber besser doch stattdessen bitte")
	to, end := germanPhrase(s, n)
	return turn{cue: "mach daraus", to: to, makes: true}, s.is(i+1, "daraus") && n > i+2 && isName(to) &&
		germanEnd(s, end) && germanLeads(s, i)
}

// sondern reads "nicht X, sondern Y".
func sondern(s sentence, i int) (turn, bool) {
	from, n := germanPhrase(s, i+1)
	if !isName(from) || !s.is(n, "sondern") ||
		!germanOwn(s) && !germanLeads(s, i) && !germanUses(s.tokens[0].word) {
		return turn{}, false
	}
	to, end := germanPhrase(s, n+1)
	return turn{cue: "nicht … sondern", from: from, to: to}, isName(to) && (germanEnd(s, end) ||
		germanUses(s.tokens[end].word))
}
