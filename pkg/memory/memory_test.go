package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestCategories(t *testing.T) {
	folders := make(map[string]bool)
	for _, c := range Categories() {
		if c.Folder() == "" || folders[c.Folder()] {
			t.Errorf("%s: folder %q", c, c.Folder())
		}
		folders[c.Folder()] = true
		for _, written := range []string{string(c), c.Display(), c.Folder(),
			" " + strings.ReplaceAll(string(c), "_", "-") + "\n", strings.ReplaceAll(c.Display(), "_", " ")} {
			if got, err := ParseCategory(written); got != c || err != nil {
				t.Errorf("ParseCategory(%q) = %q, %v; want %q", written, got, err, c)
			}
		}
	}
	for _, s := range []string{"", "decisionx", "gossip", "memory"} {
		if c, err := ParseCategory(s); err == nil {
			t.Errorf("ParseCategory(%q) = %q, want an error", s, c)
		}
	}
}

// TestFieldsAreClaudeMemorys compares the tables with claude-memory's list of fields.
func TestFieldsAreClaudeMemorys(t *testing.T) {
	want := map[Category]string{
		SessionSummary: "*goal *outcome *completed in_progress blockers *next_actions key_changes",
		Decision:       "*status *context *decision alternatives *rationale consequences",
		Runbook:        "*trigger symptoms *steps *verification root_cause environment",
		Constraint:     "*kind *rule *impact workarounds *severity *active expires",
		TechDebt: "*status *priority *description *reason_deferred impact suggested_fix " +
			"acceptance_criteria",
		Preference: "*topic *value *reason *strength examples",
	}
	for _, c := range Categories() {
		var got []string
		decisive := false
		for _, f := range Fields(c) {
			name := f.Name
			if f.Required {
				name = "*" + name
			}
			if f.Required || slices.Contains(strings.Fields(want[c]), name) {
				got = append(got, name)
			}
			decisive = decisive || f.Decisive
			if f.Label == "" || f.Kind == 0 || (f.Kind == Enum) != (f.Enum != nil) || f.Default != "" &&
				f.Kind == Enum && !slices.Contains(f.Enum, f.Default) {
				t.Errorf("%s.%s: the row is not whole: %+v", c, f.Name, f)
			}
		}
		if s := strings.Join(got, " "); s != want[c] {
			t.Errorf("%s\n got %s\nwant %s", c, s, want[c])
		}
		if !decisive {
			t.Errorf("%s has no decisive field: a recall would show its title only", c)
		}
	}
}

// TestDecodeOriginal reads records as the original wrote them: all categories,
// all statuses, nulls, a missing record_status, more tags than it would write.
func TestDecodeOriginal(t *testing.T) {
	files, err := filepath.Glob("testdata/original/*.json")
	if err != nil || len(files) != len(Categories()) {
		t.Fatalf("%d files, %v", len(files), err)
	}
	seen := make(map[Category]Status)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Decode(b)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		seen[r.Category] = r.Status
		// What is written back says the same, for them and for us.
		again := r.Encode()
		if got, want := plain(t, again), plain(t, b); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: written back it says\n%s", file, again)
		}
		if r2, err := Decode(again); err != nil || !bytes.Equal(r2.Encode(), again) {
			t.Errorf("%s: written back it does not read the same: %v", file, err)
		}
	}
	if len(seen) != len(Categories()) {
		t.Errorf("categories seen: %v", seen)
	}
}

// plain decodes JSON without what stands for absence: nulls, empty changes.
func plain(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	if m["record_status"] == nil {
		m["record_status"] = "active"
	}
	var drop func(m map[string]any)
	drop = func(m map[string]any) {
		for k, v := range m {
			if v == nil {
				delete(m, k)
			}
			if sub, ok := v.(map[string]any); ok {
				drop(sub)
			}
		}
	}
	drop(m)
	return m
}

