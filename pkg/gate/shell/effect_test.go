package shell

import (
	"errors"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
)

// TestEffect asks the program for what a command would do, and puts that into the question. Where nobody can
// be asked, only a deletion is stopped.
func TestEffect(t *testing.T) {
	for _, tt := range []struct {
		command string
		effect  rules.Effect
		err     error
		args    string // what the program was asked
		dialog  rules.Decision
		alone   rules.Decision
		says    string
	}{
		{"keepsake md fix -wd kb --profile table", rules.Effect{Says: "MEMORY.md 366 to 148 lines"}, nil,
			"/home/u/proj: md fix kb --profile table --json", rules.Ask, rules.Pass,
			"MEMORY.md 366 to 148 lines"},
		{"cd kb && keepsake fmt --write", rules.Effect{Says: "3 deletions", Deletes: 3}, nil,
			"/home/u/proj/kb: fmt --json", rules.Ask, rules.Deny, "3 deletions"},
		{"keepsake --project x tidy apply 1f0c2a9d44b1", rules.Effect{Says: "1 merged"}, nil,
			"/home/u/proj: --project x tidy apply 1f0c2a9d44b1 --json --dry-run", rules.Ask, rules.Pass,
			"1 merged"},
		{"keepsake md snapshot restore a.md -d -- b.md", rules.Effect{}, nil,
			"/home/u/proj: md snapshot restore a.md --json --dry-run -- b.md", rules.Pass, rules.Pass, ""},
		{"keepsake md upkeep -w", rules.Effect{}, errors.New("no time"), "/home/u/proj: md upkeep --json",
			rules.Ask, rules.Deny, "could not be counted"},
		{"keepsake md fix -w $(cat x)", rules.Effect{}, nil, "", rules.Ask, rules.Deny,
			"could not be counted"},
		{"cp a.md kb/b.md && keepsake fmt -w", rules.Effect{Says: "1 changed"}, nil,
			"/home/u/proj: fmt --json", rules.Ask, rules.Deny, "counted before the rest"},
		{"echo x >> kb/b.md; keepsake fmt -w", rules.Effect{}, nil, "/home/u/proj: fmt --json", rules.Ask,
			rules.Deny, "nothing as it is now"},
		{"for d in a b; do keepsake fmt -w; done", rules.Effect{Says: "1 changed"}, nil,
			"/home/u/proj: fmt --json", rules.Ask, rules.Deny, "counted before the rest"},
		{"ls kb 2>/dev/null && keepsake fmt && keepsake fmt -w", rules.Effect{Says: "1 changed"}, nil,
			"/home/u/proj: fmt --json", rules.Ask, rules.Pass, "1 changed"},
		{"keepsake fmt -w; keepsake tidy apply 1f0c2a9d44b1", rules.Effect{Says: "1 changed"}, nil,
			"/home/u/proj: tidy apply 1f0c2a9d44b1 --json --dry-run", rules.Ask, rules.Deny,
			"and keepsake tidy apply"},
		{"keepsake md fix -d", rules.Effect{Says: "x", Deletes: 1}, nil, "", rules.Pass, rules.Pass, ""},
	} {
		asked := ""
		c := sample{Bash: tt.command}.call(t)
		c.Effect = func(dir string, args []string) (rules.Effect, error) {
			asked = dir + ": " + strings.Join(args, " ")
			return tt.effect, tt.err
		}
		c.Dialog = true
		v := Judge(c)
		if v.Decision != tt.dialog || asked != tt.args || !strings.Contains(v.Reason, tt.says) {
			t.Errorf("%s: %v, asked %q\n%s", tt.command, v.Decision, asked, v.Reason)
		}
		c.Dialog = false
		if v := Judge(c); v.Decision != tt.alone {
			t.Errorf("%s, alone: %v", tt.command, v.Decision)
		}
		c.Quiet = true
		if v := Judge(c); v.Decision != rules.Pass {
			t.Errorf("%s, with KEEPSAKE=off: %v", tt.command, v.Decision)
		}
	}
}
