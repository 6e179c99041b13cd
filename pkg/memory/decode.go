package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// ErrNewer is the error for a record that a newer Keepsake wrote in a form that this one cannot read.
// Such a file is never changed.
var ErrNewer = errors.New("written by a newer version")

// Decode reads a stored record of schema 1.0 to 1.3. Unknown keys, wrong shapes and invalid UTF-8 are errors,
// since they would be lost when the record is written again. An optional field may be null. A record of a
// later minor version keeps its unknown top-level keys; anything else unknown in it gives ErrNewer. An error
// is a *ValidationError, wraps ErrNewer or ErrMarkers, or says why the bytes are not a JSON object.
func Decode(b []byte) (Record, error) {
	if !utf8.Valid(b) {
		return Record{}, errors.New("record is not valid UTF-8")
	}
	top, err := topOf(b)
	if err != nil {
		if hasMarkers(b) {
			return Record{},
				fmt.Errorf("%w; hint: keep one side of each conflict and take the marker lines out",
					ErrMarkers)
		}
		return Record{}, fmt.Errorf("record is not a JSON object: %w", err)
	}
	if top == nil {
		return Record{}, errors.New("record is not a JSON object: it is null")
	}
	d := decoder{checker: new(checker), top: top}
	version := d.text("schema_version", true)
	major, minor, known := schemaVersion(version)
	newer := known && major == 1 && minor > schemaMinor
	if known && major > 1 {
		return Record{}, errNewer(version)
	}
	r := Record{
		SchemaVersion:  version,
		Category:       ownCategory(d.text("category", true)),
		ID:             d.text("id", true),
		Title:          d.text("title", true),
		Status:         ownStatus(d.text("record_status", false)),
		CreatedAt:      d.text("created_at", true),
		UpdatedAt:      d.text("updated_at", true),
		Tags:           d.texts("tags", true),
		RelatedFiles:   d.texts("related_files", false),
		Confidence:     d.number("confidence"),
		Changes:        d.changes(),
		TimesUpdated:   d.count("times_updated"),
		RetiredAt:      d.optional("retired_at"),
		RetiredReason:  d.optional("retired_reason"),
		ArchivedAt:     d.optional("archived_at"),
		ArchivedReason: d.optional("archived_reason"),
	}
	if r.Status == "" {
		r.Status = Active
	}
	if minor >= 1 {
		r.Provenance = d.provenance()
	}
	if minor >= 2 {
		r.SupersededBy = d.text("superseded_by", false)
		r.Supersedes = d.texts("supersedes", false)
		r.Ext = d.ext()
	}
	if minor >= 3 {
		r.Guard = d.guard()
		r.Verify = d.texts("verify", false)
		r.Branch = d.branch()
	}
	r.Content = d.content(r.Category)
	if left := top.rest(); newer && len(left) > 0 {
		r.Unknown = left
	} else {
		d.addUnknown()
	}
	err = d.err()
	if err == nil {
		err = r.check().err()
	}
	switch {
	case err != nil && newer:
		return Record{}, errNewer(version)
	case err != nil:
		return Record{}, err
	}
	return r, nil
}

// ownCategory and ownStatus return a known value as the constant, so that many records share its text.
func ownCategory(s string) Category {
	for _, c := range Categories() {
		if s == string(c) {
			return c
		}
	}
	return Category(s)
}

func ownStatus(s string) Status {
	for _, one := range [...]Status{Active, Retired, Archived} {
		if s == string(one) {
			return one
		}
	}
	return Status(s)
}

func errNewer(version string) error {
	return fmt.Errorf("%w: schema version %q, this one reads up to 1.%d", ErrNewer,
		text.Shorten(version, 20), schemaMinor)
}

// topOf returns the fields of a record, nil for null.
func topOf(b []byte) (members, error) {
	if top, ok := membersOf(string(b)); ok {
		return top, nil
	}
	var slow map[string]json.RawMessage
	if err := json.Unmarshal(b, &slow); err != nil || slow == nil {
		return nil, err
	}
	return membersFrom(slow), nil
}

// membersFrom returns what encoding/json has read as members.
func membersFrom(read map[string]json.RawMessage) members {
	all := make(members, 0, len(read))
	for name, value := range read {
		all = append(all, member{name, string(value)})
	}
	return all
}

