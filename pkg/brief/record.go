package brief

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// Record returns a record in lines, for people.
func Record(r memory.Stored) []string {
	lines := []string{Line(r.Title), ""}
	add := func(label, text string) {
		if text = Line(text); text != "" {
			lines = append(lines, label+": "+text)
		}
	}
	add("Category", string(r.Category))
	add("Status", string(r.Status))
	add("Retired", endedAt(r.RetiredAt, r.RetiredReason))
	add("Archived", endedAt(r.ArchivedAt, r.ArchivedReason))
	add("File", ".claude/memory/"+r.Path)
	add("Created", r.CreatedAt)
	add("Updated", r.UpdatedAt)
	add("Tags", strings.Join(r.Tags, ", "))
	add("Related files", strings.Join(r.RelatedFiles, ", "))
	if r.Confidence != nil {
		add("Confidence", fmt.Sprintf("%.2g", *r.Confidence))
	}
	if p := r.Provenance; p != nil {
		add("From", strings.Join(slices.DeleteFunc([]string{p.Origin, p.Session, p.Branch, p.Commit},
			func(s string) bool { return s == "" }), ", "))
	}
	if r.Guard != nil {
		add("Guard", Guard(*r.Guard))
	}
	for _, check := range r.Verify {
		add("Check", check)
	}
	if b, bound := r.BoundTo(); bound {
		add("Branch", b.Name+", at "+b.Head[:12])
	}
	lines = append(lines, "")
	for _, f := range memory.Fields(r.Category) {
		lines = append(lines, FieldLines(f, r.Content[f.Name])...)
	}
	if len(r.Changes) > 0 {
		lines = append(lines, "", "Changes:")
		for _, ch := range r.Changes {
			lines = append(lines, "  "+day(ch.Date)+"  "+Line(ch.Summary))
		}
	}
	return lines
}

// endedAt returns when and why a memory left what is recalled, "" when it did not.
func endedAt(at, why *string) string {
	var parts []string
	for _, s := range []*string{at, why} {
		if s != nil && *s != "" {
			parts = append(parts, *s)
		}
	}
	return strings.Join(parts, ", ")
}

// FieldLines returns what a field of a record says, in lines.
func FieldLines(f memory.Field, value any) (lines []string) {
	for _, row := range f.Rows(value) {
		if row.Items == nil {
			lines = append(lines, row.Label+": "+Line(row.Text))
			continue
		}
		lines = append(lines, row.Label+":")
		for _, item := range row.Items {
			lines = append(lines, "  - "+Line(item))
		}
	}
	return lines
}
