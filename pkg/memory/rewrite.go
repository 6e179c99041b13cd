package memory

import (
	"bytes"
	"encoding/json"
	"slices"

	"keepsake/pkg/text"
)

// Rewrite returns the record with f applied to every text except category, id and status, as when secrets are
// taken out. Times are texts too, since a record may hold any text there. Texts that become too long are cut.
func (r Record) Rewrite(f func(string) string) Record {
	r.CreatedAt, r.UpdatedAt = f(r.CreatedAt), f(r.UpdatedAt)
	r.Title = text.Shorten(f(r.Title), MaxTitle)
	r.Tags = withoutDuplicates(rewriteTexts(r.Tags, f))
	r.RelatedFiles = withoutDuplicates(rewriteTexts(r.RelatedFiles, f))
	r.Content = r.Content.Rewrite(f)
	r.Changes = slices.Clone(r.Changes)
	for i, c := range r.Changes {
		c.Date, c.Summary, c.Field = f(c.Date), text.Shorten(f(c.Summary), MaxSummary), f(c.Field)
		c.OldValue, c.NewValue = Rewrite(c.OldValue, f), Rewrite(c.NewValue, f)
		r.Changes[i] = c
	}
	for _, p := range []**string{&r.RetiredAt, &r.ArchivedAt, &r.RetiredReason, &r.ArchivedReason} {
		if *p != nil {
			s := text.Shorten(f(**p), MaxSummary)
			*p = &s
		}
	}
	if r.Provenance != nil {
		p := Provenance{f(r.Provenance.Session), f(r.Provenance.Origin), f(r.Provenance.Branch),
			f(r.Provenance.Commit)}
		r.Provenance = &p
	}
	r.Guard = r.Guard.rewrite(f)
	r.Verify = withoutDuplicates(rewriteTexts(r.Verify, f))
	r.Branch = r.Branch.rewrite(f)
	r.SupersededBy, r.Supersedes = f(r.SupersededBy), withoutDuplicates(rewriteTexts(r.Supersedes, f))
	if r.Ext != nil {
		r.Ext, _ = Rewrite(r.Ext, f).(map[string]any)
	}
	return r
}

// Rewrite returns the content with f applied to every text.
func (c Content) Rewrite(f func(string) string) Content {
	if c == nil {
		return nil
	}
	out := make(Content, len(c))
	for name, v := range c {
		out[name] = Rewrite(v, f)
	}
	return out
}

// Rewrite returns a value of a record, or of decoded JSON, with f applied to every text, including keys of
// objects.
func Rewrite(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []string:
		return rewriteTexts(v, f)
	case []map[string]string:
		out := make([]map[string]string, len(v))
		for i, m := range v {
			out[i] = map[string]string{}
			for k, s := range m {
				out[i][k] = f(s)
			}
		}
		return out
	case map[string][]string:
		out := map[string][]string{}
		for k, list := range v {
			out[k] = rewriteTexts(list, f)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = Rewrite(x, f)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[f(k)] = Rewrite(x, f)
		}
		return out
	}
	return v
}

// RewriteJSON returns JSON, or lines of JSON, with f applied to every text. Anything else is treated as one
// text. If f changes nothing, b is returned.
func RewriteJSON(b []byte, f func(string) string) []byte {
	if next, ok := rewriteJSONValue(b, f); ok {
		return next
	}
	var out []byte
	for line := range bytes.Lines(b) {
		next, ok := rewriteJSONValue(line, f)
		if !ok {
			next = []byte(f(string(line)))
		}
		out = append(out, next...)
	}
	return out
}

// rewriteJSONValue is RewriteJSON for one JSON value; ok is false for anything else.
func rewriteJSONValue(b []byte, f func(string) string) (next []byte, ok bool) {
	if !json.Valid(b) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	changed := false
	v = Rewrite(v, func(text string) string {
		out := f(text)
		changed = changed || out != text
		return out
	})
	if !changed {
		return b, true
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil, false
	}
	return out.Bytes(), true
}

func rewriteTexts(list []string, f func(string) string) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}

// withoutDuplicates drops empty strings and all but the first of equal ones.
func withoutDuplicates(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
