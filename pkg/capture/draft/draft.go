package draft

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

// draftLimit is the size of the largest draft, in bytes. A context file has at most 50 KB, so a larger draft
// cannot be one of it.
const draftLimit = 256 << 10

// ByHand is the origin of a draft that a person had written down. No memories were chosen for its drafter to
// see.
const ByHand = "hand"

// Automatic is the origin of the summary that Keepsake itself makes when a session ends. As nobody asked for
// it, it does not count as the last thing done.
const Automatic = "automatic"

// Draft is the proposal of one drafting agent, as coerced by Parse.
type Draft struct {
	Category      memory.Category
	Summary       string   // what is new, in one to three sentences
	Intended      string   // "create", "update", "delete", or "" if the draft does not say
	Target        string   // id of the record it is about, or ""
	Hints         []string // resolved, removed, reversed, superseded, deprecated
	Supersedes    string   // id of the record whose place it takes, or ""
	Covers        []int    // numbers of the findings that it takes up; nil if it does not say
	Noop          bool     // nothing is worth keeping; otherwise only Category, Covers and NoopReason count
	NoopReason    string
	Title         string   // "" if the draft has none: an update keeps the old one
	Tags          []string // never empty: ["untagged"] if the draft has none
	Confidence    *float64 // 0 to 1; nil if the draft does not say
	RelatedFiles  []string
	Verify        []string // checks, as memory.ParseCheck reads them
	Checks        bool     // the draft has checks of its own
	ChangeSummary string
	Content       memory.Content // only what the draft said, without defaults
	Origin        string         // "extractive" if Extract made it, ByHand, Automatic, or ""

	// Backed reports that a person's own words say what the draft says. The caller sets this and the fields
	// below; a draft cannot.
	Backed bool

	// Approved reports that a person was shown the whole draft and said yes. Said are the person's sentences
	// that it takes up, and Against the paths of the records that these speak against. Only an approved
	// draft, or one with words against a record, can end what a person said.
	Approved bool
	Said     []string
	Against  []string
}

// record returns what a draft says as a record.
func (d Draft) record() memory.Record {
	return memory.Record{Category: d.Category, Title: d.Title, Tags: d.Tags, Content: d.Content}
}

// Parse parses what a drafting agent wrote for a category: a draft to be saved, or a noop. Models wrap it in
// prose and fences, confuse texts and lists, change case and add fields; Parse corrects this, and notes say
// what it corrected. It redacts all secrets. want is the category; if it is "", the draft's own counts. An
// error is a *memory.ValidationError that names field, expected, got and fix; the draft then has only its
// category, title and covers, so that it can be named.
func Parse(b []byte, want memory.Category) (d Draft, notes []string, err error) {
	if len(b) > draftLimit {
		return Draft{}, nil, &memory.ValidationError{Problems: []memory.Problem{{
			Field: "draft", Expected: fmt.Sprintf("at most %d KiB", draftLimit>>10),
			Got: fmt.Sprintf("%d KiB", (len(b)+1023)>>10), Fix: "say it in fewer words",
		}}}
	}
	p := new(coercer)
	top := p.findDraft(b, want)
	if top != nil {
		d = p.draft(top, want)
	}
	if len(p.problems) > 0 {
		return Draft{Category: d.Category, Title: d.Title, Covers: d.Covers}, p.notes,
			&memory.ValidationError{Problems: p.problems}
	}
	return d, p.notes, nil
}

