package tidy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"

	"pgregory.net/rapid"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func dirOf(files ...string) memdir.Dir {
	d := memdir.Dir{Now: now}
	for i := 0; i < len(files); i += 2 {
		d.Files = append(d.Files, memdir.File{Path: files[i], Bytes: []byte(files[i+1]), Modified: now})
	}
	return d
}

const (
	index = "# Memory\n\n- [Queue](queue.md) — how jobs are queued\n- [Tests](tests.md) — how tests are run\n"
	queue = "---\nname: queue\ndescription: how jobs are queued\ntype: project\nlast_updated: " +
		"2026-01-02\n---\n\nJobs wait in Postgres 14.\n\n**Why:** one server less.\n\n**How to apply:** no " +
		"Redis.\n\n## Limits\n\n- A job has 64 KiB.\n  It is JSON.\n- Retries:\n  - three of them\n  - " +
		"then it is dead\n\n## Old\n\n- Redis was used until May.\n"
	tests = "---\nname: tests\ndescription: notes\nmetadata:\n  type: feedback\n---\n# Tests\n\nTests need " +
		"a database.\n\n- Run them with make test.\n- A job has at most 64 KiB of JSON.\n"
	marks = "- ⚠️ Don’t ack – it’s the ‘rule’.\n- Ack\u200b late.\n\nDated.\n_Updated: 2026-01-02_\n"
	ports = "| service | port |\n| --- | --- |\n| orders | 8080 |\n"
	event = "# EU launch\n\nWe launched.\n"
)

// after is what a file says once the plan is applied; "" for one that is gone.
func after(d memdir.Dir, p plan.Plan, path string) string {
	for _, e := range p.Edits {
		if e.Path == path {
			return string(e.After)
		}
	}
	for _, f := range d.Files {
		if f.Path == path {
			return string(f.Bytes)
		}
	}
	return ""
}

// TestJoinNamesTheDescription: what only the description of a joined file says is in the
// plan, and what its text says, too, is not.
func TestJoinNamesTheDescription(t *testing.T) {
	for text, want := range map[string]string{
		"---\nname: a\ndescription: how a is **built**\ntype: reference\n---\n\nmake " +
			"a\n": "how a is **built**",
		"---\nname: a\ndescription: how a is built\ntype: reference\n---\n\nThis is how a is built.\n": "",
		"make a\n": "",
	} {
		d := dirOf("MEMORY.md", index, "queue.md", queue, "a.md", text)
		p, _ := memdir.Named("pointer")
		out := Plan(d, p, nil,
			[]Answer{{Place: Place{File: "a.md"}, Action: "join", To: "queue.md", Reason: "r"}})
		if len(out.Done) != 1 || out.Done[0].Text != want {
			t.Errorf("%q: done %+v, refused %+v, want %q", text, out.Done, out.Refused, want)
		}
	}
}

