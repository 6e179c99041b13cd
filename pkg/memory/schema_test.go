package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// schema returns the JSON Schema (2020-12) of a category's files, made from the table. The shipped schemas
// are compared with it; those who write files for Keepsake can check them with any validator. Optional fields
// may be null, as the original writes them.
func schema(c Category) []byte {
	type m = map[string]any
	text := func(max int) m { return m{"type": "string", "maxLength": max} }
	plain := m{"type": "string"}
	texts := func(min int) m {
		out := m{"type": "array", "items": plain}
		if min > 0 {
			out["minItems"] = min
		}
		return out
	}
	orNull := func(s m) m {
		out := m{}
		maps.Copy(out, s)
		out["type"] = []any{s["type"], "null"}
		if values, ok := s["enum"].([]any); ok {
			out["enum"] = append(slices.Clone(values), nil)
		}
		return out
	}
	instant := m{"type": "string", "format": "date-time"}

	content := m{}
	var required []any
	for _, f := range Fields(c) {
		var s m
		switch f.Kind {
		case Text:
			s = m{"type": "string"}
		case Enum:
			var values []any
			for _, v := range f.Enum {
				values = append(values, v)
			}
			s = m{"type": "string", "enum": values}
		case List:
			s = texts(f.Min)
		case Flag:
			s = m{"type": "boolean"}
		case Alternatives:
			entry := m{"type": "object", "additionalProperties": false, "properties": m{},
				"required": []any{}}
			for _, k := range alternativeKeys {
				entry["properties"].(m)[k] = plain
				entry["required"] = append(entry["required"].([]any), k)
			}
			s = m{"type": "array", "items": entry}
		case Examples:
			s = m{"type": "object", "additionalProperties": false, "properties": m{}}
			for _, k := range exampleKeys {
				s["properties"].(m)[k] = orNull(texts(0))
			}
		}
		s["title"] = f.Label
		if f.Required {
			required = append(required, f.Name)
		} else {
			s = orNull(s)
		}
		content[f.Name] = s
	}
	doc := m{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id":     string(c) + ".schema.json",
		"title":   c.Display(),
		"description": "A record of Keepsake, <memory>/" + c.Folder() +
			"/<id>.json. Generated from memory.Fields; see docs/formats.md.",
		"type":                 "object",
		"additionalProperties": false,
		"required": []any{"schema_version", "category", "id", "title", "created_at", "updated_at",
			"tags", "content"},
		"properties": m{
			"schema_version": m{"enum": []any{"1.0", "1.1", "1.2", "1.3"}},
			"category":       m{"const": string(c)},
			"id": m{"type": "string", "minLength": 1, "maxLength": MaxID,
				"pattern": `^[^A-Z\s/\\._-]([^A-Z\s/\\._]*[^A-Z\s/\\._-])?$`},
			"title": text(MaxTitle),
			"record_status": m{"type": []any{"string", "null"},
				"enum":    []any{string(Active), string(Retired), string(Archived), nil},
				"default": string(Active)},
			"created_at":    instant,
			"updated_at":    instant,
			"tags":          m{"type": "array", "items": plain, "minItems": 1},
			"related_files": orNull(texts(0)),
			"confidence":    m{"type": []any{"number", "null"}, "minimum": 0, "maximum": 1},
			"content": m{"type": "object", "additionalProperties": false, "required": required,
				"properties": content},
			"changes": m{"type": []any{"array", "null"}, "maxItems": MaxChanges, "items": m{
				"type": "object", "additionalProperties": false, "required": []any{"date", "summary"},
				"properties": m{
					"date": plain, "summary": text(MaxSummary), "field": orNull(plain),
					"old_value": true, "new_value": true,
				},
			}},
			"times_updated":   m{"type": []any{"integer", "null"}, "minimum": 0, "default": 0},
			"retired_at":      orNull(instant),
			"retired_reason":  orNull(text(MaxSummary)),
			"archived_at":     orNull(instant),
			"archived_reason": orNull(text(MaxSummary)),
			"provenance": m{
				"type": []any{"object", "null"}, "additionalProperties": false, "description": "schema 1.1",
				"properties": m{"session": orNull(plain), "origin": orNull(plain), "branch": orNull(plain),
					"commit": orNull(plain)},
			},
			"guard": m{
				"type": []any{"object", "null"}, "additionalProperties": false, "required": []any{"does"},
				"description": "schema 1.3: which calls the memory is about, and what is proposed " +
					"to happen before one; exactly one of tool, command and path",
				"properties": m{"tool": orNull(text(maxGuardWord)), "command": orNull(texts(0)),
					"path": orNull(text(maxGuardPath)), "needs": orNull(texts(0)),
					"does": m{"type": "string", "enum": []any{Say, Ask, Deny}}},
			},
			"verify": m{"type": []any{"array", "null"}, "items": plain,
				"description": "schema 1.3: how it would be known to be false, one check a text"},
			"branch": m{
				"type": []any{"object", "null"}, "additionalProperties": false,
				"description": "schema 1.3: the branch on which it was made, and to which it belongs",
				"properties":  m{"name": plain, "head": plain, "base": orNull(plain)},
				"required":    []any{"name", "head"},
			},
			"superseded_by": m{"type": []any{"string", "null"},
				"description": "schema 1.2: the path of the record that took the place of this one, which " +
					"is retired"},
			"supersedes": m{"type": []any{"array", "null"}, "items": plain,
				"description": "schema 1.2: the paths of the records whose place this one took"},
			"ext": m{"type": []any{"object", "null"},
				"description": "schema 1.2: kept, and read by nobody here"},
		},
	}
	lacks := func(version []any, names ...string) m {
		without := m{}
		for _, n := range names {
			without[n] = false
		}
		return m{"if": m{"properties": m{"schema_version": m{"enum": version}}},
			"then": m{"properties": without}}
	}
	doc["allOf"] = []any{
		lacks([]any{"1.0"}, "provenance"),
		lacks([]any{"1.0", "1.1"}, "superseded_by", "supersedes", "ext"),
		lacks([]any{"1.0", "1.1", "1.2"}, "guard", "verify", "branch"),
		m{"if": m{"properties": m{"record_status": m{"enum": []any{string(Active), nil}}}},
			"then": m{"properties": m{"superseded_by": m{"enum": []any{"", nil}}}}},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestSchemas compares assets/schemas with the table; KEEPSAKE_GOLDEN=1 rewrites them.
func TestSchemas(t *testing.T) {
	dir := "../../assets/schemas"
	for _, c := range Categories() {
		path := filepath.Join(dir, string(c)+".schema.json")
		want := schema(c)
		if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what memory.Fields says (%v); KEEPSAKE_GOLDEN=1 rewrites it", path, err)
		}
	}
}

// TestSchemasAgreeWithDecode: schema and Decode agree on the original's records, on ours, and on broken ones.
func TestSchemasAgreeWithDecode(t *testing.T) {
	files, err := filepath.Glob("testdata/original/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		var rules map[string]any
		if err := json.Unmarshal(schema(r.Category), &rules); err != nil {
			t.Fatal(err)
		}
		parse := func(b []byte) (v map[string]any) {
			if err := json.Unmarshal(b, &v); err != nil {
				t.Fatal(err)
			}
			return v
		}
		for name, b := range map[string][]byte{"as it was": b, "written again": r.Encode()} {
			if wrong := check(rules, parse(b), ""); len(wrong) > 0 {
				t.Errorf("%s, %s: %v", file, name, wrong)
			}
		}
		// Both find a break, or neither does.
		try := func(name string, change func(v map[string]any)) {
			v := parse(b)
			change(v)
			broken, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Decode(broken)
			if wrong := check(rules, parse(broken), ""); (err == nil) != (len(wrong) == 0) {
				t.Errorf("%s, %s: the reader says %v, the schema %v", file, name, err, wrong)
			}
		}
		for _, key := range []string{"schema_version", "category", "id", "title", "record_status",
			"created_at", "tags", "related_files", "confidence", "content", "changes", "times_updated",
			"retired_at"} {
			try("without "+key, func(v map[string]any) { delete(v, key) })
			try(key+" null", func(v map[string]any) { v[key] = nil })
			try(key+" object", func(v map[string]any) { v[key] = map[string]any{"x": 1} })
			try(key+" number", func(v map[string]any) { v[key] = 7.5 })
		}
		for _, version := range []string{"1.0", "1.1", "1.2", "1.3", "2.0"} {
			for name, from := range map[string]any{"null": nil, "text": "path_exists a", "number": []any{1.0},
				"list": []any{"path_exists a"}} {
				try("verify "+name+" in "+version, func(v map[string]any) {
					v["schema_version"], v["verify"] = version, from
				})
			}
			for name, from := range map[string]any{"null": nil, "empty": map[string]any{},
				"named": map[string]any{"name": "feat/x"}, "text": "x",
				"whole": map[string]any{"name": "feat/x", "head": "h", "base": nil},
				"other": map[string]any{"name": "feat/x", "head": "h", "tip": "t"}} {
				try("branch "+name+" in "+version, func(v map[string]any) {
					v["schema_version"], v["branch"] = version, from
				})
			}
			for name, from := range map[string]any{"null": nil, "empty": map[string]any{},
				"session": map[string]any{"session": "s"}} {
				try("provenance "+name+" in "+version, func(v map[string]any) {
					v["schema_version"], v["provenance"] = version, from
				})
				try("ext "+name+" in "+version, func(v map[string]any) {
					v["schema_version"],
						v["ext"] = version, from
				})
			}
			for name, from := range map[string]any{"null": nil, "empty": map[string]any{}, "text": "x",
				"whole":    map[string]any{"tool": "WebFetch", "does": "deny"},
				"unknown":  map[string]any{"tool": "WebFetch", "does": "deny", "once": true},
				"loosened": map[string]any{"tool": "WebFetch", "does": "allow"},
				"null in":  map[string]any{"path": "x/", "tool": nil, "needs": nil, "does": "say"}} {
				try("guard "+name+" in "+version, func(v map[string]any) {
					v["schema_version"], v["guard"] = version, from
				})
			}
			for name, from := range map[string]any{"null": nil, "empty": []any{},
				"one": []any{"decisions/x.json"}, "number": []any{1.0}, "text": "x"} {
				try("supersedes "+name+" in "+version, func(v map[string]any) {
					v["schema_version"],
						v["supersedes"] = version, from
				})
			}
			for _, status := range []string{"active", "retired"} {
				for name, from := range map[string]any{"null": nil, "empty": "", "one": "decisions/x.json",
					"list": []any{"x"}} {
					try("superseded_by "+name+" in "+version+", "+status, func(v map[string]any) {
						v["schema_version"], v["superseded_by"], v["record_status"] = version, from, status
					})
				}
			}
			try("superseded_by without a status in "+version, func(v map[string]any) {
				v["schema_version"], v["superseded_by"] = version, "x"
				delete(v, "record_status")
			})
		}
		try("another key", func(v map[string]any) { v["extra"] = "x" })
		try("long title", func(v map[string]any) { v["title"] = strings.Repeat("ü", MaxTitle+1) })
		try("full title", func(v map[string]any) { v["title"] = strings.Repeat("ü", MaxTitle) })
		try("no tags", func(v map[string]any) { v["tags"] = []any{} })
		try("sure", func(v map[string]any) { v["confidence"] = 1.01 })
		try("long summary", func(v map[string]any) {
			v["changes"] = []any{map[string]any{"date": "d", "summary": strings.Repeat("x", MaxSummary+1)}}
		})
		try("change without date", func(v map[string]any) {
			v["changes"] = []any{map[string]any{"summary": "x"}}
		})
		for _, id := range []string{"Upper", "-x", "x-", "a/b", "a b", "", "a.b", "ok-1", "über", "결제"} {
			try("id "+id, func(v map[string]any) { v["id"] = id })
		}
		for _, f := range Fields(r.Category) {
			content := func(v map[string]any) map[string]any { return v["content"].(map[string]any) }
			for name, x := range map[string]any{"null": nil, "text": "x", "empty": []any{},
				"list": []any{"x"}, "numbers": []any{1.0}, "flag": true, "object": map[string]any{"x": "y"},
				"objects": []any{map[string]any{"option": "x"}}} {
				try(f.Name+" "+name, func(v map[string]any) { content(v)[f.Name] = x })
			}
			try("without "+f.Name, func(v map[string]any) { delete(content(v), f.Name) })
		}
		try("another field", func(v map[string]any) { v["content"].(map[string]any)["extra"] = "x" })
	}
}

// check is a validator for what these schemas use. An unknown keyword in a schema is an error too, so that
// nothing goes unchecked.
func check(rules any, v any, at string) (wrong []string) {
	switch rules {
	case true:
		return nil
	case false:
		return []string{at + ": is there"}
	}
	s := rules.(map[string]any)
	add := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	kind := ""
	switch v := v.(type) {
	case nil:
		kind = "null"
	case string:
		kind = "string"
	case bool:
		kind = "boolean"
	case []any:
		kind = "array"
	case map[string]any:
		kind = "object"
	case float64:
		kind = "number"
		if v == math.Trunc(v) {
			kind = "integer"
		}
	}
	for word, arg := range s {
		switch word {
		case "$schema", "$id", "title", "description", "default", "format", "properties",
			"additionalProperties", "then":
		case "allOf":
			for _, rules := range arg.([]any) {
				wrong = append(wrong, check(rules, v, at)...)
			}
		case "if":
			if len(check(arg, v, at)) == 0 {
				wrong = append(wrong, check(s["then"], v, at)...)
			}
		case "type":
			types, ok := arg.([]any)
			if !ok {
				types = []any{arg}
			}
			if !slices.ContainsFunc(types, func(t any) bool {
				return t == kind || t == "number" && kind == "integer"
			}) {
				add("is %s, not %v", kind, arg)
			}
		case "enum":
			if !slices.Contains(arg.([]any), v) {
				add("%v is none of %v", v, arg)
			}
		case "const":
			if v != arg {
				add("%v is not %v", v, arg)
			}
		case "minLength", "maxLength":
			if t, ok := v.(string); ok &&
				(utf8.RuneCountInString(t) > int(arg.(float64))) == (word == "maxLength") &&
				utf8.RuneCountInString(t) != int(arg.(float64)) {
				add("%s %v", word, arg)
			}
		case "pattern":
			if strings.Contains(arg.(string), `\p`) {
				add("not every validator knows the classes of %s; Python's fails on them", arg)
			}
			if t, ok := v.(string); ok && !regexp.MustCompile(arg.(string)).MatchString(t) {
				add("%q does not match", t)
			}
		case "minimum", "maximum":
			if n, ok := v.(float64); ok && (word == "minimum" && n < arg.(float64) || word == "maximum" &&
				n > arg.(float64)) {
				add("%s %v", word, arg)
			}
		case "minItems", "maxItems":
			if l, ok := v.([]any); ok &&
				(word == "minItems" && len(l) < int(arg.(float64)) || word == "maxItems" &&
					len(l) > int(arg.(float64))) {
				add("%s %v", word, arg)
			}
		case "items":
			if l, ok := v.([]any); ok {
				for i, e := range l {
					wrong = append(wrong, check(arg, e, fmt.Sprintf("%s[%d]", at, i))...)
				}
			}
		case "required":
			if o, ok := v.(map[string]any); ok {
				for _, name := range arg.([]any) {
					if _, ok := o[name.(string)]; !ok {
						add("has no %v", name)
					}
				}
			}
		default:
			add("the schema says %s, which is not checked here", word)
		}
	}
	if o, ok := v.(map[string]any); ok {
		properties, _ := s["properties"].(map[string]any)
		for name, e := range o {
			if sub, ok := properties[name]; ok {
				wrong = append(wrong, check(sub, e, at+"."+name)...)
			} else if s["additionalProperties"] == false {
				add("has %s", name)
			}
		}
	}
	return wrong
}
