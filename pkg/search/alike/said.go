package alike

import "strings"

// Said is a statement to be held against many others. It is only taken apart when it may say what another one
// says, as it lacks few of its words.
type Said struct {
	text, low string
	begun     bool // begins is read
	begins    []string
	says      *Saying // nil before it was needed
}

// NewSaid returns a statement to be held against others.
func NewSaid(text string) *Said {
	return &Said{text: text, low: strings.ToLower(text)}
}

// Says reports whether s says all that other says.
func (s *Said) Says(other *Said) bool {
	return hasMost(s.low, other.beginnings()) && s.saying().Says(other.saying())
}

// Same reports whether each says all that the other says.
func (s *Said) Same(other *Said) bool {
	return hasMost(s.low, other.beginnings()) && hasMost(other.low, s.beginnings()) &&
		Same(s.saying(), other.saying())
}

func (s *Said) beginnings() []string {
	if !s.begun {
		s.begun, s.begins = true, beginnings(wordList(s.text))
	}
	return s.begins
}

func (s *Said) saying() Saying {
	if s.says == nil {
		all := SayingOf(s.text)
		s.says = &all
	}
	return *s.says
}
