package reading

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// rules reads a file of instructions, such as a CLAUDE.md, and offers its rules as preferences: the
// entries of lists and the paragraphs that tell somebody how to do things. Everything else is passed,
// with the reason. With all, every entry of a list is offered. The client loads such a file into every
// session anyway, so choosing is left to a person. file is the file's name, at the time of its last
// change.
func rules(file string, b []byte, at time.Time, all bool) (offers []exchange.Offer,
	passed []exchange.Passed) {
	src := []byte(text.Clean(string(bytes.TrimPrefix(b, []byte("\ufeff")))))
	r := reader{file: path.Base(file), at: at, all: all}
	if _, body, ok := cutHead(string(src)); ok {
		r.above = bytes.Count(src, []byte("\n")) - strings.Count(body, "\n")
		src = []byte(body)
	}
	r.src = src
	for {
		i := bytes.Index(r.src, []byte(exchange.SectionBegin))
		if i < 0 {
			break
		}
		end := len(r.src)
		if n := bytes.Index(r.src[i:], []byte(exchange.SectionEnd)); n >= 0 {
			end = i + n + len(exchange.SectionEnd)
		}
		r.pass(i, "was made by keepsake records export")
		r.src = slices.Concat(r.src[:i], bytes.Repeat([]byte{'\n'}, bytes.Count(r.src[i:end], []byte{'\n'})),
			r.src[end:])
	}
	r.read(blocks(r.src))
	return r.offers, r.passed
}

type reader struct {
	file   string
	src    []byte
	above  int // how many lines of the file are before src
	at     time.Time
	all    bool
	heads  []string // titles of the headings above the place, by level
	offers []exchange.Offer
	passed []exchange.Passed
}

func (r *reader) read(list []block) {
	for _, b := range list {
		switch b.node.(type) {
		case *ast.Heading:
			title, level := b.heading()
			r.heads = append(r.heads[:min(len(r.heads), level-1)],
				slices.Repeat([]string{""}, max(0, level-1-len(r.heads)))...)
			r.heads = append(r.heads, title)
		case *ast.List:
			for _, it := range b.items(r.src) {
				r.item(it)
			}
		case *ast.Paragraph:
			r.statement(b.start, b.text, false)
		default:
			if strings.TrimSpace(b.text) != "" {
				r.pass(b.start, "is code, a quotation or a table")
			}
		}
	}
}

// item offers an entry of a list with everything below it. If the entry only introduces a list of its
// own, it offers that list's entries instead.
func (r *reader) item(it block) {
	first, _, _ := strings.Cut(strings.TrimSpace(it.text), "\n")
	first = strings.TrimSpace(first)
	var inner []block
	for _, b := range parts(it.node, r.src, it.start, it.end) {
		if _, ok := b.node.(*ast.List); ok {
			inner = append(inner, b.items(r.src)...)
		}
	}
	if len(inner) == 0 || !strings.HasSuffix(first, ":") && !strings.HasSuffix(first, ":**") {
		r.statement(it.start, it.text, true)
		return
	}
	r.heads = append(r.heads, strings.Trim(first, "*_: "))
	for _, it := range inner {
		r.item(it)
	}
	r.heads = r.heads[:len(r.heads)-1]
}

