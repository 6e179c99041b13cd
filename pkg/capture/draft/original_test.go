package draft

import (
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// TestOriginalsLostDrafts has the model errors for which seed 3's original silently lost a draft, or all
// drafts at once. Here each draft is saved, or refused with what to correct; see
// docs/failures-of-the-original.md, section 1.3.
func TestOriginalsLostDrafts(t *testing.T) {
	for name, tt := range map[string]struct{ old, new string }{
		"confidence above one":         {`"confidence": 0.8`, `"confidence": 1.2`},
		"no confidence":                {`"confidence": 0.8,`, ``},
		"tags as a text":               {`["billing", "postgres"]`, `"billing, postgres"`},
		"no tags":                      {`["billing", "postgres"]`, `[]`},
		"a capital letter in a status": {`"accepted"`, `"Accepted"`},
		"one field too many":           {`"context":`, `"mood": "good", "context":`},
		"a title beyond the limit": {`"Use Postgres for billing"`,
			`"` + strings.Repeat("Use Postgres for billing ", 10) + `"`},
		"files as a text":      {`["db/schema.sql"]`, `"db/schema.sql"`},
		"prose round the JSON": {good, "Here is the draft:\n```json\n" + good + "\n```\nDone."},
		"a hint that is none":  {`["superseded"]`, `["obsolete"]`},
		"a hint as a text":     {`["superseded"]`, `"superseded"`},
		"no action":            {`"intended_action": "create"`, `"intended_action": null`},
		"a summary as a list":  {`"Billing runs on Postgres."`, `["Billing runs", "on Postgres."]`},
		"a list as the intent": {good, "[" + good + "]"},
	} {
		text := strings.Replace(good, tt.old, tt.new, 1)
		if text == good {
			t.Errorf("%s: the test changes nothing", name)
		}
		d, _, err := Parse([]byte(text), memory.Decision)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, out := Resolve(Input{Drafts: []Draft{d}, Now: now})
		if out[0].State != Create || len(p.Edits) != 1 {
			t.Errorf("%s: %+v", name, out[0])
		}
		if name == "a hint as a text" && (len(d.Hints) != 1 || d.Hints[0] != "superseded") {
			t.Errorf("%s: %q", name, d.Hints)
		}
	}
}

// TestOriginalsTagsStick: the original could never update a record of eleven tags with three new ones;
// section 1.6.
func TestOriginalsTagsStick(t *testing.T) {
	old := recordOf(memory.Decision, "queue")
	old.Tags = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}
	old = stored(old.Record)
	d := Draft{Category: memory.Decision, Target: old.ID, Summary: "More.", Tags: []string{"x", "y", "z"},
		Content: memory.Content{"decision": "More of it"}}
	for range 3 {
		p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
		if out[0].State != Update {
			t.Fatalf("%+v", out[0])
		}
		r, err := memory.Decode(p.Edits[0].After)
		if err != nil || len(r.Tags) > memory.MaxTags {
			t.Fatalf("%v, tags %v", err, r.Tags)
		}
		old = memory.Stored{Record: r, Path: out[0].Path, Digest: digest(p.Edits[0].After)}
		d.Content = memory.Content{"decision": d.Content["decision"].(string) + " and more"}
		d.Tags = append(d.Tags[1:], d.Tags[0]+d.Tags[0])
	}
}
