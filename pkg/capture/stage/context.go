package stage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// MaxContext is the size in bytes past which a context file is cut.
const MaxContext = 50_000

// A Context is what one drafter reads: why a category was noticed and the part of the conversation round it.
// On disk it is context-<category>.txt:
//
//	Category: decision
//	Score: 0.53
//	Description: text          (when the category has one)
//
//	<transcript_data>
//	…
//	</transcript_data>
//
//	Key snippets:
//	  - [7] the sentence itself            (the number is the finding's)
//
//	Existing memories:            (ours: those that it may be about)
//	  - use-postgres: Use Postgres for billing (billing, postgres)
//
//	The client's own memory files:         (ours: what their frontmatter says)
//	  - [feedback] testing.md: no mocks in integration tests
type Context struct {
	Category    memory.Category
	Score       float64 // 0..1
	Description string
	Excerpt     string    // the conversation; untrusted
	Snippets    []Snippet // the statements that are to be drafted, whole
	Existing    []Known   // memories that a draft may change
	Files       []string  // what the client's own memory has, a line for each of its files
}

// A Snippet is a statement with the number of its finding in the journal, 0 if it has none.
type Snippet struct {
	Number int
	Text   string
}

// line prints the snippet in one line that can't be taken for one of the file's tags.
func (s Snippet) line() string {
	text := inert(text.OneLine(secret.Redact(s.Text)))
	if s.Number == 0 {
		return text
	}
	return "[" + strconv.Itoa(s.Number) + "] " + text
}

// parseSnippet reads what line printed.
func parseSnippet(line string) Snippet {
	if rest, ok := strings.CutPrefix(line, "["); ok {
		if number, text, ok := strings.Cut(rest, "] "); ok {
			if n, err := strconv.Atoi(number); err == nil && n > 0 {
				return Snippet{n, text}
			}
		}
	}
	return Snippet{Text: line}
}

// Texts returns the texts of the snippets.
func (c Context) Texts() []string {
	texts := make([]string, len(c.Snippets))
	for i, s := range c.Snippets {
		texts[i] = s.Text
	}
	return texts
}

// Numbers returns the numbers of the findings among the snippets.
func (c Context) Numbers() []int {
	var all []int
	for _, s := range c.Snippets {
		if s.Number > 0 {
			all = append(all, s.Number)
		}
	}
	return all
}

// Numbered reports whether all that the context has to be drafted are findings of the journal, so that it can
// be made again.
func (c Context) Numbered() bool {
	return len(c.Snippets) > 0 && !slices.ContainsFunc(c.Snippets,
		func(s Snippet) bool { return s.Number == 0 })
}

// Without returns the context without the findings of some numbers.
func (c Context) Without(numbers []int) Context {
	c.Snippets = slices.DeleteFunc(slices.Clone(c.Snippets), func(s Snippet) bool {
		return s.Number > 0 && slices.Contains(numbers, s.Number)
	})
	return c
}

// Known is an existing memory as a drafter is shown it.
type Known struct {
	ID, Title string
	Tags      []string
}

// line prints k in one line. Titles may hold anything: an id has no colon, and what follows the last opening
// parenthesis is the tags.
func (k Known) line() string {
	tags := strings.ReplaceAll(strings.Join(k.Tags, ", "), "(", "")
	return inert(text.OneLine(k.ID + ": " + secret.Redact(k.Title) + " (" + tags + ")"))
}

func parseKnown(line string) (k Known, ok bool) {
	k.ID, line, ok = strings.Cut(line, ": ")
	i := strings.LastIndexByte(line, '(')
	if !ok || i < 0 || !strings.HasSuffix(line, ")") {
		return Known{}, false
	}
	k.Title = strings.TrimSpace(line[:i])
	if tags := line[i+1 : len(line)-1]; tags != "" {
		k.Tags = strings.Split(tags, ", ")
	}
	return k, true
}

const (
	openTag  = "<transcript_data>"
	closeTag = "</transcript_data>"
	snippets = "Key snippets:"
	existing = "Existing memories:"
	files    = "The client's own memory files:"
	bullet   = "  - "
)

// maxFiles bounds the part about the client's own memory, in bytes.
const maxFiles = 4 << 10

// Name returns the context's file name on the stage.
func (c Context) Name() string { return ContextName(c.Category) }

// ContextName returns the name of a category's context file on the stage.
func ContextName(c memory.Category) string { return "context-" + string(c) + ".txt" }

