package draft

import (
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// dropPlaceholders removes placeholders such as "TBD" from a draft's fields. It returns the problems of
// required fields that are now empty, and those reason fields that only say who wants it: that is no reason,
// but true if none was given. An extractive draft keeps all its texts, which were said word for word or are
// Unsaid.
func (p *coercer) dropPlaceholders(d *Draft) (problems []memory.Problem, wanted []memory.Field) {
	if d.Origin == extractive {
		return nil, nil
	}
	for _, f := range memory.Fields(d.Category) {
		said := ""
		switch v := d.Content[f.Name].(type) {
		case string:
			if f.Kind == memory.Text && isPlaceholder(v, f) {
				said = v
				delete(d.Content, f.Name)
			}
		case []string:
			var kept []string
			for _, s := range v {
				if isPlaceholder(s, f) {
					said = s
				} else {
					kept = append(kept, s)
				}
			}
			if len(kept) > 0 {
				d.Content[f.Name] = kept
				continue
			}
			if said != "" {
				delete(d.Content, f.Name)
			}
		}
		if said == "" {
			continue
		}
		name := "content." + f.Name
		if !f.Required || f.Kind == memory.List && f.Min == 0 {
			p.note(name + ": " + sayShort(said) + " says nothing, left out")
			continue
		}
		if isReason(f) && saysOnlyWho(said) {
			wanted = append(wanted, f)
		}
		problems = append(problems, memory.Problem{
			Field: name, Expected: "what was said about it", Got: sayShort(said),
			Fix: "write it in the words of the conversation, or write no draft; " + strings.ToLower(f.Label) +
				" is what makes a " + string(d.Category) + " worth keeping",
		})
	}
	if isPlaceholder(d.Title, memory.Field{Name: "title", Label: "Title"}) {
		p.note("title: " + sayShort(d.Title) + " says nothing, left out")
		d.Title = ""
	}
	return problems, wanted
}

// isPlaceholder reports whether a text only holds the place of another: "TBD", "<reason>", "…", the name of
// its field, or that nothing was said.
func isPlaceholder(s string, f memory.Field) bool {
	return isStandIn(s, f) || saysNothingSaid(s, f) || pointsAway(s) || isReason(f) && saysOnlyWho(s)
}

// pointsAway reports whether a text only refers to another text, or to a later one: "see above", "wie oben
// beschrieben", "noch offen".
func pointsAway(s string) bool {
	words := plainWords(s)
	if len(words) < 2 {
		return false
	}
	rest := words[1:]
	all := func(list string) bool {
		return !slices.ContainsFunc(rest, func(w string) bool { return !text.OneOf(w, list) })
	}
	switch {
	case text.OneOf(words[0], "see siehe as wie like vgl same vergleiche"):
		return all("above below oben unten before described mentioned stated noted said beschrieben erwähnt "+
			"gesagt genannt as wie in the der die das title titel summary conversation gespräch") &&
			!text.OneOf(rest[len(rest)-1], "as wie in the der die das") && (len(rest) > 1 ||
			text.OneOf(rest[0], "above below oben unten title titel summary"))
	case text.OneOf(words[0], "still yet noch derzeit currently aktuell is ist"):
		return all("open offen pending ausstehend undecided unentschieden noch still to be decided " +
			"determined defined clarified zu klären")
	}
	return false
}

// isReason reports whether a field holds the reason for something, not the thing itself.
func isReason(f memory.Field) bool {
	return text.OneOf(f.Name, "reason rationale reason_deferred context")
}

// saysOnlyWho reports whether a text names only who wants something, and not why: "The user said so", "user
// preference", "auf Wunsch des Nutzers".
func saysOnlyWho(s string) bool {
	who, wants := false, false
	for _, w := range plainWords(s) {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(w, "be"), "nutzer"); ok && len(rest) > 2 {
			w, who = strings.TrimPrefix(strings.TrimPrefix(rest, "s"), "-"), true // Nutzerwunsch
		}
		switch {
		case text.OneOf(w, "user users person they he she human developer nutzer nutzers nutzerin benutzer "+
			"benutzers anwender anwenders er sie"):
			who = true
		case text.OneOf(w,
			"said says say saying wants wanted asked asks requested requests told prefers preferred "+
				"decided chose stated likes demanded instructed preference preferences request wish wishes "+
				"choice decision instruction instructions order demand sagt sagte gesagt will wollte "+
				"gewollt "+
				"wünscht gewünscht wunsch möchte bat verlangt bevorzugt entschieden vorgabe präferenz "+
				"entscheidung vorliebe anweisung"):
			wants = true
		case text.OneOf(w,
			"the a an it so this that to for us me by per as of at on in is was has have had been because "+
				"explicit explicitly clear clearly stated personal personally simply just way like der die "+
				"das "+
				"des den dem es so ein eine auf von vom durch laut wie weil hat hatte ist war wurde "+
				"ausdrücklich so einfach haben"):
		default:
			return false
		}
	}
	return who && wants
}

