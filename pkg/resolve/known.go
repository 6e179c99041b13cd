package resolve

import (
	"maps"
	"slices"

	"keepsake/pkg/memory"
)

// quoted returns what a draft says that was made of quotes, without a model; "" for any
// other draft, which says itself what it is to do.
func quoted(d Draft) string {
	if d.Origin != extractive || d.Category == memory.SessionSummary || d.Target != "" ||
		d.Supersedes != "" ||
		d.Intended == "delete" {
		return ""
	}
	said, _ := d.Content[quoteField(d.Category)].(string)
	return said
}

// quoteField is the field that has the quotes of an extractive draft.
func quoteField(c memory.Category) string {
	switch c {
	case memory.TechDebt:
		return "description"
	case memory.Runbook:
		return "trigger"
	}
	return mainField(c)
}

// knownAs returns the index of the active record that says all that was said already, or
// -1; and of the one that says less of the same, to which it adds, or -1. Of what is
// chosen it makes no difference whether it was kept as a decision, a preference or a
// constraint.
func (b *bench) knownAs(d Draft, quote string) (known, less int) {
	said := SayingOf(quote)
	less = -1
	for i, r := range b.records {
		if r.Status != memory.Active || r.Category != d.Category &&
			!(IsChoice(r.Category) && IsChoice(d.Category)) {
			continue
		}
		if RecordSaying(r.Record).Says(said) && (b.held == nil || !b.held(r.Path)) {
			return i, -1
		}
		main, _ := r.Content[quoteField(r.Category)].(string)
		if less < 0 && r.Category == d.Category && d.Category != memory.Runbook && main != "" &&
			said.Says(SayingOf(main).withoutReasons(r.Content)) && hasPurpose(quote) == hasPurpose(main) {
			less = i
		}
	}
	return -1, less
}

// withoutReasons returns what a text says without the reasons in it, where the record that it
// is of has reasons beside it.
func (s Saying) withoutReasons(content memory.Content) Saying {
	reason, _ := content["reason"].(string)
	list, _ := content["rationale"].([]string)
	impact, _ := content["impact"].([]string)
	if list = slices.Concat(list, impact, []string{reason}); !slices.ContainsFunc(list,
		func(r string) bool { return r != "" && r != Unsaid }) {
		return s
	}
	var kept []clause
	for _, c := range s.clauses {
		kept = append(kept, c.reasons(false))
	}
	s.clauses = kept
	return s
}

// hasPurpose reports whether a text says for what it holds: who chooses a thing for one more
// purpose does not change what was chosen in general.
func hasPurpose(text string) bool {
	return slices.ContainsFunc(sentencesOf(text), func(s sentence) bool {
		return slices.ContainsFunc(s, func(p piece) bool { return p.role == purpose })
	})
}

// addition is a draft that was made of quotes, as an update of a record that says less: what
// the quotes have no words for stays, and reasons are added to those that there are.
func addition(old memory.Record, d Draft) Draft {
	content := memory.Content{}
	for _, f := range memory.Fields(d.Category) {
		switch v := d.Content[f.Name].(type) {
		case string:
			if f.Name == quoteField(d.Category) || f.Kind == memory.Text && f.Name != "topic" && v != Unsaid {
				content[f.Name] = v
			}
		case []string:
			was, _ := old.Content[f.Name].([]string)
			list := slices.DeleteFunc(slices.Clone(was), func(s string) bool { return s == Unsaid })
			for _, s := range v {
				if s != Unsaid && !slices.Contains(list, s) {
					list = append(list, s)
				}
			}
			if len(list) > 0 {
				content[f.Name] = list
			}
		}
	}
	d.Content, d.Title, d.Tags = maps.Clone(content), "", nil
	return d
}
