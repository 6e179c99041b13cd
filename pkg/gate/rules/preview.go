package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// At 80x24 the dialog of the oldest client shows the last nine lines of a call's
// arguments, that of the newest the last eleven, without a way to scroll.
const (
	dialogRows  = 9
	dialogWidth = 76 // characters, between the borders
)

// maxNear is how much of a text is compared with what is kept, in bytes. minNear is less than
// anything that could be a memory.
const (
	maxNear = 4096
	minNear = 16
)

// A preview is what a person should know about the text of a call before they read it.
type preview struct {
	rows    int      // that it takes in the dialog
	secrets []string // kinds
	hidden  int      // characters that nobody sees
	which   []rune   // some of them, each once
	text    string   // what would be kept, without where to
}

func (p *preview) value(key string, v gjson.Result, depth int) {
	switch {
	case depth > MaxNesting:
	case v.IsObject() || v.IsArray():
		v.ForEach(func(k, item gjson.Result) bool {
			if k.Type == gjson.String {
				key = k.Str
			}
			p.value(key, item, depth+1)
			return true
		})
	case v.Type == gjson.String:
		p.string(key, v.Str)
	default:
		p.rows++
	}
}

func (p *preview) string(key, s string) {
	before := len(key) + len(`: "`)
	for l := range strings.SplitSeq(s, "\n") {
		p.rows += 1 + max(0, before+width(l)-1)/dialogWidth
		before = 0
	}
	named := s
	if len(s) < maxNear { // what is longer is a text, whatever its key says
		named = key + ": " + s
	}
	for _, kind := range secret.Kinds(named) {
		if !slices.Contains(p.secrets, kind) {
			p.secrets = append(p.secrets, kind)
		}
	}
	p.unseen(key)
	p.unseen(s)
	if !place(key) && len(p.text) < maxNear {
		p.text = strings.TrimSpace(p.text + " " + Clip(s, maxNear))
	}
}

// width returns how many columns a terminal needs for s, or a little more.
func width(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// unseen counts the characters of s that nobody sees.
func (p *preview) unseen(s string) {
	for r := range text.Unseen(s) {
		p.hidden++
		if len(p.which) < 3 && !slices.Contains(p.which, r) {
			p.which = append(p.which, r)
		}
	}
}

// length says how many lines the text has, if they are more than the dialog shows.
func (p preview) length() string {
	if p.rows <= dialogRows {
		return ""
	}
	return ", " + strconv.Itoa(p.rows) + " lines (see keepsake review)"
}

// flags returns the lines that warn of what is in the text.
func (p preview) flags() []string {
	var all []string
	if len(p.secrets) > 0 {
		all = append(all, "looks like it holds a secret: "+some(p.secrets))
	}
	if p.hidden > 0 {
		which := make([]string, len(p.which))
		for i, r := range p.which {
			which[i] = fmt.Sprintf("%U", r)
		}
		noun := "characters"
		if p.hidden == 1 {
			noun = "character"
		}
		all = append(all, fmt.Sprintf("holds %d invisible %s (%s), see keepsake review", p.hidden, noun,
			strings.Join(which, " ")))
	}
	if len(all) == 0 {
		return nil
	}
	return []string{strings.Join(all, "; ")}
}

// some returns the first three entries of a list, for people.
func some(list []string) string {
	if len(list) > 3 {
		list = append(slices.Clone(list[:3]), "…")
	}
	return strings.Join(list, ", ")
}

// near returns a line about what is kept already and says much the same as a text; unknown says why it was
// not compared.
func near(titles []string, unknown string) []string {
	switch {
	case unknown != "":
		return []string{"not compared with what is already kept: " + unknown}
	case len(titles) == 0:
		return nil
	}
	short := make([]string, len(titles))
	for i, t := range titles {
		short[i] = Clip(t, 60)
	}
	return []string{"close to what is already kept: " + some(short)}
}

// places are the arguments that say where a MemPalace write goes.
var places = [...]string{"wing", "room", "agent_name", "topic", "subject", "drawer_id", "tunnel_id",
	"source_wing", "target_wing", "source_file", "source", "project_dir"}

// place reports whether a key names the place of a text, and not the text itself.
func place(key string) bool {
	return key != "subject" && slices.Contains(places[:], key) || strings.HasSuffix(key, "_id") ||
		strings.HasSuffix(key, "_room") || key == "added_by"
}

// Destination returns the line that says where a call of an MCP tool writes, if its arguments or the server's
// name say so.
func Destination(tool string, args gjson.Result) (line []string) {
	said := map[string]string{}
	args.ForEach(func(k, v gjson.Result) bool {
		if v.Type == gjson.String && slices.Contains(places[:], k.Str) {
			said[k.Str] = v.Str
		}
		return true
	})
	var keys, parts []string
	for _, key := range places {
		if _, ok := said[key]; ok && len(keys) < 3 {
			keys = append(keys, key)
		}
	}
	for _, k := range keys {
		parts = append(parts, strings.ReplaceAll(k, "_", " ")+" "+Clip(said[k], 60/len(keys)))
	}
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		if i := strings.LastIndex(rest, "__"); i > 0 {
			parts = append(parts, "server "+Clip(rest[:i], 30))
		}
	}
	if len(parts) > 0 {
		line = []string{strings.Join(parts, ", ")}
	}
	return line
}

