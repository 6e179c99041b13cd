package main

import "encoding/json"

// An idFinder finds the id of a message that is too long to keep. The client that is told nothing of a call
// would wait for its answer for ever.
type idFinder struct {
	depth             int
	inString, escaped bool
	member            []byte // of the message: its name and the beginning of its value
	id                json.RawMessage
}

// mostID bounds the text of a member that can be the id.
const mostID = 256

// scan looks at the next part of the message.
func (f *idFinder) scan(part []byte) {
	for _, b := range part {
		if f.inString {
			f.keep(b)
			switch {
			case f.escaped:
				f.escaped = false
			case b == '\\':
				f.escaped = true
			case b == '"':
				f.inString = false
			}
			continue
		}
		switch b {
		case '{', '[':
			f.depth++
			if f.depth == 1 {
				f.member = f.member[:0]
				continue
			}
		case '}', ']', ',':
			if f.depth == 1 {
				f.end()
			}
			if b != ',' {
				f.depth--
			}
			if f.depth <= 1 {
				continue
			}
		case '"':
			f.inString = true
		}
		f.keep(b)
	}
}

// keep keeps a byte of a member. What is longer than an id, or holds an object or a list, ends up as
// something that end takes for no id.
func (f *idFinder) keep(b byte) {
	if f.depth >= 1 && len(f.member) <= mostID {
		f.member = append(f.member, b)
	}
}

// end looks whether the member that ends here is the id.
func (f *idFinder) end() {
	var m map[string]json.RawMessage // a struct would take "ID" as well
	text := append(append([]byte{'{'}, f.member...), '}')
	if len(f.member) <= mostID && json.Unmarshal(text, &m) == nil {
		if id := m["id"]; len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9') {
			f.id = id
		}
	}
	f.member = f.member[:0]
}
