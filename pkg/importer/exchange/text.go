package exchange

import "encoding/json"

// A Text is a Markdown text from which memories are taken. bin/libexec/parsers reads it as JSON. That is
// a program of its own, as the parsers that it needs slow the start of every program that links them.
type Text struct {
	Kind  TextKind `json:"kind"`
	File  string   `json:"file"`  // its name, for From of what it has
	Bytes []byte   `json:"bytes"` // at most MaxText
	At    int64    `json:"at"`    // when it was last written, in seconds since 1970
	All   bool     `json:"all"`   // of Rules: every entry of a list, whatever it says
}

// TextKind is the kind of a text.
type TextKind string

// The kinds.
const (
	Rules TextKind = "rules" // instructions, a CLAUDE.md
	Note  TextKind = "note"  // of the client's own memory
	Index TextKind = "index" // MEMORY.md, which points to notes
)

// MaxText bounds a text, in bytes.
const MaxText = 16 << 20

// A Reading is the memories that were read from a text. bin/libexec/parsers prints it as JSON.
type Reading struct {
	Offers []Offer  `json:"offers,omitempty"`
	Passed []Passed `json:"passed,omitempty"`
}

// UnmarshalJSON decodes an offer. The lists in its content become []string, as in a record.
func (o *Offer) UnmarshalJSON(b []byte) error {
	type plain Offer
	if err := json.Unmarshal(b, (*plain)(o)); err != nil {
		return err
	}
	for name, v := range o.Content {
		list, ok := v.([]any)
		texts := make([]string, len(list))
		for i := 0; ok && i < len(list); i++ {
			texts[i], ok = list[i].(string)
		}
		if ok {
			o.Content[name] = texts
		}
	}
	return nil
}
