package exchange

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"keepsake/pkg/memory"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// golden compares with a file of testdata that is reviewed as prose.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; KEEPSAKE_GOLDEN=1 rewrites it\n%s", path, got)
	}
}

func stored(r memory.Record) memory.Stored {
	return memory.Stored{Record: r, Path: memory.Path(r.Category, r.ID)}
}

func decision(id, title, text string) memory.Record {
	return memory.Record{
		Category: memory.Decision, ID: id, Title: title, Status: memory.Active,
		CreatedAt: "2026-11-01T00:00:00Z", UpdatedAt: "2026-11-02T00:00:00Z", Tags: []string{"queue"},
		Content: memory.Content{"status": "accepted", "context": "Jobs were lost.", "decision": text,
			"rationale": []string{"They must survive."}},
	}
}

// one of each category, with every field.
func everything() []memory.Stored {
	why := "gone"
	at := "2026-11-10T00:00:00Z"
	hostile := decision("hostile", "# Title <script>",
		"One line.\n\n# no heading\n<!-- keepsake end -->\n- no list\n```\nno fence")
	retired := decision("old", "An old one", "Jobs live in Redis.")
	retired.Status, retired.RetiredAt, retired.RetiredReason = memory.Retired, &at, &why
	put := func(c memory.Category, id, title string, content memory.Content) memory.Stored {
		return stored(memory.Record{Category: c, ID: id, Title: title, Status: memory.Active, CreatedAt: at,
			UpdatedAt: at, Tags: []string{"a", "b"}, Content: content})
	}
	return []memory.Stored{
		stored(decision("queue", "Queue in Postgres", "Jobs live in a Postgres table.")), stored(hostile),
		stored(retired),
		put(memory.Constraint, "no-root", "No root",
			memory.Content{"kind": "policy", "rule": "Containers must not run as root.",
				"impact": []string{"Low ports are closed."}, "workarounds": []string{"Use 8080."},
				"severity": "high", "active": true}),
		put(memory.Runbook, "oom", "Out of memory",
			memory.Content{"trigger": "make build ends with 137",
				"steps": []string{"Raise the limit.", "Run:\nmake build"}, "verification": "It passes."}),
		put(memory.Preference, "tabs", "Tabs", memory.Content{"topic": "Style", "value": "Indent with tabs.",
			"reason": "gofmt does.", "strength": "strong",
			"examples": map[string][]string{"prefer": {"\\t"}, "avoid": {"4 spaces"}}}),
		put(memory.TechDebt, "slow", "Slow tests",
			memory.Content{"status": "open", "priority": "low", "description": "The tests take a minute.",
				"reason_deferred": "No time."}),
		put(memory.SessionSummary, "monday", "Monday",
			memory.Content{"goal": "Ship", "outcome": "success", "completed": []string{"Shipped"},
				"next_actions": []string{}}),
	}
}

func TestMarkdown(t *testing.T) {
	golden(t, "export.md", Markdown("shop <b>", everything()))
	golden(t, "agents.md", AgentsMD(everything()))
	golden(t, "empty.md", append(Markdown("shop", nil), AgentsMD(nil)...))
}

// shape is the headings, and the number of nodes of other kinds, of a document.
func shape(b []byte) (headings []string, html, fences int) {
	doc := goldmark.DefaultParser().Parse(text.NewReader(b))
	_ = ast.Walk(doc, func(n ast.Node, in bool) (ast.WalkStatus, error) {
		switch {
		case !in:
		case n.Kind() == ast.KindHeading:
			headings = append(headings, string(n.Lines().Value(b)))
		case n.Kind() == ast.KindHTMLBlock || n.Kind() == ast.KindRawHTML:
			html++
		case n.Kind() == ast.KindFencedCodeBlock, n.Kind() == ast.KindCodeBlock,
			n.Kind() == ast.KindBlockquote, n.Kind() == ast.KindThematicBreak:
			fences++
		}
		return ast.WalkContinue, nil
	})
	return headings, html, fences
}