func TestPlan(t *testing.T) {
	at := func(file string, line int, text string) Place { return Place{file, line, text} }
	for name, tt := range map[string]struct {
		answers []Answer
		refused string            // part of why, "" when nothing is
		want    map[string]string // parts of a file in which a "-" before them says that they are gone
	}{
		"delete": {[]Answer{{Place: at("queue.md", 24, "- Redis was used until May."), Action: "delete",
			Reason: "past", By: "queue.md:8"}}, "",
			map[string]string{"queue.md": "-Redis was;-## Old;last_updated: 2026-01-02"}},
		"delete with its lines": {[]Answer{{Place: at("queue.md", 0, "A job has 64 KiB. It is JSON."),
			Action: "delete", Reason: "in tests.md"}}, "",
			map[string]string{"queue.md": "-JSON;## Limits\n\n- Retries:"}},
		"delete without a reason": {[]Answer{{Place: at("queue.md", 24,
			"Redis was used until May."), Action: "delete"}}, "gives no reason", nil},
		"delete what isn't there": {[]Answer{{Place: at("queue.md", 24,
			"Redis was used until June."), Action: "delete", Reason: "r"}},
			"queue.md:24 says otherwise: Redis was used until May.", nil},
		"delete what isn't seen as it stands": {[]Answer{{Place: at("marks.md", 0,
			"\"⚠ Don't ack - it's the 'rule'.\""), Action: "delete", Reason: "r"}}, "",
			map[string]string{"marks.md": "-Don;Ack"}},
		"delete in a file of another folder": {[]Answer{{Place: at("memory/Queue", 24,
			"Redis was used until May."), Action: "delete", Reason: "r"}},
			"no such file in the directory; there is queue.md", nil},
		"can't be read": {[]Answer{{fault: "bad"}}, "can't be read: bad", nil},
		"delete without its stamp": {[]Answer{{Place: at("marks.md", 0, "Dated."),
			Action: "delete", Reason: "r"}}, "", map[string]string{"marks.md": "-Dated;-2026-01-02"}},
		"replace without its stamp": {[]Answer{{Place: at("marks.md", 0, "Dated."),
			Action: "replace", New: "Dated anew.", Reason: "r"}}, "",
			map[string]string{"marks.md": "Dated anew.\n_Updated: 2026-11-21_\n;-2026-01-02"}},
		"delete nowhere": {[]Answer{{Place: at("queue.md", 0, "Kafka."),
			Action: "delete", Reason: "r"}}, "doesn't say so", nil},
		"delete with points below": {[]Answer{{Place: at("queue.md", 18, "Retries:"),
			Action: "delete", Reason: "r"}}, "has points below it (line 19)", nil},
		"delete with its points": {[]Answer{
			{Place: at("queue.md", 19, "three of them"), Action: "delete", Reason: "r"},
			{Place: at("queue.md", 20, "then it is dead"), Action: "delete", Reason: "r"},
			{Place: at("queue.md", 18, "Retries:"), Action: "delete", Reason: "r"},
		}, "", map[string]string{"queue.md": "-Retries;-three;-dead"}},
		"delete twice": {[]Answer{
			{Place: at("queue.md", 24, "Redis was used until May."), Action: "delete", Reason: "r"},
			{Place: at("queue.md", 24, "Redis was used until May."), Action: "delete", Reason: "r"},
		}, "answer 1 acts on queue.md:24 already", nil},
		"delete a pointer": {[]Answer{{Place: at("MEMORY.md", 3, "[Queue](queue.md) — how jobs are queued"),
			Action: "delete", Reason: "r"}}, "leads to a file", nil},
		"delete a circle": {[]Answer{
			{Place: at("queue.md", 16, "A job has 64 KiB. It is JSON."), Action: "delete", Reason: "r",
				By: "tests.md:12"},
			{Place: at("tests.md", 12, "A job has at most 64 KiB of JSON."), Action: "delete", Reason: "r",
				By: "queue.md:16"},
		}, "one of them must stay", map[string]string{"queue.md": "64 KiB", "tests.md": "64 KiB"}},
		"delete all of a file": {[]Answer{
			{Place: at("tests.md", 9, "Tests need a database."), Action: "delete", Reason: "r"},
			{Place: at("tests.md", 11, "Run them with make test."), Action: "delete", Reason: "r"},
			{Place: at("tests.md", 12, "A job has at most 64 KiB of JSON."), Action: "delete", Reason: "r"},
		}, "", map[string]string{"tests.md": "-Tests", "MEMORY.md": "-tests.md"}},
		"delete all but the stamp of an event's neighbour": {[]Answer{{Place: at("stamped.md", 3,
			"One thing."), Action: "delete", Reason: "r"}}, "", map[string]string{"stamped.md": "-Stamped"}},
		"replace": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."), Action: "replace",
			New: "Jobs wait in Postgres 16.", Reason: "compose.yml:3"}}, "",
			map[string]string{"queue.md": "\nJobs wait in Postgres 16.\n\n**Why"}},
		"replace an item": {[]Answer{{Place: at("queue.md", 16, "A job has 64 KiB. It is JSON."),
			Action: "replace", New: "A job has 32 KiB.\nIt is JSON.", Reason: "r"}}, "",
			map[string]string{"queue.md": "- A job has 32 KiB.\n  It is JSON.\n- Retries:"}},
		"replace nothing": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."),
			Action: "replace", New: "Jobs wait in  Postgres 14.", Reason: "r"}}, "says already", nil},
		"replace with nothing": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."),
			Action: "replace", Reason: "r"}}, "says nothing new", nil},
		"replace with a heading": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."),
			Action: "replace", New: "x\n# y", Reason: "r"}}, "new has a heading", nil},
		"replace with open code": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."),
			Action: "replace", New: "x\n```\ny", Reason: "r"}}, "not closed", nil},
		"replace a pointer": {[]Answer{{Place: at("MEMORY.md", 3,
			"[Queue](queue.md) — how jobs are queued"), Action: "replace",
			New: "[Queue](queue.md) — why jobs wait in Postgres", Reason: "r"}}, "",
			map[string]string{"MEMORY.md": "- [Queue](queue.md) — why jobs wait in Postgres\n"}},
		"replace where it leads": {[]Answer{{Place: at("MEMORY.md", 3,
			"[Queue](queue.md) — how jobs are queued"), Action: "replace", New: "[Queue](tests.md) — x",
			Reason: "r"}}, "must lead to the same file", nil},
		"replace with a secret": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."),
			Action: "replace", New: "Password: ghp_0123456789abcdefghijABCDEFGHIJ012345", Reason: "r"}}, "",
			map[string]string{"queue.md": "-ghp_0123"}},
		"merge": {[]Answer{{Place: at("queue.md", 16, "A job has 64 KiB. It is JSON."),
			With: []Place{at("tests.md", 12, "A job has at most 64 KiB of JSON.")}, Action: "merge",
			New: "A job is JSON of at most 64 KiB.", Reason: "r"}}, "",
			map[string]string{"queue.md": "- A job is JSON of at most 64 KiB.\n- Retries",
				"tests.md": "-64 KiB;make test"}},
		"merge with nothing": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."),
			Action: "merge", New: "x", Reason: "r"}}, "nothing to merge with", nil},
		"merge with itself": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."),
			With: []Place{at("queue.md", 8, "Jobs wait in Postgres 14.")}, Action: "merge", New: "x",
			Reason: "r"}}, "names queue.md:8 twice", nil},
		"merge, another file": {[]Answer{{Place: at("queue.md", 8, "Jobs wait in Postgres 14."),
			With: []Place{at("user/events/2026-05-eu.md", 3, "We launched.")}, Action: "merge", New: "x",
			Reason: "r"}}, "never changed", nil},
		"move": {[]Answer{{Place: at("tests.md", 12, "A job has at most 64 KiB of JSON."),
			Action: "move", To: "queue.md", Under: "limits", Reason: "r"}}, "",
			map[string]string{"tests.md": "-64 KiB",
				"queue.md": "  - then it is dead\n- A job has at most 64 KiB of JSON.\n\n## Old"}},
		"move to no heading": {[]Answer{{Place: at("tests.md", 12, "A job has at most 64 KiB of JSON."),
			Action: "move", To: "queue.md", Under: "Sizes", Reason: "r"}}, `has no heading "Sizes"`, nil},
		"move to an index": {[]Answer{{Place: at("tests.md", 12, "A job has at most 64 KiB of JSON."),
			Action: "move", To: "MEMORY.md", Reason: "r"}}, "no topic file", nil},
		"move a row": {[]Answer{{Place: at("ports.md", 3, "| orders | 8080 |"), Action: "move",
			To: "queue.md", Reason: "r"}}, "is a row of a table, and there is none", nil},
		"move below a row": {[]Answer{{Place: at("tests.md", 12, "A job has at most 64 KiB of JSON."),
			Action: "move", To: "ports.md", Reason: "r"}}, "",
			map[string]string{"ports.md": "8080 |\n\n- A job"}},
		"merge what stays": {[]Answer{{Place: at("marks.md", 0, "⚠ Don't ack - it's the 'rule'."),
			With: []Place{at("marks.md", 0, "Ack late.")}, Action: "merge",
			New: "⚠ Don't ack - it's the 'rule'.", Reason: "r"}}, "",
			map[string]string{"marks.md": "- ⚠️ Don’t ack;-late"}},
		"add": {[]Answer{{Place: at("tests.md", 9, "Tests need a database."),
			Action: "add", New: "**Why:** a mock passed.\n\n**How to apply:** start it first.",
			Reason: "the person said so"}}, "",
			map[string]string{"tests.md": "database.\n\n**Why:** a mock passed.\n\n**How to apply:** " +
				"start it first.\n\n- Run"}},
		"add at the end": {[]Answer{{Place: at("tests.md", 0, ""), Action: "add", New: "- One more.",
			Reason: "r"}}, "", map[string]string{"tests.md": "of JSON.\n- One more.\n"}},
		"heading with a hash": {[]Answer{{Place: at("tests.md", 11,
			"Run them with make test."), Action: "heading", New: "## C# and F#"}}, "",
			map[string]string{"tests.md": "database.\n\n## C# and F#\n\n- Run them"}},
		"heading": {[]Answer{{Place: at("tests.md", 11,
			"Run them with make test."), Action: "heading", New: "Running"}}, "",
			map[string]string{"tests.md": "database.\n\n## Running\n\n- Run them"}},
		"join": {[]Answer{{Place: at("tests.md", 0, ""), Action: "join",
			To: "queue.md", Reason: "r"}}, "",
			map[string]string{"tests.md": "-Tests",
				"queue.md": "until May.\n\n## Tests\n\nTests need a database.\n\n- Run them with make " +
					"test.\n- A job has at most 64 KiB of JSON.\n", "MEMORY.md": "-tests.md"}},
		"describe": {[]Answer{{Place: at("tests.md", 0, ""), Action: "describe",
			New: "How tests are run: and with what"}}, "",
			map[string]string{"tests.md": "description: \"How tests are run: and with what\"\n"}},
		"retype": {[]Answer{{Place: at("tests.md", 0, ""), Action: "retype",
			New: "Project", Reason: "r"}}, "", map[string]string{"tests.md": "metadata:\n  type: project\n"}},
		"retype to nothing known": {[]Answer{{Place: at("tests.md", 0, ""), Action: "retype",
			New: "misc", Reason: "r"}}, `"misc" is none of user`, nil},
		"confirm": {[]Answer{{Place: at("tests.md", 0, ""), Action: "confirm",
			Reason: "looked"}}, "",
			map[string]string{"tests.md": "  type: feedback\nlast_updated: 2026-11-21\n---\n"}},
		"confirm beside an event": {[]Answer{{Place: at("tests.md", 0, ""), Action: "confirm",
			Reason: "looked"}}, "", map[string]string{"tests.md": "of JSON.\n\n_Updated: 2026-11-21_\n"}},
		"confirm a stamped event's neighbour": {[]Answer{{Place: at("stamped.md", 0, ""), Action: "confirm",
			Reason: "looked"}}, "",
			map[string]string{"stamped.md": "One thing.\n\n_Updated: 2026-11-21_\n;-2026-01-02"}},
		"keep": {[]Answer{{Place: at("queue.md", 10, "x"), Action: "keep", Reason: "r"}}, "", nil},
		"an event": {[]Answer{{Place: at("user/events/2026-05-eu.md", 3,
			"We launched."), Action: "delete", Reason: "r"}}, "added and never changed", nil},
		"a log": {[]Answer{{Place: at("2026-11-20.md", 1, "A day."),
			Action: "delete", Reason: "r"}}, "no topic file", nil},
		"outside": {[]Answer{{Place: at("../../etc/passwd", 1, "root"),
			Action: "delete", Reason: "r"}}, "no such file", nil},
		"unknown": {[]Answer{{Place: at("queue.md", 1, "x"), Action: "remove",
			Reason: "r"}}, `action "remove" is none of keep`, nil},
		"no action": {[]Answer{{}}, "has no action", nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := dirOf("2026-11-20.md", "A day.\n", "MEMORY.md", index, "marks.md", marks, "ports.md", ports,
				"stamped.md", "# Stamped\n\nOne thing.\n\n_Updated: 2026-01-02_\n", "queue.md", queue,
				"tests.md", tests, "user/events/2026-05-eu.md", event)
			p, _ := memdir.Named("pointer")
			if strings.Contains(name, "event") || name == "merge, another file" {
				p, _ = memdir.Named("density")
			}
			out := Plan(d, p, nil, tt.answers)
			if tt.refused == "" && len(out.Refused) > 0 {
				t.Fatalf("refused: %+v", out.Refused)
			}
			if tt.refused != "" &&
				(len(out.Refused) == 0 ||
					!strings.Contains(out.Refused[len(out.Refused)-1].Why, tt.refused)) {
				t.Fatalf("refused %+v, want %q", out.Refused, tt.refused)
			}
			if got := len(out.Done) + len(out.Kept) + len(out.Refused); got != len(tt.answers) {
				t.Errorf("%d answers became %d", len(tt.answers), got)
			}
			if err := out.Plan.Validate(); err != nil {
				t.Error(err)
			}
			for file, parts := range tt.want {
				got := after(d, out.Plan, file)
				for part := range strings.SplitSeq(parts, ";") {
					gone, isGone := strings.CutPrefix(part, "-")
					if strings.HasPrefix(part, "- ") || strings.HasPrefix(part, "\n") {
						gone, isGone = part, false
					}
					if strings.Contains(got, gone) == isGone {
						t.Errorf("%s: want %q in it:\n%s", file, part, got)
					}
				}
			}
			if tt.want == nil && len(out.Done) == 0 && len(out.Plan.Edits) > 0 {
				t.Errorf("nothing was to be done, and %v", out.Plan.Edits)
			}
		})
	}
}

