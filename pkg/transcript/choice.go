package transcript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// settle adds what a person said by letting a call of one of the asking tools pass:
// their answers, or their yes to a plan. It reports whether there was any.
func (p *parsed) settle(r record, text string, e Entry) bool {
	if e.Call == nil || r.decided != "" && !strings.HasPrefix(r.decided, "user") {
		return false // a hook or a setting said yes
	}
	switch e.Call.Tool {
	case askTool:
		return p.answers(r, text, e)
	case planTool:
		e.Plan = approvedPlan(r, text, e.Call.Plan)
		if e.Plan == "" {
			return false
		}
		e.Call = nil
		p.entries = append(p.entries, e.withText(""))
		return true
	}
	return false
}

func (e Entry) withText(text string) Entry {
	e.Text = text
	return e
}

// approvedPlan returns the plan that a person said yes to, with their changes.
func approvedPlan(r record, text, called string) string {
	if plan := r.result.Get("plan"); plan.Type == gjson.String && strings.TrimSpace(plan.Str) != "" {
		return cut(Person, strings.TrimSpace(plan.Str))
	}
	if !strings.HasPrefix(text, "User has approved") {
		return ""
	}
	if _, after, ok := strings.Cut(text, "\n## Approved Plan"); ok {
		_, plan, _ := strings.Cut(after, "\n")
		return cut(Person, strings.TrimSpace(plan))
	}
	return called
}

// How the client joins a plan that was approved with what it says itself, in the
// prompt by which a cleared conversation begins.
const (
	planOpening  = "Implement the following plan:"
	planClosing  = "\n\nIf you need specific details from before exiting plan mode"
	planFeedback = "\n\nUser feedback on this plan: "
)

// handedPlan takes a prompt that hands over a plan apart: the person's text without
// what the client added, and the plan. The client's own record of it is known as plan.
func handedPlan(text, plan string) (rest, handed string) {
	body, ok := strings.CutPrefix(text, planOpening)
	if !ok {
		return text, cut(Person, strings.TrimSpace(plan))
	}
	said := ""
	if before, after, ok := strings.Cut(body, planClosing); ok {
		_, said, _ = strings.Cut(after, planFeedback)
		body = before
		text = strings.TrimSpace(planOpening+body) + strings.TrimRight("\n\n"+strings.TrimSpace(said), "\n")
	}
	return text, cut(Person, cmp.Or(strings.TrimSpace(plan), strings.TrimSpace(body)))
}

// planBefore is what stands before the name of the transcript in which a plan was made.
const planBefore = "read the full transcript at: "

// Handed reports whether a Person handed over a plan here, by the prompt that begins a
// cleared conversation.
func (e Entry) Handed() bool { return e.Plan != "" && strings.HasPrefix(e.Text, planOpening) }

// PlannedIn returns the transcript that a prompt which hands over a plan names as the one
// in which it was made, "" for none.
func PlannedIn(prompt string) string {
	_, after, ok := strings.Cut(prompt, planClosing)
	if !ok {
		return ""
	}
	_, path, _ := strings.Cut(after, planBefore)
	path, _, _ = strings.Cut(path, "\n")
	return strings.TrimSpace(path)
}

// notesOnly is the client's answer where nothing but a note was given.
const notesOnly = "(notes only)"

// answers adds an entry for each question that was answered.
func (p *parsed) answers(r record, text string, e Entry) bool {
	asked, call := questions(r.result.Get("questions")), e.Call
	if len(asked) == 0 {
		asked = call.Asks
	}
	if r.result.Get("afkTimeoutMs").Exists() || len(asked) == 0 {
		return false // the client went on because nobody was there
	}
	e.Call = nil
	before := len(p.entries)
	for i := range asked {
		answer, notes := r.answer(asked[i].Question, asked, text)
		chosen := asked[i].read(answer)
		if notes = strings.TrimSpace(notes); notes != "" && !slices.Contains(answer, notes) {
			chosen = append(chosen, notes)
		}
		if len(chosen) == 0 {
			continue
		}
		if said := cut(Person, strings.Join(chosen, "; ")); said != "" {
			e.Asked = &asked[i]
			p.entries = append(p.entries, e.withText(said))
		}
	}
	if said := cut(Person, strings.TrimSpace(r.result.Get("response").Str)); said != "" {
		e.Asked = &asked[0]
		p.entries = append(p.entries, e.withText(said))
	}
	return len(p.entries) > before
}

