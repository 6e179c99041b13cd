package resolve

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// draftLimit bounds a draft, in bytes. A context file has at most 50 KB, so a
// draft of it that is larger is not a draft of it.
const draftLimit = 256 << 10

// ByHand is the origin of a draft that a person had written down: nobody staged
// memories to choose from for it.
const ByHand = "hand"

// Automatic is the origin of the summary that Keepsake itself makes of a session that
// ends: nobody asked for it, so it is not what was done last.
const Automatic = "automatic"

// Draft is what one drafting agent proposes, coerced by ParseDraft.
type Draft struct {
	Category      memory.Category
	Summary       string   // what is new, in a sentence or three
	Intended      string   // "create", "update", "delete", or "" when the draft does not say
	Target        string   // the id of the record it is about, "" when it names none
	Hints         []string // resolved, removed, reversed, superseded, deprecated
	Supersedes    string   // the id of the record whose place it takes, "" for none
	Covers        []int    // the numbers of the findings that it takes up, nil when it does not say
	Noop          bool     // nothing worth keeping; of the rest only Category, Covers and NoopReason count
	NoopReason    string
	Title         string   // "" when the draft has none: an update keeps the old one
	Tags          []string // never empty, ["untagged"] when the draft has none
	Confidence    *float64 // 0 to 1, nil when the draft does not say
	RelatedFiles  []string
	ChangeSummary string
	Content       memory.Content // only what the draft said; defaults are not filled in
	Origin        string         // "extractive" when Extract made it, ByHand, else ""

	// Backed says that a person's own words say what the draft says. The caller knows
	// it, and what follows, no draft says so of itself.
	Backed bool

	// Approved says that a person was shown the draft whole and said yes. Said are the
	// sentences of a person's that it takes up, and Against the paths of the records that
	// these turn against. Only an approved draft, or one with words against a record, ends
	// what a person said.
	Approved bool
	Said     []string
	Against  []string
}

// ParseDraft reads what a drafting agent wrote for a category: seed 3's SAVE or
// NOOP intent with an optional "target". Models wrap it in prose and fences,
// write text for lists and lists for text, change case and add fields; all that
// is put right, and notes say what was. Secrets are redacted in all of it. want
// decides the category; "" takes the draft's own. What cannot be put right is a
// *memory.ValidationError that names field, expected, got and fix; the draft then
// has no more than its category, its title and what it covers, to be named by.
func ParseDraft(b []byte, want memory.Category) (d Draft, notes []string, err error) {
	if len(b) > draftLimit {
		return Draft{}, nil, &memory.ValidationError{Problems: []memory.Problem{{
			Field: "draft", Expected: fmt.Sprintf("at most %d KiB", draftLimit>>10),
			Got: fmt.Sprintf("%d KiB", (len(b)+1023)>>10), Fix: "say it in fewer words",
		}}}
	}
	p := new(coercer)
	top := p.find(b, want)
	if top != nil {
		d = p.draft(top, want)
	}
	if len(p.problems) > 0 {
		return Draft{Category: d.Category, Title: d.Title, Covers: d.Covers}, p.notes,
			&memory.ValidationError{Problems: p.problems}
	}
	return d, p.notes, nil
}

