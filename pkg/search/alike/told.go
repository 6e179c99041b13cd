package alike

import (
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Points returns what a record states: its title, and of a choice what it chooses, else all that a reader
// needs of it. Who was told each point was told the record.
func Points(r memory.Record) (points []string) {
	points = []string{r.Title}
	choice := r.Category.ChoiceField()
	for _, f := range memory.Fields(r.Category) {
		if choice != "" && f.Name != choice || choice == "" && !f.Decisive {
			continue
		}
		switch v := r.Content[f.Name].(type) {
		case string:
			if f.Kind == memory.Text {
				points = append(points, v)
			}
		case []string:
			points = append(points, v...)
		}
	}
	return slices.DeleteFunc(points, func(p string) bool { return strings.TrimSpace(p) == "" })
}

// Told is what somebody has been told, text by text, each with where it stands. The zero Told is nothing.
type Told struct{ texts []toldText }

type toldText struct {
	from, low string
	points    []string // what it says, each as people read it
	says      *Saying  // nil before it was needed
}

// Add adds a text, such as an item of a list or a paragraph.
func (t *Told) Add(from, text string) {
	if strings.TrimSpace(text) != "" {
		t.texts = append(t.texts, toldText{from: from, low: strings.ToLower(text), points: []string{text}})
	}
}

// AddRecord adds a record.
func (t *Told) AddRecord(from string, r memory.Record) {
	says, points := RecordSaying(r), Points(r)
	low := strings.ToLower(strings.Join(points, "\n") + "\n" + r.Body())
	t.texts = append(t.texts, toldText{from, low, points, &says})
}

// Says returns where a statement was told: all of it, in one of the texts. In doubt ok is false.
func (t *Told) Says(statement string) (from string, ok bool) {
	words := wordList(text.WithoutLeadIn(statement))
	begins := beginnings(words)
	before, reason, _ := CutReason(statement)
	if len(begins) == 0 {
		return "", false
	}
	var said *Saying
	var claim Saying // without its reason
	for i := range t.texts {
		told := &t.texts[i]
		if !hasMost(told.low, begins) {
			continue
		}
		if said == nil {
			s := SayingOf(statement)
			said, claim = &s, SayingOf(before)
		}
		if told.says == nil {
			s := SayingOf(told.points[0])
			told.says = &s
		}
		if told.says.Says(*said) || slices.ContainsFunc(told.points, func(p string) bool {
			return slices.Equal(wordList(text.WithoutLeadIn(p)), words) || // too little for Says
				reason != "" && saysReason(p, reason) && told.says.Says(claim)
		}) {
			return told.from, true
		}
	}
	return "", false
}

// SaysRecord returns where a record was told, each of its points. If they stand in several places it is the
// first one.
func (t *Told) SaysRecord(r memory.Record) (from string, ok bool) {
	for i, point := range Points(r) {
		at, said := t.Says(point)
		if !said && i > 0 && isPart(point, r.Title) {
			at, said = from, true // "pnpm" of "Use pnpm, not npm"
		}
		if !said {
			return "", false
		}
		if from == "" {
			from = at
		}
	}
	return from, from != ""
}

// saysReason reports whether a text gives a reason in these words, or nearly.
func saysReason(said, reason string) bool {
	_, given, ok := CutReason(said)
	return ok && (slices.Equal(wordList(given), wordList(reason)) || SayingOf(given).Says(SayingOf(reason)))
}

// isPart reports whether each word of a short text stands in another, in a row.
func isPart(short, whole string) bool {
	a, b := wordList(short), wordList(whole)
	for i := 0; len(a) > 0 && i+len(a) <= len(b); i++ {
		if slices.Equal(a, b[i:i+len(a)]) {
			return true
		}
	}
	return false
}

func wordList(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// beginBytes is as much of a word as all its forms have, and what is written together with it.
const beginBytes = 4

// beginnings returns the first bytes of the longer words of a text, or of all if none is long. A text that
// lacks half of them says something else, which is much faster to see than what it says.
func beginnings(words []string) (all []string) {
	for _, least := range [...]int{beginBytes, 1} {
		for _, w := range words {
			if len(w) < least {
				continue
			}
			if w = text.CutBytes(w, beginBytes); !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// hasMost reports whether a text in lower case has half of some beginnings of words.
func hasMost(low string, begins []string) bool {
	n := 0
	for _, b := range begins {
		if strings.Contains(low, b) {
			n++
		}
	}
	return 2*n >= len(begins)
}
