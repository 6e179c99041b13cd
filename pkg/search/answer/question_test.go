package answer

import "testing"

func TestQuestionIn(t *testing.T) {
	tests := map[string]struct {
		prompt, want, skip string
	}{
		"plain":              {" use pnpm\n", "use pnpm", ""},
		"empty":              {" \n\t", "", Empty},
		"notification":       {"<task-notification>\n<result>use pnpm</result>", "", Unasked},
		"hand-back":          {"[Subagent hand-back] use pnpm", "", Unasked},
		"talk of one":        {"what is a <task-notification>?", "what is a <task-notification>?", ""},
		"command":            {"/review use pnpm", "use pnpm", ""},
		"command, two lines": {"/review\nuse pnpm", "use pnpm", ""},
		"command alone":      {"/compact", "", Command},
		"slash alone":        {"/", "", Command},
		"path":               {"/etc/hosts is wrong", "/etc/hosts is wrong", ""},
		"our own":            {"/keepsake:save use pnpm", "", Command},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got, skip := QuestionIn(tt.prompt); got != tt.want || skip != tt.skip {
				t.Errorf("QuestionIn(%q) = %q, %q, want %q, %q", tt.prompt, got, skip, tt.want, tt.skip)
			}
		})
	}
}
