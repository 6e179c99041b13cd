package triage

import "strings"

// matcher finds the phrases of the table in a text in one pass: an Aho-Corasick automaton over words. A hook
// runs for a few milliseconds, and building the automaton would take a tenth of that. So a test builds
// theMatcher, and it is linked in as flat lists. Matching allocates nothing.
type matcher struct {
	rows  []row
	texts []string // the folded words, by id
	slots []uint16 // ids of words, in a hash table with open addressing; 0 marks a free slot
	nodes []node   // the first is the root
	ways  []uint16 // nodes by the edge that leads to them, hashed in the same way; 0 marks a free slot
	cues  []listed // the cues of phrases, as lists that begin at their last node
	class []classes

	it, is, then, memory, you, please uint16 // words that the grammar looks for
}

type node struct {
	parent, by uint16 // the edge that leads here
	fail       uint16 // the longest proper suffix that is a prefix of a phrase
	end        uint16 // nearest node on the fail chain, this one included, where a phrase ends
	cue        uint16 // index of its first cue plus one, or 0
	depth      uint8  // words from the root
}

type listed struct {
	row  uint16 // index of the row it belongs to
	next uint16 // index of the next one plus one, or 0
}

// hit is an occurrence of a cue: the tokens [from, to).
type hit struct {
	cue
	from, to int
	weight   float64 // depends on the speaker and the context
	place
}

// place identifies a phrase of the table: its row, and the node at which it ends.
type place struct{ row, node uint16 }

// itIsPlace stands for "Postgres it is", which is in no row.
var itIsPlace = place{row: 1<<16 - 1}

// asksBackPlace stands for a request that only points back, in words of no row.
var asksBackPlace = place{row: 1<<16 - 2}

// phrase returns the phrase of a place as in the table, or "" if it has none.
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

// classes are small sets of words that the grammar looks for.
type classes uint8

const (
	opener    classes = 1 << iota // a clause may begin after it: "ok, let's"
	joining                       // may follow "memory" in a request
	recalling                     // may follow "remember" when that is no request
	leading                       // may stand between "you" or "please" and a request
	telling                       // before "you" it makes no request: "do you remember"
	remedy                        // names what helped; "for" follows with what it helped against
	against                       // joins the two
	being                         // follows what broke: "the fix for … was"
)

// slot returns the slot of a folded word, free or taken.
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

// way returns the slot of the edge from a node by a word, free or taken.
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

// find appends every cue in the tokens to dst, including overlapping ones.
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
