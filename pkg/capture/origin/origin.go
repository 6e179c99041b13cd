// Package origin says how far words can be trusted, by where they stand: in what a
// person typed, in what the agent said, in what came from elsewhere, or nowhere.
//
// A text is compared word by word, whatever its case, blanks, quotes and punctuation; likeness proves
// nothing. What could do harm, such as a command, a URL, a path or a flag, is looked at by itself, so that a
// true sentence around it does not help it. The package is pure.
package origin

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stance"
)

// Source is where a text comes from.
type Source uint8

// The sources.
const (
	Person    Source = iota // typed or chosen in an attended session
	Approved                // a plan that the person approved: theirs, unless it is foreign
	Agent                   // said by the agent; summaries are the agent's
	Project                 // what was read of the project: it supports, and taints nothing
	Committed               // what git has of the project: Project, whenever it was read
	Called                  // what the agent put into its tool calls: supports nothing, but is its own
	Foreign                 // web and MCP content, files that git does not track, output of programs
	Printed                 // by a build or a test of the project: only what fetches or runs is foreign
	sources
)

// A Text is one text of a conversation.
type Text struct {
	From Source
	Text string
}

// Evidence is the texts of one or more conversations, in their order, that the words of drafts are checked
// against. The order counts: what the agent said before any foreign text had it can't come from that text.
// The zero Evidence has no text.
//
// Foreign texts must be complete. A part of them that is missing taints nothing, while a missing part of
// the others only makes an origin worse.
type Evidence struct {
	seed  maphash.Seed
	texts int32
	from  [sources]stream
	also  *Evidence // what a draft cites, behind all that is here
}

// A stream is all words of one source. A hash of 0 stands behind each sentence, so that nothing is found
// across two of them.
type stream struct {
	words []uint64
	text  []int32            // of each word, the number of its text
	kept  []guarded          // of the person's: what is no claim of theirs, in its order
	at    map[uint64][]int32 // where a word stands
	atoms map[uint64]int32   // the first text that names it
	names map[string]named   // URLs, hosts and paths, squeezed
}

// named is where a name stands first, and how it is written there.
type named struct {
	text int32
	atom string
}

// A guarded stretch of words is a claim of the person only together with the words that limit it: "never",
// "if", "Peter said". Words in a question or a quotation are no claim at all.
type guarded struct {
	from, to int // of the stream
	guard    stance.Guard
	quoted   bool // words in quotes; with others around them they may be claimed
}

// New returns the evidence of texts.
func New(texts ...Text) *Evidence {
	e := &Evidence{}
	for _, t := range texts {
		e.Add(t.From, t.Text)
	}
	return e
}

// Add adds the next text. If only characters that nobody sees part some of its words, it adds it in both ways
// in which it can be read.
func (e *Evidence) Add(from Source, text string) {
	if parted := partWords(text); parted != text {
		e.Add(from, parted)
	}
	if e.texts == 0 {
		e.seed = maphash.MakeSeed()
	}
	s := &e.from[from]
	if s.at == nil {
		s.at, s.atoms, s.names = map[uint64][]int32{}, map[uint64]int32{}, map[string]named{}
	}
	put := func(h uint64) { s.words, s.text = append(s.words, h), append(s.text, e.texts) }
	ws := words(text)
	first := len(s.words)
	for _, w := range ws {
		h := e.hash(from, w.text)
		s.at[h] = append(s.at[h], int32(len(s.words)))
		put(h)
		if w.end {
			put(0)
		}
		for _, a := range w.atoms() {
			if h := e.hash(from, a); !has(s.atoms, h) {
				s.atoms[h] = e.texts
			}
			if w.kind != hard || a != w.text && !isHost(a) || !distinct(a) {
				continue
			}
			if n := squeeze(twin(a)); len(n) >= minSqueezed && !has(s.names, n) {
				s.names[n] = named{e.texts, a}
			}
		}
	}
	put(0)
	if from <= Approved {
		s.guard(ws, first, clean(text))
	}
	e.texts++
}

func has[K comparable, V any](m map[K]V, k K) bool {
	_, ok := m[k]
	return ok
}

