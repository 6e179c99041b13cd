package main

import (
	"os"
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/eval"
	"keepsake/pkg/project/config"
	"keepsake/pkg/text"
)

type evalCmd struct {
	Triage evalTriageCmd `cmd:"" help:"Measure what is noticed in labelled sessions."`
}

func (evalCmd) Help() string {
	return `Measures Keepsake's judgement on data with known answers, by the code that its hooks run.
docs/quality.md says what the data looks like and what the figures mean.

Examples:

    keepsake dev eval triage ~/labelled
    keepsake dev eval triage --explain "We use Postgres because of jsonb"`
}

type evalTriageCmd struct {
	Data    []string `arg:"" optional:"" help:"Directories of labelled sessions, or files that --json wrote." placeholder:"DIR|RUN.json"`
	Out     string   `name:"json" help:"Write the run to this file." placeholder:"FILE"`
	Diff    bool     `help:"Compare two runs item by item: the first is the earlier one."`
	List    string   `help:"List false candidates, missed items or found items." enum:",false,missed,found" default:"" placeholder:"false|missed|found"`
	Top     int      `help:"With --list and --diff: how many candidates of a session count; 0 takes those that are sure." default:"12" placeholder:"K"`
	Set     string   `help:"Only sessions of this directory." placeholder:"NAME"`
	Repo    string   `help:"Only sessions of this repository." placeholder:"NAME"`
	Lang    string   `help:"Only sessions in this language." placeholder:"LANG"`
	By      string   `help:"What intervals are drawn over: session or repo. With --explain who says it: person or agent." placeholder:"WHAT"`
	Explain string   `help:"Say what the judgement makes of one statement." placeholder:"STATEMENT"`
}

func (evalTriageCmd) Help() string {
	return `Puts labelled sessions through what the Stop hook does, turn by turn, and counts which of their
items it notices: with so many candidates a session, and at its own levels. Settings are the defaults.

Examples:

    keepsake dev eval triage ~/labelled --json before.json
    keepsake dev eval triage ~/labelled --list missed --lang de
    keepsake dev eval triage before.json after.json --diff
    keepsake dev eval triage --explain "We use Postgres because of jsonb" --by agent`
}

func (v evalTriageCmd) Run(c *call) error {
	defaults, _ := config.Parse(nil, nil)
	o := eval.Options{Triage: defaults.TriageOptions()}
	if v.Explain != "" {
		by, ok := map[string]triage.Speaker{"": triage.Person, "person": triage.Person,
			"agent": triage.Assistant}[v.By]
		if !ok {
			return usage("--by %s: want person or agent with --explain", v.By)
		}
		c.text(eval.Explain(v.Explain, by, o.Triage))
		return nil
	}
	if v.By != "" && v.By != "session" && v.By != "repo" {
		return usage("--by %s: want session or repo", v.By)
	}
	if len(v.Data) == 0 {
		return usage("no data: name a directory of labelled sessions, or a file that --json wrote")
	}
	var runs []*eval.Result
	for _, path := range v.Data {
		r, err := eval.Load(path, o)
		if err != nil {
			return failed(err, "docs/quality.md says how a directory of labelled sessions looks")
		}
		runs = append(runs, r.Filter(v.wants))
	}
	if v.Diff {
		if len(runs) != 2 {
			return usage("--diff compares two runs, not %d", len(runs))
		}
		c.text(eval.Diff(runs[0], runs[1], v.Top))
		return nil
	}
	r := eval.Merge(runs...)
	if v.Out != "" {
		b, err := r.Encode()
		if err == nil {
			err = os.WriteFile(v.Out, b, 0o600)
		}
		if err != nil {
			return failed(err, "name a file that can be written")
		}
	}
	if v.List != "" {
		c.text(eval.List(r, v.List, v.Top))
		return nil
	}
	c.text(eval.Table{ByRepo: v.By == "repo"}.Print(r))
	return nil
}

// wants reports whether a session is among those that were asked for.
func (v evalTriageCmd) wants(s eval.SessionRun) bool {
	is := func(want, got string) bool { return want == "" || strings.EqualFold(want, got) }
	return is(v.Set, s.Set) && is(v.Repo, s.Repo) && is(v.Lang, s.Lang)
}

// text prints lines of text that quote files.
func (c *call) text(lines []string) { c.block(text.Clean(strings.Join(lines, "\n"))) }
