package inbox

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// around is how many entries of the conversation are shown on each side of a finding, and aroundRunes how
// much of each. Only the finding itself is kept, and never cut.
const (
	around      = 2
	aroundRunes = 300
)

// reach is how many entries are read on each side of a finding, to see who typed what explains it.
const reach = 1000

// A source is where words come from, as a review names it.
type source string

const (
	typed    source = "typed"   // by the person
	chosen   source = "chosen"  // by the person, among what was offered
	program  source = "program" // the prompt of a program
	agent    source = "agent"   // said by the agent
	note     source = "note"    // Keepsake's own remark
	command  source = "command" // printed by a command
	web      source = "web"     // a page or a search
	server   source = "server"  // an MCP server
	file     source = "file"    // a file that was read or attached
	tool     source = "tool"    // another tool
	summary  source = "summary" // the client's, of what it compacted away
	outside  source = "OUTSIDE" // words of the web, a server, a program, or a file that git does not have
	nowhere  source = "NOWHERE" // words that do not stand in the conversation
	unread   source = "UNKNOWN" // words of a conversation that can't be read
	unmarked source = "typed?"  // by a person or a program: the transcript does not say which
)

// sourceBy returns the source of words by who said them and what their line of the conversation says of how
// they came in.
func sourceBy(by finding.Speaker, marked transcript.Marked) source {
	switch {
	case by == finding.Program:
		return command
	case !by.Person():
		return agent
	case marked == transcript.BySDK:
		return program
	case by == finding.Chosen:
		return chosen
	case marked == transcript.Unmarked:
		return unmarked
	}
	return typed
}

// sourceOf returns the source of an entry of a conversation.
func sourceOf(e transcript.Entry) source {
	switch e.Who {
	case transcript.Person:
		by := finding.Typed
		if e.Plan != "" && e.Own() == "" || e.Asked != nil && e.Asked.Chose(e.Text) {
			by = finding.Chosen
		}
		return sourceBy(by, e.Marked)
	case transcript.Tool:
		return sourceOfTool(e)
	case transcript.Attached:
		return file
	case transcript.Summary:
		return summary
	}
	return agent
}

// sourceOfTool returns the source of the result of a tool.
func sourceOfTool(e transcript.Entry) source {
	name := e.Tool
	if e.Call != nil {
		name = e.Call.Tool
	}
	switch {
	case name == "Bash":
		return command
	case name == "WebFetch" || name == "WebSearch":
		return web
	case strings.HasPrefix(name, "mcp__"):
		return server
	case slices.Contains([]string{"Read", "Grep", "Glob", "NotebookRead"}, name):
		return file
	}
	return tool
}

// sourceOfLine returns the source of a line that explains a finding. before are the entries of the
// conversation up to the finding.
func sourceOfLine(l finding.Line, before []transcript.Entry) source {
	if l.By == finding.Program && l.Role != finding.Failed && l.Role != finding.Passed {
		return note
	}
	return sourceBy(l.By, markOf(l.Text, before))
}

// markOf returns what the conversation says of how a text came into it, Unmarked if it is not found. The text
// may be cut at both ends, and stand behind the question that it answers.
func markOf(said string, before []transcript.Entry) transcript.Marked {
	said = strings.TrimSpace(strings.Trim(said, "…"))
	for _, e := range slices.Backward(before) {
		if e.Who != transcript.Person || said == "" {
			continue
		}
		words := text.OneLine(secret.Redact(e.Text))
		if strings.Contains(words, said) || e.Asked != nil && words != "" && strings.HasSuffix(said, words) {
			return e.Marked
		}
	}
	return transcript.Unmarked
}

// A sentence is one sentence of a finding, with the source of its words.
type sentence struct {
	text string
	from source
}