// Encode prints the context with secrets redacted. The excerpt can't close its own tag. If the whole would
// be over MaxContext bytes, the middle of the excerpt is left out, since a drafter needs its beginning and
// its end.
func (c Context) Encode() []byte {
	var head, tail strings.Builder
	fmt.Fprintf(&head, "Category: %s\nScore: %.2f\n", c.Category, c.Score)
	if about := text.OneLine(c.Description); about != "" {
		fmt.Fprintf(&head, "Description: %s\n", about)
	}
	head.WriteString("\n" + openTag + "\n")
	tail.WriteString("\n" + closeTag + "\n")
	if len(c.Snippets) > 0 {
		tail.WriteString("\n" + snippets + "\n")
		for _, s := range c.Snippets {
			line := bullet + s.line() + "\n"
			if tail.Len()+len(line) > MaxContext/4 {
				break
			}
			tail.WriteString(line)
		}
	}
	if len(c.Existing) > 0 {
		tail.WriteString("\n" + existing + "\n")
		for _, m := range c.Existing {
			tail.WriteString(bullet + m.line() + "\n")
		}
	}
	for i, left := 0, maxFiles; i < len(c.Files); i++ {
		line := bullet + inert(text.OneLine(secret.Redact(c.Files[i]))) + "\n"
		if left -= len(line); left < 0 {
			break
		}
		if i == 0 {
			tail.WriteString("\n" + files + "\n")
		}
		tail.WriteString(line)
	}
	room := MaxContext - head.Len() - tail.Len()
	return []byte(head.String() + middleOut(inert(secret.Redact(c.Excerpt)), room) + tail.String())
}

// ParseContext reads a context file back.
func ParseContext(b []byte) (Context, error) {
	var c Context
	head, rest, ok := strings.Cut(string(b), "\n"+openTag+"\n")
	if !ok {
		return c, fmt.Errorf("stage: context file without %s", openTag)
	}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "Category":
			cat, err := memory.ParseCategory(value)
			if err != nil {
				return c, fmt.Errorf("stage: context file: %w", err)
			}
			c.Category = cat
		case "Score":
			c.Score, _ = strconv.ParseFloat(value, 64)
		case "Description":
			c.Description = value
		}
	}
	if c.Category == "" {
		return c, fmt.Errorf("stage: context file without a category")
	}
	excerpt, rest, ok := strings.Cut(rest, "\n"+closeTag+"\n")
	if !ok {
		return c, fmt.Errorf("stage: context file without %s", closeTag)
	}
	c.Excerpt = excerpt
	section := ""
	for line := range strings.SplitSeq(rest, "\n") {
		item, ok := strings.CutPrefix(line, bullet)
		switch {
		case !ok:
			section = line
		case section == snippets:
			c.Snippets = append(c.Snippets, parseSnippet(item))
		case section == existing:
			if k, ok := parseKnown(item); ok {
				c.Existing = append(c.Existing, k)
			}
		case section == files:
			c.Files = append(c.Files, item)
		}
	}
	return c, nil
}

// Merge adds what a later look noticed for the same category, once each.
func (c Context) Merge(later Context) Context {
	known := map[string]bool{}
	for _, s := range c.Snippets {
		known[s.line()] = true
	}
	news := len(later.Snippets) == 0
	for _, s := range later.Snippets {
		if line := s.line(); !known[line] {
			known[line] = true
			c.Snippets = append(c.Snippets, parseSnippet(line))
			news = true
		}
	}
	c.Score = max(c.Score, later.Score)
	if len(later.Existing) > 0 {
		c.Existing = later.Existing
	}
	if len(later.Files) > 0 {
		c.Files = later.Files
	}
	if later.Description != "" {
		c.Description = later.Description
	}
	switch {
	case c.Excerpt == "":
		c.Excerpt = later.Excerpt
	case news && later.Excerpt != "" && later.Excerpt != c.Excerpt:
		c.Excerpt += "\n---\n" + later.Excerpt
	}
	return c
}

// inert breaks whatever could be read as one of the file's own tags.
func inert(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		name := strings.TrimLeft(s[i+1:min(len(s), i+40)], "/ \t\n")
		if len(name) >= 15 && strings.EqualFold(name[:15], "transcript_data") {
			b.WriteString("&lt;")
		} else {
			b.WriteByte('<')
		}
		s = s[i+1:]
	}
}

// middleOut keeps the first third and the last two thirds of n bytes of s.
func middleOut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const note = "\n[… %d bytes left out …]\n"
	n = max(n-len(note)-10, 0)
	head, tail := text.CutBytes(s, n/3), text.LastBytes(s, n-n/3)
	return head + fmt.Sprintf(note, len(s)-len(head)-len(tail)) + tail
}
