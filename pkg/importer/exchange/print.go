package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Markdown prints records for people to read: a section per category, each
// record whole, newest first. Text of a record is data: it can make no heading,
// no HTML and no list of its own.
func Markdown(project string, records []memory.Stored) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Memories of %s\n", inline(project))
	if len(records) == 0 {
		b.WriteString("\nNone.\n")
	}
	for c, list := range memory.ByCategory(records) {
		fmt.Fprintf(&b, "\n## %s\n", heading(c))
		for _, r := range list {
			fmt.Fprintf(&b, "\n### %s\n\n", inline(r.Title))
			facts := []string{string(r.Status), "updated " + day(r.UpdatedAt),
				"tags: " + inline(strings.Join(r.Tags, ", "))}
			if len(r.RelatedFiles) > 0 {
				facts = append(facts, "files: "+inline(strings.Join(r.RelatedFiles, ", ")))
			}
			fmt.Fprintf(&b, "`%s` · %s\n", r.Path, strings.Join(facts, " · "))
			for _, f := range memory.Fields(c) {
				printField(&b, f, r.Content[f.Name])
			}
		}
	}
	return []byte(b.String())
}

// heading returns the title of a category's section.
func heading(c memory.Category) string {
	switch c {
	case memory.SessionSummary:
		return "Sessions"
	case memory.Decision:
		return "Decisions"
	case memory.Runbook:
		return "Runbooks"
	case memory.Constraint:
		return "Constraints"
	case memory.TechDebt:
		return "Known debt"
	}
	return "Preferences"
}

func printField(b *strings.Builder, f memory.Field, value any) {
	for _, row := range f.Rows(value) {
		if row.Items == nil {
			fmt.Fprintf(b, "\n**%s:** %s\n", row.Label, prose(row.Text))
			continue
		}
		fmt.Fprintf(b, "\n**%s:**\n\n", row.Label)
		for _, s := range row.Items {
			b.WriteString("- " + strings.ReplaceAll(prose(s), "\n", "\n  ") + "\n")
		}
	}
}

// prose returns text as Markdown that keeps its lines and its emphasis, and begins no block of its own.
// Empty lines are dropped, as they would end the block around it.
func prose(s string) string {
	var out []string
	for line := range strings.Lines(text.Clean(s)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, escapeStart(escapeHTML(line)))
		}
	}
	return strings.Join(out, "\n")
}

// inline returns text as Markdown on one line.
func inline(s string) string {
	return escapeStart(escapeHTML(text.OneLine(text.Clean(s))))
}

// escapeHTML returns text that can't open a tag or a comment.
func escapeHTML(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '<' && i+1 < len(s) &&
			(s[i+1] == '/' || s[i+1] == '!' || s[i+1] == '?' || s[i+1]|0x20 >= 'a' && s[i+1]|0x20 <= 'z') {
			b.WriteString("&lt;")
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// escapeStart returns a line that can't begin a heading, a list, a quotation, a fence, a table, a rule or
// a definition.
func escapeStart(line string) string {
	if line == "" {
		return line
	}
	if strings.ContainsRune("#>-+*=|~`_[", rune(line[0])) {
		if line[0] == '`' && !strings.HasPrefix(line, "```") || line[0] == '*' &&
			strings.HasPrefix(line, "**") && strings.Trim(line, "* ") != "" {
			return line // code and emphasis begin no block
		}
		return `\` + line
	}
	n := 0
	for n < len(line) && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n > 0 && n < len(line) && (line[n] == '.' || line[n] == ')') {
		return line[:n] + `\` + line[n:]
	}
	return line
}

func day(stamp string) string { return stamp[:min(len(stamp), len("2006-01-02"))] }

// The lines between which a section for agents stands in a file.
const (
	SectionBegin = "<!-- keepsake begin: made by keepsake export --format agents-md -->"
	SectionEnd   = "<!-- keepsake end -->"
)

// maxAgentLines bounds the entries of a category in a section for agents, and
// maxAgentRunes each: what is in AGENTS.md is read in every session.
const (
	maxAgentLines = 30
	maxAgentRunes = 280
)

// AgentsMD prints a section for an AGENTS.md: one line per active record with
// what a reader needs to act, the most lasting categories first. Sessions pass,
// and are left out.
func AgentsMD(records []memory.Stored) []byte {
	active := slices.DeleteFunc(slices.Clone(records), func(r memory.Stored) bool {
		return r.Status != memory.Active
	})
	var b strings.Builder
	b.WriteString(SectionBegin + "\n## What this project remembers\n")
	of := maps.Collect(memory.ByCategory(active))
	for _, c := range []memory.Category{memory.Constraint, memory.Preference, memory.Decision, memory.Runbook,
		memory.TechDebt} {
		list := of[c]
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n", heading(c))
		for i, r := range list {
			if i == maxAgentLines {
				older := "1 older one"
				if n := len(list) - i; n > 1 {
					older = fmt.Sprintf("%d older ones", n)
				}
				fmt.Fprintf(&b, "- %s: `keepsake list --category %s`\n", older, c)
				break
			}
			fmt.Fprintf(&b, "- **%s**: %s\n", strings.ReplaceAll(inline(r.Title), "*", `\*`),
				inline(text.Shorten(gist(r), maxAgentRunes)))
		}
	}
	if !strings.Contains(b.String(), "\n- ") {
		b.WriteString("\nNothing yet.\n")
	}
	b.WriteString(SectionEnd + "\n")
	return []byte(b.String())
}

// gist returns the part of a record that a reader needs to act on it, on one line.
func gist(r memory.Stored) string {
	field := func(name string) string {
		switch v := r.Content[name].(type) {
		case string:
			return v
		case []string:
			parts := slices.Clone(v)
			for i := range parts[:max(0, len(parts)-1)] {
				parts[i] = strings.TrimRight(parts[i], ".; ")
			}
			return strings.Join(parts, "; ")
		}
		return ""
	}
	said := func(s string) bool { return s != "" && s != NotRecorded && !strings.HasPrefix(s, "Stated in ") }
	var parts []string
	switch r.Category {
	case memory.Constraint:
		parts = append(parts, field("rule"))
		if w := field("workarounds"); w != "" {
			parts = append(parts, "Instead: "+w)
		}
	case memory.Preference:
		parts = append(parts, field("value"))
		if why := field("reason"); said(why) {
			parts = append(parts, "Why: "+why)
		}
	case memory.Decision:
		parts = append(parts, field("decision"))
		if why := field("rationale"); said(why) {
			parts = append(parts, "Why: "+why)
		}
	case memory.Runbook:
		parts = append(parts, "When "+field("trigger")+": "+field("steps"))
	case memory.TechDebt:
		parts = append(parts, field("description"))
	}
	return text.OneLine(strings.Join(parts, " "))
}

// Section returns a file with a section for agents, in place of the one that it has, else at the end.
// Everything else stays as it is.
func Section(file, section []byte) []byte {
	text := string(file)
	at := strings.LastIndex(text, SectionBegin)
	ok := at >= 0
	before, rest := text[:max(at, 0)], text[max(at, 0):]
	_, after, whole := strings.Cut(rest, SectionEnd)
	after = strings.TrimPrefix(after, "\n")
	switch {
	case ok && whole:
		return []byte(before + string(section) + after)
	case text == "":
		return section
	case !strings.HasSuffix(text, "\n"):
		text += "\n"
	}
	return []byte(text + "\n" + string(section))
}
