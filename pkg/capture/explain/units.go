package explain

import (
	"slices"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// A Unit is one statement of a conversation, and what the model is told of it.
type Unit struct {
	Entry int // index of the new entry that it is from
	Line  int // of the text
	By    finding.Speaker
	// Offsets are those of the lines of the transcript that have its words: its own, and that of what a pick
	// refers to.
	Offsets []int64
	// Agreed is set where the statement is the agent's, of before, and the person's yes is the new entry.
	Agreed bool
	offer  int // then: index of the agent's entry in all
	score.Input
}

// Units returns every statement of new entries, with what there is to know of each: all that Listen judges.
// before is as in Listen.
func Units(before Earlier, entries []transcript.Entry, o triage.Options) (all []Unit) {
	l := listening{entries: entries, before: before, o: o}
	l.hear()
	l.cut()
	all = l.units
	for n, u := range all {
		all[n].Offsets = l.offsets(Heard{Entry: u.Entry})
		if u.Agreed {
			all[n].Offsets = append(all[n].Offsets, l.all[u.offer].Offset)
		}
	}
	for i := range l.heard {
		h := &l.heard[i]
		in, at := l.inputOf(h)
		switch {
		case h.Statement.Explicit || h.Statement.Moment != "":
			continue
		case at >= 0 && in.Text == all[at].Text:
			all[at].Input = in
			continue
		}
		all = append(all, Unit{Entry: h.Entry, Line: h.Statement.Line, By: h.By, Input: in,
			Offsets: l.offsets(*h)})
	}
	return all
}

// Reasons returns the odds of a statement by this build's model, and what speaks most for a category in it or
// against it.
func (u *Unit) Reasons(c memory.Category) (score.Odds, []score.Reason) {
	return score.Shipped().Explain(&u.Input, c, eventNames[:])
}

// Strongest returns the n named features that speak most for a category in a model.
func Strongest(m *score.Model, c memory.Category, n int) []score.Reason {
	return m.Strongest(c, n, eventNames[:])
}

// offsets returns those of the lines that have the words of a statement.
func (l *listening) offsets(h Heard) []int64 {
	all := []int64{l.entries[h.Entry].Offset}
	if at := l.source(h); at > 0 {
		all = append(all, at)
	}
	return all
}

// replyBytes is how much of the last words of the other side tell what a statement answers.
const replyBytes = 400

// cut cuts the new entries into statements, and what the agent said before if the person agrees to it now:
// that means more than it did.
func (l *listening) cut() {
	all := l.since(0)
	h := happenedIn(all, l.shift)
	count := 0
	for _, p := range l.cutOf {
		count += len(p.units)
	}
	units := make([]Unit, 0, count)
	var reply [2]cues.Set // the last words of the agent, of the person
	for i, e := range l.entries {
		for _, p := range passagesOf(e) {
			other := 0
			if p.from == score.Agent {
				other = 1
			}
			for _, u := range unitsOf(p, l.cutText(i, p, e.UUID)) {
				u.Entry, u.Reply, u.Events = i, reply[other], uint32(h.at(l.shift+i))
				units = append(units, u)
			}
			if p.from == score.Agent {
				reply[0] = cues.Find(text.LastBytes(p.text, replyBytes))
			} else {
				reply[1] = cues.Find(text.CutBytes(p.text, replyBytes))
			}
		}
		for _, x := range h.taken {
			if x.by != l.shift+i || x.offer >= l.shift {
				continue
			}
			offered := passage{offerOf(all[x.offer]), score.Agent, finding.Agent}
			said := triage.Passage{By: triage.Assistant, Text: offered.text, ID: all[x.offer].UUID}
			for _, u := range unitsOf(offered, triage.Units(said)) {
				u.Entry, u.Agreed, u.offer, u.Events = i, true, x.offer, uint32(h.at(x.offer))
				units = append(units, u)
			}
		}
	}
	l.units, l.taken, l.at = units, make([]bool, len(units)), make(map[[2]int]int, len(units))
	for n, u := range slices.Backward(units) {
		if !u.Agreed {
			l.at[[2]int{u.Entry, u.Line}] = n
		}
	}
}

// unitsOf returns the statements that a passage was cut into, each with what it shows by itself.
func unitsOf(p passage, units []triage.Unit) (all []Unit) {
	under, heading := cues.Set(0), ""
	foreign := foreignLines(p)
	all = make([]Unit, 0, len(units))
	for n, u := range units {
		if u.Under != heading {
			heading, under = u.Under, cues.Find(u.Under)
		}
		x := Unit{Line: u.Line, By: p.by, Input: score.Input{
			Text: u.Text, From: p.from, Heading: u.Heading, Item: u.Item, Question: u.Question,
			Index: n, Of: len(units), Size: len(p.text), Table: u.Scores, Cues: cues.Find(u.Text),
		}}
		if u.Under != "" {
			x.Under = under
		}
		x.Pasted = p.from == score.Typed && u.Pasted
		x.Foreign = u.Line < len(foreign) && foreign[u.Line]
		all = append(all, x)
	}
	for n := range all {
		if n > 0 {
			all[n].Before = all[n-1].Cues
		}
		if n+1 < len(all) {
			all[n].After = all[n+1].Cues
		}
	}
	return all
}

// A heardPassage is what was heard of an entry, and its units.
type heardPassage struct {
	triage.Passage
	units []triage.Unit
}

// cutText cuts what is said in a new entry, unless that was done when it was heard.
func (l *listening) cutText(entry int, p passage, id string) []triage.Unit {
	said := triage.Passage{By: p.speaker(), Text: p.text, ID: id}
	if h := l.cutOf[entry]; h.Passage == said {
		return h.units
	}
	return triage.Units(said)
}

// passage is what one side says in an entry.
type passage struct {
	text string
	from score.Source
	by   finding.Speaker
}

func (p passage) speaker() triage.Speaker {
	if p.by == finding.Typed {
		return triage.Person
	}
	return triage.Assistant
}

// passagesOf returns what is said in an entry: a person's own words, the plan that they approved, the agent's
// text.
func passagesOf(e transcript.Entry) (ps []passage) {
	switch {
	case e.Who == transcript.Person && e.Asked != nil:
		if !e.Asked.Chose(e.Text) {
			ps = append(ps, passage{e.Text, score.Answer, finding.Typed})
		}
	case e.Who == transcript.Person && e.Refused:
		ps = append(ps, passage{e.Text, score.Refusal, finding.Typed})
	case e.Who == transcript.Person:
		if own := e.Own(); own != "" {
			ps = append(ps, passage{own, score.Typed, finding.Typed})
		}
		if e.Plan != "" {
			ps = append(ps, passage{e.Plan, score.Plan, finding.Chosen})
		}
	case e.Who == transcript.Assistant && e.Tool == "" && e.Text != "":
		ps = append(ps, passage{e.Text, score.Agent, finding.Agent})
	}
	return ps
}

// inputOf returns what the model is told of something that was heard: as the statement that has its words,
// with what they refer to.
func (l *listening) inputOf(h *Heard) (in score.Input, at int) {
	at = l.unitOf(h)
	in = score.Input{From: score.Typed, Of: 1, Size: len(h.Text)}
	if at >= 0 {
		in = l.units[at].Input
	}
	if h.Text != in.Text {
		in.Text, in.Cues = h.Text, cues.Find(h.Text)
	}
	in.Heard = heardBy(h)
	switch {
	case h.Statement.Cue == Answered:
		in.From = score.Answer
	case h.refers != "":
		in.From = score.Picked
	case l.entries[h.Entry].Plan != "" && h.By == finding.Chosen:
		in.From = score.Plan
	}
	return in, at
}

// heardBy returns what heard a statement.
func heardBy(h *Heard) score.Heard {
	switch h.Statement.Cue {
	case Answered:
		return score.ByAnswer
	case Picked:
		return score.ByOption
	case Agreed:
		return score.ByAgreement
	case Planned:
		return score.ByPlan
	case Mended:
		return score.ByRepair
	case Refused:
		return score.ByRefusal
	case Reverted:
		return score.ByReversal
	}
	return score.ByPhrase
}