// answer returns what was answered to a question, and the person's note on it: as the
// client recorded them, or as it told the model.
func (r record) answer(question string, asked []Asked, text string) (answer []string, notes string) {
	if given := r.result.Get("answers"); given.IsObject() {
		answer = stringsOf(member(given, question))
		return answer, member(r.result.Get("annotations"), question).Get("notes").Str
	}
	_, after, ok := strings.Cut(text, `"`+question+`"="`)
	if !ok {
		return nil, ""
	}
	ends := []string{`". You can now continue`, `". Read the answers`, `" selected preview:`}
	for _, a := range asked {
		ends = append(ends, `", "`+a.Question+`"="`)
	}
	for _, mark := range []string{`" user notes: `, `" notes: `} {
		if said, rest, ok := strings.Cut(after, mark); ok && first(said, ends) == len(said) {
			for i := range ends {
				ends[i] = strings.TrimPrefix(ends[i], `"`)
			}
			return []string{said}, strings.TrimSpace(rest[:first(rest, ends)])
		}
	}
	after = after[:first(after, ends)]
	return []string{strings.TrimSuffix(after, `"`)}, ""
}

// first returns where the first of the marks begins in text, or its length.
func first(text string, marks []string) int {
	at := len(text)
	for _, m := range marks {
		if i := strings.Index(text, m); i >= 0 {
			at = min(at, i)
		}
	}
	return at
}

// member returns the value of a key, whatever characters are in it.
func member(object gjson.Result, key string) (v gjson.Result) {
	object.ForEach(func(k, x gjson.Result) bool {
		if strings.TrimSpace(k.Str) == key {
			v = x
			return false
		}
		return true
	})
	return v
}

// stringsOf returns a string or the strings of an array.
func stringsOf(v gjson.Result) (all []string) {
	if v.IsArray() {
		for _, x := range v.Array() {
			all = append(all, x.Str)
		}
		return all
	}
	if v.Str != "" {
		all = append(all, v.Str)
	}
	return all
}

// read returns what an answer says: of options their labels with their descriptions,
// else the person's own words. Several labels may be joined by commas.
func (a Asked) read(answer []string) (chosen []string) {
	for _, words := range answer {
		if words = strings.TrimSpace(words); words == "" || words == notesOnly {
			continue
		}
		if said, ok := a.option(words); ok {
			chosen = append(chosen, said)
			continue
		}
		for words != "" && a.Multi {
			said, rest, ok := a.leading(words)
			if !ok {
				break
			}
			chosen, words = append(chosen, said), rest
		}
		if words != "" {
			chosen = append(chosen, words)
		}
	}
	return chosen
}

// option returns what the option of a label says.
func (a Asked) option(label string) (string, bool) {
	for _, o := range a.Options {
		if strings.TrimSpace(o.Label) == label {
			return o.String(), true
		}
	}
	return "", false
}

// leading takes the label of an option off a list of them, the longest that fits. The
// client writes one that has a comma or a quote in it as JSON.
func (a Asked) leading(list string) (said, rest string, ok bool) {
	best := -1
	for _, o := range a.Options {
		for _, label := range []string{o.Label, quoted(o.Label)} {
			after, found := strings.CutPrefix(list, label)
			if !found || label == "" || after != "" && !strings.HasPrefix(after, ", ") || len(label) <= best {
				continue
			}
			best, said, rest, ok = len(label), o.String(), strings.TrimPrefix(after, ", "), true
		}
	}
	return said, rest, ok
}

func quoted(label string) string { return string(gjson.AppendJSONString(nil, label)) }

// String returns an option as it was offered, without the advice to take it.
func (o Option) String() string {
	label := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(o.Label), "(Recommended)"))
	if d := strings.TrimSpace(o.Description); d != "" {
		return label + ": " + d
	}
	return label
}

// Chose reports whether an answer is made of nothing but options.
func (a Asked) Chose(answer string) bool {
	for answer != "" {
		best := ""
		for _, o := range a.Options {
			if said := o.String(); len(said) > len(best) && (answer == said ||
				strings.HasPrefix(answer, said+"; ")) {
				best = said
			}
		}
		if best == "" {
			return false
		}
		answer = strings.TrimPrefix(answer[len(best):], "; ")
	}
	return true
}

// Own returns what the person said beside the plan of an entry.
func (e Entry) Own() string {
	if e.Plan == "" {
		return e.Text
	}
	own, ok := strings.CutPrefix(e.Text, planOpening)
	if !ok {
		return e.Text
	}
	_, own, _ = strings.Cut(own, e.Plan)
	return strings.TrimSpace(own)
}