// draft parses the intent object.
func (p *coercer) draft(top map[string]any, want memory.Category) Draft {
	d := Draft{Category: p.category(top["category"], want)}
	if d.Category == "" {
		return d
	}
	action := p.action(firstOf(top, "intended_action", "action", "verb"))
	part, ok := top["partial_content"].(map[string]any)
	if s, isText := top["partial_content"].(string); isText {
		if v, _, isJSON := decodeStrictly(s); isJSON {
			if part, ok = v.(map[string]any); ok {
				p.note("partial_content: JSON inside a text, read")
			}
		}
	}
	if ok {
		part = snakeKeys(part)
	}
	if v := firstOf(top, coversNames[:]...); v != nil {
		d.Covers = p.covers(v)
	} else {
		d.Covers = p.covers(firstOf(part, coversNames[:]...))
	}
	why := flatText(top["noop"]) // in the short form it is the reason itself
	if why == "false" || why == "null" {
		why = ""
	}
	if why != "" || action == "noop" || p.action(top["action"]) == "noop" {
		if d.Noop = true; why == "" || why == "true" {
			why = flatText(firstOf(top, "noop_reason", "reason"))
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
	// The target and what is to be done with it may be at the top or in partial_content. Missing them would
	// make a second memory.
	meant := func(names ...string) any {
		if v := firstOf(top, names...); v != nil {
			return v
		}
		return firstOf(part, names...)
	}
	if d.Intended == "" {
		d.Intended = p.action(part["intended_action"])
	}
	if flatText(top["origin"]) == extractive {
		d.Origin = extractive
	}
	d.Summary = flatText(firstOf(top, "new_info_summary", "summary"))
	d.Title = p.title(get("title"))
	d.ChangeSummary = flatText(get("change_summary"))
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
	case d.Summary == "" && d.Intended == "delete" && firstOf(top, "target", "target_id") != nil:
		d.Summary = "It no longer holds"
	case d.Summary == "" && !p.short: // the short form has none; it is made from the content
		p.problem("new_info_summary", "a sentence or three", top["new_info_summary"], "say what is new")
	}
	d.Target = parseTarget(meant("target", "target_id"))
	d.Supersedes = parseTarget(meant("supersedes", "superseded", "replaces"))
	d.Hints = p.hints(meant("lifecycle_hints", "lifecycle_hint"))
	d.Tags = p.tags(get("tags"))
	d.Confidence = p.confidence(get("confidence"))
	d.RelatedFiles = p.files(get("related_files"))
	d.Verify = p.checks(get("verify"))
	d.Checks = len(d.Verify) > 0
	d.Content = p.content(d.Category, part)
	if d.Summary == "" && p.short { // an addition to a memory needs no title
		d.Summary = flatText(d.record().MainText())
	}
	if d.ChangeSummary == "" {
		d.ChangeSummary = d.Summary
	}
	d.ChangeSummary = text.Shorten(d.ChangeSummary, memory.MaxSummary)
	empty, wanted := p.dropPlaceholders(&d)

	// A draft that can only become a new record must be complete. What an update, a retirement or an ending
	// needs is known only with its record.
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
		_, _, problems := completeContent(d.Category, d.Content)
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

// coversNames are the names that models give the covers of a draft.
var coversNames = [...]string{"covers", "covered", "cover", "findings", "finding"}

// category returns the category of the draft.
func (p *coercer) category(v any, want memory.Category) memory.Category {
	said := flatText(v)
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

// action returns what the draft wants done, or "" if that is no known verb.
func (p *coercer) action(v any) string {
	s := strings.ToLower(flatText(v))
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

// parseTarget returns the record that a draft is about, from an id, a path, a line in which Keepsake prints
// the record ("use-redis: Use Redis (cache)", "Saved: decision (create) decisions/use-redis.json [1]",
// "[DECISION] Use Redis [source: …]", "near: use-redis"), or its title, which the caller must look up.
func parseTarget(v any) string {
	if m, ok := v.(map[string]any); ok {
		v = firstOf(snakeKeys(m), "id", "target", "path", "title")
	}
	s := cutBullet(flatText(v))
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

// idInPath returns the id of the first record whose file a text names, or "".
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

// withoutMarks returns a printed line without what surrounds the title or the id: "[DECISION]" and "near:"
// before it, "[source: …]" and "[1]" behind it.
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
	raw := flatText(v)
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
			list = append(list, flatText(e))
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

// CheckNote begins the notes about checks that are left out.
const CheckNote = "verify: "

// checks returns the checks of a draft. What is not on the closed list is left out, and the note says why.
func (p *coercer) checks(v any) (out []string) {
	for _, line := range p.list("verify", v) {
		c, err := memory.ParseCheck(line)
		switch {
		case err != nil:
			p.note(fmt.Sprintf(CheckNote+"%q is left out: %v", text.Shorten(line, 60), err))
		case len(out) == memory.MaxChecks:
			p.note(fmt.Sprintf(CheckNote+"more than %d, %q is left out", memory.MaxChecks,
				text.Shorten(line, 60)))
		case !slices.Contains(out, c.String()):
			out = append(out, c.String())
		}
	}
	return out
}

// content returns the fields of the category. Without a content object it looks for them beside it.
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

// otherNumber returns the singular of a plural field name, and the plural of a singular one.
func otherNumber(name string) string {
	if s, ok := strings.CutSuffix(name, "s"); ok {
		return s
	}
	return name + "s"
}

// completeContent returns the content of a new record: what the draft said, defaults for progress and
// severity, and empty lists where these are allowed. Problems say what is missing.
func completeContent(c memory.Category, said memory.Content) (memory.Content, []string, []memory.Problem) {
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