// draft reads the intent object.
func (p *coercer) draft(top map[string]any, want memory.Category) Draft {
	d := Draft{Category: p.category(top["category"], want)}
	if d.Category == "" {
		return d
	}
	action := p.action(first(top, "intended_action", "action", "verb"))
	part, ok := top["partial_content"].(map[string]any)
	if s, isText := top["partial_content"].(string); isText {
		if v, _, isJSON := strictly(s); isJSON {
			if part, ok = v.(map[string]any); ok {
				p.note("partial_content: JSON inside a text, read")
			}
		}
	}
	if ok {
		part = snakeKeys(part)
	}
	if v := first(top, coversNames[:]...); v != nil {
		d.Covers = p.covers(v)
	} else {
		d.Covers = p.covers(first(part, coversNames[:]...))
	}
	why := flat(top["noop"]) // the short form: the reason itself
	if why == "false" || why == "null" {
		why = ""
	}
	if why != "" || action == "noop" || p.action(top["action"]) == "noop" {
		if d.Noop = true; why == "" || why == "true" {
			why = flat(first(top, "noop_reason", "reason"))
		}
		d.NoopReason = text.Shorten(why, memory.MaxSummary)
		return d
	}
	d.Intended = action

	if !ok {
		part = top
		if !p.short {
			p.note("partial_content: missing, its fields were taken from the top")
		}
	}
	get := func(name string) any {
		if v := part[name]; v != nil {
			return v
		}
		return top[name]
	}
	// What says which memory is meant, and how, is looked for in both places: a
	// draft without it would become a second memory.
	meant := func(names ...string) any {
		if v := first(top, names...); v != nil {
			return v
		}
		return first(part, names...)
	}
	if d.Intended == "" {
		d.Intended = p.action(part["intended_action"])
	}
	if flat(top["origin"]) == extractive {
		d.Origin = extractive
	}
	d.Summary = flat(first(top, "new_info_summary", "summary"))
	d.Title = p.title(get("title"))
	d.ChangeSummary = flat(get("change_summary"))
	switch {
	case d.Summary == "" && d.ChangeSummary != "":
		d.Summary = d.ChangeSummary
		if !p.short {
			p.note("new_info_summary: missing, change_summary was taken")
		}
	case d.Summary == "" && d.Title != "":
		d.Summary = d.Title
		if !p.short {
			p.note("new_info_summary: missing, the title was taken")
		}
	case d.Summary == "" && d.Intended == "delete" && first(top, "target", "target_id") != nil:
		d.Summary = "It no longer holds"
	case d.Summary == "" && !p.short: // the short form has none: it is made of the content
		p.problem("new_info_summary", "a sentence or three", top["new_info_summary"], "say what is new")
	}
	d.Target = target(meant("target", "target_id"))
	d.Supersedes = target(meant("supersedes", "superseded", "replaces"))
	d.Hints = p.hints(meant("lifecycle_hints", "lifecycle_hint"))
	d.Tags = p.tags(get("tags"))
	d.Confidence = p.confidence(get("confidence"))
	d.RelatedFiles = p.files(get("related_files"))
	d.Content = p.content(d.Category, part)
	if d.Summary == "" && p.short { // what is added to a memory needs no title
		d.Summary = flat(mainText(d.Category, d.Content))
	}
	if d.ChangeSummary == "" {
		d.ChangeSummary = d.Summary
	}
	d.ChangeSummary = text.Shorten(d.ChangeSummary, memory.MaxSummary)
	empty, wanted := p.dropPlaceholders(&d)

	// A draft that can only become a new record must say all of one. What an
	// update, a retirement or the end of something needs is known when its record
	// is.
	open := d.Intended == "" && (len(d.Hints) == 0 || d.Category == memory.SessionSummary)
	if (d.Intended == "create" || open) && d.Target == "" || d.Supersedes != "" {
		switch {
		case p.short && d.Title == "":
			p.problem("title", "a title", part["title"], "add it")
		case titleOf(d) == "":
			p.problem("partial_content.title", "a title", part["title"], "add it")
		}
		for _, f := range wanted {
			p.note("content." + f.Name + ": it only says who wants it, so no reason is recorded")
			if d.Content[f.Name] = Unsaid; f.Kind == memory.List {
				d.Content[f.Name] = []string{Unsaid}
			}
		}
		_, _, problems := complete(d.Category, d.Content)
		for _, missing := range problems {
			if i := slices.IndexFunc(empty,
				func(e memory.Problem) bool { return e.Field == missing.Field }); i >= 0 {
				missing = empty[i]
			}
			p.problems = append(p.problems, missing)
		}
		return d
	}
	for _, e := range empty {
		p.note(e.Field + ": " + e.Got + " says nothing, left as it is")
	}
	return d
}

// coversNames are the names under which models say what a draft covers.
var coversNames = [...]string{"covers", "covered", "cover", "findings", "finding"}

// category settles which category the draft is of.
func (p *coercer) category(v any, want memory.Category) memory.Category {
	said := flat(v)
	c, err := memory.ParseCategory(said)
	switch {
	case want == "" && err != nil:
		p.problem("category",
			"one of session_summary, decision, runbook, constraint, tech_debt, preference", v,
			"name the category of what it covers")
		return ""
	case want == "":
		return c
	case err == nil && c != want:
		p.note(fmt.Sprintf("category: says %s, but it was drafted as %s", c, want))
	}
	return want
}

