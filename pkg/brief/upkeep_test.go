package brief_test

import (
	"testing"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
)

func TestUpkeep(t *testing.T) {
	log, topic := memdir.Act{What: memdir.Daily, Path: "2026-01-02.md"},
		memdir.Act{What: memdir.Completed, Path: "journal.md"}
	const digest = "1f0c2a9d44b1aa"
	for name, got := range map[string]string{
		"due_logs_one": brief.DueLogs(1),
		"due_logs":     brief.DueLogs(3),
		"archived_one": brief.Archived([]memdir.Act{topic}, digest),
		"archived":     brief.Archived([]memdir.Act{log, topic, log, topic}, digest),
	} {
		golden(t, name, got)
	}
	if got := brief.DueLogs(0) + brief.Archived(nil, ""); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