func (r *reader) statement(at int, said string, listed bool) {
	said = strings.TrimSpace(said)
	plain := strings.Join(strings.Fields(said), " ")
	switch {
	case said == "":
		return
	case strings.HasPrefix(said, "@"):
		r.pass(at, "brings in another file")
		return
	case strings.HasPrefix(said, "[") && strings.HasSuffix(said, ")"),
		strings.HasPrefix(said, "`") && strings.HasSuffix(said, "`"):
		r.pass(at, "is a reference")
		return
	case len(strings.Fields(plain)) < 2 && !unspaced(plain):
		r.pass(at, "is one word")
		return
	case !(listed && r.all) && !directs(plain) && !(listed && r.underRules()):
		r.pass(at, "tells nobody how to do things")
		return
	}
	topic := strings.Join(slices.DeleteFunc(slices.Clone(r.heads), func(s string) bool {
		return s == ""
	}), ", ")
	if topic == "" {
		topic = r.file
	}
	value, reason, ok := strings.Cut(said, " because ")
	if value = strings.TrimRight(value, ", "); !ok {
		value, reason = said, "Stated in "+r.file+"."
	}
	confidence := 0.6
	title := said
	if i := inner().FindStringIndex(said); i != nil {
		title = said[:i[0]]
	}
	title = strong().ReplaceAllString(strings.Join(strings.Fields(title), " "), "$1$2")
	title = memory.CleanTitle(text.Shorten(strings.Trim(title, "* "), titleRunes))
	o := exchange.Offer{From: r.place(at), Record: memory.Record{
		Category: memory.Preference, ID: memory.Slug(title), Title: title, Status: memory.Active,
		CreatedAt: memory.Stamp(r.at), UpdatedAt: memory.Stamp(r.at), Confidence: &confidence,
		Tags: words(topic),
		Content: memory.Content{"topic": topic, "value": value, "reason": reason,
			"strength": strengthOf(plain)},
		Provenance: &memory.Provenance{Origin: exchange.Origin},
	}}
	r.offers = append(r.offers, o)
}

// inner returns the pattern of the place where a list begins inside an entry.
var inner = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n\s*([-*+]|\d+[.)])\s`) })

// strong returns the pattern of text between two asterisks on each side.
var strong = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s(])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*`)
})

// unspaced reports whether a text is more than a word in a script without spaces between words.
func unspaced(s string) bool {
	const least = 4
	n := 0
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
			unicode.Khmer, unicode.Myanmar) {
			n++
		}
	}
	return n >= least
}

// titleRunes is how long the title of a statement gets, in runes.
const titleRunes = 80

// underRules reports whether the nearest heading announces rules.
func (r *reader) underRules() bool {
	if len(r.heads) == 0 {
		return false
	}
	return hits(" "+strings.ToLower(r.heads[len(r.heads)-1]),
		[]string{"rule", "convention", "style", "prefer", "guideline", "principle", "standard", "practice",
			"do and", "don't", "always", "never"}) > 0
}

// directive returns the pattern of a text that tells somebody how to do things: it begins with a verb for
// it, or has a word of obligation.
var directive = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[*_\s]*(use|prefer|always|never|avoid|do not|don't|keep|write|run|follow|make sure|ensure|name|put|add|remove|return|wrap|test|commit|check|ask|read|start|stop|be|include|limit|document|format|only|all|every|no|each)\b` +
		`|\b(must|should|always|never|prefer(red)?|avoid|do not|don't|required|mandatory|not allowed|instead of|rather than)\b`)
})

func directs(s string) bool { return directive().MatchString(s) }

func (r *reader) pass(at int, why string) {
	r.passed = append(r.passed, exchange.Passed{From: r.place(at), Why: why})
}

func (r *reader) place(at int) string {
	return fmt.Sprintf("%s:%d", r.file, 1+r.above+bytes.Count(r.src[:at], []byte("\n")))
}

// loose returns the parts of a MEMORY.md that do not point to a note. What stands only there is in no
// note.
func loose(file string, b []byte) (passed []exchange.Passed) {
	r := reader{file: path.Base(file), src: []byte(text.Clean(string(b)))}
	pointer := func(s string) bool { return strings.Contains(s, ".md)") || strings.Contains(s, ".md`") }
	for _, b := range blocks(r.src) {
		switch b.node.(type) {
		case *ast.Heading:
		case *ast.List:
			for _, it := range b.items(r.src) {
				if !pointer(it.text) {
					r.pass(it.start, "stands in no note; write one, or put it in words here")
				}
			}
		default:
			if !pointer(b.text) && strings.TrimSpace(b.text) != "" {
				r.pass(b.start, "stands in no note; write one, or put it in words here")
			}
		}
	}
	return r.passed
}