// hash returns the hash of a word as a source compares it. In foreign sources letters that look alike count
// as the same, so that they can't hide a foreign word. In others they don't, so that they can't pass for
// the person's word.
func (e *Evidence) hash(from Source, w string) uint64 {
	if from >= Foreign {
		w = twin(w)
	}
	return max(maphash.String(e.seed, w), 1)
}

// minSqueezed is the shortest name that is looked for across blanks and fields.
const minSqueezed = 10

// squeeze returns the letters and digits of a text.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80 {
			return r
		}
		return -1
	}, s)
}

const (
	never = int32(1<<31 - 1) // the number of a text that there is not
	late  = never - 1        // that of a text behind all others
)

// named returns the first text of a source that names an atom.
func (e *Evidence) named(from Source, atom string) int32 {
	if s := &e.from[from]; len(s.atoms) > 0 {
		if at, ok := s.atoms[e.hash(from, atom)]; ok {
			return at
		}
	}
	if e.also != nil && e.also.named(from, atom) != never {
		return late
	}
	return never
}

// said returns the first text of a source that has the words in a row, within one sentence.
func (e *Evidence) said(from Source, ws []word) int32 {
	found := never
	e.each(from, ws, func(s *stream, at int) bool {
		found = s.text[at]
		return false
	})
	if found == never && e.also != nil && e.also.said(from, ws) != never {
		return late
	}
	return found
}

// each calls see with the places of a source where words stand one behind another,
// until it returns false.
func (e *Evidence) each(from Source, ws []word, see func(s *stream, at int) bool) {
	s := &e.from[from]
	if len(s.words) == 0 || len(ws) == 0 {
		return
	}
	hs := make([]uint64, len(ws))
	rare, least := 0, int(never)
	for i, w := range ws {
		hs[i] = e.hash(from, w.text)
		if n := len(s.at[hs[i]]); n < least {
			rare, least = i, n
		}
	}
	for _, at := range s.at[hs[rare]] {
		start := int(at) - rare
		if start < 0 || start+len(hs) > len(s.words) || !slices.Equal(s.words[start:start+len(hs)], hs) {
			continue
		}
		if !see(s, start) {
			return
		}
	}
}

// personSaid returns the texts in which the person said or approved words and meant them. Words in a
// question don't count. A word that changes their meaning, such as a "never" or an "if" before them, must
// be among the words.
func (e *Evidence) personSaid(ws []word) (texts []int32) {
	for _, from := range []Source{Person, Approved} {
		e.each(from, ws, func(s *stream, at int) bool {
			if s.claims(at, at+len(ws)) {
				texts = append(texts, s.text[at])
			}
			return true
		})
	}
	return texts
}

// own reports whether words or an atom are the conversation's own. The person typed them or git has them,
// or they were said, read in the project or called before their first place in foreign texts, which is
// given. at returns the first place that a source has them.
func own(foreign int32, at func(Source) int32) bool {
	return at(Person) != never || at(Committed) != never ||
		min(at(Agent), at(Project), at(Called)) < foreign
}

// Of returns the origin of words by where they stand.
func (e *Evidence) Of(text string) finding.Origin {
	ws := words(text)
	switch {
	case len(ws) == 0:
		return finding.NoOrigin
	case e.taint(ws) != "":
		return finding.Tainted
	case e.persons(ws):
		return finding.FromPerson
	case e.supported(ws):
		return finding.FromAgent
	}
	return finding.NoOrigin
}

// persons reports whether the person said each sentence, as a whole or in clauses of one text. A sentence
// put together from several texts is not theirs.
func (e *Evidence) persons(ws []word) bool {
	if e.also != nil && e.also.persons(ws) {
		return true
	}
	for _, sentence := range split(ws, func(w word) bool { return w.end }) {
		if len(e.personSaid(sentence)) > 0 {
			continue
		}
		clauses := split(sentence, func(w word) bool { return w.pause })
		if len(clauses) == 1 {
			return false
		}
		var texts []int32
		for i, c := range clauses {
			in := e.personSaid(c)
			if i > 0 {
				in = slices.DeleteFunc(in, func(t int32) bool { return !slices.Contains(texts, t) })
			}
			if texts = in; len(texts) == 0 || !long(c) {
				return false
			}
		}
	}
	return true
}

