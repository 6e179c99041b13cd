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

// Told is what somebody has been told, text by text, each with where it stands. A text is only taken apart
// when it may say what is asked for. The zero Told is nothing.
type Told struct {
	// Split returns the statements of a text that was added. If it is nil, the text is one.
	Split func(text string) []string

	texts []toldText
}

type toldText struct {
	from, low string
	text      string
	record    *memory.Record // nil for a text
	says      []toldPoint    // nil before it was needed
}

// A toldPoint is something that was told.
type toldPoint struct {
	text string
	says Saying
}

// Add adds a text, such as an item of a list or a paragraph.
func (t *Told) Add(from, text string) {
	if strings.TrimSpace(text) != "" {
		t.texts = append(t.texts, toldText{from: from, text: text, low: strings.ToLower(text)})
	}
}

// AddRecord adds a record.
func (t *Told) AddRecord(from string, r memory.Record) {
	low := strings.ToLower(strings.Join(Points(r), "\n") + "\n" + r.Body())
	t.texts = append(t.texts, toldText{from: from, low: low, record: &r})
}

// points returns what one of the texts says.
func (t *Told) points(of *toldText) []toldPoint {
	switch {
	case of.says != nil:
	case of.record != nil: // each of its points with all that it says
		says := RecordSaying(*of.record)
		for _, p := range Points(*of.record) {
			of.says = append(of.says, toldPoint{p, says})
		}
	default:
		texts := []string{of.text}
		if t.Split != nil {
			texts = t.Split(of.text)
		}
		for _, text := range texts {
			of.says = append(of.says, toldPoint{text, SayingOf(text)})
		}
	}
	return of.says
}

// Says returns where a statement was told: all of it, in one of the texts. In doubt ok is false.
func (t *Told) Says(statement string) (from string, ok bool) {
	words := wordList(text.WithoutLeadIn(statement))
	begins := beginnings(words)
	if len(begins) == 0 {
		return "", false
	}
	var said, claim *Saying // claim is without its reason
	before, reason, _ := CutReason(statement)
	for i := range t.texts {
		told := &t.texts[i]
		if !hasMost(told.low, begins) {
			continue
		}
		if said == nil {
			all, short := SayingOf(statement), SayingOf(before)
			said, claim = &all, &short
		}
		if slices.ContainsFunc(t.points(told), func(p toldPoint) bool {
			return !turnsAround(p.text, words) && (p.says.Says(*said) ||
				slices.Equal(wordList(text.WithoutLeadIn(p.text)), words) || // too little for Says
				reason != "" && saysReason(p.text, reason) && p.says.Says(*claim))
		}) {
			return told.from, true
		}
	}
	return "", false
}

// Holds returns where a statement was told in its own words and their order, perhaps with more behind them.
// Its reason may stand on a line of its own, as "**Why:** ...". Says takes other words as well, which may be
// an exception or turn from and to around.
func (t *Told) Holds(statement string) (from string, ok bool) {
	words := wordList(text.WithoutLeadIn(statement))
	begins := beginnings(words)
	if len(begins) == 0 {
		return "", false
	}
	before, reason, _ := CutReason(statement)
	claim, why := wordList(text.WithoutLeadIn(before)), wordList(reason)
	for i := range t.texts {
		told := &t.texts[i]
		if !hasMost(told.low, begins) {
			continue
		}
		holds := func(words []string) bool {
			return slices.ContainsFunc(t.points(told), func(p toldPoint) bool {
				said := wordList(text.WithoutLeadIn(p.text))
				if len(said) > 0 && said[0] == "why" {
					said = said[1:]
				}
				return len(said) >= len(words) && slices.Equal(said[:len(words)], words)
			})
		}
		if holds(words) || len(why) > 0 && len(claim) > 0 && holds(claim) && holds(why) {
			return told.from, true
		}
	}
	return "", false
}

// turnsAround reports whether a text begins with what takes back or ends the statement of these words that
// follows: "It is wrong to", "Until May:", "Rejected:".
func turnsAround(told string, words []string) bool {
	for _, w := range wordList(told) {
		if slices.Contains(words, w) {
			return false
		}
		if text.OneOf(w, "wrong false untrue rejected refused dropped abandoned superseded obsolete "+
			"outdated deprecated until till formerly previously once never nobody avoid stop stopped") {
			return true
		}
	}
	return false
}

// SaysRecord returns where a record was told, each of its points. If they stand in several places it is the
// first one. A point that is a part of another one adds nothing: "pnpm" of "Use pnpm, not npm", and a title
// that was cut from what it names.
func (t *Told) SaysRecord(r memory.Record) (from string, ok bool) {
	points := Points(r)
	for i, point := range points {
		if slices.Contains(points[:i], point) || slices.ContainsFunc(points, func(p string) bool {
			return len(p) > len(point) && isPart(point, p)
		}) {
			continue
		}
		at, said := t.Says(point)
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

// isPart reports whether the words of a short text stand in another in a row.
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
	need := (len(begins) + 1) / 2
	for i, b := range begins {
		if need == 0 || need > len(begins)-i {
			break
		}
		if strings.Contains(low, b) {
			need--
		}
	}
	return need == 0
}
