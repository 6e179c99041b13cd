package reading

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"go.yaml.in/yaml/v4"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/markdown"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// A topic is a note of the client's own memory: a Markdown file with a head of
//
//	---
//	name: no-db-mocks
//	description: integration tests use a real database
//	metadata:
//	  type: feedback
//	---
type topic struct {
	File        string // as it lies in its directory
	Name        string
	Description string
	Type        string // user, feedback, project, reference; "" when it does not say
	Body        string // Markdown, without the head

	notes []string
}

// parseTopic reads a note. If the note has no head, or one that is not quite YAML, as models write it, it
// reads what it can. It is an error if the note has no text.
func parseTopic(file string, b []byte) (topic, error) {
	t := topic{File: file}
	s := text.Clean(string(bytes.TrimPrefix(b, []byte("\ufeff"))))
	head, body, ok := cutHead(s)
	if ok {
		t.readHead(head)
	} else {
		t.notes = append(t.notes, "has no head with name, description and type")
	}
	t.Body = strings.TrimSpace(body)
	if t.Name == "" {
		t.Name = t.title()
	}
	if t.Body == "" {
		t.Body = t.Description
	}
	if t.Body == "" {
		return t, errors.New("has no text")
	}
	return t, nil
}

// maxHead bounds the head of a note, in bytes.
const maxHead = 64 << 10

func cutHead(s string) (head, body string, ok bool) {
	if head, body, ok = markdown.CutFrontmatter(s); len(head) > maxHead {
		return "", s, false
	}
	return head, body, ok
}

func (t *topic) readHead(head string) {
	var h struct {
		Name        string
		Description string
		Type        string
		Metadata    struct{ Type string }
	}
	if err := yaml.Unmarshal([]byte(head), &h); err != nil {
		t.notes = append(t.notes, "its head is not YAML and was read line by line")
		for _, f := range markdown.Parse([]byte("---\n" + head + "---\n")).Front.Fields {
			switch f.Key[strings.LastIndexByte(f.Key, '.')+1:] {
			case "name":
				h.Name = f.Value
			case "description":
				h.Description = f.Value
			case "type":
				h.Type = f.Value
			}
		}
	}
	t.Name, t.Description = strings.TrimSpace(h.Name), strings.TrimSpace(h.Description)
	t.Type = strings.ToLower(strings.TrimSpace(h.Metadata.Type))
	if t.Type == "" {
		t.Type = strings.ToLower(strings.TrimSpace(h.Type))
	}
}

// title returns the title of a note without a name: its first heading, or its file's name.
func (t *topic) title() string {
	src := []byte(t.Body)
	for _, b := range blocks(src) {
		if title, level := b.heading(); level > 0 && title != "" {
			return title
		}
	}
	return strings.TrimSuffix(path.Base(t.File), path.Ext(t.File))
}

// offer makes a record of a note:
//
//	user, feedback   a preference
//	project          a constraint or a decision, by its words; a decision in doubt
//	reference        a runbook: what to look at, and when
//
// Of a note that says another type, or none, the words decide too. Its text is
// kept whole: what stands behind "Why:" and "How to apply:" goes to the fields
// for it, all else to the one that says what the memory is. at is when the file
// was last written.
func (t topic) offer(at time.Time) exchange.Offer {
	lead, why, how := t.sections()
	r := memory.Record{
		Title: t.shownName(), Status: memory.Active, CreatedAt: memory.Stamp(at), UpdatedAt: memory.Stamp(at),
		Tags: words(t.shownName()), Provenance: &memory.Provenance{Origin: exchange.Origin},
	}
	sure, unsure := 0.7, 0.5
	r.Confidence = &sure
	notes := slices.Clone(t.notes)
	kind := t.Type
	switch kind {
	case "user", "feedback", "project", "reference":
	case "":
		notes = append(notes, "says no type; taken as project")
	default:
		notes = append(notes, fmt.Sprintf("type %q is unknown; taken as project", memory.CleanTitle(kind)))
	}
	about := t.Description
	if about == "" {
		about = r.Title
	}
	switch kind {
	case "user", "feedback":
		r.Category = memory.Preference
		r.Content = memory.Content{"topic": about, "value": paragraphs(lead, how), "reason": or(why),
			"strength": strengthOf(lead)}
	case "reference":
		r.Category = memory.Runbook
		r.Content = memory.Content{"trigger": about, "steps": steps(paragraphs(lead, why, how)),
			"verification": exchange.NotRecorded}
	default:
		category, certain := judge(t.Description + "\n" + t.Body)
		if r.Category = category; !certain || kind == "" {
			r.Confidence = &unsure
		}
		if category == memory.Constraint {
			rule := lead
			if t.Description != "" && t.Description != lead {
				rule = paragraphs(t.Description, lead)
			}
			r.Content = memory.Content{"kind": kindOf(t.Body), "rule": rule, "impact": []string{or(why)},
				"severity": "medium", "active": true}
			if how != "" {
				r.Content["workarounds"] = []string{how}
			}
		} else {
			r.Content = memory.Content{"status": "accepted", "context": about, "decision": lead,
				"rationale": []string{or(why)}}
			if how != "" {
				r.Content["consequences"] = []string{how}
			}
		}
	}
	if r.ID = memory.Slug(r.Title); r.ID == "" {
		r.ID = memory.Slug(strings.TrimSuffix(path.Base(t.File), path.Ext(t.File)))
	}
	return exchange.Offer{Record: r, From: t.File, Notes: notes}
}

func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n")
}

func or(s string) string {
	if s == "" {
		return exchange.NotRecorded
	}
	return s
}

