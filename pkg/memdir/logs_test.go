package memdir

import (
	"slices"
	"testing"
)

// TestClearLogs takes Keepsake's own logs away, with their lines, and leaves what a person wrote.
func TestClearLogs(t *testing.T) {
	const log = "# 2026-11-20\n\n- 09:04 note: db.md\n- 17:59 apply: Saved: decision\n"
	d := Dir{Files: []File{
		{Path: "2026-11-20.md", Bytes: []byte(log)},
		{Path: "2026-11-21.md", Bytes: []byte("# 2026-11-21\n\n- 09:04 note: db.md\n- I talked to Ada.\n")},
		{Path: "2026-11-22.md", Bytes: []byte("# 2026-11-22\n")},
		{Path: "MEMORY.md", Bytes: []byte("# Memory\n\n- [Day](2026-11-20.md) — a log\n- [Db](db.md) — the " +
			"database\n- [Day](2026-11-20.md) and [Db](db.md)\n- [Other](2026-11-21.md) — a day\n")},
		{Path: "db.md", Bytes: []byte(log)}}}
	logs := OwnLogs(d)
	if !slices.Equal(logs, []string{"2026-11-20.md"}) {
		t.Fatalf("%q", logs)
	}
	p := ClearLogs(d, logs)
	if err := p.Validate(); err != nil || len(p.Edits) != 2 || !p.Edits[0].Deletes() ||
		string(p.Edits[1].After) != "# Memory\n\n- [Db](db.md) — the database\n- [Day](2026-11-20.md) and "+
			"[Db](db.md)\n- [Other](2026-11-21.md) — a day\n" {
		t.Errorf("%v: %+v", err, p.Edits)
	}
}
