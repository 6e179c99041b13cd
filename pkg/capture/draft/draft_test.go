package draft

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"keepsake/pkg/memory"
)

// good is a draft that needs no correction.
const good = `{
  "category": "decision",
  "new_info_summary": "Billing runs on Postgres.",
  "intended_action": "create",
  "lifecycle_hints": ["superseded"],
  "partial_content": {
    "title": "Use Postgres for billing",
    "tags": ["billing", "postgres"],
    "confidence": 0.8,
    "related_files": ["db/schema.sql"],
    "change_summary": "Postgres chosen",
    "content": {
      "status": "accepted",
      "context": "Billing needs transactions",
      "decision": "Postgres 16",
      "alternatives": [{"option": "MySQL", "rejected_reason": "weaker JSON"}],
      "rationale": ["transactions", "known"],
      "consequences": ["one more server"]
    }
  }
}`

func goodDraft() Draft {
	f := 0.8
	return Draft{
		Category: memory.Decision, Summary: "Billing runs on Postgres.", Intended: "create",
		Hints: []string{"superseded"},
		Title: "Use Postgres for billing", Tags: []string{"billing", "postgres"}, Confidence: &f,
		RelatedFiles: []string{"db/schema.sql"}, ChangeSummary: "Postgres chosen",
		Content: memory.Content{
			"status": "accepted", "context": "Billing needs transactions", "decision": "Postgres 16",
			"alternatives": []map[string]string{{"option": "MySQL", "rejected_reason": "weaker JSON"}},
			"rationale":    []string{"transactions", "known"}, "consequences": []string{"one more server"},
		},
	}
}

func TestParseDraft(t *testing.T) {
	d, notes, err := Parse([]byte(good), memory.Decision)
	if err != nil || len(notes) > 0 || !reflect.DeepEqual(d, goodDraft()) {
		t.Errorf("%v %q\n got %+v\nwant %+v", err, notes, d, goodDraft())
	}
}

