package triage

import "strings"

// matcher finds the phrases of the table in a text in one pass: an
// Aho-Corasick automaton over words. A hook is a process of a few milliseconds, in
// which making it would take a tenth: theMatcher is made by a test and linked in, flat
// lists that nothing needs to be done to. Matching allocates nothing.
type matcher struct {
	rows  []row
	texts []string // the folded words, by id
	slots []uint16 // the words' ids, open addressing by hash of the word; 0 where it is free
	nodes []node   // the root is the first
	ways  []uint16 // the other nodes, open addressing by the edge that leads there; 0 where it is free
	cues  []listed // what phrases tell, in lists that begin at their last node
	class []classes

	it, is, then, memory, you, please uint16 // words that the grammar asks for by name
}

type node struct {
	parent, by uint16 // the edge that leads here
	fail       uint16 // the longest proper suffix that is a prefix of a phrase
	end        uint16 // the nearest node on the fail chain, from this one itself, where a phrase ends
	cue        uint16 // the first of its cues plus one, or 0
	depth      uint8  // words from the root
}

type listed struct {
	row  uint16 // whose cue it is
	next uint16 // plus one, or 0
}

// hit is a cue found: the words [from, to) of the tokens.
type hit struct {
	cue
	from, to int
	weight   float64 // by who said it and what stands around it
	place
}

// place is where in the table a phrase stands: its row, and the node at which the
// words of the phrase end.
type place struct{ row, node uint16 }

// itIsPlace is that of "Postgres it is", which is in no row.
var itIsPlace = place{row: 1<<16 - 1}

// asksBackPlace is that of a request that only points back, in words that no row has.
var asksBackPlace = place{row: 1<<16 - 2}

// phrase returns the phrase of a place as the table has it, and "" for no place.
func (m *matcher) phrase(p place) string {
	switch {
	case p == itIsPlace:
		return "it is"
	case p == asksBackPlace:
		return "remember this"
	case p.node == 0:
		return ""
	}
	for phrase := range strings.SplitSeq(m.rows[p.row].phrases, "|") {
		if m.node(phrase) == p.node {
			return phrase
		}
	}
	return ""
}

// node returns the node at which the words of a phrase end, or 0.
func (m *matcher) node(phrase string) (at uint16) {
	for word := range strings.SplitSeq(phrase, " ") {
		id := m.lookup([]byte(word))
		if at = *m.way(at, id); id == idOther || at == 0 {
			return 0
		}
	}
	return at
}

// classes are small sets of words that the grammar asks for.
type classes uint8

const (
	opener    classes = 1 << iota // a clause may begin behind it: "ok, let's"
	joining                       // may follow "memory" in a request
	recalling                     // may follow "remember" in what is no request
	leading                       // may stand between "you" or "please" and a request
	telling                       // before "you", tells of it instead: "do you remember"
	remedy                        // what helped, which "for" says against what
	against                       // between the two
	being                         // before what it was
)

// slot returns the place of a folded word, free or taken.
func (m *matcher) slot(text []byte) *uint16 {
	h := uint32(2166136261)
	for _, c := range text {
		h = (h ^ uint32(c)) * 16777619
	}
	mask := uint32(len(m.slots) - 1)
	for i := (h ^ h>>15) & mask; ; i = (i + 1) & mask {
		if id := &m.slots[i]; *id == 0 || m.texts[*id] == string(text) {
			return id
		}
	}
}

// lookup returns the id of a folded word, or idOther.
func (m *matcher) lookup(text []byte) uint16 { return *m.slot(text[:stem(text)]) }

// way returns the place of the node to which an edge leads from a node by a word, free
// or taken.
func (m *matcher) way(from, by uint16) *uint16 {
	mask := uint32(len(m.ways) - 1)
	h := (uint32(from)<<16 | uint32(by)) * 2654435769
	for i := (h ^ h>>16) & mask; ; i = (i + 1) & mask {
		to := &m.ways[i]
		if *to == 0 || m.nodes[*to].parent == from && m.nodes[*to].by == by {
			return to
		}
	}
}

func (m *matcher) step(at, by uint16) uint16 {
	for {
		if to := *m.way(at, by); to != 0 || at == 0 {
			return to
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
				row := m.cues[c-1].row
				dst = append(dst, hit{cue: m.rows[row].cue, from: i + 1 - int(n.depth), to: i + 1,
					place: place{row, end}})
			}
		}
	}
	return dst
}

// isA reports whether a word is of a class.
func (m *matcher) isA(id uint16, c classes) bool { return m.class[id]&c != 0 }
