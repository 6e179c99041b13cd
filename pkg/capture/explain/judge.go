package explain

import (
	"cmp"
	"slices"
	"strings"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// rescore gives what was heard so far its probability of being worth keeping, in the place of what phrases
// made of it, and its category and level by that. A request is sure whatever the model says. A moment becomes
// a statement of a category only if it is surely one. Nothing that was heard is dropped.
func (l *listening) rescore() {
	l.cut()
	for n := range l.heard {
		h := &l.heard[n]
		in, _ := l.inputOf(h)
		if h.Statement.Explicit {
			l.take(h)
			continue
		}
		c, p := l.model.Judge(&in).Worth(l.o.Off)
		if plain := h.plainWorth(&in); plain > p {
			c, p = h.Statement.Category, plain
		}
		p = l.o.Learned.Adjust(traitsOf(c, h.By, h.Statement.Cue, in.Cues), p)
		level := l.levelOf(c, p, &in)
		if h.Statement.Moment != "" && level != finding.Sure || c == "" {
			continue
		}
		l.take(h)
		h.Statement.Category, h.Statement.Moment = c, ""
		h.Statement.Score, h.Statement.Level = p, level
	}
}

// SureCategoryOf returns the category that the words of a person surely have, "" for those that would at most
// be a candidate.
func SureCategoryOf(said string, o triage.Options) (c memory.Category) {
	most := 0.0
	for _, h := range Listen(nil, typedAlone(said), o) {
		if s := h.Statement; s.Level == finding.Sure && !s.Explicit && s.Category != "" && s.Score > most {
			c, most = s.Category, s.Score
		}
	}
	return c
}

// CategoryOf returns the category of a text that somebody wants to be remembered: what it would be noticed
// as, if it surely would, and else what the model takes it for. It is "" for a text that would not even be a
// candidate.
func CategoryOf(said string, o triage.Options) (c memory.Category) {
	if c = SureCategoryOf(said, o); c != "" {
		return c
	}
	most := triage.Options{}.Cut() // however much is noticed by itself
	units := Units(nil, typedAlone(said), o)
	for i := range units {
		if as, p := score.Shipped().Judge(&units[i].Input).Worth(o.Off); p > most {
			c, most = as, p
		}
	}
	return c
}

// typedAlone returns a conversation in which a person typed a text, and nothing else was said.
func typedAlone(said string) []transcript.Entry {
	return []transcript.Entry{{Who: transcript.Person, Text: said, Offset: -1}}
}

// isBareYes reports whether a text is a yes and nothing else.
func isBareYes(said string) bool {
	words := splitWords(said)
	return affirmIn(words) && !slices.ContainsFunc(words, func(w word) bool {
		return !w.in(yesWords) && !w.in(yesPads)
	})
}

// plainWorth returns how likely it is worth keeping what a person said in plain words or chose, by the
// phrases alone, and a decision or a repair that the agent said outright; 0 for all else, for what was
// pasted, and for stories and wishes. Such statements are too few in real sessions to fit a model on. Of 22
// of persons above the threshold of the phrases, 15 stated something worth keeping; of the agent's limits and
// debts, which it reads as often as it meets them, one of 5.
func (h *Heard) plainWorth(in *score.Input) float64 {
	s := &h.Statement
	told := in.Cues.Has(cues.Story) || in.Cues.Has(cues.Wish)
	switch {
	case s.Category == "", s.Cue == Agreed, in.From == score.Plan, in.Foreign, in.Pasted, told:
		return 0
	case !h.By.Person() && s.Score < outright(s.Category):
		return 0
	}
	return triage.Probability(s.Category, s.Score)
}

// outright returns the score of the phrases from which the agent says something outright.
func outright(c memory.Category) float64 {
	switch c {
	case memory.Decision:
		return 0.6
	case memory.Runbook:
		return 0.8
	}
	return 2 // never
}

// take notes which statements are in what was heard. It may go on in the next ones with its reason.
func (l *listening) take(h *Heard) {
	at := l.unitOf(h)
	for n := max(0, at); at >= 0 && n < len(l.units) && n < at+maxJoined; n++ {
		u := &l.units[n]
		if u.Entry != h.Entry || u.Agreed || n > at && !strings.Contains(h.Statement.Text, u.Text) {
			break
		}
		l.taken[n] = true
	}
	for n := range l.units {
		if u := &l.units[n]; u.Agreed && u.Entry == h.Entry && strings.Contains(h.refers, u.Text) {
			l.taken[n] = true
		}
	}
}

// maxJoined is how many statements one may be joined of, and how many lines it may be wrapped over.
const maxJoined = 8

// unitOf returns the index of the statement in which something was heard, -1 if there is none.
func (l *listening) unitOf(h *Heard) int {
	for line := h.Statement.Line; line >= 0 && line > h.Statement.Line-maxJoined; line-- {
		first, ok := l.at[[2]int{h.Entry, line}]
		for n := first; ok && n < len(l.units); n++ {
			u := &l.units[n]
			if u.Entry != h.Entry || u.Line != line || u.Agreed {
				break
			}
			if strings.Contains(u.Text, h.Statement.Text) || strings.Contains(h.Statement.Text, u.Text) {
				return n
			}
		}
	}
	return -1
}

// maxLikely is how many statements of one entry can be candidates that nothing but the model heard, the
// likeliest. In 104 real sessions no entry has more than half as many.
const maxLikely = 40

// addLikely adds the statements that are likely worth keeping and that nothing else heard.
func (l *listening) addLikely() {
	var likely []Heard
	for n := range l.units {
		u := &l.units[n]
		if n > 0 && u.Entry != l.units[n-1].Entry {
			l.heard, likely = append(l.heard, likeliest(likely)...), likely[:0]
		}
		if l.taken[n] || saysLittle(u.Text) {
			continue
		}
		odds := l.model.Judge(&u.Input)
		if c, _ := odds.Worth(nil); l.o.Off[c] {
			continue // what it most likely is nobody wants
		}
		c, p := odds.Worth(l.o.Off)
		if w := ruleWorth(u); w > p && !l.o.Off[memory.Preference] {
			c, p = memory.Preference, w
		}
		p = l.o.Learned.Adjust(traitsOf(c, u.By, "", u.Cues), p)
		if c == "" || p < l.o.Cut() {
			continue
		}
		by := triage.Assistant
		if u.By.Person() {
			by = triage.Person
		}
		likely = append(likely, Heard{
			Statement: triage.Statement{Text: u.Text, By: by, ID: l.entries[u.Entry].UUID, Passage: u.Entry,
				Line: u.Line, Category: c, Score: p, Cue: l.model.Cue(&u.Input, c),
				Level: l.levelOf(c, p, &u.Input)},
			Entry: u.Entry, Text: u.Text, By: u.By, likely: true,
		})
		if u.Agreed {
			h := &likely[len(likely)-1]
			h.Statement.ID, h.Source = l.all[u.offer].UUID, max(0, l.all[u.offer].Offset)
		}
	}
	l.heard = append(l.heard, likeliest(likely)...)
}

// ruleWorth returns how likely it is worth keeping at least, in any language, that a person says that
// something is to hold from now on: too seldom and too short for the model. In written dialogues 5 of 6 are;
// the table of phrases gives "from now on" .73. Without another word of a rule, it may tell what happens:
// "from now on it works". It returns 0 for any other statement.
func ruleWorth(u *Unit) float64 {
	switch {
	case u.From != score.Typed || u.Pasted || u.Foreign || u.Question || u.Heading,
		!u.Cues.Has(cues.Lasting) || u.Cues.Has(cues.Story) || u.Cues.Has(cues.Wish):
		return 0
	case u.Cues.Has(cues.Rule) && !u.Cues.Has(cues.Praise):
		return 0.65
	}
	return 0.3
}

// likeliest returns the maxLikely likeliest of what was heard in one entry, each text once.
func likeliest(all []Heard) []Heard {
	if len(all) > maxLikely {
		slices.SortStableFunc(all, func(x, y Heard) int {
			return cmp.Compare(y.Statement.Score, x.Statement.Score)
		})
		all = all[:maxLikely]
	}
	var once []Heard
	for _, h := range all {
		if !slices.ContainsFunc(once, func(x Heard) bool { return x.Text == h.Text }) {
			once = append(once, h)
		}
	}
	return once
}

// saysLittle reports whether a text has fewer than three words, and so states nothing by itself.
func saysLittle(said string) bool {
	words, dense := 0, 0
	for range strings.FieldsSeq(said) {
		words++
	}
	for _, r := range said {
		if text.IsUnspaced(r) {
			dense++
		}
	}
	words += dense / 3 // in scripts without blanks a word is about three characters
	return words < 3
}

// levelOf returns how sure a statement is. A heading, a question, what only leads to a list and a yes without
// what it agrees to state nothing by themselves.
func (l *listening) levelOf(c memory.Category, p float64, in *score.Input) finding.Level {
	if p < l.o.Threshold(c) || in.Heading || in.Question && in.From != score.Answer ||
		strings.HasSuffix(strings.TrimRight(in.Text, " *_"), ":") || saysLittle(in.Text) ||
		in.From == score.Typed && isBareYes(in.Text) {
		return finding.Candidate
	}
	return finding.Sure
}
