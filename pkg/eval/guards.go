package eval

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/gate/backtest"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// maxRule is how long what a person says may be to be taken for a rule, in bytes.
const maxRule = 3000

// A GuardRun is what rules would have met in transcripts.
type GuardRun struct {
	Rules  []guard.Rule
	None   []string // rules that give no guard
	Result backtest.Result
}

// RunGuards replays rules, each said once a session as one that nobody armed, over the transcripts in a
// folder or in its folder transcripts. Without rules it takes what persons say in the transcripts themselves.
func RunGuards(dir string, rules []string, hear backtest.Hearing) (run GuardRun, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if deep, _ := filepath.Glob(filepath.Join(dir, "transcripts", "*.jsonl")); len(deep) > 0 {
		files = deep
	}
	if err != nil || len(files) == 0 {
		return run, fmt.Errorf("%s: no transcripts", dir)
	}
	own := len(rules) == 0
	for i := 0; own && i < len(files); i++ {
		said, err := saidIn(files[i])
		if err != nil {
			return run, err
		}
		rules = append(rules, said...)
	}
	known := map[string]bool{}
	for _, text := range rules {
		g, from, ok := guard.Propose(text)
		g.Does = memory.Say
		key := guard.Digest("", g)
		switch {
		case !ok && !own:
			run.None = append(run.None, text)
		case ok && !known[key]:
			known[key] = true
			run.Rules = append(run.Rules, guard.Rule{Guard: g, Words: from, Once: true,
				Record: "preferences/" + strconv.Itoa(len(run.Rules)+1) + ".json"})
		}
	}
	run.Result, err = backtest.Run(run.Rules, files, time.Time{}, hear)
	return run, err
}

// saidIn returns what a person says in a transcript.
func saidIn(name string) (all []string, err error) {
	file, err := session.OpenTranscript(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	span, err := transcript.Read(file, transcript.Request{Whole: true})
	for _, e := range span.Entries {
		if e.Who == transcript.Person && len(e.Text) <= maxRule {
			all = append(all, e.Text)
		}
	}
	return all, err
}

// PrintGuards returns a run in lines: for each rule the calls that it met, and the share of all others.
func PrintGuards(run GuardRun) (lines []string) {
	r := run.Result
	others := r.Calls - r.Corrected
	lines = append(lines, fmt.Sprintf("%d rules give a guard, %d none; %d sessions, %d calls, %d of them "+
		"corrected",
		len(run.Rules), len(run.None), r.Sessions, r.Calls, r.Corrected))
	right, wrong := 0, 0
	for _, rule := range run.Rules {
		hit, miss := 0, 0
		for _, s := range r.Shots {
			if s.Record == rule.Record && s.Corrected {
				hit++
			} else if s.Record == rule.Record {
				miss++
			}
		}
		right, wrong = right+hit, wrong+miss
		lines = append(lines, fmt.Sprintf("%4d corrected %4d others  %s", hit, miss, rule.Words))
	}
	pairs := max(1, others*len(run.Rules))
	lines = append(lines, fmt.Sprintf("%4d corrected %4d others  in all: a rule meets %.4f %% of the "+
		"other calls",
		right, wrong, 100*float64(wrong)/float64(pairs)))
	for _, text := range slices.Compact(run.None) {
		lines = append(lines, "no guard: "+strings.TrimSpace(text))
	}
	return lines
}