// supported reports whether each sentence or clause is in a text of a source that isn't foreign.
func (e *Evidence) supported(ws []word) bool {
	stands := func(ws []word) bool {
		return slices.ContainsFunc(supports[:], func(from Source) bool { return e.said(from, ws) != never })
	}
	for _, sentence := range split(ws, func(w word) bool { return w.end }) {
		clauses := split(sentence, func(w word) bool { return w.pause })
		if !stands(sentence) && (len(clauses) == 1 || !all(clauses, long) || !all(clauses, stands)) {
			return false
		}
	}
	return true
}

// supports are the sources that aren't foreign.
var supports = [...]Source{Person, Approved, Agent, Project, Committed}

// long reports whether a clause has words enough to be looked for by itself.
func long(clause []word) bool { return len(clause) >= minClause-1 }

func all[T any](list []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(list, func(t T) bool { return !ok(t) })
}

// split cuts words behind those that end a part.
func split(ws []word, ends func(word) bool) (parts [][]word) {
	from := 0
	for i, w := range ws {
		if ends(w) || i == len(ws)-1 {
			parts = append(parts, ws[from:i+1])
			from = i + 1
		}
	}
	return parts
}

const (
	minClause = 4 // words of a clause that is foreign as a whole
	minRun    = 6 // words in a row that are foreign wherever they stand
	maxArgs   = 3 // words behind a program that are its command
)

// taint returns what of the words comes from foreign texts and nobody else, "" for
// nothing.
func (e *Evidence) taint(ws []word) (found string) {
	e.tainted(ws, func(piece []word) bool {
		found = shown(piece)
		return false
	})
	if found == "" {
		found = e.spread(ws)
	}
	return found
}

// tainted calls see with the pieces of words that come from foreign texts and nobody
// else, until it returns false: names, commands, clauses, and words in a row.
func (e *Evidence) tainted(ws []word, see func(piece []word) bool) {
	if len(e.from[Foreign].words)+len(e.from[Printed].words) == 0 {
		return
	}
	for i, w := range ws {
		if ((w.telling() || w.kind == name && w.code && !isDigest(w.text)) && e.taintedName(w, Foreign) ||
			w.fetches() && e.taintedName(w, Printed)) && !see(ws[i:i+1]) {
			return
		}
		if run := command(ws[i:]); len(run) > 1 &&
			(e.taintedRun(run, Foreign) || e.taintedRun(run, Printed)) && !see(run) {
			return
		}
		if i == 0 || !ws[i-1].code {
			if run := code(ws[i:]); len(run) > 1 && e.taintedRun(run, Foreign) && !see(run) {
				return
			}
		}
	}
	for _, clause := range split(ws, func(w word) bool { return w.pause }) {
		if len(clause) >= minClause && content(clause) > 1 && e.taintedRun(clause, Foreign) && !see(clause) {
			return
		}
	}
	for _, sentence := range split(ws, func(w word) bool { return w.end }) {
		for i := 0; i+minRun <= len(sentence); i++ {
			if run := sentence[i : i+minRun]; content(run) > 2 && e.taintedRun(run, Foreign) && !see(run) {
				return
			}
		}
	}
}