// action reads what the draft wants done. What is no known verb counts as not
// said.
func (p *coercer) action(v any) string {
	s := strings.ToLower(flat(v))
	switch s {
	case "create", "new", "add":
		return "create"
	case "update", "amend", "merge":
		return "update"
	case "delete", "retire", "remove":
		return "delete"
	case "noop", "no-op", "no_op", "skip", "nothing":
		return "noop"
	case "", "null", "none", "save":
	default:
		p.note(fmt.Sprintf("intended_action: %q is no action, left open", text.Shorten(s, 30)))
	}
	return ""
}

// target reads which record a draft is about: its id, a path, a line that Keepsake prints of it
// ("use-redis: Use Redis (cache)", "Saved: decision (create) decisions/use-redis.json [1]",
// "[DECISION] Use Redis [source: …]", "near: use-redis"), or its title, which only the records tell.
func target(v any) string {
	if m, ok := v.(map[string]any); ok {
		v = first(snakeKeys(m), "id", "target", "path", "title")
	}
	s := bullet(flat(v))
	if id := idInPath(s); id != "" {
		return id
	}
	s = strings.Trim(withoutMarks(s), " `\"'[]")
	if id, _, ok := strings.Cut(s, ": "); ok && memory.ValidID(path.Base(id)) {
		s = id
	}
	if strings.HasSuffix(s, ".json") || !strings.Contains(s, " ") {
		s = s[strings.LastIndexByte(s, '/')+1:]
	}
	s = strings.TrimSuffix(s, ".json")
	switch strings.ToLower(s) {
	case "", "null", "none", "new", "n/a":
		return ""
	}
	return s
}

// idInPath returns the id of the first record whose file a text names, "" where it names none.
func idInPath(s string) string {
	for word := range strings.FieldsSeq(s) {
		file, ok := strings.CutSuffix(strings.Trim(word, "`\"'“”()[]<>,;:."), ".json")
		folder, id := path.Split(file)
		if ok && memory.ValidID(id) && slices.ContainsFunc(memory.Categories(), func(c memory.Category) bool {
			return path.Base(folder) == c.Folder()
		}) {
			return id
		}
	}
	return ""
}

// withoutMarks takes off a printed line what stands around the title or the id: "[DECISION]" before
// it, "[source: …]" and "[1]" behind it, and "near:" of an offer.
func withoutMarks(s string) string {
	if i := strings.LastIndex(s, "near: "); i == 0 || i > 0 && s[i-1] == '(' {
		if id := strings.TrimRight(s[i+len("near: "):], ") "); memory.ValidID(id) {
			return id
		}
	}
	for strings.HasSuffix(s, "]") {
		i := strings.LastIndex(s, " [")
		if i < 0 {
			break
		}
		inner := s[i+2 : len(s)-1]
		if !strings.HasPrefix(inner, "source: ") && strings.Trim(inner, "0123456789") != "" {
			break
		}
		s = strings.TrimSpace(s[:i])
	}
	if inner, rest, ok := strings.Cut(s, "] "); ok && strings.HasPrefix(inner, "[") {
		kind, _, _ := strings.Cut(inner[1:], ",") // "[DECISION, proposed]"
		if _, err := memory.ParseCategory(kind); err == nil && kind == strings.ToUpper(kind) {
			s = rest
		}
	}
	return strings.TrimSpace(s)
}

func (p *coercer) title(v any) string {
	raw := flat(v)
	t := memory.CleanTitle(raw)
	if utf8.RuneCountInString(raw) > memory.MaxTitle {
		p.note(fmt.Sprintf("title: longer than %d characters, cut", memory.MaxTitle))
	}
	return t
}

func (p *coercer) hints(v any) []string {
	var out []string
	if s, ok := v.(string); ok {
		v = strings.NewReplacer(",", "\n", ";", "\n").Replace(s)
	}
	for _, h := range p.list("lifecycle_hints", v) {
		switch h = strings.ToLower(strings.Trim(h, ".! ")); h {
		case "resolved", "removed", "reversed", "superseded", "deprecated":
			if !slices.Contains(out, h) {
				out = append(out, h)
			}
		case "", "none", "null":
		default:
			p.note(fmt.Sprintf("lifecycle_hints: %q is no hint, dropped", text.Shorten(h, 30)))
		}
	}
	return out
}

