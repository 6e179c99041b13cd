package shell

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/verbs"
)

// TestSpellings: whatever a call of Keepsake is told, and however it runs, an earlier spelling
// of its verb gets the verdict of the one that help shows.
func TestSpellings(t *testing.T) {
	arg := rapid.SampledFrom(strings.Fields("--json --dry-run --dry-run=false -n -w -dw --write " +
		"--write=false -d --diff --help -h kb 3 x set list plan apply approve $X \"$X\" $(x) " +
		"--profile=table --rules --yes -- --tier=why --tier=where --dir=kb --dir= --session=s --root " +
		"--clear-gone --approval=x gate.mode tiers.why --user --all"))
	way := rapid.SampledFrom([]func(string) string{
		around("", ""), around("", " &"), around("nohup ", ""), around("sh -c '", "'"),
		around("env -u CLAUDECODE ", ""),
		around("echo x | ", " | cat"), around("xargs ", ""), around("", " <<'E'\nx\nE"),
	})
	program := rapid.SampledFrom([]string{"keepsake", "/opt/keepsake/bin/keepsake", "./bin/keepsake"})
	before := rapid.SampledFrom([]string{"", "", "--session s ", "--project=/p ", "--json ",
		"--session approve "})
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.SampledFrom(verbs.All()).Draw(rt, "verb")
		args := strings.Join(rapid.SliceOfN(arg, 0, 4).Draw(rt, "args"), " ")
		around, start := way.Draw(rt, "way"), program.Draw(rt, "program")+" "+before.Draw(rt, "before")
		mode := rapid.SampledFrom([]string{"default", "plan", "bypassPermissions"}).Draw(rt, "mode")
		judged := func(spelling string) rules.Verdict {
			c := sample{Bash: around(start + spelling + " " + args)}.call(t)
			c.Mode = mode
			return Judge(c)
		}
		spellings := v.Spellings()
		if v.Default && len(spellings) == 4 {
			// What follows the shorter one may be taken for the name of another verb.
			pair := rapid.IntRange(0, 1).Draw(rt, "short")
			spellings = []string{spellings[pair], spellings[pair+2]}
		} else if v.Default {
			spellings = spellings[:1]
		}
		last := spellings[len(spellings)-1]
		want, got := judged(spellings[0]), judged(last)
		if got.Decision != want.Decision || got.Rule != want.Rule {
			rt.Fatalf("%s: %v by %q; %s: %v by %q", around(start+last+" "+args), got.Decision, got.Rule,
				around(start+spellings[0]+" "+args), want.Decision, want.Rule)
		}
	})
}

// TestPersonsVerbs: no spelling of what answers for the person is let through, and none of what
// an agent may run is stopped.
func TestPersonsVerbs(t *testing.T) {
	for _, v := range verbs.All() {
		for _, spelling := range v.Spellings() {
			got := Judge(sample{Bash: "/opt/keepsake/bin/keepsake " + spelling}.call(t))
			switch {
			case v.Does == verbs.Answers && v.With == "" && got.Rule != "approval-by-agent":
				t.Errorf("keepsake %s: %v by %q", spelling, got.Decision, got.Rule)
			case slices.Contains([]verbs.Agent{verbs.Free, verbs.Saves, verbs.Adds},
				v.Agent) != (got.Decision == rules.Allow):
				t.Errorf("keepsake %s: %v by %q, and its row says %d", spelling, got.Decision, got.Rule,
					v.Agent)
			}
		}
	}
}

// TestGroupsHideNothing: a word that is not known yet is judged in a group as it is without one.
func TestGroupsHideNothing(t *testing.T) {
	for _, cmd := range []string{"keepsake $V 3", "keepsake inbox $V 3", "keepsake notes $V 3",
		"keepsake md \"$V\" -w", "keepsake records $(cat v) x", "keepsake --project . inbox approve 3",
		"keepsake inbox --session s approve 3", "keepsake inbox --json approve 3",
		"keepsake gate --json install-lock", "keepsake gate tomorrow", "keepsake project $V x",
		"keepsake md --project=/p fix -w --json", "keepsake md lesson --kind list --lesson x",
		"keepsake notes --session s promote 3", "keepsake records --json retire x"} {
		c := sample{Bash: cmd, Set: map[string]string{"before_auto_memory_write": "ask"}}.call(t)
		if v := Judge(c); v.Decision < rules.Ask {
			t.Errorf("%s: %v by %q", cmd, v.Decision, v.Rule)
		}
	}
}
