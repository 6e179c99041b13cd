package triage

import (
	"strings"
	"sync"
)

// matcher finds the phrases of the table in a text in one pass: an
// Aho-Corasick automaton over words. Its arrays are built once, in well under
// a millisecond, by the first caller; matching allocates nothing.
type matcher struct {
	vocabulary map[string]uint16
	next       map[uint32]uint16 // node<<16|word -> node
	fail       []uint16          // the longest proper suffix that is a prefix of a phrase
	ends       []uint16          // the nearest node on the fail chain, from the node itself, where a phrase ends
	cues       [][]cue           // of the phrase that ends at a node
	depth      []uint8           // words from the root

	it, is, memory, you, please       uint16          // words that the grammar asks for by name
	openers, joins, asks, modal, does map[uint16]bool // and small classes of them
}

// hit is a cue found: the words [from, to) of the tokens.
type hit struct {
	cue
	from, to int
	weight   float64 // by who said it and what stands around it
}

var theMatcher = sync.OnceValue(func() *matcher { return newMatcher(table) })

func newMatcher(rows []row) *matcher {
	m := &matcher{vocabulary: make(map[string]uint16, 512), next: make(map[uint32]uint16, 1024), depth: make([]uint8, 1, 1024), cues: make([][]cue, 1, 1024)}
	m.vocabulary[":"] = idColon
	m.vocabulary["#"] = idNumber
	for _, r := range rows {
		for rest := r.phrases; rest != ""; {
			var phrase string
			phrase, rest, _ = strings.Cut(rest, "|")
			m.add(phrase, r.cue)
		}
	}
	m.link()
	m.it, m.is, m.memory, m.you, m.please = m.word("it"), m.word("is"), m.word("memory"), m.word("you"), m.word("please")
	m.openers = m.class(openers)
	m.joins = m.class("with|to|that|about|so|for|and|please|now|file|too|as|when|because")
	m.asks = m.class("when|how|what|why|who|where|which|if|me|the last|him|her|them")
	m.modal = m.class("to|must|should|can|could|will|would|always|also|want|need|have|kindly|make|sure|like")
	m.does = m.class("do|did|don't|if|as|because|when|what|that")
	return m
}

// word returns the id of a word, making it known.
func (m *matcher) word(word string) uint16 {
	word = string(stem([]byte(word)))
	id, ok := m.vocabulary[word]
	if !ok {
		id = idFirst + uint16(len(m.vocabulary)) // past the two ids that table words share
		m.vocabulary[word] = id
	}
	return id
}

func (m *matcher) class(words string) map[uint16]bool {
	c := make(map[uint16]bool, strings.Count(words, "|")+1)
	for rest := words; rest != ""; {
		var word string
		word, rest, _ = strings.Cut(rest, "|")
		c[m.word(word)] = true
	}
	return c
}

func (m *matcher) add(phrase string, c cue) {
	node := uint16(0)
	for rest := phrase; rest != ""; {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		id := m.word(word)
		key := uint32(node)<<16 | uint32(id)
		child, ok := m.next[key]
		if !ok {
			child = uint16(len(m.cues))
			m.next[key] = child
			m.cues = append(m.cues, nil)
			m.depth = append(m.depth, m.depth[node]+1)
		}
		node = child
	}
	m.cues[node] = append(m.cues[node], c)
}

// link sets the fail chain, shallow nodes first.
func (m *matcher) link() {
	n := len(m.cues)
	m.fail, m.ends = make([]uint16, n), make([]uint16, n)
	parent, by := make([]uint16, n), make([]uint16, n)
	deepest := uint8(0)
	for key, child := range m.next {
		parent[child], by[child] = uint16(key>>16), uint16(key)
		deepest = max(deepest, m.depth[child])
	}
	for d := uint8(1); d <= deepest; d++ {
		for node := 1; node < n; node++ {
			if m.depth[node] != d {
				continue
			}
			if d > 1 {
				m.fail[node] = m.step(m.fail[parent[node]], by[node])
			}
			m.ends[node] = uint16(node)
			if m.cues[node] == nil {
				m.ends[node] = m.ends[m.fail[node]]
			}
		}
	}
}

func (m *matcher) step(node, word uint16) uint16 {
	for {
		if next, ok := m.next[uint32(node)<<16|uint32(word)]; ok {
			return next
		}
		if node == 0 {
			return 0
		}
		node = m.fail[node]
	}
}

// find appends every cue in the tokens to dst, overlapping ones too.
func (m *matcher) find(dst []hit, tokens []token) []hit {
	node := uint16(0)
	for i, t := range tokens {
		if t.id == idOther || t.id == idCode { // in no phrase
			node = 0
			continue
		}
		node = m.step(node, t.id)
		for end := m.ends[node]; end != 0; end = m.ends[m.fail[end]] {
			for _, c := range m.cues[end] {
				dst = append(dst, hit{cue: c, from: i + 1 - int(m.depth[end]), to: i + 1})
			}
		}
	}
	return dst
}
