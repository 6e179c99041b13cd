package transcript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// addSettled adds what a person said through a call of one of the asking tools: their answers, or their
// yes to a plan. It reports whether there was any.
func (p *parsed) addSettled(r record, b block, e Entry) bool {
	if e.Call == nil || r.decided != "" && !strings.HasPrefix(r.decided, "user") {
		return false // a hook or a setting said yes
	}
	switch e.Call.Tool {
	case askTool:
		return p.addAnswers(r, textOf(b.content.result()), e)
	case planTool:
		e.Plan = approvedPlan(r, textOf(b.content.result()), e.Call.Plan)
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

// approvedPlan returns the plan that a person approved, with their changes.
func approvedPlan(r record, text, called string) string {
	if plan := r.result.result().Get("plan"); plan.Type == gjson.String && strings.TrimSpace(plan.Str) != "" {
		return cutFor(Person, strings.TrimSpace(plan.Str))
	}
	if !strings.HasPrefix(text, "User has approved") {
		return ""
	}
	if _, after, ok := strings.Cut(text, "\n## Approved Plan"); ok {
		_, plan, _ := strings.Cut(after, "\n")
		return cutFor(Person, strings.TrimSpace(plan))
	}
	return called
}

// The client's own words before and after an approved plan, in the prompt with which a cleared conversation
// begins.
const (
	planOpening  = "Implement the following plan:"
	planClosing  = "\n\nIf you need specific details from before exiting plan mode"
	planFeedback = "\n\nUser feedback on this plan: "
)

// handedPlan splits a prompt that hands over a plan into the person's text, without the client's words, and
// the plan. plan is the client's own record of it.
func handedPlan(text, plan string) (rest, handed string) {
	body, ok := strings.CutPrefix(text, planOpening)
	if !ok {
		return text, cutFor(Person, strings.TrimSpace(plan))
	}
	said := ""
	if before, after, ok := strings.Cut(body, planClosing); ok {
		_, said, _ = strings.Cut(after, planFeedback)
		body = before
		text = strings.TrimSpace(planOpening+body) + strings.TrimRight("\n\n"+strings.TrimSpace(said), "\n")
	}
	return text, cutFor(Person, cmp.Or(strings.TrimSpace(plan), strings.TrimSpace(body)))
}

// planBefore precedes the path of the transcript in which a plan was made.
const planBefore = "read the full transcript at: "

// Handed reports whether a Person handed over a plan with this entry, which begins a cleared conversation.
func (e Entry) Handed() bool { return e.Plan != "" && strings.HasPrefix(e.Text, planOpening) }

// PlannedIn returns the path of the transcript in which the plan that a prompt hands over was made, or "".
func PlannedIn(prompt string) string {
	_, after, ok := strings.Cut(prompt, planClosing)
	if !ok {
		return ""
	}
	_, path, _ := strings.Cut(after, planBefore)
	path, _, _ = strings.Cut(path, "\n")
	return strings.TrimSpace(path)
}

// notesOnly is the answer that the client records if only a note was given.
const notesOnly = "(notes only)"

// addAnswers adds an entry for each answered question. It reports whether there was any.
func (p *parsed) addAnswers(r record, text string, e Entry) bool {
	asked, call := parseQuestions(r.result.result().Get("questions")), e.Call
	if len(asked) == 0 {
		asked = call.Asks
	}
	if r.result.result().Get("afkTimeoutMs").Exists() || len(asked) == 0 {
		return false // nobody was there, and the client went on
	}
	e.Call = nil
	before := len(p.entries)
	for i := range asked {
		answer, notes := r.answer(asked[i].Question, asked, text)
		chosen := asked[i].chosen(answer)
		if notes = strings.TrimSpace(notes); notes != "" && !slices.Contains(answer, notes) {
			chosen = append(chosen, notes)
		}
		if len(chosen) == 0 {
			continue
		}
		if said := cutFor(Person, strings.Join(chosen, "; ")); said != "" {
			e.Asked = &asked[i]
			p.entries = append(p.entries, e.withText(said))
		}
	}
	if said := cutFor(Person, strings.TrimSpace(r.result.result().Get("response").Str)); said != "" {
		e.Asked = &asked[0]
		p.entries = append(p.entries, e.withText(said))
	}
	return len(p.entries) > before
}

// answer returns the answers to a question and the person's note, from the client's record or else from what
// it told the model.
func (r record) answer(question string, asked []Asked, text string) (answer []string, notes string) {
	if given := r.result.result().Get("answers"); given.IsObject() {
		answer = stringsOf(memberOf(given, question))
		return answer, memberOf(r.result.result().Get("annotations"), question).Get("notes").Str
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
		if said, rest, ok := strings.Cut(after, mark); ok && firstOf(said, ends) == len(said) {
			for i := range ends {
				ends[i] = strings.TrimPrefix(ends[i], `"`)
			}
			return []string{said}, strings.TrimSpace(rest[:firstOf(rest, ends)])
		}
	}
	after = after[:firstOf(after, ends)]
	return []string{strings.TrimSuffix(after, `"`)}, ""
}

// firstOf returns where the first of the marks begins in text, or the length of text.
func firstOf(text string, marks []string) int {
	at := len(text)
	for _, m := range marks {
		if i := strings.Index(text, m); i >= 0 {
			at = min(at, i)
		}
	}
	return at
}

// memberOf returns the value of a key, which may have any characters.
func memberOf(object gjson.Result, key string) (v gjson.Result) {
	object.ForEach(func(k, x gjson.Result) bool {
		if strings.TrimSpace(k.Str) == key {
			v = x
			return false
		}
		return true
	})
	return v
}

// stringsOf returns the strings of an array, or a single string.
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

// chosen returns what an answer says: the labels of options with their descriptions, or else the person's own
// words. Commas may join several labels.
func (a Asked) chosen(answer []string) (chosen []string) {
	for _, words := range answer {
		if words = strings.TrimSpace(words); words == "" || words == notesOnly {
			continue
		}
		if said, ok := a.option(words); ok {
			chosen = append(chosen, said)
			continue
		}
		for words != "" && a.Multi {
			said, rest, ok := a.cutOption(words)
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

// option returns the text of the option with a label.
func (a Asked) option(label string) (string, bool) {
	for _, o := range a.Options {
		if strings.TrimSpace(o.Label) == label {
			return o.String(), true
		}
	}
	return "", false
}

// cutOption splits the longest label that fits off the beginning of a list of options. The client writes a
// label with a comma or a quote as JSON.
func (a Asked) cutOption(list string) (said, rest string, ok bool) {
	best := -1
	for _, o := range a.Options {
		for _, label := range []string{o.Label, jsonString(o.Label)} {
			after, found := strings.CutPrefix(list, label)
			if !found || label == "" || after != "" && !strings.HasPrefix(after, ", ") || len(label) <= best {
				continue
			}
			best, said, rest, ok = len(label), o.String(), strings.TrimPrefix(after, ", "), true
		}
	}
	return said, rest, ok
}

func jsonString(label string) string { return string(gjson.AppendJSONString(nil, label)) }

// String returns an option as it was offered, without any advice to take it.
func (o Option) String() string {
	label := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(o.Label), "(Recommended)"))
	if d := strings.TrimSpace(o.Description); d != "" {
		return label + ": " + d
	}
	return label
}

// Chose reports whether an answer consists only of options.
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

// Own returns what the person said apart from the plan of an entry.
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