// schemaMinor is the minor version of the newest schema that is written.
const schemaMinor = 3

// schemaVersion parses a version "major.minor". A version without a minor part is valid only if its major
// part is newer than ours.
func schemaVersion(v string) (major, minor uint64, ok bool) {
	a, b, both := strings.Cut(v, ".")
	major, err := strconv.ParseUint(a, 10, 31)
	if !both {
		return major, 0, err == nil && major > 1
	}
	minor, err2 := strconv.ParseUint(b, 10, 31)
	return major, minor, err == nil && err2 == nil
}

// ext reads the object that other tools and later versions keep in a record.
func (d *decoder) ext() map[string]any {
	raw, ok := d.takeField("ext", false)
	if !ok {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(raw))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		d.addProblem("ext", "an object", text.Shorten(raw, 40), "")
	}
	return v
}

// decoder takes fields out of top one by one; the rest is unknown.
type decoder struct {
	*checker
	top members
}

// takeField takes a field from top and returns its JSON; it returns false if the field is absent or null.
func (d *decoder) takeField(name string, required bool) (value string, ok bool) {
	value = d.top.take(name)
	if ok = value != "" && value != "null"; !ok && required {
		d.addProblem(name, "a value", "nothing", "add it")
	}
	return value, ok
}

// addUnknown notes the fields that are left.
func (d *decoder) addUnknown() {
	for _, name := range sortedKeys(d.top.rest()) {
		d.addProblem(text.Shorten(name, 40), "no such field", "one", "remove it")
	}
}

// decodeField decodes a field into v. If it does not fit, it notes what was expected.
func (d *decoder) decodeField(name string, required bool, expected string, v any) bool {
	value, ok := d.takeField(name, required)
	return ok && d.decodeValue(name, value, expected, v)
}

func (d *decoder) decodeValue(name, value, expected string, v any) bool {
	if err := json.Unmarshal([]byte(value), v); err != nil {
		d.addProblem(name, expected, text.Shorten(value, 40), "")
		return false
	}
	return true
}

func (d *decoder) text(name string, required bool) string {
	s, _ := d.decodeText(name, required)
	return s
}

func (d *decoder) optional(name string) *string {
	s, ok := d.decodeText(name, false)
	if !ok {
		return nil
	}
	return &s
}

func (d *decoder) decodeText(name string, required bool) (s string, ok bool) {
	value, ok := d.takeField(name, required)
	if !ok {
		return "", false
	}
	if s, ok := plainText(value); ok {
		return s, true
	}
	ok = d.decodeValue(name, value, "text", &s)
	return s, ok
}

func (d *decoder) number(name string) *float64 {
	var f float64
	if !d.decodeField(name, false, "a number", &f) {
		return nil
	}
	return &f
}

func (d *decoder) count(name string) (n int) {
	value, ok := d.takeField(name, false)
	switch {
	case !ok:
	case isDigit(value):
		n = int(value[0] - '0')
	default:
		d.decodeValue(name, value, "a whole number", &n)
	}
	return n
}

// texts reads a list of strings. A null in it would decode as "", so entries
// are looked at one by one.
func (d *decoder) texts(name string, required bool) []string {
	value, ok := d.takeField(name, required)
	if !ok {
		return nil
	}
	if out, ok := plainTexts(value); ok {
		return out
	}
	var list []any
	if !d.decodeValue(name, value, "a list of texts", &list) {
		return nil
	}
	out, ok := stringList(list)
	if !ok {
		d.addProblem(name, "a list of texts", "other values in it", "")
	}
	return out
}

func stringList(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := make([]string, len(list))
	for i, e := range list {
		if out[i], ok = e.(string); !ok {
			return nil, false
		}
	}
	return out, true
}

func (d *decoder) changes() []Change {
	value, ok := d.takeField("changes", false)
	if !ok {
		return nil
	}
	list, ok := plainObjects(value)
	if !ok {
		var slow []map[string]json.RawMessage
		if !d.decodeValue("changes", value, "a list of changes", &slow) {
			return nil
		}
		list = nil
		for _, entry := range slow {
			list = append(list, membersFrom(entry))
		}
	}
	out := make([]Change, 0, len(list))
	for i, entry := range list {
		sub := decoder{checker: new(checker), top: entry}
		c := Change{
			Date:     sub.text("date", true),
			Summary:  sub.text("summary", true),
			Field:    sub.text("field", false),
			OldValue: sub.value("old_value"),
			NewValue: sub.value("new_value"),
		}
		sub.addUnknown()
		for _, p := range sub.problems {
			d.addProblem(fmt.Sprintf("changes[%d].%s", i, p.Field), p.Expected, p.Got, p.Fix)
		}
		out = append(out, c)
	}
	return out
}

