package draft

import (
	"maps"
	"slices"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

// quotedText returns the quotes of a draft that was made of them without a model, or "" for any other draft,
// which states its own intent.
func quotedText(d Draft) string {
	if d.Origin != extractive || d.Category == memory.SessionSummary || d.Target != "" ||
		d.Supersedes != "" ||
		d.Intended == "delete" {
		return ""
	}
	said, _ := d.Content[quoteField(d.Category)].(string)
	return said
}

// quoteField returns the field with the quotes of an extractive draft.
func quoteField(c memory.Category) string {
	switch c {
	case memory.TechDebt:
		return "description"
	case memory.Runbook:
		return "trigger"
	}
	return c.ChoiceField()
}

// knownAs returns the index of the active record that says all of it already, and of a record that says less
// of the same, to which the draft adds; -1 for none. It does not matter whether a choice was saved as a
// decision, a preference or a constraint.
func (b *bench) knownAs(d Draft, quote string) (known, less int) {
	said := alike.SayingOf(quote)
	less = -1
	for i, r := range b.records {
		if r.Status != memory.Active || r.Category != d.Category &&
			!(r.Category.IsChoice() && d.Category.IsChoice()) {
			continue
		}
		if alike.RecordSaying(r.Record).Says(said) && (b.Held == nil || !b.Held(r.Path)) {
			return i, -1
		}
		main, _ := r.Content[quoteField(r.Category)].(string)
		if less >= 0 || r.Category != d.Category || d.Category == memory.Runbook || main == "" {
			continue
		}
		// A purpose that only one of them has is a difference, unless it is in other words there: "for the
		// queue" and "switch the queue to".
		old := mainSaying(main, r.Content)
		if said.Says(old) && (alike.HasPurpose(quote) == alike.HasPurpose(main) ||
			old.Says(said.WithoutReasons())) {
			less = i
		}
	}
	return -1, less
}

// mainSaying returns what the main text of a record says, without its reasons if the record has reasons in
// another field.
func mainSaying(main string, content memory.Content) alike.Saying {
	reason, _ := content["reason"].(string)
	list, _ := content["rationale"].([]string)
	impact, _ := content["impact"].([]string)
	said := alike.SayingOf(main)
	if slices.ContainsFunc(slices.Concat(list, impact, []string{reason}),
		func(r string) bool { return r != "" && r != Unsaid }) {
		return said.WithoutReasons()
	}
	return said
}

// asAddition returns a draft made of quotes as an update of a record that says less: what the quotes do not
// mention stays, and their reasons are added.
func asAddition(old memory.Record, d Draft) Draft {
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
