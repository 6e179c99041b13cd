package main

import (
	"encoding/json"
	"slices"
	"testing"

	"keepsake/pkg/memory"
)

// TestProposable: propose offers the categories that keepsake mcp takes, all but that of a session's summary.
func TestProposable(t *testing.T) {
	var want []string
	for _, c := range memory.Categories() {
		if c != memory.SessionSummary {
			want = append(want, string(c))
		}
	}
	i := slices.IndexFunc(hostTools, func(h hostTool) bool { return h.name == "propose" })
	var schema struct {
		Properties struct {
			Category struct{ Enum []string }
		}
	}
	if err := json.Unmarshal([]byte(hostTools[i].schema), &schema); err != nil {
		t.Fatal(err)
	}
	got := schema.Properties.Category.Enum
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("propose offers %q, want %q", got, want)
	}
}
