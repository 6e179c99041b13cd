// Package usage finds out what became of memories that a model was given: whether the agent used words of
// theirs in that turn, and whether the person's next words corrected it. It counts and explains, and claims
// nothing: that the agent used a word does not prove that the memory helped.
//
// A memory's own words are those that say something by themselves, that the prompt does not have, and that
// few other memories have. The agent used the memory if its words or the arguments of its calls have two of
// them, or one that is a name. A word counts only if the model had it from nowhere else: not if it stood in
// the result of a call, in a page, in a file or in what was said before. So what counts is in the
// transcript, and text that somebody else brought into it can only take a word away.
//
// A turn is read piece by piece. What is known of it is in a Given, which the caller keeps in between. The
// package is pure.
package usage

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
)

// A Given is one time that the model was given a memory, and what is known of the turn since.
type Given struct {
	Path   string    // of the memory, below the store's root
	With   string    // what it came with: Prompt or Start
	At     time.Time // UTC
	Offset int64     // where the transcript ended, in bytes

	Begun   bool     // the turn has begun
	Heard   int64    // up to where the transcript was looked through for words from elsewhere, 0 for nowhere
	Names   []string // own words that no other place had so far; one that is a name is enough
	Words   []string // the others
	Used    []string // of both, those that the agent used
	Named   bool     // one of them is a name
	Over    bool     // the person has prompted again
	Noted   bool     // the session ended before that, and it was noted what was known then
	Revoked bool     // the person corrected the agent then, or while the turn ran
}

// With what a memory was given.
const (
	Prompt = "prompt"
	Start  = "start" // the start of a session
)

// enoughWords is how many of a memory's words are a use of it where none is a name.
const enoughWords = 2

// Helped reports whether the agent used enough of the memory's words.
func (g Given) Helped() bool { return g.Named || len(g.Used) >= enoughWords }

// A Reader answers what the entries of a turn don't say.
type Reader struct {
	// Record returns a memory, and whether it can be read.
	Record func(path string) (memory.Record, bool)
	// Rare reports whether few memories of the project have a word.
	Rare func(word string) bool
	// Lines calls see with the lines of the transcript between two offsets, as transcript.EachLine does.
	Lines func(from, to int64, see func(transcript.Line))
	// Corrects reports whether somebody who says this corrects the agent.
	Corrects func(said string) bool
}

// earlier is how much of the transcript before a turn is looked through for words that the model had already,
// in bytes.
const earlier = 64 << 10

// Follow reads on in the turns of some memories that were given. The entries follow those of the call
// before.
func (r Reader) Follow(given []Given, entries []transcript.Entry) {
	for _, e := range entries {
		switch {
		case e.Who == transcript.Person && isPrompt(e):
			r.prompt(given, e)
		case e.Who == transcript.Person && e.Refused:
			r.correct(given, e.Text)
		case e.Who == transcript.Assistant && !isOwnCall(e): // which asks for memories, with their words
			r.say(given, e)
		}
	}
}

// isPrompt reports whether an entry of a person's begins a turn.
func isPrompt(e transcript.Entry) bool { return e.Asked == nil && e.Plan == "" && !e.Refused }

// isOurs reports whether a hook of Keepsake's says an entry.
func isOurs(e transcript.Entry) bool {
	return e.Event != "" && (strings.Contains(e.Text, "<memory-context ") ||
		strings.Contains(e.Text, "<memory-brief ") || strings.Contains(e.Text, "<memory-note>"))
}

// isOwnCall reports whether an entry calls Keepsake.
func isOwnCall(e transcript.Entry) bool {
	return strings.Contains(e.Tool, "keepsake") || strings.Contains(e.Command, "keepsake ")
}

// prompt ends the turns that are open and begins those of what the prompt was given.
func (r Reader) prompt(given []Given, e transcript.Entry) {
	r.correct(given, e.Text)
	for i := range given {
		switch g := &given[i]; {
		case g.Over:
		case g.Begun:
			g.Over = true
		case e.Offset < 0 || e.Offset >= g.Offset:
			g.Begun = true
			if m, ok := r.Record(g.Path); ok {
				g.Names, g.Words = ownWords(m)
				g.without(e.Text)
			}
		}
	}
}

