package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// TestStandIn: where the file system has no locks, a file stands in for one.
func TestStandIn(t *testing.T) {
	was := flockOrNone
	flockOrNone = func(*flock.Flock, func(*flock.Flock) (bool, error)) (bool, error) {
		return false, &os.PathError{Op: "flock", Err: syscall.ENOTSUP}
	}
	t.Cleanup(func() { flockOrNone = was })
	path := filepath.Join(t.TempDir(), ".lock")
	if has, err := Flocks(path); has || err != nil {
		t.Errorf("Flocks: %v, %v", has, err)
	}
	l, err := Exclusive(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	soon, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if _, err := Exclusive(soon, path); !errors.Is(err, ErrLocked) {
		t.Errorf("taken twice: %v", err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}

	// Many who count in a file lose nothing.
	count := filepath.Join(filepath.Dir(path), "count")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			l, err := Exclusive(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			b, _ := os.ReadFile(count)
			if err := os.WriteFile(count, append(b, 'x'), 0o600); err != nil {
				t.Error(err)
			}
			if err := l.Unlock(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if b, _ := os.ReadFile(count); len(b) != 16 {
		t.Errorf("%d of 16", len(b))
	}

	// What a killed process left is in nobody's way; what lives elsewhere is, for a while.
	host, _ := os.Hostname()
	for name, c := range map[string]struct {
		held  string
		age   time.Duration
		taken bool
	}{
		"killed here":               {fmt.Sprintf("%d %s\n", 1<<22+1, host), 0, true},
		"at work here":              {fmt.Sprintf("%d %s\n", os.Getpid(), host), time.Hour, false},
		"elsewhere":                 {"1 elsewhere\n", time.Minute, false},
		"elsewhere, long ago":       {"1 elsewhere\n", time.Hour, true},
		"cut short":                 {"", 0, false},
		"cut short, some time back": {"", time.Minute, true},
	} {
		if err := os.WriteFile(path+standSuffix, []byte(c.held), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-c.age)
		if err := os.Chtimes(path+standSuffix, at, at); err != nil {
			t.Fatal(err)
		}
		soon, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		l, err := Exclusive(soon, path)
		stop()
		if (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
		if l != nil {
			err = l.Unlock()
		}
		if left, _ := filepath.Glob(path + ".held*"); c.taken && (err != nil || len(left) > 0) {
			t.Errorf("%s: %v, left %s", name, err, strings.Join(left, " "))
		}
		_ = os.Remove(path + standSuffix)
	}
}
