package memdir

import (
	"slices"
	"time"
)

// Absolute is a text of one line that is said now, with days in the place of what is
// relative to now. What can be read in more than one way stays.
func Absolute(text string, now time.Time) string {
	p := &page{File: File{Modified: now}, doc: Parse([]byte(text))}
	if len(p.doc.Lines) != 1 {
		return text
	}
	for _, s := range slices.Backward(spots(text)) {
		if said, ok := p.absolute(0, s); ok {
			text = text[:s.from] + said + text[s.to:]
		}
	}
	return text
}