// TestResolvedByWhatItIsAbout: a wrong number says nothing of a contradiction whose
// statements another answer changes.
func TestResolvedByWhatItIsAbout(t *testing.T) {
	d := dirOf("a.md", "- One.\n- Two.\n- Three.\n", "b.md", "# B\n\nFour.\n")
	p, _ := memdir.Named("pointer")
	s := statements("a.md", memdir.Parse(d.Files[0].Bytes))
	calls := []Call{{Number: 1, Kind: Contradiction, Statements: s[:2]},
		{Number: 2, Kind: Contradiction, Statements: s[2:]}}
	out := Plan(d, p, calls, []Answer{
		{Call: 2, Place: Place{"a.md", 1, "One."}, Action: "delete", Reason: "r"},
		{Call: 2, Place: Place{"b.md", 3, "Four."}, Action: "replace", New: "Five.", Reason: "r"},
	})
	var got []string
	for _, r := range out.Resolved {
		for _, c := range r.By {
			got = append(got, fmt.Sprintf("%d by %s", r.Call.Number, c.Text))
		}
	}
	if want := []string{"1 by One.", "2 by One.", "2 by Four."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	out = Plan(d, p, calls, []Answer{
		{Call: 2, Place: Place{"a.md", 1, "One."}, Action: "delete", Reason: "r"},
		{Call: 1, Place: Place{"a.md", 3, "Three."}, Action: "delete", Reason: "r"},
	})
	if r := out.Resolved; len(r) != 2 || len(r[0].By) != 1 || r[0].By[0].Text != "One." ||
		len(r[1].By) != 1 || r[1].By[0].Text != "Three." {
		t.Errorf("%+v", out.Resolved)
	}
	calls[0].Kind, calls[0].File, calls[0].Statements = Long, "a.md", nil
	out = Plan(d, p, calls, []Answer{{Call: 2, Place: Place{"a.md", 3, "Three."}, Action: "heading",
		New: "Rest"}})
	if len(out.Open) != 1 || out.Open[0].Number != 2 {
		t.Errorf("a heading divides a long file and resolves no contradiction; open are %+v", out.Open)
	}
}

// said are the statements of a directory, each as often as it stands there.
func said(t *rapid.T, d memdir.Dir) map[string]int {
	out := map[string]int{}
	for _, f := range d.Files {
		for _, s := range statements(f.Path, memdir.Parse(f.Bytes)) {
			out[s.Text]++
		}
	}
	return out
}

// TestPlanTakesWhatIsNamed: whatever is answered, the statements that a plan takes
// away are those that its changes name, and the lines that lead to files which go.
func TestPlanTakesWhatIsNamed(t *testing.T) {
	pointer, _ := memdir.Named("pointer")
	line := rapid.SampledFrom([]string{
		"- one", "- two\n  goes on", "  - deeper", "text", "text\nof two lines", "", "", "## A", "### B",
		"# T", "> said", "```\ncode\n\nmore\n```", "| a | b |\n|---|---|\n| c | d |\n| e | f |",
		"- [Q](b.md) — x", "<!-- c -->", "1. first", "* [ ] task", "\ttab", "- three\n\n  behind a gap",
	})
	rapid.Check(t, func(t *rapid.T) {
		var d memdir.Dir
		d.Now = now
		for _, name := range []string{"a.md", "b.md"} {
			text := strings.Join(rapid.SliceOfN(line, 0, 14).Draw(t, name),
				rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end"))
			if rapid.Bool().Draw(t, "last") {
				text += "\n"
			}
			if rapid.Bool().Draw(t, "head") {
				text = "---\nname: x\ntype: user\nlast_updated: 2026-01-01\n---\n" + text
			}
			d.Files = append(d.Files, memdir.File{Path: name, Bytes: []byte(text)})
		}
		d.Files = append(d.Files,
			memdir.File{Path: "MEMORY.md", Bytes: []byte("- [A](a.md) — aa\n- [B](b.md) — bb\n")})
		var all []Statement
		for _, f := range d.Files {
			all = append(all, statements(f.Path, memdir.Parse(f.Bytes))...)
		}
		var answers []Answer
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			pick := func(name string) Place {
				if len(all) == 0 {
					return Place{File: "a.md"}
				}
				s := all[rapid.IntRange(0, len(all)-1).Draw(t, name)]
				return Place{s.File, s.Line, s.Text}
			}
			a := Answer{Place: pick("at"),
				Action: rapid.SampledFrom([]string{"delete", "delete", "replace", "merge", "move", "add",
					"heading", "confirm", "describe", "join"}).Draw(t, "action"), Reason: "r"}
			a.New, a.To = fmt.Sprintf("new words %d", len(answers)),
				rapid.SampledFrom([]string{"a.md", "b.md"}).Draw(t, "to")
			if a.Action == "merge" {
				a.With = []Place{pick("with")}
			}
			answers = append(answers, a)
		}
		before := said(t, d)
		out := Plan(d, pointer, nil, answers)
		if err := out.Plan.Validate(); err != nil {
			t.Fatal(err)
		}
		want := before
		gone := map[string]bool{}
		for _, f := range out.Files {
			gone[f.File] = f.Gone != ""
		}
		for _, c := range out.Done {
			switch {
			case c.Action == "delete" || c.Action == "replace" || c.Action == "merge" && c.New != c.Text:
				want[c.Text]--
			}
			for _, s := range c.With {
				want[s.Text]--
			}
			switch c.Action {
			case "replace", "add", "merge":
				want[c.New]++
			}
		}
		for _, s := range all {
			if s.File == "MEMORY.md" {
				for _, f := range []string{"a.md", "b.md"} {
					if gone[f] && strings.Contains(s.Text, "("+f+")") {
						want[s.Text]--
					}
				}
			}
		}
		next := memdir.Dir{Now: now}
		for _, f := range d.Files {
			if b := after(d, out.Plan, f.Path); b != "" {
				next.Files = append(next.Files, memdir.File{Path: f.Path, Bytes: []byte(b)})
			}
		}
		// What is put beside something else may become one statement with it, so that
		// words are compared, and not where one ends.
		if got, want := words(said(t, next)), words(want); !slices.Equal(got, want) {
			t.Fatalf("answers %+v\nbefore %q\nafter %q\nrefused %+v\ngot  %q\nwant %q", answers, texts(d),
				texts(next), out.Refused, got, want)
		}
	})
}

func texts(d memdir.Dir) (out []string) {
	for _, f := range d.Files {
		out = append(out, f.Path+": "+string(f.Bytes))
	}
	return out
}

// words are all words of statements, in order.
var ages = regexp.MustCompile(`_Updated: \S+ or before_`)

func words(said map[string]int) (out []string) {
	for s, n := range said {
		s = ages.ReplaceAllString(s, "") // which a statement that moves may get
		for range n {
			out = append(out, strings.Fields(s)...)
		}
	}
	slices.Sort(out)
	return out
}

// FuzzAnswers reads anything, and whatever it reads is done or refused.
func FuzzAnswers(f *testing.F) {
	for _, s := range answerTexts {
		f.Add([]byte(s.text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		answers, err := ParseAnswers(b, "/m")
		if err != nil {
			return
		}
		d := dirOf("MEMORY.md", index, "queue.md", queue, "tests.md", tests)
		out := Plan(d, memdir.Detect(d.Files), nil, answers)
		if got := len(out.Done) + len(out.Kept) + len(out.Refused); got != len(answers) {
			t.Fatalf("%d answers became %d", len(answers), got)
		}
		if err := out.Plan.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

var answerTexts = []struct {
	text string
	want []Answer
}{
	{`{"answers": [{"call": 1, "action": "delete", "file": "a.md", "line": 3, "text": "- one", "reason": "r", "by": "go.mod:3"}]}`,
		[]Answer{{Place: Place{"a.md", 3, "one"}, Call: 1, Action: "delete", Reason: "r", By: "go.mod:3"}}},
	{"Here they are:\n```json\n[{\"call\": \"#2\", \"action\": \" Keep\", \"line\": \"7-9\"}]\n```\n",
		[]Answer{{Place: Place{"", 7, ""}, Call: 2, Action: "keep"}}},
	{"{\"action\": \"keep\"}\n{\"action\": \"join\", \"file\": \"./a.md\", \"to\": \"b.md\"}\n",
		[]Answer{{Action: "keep"}, {Place: Place{File: "a.md"}, Action: "join", To: "b.md"}}},
	{`{"actions": [{"action": "merge", "file": "a.md:12", "text": "\"a  b\"", "with": {"file": "b.md", "line": "4", "text": "c"}, "new": "x\ny"}]}`,
		[]Answer{{Place: Place{"a.md", 12, "a b"}, Action: "merge", New: "x\ny",
			With: []Place{{"b.md", 4, "c"}}}}},
	{`{"answers": [{"action": "join", "file": "/m/user/a.md", "to": "/m/b.md", "by": "/m/c.md:3 says so", "with": [{"file": "/m/d.md"}]}]}`,
		[]Answer{{Place: Place{File: "user/a.md"}, Action: "join", To: "b.md", By: "c.md:3 says so",
			With: []Place{{File: "d.md"}}}}},
	{"```json\n" +
		`{"answers": [{"call": 1, "action": "keep"}, {"call": 2, "action": "delete", "text": "the "last" one"}, {"call": 3, "action": "keep"},]}`,
		[]Answer{{Call: 1, Action: "keep"},
			{fault: `invalid character 'l' after object key:value pair, in {"call": 2, "action": "delete", "text": "the "last" one"},`}, {Call: 3, Action: "keep"}}},
	{`{"answers": [{"call": 3}]}`, []Answer{{Call: 3}}},
	{`{"answers": []}`, nil},
}

func TestParseAnswers(t *testing.T) {
	for _, tt := range answerTexts {
		got, err := ParseAnswers([]byte(tt.text), "/m")
		if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", tt.want) {
			t.Errorf("%s\n%+v %v\nwant %+v", tt.text, got, err, tt.want)
		}
	}
	for text, want := range map[string]string{
		"": "has no answers", "nothing to do": "has no answers",
		`{"answers": [{"action": "keep"}`: "ends within", `["keep"]`: "has no answers",
		`[` + strings.Repeat(`{"action":"keep"},`, maxAnswers) + `{"action":"keep"}]`: "more than",
	} {
		if _, err := ParseAnswers([]byte(text), "/m"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// points are those of what is not worth saving.
func points(text string) (out []string) {
	_, section, _ := strings.Cut(text, "\n## Not worth saving\n")
	for _, s := range statements("", memdir.Parse([]byte(section))) {
		if s.kind == markdown.Item {
			out = append(out, s.Text)
		}
	}
	return out
}

// TestTypesAreTaught holds the skill's reference to the types, drafters and note-takers
// to it, and the skill to the actions.
func TestTypesAreTaught(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "skills", "tidy", "references",
		"memory-type-definitions.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range memdir.Types() {
		if !strings.Contains(string(b), "\n## "+typ+"\n") {
			t.Errorf("the reference has no section %q", typ)
		}
	}
	drafter, err := os.ReadFile(filepath.Join("..", "..", "..", "agents", "drafter.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want, got := points(string(b)), points(string(drafter)); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("agents/drafter.md says that this is not worth saving: %q\nthe reference says: %q", got,
			want)
	}
	notes, err := os.ReadFile(filepath.Join("..", "..", "..", "skills", "memory", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(notes),
		"Read `${CLAUDE_PLUGIN_ROOT}/skills/tidy/references/memory-type-definitions.md`") {
		t.Error("whoever takes notes is not told to read the reference")
	}
	skill, err := os.ReadFile(filepath.Join("..", "..", "..", "skills", "tidy", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range Actions() {
		if !strings.Contains(string(skill), "\n| `"+a.Name+"` | "+a.Says+" | "+a.Needs+" |\n") {
			t.Errorf("the skill doesn't say: | `%s` | %s | %s |", a.Name, a.Says, a.Needs)
		}
	}
}

// TestDraftEnd: a section ends before the next heading of its level, whichever way the two are written.
func TestDraftEnd(t *testing.T) {
	doc := markdown.Parse([]byte("---\nname: a\n---\nAll\n===\n\none\n\nFirst\n-----\n\n- two\n\n### " +
		"Deeper\n\nthree\n\n## Second\n\nfour\n\n"))
	for under, want := range map[string]int{"": 20, "All": 20, "first": 16, "Deeper": 16, "# Second": 20} {
		if line, ok := newDraft(memdir.File{Path: "a.md"}, doc).end(under); !ok || line != want {
			t.Errorf("%q ends at line %d, %v; want %d", under, line, ok, want)
		}
	}
	if line, ok := newDraft(memdir.File{Path: "a.md"}, doc).end("Third"); ok || line != 0 {
		t.Errorf("a heading that is not there: %d, %v", line, ok)
	}
}

// TestPlanKeepsTimes: what is only moved or removed makes no file newer, what is said anew does, and a file
// that another one joined is as old as the newer of the two.
func TestPlanKeepsTimes(t *testing.T) {
	old, newer := now.AddDate(0, -9, 0), now.AddDate(0, -8, 0)
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: "MEMORY.md", Modified: newer,
			Bytes: []byte("- [A](a.md) — the part a\n- [B](b.md) — the part b\n")},
		{Path: "a.md", Modified: old,
			Bytes: []byte("# A\n\n- 50 rps for every customer\n- Except Acme\n- goes\n")},
		{Path: "b.md", Modified: newer, Bytes: []byte("# B\n\n- stays\n")},
	}}
	at := func(file, text string) Place { return Place{File: file, Text: text} }
	p, _ := memdir.Named("pointer")
	for name, c := range map[string]struct {
		answer Answer
		want   map[string]time.Time
	}{
		"move": {Answer{Place: at("a.md", "50 rps for every customer"), Action: "move", To: "b.md",
			Reason: "x"}, map[string]time.Time{"a.md": old, "b.md": newer}},
		"delete": {Answer{Place: at("a.md", "goes"), Action: "delete", Reason: "x", By: "y"},
			map[string]time.Time{"a.md": old}},
		"replace": {Answer{Place: at("a.md", "goes"), Action: "replace", New: "came", Reason: "x"},
			map[string]time.Time{"a.md": {}}},
		"join": {Answer{Place: Place{File: "b.md"}, Action: "join", To: "a.md", Reason: "x"},
			map[string]time.Time{"a.md": newer, "MEMORY.md": newer}},
		"tear": {Answer{Place: at("a.md", "Except Acme"), Action: "move", To: "b.md", Reason: "x"}, nil},
	} {
		out := Plan(d, p, nil, []Answer{c.answer})
		n := 0
		for _, e := range out.Plan.Edits {
			if e.Deletes() {
				continue
			}
			if n++; !e.Modified.Equal(c.want[e.Path]) {
				t.Errorf("%s: %s is of %v, want %v", name, e.Path, e.Modified, c.want[e.Path])
			}
			const whole = "customer\n  _Updated: 2026-02-21 or before_\n- Except Acme\n"
			if name == "move" && e.Path == "b.md" && !strings.HasSuffix(string(e.After), whole) {
				t.Errorf("it is torn: %s", e.After)
			}
		}
		if n != len(c.want) {
			t.Errorf("%s: %d files, want %d: %v", name, n, len(c.want), out.Refused)
		}
	}
}

// TestPlanTellsAges: what goes to a newer file says there how old it is, and to an older one it need not.
func TestPlanTellsAges(t *testing.T) {
	head := func(day string) string {
		return "---\nname: x\ndescription: the parts\ntype: project\nlast_updated: " + day + "\n---\n\n"
	}
	d := dirOf("MEMORY.md", "- [Old](old.md) — a\n- [New](new.md) — b\n", "old.md", head("2026-01-02")+
		"Limits are low.\n\nPorts are open.\n\n_Updated: 2025-12-24_\n\n## 2025-11-11 Cache\n\nThe cache is "+
		"cold.\n\n## Table\n\n| a | b |\n| - | - |\n| c | d |\n", "new.md", head("2026-11-01")+
		"- It is new.\n  _Updated: 2026-10-10_\n\n| a | b |\n| - | - |\n| e | f |\n")
	p, _ := memdir.Named("pointer")
	for text, c := range map[string]struct {
		from, to, want string
		ages           Ages
	}{
		"Limits are low.": {"old.md", "new.md", "Limits are low.\n\n_Updated: 2026-01-02 or before_\n",
			Ages{Same: 2, Kept: []string{"2026-01-02"}}},
		"Ports are open.": {"old.md", "new.md", "Ports are open.\n\n_Updated: 2025-12-24_\n",
			Ages{Same: 2, Kept: []string{"2025-12-24"}}},
		"The cache is cold.": {"old.md", "new.md", "The cache is cold.\n\n_Updated: 2025-11-11_\n",
			Ages{Same: 2, Kept: []string{"2025-11-11"}}},
		"| c | d |": {"old.md", "new.md", "| e | f |\n| c | d |\n", Ages{Same: 2, Lost: 1}},
		"It is new. _Updated: 2026-10-10_": {"new.md", "old.md",
			"- It is new.\n  _Updated: 2026-10-10_\n", Ages{Same: 2}},
	} {
		out := Plan(d, p, nil, []Answer{{Place: Place{File: c.from, Text: text}, Action: "move", To: c.to,
			Reason: "r"}})
		c.ages.Kept = append([]string{}, c.ages.Kept...)
		if got := after(d, out.Plan, c.to); len(out.Done) != 1 || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, %+v", text, got, out.Refused)
		}
		if fmt.Sprint(out.Ages) != fmt.Sprint(c.ages) {
			t.Errorf("%s: %q, want %q", text, out.Ages, c.ages)
		}
	}
	join := Answer{Place: Place{File: "old.md"}, Action: "join", To: "new.md", Reason: "r"}
	out := Plan(d, p, nil, []Answer{join})
	if got := after(d, out.Plan, "new.md"); !strings.Contains(got, "\n## x (as of 2026-01-02 or before)\n") {
		t.Errorf("joined: %q", got)
	}
	// Where something new is said beside it, the file is of today.
	out = Plan(d, p, nil, []Answer{
		{Place: Place{File: "new.md", Text: "It is new. _Updated: 2026-10-10_"}, Action: "move", To: "old.md",
			Reason: "r"},
		{Place: Place{File: "old.md", Text: "Limits are low."}, Action: "replace", New: "Limits are high.",
			Reason: "r"},
	})
	if got := out.Ages.String(); got != "1 as old as before, 1 of today, moved with their own dates: 1" {
		t.Errorf("%q", got)
	}
}

// TestContradictionsByKind: what was moved or kept is not resolved.
func TestContradictionsByKind(t *testing.T) {
	d := dirOf("MEMORY.md", "- [A](a.md) — a\n- [B](b.md) — b\n- [C](c.md) — c\n",
		"a.md", "- The queue holds 5 jobs.\n- The cache holds 7 pages.\n- The shop opens at 8.\n",
		"b.md", "- The queue holds 6 jobs.\n- The cache holds 9 pages.\n- The shop opens at 10.\n",
		"c.md", "# C\n")
	d.Alike = func(string, string) bool { return false }
	p, _ := memdir.Named("pointer")
	sheet := NewSheet(d, p, nil, Repo{})
	out := Plan(d, p, sheet.Calls, []Answer{
		{Place: Place{File: "a.md", Text: "The queue holds 5 jobs."}, Action: "move", To: "c.md",
			Reason: "r"},
		{Place: Place{File: "a.md", Text: "The cache holds 7 pages."}, Action: "delete", Reason: "r"},
		{Place: Place{File: "b.md", Text: "The shop opens at 10."}, Action: "keep", Reason: "r"},
	})
	want := "1 resolved (1 deleted), 2 with both statements left (1 kept, 1 moved)"
	if got := out.Contradictions(); len(sheet.Calls) != 3 || got != want {
		t.Errorf("%d calls: %s; want %s", len(sheet.Calls), got, want)
	}
}
