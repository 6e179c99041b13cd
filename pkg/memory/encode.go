package memory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"keepsake/pkg/text"
)

// Encode returns the record as it is stored: fields in the order of the tables, an indent of two spaces,
// characters beyond ASCII unescaped, and a newline at the end. Equal records give equal bytes. The schema
// version is the lowest that can hold the record, but never lower than the one it was read with.
func (r Record) Encode() []byte {
	buf := encoding.Get().(*[]byte)
	defer encoding.Put(buf)
	*buf = append((*buf)[:0], '{')
	o := &object{buf: buf}
	o.put("schema_version", r.schema())
	o.put("category", string(r.Category))
	o.put("id", r.ID)
	o.put("title", r.Title)
	o.put("record_status", string(r.Status))
	o.put("created_at", r.CreatedAt)
	o.put("updated_at", r.UpdatedAt)
	o.put("tags", notNil(r.Tags))
	if len(r.RelatedFiles) > 0 {
		o.put("related_files", r.RelatedFiles)
	}
	if r.Confidence != nil {
		o.put("confidence", *r.Confidence)
	}
	r.encodeContent(o.open("content"))
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
	if r.Guard != nil {
		o.put("guard", r.Guard)
	}
	if len(r.Verify) > 0 {
		o.put("verify", r.Verify)
	}
	if r.Branch != nil {
		o.put("branch", r.Branch)
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
	o.close()
	*buf = append(*buf, '\n')
	return bytes.Clone(*buf)
}

// encoding has buffers for Encode.
var encoding = sync.Pool{New: func() any { return new([]byte) }}

func (r Record) schema() string {
	least := "1.0"
	switch {
	case r.Guard != nil || r.Branch != nil || len(r.Verify) > 0:
		least = "1.3"
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

// encodeContent puts the content into o: first the known fields in table order, then the unknown ones, so
// that none is lost.
func (r Record) encodeContent(o *object) {
	fields := Fields(r.Category)
	for _, f := range fields {
		v, ok := r.Content[f.Name]
		if !ok {
			continue
		}
		switch v := v.(type) {
		case []string:
			o.put(f.Name, notNil(v))
		case []map[string]string:
			list := make([]json.RawMessage, len(v))
			for i, m := range v {
				one := []byte{'{'}
				putOrdered(&object{buf: &one}, m, alternativeKeys)
				list[i] = one
			}
			o.put(f.Name, list)
		case map[string][]string:
			putOrdered(o.open(f.Name), v, exampleKeys)
		default:
			o.put(f.Name, v)
		}
	}
	isKnown := func(name string) bool {
		return slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name })
	}
	for _, name := range sortedKeys(r.Content) {
		if !isKnown(name) {
			o.put(name, r.Content[name])
		}
	}
	o.close()
}

// putOrdered puts m into o with the named keys first, in that order.
func putOrdered[V any](o *object, m map[string]V, first []string) {
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
	o.close()
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// object builds a JSON object, indented, whose keys keep their order.
type object struct {
	buf    *[]byte
	indent string // of the object
	filled bool   // has a field
}

const oneIndent = "  "

// newline begins a line, so much deeper than the object.
func (o *object) newline(b []byte, deeper int) []byte {
	b = append(append(b, '\n'), o.indent...)
	for range deeper {
		b = append(b, oneIndent...)
	}
	return b
}

// key adds a field without its value.
func (o *object) key(name string) {
	b := *o.buf
	if o.filled {
		b = append(b, ',')
	}
	o.filled = true
	b = o.newline(b, 1)
	if strings.ContainsAny(name, "<>&") {
		escaped, _ := json.Marshal(name) // a string always encodes
		b = append(b, escaped...)
	} else {
		b = text.AppendJSON(b, name)
	}
	*o.buf = append(b, ": "...)
}

// open adds a field whose value is an object, which the caller closes.
func (o *object) open(name string) *object {
	o.key(name)
	*o.buf = append(*o.buf, '{')
	return &object{buf: o.buf, indent: o.indent + oneIndent}
}

func (o *object) close() {
	if o.filled {
		*o.buf = o.newline(*o.buf, 0)
	}
	*o.buf = append(*o.buf, '}')
}

func (o *object) put(name string, value any) {
	switch v := value.(type) {
	case string:
		o.key(name)
		*o.buf = text.AppendJSON(*o.buf, v)
	case []string:
		if v == nil {
			o.raw(name, []byte("null"))
			return
		}
		o.key(name)
		b := append(*o.buf, '[')
		for i, s := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = text.AppendJSON(o.newline(b, 2), s)
		}
		if len(v) > 0 {
			b = o.newline(b, 1)
		}
		*o.buf = append(b, ']')
	default:
		o.raw(name, marshal(v))
	}
}

func (o *object) raw(name string, value []byte) {
	o.key(name)
	b := bytes.NewBuffer(*o.buf)
	if json.Indent(b, value, o.indent+oneIndent, oneIndent) != nil {
		panic("memory: a record does not encode") // values are marshalled, so this cannot fail
	}
	*o.buf = b.Bytes()
}

// marshal returns the JSON of a value, without escaping HTML.
func marshal(value any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		// Only a value that no table allows can fail, such as a NaN set in Go code; Validate names it.
		return []byte("null")
	}
	return bytes.TrimSpace(b.Bytes())
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
