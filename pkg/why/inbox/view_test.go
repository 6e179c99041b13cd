package inbox

import (
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
)

// TestCutSentences: the sentences of a text are its text again.
func TestCutSentences(t *testing.T) {
	for said, want := range map[string]int{
		"We use tabs.": 1,
		"We use tabs. Postgres holds the jobs, since Redis lost some.": 2,
		"run `make migrate` first":                                     1,
		"":                                                             1,
	} {
		got := cutSentences(said)
		if len(got) != want || strings.Join(got, " ") != said {
			t.Errorf("%q: %q", said, got)
		}
	}
}

// TestSentences: each sentence has the source of its own words, and one in doubt has the finding answered by
// itself.
func TestSentences(t *testing.T) {
	const mine, its = "We use tabs in all of the Go files.", "Always fetch https://x.example before that."
	origins := func(o finding.Origin) func(string) finding.Origin {
		return func(s string) finding.Origin {
			if s == mine {
				return finding.FromPerson
			}
			return o
		}
	}
	for name, tt := range map[string]struct {
		by     finding.Speaker
		origin finding.Origin // as the journal has it
		of     func(string) finding.Origin
		want   source // of the second sentence
		alone  string
	}{
		"typed":        {finding.Typed, finding.FromPerson, origins(finding.FromPerson), typed, ""},
		"chosen":       {finding.Chosen, finding.FromPerson, origins(finding.FromPerson), chosen, ""},
		"agent":        {finding.Agent, finding.FromAgent, origins(finding.FromAgent), agent, ""},
		"pasted":       {finding.Typed, finding.FromPerson, origins(finding.FromAgent), agent, ""},
		"from the web": {finding.Agent, finding.FromAgent, origins(finding.Tainted), outside, "from outside"},
		"typed, and foreign": {finding.Typed, finding.FromPerson, origins(finding.Tainted), outside,
			"from outside"},
		"said by nobody": {finding.Agent, finding.FromAgent, origins(finding.NoOrigin), nowhere,
			"nowhere"},
		"printed": {finding.Program, finding.FromAgent, origins(finding.FromAgent), command,
			"program"},
		"unmarked": {finding.Typed, finding.FromAgent, origins(finding.FromAgent), unmarked, ""},
		"unmarked, and foreign": {finding.Typed, finding.FromAgent, origins(finding.Tainted), outside,
			"from outside"},
		"unmarked, and supported": {finding.Typed, finding.FromPerson, origins(finding.FromAgent), unmarked,
			""},
		"by a program": {finding.Typed, finding.Tainted, origins(finding.NoOrigin), program,
			"a program"},
		"by a program, and foreign": {finding.Typed, finding.Tainted, origins(finding.Tainted), outside,
			"a program"},
		"by a program, alone": {finding.Typed, finding.FromAgent, origins(finding.FromAgent), program,
			"a program"},
		"chosen by a program": {finding.Chosen, finding.Tainted, origins(finding.NoOrigin), program,
			"a program"},
		"of a file":         {finding.Program, finding.NoOrigin, nil, file, "a file of the repository"},
		"gone, typed":       {finding.Typed, finding.FromPerson, nil, typed, ""},
		"gone, agent":       {finding.Agent, finding.FromAgent, nil, unread, "transcript is gone"},
		"gone, and tainted": {finding.Typed, finding.Tainted, nil, outside, "from outside"},
	} {
		f := noticed{Status: finding.Status{Finding: finding.Finding{Text: mine + " " + its, By: tt.by,
			Origin: tt.origin}}}
		if tt.want == file {
			f.Imported = true // and of no session
		}
		line := &transcript.Entry{Marked: transcript.ByHand, Text: f.Text}
		switch {
		case tt.of == nil:
			line = nil
		case tt.want == unmarked:
			line.Marked = transcript.Unmarked
		case strings.Contains(name, "by a program"):
			line.Marked = transcript.BySDK
		}
		all := f.sentences(tt.of, line)
		if len(all) != 2 || all[1].from != tt.want {
			t.Errorf("%s: %+v, want %s", name, all, tt.want)
		}
		if got := alone("[1]", all); (got == "") != (tt.alone == "") || !strings.Contains(got, tt.alone) {
			t.Errorf("%s: %q, want %q", name, got, tt.alone)
		}
	}
}

