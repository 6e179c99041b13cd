package approval

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func granted(t *testing.T, d Dir, now time.Time) string {
	t.Helper()
	nonce, err := d.Grant(Grant{
		Request: Request{ID: "kx3f2a", Digest: "d", Checkpoint: "before_mempalace_write",
			Rule: "keepsake-promote", Tool: "Bash", Session: "s1", Project: "/p", Writes: "w", Asked: now},
		Use: "toolu_1", Near: []string{"a/b/c"},
	}, now)
	if err != nil {
		t.Fatal(err)
	}
	return nonce
}

// TestRedeem: a nonce can be used for what it was made for, once, and for a limited time.
func TestRedeem(t *testing.T) {
	now := time.Now()
	d := Dir(filepath.Join(t.TempDir(), "approvals"))
	nonce := granted(t, d, now)
	files, _ := filepath.Glob(filepath.Join(string(d), "granted", "*"))
	if len(files) != 1 || strings.Contains(files[0], nonce) {
		t.Fatalf("%q", files)
	}
	if text, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(text), nonce) {
		t.Errorf("the nonce itself is kept: %s, %v", text, err)
	}
	for name, use := range map[string]func() (Grant, error){
		"another text":    func() (Grant, error) { return d.Redeem(nonce, "w2", "/p", now) },
		"another project": func() (Grant, error) { return d.Redeem(nonce, "w", "/q", now) },
		"too late": func() (Grant, error) {
			return d.Redeem(nonce, "w", "/p", now.Add(16*time.Minute))
		},
		"a clock set back": func() (Grant, error) { return d.Redeem(nonce, "w", "/p", now.Add(-time.Hour)) },
		"made up": func() (Grant, error) {
			return d.Redeem("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "w", "/p", now)
		},
		"nothing": func() (Grant, error) { return d.Redeem("", "w", "/p", now) },
		"a path":  func() (Grant, error) { return d.Redeem("../asked/kx3f2a", "w", "/p", now) },
	} {
		if _, err := use(); !errors.Is(err, errGrant) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Chmod(files[0], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Redeem(nonce, "w", "/p", now); !errors.Is(err, errGrant) {
		t.Errorf("one that others can read: %v", err)
	}
	if err := os.Chmod(files[0], 0o600); err != nil {
		t.Fatal(err)
	}
	var won atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			g, err := d.Redeem(nonce, "w", "/p", now)
			switch {
			case err == nil && g.Use == "toolu_1" && g.Request.By == Dialog && len(g.Near) == 1:
				won.Add(1)
			case !errors.Is(err, errGrant) || !strings.Contains(err.Error(), "used already"):
				t.Errorf("%+v, %v", g, err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d used one nonce", won.Load())
	}
	if _, err := d.Grant(Grant{}, now); err == nil {
		t.Error("a grant for anything")
	}
}

// TestRevoked: settling a call in another way, as by No in the dialog, deletes its nonce.
func TestRevoked(t *testing.T) {
	now := time.Now()
	d := Dir(filepath.Join(t.TempDir(), "approvals"))
	nonce := granted(t, d, now)
	r := Request{ID: "kx3f2a", Digest: "d", Session: "s1", Project: "/p", Writes: "w", Asked: now}
	if _, _, err := d.Ask(r); err != nil {
		t.Fatal(err)
	}
	if err := d.Show(r, "toolu_1"); err != nil {
		t.Fatal(err)
	}
	if err := d.Over("s1", now); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Redeem(nonce, "w", "/p", now); !errors.Is(err, errGrant) {
		t.Errorf("after a no: %v", err)
	}
}

// TestSettlePromotion: what was stored is recorded once, even if another process finishes the promotion.
func TestSettlePromotion(t *testing.T) {
	now := time.Now()
	d := Dir(filepath.Join(t.TempDir(), "approvals"))
	g := ByPerson("keepsake promote", "w", "/p", now)
	for range 3 {
		if err := d.SettlePromotion(g,
			Outcome{Time: now, Result: Stored, Stored: []string{"a", "b"}}); err != nil {
			t.Fatal(err)
		}
	}
	done, err := d.Settled(now.Add(-time.Minute))
	if err != nil || len(done) != 1 || done[0].By != Terminal || done[0].Writes != "w" || !isID(done[0].ID) {
		t.Errorf("%+v, %v", done, err)
	}
}
