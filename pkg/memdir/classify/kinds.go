package classify

import (
	"strings"
	"unicode"

	"keepsake/pkg/memdir"
)

// A Kind is the kind of a statement.
type Kind string

// kindOf is a kind, and where each profile keeps it.
type kindOf struct {
	kind Kind
	says string
	// density is a file below the base, or a folder with a slash at its end. once reports whether each
	// statement there is a file of its own.
	density string
	once    bool
	table   string // the topic file, without its ending
	pointer string // the type
	// cues are words of texts of the kind, each a whole word or several.
	cues []string
}

// kinds are all kinds. The first eight are found by words. The last four are the client's own types.
var kinds = [...]kindOf{
	{"profile", "who the user is: role, background, personal data", "user/profile.md", false, "profile",
		"user", []string{
			"my name is", "i am a", "i'm a", "i work as", "i work at", "i live in", "my role",
			"my background", "my timezone", "my time zone", "the user is", "user is a", "the user works",
			"the user lives", "is based in", "years of experience", "native speaker", "new to"}},
	{"preference", "what the user likes, their habits and style", "user/preferences/", false, "preferences",
		"feedback", []string{
			"prefer", "prefers", "preferred", "preference", "likes", "dislikes", "hates", "i like", "i want",
			"user wants", "would rather", "stop doing", "stop using", "don't use", "do not use", "favours",
			"favors", "favourite", "favorite", "habit", "too verbose", "too long"}},
	{"entity", "a project, a tool or a person", "user/entities/", false, "entities", "reference", []string{
		"product owner", "team lead", "owns", "is owned by", "maintains", "maintainer", "maintained by",
		"contact", "contacts", "on-call", "is responsible for", "is hosted", "runs on", "account",
		"colleague", "manager", "vendor", "supplier", "email", "phone"}},
	{"event", "a milestone, or what can't be undone", "user/events/", true, "events", "project", []string{
		"released", "launched", "shipped", "milestone", "went live", "go-live", "incident", "outage",
		"migrated", "moved to", "was cancelled", "was canceled", "left the", "joined the"}},
	{"decision", "what was decided, and why", "user/events/", true, "decisions", "project", []string{
		"decided", "decision", "decisions", "we chose", "chose", "chosen", "agreed", "confirmed", "approved",
		"settled on", "not doing", "ruled out", "we will not", "we won't"}},
	{"case", "how a new sort of task was done for the first time", "agent/cases/", true, "cases", "project",
		[]string{
			"first time", "for the first time", "first import", "first deployment", "first release",
			"the first run"}},
	{"fix", "a bug, its cause and what mended it", "agent/cases/", true, "debug-journal", "project", []string{
		"fixed", "the fix", "fixed by", "root cause", "the bug", "bug was", "was caused by", "caused by",
		"resolved by", "workaround", "crash was", "flaky because", "stack trace"}},
	{"pattern", "a way of working that proved right", "agent/patterns/", false, "patterns", "feedback",
		[]string{
			"pattern", "whenever", "gotcha", "next time", "watch out", "lesson", "better approach",
			"better way", "best practice", "rule of thumb", "make sure", "when using", "always run",
			"always check", "never run", "detour", "pitfall"}},
	{"user", "who the user is", "user/profile.md", false, "profile", "user", nil},
	{"feedback", "how to work here", "user/preferences/", false, "preferences", "feedback", nil},
	{"project", "what goes on in the project", "user/entities/", false, "projects", "project", nil},
	{"reference", "where things are", "user/entities/", false, "references", "reference", nil},
}

func kindNamed(name string) (kindOf, bool) {
	for _, k := range kinds {
		if strings.EqualFold(string(k.kind), name) {
			return k, true
		}
	}
	return kindOf{}, false
}

// KindNames returns the names of all kinds.
func KindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, string(k.kind))
	}
	return names
}

// Listing returns all kinds with their explanations, in one line.
func Listing() string {
	var b strings.Builder
	for i, k := range kinds {
		if i > 0 {
			b.WriteString("; ")
		}
		says := k.says
		if k.cues == nil {
			says = "the client's type for " + says
		}
		b.WriteString(string(k.kind) + " (" + says + ")")
	}
	return b.String()
}

// place returns where a profile keeps a kind. Kinds with the same place need not be told apart.
func (k kindOf) place(p memdir.Profile) string {
	switch {
	case p.Types:
		return k.pointer
	case p.Tree != nil:
		return k.density
	}
	return k.table
}

// byWords returns the kind whose cues a text has most of, and the cue that decided. If two places have
// equally many, there is no kind, and tied names them.
func byWords(text string, p memdir.Profile) (k kindOf, by string, tied []string) {
	said := spaced(text)
	score, first, cue := map[string]int{}, map[string]kindOf{}, map[string]string{}
	for _, k := range kinds {
		for _, c := range k.cues {
			if !strings.Contains(said, " "+c+" ") {
				continue
			}
			place := k.place(p)
			if score[place] == 0 {
				first[place], cue[place] = k, c
			}
			score[place] += 1 + strings.Count(c, " ")
		}
	}
	best := 0
	for _, n := range score {
		best = max(best, n)
	}
	for _, c := range kinds {
		place := c.place(p)
		if best > 0 && score[place] == best && first[place].kind == c.kind {
			k, by = c, cue[place]
			tied = append(tied, string(c.kind)+" (“"+by+"”)")
		}
	}
	if len(tied) > 1 {
		return kindOf{}, "", tied
	}
	return k, by, nil
}

// spaced returns a text in lower case with one space around each word.
func spaced(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for word := range strings.FieldsFuncSeq(strings.ToLower(strings.ReplaceAll(text, "’", "'")),
		func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\'' && r != '-'
		}) {
		if word = strings.Trim(word, "'-"); word != "" {
			b.WriteString(word)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// wide returns words of a text that name more than one project, "" if there are none.
func wide(text string) string {
	said := spaced(text)
	for _, w := range [...]string{
		"in all projects", "all projects", "all my projects", "all our projects", "every project",
		"each project", "across projects", "across all projects", "cross-project",
		"all repositories", "every repository", "all repos", "every repo", "across repositories",
		"across repos", "shared dependency", "shared dependencies", "shared convention",
		"common convention", "shared infrastructure", "company-wide", "organisation-wide",
		"organization-wide", "team-wide",
	} {
		if strings.Contains(said, " "+w+" ") {
			return w
		}
	}
	return ""
}
