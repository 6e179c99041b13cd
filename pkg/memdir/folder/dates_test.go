package folder

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/memdir"
	"keepsake/pkg/project/session"
)

// TestDateBySnapshots: a line was written on the day of the first snapshot that has it, if the file was there
// without it earlier on that day. Of the lines of the first snapshot, and of those that only put an older one
// in other words, nobody knows the day.
func TestDateBySnapshots(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	s, err := session.Open(session.Call{ID: "s1", Cwd: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	day := time.Date(2026, 10, 2, 9, 0, 0, 0, time.Local)
	var f Folder
	for i, text := range []string{"Yesterday one broke.\nYesterday the queue stood still.\n",
		"Yesterday one broke.\nYesterday two broke.\nThe queue stood still yesterday.\n",
		"Yesterday one broke.\nYesterday two broke.\nThe queue stood still yesterday.\nYesterday three " +
			"broke.\n"} {
		if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		at := day.Add([]time.Duration{0, time.Hour, 72 * time.Hour}[i])
		if _, _, err := s.Snap(dir, at, time.Minute); err != nil {
			t.Fatal(err)
		}
		f = Folder{Root: dir, session: s}
		f.Files = []memdir.File{{Path: "a.md", Bytes: []byte(text)}}
	}
	f.Blame(t.Context())
	got := f.Files[0].Written
	if len(got) != 4 || !got[0].IsZero() || !got[1].Equal(day.Add(time.Hour)) || !got[2].IsZero() ||
		!got[3].IsZero() {
		t.Error(got)
	}
}
