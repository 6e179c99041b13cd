package origin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// A Cited is a finding that a draft is made of, as the journal has it.
type Cited struct {
	Text    string
	By      finding.Speaker
	Origin  finding.Origin
	Context []finding.Line
}

// person reports whether the words are the person's by both its speaker and its origin.
func (c Cited) person() bool { return c.By.Person() && c.Origin == finding.FromPerson }

// persons reports whether the words are the person's by what was said, too: those of a
// plan are it only where it is known what was read before it.
func (c Cited) persons(e *Evidence) bool {
	return c.person() && (!c.approved() || e.persons(words(c.Text)))
}

// approved reports whether the words are of a plan, and not of an answer.
func (c Cited) approved() bool { return finding.Approved(c.By, c.Context) }

// A Verdict is how far a draft can be trusted.
type Verdict struct {
	Origin finding.Origin            // of the whole
	Fields map[string]finding.Origin // of each field that has words
	Agent  []string                  // the fields whose wording is the agent's, sorted
	Quotes []string                  // what the person said, word for word; it may be shown as theirs
	Why    string                    // why it is held, in a sentence; "" when it is not
}

// Draft judges a draft by its fields, the findings that it is made of, and what was
// said. It is never of better origin than its words:
//
//   - A field with something foreign taints the whole.
//   - A command, a URL, a path, a host or a flag that stands nowhere leaves the
//     whole without an origin.
//   - Any other field that is not word for word the person's has the agent's
//     wording. The draft is still the person's if a finding of theirs is cited,
//     since what is told as theirs is the finding's own text.
//   - A draft that cites nothing is as good as its worst field.
//
// A finding that is worse than the agent's makes the draft as bad.
func Draft(fields map[string]string, cited []Cited, e *Evidence) Verdict {
	return judge(fields, cited, e, len(cited) > 0)
}

// Summary judges the summary of a session by its fields and what was said. A summary has the agent's origin
// at best, since it retells things in new words. This also holds for one made only of the person's
// requests, as nobody has looked at it. Foreign words taint it, and harmful ones from nowhere leave it
// without an origin.
func Summary(fields map[string]string, e *Evidence) Verdict {
	v := judge(fields, nil, e, true)
	v.Origin = v.Origin.Worse(finding.FromAgent)
	return v
}

// judge judges a draft. made reports whether somebody put into new words what was said.
func judge(fields map[string]string, cited []Cited, e *Evidence, made bool) Verdict {
	if e == nil {
		e = &Evidence{}
	}
	quotes := New()
	whole := finding.NoOrigin
	for _, c := range cited {
		from, persons := Agent, c.persons(e)
		switch {
		case persons && c.By == finding.Chosen: // the agent worded it; what they answered is in the evidence
			from = Approved
		case persons:
			from = Person
		}
		quotes.Add(from, c.Text)
		for _, l := range c.Context {
			if l.By == finding.Typed && persons {
				quotes.Add(Person, l.Text)
			} else if l.By.Person() && persons && l.Role != finding.Plan {
				quotes.Add(Approved, l.Text)
			} else {
				quotes.Add(Agent, l.Text)
			}
		}
	}
	both := *e
	both.also = quotes
	v := Verdict{Fields: map[string]finding.Origin{}}
	weight := 0 // of what Why says: what is foreign goes first, then what could do harm
	hold := func(o finding.Origin, w int, format string, args ...any) {
		if w > weight {
			v.Why, weight = fmt.Sprintf(format, args...), w
		}
		whole = whole.Worse(o)
	}
	whole = finding.FromAgent
	var plain []string // of the quotes, without what others wrote that could do harm
	for _, c := range cited {
		switch {
		case c.persons(e) && c.By == finding.Chosen && both.taint(words(c.Text)) != "":
			hold(finding.Tainted, 3, "it is made of a choice with “%s”, which %s", both.taint(words(c.Text)),
				fromOutside)
		case c.persons(e):
			v.Quotes = append(v.Quotes, c.Text)
			if c.By != finding.Chosen || Harmless(c.Text) {
				plain = append(plain, c.Text)
			}
		case c.Origin == finding.Tainted:
			hold(finding.Tainted, 3, "it is made of a statement that came from outside: “%s”", cut(c.Text))
		case c.Origin != finding.FromAgent && c.Origin != finding.FromPerson:
			hold(finding.NoOrigin, 1, "it is made of a statement that nothing supports: “%s”", cut(c.Text))
		}
	}
	best := len(cited) == 0
	names := slices.Sorted(maps.Keys(fields))
	var everything []string
	for _, name := range names {
		text := fields[name]
		ws := words(text)
		if len(ws) == 0 {
			continue
		}
		everything = append(everything, text)
		o, foreign, unknown := both.field(ws, made)
		v.Fields[name] = o
		switch {
		case foreign != "":
			hold(o, 3, "%s has “%s”, which %s", name, foreign, fromOutside)
		case o == finding.NoOrigin:
			w := 1
			if unknown != "" {
				w = 2
			}
			hold(o, w, "%s has “%s”, which nobody said in the conversation", name, cmp.Or(unknown, cut(text)))
		case o == finding.FromAgent:
			v.Agent = append(v.Agent, name)
		}
		best = best && o == finding.FromPerson
	}
	// What is foreign can be cut over fields.
	if n := both.spread(words(strings.Join(everything, "\n"))); n != "" {
		hold(finding.Tainted, 3, "its fields together have “%s”, which %s", n, fromOutside)
	}
	if len(v.Fields) == 0 && len(cited) == 0 {
		hold(finding.NoOrigin, 1, "it says nothing")
	}
	if whole == finding.FromAgent && (len(v.Quotes) > 0 || best && len(v.Fields) > 0) {
		whole = finding.FromPerson
	}
	if v.Origin = whole; whole != finding.FromPerson && whole != finding.FromAgent {
		v.Quotes = plain // which are shown while the rest is held back
	}
	return v
}

