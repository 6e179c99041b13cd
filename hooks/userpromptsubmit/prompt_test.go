package main

import "testing"

func TestQuestion(t *testing.T) {
	tests := map[string]struct {
		prompt, want, skip string
	}{
		"plain":              {" use pnpm\n", "use pnpm", ""},
		"empty":              {" \n\t", "", empty},
		"notification":       {"<task-notification>\n<result>use pnpm</result>", "", unasked},
		"hand-back":          {"[Subagent hand-back] use pnpm", "", unasked},
		"talk of one":        {"what is a <task-notification>?", "what is a <task-notification>?", ""},
		"command":            {"/review use pnpm", "use pnpm", ""},
		"command, two lines": {"/review\nuse pnpm", "use pnpm", ""},
		"command alone":      {"/compact", "", command},
		"slash alone":        {"/", "", command},
		"path":               {"/etc/hosts is wrong", "/etc/hosts is wrong", ""},
		"our own":            {"/keepsake:save use pnpm", "", command},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got, skip := question(tt.prompt); got != tt.want || skip != tt.skip {
				t.Errorf("question(%q) = %q, %q, want %q, %q", tt.prompt, got, skip, tt.want, tt.skip)
			}
		})
	}
}