// sentences returns the sentences of a finding, which together are its text, with the source of each. of
// returns the origin of words, and is nil if their conversation can't be read. line is the entry that has
// them, nil if it can't be read.
func (f noticed) sentences(of func(string) finding.Origin, line *transcript.Entry) (all []sentence) {
	marked, words := transcript.ByHand, "" // only what a person said has its label from the journal
	if line != nil {
		marked, words = line.Marked, text.OneLine(secret.Redact(line.Text))
	}
	by := sourceBy(f.By, marked)
	if f.Filed() {
		by = file
	}
	for _, s := range cutSentences(f.Text) {
		from := by
		switch {
		case f.Filed():
		case of == nil && f.Origin == finding.FromPerson:
		case of == nil && f.Origin == finding.Tainted:
			from = outside
		case of == nil && f.Cue == session.Proposed:
			from = nowhere
		case of == nil:
			from = unread
		default:
			switch of(s) {
			case finding.Tainted:
				from = outside
			case finding.NoOrigin: // as all of a program's prompt is that a person's session got
				if by != program || !strings.Contains(words, s) {
					from = nowhere
				}
			case finding.FromAgent:
				if by == typed || by == chosen { // pasted, or offered by the agent
					from = agent
				}
			}
		}
		all = append(all, sentence{s, from})
	}
	return all
}

// cutSentences cuts a text into its sentences and loses nothing of it: what is no sentence of its author's
// stays with the one before it.
func cutSentences(said string) (all []string) {
	from, at := 0, 0
	for _, s := range triage.Sentences(said) {
		i := strings.Index(said[at:], s.Text)
		if i < 0 || s.Text == "" {
			continue
		}
		if begins := at + i; strings.TrimSpace(said[from:begins]) != "" {
			all, from = append(all, strings.TrimSpace(said[from:begins])), begins
		}
		at += i + len(s.Text)
	}
	return append(all, strings.TrimSpace(said[from:]))
}

// alone returns why a finding with these sentences is answered alone, or "".
func alone(id string, all []sentence) string {
	for _, s := range all {
		why := ""
		switch s.from {
		case outside:
			why = "some of its words came from outside"
		case nowhere:
			why = "some of its words stand nowhere in its conversation"
		case unread:
			why = "whose words these are can't be told, since their transcript is gone"
		case command:
			why = "a program printed it"
		case program:
			why = "a program gave it as a prompt"
		case file:
			why = "a file of the repository says it, which whoever can commit may have written"
		default:
			continue
		}
		return id + " wants an answer of its own: " + why
	}
	return ""
}

// labelled returns a line of a text behind its source.
func labelled(from source, said string) string {
	return fmt.Sprintf(" %-7s| %s", from, text.Safe(text.OneLine(said)))
}

// view returns the statement with the source of each sentence, what a yes does to other memories, what
// explains it, what was said around it, and the nearest memory. does is what a yes does, in lines.
func (f noticed) view(b *Inbox, w *save.Saver) (v View, does []string) {
	said, at, err := w.Around(f.Finding, reach)
	var of func(string) finding.Origin
	var line *transcript.Entry
	var before []transcript.Entry
	if err == nil {
		f.unattended(said, at)
		line, before = &said[at], said[:at+1]
		if e := b.saidIn(w, f.Session); e != nil {
			e.Settle(f.Text)
			of = e.Of
		}
	}
	all := f.sentences(of, line)
	v = View{Alone: alone(f.id(), all)}
	if f.Moment != "" {
		v.Alone = f.id() + " wants an answer of its own: it belongs into the Markdown memories"
	}
	if f.Cue == session.Proposed {
		v.Alone = f.id() + " wants an answer of its own: an agent proposed it"
	}
	lines := []string{fmt.Sprintf("%s %s, %s %s", f.id(), f.label(), answer.WhoSaid(f.Finding),
		ago(w.Now().Sub(f.Time))), ""}
	for _, s := range all {
		lines = append(lines, labelled(s.from, s.text))
	}
	var foreseen save.Foreseen
	if f.Category != "" {
		var ferr error
		foreseen, ferr = w.Foresee(f.Status)
		if does = effects(foreseen); ferr != nil {
			lines = append(lines, "", "what a yes would do can't be told: "+brief.Line(ferr.Error()))
		}
		v.Near = nearest(w, f, foreseen)
	}
	for _, d := range foreseen.Plan.Drafts {
		if d.State == draft.Nothing && d.Path != "" {
			lines = append(lines, "", "known already as "+text.Safe(d.Path))
		}
	}
	if len(does) > 0 {
		lines = append(append(lines, "", DoesToo), does...)
		v.Alone = cmp.Or(v.Alone, f.id()+" wants an answer of its own: a yes ends something else")
	}
	if against := f.against(); against != "" {
		lines = append(lines, "", against)
		if f.by.Ref != "" {
			lines = append(lines, "  "+text.Safe(text.OneLine(cmp.Or(f.by.Title, f.by.Text))))
		}
	}
	if len(f.Context) > 0 {
		lines = append(lines, "", "what explains it:")
	}
	for _, l := range f.Context {
		line := labelled(sourceOfLine(l, before), l.Text)
		if l.Role != finding.Said {
			line += " (" + string(l.Role) + ")"
		}
		lines = append(lines, line)
	}
	// An agent that proposes over MCP has no transcript.
	if proposed := f.Cue == session.Proposed && errors.Is(err, session.ErrGone); !proposed && !f.Filed() {
		lines = append(lines, "")
		lines = append(lines, f.exchange(said, at, err)...)
	}
	doubtful := labelled(unmarked, "")
	if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, doubtful) }) {
		lines = append(lines, "", string(unmarked)+" means that the transcript does not say whether a "+
			"person or a program typed it, as with older clients")
	}
	if f.Branch != "" {
		lines = append(lines, "", "branch: "+text.Safe(f.Branch))
	}
	v.Text = strings.Join(lines, "\n")
	return v, does
}

