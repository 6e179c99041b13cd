package draft

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// withIDs returns a draft whose target and supersedes are ids, even if they were titles.
func (b *bench) withIDs(d Draft) Draft {
	d.Target, d.Supersedes = b.idOf(d.Category, d.Target), b.idOf(d.Category, d.Supersedes)
	return d
}

// idOf returns the id of the record of a category that a name means: its id, its title, or the slug of that.
// If the name fits no record, or two, it is returned unchanged.
func (b *bench) idOf(c memory.Category, name string) string {
	if name == "" || c.Folder() == "" {
		return name
	}
	is := func(same func(memory.Stored) bool) (id string, ok bool) {
		for _, r := range b.records {
			if r.Category == c && same(r) {
				if ok {
					return "", false
				}
				id, ok = r.ID, true
			}
		}
		return id, ok
	}
	if _, ok := is(func(r memory.Stored) bool { return r.ID == name }); ok {
		return name
	}
	title := memory.CleanTitle(name)
	for _, same := range [...]func(memory.Stored) bool{
		func(r memory.Stored) bool { return r.Status == memory.Active && strings.EqualFold(r.Title, title) },
		func(r memory.Stored) bool { return r.ID == memory.Slug(name) },
	} {
		if id, ok := is(same); ok {
			return id
		}
	}
	return name
}

// supersededBy returns the index of the active record that a draft claims to replace, or -1, and how that
// is known.
func (b *bench) supersededBy(d Draft, o *Outcome) (int, string) {
	id := d.Supersedes
	reverses := slices.Contains(d.Hints, "reversed") || slices.Contains(d.Hints, "superseded")
	if id == "" && d.Category.IsChoice() && reverses && d.Intended != "delete" {
		id = d.Target
	}
	if id == "" || d.Category == memory.SessionSummary {
		return -1, ""
	}
	i, why := b.named(d, id)
	if i >= 0 {
		return i, byName
	}
	if id == d.Supersedes { // candidate reports what is wrong with a target
		o.Notes = append(o.Notes, "supersedes: "+why)
	}
	return -1, ""
}

// supersede makes a record of the draft in place of the one at index i, which is retired: two edits in one
// plan. Nothing is carried over from the old one. A draft that does not say what holds now only retires it.
func (b *bench) supersede(i int, d Draft, o Outcome, why string) Outcome {
	old := b.records[i]
	if !b.mayEnd(i, d, true) {
		return b.refuseUnbacked(i, o)
	}
	if !saysChoice(d) { // that it ended is no choice of a branch
		return b.retireRecord(i, d, o, why)
	}
	d = asNewRecord(old.Record, d, &o)
	o = b.createRecord(d, o, old.Path)
	if o.State == Nothing && o.Path == old.Path || o.State != Create && o.State != Nothing {
		return o
	}
	if b.isElsewhere(old.Record) {
		o.Notes = append(o.Notes, "stands beside "+old.Path+", which holds where branch "+b.Branch.Name+
			" is not merged")
		return o
	}
	by, reason := o.Path, o.Reason
	r := retiredRecord(b.records[i].Record, d, memory.Stamp(b.Now))
	r.SupersededBy = by
	r.Changes[len(r.Changes)-1].Summary = text.Shorten("Superseded by "+by+": "+changeSummary(d),
		memory.MaxSummary)
	end := b.putRecord(i, r, plan.Retire, Outcome{Category: o.Category}, "")
	if end.State != Retire {
		// The new record stays. Opposed records are shown as such, but a lost one is missed.
		o.Notes = append(o.Notes, "stands beside "+old.Path+", which could not be retired: "+end.Reason)
		return o
	}
	if o.State == Nothing {
		end.Supersedes, end.Notes = old.Path, append(o.Notes, "what takes its place is recorded already: "+by)
		end.Reason = reason
		return end
	}
	o.Supersedes, o.Replaced = old.Path, old.Title
	o.Reason = "takes the place of " + old.Path + ", which is retired"
	if why != "" && why != byName {
		o.Notes = append(o.Notes, why)
	}
	return o
}

// isElsewhere reports whether a record counts on other branches than the one on which the drafts were made.
func (b *bench) isElsewhere(old memory.Record) bool {
	return b.Branch != nil && old.Category.IsBound() &&
		(old.Branch == nil || old.Branch.Name != b.Branch.Name)
}

// saysChoice reports whether a draft states a choice that holds now.
func saysChoice(d Draft) bool {
	if d.Category.IsChoice() {
		_, ok := d.Content[d.Category.ChoiceField()]
		return ok
	}
	return len(d.Content) > 0
}

