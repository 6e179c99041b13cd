package blackboard_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/plan"
)

var now = time.Date(2026, 11, 21, 21, 0, 0, 0, time.UTC) // a Saturday

// apply is what the files say after a plan; it wants guards that hold.
func apply(t interface{ Fatalf(string, ...any) }, f blackboard.Files, p plan.Plan) blackboard.Files {
	if len(p.Edits) == 0 {
		return f
	}
	if err := p.Validate(); err != nil {
		t.Fatalf("%v", err)
	}
	for _, e := range p.Edits {
		at := &f.Card
		switch e.Path {
		case blackboard.Registry:
			at = &f.Registry
		case blackboard.Schema:
			at = &f.Schema
		}
		if e.Before != plan.DigestOf(*at) {
			t.Fatalf("%s: the guard is of something else", e.Path)
		}
		*at = e.After
	}
	return f
}

// TestChanges holds what becomes of cards and registries to the files of testdata:
// a change, the files before, and "want/" with those after. No other line changes.
func TestChanges(t *testing.T) {
	for name, c := range map[string]blackboard.Change{
		"new.txtar": {Progress: "The importer reads both feeds.", Title: "Shop relaunch"},
		"all.txtar": {Status: "delayed", Deadline: "2027-01-15", Goal: "Sell by invoice",
			Progress:   "Invoices are printed | and sent.",
			Conclusion: "Invoices are PDFs, since auditors want files.",
			Open:       []blackboard.Item{{Text: "Ask legal", Owner: "Ada"}, {Text: "old thing"}},
			Close:      []string{"Write the tests"}},
		"handmade.txtar": {Status: "done", Deadline: "2026-12-24", Progress: "Shipped.",
			Conclusion: "Kept the old queue.", Close: []string{"Move the queue"}},
		"row_only.txtar":  {Conclusion: "Stays on Postgres."},
		"card_only.txtar": {Open: []blackboard.Item{{Text: "Ask Ada"}}},
		"untitled.txtar":  {Title: "Shop", Deadline: "none", Progress: "Begun."},
		"unclosed.txtar":  {Progress: "Seen all the same.", Conclusion: "Also seen."},
		"topic.txtar": {Topic: blackboard.Topic{Title: "The importer", Status: "done",
			Points: "Both feeds are read.", Decision: "Latin-1 is decoded first.", Next: "Feed C",
			Details: "`importer.md`"}, Progress: "The importer is done."},
		"no_newline.txtar": {Progress: "Last line.", Status: "blocked"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := txtar.ParseFile("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			of := func(name string) []byte {
				for _, f := range a.Files {
					if f.Name == name {
						return bytes.ReplaceAll(bytes.ReplaceAll(f.Data, []byte("<no newline>\n"), nil),
							[]byte("<cr>\n"), []byte("\r\n"))
					}
				}
				return nil
			}
			f := blackboard.Files{Card: of("card"), Registry: of("registry"), Schema: []byte("ours")}
			p, taken, err := blackboard.Plan(f, "shop", c, now)
			if err != nil || taken != nil {
				t.Fatal(err, taken)
			}
			got := apply(t, f, p)
			if os.Getenv("KEEPSAKE_GOLDEN") != "" {
				a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool {
					return strings.HasPrefix(f.Name, "want/")
				})
				for _, w := range []txtar.File{{Name: "want/card", Data: got.Card},
					{Name: "want/registry", Data: got.Registry}} {
					w.Data = bytes.ReplaceAll(w.Data, []byte("\r\n"), []byte("<cr>\n"))
					if !bytes.HasSuffix(w.Data, []byte("\n")) {
						w.Data = append(w.Data, "<no newline>\n"...)
					}
					a.Files = append(a.Files, w)
				}
				if err := os.WriteFile("testdata/"+name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for what, b := range map[string][]byte{"want/card": got.Card, "want/registry": got.Registry} {
				if want := of(what); string(b) != string(want) {
					t.Errorf("%s:\n%s\nwant\n%s", what, b, want)
				}
			}
			if again, _, err := blackboard.Plan(got, "shop",
				blackboard.Change{Title: c.Title, Status: c.Status, Deadline: c.Deadline, Goal: c.Goal,
					Progress: c.Progress, Conclusion: c.Conclusion, Topic: c.Topic, Open: c.Open},
				now); err != nil || len(again.Edits) > 0 {
				t.Errorf("the same again: %d edits, %v", len(again.Edits), err)
			}
		})
	}
}

