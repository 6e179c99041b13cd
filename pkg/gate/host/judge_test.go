package host

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
)

// TestPatches: a patch of Codex CLI is judged by each file that it changes, whatever brings it.
func TestPatches(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli") // as of a client that Codex CLI runs in
	palace := filepath.Join(home, ".mempalace", "palace")
	project := filepath.Join(home, "shop")
	rollout := filepath.Join(home, ".codex/sessions/2026/11/28/rollout-2026-11-28T03-19-32-s1.jsonl")
	patch := func(lines ...string) string {
		return "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"
	}
	fine := patch("*** Add File: a.txt", "+a", "*** Update File: b.txt", "*** Move to: c.txt", "@@", "-x",
		"+y", "*** Delete File: d.txt")
	into := patch("*** Add File: a.txt", "+a", "*** Add File: "+palace+"/x", "+a")
	for name, tt := range map[string]struct {
		tool, command string
		want          rules.Decision
		person        bool
		says          string
	}{
		"the project": {"apply_patch", fine, rules.Pass, false, ""},
		"added":       {"apply_patch", into, rules.Deny, true, "only a person"},
		"relative": {"apply_patch", patch("*** Add File: ../.mempalace/palace/x", "+a"),
			rules.Deny, true, ""},
		"updated": {"apply_patch", patch("*** Update File: "+palace+"/x", "@@", "-a", "+b"),
			rules.Deny, true, ""},
		"deleted": {"apply_patch", patch("*** Delete File: " + palace + "/x"), rules.Deny, true, ""},
		"moved in": {"apply_patch", patch("*** Update File: a", "*** Move to: "+palace+"/x"),
			rules.Deny, true, ""},
		"moved out": {"apply_patch", patch("*** Update File: "+palace+"/x", "*** Move to: a"),
			rules.Deny, true, ""},
		"an approval": {"apply_patch",
			patch("*** Add File: "+home+"/.codex/keepsake/approvals/given/x", "+a"),
			rules.Deny, true, "the gate itself rests on"},
		"another client's": {"apply_patch",
			patch("*** Add File: "+home+"/.claude/keepsake/approvals/given/x", "+a"),
			rules.Deny, true, "the gate itself rests on"},
		"two at once": {"apply_patch",
			patch("*** Delete File: "+palace+"/x", "*** Delete File: "+palace+"/y"),
			rules.Deny, false, "a patch of its own"},
		"no patch":     {"apply_patch", "rm -r /", rules.Deny, false, "could not read this patch"},
		"in a command": {"Bash", "apply_patch <<'EOF'\n" + into + "EOF", rules.Deny, true, ""},
		"behind a cd": {"Bash", "cd ../.mempalace/palace && apply_patch <<'EOF'\n" + fine + "EOF",
			rules.Deny, false, "a patch of its own"},
		"behind a variable": {"Bash", "cd $D && apply_patch <<'EOF'\n" + fine + "EOF",
			rules.Deny, false, "call the tool"},
		"fine in a command": {"Bash", "apply_patch <<'EOF'\n" + fine + "EOF", rules.Pass, false, ""},
		"no patch at all":   {"Bash", "ls", rules.Pass, false, ""},
		"a redirect": {"Bash", "echo a > " + palace + "/x", rules.Deny, true,
			"no dialog is shown here"},
	} {
		args, _ := json.Marshal(map[string]string{"command": tt.command})
		e := rules.Event{Tool: tt.tool, Args: args, Session: "s1", Transcript: rollout, Cwd: project}
		v := Judge(e, Call(e))
		if v.Decision != tt.want || v.Person != tt.person || !strings.Contains(v.Reason, tt.says) {
			t.Errorf("%s: %v, person %v: %s", name, v.Decision, v.Person, v.Reason)
		}
	}
}