// Doubts returns words to search the project for, because they look foreign or unknown in texts. What is
// found there, and is added as Committed, is the project's own. Of several words in a row it returns the
// longest.
func (e *Evidence) Doubts(texts ...string) []string {
	found := map[string]bool{}
	for _, text := range texts {
		ws := words(text)
		see := func(piece []word) bool {
			if len(piece) == 1 {
				for _, a := range piece[0].atoms() {
					found[a] = true
				}
				return true
			}
			longest := ""
			for _, w := range piece {
				if len(w.text) > len(longest) && !stop(w.text) {
					longest = w.text
				}
				if w.kind > number {
					found[w.text] = true
				}
			}
			found[longest] = true
			return true
		}
		e.tainted(ws, see)
		e.eachSpread(ws, func(_ string, at named) {
			for _, w := range words(at.atom) {
				see([]word{w})
			}
		})
		for i, w := range ws {
			if w.kind == hard && !e.known(w) {
				see(ws[i : i+1])
			}
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(w string) bool {
		return len(w) < minDoubt || strings.ContainsAny(w, "\n\x00")
	})
}

// minDoubt is the shortest word that is worth looking for.
const minDoubt = 3

// taintedName reports whether a name, or the host or the file in it, is foreign.
func (e *Evidence) taintedName(w word, foreign Source) bool {
	if e.said(Person, []word{w}) != never {
		return false
	}
	for _, a := range w.atoms() {
		f := e.named(foreign, a)
		if f == never || !distinct(a) {
			continue
		}
		if !own(f, func(from Source) int32 { return e.named(from, a) }) {
			return true
		}
	}
	return false
}

// distinct reports whether an atom names one thing: a directory that every machine has does not.
func distinct(atom string) bool {
	switch strings.Trim(atom, "/~.") {
	case "", "usr", "usr/bin", "usr/local", "usr/local/bin", "bin", "etc", "tmp", "home", "var", "opt", "dev",
		"dev/null", "localhost", "src", "git", "github", "claude", "claude/settings.json":
		return false
	}
	return true
}

// taintedRun reports whether words stand in a row in a foreign text, and in none of the conversation's own.
func (e *Evidence) taintedRun(ws []word, foreign Source) bool {
	f := e.said(foreign, ws)
	return f != never && !own(f, func(from Source) int32 { return e.said(from, ws) })
}

// spread returns a foreign URL, host or path that stands in the words when their blanks and signs are left
// out: one that was cut over words, lines or fields.
func (e *Evidence) spread(ws []word) string {
	found, first := "", never
	e.eachSpread(ws, func(n string, at named) {
		if at.text < first {
			found, first = n, at.text
		}
	})
	return found
}

// eachSpread calls see with all such names.
func (e *Evidence) eachSpread(ws []word, see func(squeezed string, at named)) {
	var b strings.Builder
	for _, w := range ws {
		b.WriteString(squeeze(twin(strings.ToLower(w.text))))
	}
	all := b.String()
	for n, at := range e.from[Foreign].names {
		if len(n) <= len(all) && strings.Contains(all, n) && !e.ownSqueezed(n) {
			see(n, at)
		}
	}
}

// ownSqueezed reports whether a name is the conversation's own too.
func (e *Evidence) ownSqueezed(n string) bool {
	foreign := e.from[Foreign].names[n]
	return own(foreign.text, func(from Source) int32 {
		if at, ok := e.from[from].names[n]; ok {
			return at.text
		}
		if at := e.named(from, foreign.atom); at != never {
			return at
		}
		if e.also != nil && has(e.also.from[from].names, n) {
			return late
		}
		return never
	})
}

// command returns the words at the start of ws that are a command: a program with what follows it, where that
// is no prose.
func command(ws []word) []word {
	if !program(ws[0].text) || len(ws) < 2 || ws[0].pause || stop(ws[1].text) {
		return nil
	}
	end := 1
	for end < len(ws) && end <= maxArgs && !ws[end-1].pause {
		end++
	}
	if end < maxArgs+1 && !installs(ws[1].text) && !ws[0].code {
		return nil // "git repository" is prose
	}
	return ws[:end]
}

// code returns the words at the start of ws that stand in backquotes.
func code(ws []word) []word {
	for i, w := range ws {
		if !w.code {
			return ws[:i]
		}
	}
	return ws
}

// content returns how many words carry the subject of a text: longer words that are no stop words, and
// names.
func content(ws []word) (n int) {
	for _, w := range ws {
		if len(w.text) > 3 && !stop(w.text) || w.kind > number {
			n++
		}
	}
	return n
}

// maxShown is how many words of what is foreign a person is shown.
const maxShown = 12

func shown(ws []word) string {
	var parts []string
	for _, w := range ws[:min(len(ws), maxShown)] {
		parts = append(parts, w.shown)
	}
	if len(ws) > maxShown {
		parts = append(parts, "…")
	}
	return strings.Join(parts, " ")
}
