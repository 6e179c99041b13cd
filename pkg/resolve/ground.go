package resolve

import (
	"strconv"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// dropPlaceholders takes what stands for nothing out of a draft's fields, such as
// "TBD", and returns the problems of the required ones. An extractive draft keeps what it
// has: its texts were said, word for word, or are Unsaid.
func (p *coercer) dropPlaceholders(d *Draft) (problems []memory.Problem) {
	if d.Origin == extractive {
		return nil
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
			p.note(name + ": " + say(said) + " says nothing, left out")
			continue
		}
		problems = append(problems, memory.Problem{
			Field: name, Expected: "what was said about it", Got: say(said),
			Fix: "write it in the words of the conversation, or write no draft; " + strings.ToLower(f.Label) +
				" is what makes a " + string(d.Category) + " worth keeping",
		})
	}
	if isPlaceholder(d.Title, memory.Field{Name: "title", Label: "Title"}) {
		p.note("title: " + say(d.Title) + " says nothing, left out")
		d.Title = ""
	}
	return problems
}

// isPlaceholder reports whether a text only stands where another should: "TBD",
// "<reason>", "…", the name of its field, or that nothing was said of it.
func isPlaceholder(s string, f memory.Field) bool {
	return isStandIn(s, f) || saysNothingSaid(s, f)
}

// isStandIn is isPlaceholder for a word or two.
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
		"unspecified", "unclear", "placeholder",
		"not specified", "not stated", "not given", "not mentioned", "not provided", "not available",
		"not applicable", "not known", "not said",
		"not discussed", "not explained", "not defined", "not determined", "not yet known",
		"not documented", "not clear",
		"none given", "none provided", "none stated", "none mentioned", "none specified", "none recorded",
		"none known", "none listed",
		"no reason", "no reason given", "no reason provided", "no reason stated", "no rationale",
		"no rationale given", "no context", "no context given",
		"no information", "no details", "no details given", "to be determined", "to be decided",
		"to be defined", "to be done", "to be added",
		"reason here", "text", "string", "text here", "your text here", "lorem ipsum", "xxx", "see above",
		"same as above", "untitled", "no title":
		return true
	}
	return false
}

// Grounded returns why a draft can't be of the words that it says it takes up, those of
// its findings and of what explains them, nil when it can: it has to share a name, a
// number or a word that says something with them. It can't be told of a noop, and where
// there are no words. An error is a *memory.ValidationError.
func Grounded(d Draft, words []string) error {
	if d.Noop {
		return nil
	}
	said := bagOf(strings.Join(words, "\n"))
	says := bagOf(textOfDraft(d))
	if len(said) == 0 || len(says) == 0 {
		return nil
	}
	for _, w := range says {
		if _, ok := said.find(w); ok && !isWeakWord(w.root) {
			return nil
		}
	}
	said0 := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	return invalid(memory.Problem{
		Field: "covers", Expected: "a draft of what was said: " + strconv.Quote(text.Shorten(said0, 80)),
		Got: strconv.Quote(text.Shorten(titleOf(d), 80)) + ", which shares no word with it",
		Fix: "write only what the findings say that it covers, or name those that it is of",
	})
}