// coercions are what models write: the good draft with one thing replaced, the result, and a part of the
// notes.
var coercions = map[string]struct {
	old, new string
	want     func(*Draft)
	note     string // "" if there is none
}{
	"fence": {good, "```json\n" + good + "\n```", nil, "text around the JSON"},
	"prose": {good, "Here is the draft {as asked}:\n\n" + good + "\n\nLet me know!", nil,
		"text around the JSON"},
	"byte order mark": {good, "\uFEFF" + good, nil, ""},
	"a list of one":   {good, "[" + good + "]", nil, "a list of 1"},
	"a list of drafts": {good, `[{"category": "runbook", "action": "noop"}, ` + good + "]", nil,
		"a list of 2"},
	"trailing comma": {`"known"]`, `"known",]`, nil, "repaired"},
	"newline in a text": {`"Postgres 16"`, "\"Postgres\n16\"", func(d *Draft) {
		d.Content["decision"] = "Postgres\n16"
	}, "repaired"},
	"category case":    {`"category": "decision"`, `"category": "DECISION"`, nil, ""},
	"category folder":  {`"category": "decision"`, `"category": "Decisions"`, nil, ""},
	"category missing": {`"category": "decision",`, ``, nil, ""},
	"category other":   {`"category": "decision"`, `"category": "runbook"`, nil, "says runbook"},
	"camel case keys":  {`"new_info_summary"`, `"newInfoSummary"`, nil, ""},
	"summary a list": {`"Billing runs on Postgres."`, `["Billing runs", "on Postgres."]`, func(d *Draft) {
		d.Summary = "Billing runs; on Postgres."
	}, ""},
	"no summary": {`"new_info_summary": "Billing runs on Postgres.",`, ``, func(d *Draft) {
		d.Summary = "Postgres chosen"
	}, "change_summary was taken"},
	"action null": {`"intended_action": "create"`, `"intended_action": null`, func(d *Draft) {
		d.Intended = ""
	}, ""},
	"action missing": {`"intended_action": "create",`, ``, func(d *Draft) { d.Intended = "" }, ""},
	"action case": {`"intended_action": "create"`, `"intended_action": "UPDATE"`, func(d *Draft) {
		d.Intended = "update"
	}, ""},
	"action synonym": {`"intended_action": "create"`, `"intended_action": "retire"`, func(d *Draft) {
		d.Intended = "delete"
	}, ""},
	"action unknown": {`"intended_action": "create"`, `"intended_action": "ponder"`, func(d *Draft) {
		d.Intended = ""
	}, `"ponder" is no action`},
	"action save": {`"intended_action": "create"`, `"action": "save"`, func(d *Draft) {
		d.Intended = ""
	}, ""},
	"hint a text": {`["superseded"]`, `"superseded"`, nil, "made a list"},
	"hints in one text": {`["superseded"]`, `"superseded, reversed"`, func(d *Draft) {
		d.Hints = []string{"superseded", "reversed"}
	}, "made a list"},
	"hints inside": {`"lifecycle_hints": ["superseded"],
  "partial_content": {`, `"partial_content": { "lifecycle_hints": "superseded",`, nil, "made a list"},
	"target inside": {`"partial_content": {`, `"partial_content": { "target": "use-mysql",`, func(d *Draft) {
		d.Target = "use-mysql"
	}, ""},
	"action inside": {`"intended_action": "create",
  "lifecycle_hints": ["superseded"],
  "partial_content": {`, `"lifecycle_hints": ["superseded"], "partial_content": { "intended_action": "update",`, func(d *Draft) { d.Intended = "update" }, ""},
	"hint of no kind": {`["superseded"]`, `["Superseded", "finished"]`, nil, `"finished" is no hint`},
	"hints null":      {`["superseded"]`, `null`, func(d *Draft) { d.Hints = nil }, ""},
	"target id": {`"intended_action"`, `"target": "use-mysql", "intended_action"`, func(d *Draft) {
		d.Target = "use-mysql"
	}, ""},
	"target path": {`"intended_action"`,
		`"target": ".claude/memory/decisions/use-mysql.json", "intended_action"`, func(d *Draft) {
			d.Target = "use-mysql"
		}, ""},
	"target null": {`"intended_action"`, `"target": null, "intended_action"`, nil, ""},
	"target none": {`"intended_action"`, `"target": "none", "intended_action"`, nil, ""},
	"title too long": {`"Use Postgres for billing"`, `"Use Postgres ` + strings.Repeat("very ", 40) + `much"`,
		func(d *Draft) {
			d.Title = "Use Postgres " + strings.TrimSpace(strings.Repeat("very ", 21)) + "…"
		}, "longer than 120"},
	"title with arrow": {`"Use Postgres for billing"`, `"MySQL -> Postgres #tags:x"`, func(d *Draft) {
		d.Title = "MySQL - Postgres x"
	}, ""},
	"tags text": {`["billing", "postgres"]`, `"Billing, postgres"`, nil, "split into a list"},
	"tags empty": {`["billing", "postgres"]`, `[]`, func(d *Draft) {
		d.Tags = []string{"untagged"}
	}, ""},
	"tags missing": {`"tags": ["billing", "postgres"],`, ``, func(d *Draft) {
		d.Tags = []string{"untagged"}
	}, ""},
	"confidence NaN": {`"confidence": 0.8`, `"confidence": NaN`, func(d *Draft) {
		d.Confidence = nil
	}, "broken JSON, repaired"},
	"infinite": {`"confidence": 0.8`, `"confidence": -Infinity, "x": [Infinity, NaN]`, func(d *Draft) {
		d.Confidence = nil
	}, "broken JSON, repaired"},
	"NaN in a text": {`0.8,
    "related_files": ["db/schema.sql"],
    "change_summary": "Postgres chosen"`, `NaN, "related_files": ["db/schema.sql"], "change_summary": "NaN is -Infinity"`, func(d *Draft) { d.Confidence, d.ChangeSummary = nil, "NaN is -Infinity" }, "broken JSON, repaired"},
	"tags not texts": {`["billing", "postgres"]`, `["billing", 16, null, "Post gres"]`, func(d *Draft) {
		d.Tags = []string{"16", "billing", "post-gres"}
	}, ""},
	"tags too many": {`["billing", "postgres"]`, `["n","m","l","k","j","i","h","g","f","e","d","c","b","a"]`,
		func(d *Draft) {
			d.Tags = strings.Fields("c d e f g h i j k l m n")
		}, "tags: 14 of them, the first 12 kept"},
	"confidence text":    {`0.8`, `"0.8"`, nil, "confidence"},
	"confidence 1.2":     {`0.8`, `1.2`, confidence(1), "read as 1"},
	"confidence -1":      {`0.8`, `-1`, confidence(0), "read as 0"},
	"confidence percent": {`0.8`, `"80%"`, nil, "confidence"},
	"confidence 85":      {`0.8`, `85`, confidence(0.85), "confidence"},
	"confidence word":    {`0.8`, `"high"`, confidence(0.9), "confidence"},
	"confidence prose":   {`0.8`, `"rather sure"`, func(d *Draft) { d.Confidence = nil }, "no number"},
	"confidence missing": {`"confidence": 0.8,`, ``, func(d *Draft) { d.Confidence = nil }, ""},
	"files text": {`["db/schema.sql"]`, "\"db/schema.sql, `db/x.sql`\"", func(d *Draft) {
		d.RelatedFiles = []string{"db/schema.sql", "db/x.sql"}
	}, "split into a list"},
	"files null": {`["db/schema.sql"]`, `null`, func(d *Draft) { d.RelatedFiles = nil }, ""},
	"no change summary": {`"change_summary": "Postgres chosen",`, ``, func(d *Draft) {
		d.ChangeSummary = "Billing runs on Postgres."
	}, ""},
	"enum case": {`"status": "accepted"`, `"status": "Accepted"`, nil,
		`"Accepted" read as accepted`},
	"enum synonym":   {`"status": "accepted"`, `"status": "approved."`, nil, "read as accepted"},
	"enum exclaimed": {`"status": "accepted"`, `"status": "Accepted!"`, nil, "read as accepted"},
	"enum missing":   {`"status": "accepted",`, ``, func(d *Draft) { delete(d.Content, "status") }, ""},
	"extra content key": {`"status": "accepted"`, `"status": "accepted", "owner": "me"`, nil,
		"content.owner: no such field in a decision"},
	"list as text": {`["transactions", "known"]`, `"- transactions\n- known"`, nil, "made a list"},
	"list as sentence": {`["transactions", "known"]`, `"transactions"`, func(d *Draft) {
		d.Content["rationale"] = []string{"transactions"}
	}, "made a list"},
	"list of objects": {`["transactions", "known"]`,
		`[{"reason": "transactions"}, {"a": 1, "b": 2}, "", null, 3]`, func(d *Draft) {
			d.Content["rationale"] = []string{"transactions", "a: 1; b: 2", "3"}
		}, ""},
	"text as list": {`"Postgres 16"`, `["Postgres", "16"]`, func(d *Draft) {
		d.Content["decision"] = "Postgres; 16"
	}, "joined"},
	"null content": {`["one more server"]`, `null`, func(d *Draft) {
		delete(d.Content, "consequences")
	}, ""},
	"empty list": {`["one more server"]`, `[]`, func(d *Draft) {
		delete(d.Content, "consequences")
	}, ""},
	"plural": {`"consequences"`, `"consequence"`, nil, "was called consequence"},
	"options as texts": {`[{"option": "MySQL", "rejected_reason": "weaker JSON"}]`,
		`["MySQL: weaker JSON"]`, nil, ""},
	"options as object": {`[{"option": "MySQL", "rejected_reason": "weaker JSON"}]`,
		`{"MySQL": "weaker JSON"}`, nil, ""},
	"options as text": {`[{"option": "MySQL", "rejected_reason": "weaker JSON"}]`,
		`"1. MySQL - weaker JSON"`, nil, "made a list"},
	"option keys": {`[{"option": "MySQL", "rejected_reason": "weaker JSON"}]`,
		`[{"name": "MySQL", "whyRejected": "weaker JSON", "cost": 1}]`, nil, ""},
	"option, no reason": {`[{"option": "MySQL", "rejected_reason": "weaker JSON"}]`, `[{"option": "MySQL"}]`,
		func(d *Draft) {
			d.Content["alternatives"] = []map[string]string{{"option": "MySQL",
				"rejected_reason": notRecorded}}
		}, notRecorded},
	"no partial content": {`"partial_content": {`,
		`"title": "Use Postgres for billing", "tags": ["billing", "postgres"], "confidence": 0.8, "related_files": ["db/schema.sql"], "change_summary": "Postgres chosen", "content": {"status": "accepted", "context": "Billing needs transactions", "decision": "Postgres 16", "alternatives": [{"option": "MySQL", "rejected_reason": "weaker JSON"}], "rationale": ["transactions", "known"], "consequences": ["one more server"]}, "ignored": {`, nil, "taken from the top"},
	"covers":           {`"intended_action"`, `"covers": [3, 1, 3], "intended_action"`, covers(1, 3), ""},
	"covers as a text": {`"intended_action"`, `"covers": "1, 3", "intended_action"`, covers(1, 3), ""},
	"covers in words": {`"intended_action"`, `"covers": "findings #1 and #3", "intended_action"`,
		covers(1, 3), ""},
	"covers bracketed": {`"intended_action"`, `"covers": "[7]", "intended_action"`, covers(7), ""},
	"covers hashed": {`"intended_action"`, `"covers": ["#7", "[8]"], "intended_action"`,
		covers(7, 8), ""},
	"covers one number": {`"intended_action"`, `"covers": 7, "intended_action"`, covers(7), ""},
	"covers a range":    {`"intended_action"`, `"covers": "2-4", "intended_action"`, covers(2, 3, 4), ""},
	"covers inside":     {`"partial_content": {`, `"partial_content": { "covers": [7],`, covers(7), ""},
	"covers objects": {`"intended_action"`, `"covers": [{"number": 7}], "intended_action"`,
		covers(7), ""},
	"covers null": {`"intended_action"`, `"covers": null, "intended_action"`, nil, ""},
	"covers malformed": {`"intended_action"`, `"covers": [7, "the first", 1.5, -2], "intended_action"`,
		covers(7), `"first" is no number of a finding`},
	"supersedes": {`"intended_action"`, `"supersedes": "use-mysql", "intended_action"`,
		func(d *Draft) { d.Supersedes = "use-mysql" }, ""},
	"target as printed": {`"intended_action"`,
		`"target": "- use-mysql: Use MySQL (cache, db)", "intended_action"`,
		func(d *Draft) { d.Target = "use-mysql" }, ""},
	"target as title": {`"intended_action"`, `"target": "Use MySQL for CI/CD", "intended_action"`,
		func(d *Draft) { d.Target = "Use MySQL for CI/CD" }, ""},
	"target as saved": {`"intended_action"`,
		`"target": "Saved: decision (create) decisions/use-mysql.json [1]", "intended_action"`,
		func(d *Draft) { d.Target = "use-mysql" }, ""},
	"target as injected": {`"intended_action"`, `"target": "- [DECISION] Use MySQL [source: ` +
		`.claude/memory/decisions/use-mysql.json, updated 2026-11-23]", "intended_action"`,
		func(d *Draft) { d.Target = "use-mysql" }, ""},
	"target as recalled": {`"intended_action"`,
		`"target": "[source: project] .claude/memory/decisions/use-mysql.json (2026-11-23)", "intended_action"`,
		func(d *Draft) { d.Target = "use-mysql" }, ""},
	"target headed": {`"intended_action"`, `"target": "[DECISION] Use MySQL: on disk [2]", "intended_action"`,
		func(d *Draft) { d.Target = "Use MySQL: on disk" }, ""},
	"target headed and marked": {`"intended_action"`,
		`"target": "[TECH_DEBT, open] Use MySQL [source: project]", "intended_action"`,
		func(d *Draft) { d.Target = "Use MySQL" }, ""},
	"target near": {`"intended_action"`, `"target": "near: use-mysql", "intended_action"`,
		func(d *Draft) { d.Target = "use-mysql" }, ""},
	"target near in brackets": {`"intended_action"`, `"target": "(near: use-mysql)", "intended_action"`,
		func(d *Draft) { d.Target = "use-mysql" }, ""},
	"target as offered": {`"intended_action"`,
		`"target": "keepsake: keep [7] decision “MySQL” (near: use-mysql)", "intended_action"`,
		func(d *Draft) { d.Target = "use-mysql" }, ""},
	"target a title with a file": {`"intended_action"`,
		`"target": "Keep config/app.json in git [draft]", "intended_action"`,
		func(d *Draft) { d.Target = "Keep config/app.json in git [draft" }, ""},
	"supersedes as injected": {`"intended_action"`, `"supersedes": "[DECISION] Use MySQL [source: ` +
		`.claude/memory/decisions/use-mysql.json]", "intended_action"`,
		func(d *Draft) { d.Supersedes = "use-mysql" }, ""},
	"target an object": {`"intended_action"`,
		`"target": {"id": "use-mysql", "title": "Use MySQL"}, "intended_action"`,
		func(d *Draft) { d.Target = "use-mysql" }, ""},
	"target kept with a comma too many": {`"intended_action": "create",`,
		`"intended_action": "create", "target": "use-mysql",,`,
		func(d *Draft) { d.Target = "use-mysql" }, "repaired"},
	"single quotes": {good, strings.ReplaceAll(good, `"`, `'`), nil, "repaired"},
	"curly quotes":  {`"transactions", "known"`, `“transactions”, “known”`, nil, "repaired"},
	"quotes inside": {`"Postgres 16"`, `"Postgres "16" it is"`,
		func(d *Draft) { d.Content["decision"] = `Postgres "16" it is` }, "repaired"},
	"an apostrophe": {`"Postgres 16"`, `'it's Postgres 16'`,
		func(d *Draft) { d.Content["decision"] = "it's Postgres 16" }, "repaired"},
	"comments": {`"intended_action": "create",`,
		"// what to do\n\"intended_action\": \"create\", /* or update */ # so\n", nil, "repaired"},
	"an address": {`"Postgres 16"`, `"see https://x.example/a, # 1",`,
		func(d *Draft) { d.Content["decision"] = "see https://x.example/a, # 1" }, "repaired"},
	"keys without quotes": {`"intended_action": "create"`, `intended_action: "create"`, nil, "repaired"},
	"a comma missing":     {`"create",`, `"create"`, nil, "repaired"},
	"words of Python": {`"confidence": 0.8`, `"confidence": None`, func(d *Draft) { d.Confidence = nil },
		"repaired"},
	"escape of no kind": {`"Postgres 16"`, `"C:\Postgres\u00e9 \ud83d\ude00"`,
		func(d *Draft) { d.Content["decision"] = "C:\\Postgresé 😀" }, "repaired"},
	"wrapped":       {good, `{"drafts": [` + good + `]}`, nil, `taken out of "drafts"`},
	"wrapped alone": {good, `{"draft": ` + good + `}`, nil, `taken out of "draft"`},
	"under its category": {good, `{"decision": ` + strings.Replace(good, `"category": "decision",`, ``, 1) +
		`}`, nil, `taken out of "decision"`},
	"under another": {good, `{"decisions": [` + good + `], "runbooks": [{"action": "noop"}]}`, nil,
		`taken out of "runbooks"`},
	"partial content text": {good, strings.Replace(good, good[strings.Index(good, `"partial_content": `):],
		`"partial_content": `+partText()+"}", 1), nil, "partial_content: JSON inside a text, read"},
	"one after another": {good, `{"category": "runbook", "action": "noop"}` + "\n" + good, nil,
		"2 values after one another"},
	"an empty hint": {`"one more server"`, `"TBD"`,
		func(d *Draft) { delete(d.Content, "consequences") }, `"TBD" says nothing`},
	"one of two is empty": {`"one more server"`, `"one more server", "N/A"`, nil, ""},
	"invisible text":      {`"Postgres 16"`, `"Postgres\u202e\u200b 16\u0000"`, nil, ""},
}