// correct notes that what a person says corrects the agent, of the memories that it is about: it has one of
// their words, or it has no word at all and the agent had used the memory.
func (r Reader) correct(given []Given, said string) {
	if !slices.ContainsFunc(given, Given.open) || !r.Corrects(said) {
		return
	}
	words := termsOf(said)
	for i := range given {
		g := &given[i]
		if !g.open() {
			continue
		}
		m, ok := r.Record(g.Path)
		switch {
		case len(words) == 0:
			g.Revoked = g.Revoked || g.Helped()
		case ok && concerns(m, words):
			g.Revoked = true
		}
	}
}

func (g Given) open() bool { return g.Begun && !g.Over }

// concerns reports whether some words are of a memory: half of them, or one of its names.
func concerns(m memory.Record, words []string) bool {
	names, others := allWords(m)
	n := 0
	for _, w := range words {
		if slices.Contains(names, w) {
			return true
		}
		if slices.Contains(others, w) {
			n++
		}
	}
	return 2*n >= len(words)
}

// say notes which words the agent uses in an entry.
func (r Reader) say(given []Given, e transcript.Entry) {
	var found map[string]bool
	for i := range given {
		g := &given[i]
		if !g.open() || len(g.Names)+len(g.Words) == 0 {
			continue
		}
		if found == nil {
			found = wordsIn(argumentsOf(e), given)
		}
		if !g.hasOne(found) {
			continue
		}
		r.hear(g, e.Offset)
		g.Names = g.take(g.Names, found, r.Rare, true)
		g.Words = g.take(g.Words, found, r.Rare, false)
	}
}

// hear takes the words out that the model had from elsewhere before the line at an offset: from the result of
// a call, a page, a file, or what was said before the turn.
func (r Reader) hear(g *Given, to int64) {
	from := g.Heard
	if from == 0 {
		from = max(0, g.Offset-earlier)
	}
	r.Lines(from, to, func(l transcript.Line) {
		g.Heard = max(g.Heard, l.Entries[0].Offset+1)
		switch {
		case l.Entries[0].Who == transcript.Assistant && l.Entries[0].Offset >= g.Offset: // its own words
		case l.Cut: // it may have any word
			g.Names, g.Words = nil, nil
		case slices.ContainsFunc(l.Entries, isOurs): // the memory itself stands there
			for _, e := range l.Entries {
				if !isOurs(e) {
					g.without(e.Text)
				}
			}
		default:
			g.without(l.Words)
		}
	})
}

// hasOne reports whether one of the words that are left is among some words.
func (g *Given) hasOne(found map[string]bool) bool {
	is := func(w string) bool { return found[w] }
	return slices.ContainsFunc(g.Names, is) || slices.ContainsFunc(g.Words, is)
}

// take moves the rare ones of some words that were found to those used, and returns the rest.
func (g *Given) take(words []string, found map[string]bool, rare func(string) bool, names bool) []string {
	return slices.DeleteFunc(words, func(w string) bool {
		if !found[w] {
			return false
		}
		if rare(w) {
			g.Used = append(g.Used, w)
			g.Named = g.Named || names
		}
		return true
	})
}

// without takes the words of a text out.
func (g *Given) without(text string) { g.drop(wordsIn(text, []Given{*g})) }

func (g *Given) drop(found map[string]bool) {
	if len(found) == 0 {
		return
	}
	is := func(w string) bool { return found[w] }
	g.Names, g.Words = slices.DeleteFunc(g.Names, is), slices.DeleteFunc(g.Words, is)
}

// argumentsOf returns what the agent writes in an entry: its text, or the arguments of its call.
func argumentsOf(e transcript.Entry) string {
	if e.Who != transcript.Assistant || e.Call == nil {
		return e.Text
	}
	c := e.Call
	parts := []string{c.Command, c.File, c.URL, c.Wrote, c.Plan, c.Prompt}
	for _, a := range c.Asks {
		parts = append(parts, a.Question)
		for _, o := range a.Options {
			parts = append(parts, o.Label, o.Description)
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n")
}