// whole is a record with every field.
func whole() Record {
	conf, at, why := 0.8, "2026-11-20T09:00:00Z", "because"
	return Record{
		Category: Decision, ID: "über-1", Title: "Ünïcode <b> & 'quotes'", Status: Retired,
		CreatedAt: at, UpdatedAt: at, Tags: []string{"a", "b"}, RelatedFiles: []string{"x.go"},
		Confidence: &conf,
		Content: Content{
			"status": "accepted", "context": "c", "decision": "d", "rationale": []string{"r"},
			"alternatives": []map[string]string{{"rejected_reason": "no", "option": "o"}},
			"consequences": []string{},
		},
		Changes: []Change{{Date: at, Summary: "s", Field: "title", OldValue: "x",
			NewValue: json.Number("12345678901234567890")}},
		TimesUpdated: 3, RetiredAt: &at, RetiredReason: &why, ArchivedAt: &at, ArchivedReason: &why,
		Provenance: &Provenance{Session: "s", Origin: "person", Branch: "main", Commit: "abc"},
	}
}

func TestEncode(t *testing.T) {
	const want = `{
  "schema_version": "1.1",
  "category": "decision",
  "id": "über-1",
  "title": "Ünïcode <b> & 'quotes'",
  "record_status": "retired",
  "created_at": "2026-11-20T09:00:00Z",
  "updated_at": "2026-11-20T09:00:00Z",
  "tags": [
    "a",
    "b"
  ],
  "related_files": [
    "x.go"
  ],
  "confidence": 0.8,
  "content": {
    "status": "accepted",
    "context": "c",
    "decision": "d",
    "alternatives": [
      {
        "option": "o",
        "rejected_reason": "no"
      }
    ],
    "rationale": [
      "r"
    ],
    "consequences": []
  },
  "changes": [
    {
      "date": "2026-11-20T09:00:00Z",
      "summary": "s",
      "field": "title",
      "old_value": "x",
      "new_value": 12345678901234567890
    }
  ],
  "times_updated": 3,
  "retired_at": "2026-11-20T09:00:00Z",
  "retired_reason": "because",
  "archived_at": "2026-11-20T09:00:00Z",
  "archived_reason": "because",
  "provenance": {
    "session": "s",
    "origin": "person",
    "branch": "main",
    "commit": "abc"
  }
}
`
	r := whole()
	if got := string(r.Encode()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	back, err := Decode([]byte(want))
	if err != nil {
		t.Fatal(err)
	}
	r.SchemaVersion = "1.1"
	if !reflect.DeepEqual(back, r) {
		t.Errorf("back\n%+v\nwant\n%+v", back, r)
	}
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
	r.Provenance, r.SchemaVersion = nil, ""
	if back, err := Decode(r.Encode()); err != nil || back.SchemaVersion != "1.0" {
		t.Errorf("without provenance: schema %q, %v", back.SchemaVersion, err)
	}
}

// TestDecodeRefuses breaks a good record in many ways; each error must name the field.
func TestDecodeRefuses(t *testing.T) {
	good := string(whole().Encode())
	for name, tt := range map[string]struct{ old, new, field string }{
		"unknown key":         {`"times_updated"`, `"surprise": 1, "times_updated"`, "surprise"},
		"unknown content key": {`"context": "c"`, `"context": "c", "mood": "good"`, "content.mood"},
		"unknown change key":  {`"field": "title"`, `"field": "title", "who": "me"`, "changes[0].who"},
		"unknown alternative": {`"option": "o"`, `"option": "o", "price": "1"`, "content.alternatives[0]"},
		"unknown provenance":  {`"branch": "main"`, `"branch": "main", "tree": "x"`, "provenance.tree"},
		"category":            {`"category": "decision"`, `"category": "rumour"`, "category"},
		"id":                  {`"id": "über-1"`, `"id": "../up"`, "id"},
		"long title":          {`"title": "`, `"title": "` + strings.Repeat("é", 121), "title"},
		"status":              {`"record_status": "retired"`, `"record_status": "gone"`, "record_status"},
		"no created_at":       {`"created_at": "2026-11-20T09:00:00Z",`, ``, "created_at"},
		"no tags":             {"\"tags\": [\n    \"a\",\n    \"b\"\n  ]", `"tags": []`, "tags"},
		"tags text":           {"\"tags\": [\n    \"a\",\n    \"b\"\n  ]", `"tags": "a, b"`, "tags"},
		"numeric tag":         {"\"tags\": [\n    \"a\",", `"tags": [7,`, "tags"},
		"null tag":            {"\"tags\": [\n    \"a\",", `"tags": [null,`, "tags"},
		"confidence over 1":   {`"confidence": 0.8`, `"confidence": 1.2`, "confidence"},
		"confidence text":     {`"confidence": 0.8`, `"confidence": "0.8"`, "confidence"},
		"enum":                {`"status": "accepted"`, `"status": "Accepted"`, "content.status"},
		"null in required":    {`"context": "c"`, `"context": null`, "content.context"},
		"missing required":    {`"context": "c",`, ``, "content.context"},
		"empty rationale": {"\"rationale\": [\n      \"r\"\n    ]", `"rationale": []`,
			"content.rationale"},
		"rationale text": {"\"rationale\": [\n      \"r\"\n    ]", `"rationale": "r"`,
			"content.rationale"},
		"content a list": {`"content": {`, `"content": [], "content2": {`, "content"},
		"long change": {`"summary": "s"`, `"summary": "` + strings.Repeat("x", 301) + `"`,
			"changes[0].summary"},
		"times a text":           {`"times_updated": 3`, `"times_updated": "3"`, "times_updated"},
		"times negative":         {`"times_updated": 3`, `"times_updated": -3`, "times_updated"},
		"schema a number":        {`"schema_version": "1.1"`, `"schema_version": 1.1`, "schema_version"},
		"schema of old":          {`"schema_version": "1.1"`, `"schema_version": "0.9"`, "schema_version"},
		"provenance in 1.0":      {`"schema_version": "1.1"`, `"schema_version": "1.0"`, "provenance"},
		"half a change (1 of 2)": {`"date": "2026-11-20T09:00:00Z",`, ``, "changes[0].date"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(good, tt.old, tt.new, 1)
			if bad == good {
				t.Fatal("the test changes nothing")
			}
			_, err := Decode([]byte(bad))
			var v *ValidationError
			if !errors.As(err, &v) {
				t.Fatalf("got %v, want a validation error", err)
			}
			if !slices.ContainsFunc(v.Problems, func(p Problem) bool { return p.Field == tt.field }) {
				t.Errorf("got %v, want a problem with %s", err, tt.field)
			}
			for _, p := range v.Problems {
				if p.Expected == "" || p.Got == "" {
					t.Errorf("problem says too little: %+v", p)
				}
			}
		})
	}
	for name, b := range map[string]string{
		"empty": "", "null": "null", "a list": "[]", "half": good[:len(good)/2], "two": good + good,
		"latin 1": "{\"title\": \"\xe9\"}", "a number": "7",
	} {
		if _, err := Decode([]byte(b)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDecodeNewer(t *testing.T) {
	for _, v := range []string{"1.4", "1.10", "2.0", "2", "17.3"} {
		b := `{"schema_version": "` + v + `", "category": 7, "new_thing": {}}`
		if _, err := Decode([]byte(b)); !errors.Is(err, ErrNewer) {
			t.Errorf("%s: got %v, want ErrNewer", v, err)
		}
	}
	for _, v := range []string{"", "1", "0.9", "one", "1.x", "-1.0", "1.1.1", "99999999999999999999.0"} {
		b := `{"schema_version": "` + v + `"}`
		if _, err := Decode([]byte(b)); err == nil || errors.Is(err, ErrNewer) {
			t.Errorf("%s: got %v, want another error than ErrNewer", v, err)
		}
	}
}

// TestValidateLimits: some limits hold only for what is written, not for what is read.
func TestValidateLimits(t *testing.T) {
	r := whole()
	r.Tags = strings.Fields(strings.Repeat("t ", MaxTags+1))
	r.Changes = make([]Change, MaxChanges+1)
	var v *ValidationError
	if err := r.Validate(); !errors.As(err, &v) || len(v.Problems) != 2 || v.Problems[0].Field != "tags" ||
		v.Problems[1].Field != "changes" {
		t.Errorf("got %v", v)
	}
	r.Changes = nil
	if _, err := Decode(r.Encode()); err != nil {
		t.Errorf("%d tags cannot be read: %v", len(r.Tags), err)
	}
}

func TestBody(t *testing.T) {
	if got, want := whole().Body(), "c\nd\no\nno\nr\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r := Record{Category: Preference,
		Content: Content{"topic": "t", "strength": "soft",
			"examples": map[string][]string{"avoid": {"n"}, "prefer": {"y"}}}}
	if got, want := r.Body(), "t\ny\nn\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStamp(t *testing.T) {
	if got := Stamp(time.Date(2026, 11, 20, 10, 0, 0, 5,
		time.FixedZone("", 3600))); got != "2026-11-20T09:00:00Z" {
		t.Error(got)
	}
}

// anyRecord draws a valid record.
func anyRecord(t *rapid.T) Record {
	c := rapid.SampledFrom(Categories()).Draw(t, "category")
	text := rapid.StringN(0, 40, -1)
	texts := rapid.SliceOfN(text, 1, 5)
	content := make(Content)
	for _, f := range Fields(c) {
		if !f.Required && rapid.Bool().Draw(t, f.Name+" left out") {
			continue
		}
		switch f.Kind {
		case Text:
			content[f.Name] = text.Draw(t, f.Name)
		case Enum:
			content[f.Name] = rapid.SampledFrom(f.Enum).Draw(t, f.Name)
		case Flag:
			content[f.Name] = rapid.Bool().Draw(t, f.Name)
		case List:
			content[f.Name] = texts.Draw(t, f.Name)
		case Alternatives:
			content[f.Name] = []map[string]string{{"option": text.Draw(t, "option"),
				"rejected_reason": text.Draw(t, "reason")}}
		case Examples:
			content[f.Name] = map[string][]string{"prefer": texts.Draw(t, "prefer")}
		}
	}
	r := Record{
		Category: c, ID: "a-" + rapid.StringMatching(`[a-z0-9]{1,20}`).Draw(t, "id"),
		Title:  rapid.StringN(0, MaxTitle, -1).Draw(t, "title"),
		Status: rapid.SampledFrom([]Status{Active, Retired, Archived}).Draw(t, "status"), CreatedAt: "x",
		UpdatedAt: "y",
		Tags:      rapid.SliceOfN(text, 1, MaxTags).Draw(t, "tags"), Content: content,
		TimesUpdated: rapid.IntRange(0, 9).Draw(t, "times"),
	}
	if rapid.Bool().Draw(t, "more") {
		f := rapid.Float64Range(0, 1).Draw(t, "confidence")
		r.Confidence, r.Provenance = &f, &Provenance{Session: text.Draw(t, "session")}
		r.Changes = []Change{{Date: "d", Summary: text.Draw(t, "summary"),
			OldValue: rapid.Bool().Draw(t, "old")}}
	}
	if rapid.Bool().Draw(t, "bound") {
		r.Branch = anyBranch(t)
	}
	if rapid.Bool().Draw(t, "checked") {
		r.Verify = []string{anyCheck(t)}
	}
	return r
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRecord(t)
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		b := r.Encode()
		back, err := Decode(b)
		if err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		r.SchemaVersion = back.SchemaVersion
		if !reflect.DeepEqual(back, r) {
			t.Fatalf("got  %+v\nwant %+v", back, r)
		}
		if again := back.Encode(); !bytes.Equal(again, b) {
			t.Fatalf("encoding is not stable:\n%s\n%s", b, again)
		}
	})
}

func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/original/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(whole().Encode())
	f.Add([]byte(`{"schema_version":"1.0","content":{"alternatives":[null]},"changes":[null]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Decode(b)
		if err != nil {
			return
		}
		again := r.Encode()
		var form, compact bytes.Buffer
		if err := json.Compact(&compact, again); err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		json.Indent(&form, compact.Bytes(), "", "  ")
		if form.WriteByte('\n'); !bytes.Equal(form.Bytes(), again) {
			t.Fatalf("written as\n%s, want\n%s", again, &form)
		}
		r2, err := Decode(again)
		if err != nil {
			t.Fatalf("what was read cannot be read when it is written: %v\n%s", err, again)
		}
		if third := r2.Encode(); !bytes.Equal(third, again) {
			t.Fatalf("encoding is not stable:\n%s\n%s", again, third)
		}
		r.Body()
	})
}