// fromOutside is the reason why foreign words taint.
const fromOutside = "came from the web, from an MCP server, from a program or from a file that git does " +
	"not track, and which no person typed"

// field returns the origin of a field; with it what in it is foreign, or what is known to nobody. made
// reports that somebody words anew what was said.
func (e *Evidence) field(ws []word, made bool) (o finding.Origin, foreign, unknown string) {
	if t := e.taint(ws); t != "" {
		return finding.Tainted, t, ""
	}
	if e.persons(ws) {
		return finding.FromPerson, "", ""
	}
	if u := e.unknown(ws); u != "" {
		return finding.NoOrigin, "", u
	}
	if made || e.supported(ws) {
		return finding.FromAgent, "", ""
	}
	return finding.NoOrigin, "", ""
}

// Harmless reports whether a text has nothing that could do harm: no command, flag, URL, host or path.
func Harmless(text string) bool { return New().unknown(words(text)) == "" }

// unknown returns what could do harm and stands nowhere, "" for nothing.
func (e *Evidence) unknown(ws []word) string {
	for i, w := range ws {
		switch {
		case w.kind == hard && !e.known(w) && !knownPart(e, w):
			return w.shown
		case dangerous(w.text) && !e.known(w):
			return w.shown
		}
		if run := command(ws[i:]); len(run) > 2 && installs(run[1].text) {
			for _, arg := range run[2:] {
				if arg.kind != hard && !stop(arg.text) && len(arg.text) > 2 && !e.known(arg) {
					return shown(run)
				}
			}
		}
	}
	return ""
}

// known reports whether somebody named a word who is not foreign.
func (e *Evidence) known(w word) bool {
	return slices.ContainsFunc(supports[:], func(from Source) bool {
		return e.said(from, []word{w}) != never || w.kind > number && e.named(from, w.text) != never
	})
}

// knownPart reports whether a file is named with its line, or a path from here.
func knownPart(e *Evidence, w word) bool {
	s := strings.TrimPrefix(w.text, "./")
	s = strings.TrimRight(withoutLine(s), "/")
	return s != w.text && slices.ContainsFunc(supports[:], func(from Source) bool {
		return e.named(from, s) != never
	})
}

// maxCut bounds what of a text stands in a sentence, in runes.
const maxCut = 80

func cut(s string) string { return text.Shorten(text.OneLine(s), maxCut) }

// Fields returns what a record says, by field: its title, and of its content all that is text, under the
// names of the file.
func Fields(r memory.Record) map[string]string {
	all := map[string]string{}
	put := func(name string, text ...string) {
		if t := strings.Join(text, "\n\n"); strings.TrimSpace(t) != "" {
			all[name] = t
		}
	}
	put("title", r.Title)
	for _, f := range memory.Fields(r.Category) {
		name := "content." + f.Name
		switch v := r.Content[f.Name].(type) {
		case string:
			if f.Kind == memory.Text {
				put(name, v)
			}
		case []string:
			put(name, v...)
		case []map[string]string:
			var parts []string
			for _, m := range v {
				for _, k := range slices.Sorted(maps.Keys(m)) {
					parts = append(parts, m[k])
				}
			}
			put(name, parts...)
		case map[string][]string:
			var parts []string
			for _, k := range slices.Sorted(maps.Keys(v)) {
				parts = append(parts, v[k]...)
			}
			put(name, parts...)
		}
	}
	return all
}