func TestLook(t *testing.T) {
	card := "---\nname: shop\n---\n# Shop\n\n**Status:** Active\n* Deadline: 2026-12-01\n\n## Progress so " +
		"far\n\n1. 2026-11-02: begun\n2. **[2026-11-20]** both feeds\n   with a second line\n   - and a " +
		"part of it\n3. undated\n\n## Open\n\n- [X] tests (owner: Bo)\n- [ ] docs (owner: Ada)\n- plain\n- " +
		"~~gone~~\n\n### Later\n\n- further\n\n## Conclusions\n\n- [2026-11-03] Go\n\n## Links\n\n- " +
		"[x](y.md)\n"
	registry := "Before.\n\n| Project | Owner | State | Due |\n|---|:-:|---|---|\n| `other` | a \\| b | | |" +
		"\n| **[Shop](projects/shop.md)** | me | `active` | 2026-12-24 |\n"
	p := blackboard.Look(blackboard.Files{Card: []byte(card), Registry: []byte(registry)}, "shop")
	got := fmt.Sprintf("%+v", p)
	want := "{Card:{Title:Shop Status:Active Deadline:2026-12-01 Goal: Progress:[{Date:2026-11-02 " +
		"Text:begun} {Date:2026-11-20 Text:both feeds} {Date: Text:undated}] Open:[{Text:tests Owner:Bo " +
		"Done:true} {Text:docs Owner:Ada Done:false} {Text:plain Owner: Done:false} {Text:~~gone~~ Owner: " +
		"Done:true} {Text:further Owner: Done:false}] Conclusions:[{Date:2026-11-03 Text:Go}]} ID:shop " +
		"Row:{ID:Shop Status:active Deadline:2026-12-24 Progress: Updated:} Its:true Told:true}"
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	if last, _ := p.Last(); last.Text != "both feeds" {
		t.Errorf("%v", last)
	}
	if apart := p.Apart(); len(apart) != 1 ||
		apart[0] != "the card says deadline 2026-12-01, REGISTRY.md says 2026-12-24, which holds" {
		t.Errorf("%q", apart)
	}
	if s, d := p.Standing(); s != "active" || d != "2026-12-24" {
		t.Errorf("%s %s", s, d)
	}
	for want, f := range map[string]blackboard.Files{
		"it has no card":               {Registry: []byte(registry)},
		"REGISTRY.md has no row of it": {Card: []byte(card)},
	} {
		if got := blackboard.Look(f, "shop").Apart(); !slices.Equal(got, []string{want}) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	code := []byte("# Shop\n\n```\nnever closed\n")
	for name, tt := range map[string]struct {
		f    blackboard.Files
		c    blackboard.Change
		says string
	}{
		"too long": {blackboard.Files{}, blackboard.Change{Progress: strings.Repeat("long ", 300)},
			"more than 1000 bytes"},
		"no such item": {blackboard.Files{Card: []byte("# Shop\n\n## Open\n\n- [x] done\n")},
			blackboard.Change{Close: []string{"done"}}, "no such open item: done"},
		"hidden card": {blackboard.Files{Card: code}, blackboard.Change{Progress: "x"},
			"blackboard/projects/shop.md: code or a comment"},
		"hidden registry": {blackboard.Files{Registry: []byte("<!-- all of it\n")},
			blackboard.Change{Progress: "x"}, "blackboard/REGISTRY.md: code or a comment"},
	} {
		p, _, err := blackboard.Plan(tt.f, "shop", tt.c, now)
		if err == nil || !strings.Contains(err.Error(), tt.says) || len(p.Edits) > 0 {
			t.Errorf("%s: %v, %d edits", name, err, len(p.Edits))
		}
	}
	if _, _, err := blackboard.Plan(blackboard.Files{}, "shop", blackboard.Change{Close: []string{"x"}},
		now); !errors.Is(err, blackboard.ErrNoItem) {
		t.Error(err)
	}
}

func TestSecretsAreTakenOut(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	p, taken, err := blackboard.Plan(blackboard.Files{}, "shop",
		blackboard.Change{Progress: "Deployed\nwith " + token,
			Open: []blackboard.Item{{Text: "rotate " + token}}}, now)
	if err != nil || len(taken) != 1 || len(p.Edits) != 3 {
		t.Fatal(taken, err, len(p.Edits))
	}
	for _, e := range p.Edits {
		if strings.Contains(string(e.After), token) {
			t.Errorf("%s:\n%s", e.Path, e.After)
		}
	}
}

func TestDay(t *testing.T) {
	for text, want := range map[string]string{
		"2026-12-01": "2026-12-01", "by 2026-12-01": "2026-12-01", "today": "2026-11-21",
		"Tomorrow": "2026-11-22",
		"friday":   "2026-11-27", "by Friday": "2026-11-27", "Sat": "2026-11-28", "sunday": "2026-11-22",
		"next monday": "2026-11-23", "next sunday": "2026-11-29", "next friday": "2026-11-27",
		"in 3 days": "2026-11-24", "in a week": "2026-11-28", "in 2 weeks": "2026-12-05",
		"in 3 months": "2027-02-21", "end of month": "2026-11-30",
		"": "", "soon": "", "2026-13-01": "", "in -1 days": "", "next week": "2026-11-29",
		"by end of the week": "2026-11-22", "this saturday": "2026-11-21",
		"in many days": "", "the 5th": "",
	} {
		d, ok := blackboard.Day(text, now)
		got := ""
		if ok {
			got = d.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if d, _ := blackboard.Day("in 1 month",
		time.Date(2026, 12, 31, 23, 59, 0, 0, time.UTC)); d.Format(time.DateOnly) != "2027-01-31" {
		t.Error(d)
	}
	if d, _ := blackboard.Day("in 2 months",
		time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)); d.Format(time.DateOnly) != "2027-02-28" {
		t.Error(d)
	}
	// Seen from a Sunday, the next week begins the day after.
	if d, _ := blackboard.Day("next monday",
		time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)); d.Format(time.DateOnly) != "2026-11-23" {
		t.Error(d)
	}
}

// lost are the lines of a file that another doesn't have, as often.
func lost(before, after []byte) (out []string) {
	left := map[string]int{}
	for l := range strings.Lines(string(after)) {
		left[strings.TrimRight(l, "\r\n")]++
	}
	for l := range strings.Lines(string(before)) {
		l = strings.TrimRight(l, "\r\n")
		if left[l]--; left[l] < 0 {
			out = append(out, l)
		}
	}
	return out
}

// kept says what is wrong with what a change did to the files: each field, item
// and cell that was set may have changed its line, and no other is gone.
func kept(before, after blackboard.Files, c blackboard.Change) error {
	n := len(c.Close)
	for _, s := range []string{c.Title, c.Status, c.Deadline, c.Goal} {
		if s != "" {
			n++
		}
	}
	if l := lost(before.Card, after.Card); len(l) > n {
		return fmt.Errorf("the card lost %q", l)
	}
	if l := lost(before.Registry, after.Registry); len(l) > 1 {
		return fmt.Errorf("the registry lost %q", l)
	}
	return nil
}

// step says what is wrong with what the files say after a change.
func step(after blackboard.Files, c blackboard.Change) error {
	p := blackboard.Look(after, "shop")
	if !p.Its || !p.Told {
		return fmt.Errorf("card %v, row %v", p.Its, p.Told)
	}
	if c.Status != "" && (p.Status != c.Status || p.Row.Status != c.Status) {
		return fmt.Errorf("status %q and %q, want %q", p.Status, p.Row.Status, c.Status)
	}
	if c.Deadline != "" && (p.Deadline != c.Deadline || p.Row.Deadline != c.Deadline) {
		return fmt.Errorf("deadline %q and %q, want %q", p.Deadline, p.Row.Deadline, c.Deadline)
	}
	if c.Progress != "" && !slices.Contains(p.Progress,
		blackboard.Entry{Date: "2026-11-21", Text: c.Progress}) {
		return fmt.Errorf("progress %q, want %q", p.Progress, c.Progress)
	}
	if c.Progress != "" && p.Row.Progress != c.Progress {
		return fmt.Errorf("the registry's progress is %q, want %q", p.Row.Progress, c.Progress)
	}
	if c.Conclusion != "" && !slices.Contains(p.Conclusions,
		blackboard.Entry{Date: "2026-11-21", Text: c.Conclusion}) {
		return fmt.Errorf("conclusions %q, want %q", p.Conclusions, c.Conclusion)
	}
	return nil
}

// TestAnySequence: whatever is done in which order, card and registry stay in
// step, no line that was there is gone, and line endings stay.
func TestAnySequence(t *testing.T) {
	text := rapid.SampledFrom([]string{"both feeds", "a | b", `ends in \`, "- [ ] box", "[2026-01-01] dated",
		"**bold:** x", "see [x](y.md)", "```", "<!-- x", "# x", "Status: y", "| a | b |", "--- | ---", "（日本）",
		"10. ten", "`code`"})
	change := rapid.Custom(func(t *rapid.T) (c blackboard.Change) {
		switch rapid.IntRange(0, 7).Draw(t, "verb") {
		case 0:
			c.Title = rapid.SampledFrom([]string{"Shop", "The shop", "Relaunch"}).Draw(t, "title")
		case 1:
			c.Status = rapid.SampledFrom(blackboard.Statuses).Draw(t, "status")
		case 2:
			c.Deadline = rapid.SampledFrom([]string{"none", "2026-12-01", "2027-02-03"}).Draw(t, "deadline")
		case 3:
			c.Goal = text.Draw(t, "goal")
		case 4:
			c.Progress = text.Draw(t, "progress")
		case 5:
			c.Conclusion = text.Draw(t, "conclusion")
		case 6:
			c.Open = []blackboard.Item{{Text: text.Draw(t, "item"),
				Owner: rapid.SampledFrom([]string{"", "Ada"}).Draw(t, "owner")}}
		case 7:
			c.Topic = blackboard.Topic{Title: text.Draw(t, "topic"),
				Status: rapid.SampledFrom(blackboard.TopicStatuses).Draw(t, "how"),
				Points: text.Draw(t, "points")}
		}
		return c
	})
	cards := []string{"", "# Shop\n\n- Status: active\n- Deadline: none\n",
		"Shop\n====\nStatus: active\nA text\nover lines.\n\n## Open\nText\n\n## Progress\n- [2026-10-01] " +
			"x\n  goes on\n\n      code\n\n# Other", "text only",
		"## Conclusions\n\n```\ncode\n```\n\n<!-- note -->",
		"---\nname: x\n---\n## Progress\n\n| a | b |\n| --- | --- |\n| c | d |\n"}
	registries := []string{"", "# Projects\n", "| id | status |\n| --- | --- |\n| a | b |",
		"| status | x | Project | deadline | progress | updated |\n|---|---|---|---|---|---|\n| active |" +
			" y | shop |\n\nText below.\n", "id | status | progress\n--- | --- | ---\nshop | active | x\n"}
	rapid.Check(t, func(t *rapid.T) {
		crlf := rapid.Bool().Draw(t, "crlf")
		file := func(s string) []byte {
			if s == "" {
				return nil
			}
			if crlf {
				s = strings.ReplaceAll(s, "\n", "\r\n")
			}
			return []byte(s)
		}
		f := blackboard.Files{Card: file(rapid.SampledFrom(cards).Draw(t, "card")),
			Registry: file(rapid.SampledFrom(registries).Draw(t, "registry"))}
		mine, theirs := bytes.Contains(f.Card, []byte("\r\n")), bytes.Contains(f.Registry, []byte("\r\n"))
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			c := change.Draw(t, "change")
			if rapid.IntRange(0, 3).Draw(t, "closes") == 0 {
				if o := slices.DeleteFunc(blackboard.Look(f, "shop").Open, func(it blackboard.Item) bool {
					return it.Done
				}); len(o) > 0 {
					c.Close = []string{o[len(o)-1].Text}
				}
			}
			p, _, err := blackboard.Plan(f, "shop", c, now)
			if err != nil {
				t.Fatalf("%v", err)
			}
			after := apply(t, f, p)
			if err := kept(f, after, c); err != nil {
				t.Fatalf("%v\n%s\n---\n%s\n---\n%s\n---\n%s", err, f.Card, after.Card, f.Registry,
					after.Registry)
			}
			// A registry without the column has nothing to be in step.
			if r := string(after.Registry); strings.Contains(r, "deadline") &&
				strings.Contains(r, "progress") {
				if err := step(after, c); err != nil {
					t.Fatalf("%v\n%s\n---\n%s", err, after.Card, after.Registry)
				}
			}
			f = after
			for what, b := range map[string][]byte{"card": f.Card, "registry": f.Registry} {
				if was := what == "card" && mine || what == "registry" && theirs; was &&
					strings.Contains(strings.ReplaceAll(string(b), "\r\n", ""), "\n") {
					t.Fatalf("the %s has other line endings:\n%q", what, b)
				}
			}
		}
	})
}