// A record's text cannot pose as the document around it.
func TestTextStaysText(t *testing.T) {
	lines := []string{"# h", "## h", "h\n===", "h\n---", "- x", "* x", "+ x", "1. x", "2) x", "> q", "```",
		"~~~\nx", "<div>", "<!-- x", "| a | b |\n|---|---|", "[a]: http://b", "***", "___", "    code",
		"**bold**", "`code`", SectionEnd, SectionBegin, "x\n\n# y"}
	rapid.Check(t, func(t *rapid.T) {
		said := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 1, 4).Draw(t, "text"),
			rapid.SampledFrom([]string{"\n", "\n\n", " "}).Draw(t, "between"))
		r := decision("x", memory.CleanTitle("t "+said), said)
		r.Content["consequences"] = []string{said}
		list := []memory.Stored{stored(r)}
		headings, html, fences := shape(Markdown("p", list))
		if len(headings) != 3 || html > 0 || fences > 0 {
			t.Fatalf("headings %q, %d html, %d fences\n%s", headings, html, fences, Markdown("p", list))
		}
		section := AgentsMD(list)
		headings, html, fences = shape(section)
		if len(headings) != 2 || html != 2 || fences > 0 || strings.Count(string(section), SectionEnd) != 1 {
			t.Fatalf("headings %q, %d html, %d fences\n%s", headings, html, fences, section)
		}
	})
}

func TestSection(t *testing.T) {
	one, two := []byte(SectionBegin+"\none\n"+SectionEnd+"\n"), []byte(SectionBegin+"\ntwo\n"+SectionEnd+"\n")
	for name, c := range map[string]struct{ file, want string }{
		"an empty file":        {"", string(two)},
		"a file of somebody's": {"# Mine\n", "# Mine\n\n" + string(two)},
		"without a line break": {"# Mine", "# Mine\n\n" + string(two)},
		"in its place": {"# Mine\n\n" + string(one) + "\nMore.\n", "# Mine\n\n" + string(two) +
			"\nMore.\n"},
		"at the end, cut short":    {strings.TrimSuffix(string(one), "\n"), string(two)},
		"a section without an end": {SectionBegin + "\nmine\n", SectionBegin + "\nmine\n\n" + string(two)},
	} {
		got := string(Section([]byte(c.file), two))
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if again := string(Section([]byte(got), two)); again != got {
			t.Errorf("%s: the second time %q", name, again)
		}
	}
}

func TestBundleRoundTrip(t *testing.T) {
	records := everything()
	offers, passed, err := Unbundle(Bundle(records))
	if err != nil || len(passed) > 0 {
		t.Fatal(err, passed)
	}
	p, outcomes := Plan(offers, nil, nil)
	if len(p.Edits) != len(records) {
		t.Fatalf("%d edits: %+v", len(p.Edits), outcomes)
	}
	for i, e := range p.Edits {
		if e.Path != records[i].Path || string(e.After) != string(records[i].Encode()) {
			t.Errorf("%s:\n%s\nwant\n%s", e.Path, e.After, records[i].Encode())
		}
	}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	again, outcomes := Plan(offers, records, nil)
	if len(again.Edits) > 0 {
		t.Errorf("the second time: %+v", outcomes)
	}
}

func TestUnbundleRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "is no export",
		"[]":                                    "is no export",
		"{}":                                    "keepsake_export",
		`{"keepsake_export": 2}`:                "newer",
		`{"keepsake_export": "x"}`:              "is no export",
		`{"keepsake_export": 1, "records": {}}`: "is no export",
	} {
		if _, _, err := Unbundle([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, _, err := Unbundle([]byte(`{"keepsake_export": 9}`)); !errors.Is(err, memory.ErrNewer) {
		t.Error(err)
	}
	good := string(decision("a", "A", "x").Encode())
	offers, passed, err := Unbundle([]byte(`{"keepsake_export": 1, "records": [{"schema_version": "9.0"}, ` +
		good + `, null]}`))
	if err != nil || len(offers) != 1 || len(passed) != 2 || passed[0].From != "record 1" {
		t.Errorf("%v %v %v", offers, passed, err)
	}
}

func TestPlan(t *testing.T) {
	base := decision("queue", "Queue", "Jobs live in Postgres.")
	with := func(change func(*memory.Record)) memory.Record {
		r := base
		change(&r)
		return r
	}
	other := decision("queue", "Queue", "Jobs live in Kafka.")
	retired, err := base.Retire("gone", noon)
	if err != nil {
		t.Fatal(err)
	}
	updated := with(func(r *memory.Record) {
		r.Title, r.TimesUpdated = "The queue", 1
		r.Changes = []memory.Change{{Date: "2026-11-03T00:00:00Z", Summary: "title"}}
	})
	elsewhere := with(func(r *memory.Record) { r.ID = "other-id" })
	for name, c := range map[string]struct {
		offer    memory.Record
		existing []memory.Record
		taken    []string
		state    State
		path     string
	}{
		"new":      {base, nil, nil, Create, "decisions/queue.json"},
		"the same": {base, []memory.Record{base}, nil, Nothing, "decisions/queue.json"},
		"the same but for its schema": {with(func(r *memory.Record) {
			r.Provenance = &memory.Provenance{Origin: Origin}
		}), []memory.Record{base}, nil, Nothing, "decisions/queue.json"},
		"the same under another name": {base, []memory.Record{elsewhere}, nil, Nothing,
			"decisions/other-id.json"},
		"retired here": {base, []memory.Record{retired.Record}, nil, Nothing,
			"decisions/queue.json"},
		"retired there": {retired.Record, []memory.Record{base}, nil, Nothing,
			"decisions/queue.json"},
		"retired, and new here": {retired.Record, nil, nil, Create, "decisions/queue.json"},
		"updated here since": {base, []memory.Record{updated}, nil, Nothing,
			"decisions/queue.json"},
		"updated there since": {updated, []memory.Record{base}, nil, Create,
			"decisions/queue-2.json"},
		"something else": {base, []memory.Record{other}, nil, Create,
			"decisions/queue-2.json"},
		"imported beside something else": {base, []memory.Record{other, with(func(r *memory.Record) {
			r.ID = "queue-2"
		})}, nil, Nothing, "decisions/queue-2.json"},
		"a name with something broken": {base, nil, []string{"decisions/Queue.json"}, Create,
			"decisions/queue-2.json"},
		"no record": {with(func(r *memory.Record) {
			r.Content = nil
		}), nil, nil, Rejected, ""},
		"no id": {with(func(r *memory.Record) {
			r.ID = "../x"
		}), nil, nil, Rejected, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var existing []memory.Stored
			for _, r := range c.existing {
				existing = append(existing, stored(r))
			}
			p, outcomes := Plan([]Offer{{Record: c.offer, From: "f"}}, existing, c.taken)
			o := outcomes[0]
			if o.State != c.state || o.Path != c.path || (len(p.Edits) > 0) != (c.state == Create) ||
				(o.Reason == "") != (c.state == Create) {
				t.Errorf("%+v, %d edits", o, len(p.Edits))
			}
			if err := p.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Whatever is offered, the plan holds, and offered again it is empty.
func TestPlanIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var offers []Offer
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			id := rapid.SampledFrom([]string{"a", "A", "b", strings.Repeat("x", memory.MaxID)}).Draw(t, "id")
			offers = append(offers,
				Offer{Record: decision(strings.ToLower(id), "T",
					rapid.SampledFrom([]string{"p", "q", "r"}).Draw(t, "text"))})
		}
		p, outcomes := Plan(slices.Clone(offers), nil, nil)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		var existing []memory.Stored
		for _, e := range p.Edits {
			r, err := memory.Decode(e.After)
			if err != nil || memory.Path(r.Category, r.ID) != e.Path {
				t.Fatal(e.Path, err)
			}
			existing = append(existing, stored(r))
		}
		if again, _ := Plan(slices.Clone(offers), existing, nil); len(again.Edits) > 0 {
			t.Fatalf("%d edits again, after %+v", len(again.Edits), outcomes)
		}
	})
}

func TestFromStore(t *testing.T) {
	r := decision("queue", "Queue", "x")
	for i := range 20 {
		r.Tags = append(r.Tags, strings.Repeat("t", i+1))
	}
	for range 60 {
		r.Changes = append(r.Changes, memory.Change{Date: "2026", Summary: "s"})
	}
	o := FromStore(stored(r))
	if err := o.Validate(); err != nil || len(o.Notes) != 2 || o.Provenance.Origin != Origin {
		t.Errorf("%v, %+v", err, o)
	}
	r.Provenance = &memory.Provenance{Origin: "drafter", Branch: "main"}
	if o := FromStore(stored(r)); o.Provenance.Origin != "drafter" {
		t.Errorf("%+v", o.Provenance)
	}
}

// TestOriginals: the files of claude-memory come in as they are.
func TestOriginals(t *testing.T) {
	dir := "../../memory/testdata/original"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		r, err := memory.Decode(b)
		if err != nil {
			continue
		}
		o := FromStore(stored(r))
		p, outcomes := Plan([]Offer{o}, nil, nil)
		if len(p.Edits) != 1 {
			t.Errorf("%s: %+v", e.Name(), outcomes)
			continue
		}
		got, err := memory.Decode(p.Edits[0].After)
		if err != nil || saying(got) != saying(o.Record) || got.Status != r.Status ||
			got.CreatedAt != r.CreatedAt {
			t.Errorf("%s: %v\n%s", e.Name(), err, p.Edits[0].After)
		}
		n++
	}
	if n < 6 {
		t.Errorf("only %d originals were read", n)
	}
}
