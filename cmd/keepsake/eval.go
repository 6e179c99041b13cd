package main

import (
	"os"
	"strings"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/eval"
	"keepsake/pkg/libexec"
	"keepsake/pkg/project/config"
	"keepsake/pkg/text"
)

type evalCmd struct {
	Triage evalTriageCmd `cmd:"" help:"Measure what is noticed in labelled sessions."`
	Units  evalUnitsCmd  `cmd:"" help:"Measure which categories are heard in labelled statements."`
	Recall evalRecallCmd `cmd:"" help:"Measure what questions and prompts bring back."`
	Guards evalGuardsCmd `cmd:"" help:"Measure which calls of past sessions rules are about."`
}

type evalGuardsCmd struct {
	Data []string `arg:"" help:"Directories of transcripts." placeholder:"DIR"`
	Rule []string `help:"A rule, in words; may be given several times (default: what persons say in the transcripts)." placeholder:"TEXT" sep:"none"`
}

func (evalGuardsCmd) Help() string {
	return `Replays rules over transcripts as they are said by themselves, once a session: how often each meets a call
that the person corrected, and how often any other.

Example:

    keepsake dev eval guards ~/labelled --rule 'Never force push.'`
}

func (v evalGuardsCmd) Run(c *call) error {
	hear, end := libexec.Guards(c.ctx)
	defer end()
	for _, dir := range v.Data {
		run, err := eval.RunGuards(c.path(dir), v.Rule, hear)
		if err != nil {
			return err
		}
		c.text(eval.PrintGuards(run))
	}
	return nil
}

func (evalCmd) Help() string {
	return `Measures Keepsake's judgement on data with known answers, by the code that its hooks run.
docs/quality.md says what the data looks like and what the figures mean. make quality measures all.

Examples:

    keepsake dev eval triage ~/labelled
    keepsake dev eval recall ~/questions
    keepsake dev eval triage --explain "We use Postgres because of jsonb"`
}

// evalFlags are those of every measurement.
type evalFlags struct {
	Data []string `arg:"" optional:"" help:"Directories of data, or files that --json wrote." placeholder:"DIR|RUN.json"`
	Out  string   `name:"json" help:"Write the run to this file." placeholder:"FILE"`
	Diff bool     `help:"Compare two runs item by item; the first is the earlier one."`
	List string   `help:"List what was found falsely, missed, or found." enum:",false,missed,found" default:"" placeholder:"false|missed|found"`
	Set  string   `help:"Only this set of the data." placeholder:"NAME"`
}