// shownName returns a title made of the note's name, which may be made for a file.
func (t topic) shownName() string {
	name := t.Name
	if !strings.Contains(name, " ") {
		for _, kind := range []string{"user", "feedback", "project", "reference"} {
			if rest, ok := strings.CutPrefix(strings.ToLower(name), kind); ok &&
				strings.ContainsAny(rest[:min(1, len(rest))], "_-") {
				name = name[len(kind)+1:]
			}
		}
		name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' }), " ")
	}
	if r := []rune(name); len(r) > 0 {
		name = string(unicode.ToUpper(r[0])) + string(r[1:])
	}
	if title := memory.CleanTitle(name); title != "" {
		return title
	}
	return memory.CleanTitle(path.Base(t.File))
}

// maxTags is how many words of a name become tags.
const maxTags = 5

// words returns tags made of the words of a name.
func words(name string) []string {
	var tags []string
	for _, w := range strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		if len([]rune(w)) > 2 && !common(w) && len(tags) < maxTags {
			tags = append(tags, w)
		}
	}
	return memory.CleanTags(tags)
}

func common(word string) bool {
	switch strings.ToLower(word) {
	case "the", "and", "for", "not", "use", "with", "from", "into", "that", "this", "are", "when", "how",
		"why", "about", "notes", "memory":
		return true
	}
	return false
}

// sections splits a body into the text before "Why:", the text behind it, and the text behind "How to
// apply:". A heading ends such a section.
func (t topic) sections() (lead, why, how string) {
	var out [3]strings.Builder
	at := 0
	src := []byte(t.Body)
	for _, b := range blocks(src) {
		if _, level := b.heading(); level > 0 {
			at = 0
		}
		if _, ok := b.node.(*ast.Paragraph); !ok {
			out[at].WriteString(b.text)
			continue
		}
		for line := range strings.Lines(b.text) {
			rest := line
			if r, ok := cutLabel(line, "why"); ok {
				at, rest = 1, r
			} else if r, ok := cutLabel(line, "how to apply"); ok {
				at, rest = 2, r
			}
			out[at].WriteString(rest)
		}
	}
	lead, why, how = strings.TrimSpace(out[0].String()), strings.TrimSpace(out[1].String()),
		strings.TrimSpace(out[2].String())
	if lead == "" { // there is nothing but the reason
		lead, why, how = strings.TrimSpace(t.Body), "", ""
	}
	return lead, why, how
}

// cutLabel returns a line without a label, such as "**Why:** " or "Why: ", and reports whether it had
// one.
func cutLabel(line, label string) (string, bool) {
	s := strings.TrimLeft(line, "*_ ")
	if len(s) < len(label) || !strings.EqualFold(s[:len(label)], label) {
		return line, false
	}
	s = strings.TrimLeft(s[len(label):], "*_")
	rest, ok := strings.CutPrefix(s, ":")
	if !ok {
		return line, false
	}
	return strings.TrimLeft(rest, "*_ "), true
}

// steps returns the parts of a note about where to look: each entry of its lists and each paragraph. A
// heading belongs to what follows it.
func steps(body string) []string {
	src := []byte(body)
	var out []string
	title := ""
	add := func(s string) {
		if s = strings.TrimSpace(s); s == "" {
			return
		}
		out = append(out, paragraphs(title, s))
		title = ""
	}
	for _, b := range blocks(src) {
		switch b.node.(type) {
		case *ast.Heading:
			title = paragraphs(title, strings.TrimSpace(b.text))
		case *ast.List:
			for _, it := range b.items(src) {
				add(it.text)
			}
		default:
			add(b.text)
		}
	}
	if title != "" {
		out = append(out, title)
	}
	if len(out) == 0 { // bullets and nothing behind them
		return []string{body}
	}
	return out
}

// Words that say what a project's note is about. They need no stemming: each is
// looked for as the beginning of a word.
var (
	constraining = []string{"must", "never", "cannot", "can't", "may not", "only", "limit", "forbid",
		"not allowed", "require", "deadline", "freeze", "frozen", "due ", "until", "complian", "legal",
		"block", "unsupported", "no longer", "maximum", "at most", "quota", "policy"}
	deciding = []string{"decid", "decision", "chose", "choose", "we use", "we went", "instead of",
		"because", "switch", "prefer", "adopt", "migrat", "replac", "picked", "agreed", "going with",
		"in favo"}
)

// judge returns whether a text is a constraint or a decision, by its words. certain is false if the words
// don't decide it.
func judge(text string) (c memory.Category, certain bool) {
	text = " " + strings.ToLower(text)
	constraint, decision := hits(text, constraining), hits(text, deciding)
	if constraint > decision {
		return memory.Constraint, true
	}
	return memory.Decision, decision > constraint
}

func hits(text string, words []string) (n int) {
	for _, w := range words {
		for rest := text; ; {
			i := strings.Index(rest, w)
			if i < 0 {
				break
			}
			if i > 0 && !unicode.IsLetter(rune(rest[i-1])) {
				n++
			}
			rest = rest[i+len(w):]
		}
	}
	return n
}

// kindOf returns the kind of a constraint, by its words.
func kindOf(text string) string {
	if hits(" "+strings.ToLower(text), []string{"policy", "complian", "legal", "deadline", "freeze", "frozen",
		"due ", "forbid", "not allowed", "require"}) > 0 {
		return "policy"
	}
	return "limitation"
}

// strengthOf returns the strength of a rule, by its words.
func strengthOf(text string) string {
	if hits(" "+strings.ToLower(text), []string{"must", "never", "always", "don't", "do not"}) > 0 {
		return "strong"
	}
	return "default"
}
