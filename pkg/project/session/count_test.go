package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// TestCountRecords: the count is that of the files as they are, also right after one was edited in place,
// damaged, mended or deleted.
func TestCountRecords(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	dir := filepath.Join(s.MemoryRoot(), "preferences")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	record := func(id, status string) string {
		return `{"schema_version":"1.0","category":"preference","id":"` + id + `","title":"Use pnpm ` + id +
			`","record_status":"` + status + `","created_at":"2026-11-20T09:00:00Z",` +
			`"updated_at":"2026-11-20T09:00:00Z","tags":["pnpm"],"related_files":null,"confidence":0.9,` +
			`"changes":null,"times_updated":0,"content":{"topic":"tools","value":"pnpm","reason":"speed",` +
			`"strength":"soft"}}`
	}
	write := func(id, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, id+".json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	counts := func(when string, active, others, bad int) {
		t.Helper()
		at, lerr := s.Look()
		n, err := s.CountRecords(at)
		err = errors.Join(lerr, err)
		if err != nil || n.Active[memory.Preference] != active || n.Others != others || n.Bad != bad {
			t.Errorf("%s: %+v, %v; want %d active, %d others, %d bad", when, n, err, active, others, bad)
		}
	}
	counts("nothing", 0, 0, 0)
	write("a", record("a", "active"))
	write("b", record("b", "active"))
	counts("two", 2, 0, 0)
	counts("again", 2, 0, 0)
	write("b", strings.Replace(record("b", "archived"), `"changes"`, `"archived_at":"2026-11-21T09:00:00Z",`+
		`"archived_reason":"old","changes"`, 1))
	counts("edited in place", 1, 1, 0)
	write("a", "{ broken")
	counts("damaged", 0, 1, 1)
	counts("still damaged", 0, 1, 1)
	write("a", record("a", "active"))
	counts("mended", 1, 1, 0)
	if err := os.Remove(filepath.Join(dir, "b.json")); err != nil {
		t.Fatal(err)
	}
	counts("deleted", 1, 0, 0)
}
