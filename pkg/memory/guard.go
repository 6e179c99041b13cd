package memory

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/text"
)

// A Guard says about which tool calls a memory is, and what should happen before one. In a record it is a
// proposal, since anybody may have written the record. It acts once a person has armed it.
//
// Exactly one of Tool, Command and Path is set.
type Guard struct {
	Tool    string   `json:"tool,omitempty"`    // the name of a tool, or of an MCP server
	Command []string `json:"command,omitempty"` // a program, and words that its arguments must have
	Path    string   `json:"path,omitempty"`    // a pattern as in .gitignore, of files that are changed
	// Needs is a command that must have run in the session: the guard is only for calls before that.
	Needs []string `json:"needs,omitempty"`
	Does  string   `json:"does"` // Say, Ask or Deny
}

// What a guard does, the weakest first.
const (
	Say  = "say"  // tells the agent, with the result of the call
	Ask  = "ask"  // asks the person
	Deny = "deny" // stops the call
)

// Limits of a guard, in bytes and in words.
const (
	maxGuardWord  = 100
	maxGuardWords = 8
	maxGuardPath  = 200
)

// Same reports whether two guards are equal.
func (g Guard) Same(h Guard) bool {
	return g.Tool == h.Tool && g.Path == h.Path && g.Does == h.Does && slices.Equal(g.Command, h.Command) &&
		slices.Equal(g.Needs, h.Needs)
}

// check notes what is wrong with a guard.
func (g Guard) check(c *checker) {
	set := 0
	for _, is := range [...]bool{g.Tool != "", len(g.Command) > 0, g.Path != ""} {
		if is {
			set++
		}
	}
	if set != 1 {
		c.addProblem("guard", "one of tool, command and path", strconv.Itoa(set)+" of them", "")
	}
	if g.Does != Say && g.Does != Ask && g.Does != Deny {
		c.addProblem("guard.does", "say, ask or deny", strconv.Quote(text.Shorten(g.Does, 20)), "")
	}
	if g.Tool != "" && (len(g.Tool) > maxGuardWord || !isPlainWord(g.Tool) || strings.ContainsAny(g.Tool,
		" *")) {
		c.addProblem("guard.tool", "the name of a tool", strconv.Quote(text.Shorten(g.Tool, 40)), "")
	}
	checkGuardWords(c, "guard.command", g.Command)
	checkGuardWords(c, "guard.needs", g.Needs)
	if g.Path != "" && !isGuardPath(g.Path) {
		c.addProblem("guard.path", "a pattern of files in the project, as in .gitignore",
			strconv.Quote(text.Shorten(g.Path, 60)), `write it as "db/migrations/" or "*.lock"`)
	}
}

// checkGuardWords checks a command: the name of a program without its folder, and words.
func checkGuardWords(c *checker, field string, words []string) {
	bad := len(words) > maxGuardWords
	for i, w := range words {
		bad = bad || w == "" || len(w) > maxGuardWord || !isPlainWord(w) ||
			i == 0 && (strings.ContainsAny(w, "/ ") || w[0] == '-')
	}
	if bad {
		c.addProblem(field, "a program and its words", strconv.Quote(text.Shorten(strings.Join(words, " "),
			60)),
			`write it as ["npm", "install"]`)
	}
}

// isPlainWord reports whether a word has no character that can't be seen or that begins a new line.
func isPlainWord(w string) bool { return text.CleanLine(w) == w }

// isGuardPath reports whether a pattern names files of the project.
func isGuardPath(p string) bool {
	if len(p) > maxGuardPath || !isPlainWord(p) || strings.Trim(p, "/*") == "" || strings.Contains(p, "\\") {
		return false
	}
	for part := range strings.SplitSeq(strings.Trim(p, "/"), "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
		if _, err := path.Match(part, ""); err != nil {
			return false
		}
	}
	return true
}

// guard reads a record's guard.
func (d *decoder) guard() *Guard {
	var entry map[string]json.RawMessage
	if !d.decodeField("guard", false, "an object", &entry) {
		return nil
	}
	sub := decoder{checker: new(checker), top: membersFrom(entry)}
	g := &Guard{
		Tool:    sub.text("tool", false),
		Command: sub.texts("command", false),
		Path:    sub.text("path", false),
		Needs:   sub.texts("needs", false),
		Does:    sub.text("does", true),
	}
	sub.addUnknown()
	for _, p := range sub.problems {
		d.addProblem("guard."+p.Field, p.Expected, p.Got, p.Fix)
	}
	return g
}

// rewrite returns the guard with f applied to every text but what it does. nil stays nil, and what is no
// guard any more becomes nil.
func (g *Guard) rewrite(f func(string) string) *Guard {
	if g == nil {
		return nil
	}
	next := &Guard{Tool: f(g.Tool), Command: rewriteTexts(g.Command, f), Path: f(g.Path),
		Needs: rewriteTexts(g.Needs, f), Does: g.Does}
	if next.Valid() != nil {
		return nil
	}
	return next
}

// Valid returns an error that says what is wrong with a guard, nil where it may stand in a record.
func (g Guard) Valid() error {
	c := new(checker)
	g.check(c)
	return c.err()
}

// WithGuard returns the record with a guard in the place of its own, as an update.
func (r Record) WithGuard(g Guard, now time.Time) Record {
	change := Change{Date: Stamp(now), Summary: "proposed a guard", Field: "guard"}
	if r.Guard != nil {
		change.Summary = "proposed another guard"
	}
	r.Changes = append(slices.Clone(r.Changes), change)
	r.Changes = r.Changes[max(0, len(r.Changes)-MaxChanges):]
	r.Guard, r.UpdatedAt = &g, change.Date
	r.TimesUpdated++
	return r
}