func covers(n ...int) func(*Draft) { return func(d *Draft) { d.Covers = n } }

// partText returns the good draft's partial content as JSON text.
func partText() string {
	var top map[string]json.RawMessage
	if err := json.Unmarshal([]byte(good), &top); err != nil {
		panic(err)
	}
	text, _ := json.Marshal(string(top["partial_content"]))
	return string(text)
}

func confidence(f float64) func(*Draft) { return func(d *Draft) { d.Confidence = &f } }

func TestParseDraftCoerces(t *testing.T) {
	for name, tt := range coercions {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, tt.old, tt.new, 1)
			if text == good {
				t.Fatal("the test changes nothing")
			}
			want := goodDraft()
			if tt.want != nil {
				tt.want(&want)
			}
			d, notes, err := Parse([]byte(text), memory.Decision)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(d, want) {
				t.Errorf("\n got %+v\nwant %+v", d, want)
			}
			if told := strings.Join(notes, "\n"); !strings.Contains(told, tt.note) ||
				(tt.note == "") != (told == "") {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

// TestParseDraftCategories corrects one sloppy draft of each other category.
func TestParseDraftCategories(t *testing.T) {
	for c, tt := range map[memory.Category]struct {
		content string
		want    memory.Content
	}{
		memory.SessionSummary: {`{"goal": "ship", "outcome": "Completed", "completed": "a\nb", "next_actions": [], "nextActions": ["x"]}`,
			memory.Content{"goal": "ship", "outcome": "success", "completed": []string{"a", "b"}}},
		memory.Runbook: {`{"trigger": "boom", "steps": "1. look\n2) mend\n\n* check", "verification": true, "environment": null}`,
			memory.Content{"trigger": "boom", "steps": []string{"look", "mend", "check"},
				"verification": "true"}},
		memory.Constraint: {`{"kind": "Limit", "rule": "5 a second", "impact": {"api": "slow"}, "severity": "Critical", "active": "yes", "expires": ["never"]}`,
			memory.Content{"kind": "limitation", "rule": "5 a second", "impact": []string{"api: slow"},
				"severity": "high", "active": true, "expires": "never"}},
		memory.TechDebt: {`{"status": "won't fix", "priority": "Normal", "description": "d", "reason_deferred": "r", "impact": 7}`,
			memory.Content{"status": "wont_fix", "priority": "medium", "description": "d",
				"reason_deferred": "r", "impact": []string{"7"}}},
		memory.Preference: {`{"topic": "t", "value": "v", "reason": "r", "strength": "MUST", "examples": {"Prefer": "a", "don't": ["b"], "maybe": 1}}`,
			memory.Content{"topic": "t", "value": "v", "reason": "r", "strength": "strong",
				"examples": map[string][]string{"prefer": {"a"}, "avoid": {"b"}}}},
	} {
		d, _,
			err := Parse([]byte(`{"new_info_summary": "s", "partial_content": {"title": "t", "content": `+tt.content+`}}`), c)
		if err != nil || !reflect.DeepEqual(d.Content, tt.want) {
			t.Errorf("%s: %v\n got %#v\nwant %#v", c, err, d.Content, tt.want)
		}
	}
	// Examples that are only a list, and a flag that says no.
	d, _,
		err := Parse([]byte(`{"new_info_summary": "s", "partial_content": {"title": "t", "content": {"topic": "t", "value": "v", "reason": "r", "examples": ["a"]}}}`), memory.Preference)
	if err != nil || !reflect.DeepEqual(d.Content["examples"], map[string][]string{"prefer": {"a"}}) {
		t.Errorf("%v %v", err, d.Content)
	}
}

func TestParseDraftNoop(t *testing.T) {
	for _, text := range []string{
		`{"category": "decision", "action": "noop", "noop_reason": "only small talk"}`,
		`{"category": "decision", "intended_action": "NOOP", "noop_reason": ["only", "small talk"]}`,
		"```\n" + `{"Category": "Decision", "Action": "no-op", "reason": "only small talk"}` + "\n```",
	} {
		d, _, err := Parse([]byte(text), memory.Decision)
		if err != nil || !d.Noop || !strings.HasSuffix(d.NoopReason, "small talk") {
			t.Errorf("%s: %+v, %v", text, d, err)
		}
	}
}

// TestParseDraftRefuses: an error about what cannot be corrected has field, expected, got and fix.
func TestParseDraftRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ old, new, says string }{
		"empty": {good, "",
			`draft: expected one JSON object with covers, category, title and content, got nothing; fix: write the JSON alone`},
		"prose only": {good, "I could not find anything.", `got "I could not find anything."`},
		"cut off":    {good, good[:300], "draft: expected one JSON object"},
		"other JSON": {good, `{"hello": "world"}`, "draft: expected one JSON object"},
		"two drafts": {good, "[" + good + "," + good + "]", "got a list of 2"},
		"too large": {`"Postgres 16"`, `"` + strings.Repeat("x", draftLimit) + `"`,
			"draft: expected at most 256 KiB, got 257 KiB"},
		"nothing said": {good, `{"category": "decision", "partial_content": {}}`,
			"new_info_summary: expected a sentence or three, got nothing; fix: say what is new"},
		"no rationale": {`"rationale": ["transactions", "known"],`, ``,
			"content.rationale: expected a list with at least one entry, got nothing; fix: add it; " +
				"rationale is what makes a decision worth keeping"},
		"no context": {`"context": "Billing needs transactions",`, ``,
			"content.context: expected text, got nothing"},
		"blank decision": {`"Postgres 16"`, `" \n"`, "content.decision: expected text, got nothing"},
		"odd status": {`"status": "accepted"`, `"status": "purple"`,
			`content.status: expected one of proposed, accepted, deprecated, superseded, got "purple"; fix: choose the nearest, or leave it out`},
		"cut off late": {good, good[:len(good)-8], "draft: expected one JSON object"},
		"two in a row": {good, good + "\n" + good, "got a list of 2"},
		"a placeholder": {`["transactions", "known"]`, `["TBD"]`,
			`content.rationale: expected what was said about it, got "TBD"; fix: write it in the words of the conversation`},
		"no words": {`"Billing needs transactions"`, `"Not recorded."`,
			`content.context: expected what was said about it, got "Not recorded."`},
		"its own label": {`"Postgres 16"`, `"Decision"`,
			`content.decision: expected what was said about it, got "Decision"`},
		"a form": {`"Postgres 16"`, `"<what was decided>"`,
			`content.decision: expected what was said about it`},
		"odd options": {`[{"option": "MySQL", "rejected_reason": "weaker JSON"}]`, `7`,
			"content.alternatives: expected a list of {option, rejected_reason}, got 7"},
	} {
		text := strings.Replace(good, tt.old, tt.new, 1)
		d, _, err := Parse([]byte(text), memory.Decision)
		var v *memory.ValidationError
		if !errors.As(err, &v) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %s", name, err, tt.says)
		}
		if !reflect.DeepEqual(d, Draft{Category: d.Category, Title: d.Title}) {
			t.Errorf("%s: half a draft comes back: %+v", name, d)
		}
	}
	untitled := strings.NewReplacer("Billing runs on Postgres.", "[confidence: high]",
		`"title": "Use Postgres for billing",`, "").Replace(good)
	if _, _, err := Parse([]byte(untitled), memory.Decision); err == nil ||
		!strings.Contains(err.Error(), "partial_content.title: expected a title, got nothing") {
		t.Errorf("no title: %v", err)
	}
	if _, _, err := Parse([]byte(`{"category": "gossip", "content": {}}`), ""); err == nil ||
		!strings.Contains(err.Error(), "category: expected one of") {
		t.Errorf("no category: %v", err)
	}
	if d, _, err := Parse([]byte(good), ""); err != nil || d.Category != memory.Decision {
		t.Errorf("category of the draft: %v, %v", d.Category, err)
	}
}