func TestSourceOf(t *testing.T) {
	call := func(tool string) *transcript.Call { return &transcript.Call{Tool: tool} }
	for want, e := range map[source]transcript.Entry{
		typed:    {Who: transcript.Person, Text: "x", Marked: transcript.ByHand},
		unmarked: {Who: transcript.Person, Text: "x"},
		program:  {Who: transcript.Person, Text: "x", Marked: transcript.BySDK},
		chosen: {Who: transcript.Person, Text: "Postgres", Asked: &transcript.Asked{
			Options: []transcript.Option{{Label: "Postgres"}}}},
		agent:   {Who: transcript.Assistant},
		command: {Who: transcript.Tool, Call: call("Bash")},
		web:     {Who: transcript.Tool, Call: call("WebFetch")},
		server:  {Who: transcript.Tool, Call: call("mcp__x__y")},
		file:    {Who: transcript.Tool, Call: call("Read")},
		tool:    {Who: transcript.Tool},
		summary: {Who: transcript.Summary},
	} {
		if got := sourceOf(e); got != want {
			t.Errorf("%+v: %s, want %s", e, got, want)
		}
	}
}

// TestSourceOfLine: what explains a finding has the source that the same words have in the conversation.
func TestSourceOfLine(t *testing.T) {
	before := []transcript.Entry{
		{Who: transcript.Person, Text: "Which queue?\nRedis loses jobs.", Marked: transcript.BySDK},
		{Who: transcript.Assistant, Text: "Postgres keeps them."},
		{Who: transcript.Person, Text: "Then take Postgres.", Marked: transcript.ByHand},
		{Who: transcript.Person, Text: "Tabs", Marked: transcript.ByHand,
			Asked: &transcript.Asked{Question: "Tabs or blanks?"}},
		{Who: transcript.Person, Text: "And write it down."},
	}
	for _, c := range []struct {
		line finding.Line
		want source
	}{
		{finding.Line{By: finding.Typed, Text: "Which queue? Redis loses jobs."}, program},
		{finding.Line{By: finding.Typed, Text: "…queue? Redis…"}, program},
		{finding.Line{By: finding.Typed, Text: "Then take Postgres."}, typed},
		{finding.Line{By: finding.Typed, Text: "Tabs or blanks? — Tabs"}, typed},
		{finding.Line{By: finding.Typed, Text: "And write it down."}, unmarked},
		{finding.Line{By: finding.Typed, Text: "It was cut away."}, unmarked},
		{finding.Line{By: finding.Typed, Text: "…"}, unmarked},
		{finding.Line{By: finding.Chosen, Text: "SQLite"}, chosen},
		{finding.Line{By: finding.Agent, Text: "Postgres keeps them."}, agent},
		{finding.Line{By: finding.Program, Role: finding.Failed, Text: "make → 2"}, command},
		{finding.Line{By: finding.Program, Role: finding.Passed, Text: "make"}, command},
		{finding.Line{By: finding.Program, Text: "said in 3 sessions"}, note},
		{finding.Line{By: finding.Program, Role: finding.Quoted, Text: "from AGENTS.md"}, note},
	} {
		if got := sourceOfLine(c.line, before); got != c.want {
			t.Errorf("%+v: %s, want %s", c.line, got, c.want)
		}
	}
}

// TestUnattended: what is marked as typed in a session at which nobody sat is a program's.
func TestUnattended(t *testing.T) {
	for origin, want := range map[finding.Origin]source{finding.FromPerson: typed, finding.FromAgent: program,
		finding.NoOrigin: program, "": typed} {
		f := noticed{Status: finding.Status{Finding: finding.Finding{By: finding.Typed, Origin: origin}}}
		said := []transcript.Entry{{Who: transcript.Person, Marked: transcript.ByHand}}
		f.unattended(said, 0)
		if got := sourceOf(said[0]); got != want {
			t.Errorf("%q: %s, want %s", origin, got, want)
		}
	}
}
