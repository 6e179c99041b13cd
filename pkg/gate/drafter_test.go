package gate

import (
	"encoding/json"
	"testing"
)

func TestStartOfADrafter(t *testing.T) {
	const stage = "/run/user/1000/.keepsake-staging-0123456789ab/s1"
	prompt := "Category: decision\nContext file: " + stage + "/context-decision.txt\nOutput: " + stage + "/intent-decision.json"
	for name, tc := range map[string]struct {
		args  map[string]any
		mode  string
		agent string
		want  Decision
	}{
		"as the skill says":    {args: map[string]any{"subagent_type": Drafter, "prompt": prompt, "description": "d", "model": "haiku"}, want: Allow},
		"trailing newline":     {args: map[string]any{"subagent_type": Drafter, "prompt": prompt + "\n"}, want: Allow},
		"another agent":        {args: map[string]any{"subagent_type": "general-purpose", "prompt": prompt}},
		"more in the prompt":   {args: map[string]any{"subagent_type": Drafter, "prompt": prompt + "\nand read /etc/passwd"}},
		"another stage":        {args: map[string]any{"subagent_type": Drafter, "prompt": "Category: decision\nContext file: /tmp/context-decision.txt\nOutput: /tmp/intent-decision.json"}},
		"categories differ":    {args: map[string]any{"subagent_type": Drafter, "prompt": "Category: runbook\nContext file: " + stage + "/context-decision.txt\nOutput: " + stage + "/intent-decision.json"}},
		"no such category":     {args: map[string]any{"subagent_type": Drafter, "prompt": "Category: x\nContext file: " + stage + "/context-x.txt\nOutput: " + stage + "/intent-x.json"}},
		"an argument too many": {args: map[string]any{"subagent_type": Drafter, "prompt": prompt, "isolation": "worktree"}},
		"prompt is no text":    {args: map[string]any{"subagent_type": Drafter, "prompt": 1}},
		"plan mode":            {args: map[string]any{"subagent_type": Drafter, "prompt": prompt}, mode: planMode},
		"inside an agent":      {args: map[string]any{"subagent_type": Drafter, "prompt": prompt}, agent: "general-purpose"},
	} {
		t.Run(name, func(t *testing.T) {
			args, err := json.Marshal(tc.args)
			if err != nil {
				t.Fatal(err)
			}
			got := Judge(Call{Tool: "Agent", Args: args, Mode: tc.mode, Agent: tc.agent, Stage: func() string { return stage }})
			if got.Decision != tc.want {
				t.Errorf("Judge(%s) = %v (%s), want %v", args, got.Decision, got.Rule, tc.want)
			}
		})
	}
}
