package approval

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stored returns the contents of all files below d.
func stored(t *testing.T, d Dir) (all string) {
	t.Helper()
	err := filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			var b []byte
			b, err = os.ReadFile(path)
			all += path + ": " + string(b) + "\n"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A secret in a call is in none of its files at any time, although the yes is for the exact bytes.
func TestNoSecretIsKept(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3d", 9)
	d := Dir(filepath.Join(t.TempDir(), "keepsake", "approvals"))
	now := time.Now()
	reason := "Store in MemPalace: the token " + token + "\ninto wing x"
	args, _ := json.Marshal(map[string]any{"content": "use " + token + " here",
		"password": "hunter2x", "n": 1})
	r := Request{Digest: "d1", Tool: "t", Args: args, Reason: reason, Session: "s", Project: "/p", Asked: now,
		Writes: "w"}
	check := func(where string) {
		t.Helper()
		all := stored(t, d)
		if strings.Contains(all, token) || strings.Contains(all, "hunter2x") {
			t.Fatalf("%s: %s", where, all)
		}
		if where != "" && !strings.Contains(all, "[redacted]") {
			t.Fatalf("%s: nothing is kept for the person: %s", where, all)
		}
	}
	id, _, err := d.Ask(r)
	if err != nil {
		t.Fatal(err)
	}
	check("asked")
	if again, _, err := d.Ask(r); err != nil || again != id {
		t.Fatalf("the same call is %s, then %s: %v", id, again, err)
	}
	if _, err := d.Approve(id, Terminal, "", now); err != nil {
		t.Fatal(err)
	}
	check("given")
	got, ok, err := d.Take("d1", "s", "/p", "use1", now)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if !got.wasTold(reason) ||
		got.wasTold(strings.Replace(reason, token, "ghp_"+strings.Repeat("xY7z", 9), 1)) {
		t.Error("the line that the person was told is not told from another with another secret")
	}
	if err := d.keepTaken(got, "use1"); err != nil {
		t.Fatal(err)
	}
	check("taken")
	r.ID = id
	if err := d.Show(r, "use2"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Grant(Grant{Request: r, Use: "use2"}, now); err != nil {
		t.Fatal(err)
	}
	check("granted")
	if err := d.Settle(got, "use1", Outcome{Time: now, Result: Stored}); err != nil {
		t.Fatal(err)
	}
	check("settled")
}

// Expired files are deleted even if nobody asks again, including what an earlier version stored with secrets.
func TestSweepDeletesWhatIsTooOld(t *testing.T) {
	d := Dir(filepath.Join(t.TempDir(), "keepsake", "approvals"))
	now := time.Now()
	for i, digest := range []string{"old", "new"} {
		if _, _, err := d.Ask(Request{Digest: digest, Session: "s", Project: "/p", Reason: digest,
			Asked: now.Add(time.Duration(i-1) * 25 * time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	old, _ := filepath.Glob(filepath.Join(string(d), "asked", "*"))
	for _, path := range old {
		if b, _ := os.ReadFile(path); strings.Contains(string(b), `"old"`) {
			if err := os.Chtimes(path, now.Add(-25*time.Hour), now.Add(-25*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := d.Sweep(now); err != nil {
		t.Fatal(err)
	}
	if all := stored(t, d); strings.Contains(all, `"old"`) || !strings.Contains(all, `"new"`) {
		t.Error(all)
	}
}