type evalTriageCmd struct {
	evalFlags
	Top     int     `help:"With --list and --diff: how many candidates of a session count; 0 takes those that are sure." default:"12" placeholder:"K"`
	Repo    string  `help:"Only sessions of this repository." placeholder:"NAME"`
	Lang    string  `help:"Only sessions in this language." placeholder:"LANG"`
	By      string  `help:"What intervals are drawn over: session or repo. With --explain who says it: person or agent." placeholder:"WHAT"`
	Explain *string `help:"Say what the judgement makes of one statement." placeholder:"STATEMENT"`
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

type evalUnitsCmd struct{ evalFlags }

func (evalUnitsCmd) Help() string {
	return `Counts which categories triage is sure of in single statements, in whole sessions and in their
last 50 messages, against labels.

Examples:

    keepsake dev eval units ~/units
    keepsake dev eval units ~/units --list missed`
}

type evalRecallCmd struct {
	evalFlags
	Top int `help:"With --list and --diff: how many hits count." default:"3" placeholder:"K"`
}

func (evalRecallCmd) Help() string {
	return `Asks questions with known answers of the search index, and shows prompts what the prompt hook
would show them: R@k, hit@k and MRR of the ranking, how much of what is shown is right, and how often
something is shown although nothing fits. Of labelled sessions the prompts are asked of stores with what
the labels say is to be remembered.

Examples:

    keepsake dev eval recall ~/questions --json before.json
    keepsake dev eval recall ~/labelled --list false`
}

// evalOptions returns the options of a measurement: the default settings.
func evalOptions() eval.Options {
	defaults, _ := config.Parse(nil, nil)
	return eval.Options{Triage: defaults.TriageOptions()}
}

func (v evalTriageCmd) Run(c *call) error {
	o := evalOptions()
	if v.Explain != nil {
		if strings.TrimSpace(*v.Explain) == "" {
			return usage("--explain wants a statement")
		}
		by, ok := map[string]transcript.Who{"": transcript.Person, "person": transcript.Person,
			"agent": transcript.Assistant}[v.By]
		if !ok {
			return usage("--by %s: want person or agent with --explain", v.By)
		}
		c.text(eval.Explain(*v.Explain, by, o.Triage))
		return nil
	}
	if v.By != "" && v.By != "session" && v.By != "repo" {
		return usage("--by %s: want session or repo", v.By)
	}
	return v.run(c, evaluation{
		load: func(dir string) (*eval.Result, error) { return eval.RunDir(dir, o) },
		keep: func(r *eval.Result) *eval.Result {
			return r.Filter(func(s eval.SessionRun) bool {
				return asked(v.Set, s.Set) && asked(v.Repo, s.Repo) && asked(v.Lang, s.Lang)
			})
		},
		print: eval.Table{ByRepo: v.By == "repo"}.Print,
		list:  func(r *eval.Result, kind string) []string { return eval.List(r, kind, v.Top) },
		diff:  func(a, b *eval.Result) []string { return eval.Diff(a, b, v.Top) },
	})
}

func (v evalUnitsCmd) Run(c *call) error {
	return v.run(c, evaluation{
		load:  func(dir string) (*eval.Result, error) { return eval.RunUnits(dir, evalOptions()) },
		keep:  v.ofSet,
		print: eval.PrintUnits, list: eval.ListUnits, diff: eval.DiffUnits,
	})
}

func (v evalRecallCmd) Run(c *call) error {
	return v.run(c, evaluation{
		load:  eval.RunRecall,
		keep:  v.ofSet,
		print: eval.PrintRecall,
		list:  func(r *eval.Result, kind string) []string { return eval.ListRecall(r, kind, v.Top) },
		diff:  func(a, b *eval.Result) []string { return eval.DiffRecall(a, b, v.Top) },
	})
}

// ofSet returns the units and prompts of the set that was asked for.
func (v evalFlags) ofSet(r *eval.Result) *eval.Result {
	return r.OfSet(func(set string) bool { return asked(v.Set, set) })
}

// asked reports whether a name is the one that was asked for, if any was.
func asked(want, got string) bool { return want == "" || strings.EqualFold(want, got) }

// An evaluation is the functions of one measurement.
type evaluation struct {
	load  func(dir string) (*eval.Result, error)
	keep  func(*eval.Result) *eval.Result
	print func(*eval.Result) []string
	list  func(r *eval.Result, kind string) []string
	diff  func(before, after *eval.Result) []string
}

// run loads or makes the runs that the arguments name and prints what was asked for.
func (v evalFlags) run(c *call, e evaluation) error {
	if len(v.Data) == 0 {
		return usage("no data: name a directory of data, or a file that --json wrote")
	}
	var runs []*eval.Result
	for _, path := range v.Data {
		load := eval.ReadResult
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			load = e.load
		}
		r, err := load(path)
		if err != nil {
			return failed(err, "docs/quality.md says how a directory of data looks")
		}
		runs = append(runs, e.keep(r))
	}
	if v.Diff {
		if len(runs) != 2 {
			return usage("--diff compares two runs, not %d", len(runs))
		}
		c.text(e.diff(runs[0], runs[1]))
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
		c.text(e.list(r, v.List))
		return nil
	}
	c.text(e.print(r))
	return nil
}

// text prints lines of text that quote files.
func (c *call) text(lines []string) { c.block(text.Clean(strings.Join(lines, "\n"))) }