// TestShortForm: errors about a draft in the form of keepsake remember name that form's fields, and an
// addition to a memory needs no title.
func TestShortForm(t *testing.T) {
	for text, want := range map[string]string{
		`{"covers": [1], "category": "decision", "title": "Use Go", "content": {"decision": "Use`: "covers, category, title and content",
		`keep Go`: "covers, category, title and content",
		`{"covers": [1], "category": "decision", "content": {"decision": "Use Go", "context": "A service.", ` +
			`"rationale": ["It is small."]}}`: "title: expected a title",
		`{"covers": [1], "category": "decision", "title": "Use Go"}`:                                                "content.decision: ",
		`{"category": "decision", "new_info_summary": "Go.", "partial_content": {"tit`:                              "new_info_summary and partial_content",
		`{"category": "decision", "intended_action": "create", "partial_content": {"content": {"decision": "Go"}}}`: "partial_content.title",
	} {
		_, _, err := Parse([]byte(text), "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if long := strings.Contains(text, "partial_content"); err != nil && !long &&
			strings.Contains(err.Error(), "partial_content") {
			t.Errorf("%s: %v", text, err)
		}
	}
	d, notes, err := Parse([]byte(`{"covers": [1], "category": "decision", "target": "use-go", `+
		`"content": {"decision": "Go 1.25 everywhere"}}`), "")
	if err != nil || d.Summary != "Go 1.25 everywhere" || slices.ContainsFunc(notes,
		func(n string) bool { return strings.Contains(n, "partial_content") }) {
		t.Errorf("%+v, %q, %v", d, notes, err)
	}
}

func TestParseDraftPartial(t *testing.T) {
	for _, action := range []string{`"intended_action": "update"`, `"intended_action": "delete"`,
		`"target": "use-postgres"`} {
		d, _, err := Parse([]byte(`{"new_info_summary": "s", `+action+
			`, "partial_content": {"content": {"status": "superseded"}}}`), memory.Decision)
		if err != nil || !reflect.DeepEqual(d.Content, memory.Content{"status": "superseded"}) ||
			d.Title != "" {
			t.Errorf("%s: %+v, %v", action, d, err)
		}
	}
}

// TestManyBraces: text made of braces takes no more than linear time.
func TestManyBraces(t *testing.T) {
	for _, piece := range []string{"{", "[", `{"a":`, `[{"category":`, `"`, `\`, "{}", ","} {
		if _, _, err := Parse([]byte(strings.Repeat(piece, draftLimit/len(piece))),
			memory.Decision); err == nil {
			t.Errorf("%q many times is a draft", piece)
		}
	}
}

func FuzzParseDraft(f *testing.F) {
	f.Add([]byte(good), uint8(1))
	for _, tt := range coercions {
		if text := strings.Replace(good, tt.old, tt.new, 1); len(text) < 2000 {
			f.Add([]byte(text), uint8(1))
		}
	}
	f.Add([]byte(`{"partial_content": {"content": {"examples": [{"a": [{}]}], "active": 1e999}}}`), uint8(5))
	f.Fuzz(func(t *testing.T, b []byte, n uint8) {
		c := memory.Categories()[int(n)%len(memory.Categories())]
		d, notes, err := Parse(b, c)
		if err != nil {
			var v *memory.ValidationError
			if !errors.As(err, &v) || len(v.Problems) == 0 {
				t.Fatalf("an error without a problem: %v", err)
			}
			return
		}
		for _, n := range notes {
			if n == "" || utf8.RuneCountInString(n) > 300 {
				t.Fatalf("note %q", n)
			}
		}
		if d.Category != c || !d.Noop && len(d.Tags) == 0 {
			t.Fatalf("%+v", d)
		}
		p, out := Resolve(Input{Drafts: []Draft{d}, Now: now})
		if len(out) != 1 {
			t.Fatalf("%d outcomes", len(out))
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, e := range p.Edits {
			r, err := memory.Decode(e.After)
			if err != nil || r.Validate() != nil {
				t.Fatalf("%v, %v\n%s", err, r.Validate(), e.After)
			}
		}
		// A draft that needs no record to be completed must not be refused now.
		if out[0].State == Rejected && d.Intended != "update" && d.Target == "" && len(d.Hints) == 0 {
			t.Fatalf("rejected: %s", out[0].Reason)
		}
		if _, err := json.Marshal(d); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzLenient: JSON is read as encoding/json reads it, and no more than the text is consumed.
func FuzzLenient(f *testing.F) {
	for _, s := range []string{good, `{'a': "b "c" d", e: [1,,2,], /* x */ "f": None} rest`, `[“a”, ‘b’]`,
		"{\"a\": \"x\ny\" // z\n}", `"\ud83d\ude00\u12`, `{"a":1e5,"b":-0}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, n, ok := decodeLeniently(s)
		if n < 0 || n > len(s) {
			t.Fatalf("read %d of %d bytes", n, len(s))
		}
		want, length, strict := decodeStrictly(s)
		if strict && strings.Trim(s[length:], " \t\r\n") == "" && depthOf(want) < maxDepth &&
			utf8.ValidString(s) && !strings.Contains(s, `\u`) && (!ok || !reflect.DeepEqual(v, want)) {
			t.Fatalf("%q\n got %#v, %v\nwant %#v", s, v, ok, want)
		}
	})
}

func depthOf(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n = max(n, 1+depthOf(e))
		}
	case map[string]any:
		for _, e := range v {
			n = max(n, 1+depthOf(e))
		}
	}
	return n
}

// TestParseDraftSortsARule: an unknown kind does not cost a constraint, as the model gets no list of kinds.
// An unknown severity is still an error.
func TestParseDraftSortsARule(t *testing.T) {
	draft := func(kind, severity string) []byte {
		return []byte(`{"covers":[1],"category":"constraint","title":"Uploads stay below 5 MB","content":` +
			`{"rule":"Uploads stay below 5 MB","kind":"` + kind +
			`","impact":["the proxy cuts them"],"severity":"` +
			severity + `"}}`)
	}
	for kind, want := range map[string]string{"requirement": "technical", "Limit": "limitation",
		"policy":   "policy",
		"size cap": "technical", "rule": "policy"} {
		d, _, err := Parse(draft(kind, "high"), memory.Constraint)
		if err != nil || d.Content["kind"] != want {
			t.Errorf("%s: %v, %v", kind, d.Content["kind"], err)
		}
	}
	if _, _, err := Parse(draft("policy", "purple"), memory.Constraint); err == nil {
		t.Error("a purple severity is taken")
	}
}
