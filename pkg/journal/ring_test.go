package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"keepsake/pkg/disk"
)

// TestRing: the last lines stay, whatever was there before.
func TestRing(t *testing.T) {
	long := strings.Repeat("x", 30)
	for name, tt := range map[string]struct {
		file  string // before; "" for none
		lines []string
		want  string
	}{
		"first":            {"", []string{"a"}, "a\n"},
		"some":             {"a\n", []string{"b", "c"}, "a\nb\nc\n"},
		"too many":         {"a\nb\nc\n", []string{"d", "e"}, "c\nd\ne\n"},
		"too many before":  {"a\nb\nc\nd\ne\n", []string{"f"}, "d\ne\nf\n"},
		"too large":        {"a\n" + long + "\n", []string{long}, long + "\n"},
		"a line too large": {"a\n", []string{long + long}, "a\n"},
		"cut short":        {"a\nb", []string{"c"}, "a\nb\nc\n"},
		"empty file":       {"\n", []string{"c"}, "\nc\n"},
		"grown too large":  {strings.Repeat("x", 200), []string{"c"}, "c\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Ring{Path: filepath.Join(t.TempDir(), "state", "ring.jsonl"), Lines: 3, Bytes: 50}
			if tt.file != "" {
				if err := errors.Join(os.MkdirAll(filepath.Dir(r.Path), 0o700),
					os.WriteFile(r.Path, []byte(tt.file), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range tt.lines {
				if err := r.Append([]byte(l)); err != nil {
					t.Fatal(err)
				}
			}
			got, err := r.Read()
			if err != nil || string(got) != tt.want {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
			if info, err := os.Stat(r.Path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
		})
	}
}

// TestRingOfNothing: no file is no lines, the zero Ring keeps nothing, and a link is not followed.
func TestRingOfNothing(t *testing.T) {
	var none Ring
	if b, err := none.Read(); b != nil || err != nil || none.Append([]byte("a")) != nil {
		t.Errorf("%q, %v", b, err)
	}
	dir := t.TempDir()
	r := Ring{Path: filepath.Join(dir, "ring.jsonl"), Lines: 3, Bytes: 50}
	if b, err := r.Read(); b != nil || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	other := filepath.Join(dir, "other")
	if err := errors.Join(os.WriteFile(other, []byte("mine\n"), 0o600),
		os.Symlink(other, r.Path)); err != nil {
		t.Fatal(err)
	}
	if err := r.Append([]byte("a")); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("a link was followed: %v", err)
	}
	if b, err := os.ReadFile(other); err != nil || string(b) != "mine\n" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestRingOfMany: of lines that are added at the same time some may get lost, but none is cut.
func TestRingOfMany(t *testing.T) {
	r := Ring{Path: filepath.Join(t.TempDir(), "ring.jsonl"), Lines: 20, Bytes: 4 << 10}
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 20 {
				if err := r.Append(fmt.Appendf(nil, "line %d %d whole", i, j)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	got, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(got) {
		if !bytes.HasPrefix(line, []byte("line ")) || !bytes.HasSuffix(line, []byte(" whole\n")) {
			t.Errorf("%q", line)
		}
	}
}
