package memory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Encode returns the record as it is stored: fields in the order of the tables, an indent of two spaces,
// characters beyond ASCII unescaped, and a newline at the end. Equal records give equal bytes. The schema
// version is the lowest that can hold the record, but never lower than the one it was read with.
func (r Record) Encode() []byte {
	var o object
	o.put("schema_version", r.schema())
	o.put("category", r.Category)
	o.put("id", r.ID)
	o.put("title", r.Title)
	o.put("record_status", r.Status)
	o.put("created_at", r.CreatedAt)
	o.put("updated_at", r.UpdatedAt)
	o.put("tags", notNil(r.Tags))
	if len(r.RelatedFiles) > 0 {
		o.put("related_files", r.RelatedFiles)
	}
	if r.Confidence != nil {
		o.put("confidence", *r.Confidence)
	}
	o.raw("content", r.encodeContent())
	if len(r.Changes) > 0 {
		o.put("changes", r.Changes)
	}
	o.put("times_updated", r.TimesUpdated)
	for _, f := range []struct {
		name  string
		value *string
	}{
		{"retired_at", r.RetiredAt}, {"retired_reason", r.RetiredReason},
		{"archived_at", r.ArchivedAt}, {"archived_reason", r.ArchivedReason},
	} {
		if f.value != nil {
			o.put(f.name, *f.value)
		}
	}
	if r.Provenance != nil {
		o.put("provenance", r.Provenance)
	}
	if r.SupersededBy != "" {
		o.put("superseded_by", r.SupersededBy)
	}
	if len(r.Supersedes) > 0 {
		o.put("supersedes", r.Supersedes)
	}
	if len(r.Ext) > 0 {
		o.put("ext", r.Ext)
	}
	for _, name := range sortedKeys(r.Unknown) {
		o.raw(name, r.Unknown[name])
	}
	var out bytes.Buffer
	if json.Indent(&out, o.bytes(), "", "  ") != nil {
		panic("memory: a record does not encode") // values are marshalled above, so this cannot fail
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func (r Record) schema() string {
	least := "1.0"
	switch {
	case r.SupersededBy != "" || len(r.Supersedes) > 0 || len(r.Ext) > 0:
		least = "1.2"
	case r.Provenance != nil:
		least = "1.1"
	}
	if r.SchemaVersion == "" || olderSchema(r.SchemaVersion, least) {
		return least
	}
	return r.SchemaVersion
}

// olderSchema reports whether schema version a is before b. It reports false if one of them is not a version.
func olderSchema(a, b string) bool {
	major, minor, ok := schemaVersion(a)
	major2, minor2, ok2 := schemaVersion(b)
	return ok && ok2 && (major < major2 || major == major2 && minor < minor2)
}

// encodeContent returns the content: first the known fields in table order, then the unknown ones, so
// that none is lost.
func (r Record) encodeContent() []byte {
	var o object
	known := make(map[string]bool, len(r.Content))
	for _, f := range Fields(r.Category) {
		v, ok := r.Content[f.Name]
		if !ok {
			continue
		}
		known[f.Name] = true
		switch v := v.(type) {
		case []string:
			o.put(f.Name, notNil(v))
		case []map[string]string:
			list := make([]json.RawMessage, len(v))
			for i, m := range v {
				list[i] = encodeOrdered(m, alternativeKeys)
			}
			o.put(f.Name, list)
		case map[string][]string:
			o.raw(f.Name, encodeOrdered(v, exampleKeys))
		default:
			o.put(f.Name, v)
		}
	}
	for _, name := range sortedKeys(r.Content) {
		if !known[name] {
			o.put(name, r.Content[name])
		}
	}
	return o.bytes()
}

// encodeOrdered encodes m with the named keys first, in that order.
func encodeOrdered[V any](m map[string]V, first []string) json.RawMessage {
	var o object
	for _, k := range first {
		if v, ok := m[k]; ok {
			o.put(k, v)
		}
	}
	for _, k := range sortedKeys(m) {
		if !slices.Contains(first, k) {
			o.put(k, m[k])
		}
	}
	return o.bytes()
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// object builds a JSON object whose keys keep their order.
type object struct{ buf bytes.Buffer }

func (o *object) put(name string, value any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		// Only a value that no table allows can fail, such as a NaN set in Go code; Validate names it.
		b.Reset()
		b.WriteString("null")
	}
	o.raw(name, bytes.TrimSpace(b.Bytes()))
}

func (o *object) raw(name string, value []byte) {
	if o.buf.Len() > 0 {
		o.buf.WriteByte(',')
	}
	key, _ := json.Marshal(name) // a string always encodes
	o.buf.Write(key)
	o.buf.WriteByte(':')
	o.buf.Write(value)
}

func (o *object) bytes() []byte {
	return slices.Concat([]byte("{"), o.buf.Bytes(), []byte("}"))
}

// Body returns the searchable text of the content, a line per value.
func (r Record) Body() string {
	var b strings.Builder
	line := func(s string) {
		if s != "" {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	for _, f := range Fields(r.Category) {
		if !f.Searchable {
			continue
		}
		switch v := r.Content[f.Name].(type) {
		case string:
			line(v)
		case []string:
			for _, s := range v {
				line(s)
			}
		case []map[string]string:
			for _, m := range v {
				line(m["option"])
				line(m["rejected_reason"])
			}
		case map[string][]string:
			for _, k := range exampleKeys {
				for _, s := range v[k] {
					line(s)
				}
			}
		}
	}
	return b.String()
}

// ParseStamp parses a time of a record. It accepts the form of Stamp and those that people and models write
// by hand: without a zone, which means UTC, or only a date.
func ParseStamp(s string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05",
		time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// Stamp writes a time as records have it: RFC 3339, UTC, whole seconds.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
