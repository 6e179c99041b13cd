package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/gate/rules"
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

// look reads every string in the arguments, at any depth.
func (j *judge) look() (p preview) {
	if !j.parse() {
		return p
	}
	j.members(func(k, v gjson.Result) bool {
		p.value(k.Str, v, 0)
		return true
	})
	return p
}

func (p *preview) value(key string, v gjson.Result, depth int) {
	switch {
	case depth > rules.MaxNesting:
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
		p.text = strings.TrimSpace(p.text + " " + clip(s, maxNear))
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

// near returns a line about what is kept already and says much the same.
func (j *judge) near(text string) []string {
	if j.call.Near == nil || !strings.HasPrefix(j.call.Tool, "mcp__") || len(text) < minNear {
		return nil
	}
	titles, err := j.call.Near(text)
	switch {
	case err != nil:
		return []string{"not compared with what is already kept: " + err.Error()}
	case len(titles) == 0:
		return nil
	}
	for i, t := range titles {
		titles[i] = clip(t, 60)
	}
	return []string{"close to what is already kept: " + some(titles)}
}

// places are the arguments that say where a MemPalace write goes.
var places = [...]string{"wing", "room", "agent_name", "topic", "subject", "drawer_id", "tunnel_id",
	"source_wing", "target_wing", "source_file", "source", "project_dir"}

// place reports whether a key names the place of a text, and not the text itself.
func place(key string) bool {
	return key != "subject" && slices.Contains(places[:], key) || strings.HasSuffix(key, "_id") ||
		strings.HasSuffix(key, "_room") || key == "added_by"
}

// where returns the words for where a write goes: from the arguments that MemPalace uses for it,
// and the server.
func (j *judge) where() []string {
	said := map[string]string{}
	if j.parse() {
		j.members(func(k, v gjson.Result) bool {
			if v.Type == gjson.String && len(k.Str) < 20 && slices.Contains(places[:], k.Str) {
				said[k.Str] = v.Str
			}
			return true
		})
	}
	var keys []string
	for _, key := range places {
		if _, ok := said[key]; ok && len(keys) < 3 {
			keys = append(keys, key)
		}
	}
	parts := make([]string, 0, len(keys)+1)
	for _, k := range keys {
		parts = append(parts, strings.ReplaceAll(k, "_", " ")+" "+clip(said[k], 60/len(keys)))
	}
	if rest, ok := strings.CutPrefix(j.call.Tool, "mcp__"); ok {
		if i := strings.LastIndex(rest, "__"); i > 0 {
			parts = append(parts, "server "+clip(rest[:i], 30))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ")}
}

// reason returns the text of a verdict: what is at stake and where to, then what to know about the
// text, then why (ask) or what to do instead (deny).
func (j *judge) reason(r rules.Rule, d rules.Decision) string {
	f := j.found
	first, details := r.Says, f.details
	if r.Checkpoint == rules.MemPalaceWrite && r.Answer == rules.Ask {
		p := j.look()
		if p.rows > dialogRows {
			first += ", " + strconv.Itoa(p.rows) + " lines (see keepsake review)"
		}
		details = slices.Concat(details, p.flags(), j.near(p.text))
	}
	if f.subject != "" {
		first += ": " + f.subject
	}
	last := r.Because
	if d == rules.Deny {
		last = r.Remedy
	}
	return rules.Reason(append([]string{first}, details...), last)
}