// asNewRecord returns a draft that was written as an update, completed with its own words: its summary is
// used if it gives no reason. Only the subject and the severity come from the old record.
func asNewRecord(old memory.Record, d Draft, o *Outcome) Draft {
	d.Content = maps.Clone(d.Content)
	for _, f := range memory.Fields(d.Category) {
		if _, said := d.Content[f.Name]; said || !f.Required {
			continue
		}
		switch {
		case f.Name == "topic" || f.Kind == memory.Enum && f.Name != "status":
			if v, ok := old.Content[f.Name]; ok {
				d.Content[f.Name] = v
			}
			continue
		case f.Kind == memory.Text:
			d.Content[f.Name] = d.Summary
		case f.Kind == memory.List && f.Min > 0:
			d.Content[f.Name] = []string{d.Summary}
		default:
			continue
		}
		o.Notes = append(o.Notes, "content."+f.Name+": not said, the summary was taken")
	}
	if s, _ := d.Content["status"].(string); d.Category == memory.Decision &&
		(s == "superseded" || s == "deprecated") {
		d.Content["status"] = "accepted" // "superseded" was meant for the old one
	}
	main, _ := d.Content[d.Category.ChoiceField()].(string)
	if d.Title == "" || main != "" && alike.NamesOther(d.Title, main, old.Title) {
		if main != "" {
			d.Title = alike.Headline(strings.Join(strings.Fields(main), " "))
		}
	}
	return d
}

// mayEnd reports whether a draft may end the record at index i. Without a person's words a draft cannot end
// what a person said. always applies this to records of unknown origin too.
func (b *bench) mayEnd(i int, d Draft, always bool) bool {
	if d.Backed && (!always || d.against(b.records[i])) {
		return true
	}
	if _, persons := b.saidOf(i); persons {
		return false
	}
	origin := ""
	if p := b.records[i].Provenance; p != nil {
		origin = p.Origin
	}
	switch origin {
	case "agent", "tainted", "none": // the values of finding.Origin
		return true
	case ByHand, "person": // the name in older versions
		return false
	}
	return !always
}

// against reports whether a person's words behind a draft speak against a record: they were heard as such, or
// they make another choice. Mentioning the same thing is not enough.
func (d Draft) against(r memory.Stored) bool {
	if d.Approved || slices.Contains(d.Against, r.Path) {
		return true
	}
	choice := cmp.Or(r.MainText(), r.Title)
	return slices.ContainsFunc(d.Said, func(s string) bool { return alike.OtherChoice(choice, s) })
}

// turnsDown reports whether a person's words behind a draft replace a record's choice with another, rather
// than add to it.
func (d Draft) turnsDown(r memory.Stored) bool {
	return slices.Contains(d.Against, r.Path) || slices.ContainsFunc(d.Said, func(s string) bool {
		said := memory.Record{Category: r.Category, Content: memory.Content{r.Category.ChoiceField(): s}}
		return alike.Opposed(r.Record, said)
	})
}

// refuseUnbacked refuses a draft that would end a person's statement without a person's words for it.
func (b *bench) refuseUnbacked(i int, o Outcome) Outcome {
	old := b.records[i]
	o.Supersedes = old.Path
	return o.Refuse(&memory.Refusal{Code: memory.CodeUnbacked, Problem: memory.Problem{
		Field: "supersedes", Expected: "words of a person against " + old.Path + " (" +
			text.Shorten(old.Title, 80) + ")", Got: "none",
		Fix: "ask the person: only what they say themselves takes the place of it",
	}})
}

// refuseUnfit ends a draft whose update would make the memory unfit to be shown.
func (o Outcome) refuseUnfit(old memory.Stored, why string) Outcome {
	return o.Refuse(&memory.Refusal{Code: memory.CodeUnbacked, Problem: memory.Problem{
		Field: "content", Expected: "words that somebody said, since " + old.Path + " (" +
			text.Shorten(old.Title, 80) + ") is told of", Got: why,
		Fix: "say only what was said, or ask the person: with their yes it is added",
	}})
}

// replacesChoice reports whether an update makes another choice than the record, rather than saying more
// about it.
func replacesChoice(old memory.Record, d Draft) bool {
	field := old.Category.ChoiceField()
	was, _ := old.Content[field].(string)
	now, _ := d.Content[field].(string)
	if field == "" || was == "" || now == "" || strings.Contains(now, was) {
		return false
	}
	return alike.OtherChoice(was, now)
}