// A Stopped is a call that a rule stopped, as a person is told of it.
type Stopped struct {
	Rule    Rule
	Answer  Decision
	Subject string       // the tool, command or path
	Details []string     // further lines, such as wing and room
	Args    gjson.Result // of the call, if they are one object
	// Near returns the titles of what is already kept and says much the same as a text. If it is nil, nothing
	// is said about that.
	Near func(text string) ([]string, error)
}

// Reason returns what is at stake and where to, then what to know about the text, then why (ask) or what to
// do instead (deny).
func (s Stopped) Reason() string {
	first, details := s.Rule.Says, s.Details
	if s.Rule.Checkpoint == MemPalaceWrite && s.Rule.Answer == Ask {
		var p preview
		if s.Args.IsObject() {
			p.value("", s.Args, 0)
		}
		first += p.length()
		details = slices.Concat(details, p.flags())
		if s.Near != nil && len(p.text) >= minNear {
			titles, err := s.Near(p.text)
			unknown := ""
			if err != nil {
				unknown = err.Error()
			}
			details = append(details, near(titles, unknown)...)
		}
	}
	if s.Subject != "" {
		first += ": " + s.Subject
	}
	return Reason(append([]string{first}, details...), s.Rule.ending(s.Answer))
}

// ending returns why the rule asks or, for a deny, what to do instead.
func (r Rule) ending(d Decision) string {
	if d == Deny {
		return r.Remedy
	}
	return r.Because
}

// Reason words what a person is asked about a promotion, as the reasons of other calls are worded.
func (p Promotion) Reason(d Decision) string {
	r := RulePromote.Rule()
	var seen preview
	seen.string("command", p.Command(strings.Repeat("x", nonceLen)))
	for _, w := range p.Words {
		seen.unseen(w)
	}
	first := r.Says + seen.length() + ": " + p.To
	seen.secrets = nil // what was found was taken out
	flags := seen.flags()
	if len(p.Secrets) > 0 {
		flags = append([]string{"taken out as a secret: " + some(p.Secrets)}, flags...)
	}
	lines := []string{first, p.Where}
	if len(flags) > 0 {
		lines = append(lines, strings.Join(flags, "; "))
	}
	return Reason(append(lines, near(p.Titles, p.Unknown)...), r.ending(d))
}

// nonceLen is how many characters a nonce has, for counting lines.
const nonceLen = 26

// Clip shortens s to n bytes or a little less, on a character.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return text.CutBytes(s, n) + "…"
}
