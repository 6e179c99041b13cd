package main

import "testing"

func TestQuestion(t *testing.T) {
	tests := map[string]struct {
		prompt, want string // "" is none
	}{
		"plain":              {" use pnpm\n", "use pnpm"},
		"empty":              {" \n\t", ""},
		"notification":       {"<task-notification>\n<result>use pnpm</result>", ""},
		"hand-back":          {"[Subagent hand-back] use pnpm", ""},
		"talk of one":        {"what is a <task-notification>?", "what is a <task-notification>?"},
		"command":            {"/review use pnpm", "use pnpm"},
		"command, two lines": {"/review\nuse pnpm", "use pnpm"},
		"command alone":      {"/compact", ""},
		"slash alone":        {"/", ""},
		"path":               {"/etc/hosts is wrong", "/etc/hosts is wrong"},
		"our own":            {"/keepsake:save use pnpm", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got, ok := question(tt.prompt); got != tt.want || ok != (tt.want != "") {
				t.Errorf("question(%q) = %q, %t, want %q", tt.prompt, got, ok, tt.want)
			}
		})
	}
}