// unattended marks what was typed in a conversation as a program's, if nobody sat there when the finding was
// noticed, whose own entry is at index at.
func (f noticed) unattended(said []transcript.Entry, at int) {
	if !f.By.Person() || said[at].Marked != transcript.ByHand || f.Cue == session.Earlier ||
		f.Origin != finding.FromAgent && f.Origin != finding.NoOrigin {
		return
	}
	for i := range said {
		if said[i].Marked == transcript.ByHand {
			said[i].Marked = transcript.BySDK
		}
	}
}

// exchange returns the lines about what was said around a finding, whose own entry is at index at.
func (f noticed) exchange(said []transcript.Entry, at int, err error) []string {
	switch {
	case errors.Is(err, session.ErrGone):
		return []string{"what was said around it: the transcript is gone"}
	case err != nil:
		return []string{"what was said around it can't be read: " + brief.Line(err.Error())}
	}
	lines := []string{"what was said around it:"}
	for i, e := range said {
		if i < at-around || i > at+around {
			continue
		}
		words := text.OneLine(secret.Redact(e.Text))
		its := strings.Index(words, f.Text)
		switch {
		case i == at && words == f.Text:
			words = "(these words)"
		case i == at && its >= 0:
			words = text.Around(words, its+len(f.Text)/2, aroundRunes)
		default:
			words = text.Shorten(words, aroundRunes)
		}
		lines = append(lines, labelled(sourceOf(e), words))
	}
	return lines
}

// nearest returns the memory whose place a yes takes, else that which says the most like a finding, and how
// the finding differs from it.
func nearest(w *save.Saver, f noticed, does save.Foreseen) string {
	var m memory.Stored
	var err error
	if replaced := save.Replaced(does.Plan.Plan, does.Plan.Upkeep); len(replaced) > 0 {
		m, err = w.Store().Read(replaced[0].Path)
	} else {
		err = w.NearMemories([]finding.Status{f.Status}, func(_ int, near []memory.Stored) {
			if len(near) > 0 {
				m = near[0]
			}
		})
	}
	switch {
	case err != nil:
		return "the memories can't be compared with it: " + brief.Line(err.Error())
	case m.Path == "":
		return "no memory says anything like it"
	}
	lines := []string{text.Safe(m.Path), ""}
	lines = append(lines, brief.Compare(nearestPoint(m, f.Text), f.Text)...)
	lines = append(append(lines, "", "it says:"), says(m)...)
	return strings.Join(lines, "\n")
}

// says returns what a memory states, in lines.
func says(m memory.Stored) (lines []string) {
	for _, field := range memory.Fields(m.Category) {
		if field.Searchable { // the others hold its status
			lines = append(lines, brief.FieldLines(field, m.Content[field.Name])...)
		}
	}
	return lines
}

// nearestPoint returns what a memory states that has the most words of a statement.
func nearestPoint(m memory.Stored, statement string) (nearest string) {
	said := map[string]bool{}
	words := func(s string) []string { return strings.Fields(strings.ToLower(s)) }
	for _, word := range words(statement) {
		said[word] = true
	}
	most := -1
	for _, point := range alike.Points(m.Record) {
		n := 0
		for _, word := range words(point) {
			if said[word] {
				n++
			}
		}
		if n > most {
			nearest, most = point, n
		}
	}
	return nearest
}
