// Package reading takes memories out of Markdown: of rules that people wrote down,
// and of the notes of the client's own memory. It does no I/O and reads no clock.
//
// It is the one user of goldmark and of a YAML parser, which read what pkg/markdown doesn't: lists in
// lists, and all of YAML. cmd/parsers is its one user: what these set up costs every start of a program
// that links them.
package reading

import (
	"time"

	"keepsake/pkg/importer/exchange"
)

// Read returns the memories that a text holds. A part of it that becomes no memory is passed, with the
// reason. So is a text without memories or of an unknown kind.
func Read(t exchange.Text) (out exchange.Reading) {
	at := time.Unix(t.At, 0)
	switch t.Kind {
	case exchange.Rules:
		out.Offers, out.Passed = rules(t.File, t.Bytes, at, t.All)
	case exchange.Index:
		out.Passed = loose(t.File, t.Bytes)
	case exchange.Note:
		note, err := parseTopic(t.File, t.Bytes)
		if err != nil {
			return exchange.Reading{Passed: []exchange.Passed{{From: t.File, Why: err.Error()}}}
		}
		out.Offers = []exchange.Offer{note.offer(at)}
	default:
		out.Passed = []exchange.Passed{{From: t.File, Why: "is of a kind that this program does not know: " +
			string(t.Kind)}}
	}
	return out
}