func (p *coercer) tags(v any) []string {
	var list []string
	switch v := v.(type) {
	case string:
		list = strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(",;#\n", r) })
		p.note("tags: text, split into a list")
	case []any:
		for _, e := range v {
			list = append(list, flat(e))
		}
	}
	said := make(map[string]bool)
	for _, t := range list {
		if t = memory.CleanTag(t); t != "" {
			said[t] = true
		}
	}
	if len(said) > memory.MaxTags {
		p.note(fmt.Sprintf("tags: %d of them, the first %d kept", len(said), memory.MaxTags))
	}
	return memory.CleanTags(list)
}

func (p *coercer) files(v any) []string {
	var list []string
	if s, ok := v.(string); ok {
		list = strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '\n' })
		p.note("related_files: text, split into a list")
	} else {
		list = p.list("related_files", v)
	}
	var out []string
	for _, f := range list {
		f = strings.Trim(f, " `\"'")
		if f != "" && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

// content reads the fields of the category. Without a content object they are
// looked for beside it.
func (p *coercer) content(c memory.Category, part map[string]any) memory.Content {
	raw, ok := part["content"].(map[string]any)
	switch s, isText := part["content"].(string); {
	case ok:
		raw = snakeKeys(raw)
	case isText && json.Unmarshal([]byte(s), &raw) == nil && raw != nil:
		raw = snakeKeys(raw)
		p.note("content: JSON inside a text, read")
	default:
		raw = make(map[string]any)
		for _, f := range memory.Fields(c) {
			if v, ok := part[f.Name]; ok {
				raw[f.Name] = v
			}
		}
		if len(raw) > 0 {
			p.note("content: missing, its fields were taken from beside it")
		}
	}
	out := make(memory.Content)
	for _, f := range memory.Fields(c) {
		v, ok := raw[f.Name]
		delete(raw, f.Name)
		if alias := otherNumber(f.Name); !ok {
			if v, ok = raw[alias]; ok {
				delete(raw, alias)
				p.note(fmt.Sprintf("content.%s: was called %s", f.Name, alias))
			}
		}
		if !ok || v == nil {
			continue
		}
		if v := p.field(f, v); v != nil {
			out[f.Name] = v
		}
	}
	for _, name := range sortedKeys(raw) {
		p.note(fmt.Sprintf("content.%s: no such field in a %s, dropped", text.Shorten(name, 40), c))
	}
	return out
}

// otherNumber returns a field's name in the singular if it is plural, and the
// other way about.
func otherNumber(name string) string {
	if s, ok := strings.CutSuffix(name, "s"); ok {
		return s
	}
	return name + "s"
}

// complete returns the content of a new record: what a draft said, defaults for
// how far along or how grave it is, empty lists for required ones that may be
// empty. Problems say what is missing.
func complete(c memory.Category, said memory.Content) (memory.Content, []string, []memory.Problem) {
	p := new(coercer)
	out := make(memory.Content, len(said))
	for _, f := range memory.Fields(c) {
		name := "content." + f.Name
		v, ok := said[f.Name]
		if ok {
			out[f.Name] = v
		}
		if !f.Required {
			continue
		}
		list, _ := v.([]string)
		switch {
		case f.Kind == memory.List && len(list) < f.Min:
			p.problem(name, "a list with at least one entry", nil, "add it; "+strings.ToLower(f.Label)+
				" is what makes a "+string(c)+" worth keeping")
		case ok:
		case f.Kind == memory.List:
			out[f.Name] = []string{}
		case f.Kind == memory.Flag && f.Default != "":
			out[f.Name] = f.Default == "true"
			p.note(name + ": not said, taken as " + f.Default)
		case f.Default != "":
			out[f.Name] = f.Default
			p.note(name + ": not said, taken as " + f.Default)
		case f.Kind == memory.Enum:
			p.problem(name, "one of "+strings.Join(f.Enum, ", "), nil, "add it")
		default:
			p.problem(name, "text", nil, "add it; "+strings.ToLower(f.Label)+" is what makes a "+string(c)+
				" worth keeping")
		}
	}
	return out, p.notes, p.problems
}
