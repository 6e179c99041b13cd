package trust_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/project/trust"
)

// TestForget: nothing of a record is left, and what is known of others stays.
func TestForget(t *testing.T) {
	r := trust.Records{Dir: filepath.Join(t.TempDir(), "state")}
	if err := r.Forget("decisions/0.json"); err != nil {
		t.Fatal("of nothing:", err)
	}
	for version := range 3 {
		if err := r.Add(entry(1, version), entry(2, version)); err != nil {
			t.Fatal(err)
		}
	}
	gone := entry(1, 0).Path
	if err := r.Forget(gone); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(r.Dir, "records.jsonl"))
	if err != nil || strings.Contains(string(b), gone) {
		t.Errorf("%s, %v", b, err)
	}
	for version := range 3 {
		if e, ok := know(t, r, gone, digest(1, version)); ok {
			t.Errorf("still known: %+v", e)
		}
		if _, ok := know(t, r, entry(2, version).Path, digest(2, version)); !ok {
			t.Errorf("version %d of another record is lost", version)
		}
	}
}
