package triage

import (
	"math/bits"
	"strings"
	"sync"
)

// matcher finds the phrases of the table in a text in one pass: an
// Aho-Corasick automaton over words. A hook is a process of a few milliseconds
// and needs it once, so it is built for being built: a few flat arrays, filled
// in a tenth of a millisecond by the first caller. Matching allocates nothing.
type matcher struct {
	words []word   // open addressing by hash of the folded word
	known uint16   // words so far, and so the last id
	edges []edge   // open addressing by node<<16|word id
	nodes []node   // the root is the first
	cues  []listed // what phrases tell, in lists that begin at their last node
	class []classes

	it, is, then, memory, you, please uint16 // words that the grammar asks for by name
}

type word struct {
	text string // "" where the slot is free
	id   uint16
}

type edge struct {
	key uint32 // 0 where the slot is free: no edge leaves the root by word 0
	to  uint16
}

type node struct {
	parent, by uint16 // the edge that leads here
	fail       uint16 // the longest proper suffix that is a prefix of a phrase
	end        uint16 // the nearest node on the fail chain, from this one itself, where a phrase ends
	cue        uint16 // the first of its cues plus one, or 0
	depth      uint8  // words from the root
}

type listed struct {
	cue
	next uint16 // plus one, or 0
}

// hit is a cue found: the words [from, to) of the tokens.
type hit struct {
	cue
	from, to int
	weight   float64 // by who said it and what stands around it
}

// classes are small sets of words that the grammar asks for.
type classes uint8

const (
	opener    classes = 1 << iota // a clause may begin behind it: "ok, let's"
	joining                       // may follow "memory" in a request
	recalling                     // may follow "remember" in what is no request
	leading                       // may stand between "you" or "please" and a request
	telling                       // before "you", tells of it instead: "do you remember"
)

var theMatcher = sync.OnceValue(func() *matcher { return newMatcher(table) })

func newMatcher(rows []row) *matcher {
	n := 128
	for _, r := range rows {
		n += 1 + strings.Count(r.phrases, " ") + strings.Count(r.phrases, "|")
	}
	size := 1 << bits.Len(uint(n)) // there are fewer edges than words in the phrases, and far fewer different words
	m := &matcher{
		words: make([]word, size/2), edges: make([]edge, size),
		nodes: make([]node, 1, n), cues: make([]listed, 0, n/2), known: idFirst - 1,
	}
	*m.slot(":") = word{":", idColon}
	*m.slot("#") = word{"#", idNumber}
	for _, r := range rows {
		each(r.phrases, '|', func(phrase string) { m.add(phrase, r.cue) })
	}
	m.link()

	m.it, m.is, m.then, m.memory, m.you, m.please = m.word("it"), m.word("is"), m.word("then"), m.word("memory"), m.word("you"), m.word("please")
	m.class = make([]classes, n)
	for _, c := range wordClasses {
		each(c.words, '|', func(w string) { m.class[m.word(w)] |= c.class })
	}
	return m
}

// each calls f for every part of list.
func each(list string, sep byte, f func(string)) {
	for list != "" {
		i := strings.IndexByte(list, sep)
		if i < 0 {
			f(list)
			return
		}
		f(list[:i])
		list = list[i+1:]
	}
}

// slot returns the place of a folded word, free or taken.
func (m *matcher) slot(text string) *word {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	mask := uint32(len(m.words) - 1)
	for i := (h ^ h>>15) & mask; ; i = (i + 1) & mask {
		if w := &m.words[i]; w.text == "" || w.text == text {
			return w
		}
	}
}

// word returns the id of a word of the table, making it known.
func (m *matcher) word(text string) uint16 {
	text = text[:stem(text)]
	w := m.slot(text)
	if w.text == "" {
		if m.known++; int(m.known) >= len(m.words) {
			panic("triage: more different words than the hash was made for")
		}
		*w = word{text, m.known}
	}
	return w.id
}

// lookup returns the id of a folded word, or idOther.
func (m *matcher) lookup(text []byte) uint16 {
	text = text[:stem(text)]
	h := uint32(2166136261)
	for _, c := range text {
		h = (h ^ uint32(c)) * 16777619
	}
	mask := uint32(len(m.words) - 1)
	for i := (h ^ h>>15) & mask; ; i = (i + 1) & mask {
		if w := &m.words[i]; w.text == "" || w.text == string(text) {
			return w.id
		}
	}
}

// edge returns the place of the edge that leaves a node by a word, free or taken.
func (m *matcher) edge(from, by uint16) *edge {
	key := uint32(from)<<16 | uint32(by)
	mask := uint32(len(m.edges) - 1)
	h := key * 2654435769
	for i := (h ^ h>>16) & mask; ; i = (i + 1) & mask {
		if e := &m.edges[i]; e.key == key || e.key == 0 {
			return e
		}
	}
}

func (m *matcher) add(phrase string, c cue) {
	at := uint16(0)
	each(phrase, ' ', func(text string) {
		id := m.word(text)
		e := m.edge(at, id)
		if e.key == 0 {
			*e = edge{uint32(at)<<16 | uint32(id), uint16(len(m.nodes))}
			m.nodes = append(m.nodes, node{parent: at, by: id, depth: m.nodes[at].depth + 1})
		}
		at = e.to
	})
	m.cues = append(m.cues, listed{c, m.nodes[at].cue})
	m.nodes[at].cue = uint16(len(m.cues))
}

// link sets the fail chains, shallow nodes first.
func (m *matcher) link() {
	for depth, more := uint8(1), true; more; depth++ {
		more = false
		for i := range m.nodes {
			n := &m.nodes[i]
			if n.depth != depth {
				continue
			}
			more = true
			if depth > 1 {
				n.fail = m.step(m.nodes[n.parent].fail, n.by)
			}
			n.end = uint16(i)
			if n.cue == 0 {
				n.end = m.nodes[n.fail].end
			}
		}
	}
}

func (m *matcher) step(at, by uint16) uint16 {
	for {
		if e := m.edge(at, by); e.key != 0 {
			return e.to
		}
		if at == 0 {
			return 0
		}
		at = m.nodes[at].fail
	}
}

// find appends every cue in the tokens to dst, overlapping ones too.
func (m *matcher) find(dst []hit, tokens []token) []hit {
	at := uint16(0)
	for i, t := range tokens {
		if t.id == idOther || t.id == idCode { // in no phrase
			at = 0
			continue
		}
		at = m.step(at, t.id)
		for end := m.nodes[at].end; end != 0; end = m.nodes[m.nodes[end].fail].end {
			n := &m.nodes[end]
			for c := n.cue; c != 0; c = m.cues[c-1].next {
				dst = append(dst, hit{cue: m.cues[c-1].cue, from: i + 1 - int(n.depth), to: i + 1})
			}
		}
	}
	return dst
}

// isA reports whether a word is of a class.
func (m *matcher) isA(id uint16, c classes) bool { return m.class[id]&c != 0 }

// Ready makes the matcher, for a caller that knows it will need it and has
// something else to do meanwhile.
func Ready() { theMatcher() }