// plainWords returns the words of a text in lower case, without punctuation.
func plainWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !isWordRune(r) && r != '\'' && r != '’'
	})
}

// isStandIn does the work of isPlaceholder for one or two words.
func isStandIn(s string, f memory.Field) bool {
	if s == "" {
		return false
	}
	inner := strings.TrimSpace(s)
	for _, pair := range [...]string{"<>", "[]", "{}", "()"} {
		if len(inner) > 2 && inner[0] == pair[0] && inner[len(inner)-1] == pair[1] &&
			!strings.ContainsAny(inner[1:len(inner)-1], pair) && inner != "[redacted]" {
			if pair == "<>" || pair == "{}" {
				return true
			}
			inner = inner[1 : len(inner)-1]
		}
	}
	fields := strings.FieldsFunc(strings.ToLower(inner),
		func(r rune) bool { return !isWordRune(r) && r != '/' })
	plain := strings.Trim(strings.Join(fields, " "), "/ ")
	if plain == strings.ToLower(f.Label) || plain == strings.ReplaceAll(f.Name, "_", " ") {
		return true
	}
	switch plain {
	case "none", "never", "no":
		return plain == "none" && f.Name != "expires"
	case "", "not recorded", "tbd", "tba", "todo", "n/a", "na", "null", "nil", "undefined", "unknown",
		"unspecified", "unclear", "placeholder", "not specified", "not stated", "not given", "not mentioned",
		"not provided", "not available", "not applicable", "not known", "not said", "not discussed",
		"not explained", "not defined", "not determined", "not yet known", "not documented", "not clear",
		"none given", "none provided", "none stated", "none mentioned", "none specified", "none recorded",
		"none known", "none listed", "no reason", "no reason given", "no reason provided", "no reason stated",
		"no rationale", "no rationale given", "no context", "no context given", "no information",
		"no details", "no details given", "to be determined", "to be decided", "to be defined", "to be done",
		"to be added", "reason here", "text", "string", "text here", "your text here", "lorem ipsum", "xxx",
		"see above", "same as above", "untitled", "no title":
		return true
	}
	return false
}

// Grounded returns an error if a draft cannot come from the words it claims to take up, those of its findings
// and of their context: it must share a name, a number or a meaningful word with them. For a noop, or without
// words, it returns nil. The error is a *memory.ValidationError.
func Grounded(d Draft, words []string) error {
	if d.Noop {
		return nil
	}
	if !alike.ShareNoWord(textOfDraft(d), strings.Join(words, "\n")) {
		return nil
	}
	said := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	return invalidDraft(memory.Problem{
		Field: "covers", Expected: "a draft of what was said: " + strconv.Quote(text.Shorten(said, 80)),
		Got: strconv.Quote(text.Shorten(titleOf(d), 80)) + ", which shares no word with it",
		Fix: "write only what the findings say that it covers, or name those that it is of",
	})
}