// FuzzPlan: whatever the files say, a change is refused or made in step with no
// line lost.
func FuzzPlan(f *testing.F) {
	f.Add("# Shop\n\n- Status: active\n", "| id | status |\n|--|--|\n| shop | active |\n", "a | b", "blocked")
	f.Add("```\n", "<!--", "x", "")
	f.Add("\ufeff---\nx: y\n---\n# A\r\n\r\n**Status**: x\r\n## Progress\r\n* 2026-01-01 x\r\n",
		"\xff| id | status | progress\n--|--|--\n\\| shop | x", "\xff`", "done")
	f.Fuzz(func(t *testing.T, card, registry, text, status string) {
		if len(text) > 200 || !slices.Contains(blackboard.Statuses, status) {
			status = ""
		}
		was := blackboard.Files{Card: []byte(card), Registry: []byte(registry), Schema: []byte("x")}
		blackboard.Look(was, "shop")
		c := blackboard.Change{Progress: strings.ToValidUTF8(text, ""), Conclusion: text, Status: status,
			Open: []blackboard.Item{{Text: text}}}
		p, _, err := blackboard.Plan(was, "shop", c, now)
		if err != nil {
			return
		}
		after := apply(t, was, p)
		if err := kept(was, after, c); err != nil {
			t.Fatal(err)
		}
		if l := blackboard.Look(after, "shop"); !l.Its || !l.Told {
			t.Fatalf("%+v", l)
		} else if status != "" && (l.Status != status || l.Row.Status != status) {
			t.Fatalf("%+v", l)
		}
	})
}

// TestADeadlineAndItsNote: a deadline and a note that name a day in the same words, on the same day, name the
// same day. A note keeps words that can be read in two ways.
func TestADeadlineAndItsNote(t *testing.T) {
	resolved := 0
	for n := range 7 {
		at := now.AddDate(0, 0, n)
		for _, words := range []string{"today", "tomorrow", "friday", "monday", "this friday", "this sunday",
			"next friday", "next monday", "by friday", "in 2 weeks", "in a month", "in 3 days", "next week"} {
			day, ok := blackboard.Day(words, at)
			if !ok {
				t.Errorf("no day is %q", words)
			}
			note := memdir.Absolute("The deadline of the beta is "+words+".", at)
			want := day.Format(time.DateOnly)
			if words == "next week" {
				want = "the week of " + day.AddDate(0, 0, -6).Format(time.DateOnly)
			}
			switch {
			case strings.Contains(note, words):
			case !strings.Contains(note, want):
				t.Errorf("on a %s %q is %s, and noted as %q", at.Weekday(), words, want, note)
			default:
				resolved++
			}
		}
	}
	if resolved < 70 {
		t.Errorf("%d of 91 notes have a day, want 70", resolved)
	}
}