// value reads any JSON value, with numbers as they were written.
func (d *decoder) value(name string) any {
	raw, ok := d.takeField(name, false)
	if !ok {
		return nil
	}
	if s, ok := plainText(raw); ok {
		return s
	}
	dec := json.NewDecoder(strings.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		d.addProblem(name, "a value", text.Shorten(raw, 40), "")
	}
	return v
}

// object returns a decoder of an optional field that is an object; ok is false if there is none.
func (d *decoder) object(name string) (sub decoder, ok bool) {
	var entry map[string]json.RawMessage
	if !d.decodeField(name, false, "an object", &entry) {
		return sub, false
	}
	return decoder{checker: new(checker), top: membersFrom(entry)}, true
}

// addProblemsOf adds what a decoder of an object found, and the fields that are left in it.
func (d *decoder) addProblemsOf(name string, sub decoder) {
	sub.addUnknown()
	for _, p := range sub.problems {
		d.addProblem(name+"."+p.Field, p.Expected, p.Got, p.Fix)
	}
}

func (d *decoder) provenance() *Provenance {
	sub, ok := d.object("provenance")
	if !ok {
		return nil
	}
	p := &Provenance{
		Session: sub.text("session", false),
		Origin:  sub.text("origin", false),
		Branch:  sub.text("branch", false),
		Commit:  sub.text("commit", false),
	}
	d.addProblemsOf("provenance", sub)
	return p
}

// content reads the content object and gives known fields the type of their kind. A value that does not fit
// is left as it is, so that check can name it.
func (d *decoder) content(cat Category) Content {
	value, ok := d.takeField("content", true)
	if !ok {
		return nil
	}
	raw, ok := plainContent(cat, value)
	if !ok && !d.decodeValue("content", value, "an object", &raw) {
		return nil
	}
	for _, f := range Fields(cat) {
		v, ok := raw[f.Name]
		if !ok {
			continue
		}
		if v == nil && !f.Required {
			delete(raw, f.Name)
			continue
		}
		raw[f.Name] = f.normal(v)
	}
	return raw
}

// plainContent returns the content in a JSON value as encoding/json does, but with lists of texts as Content
// has them. It reports whether that is an object it could read.
func plainContent(cat Category, value string) (map[string]any, bool) {
	top, ok := membersOf(value)
	if !ok {
		return nil, false
	}
	fields := Fields(cat)
	out := make(map[string]any, len(top))
	for _, m := range top {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == m.name })
		name := m.name
		if i >= 0 {
			name = fields[i].Name
		}
		if s, ok := plainText(m.value); ok {
			out[name] = s
		} else if l, ok := plainTexts(m.value); ok && i >= 0 && fields[i].Kind == List {
			out[name] = l
		} else {
			var v any
			if json.Unmarshal([]byte(m.value), &v) != nil {
				return nil, false
			}
			out[name] = v
		}
	}
	return out, true
}

// normal converts a value decoded by encoding/json to the type of the field's kind, or returns it unchanged
// if it has another shape.
func (f Field) normal(v any) any {
	switch f.Kind {
	case List:
		if l, ok := stringList(v); ok {
			return l
		}
	case Alternatives:
		list, ok := v.([]any)
		if !ok {
			return v
		}
		out := make([]map[string]string, len(list))
		for i, e := range list {
			m, ok := e.(map[string]any)
			if !ok {
				return v
			}
			out[i] = make(map[string]string, len(m))
			for k, text := range m {
				if out[i][k], ok = text.(string); !ok {
					return v
				}
			}
		}
		return out
	case Examples:
		m, ok := v.(map[string]any)
		if !ok {
			return v
		}
		out := make(map[string][]string, len(m))
		for k, list := range m {
			if list == nil {
				continue
			}
			if out[k], ok = stringList(list); !ok {
				return v
			}
		}
		return out
	}
	return v
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
