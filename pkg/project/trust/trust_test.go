package trust_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/trust"
)

var at = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

func entry(n, version int) trust.Entry {
	return trust.Entry{
		At: at, Act: trust.Saved, Path: fmt.Sprintf("decisions/record-%d.json", n),
		Digest: digest(n, version),
		Origin: finding.FromPerson, Quotes: []string{fmt.Sprintf("use <number> %d & \"so on\"", n)},
		Findings: []int{n},
	}
}

func digest(n, version int) string { return plan.DigestOf(fmt.Appendf(nil, "%d %d", n, version)) }

func know(t *testing.T, r trust.Records, path, digest string) (trust.Entry, bool) {
	t.Helper()
	v, err := r.View()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	return v.Know(path, digest)
}

func TestHeld(t *testing.T) {
	for _, c := range []struct {
		act    trust.Act
		origin finding.Origin
		want   bool
	}{
		{trust.Saved, finding.FromPerson, false}, {trust.Saved, finding.FromAgent, false},
		{trust.Saved, finding.Tainted, true}, {trust.Saved, finding.NoOrigin, true}, {trust.Saved, "", true},
		{trust.Saved, "person of a newer version", true},
		{trust.Accepted, finding.Tainted, false}, {trust.Refused, finding.FromPerson, true},
	} {
		if got := (trust.Entry{Act: c.act, Origin: c.origin}).Held(); got != c.want {
			t.Errorf("%s %s: %v", c.act, c.origin, got)
		}
	}
}

func TestKnow(t *testing.T) {
	r := trust.Records{Dir: filepath.Join(t.TempDir(), "state", "project")}
	if _, ok := know(t, r, "decisions/record-1.json", digest(1, 0)); ok {
		t.Fatal("nothing is known of a project without records")
	}
	if err := r.Add(entry(1, 0), entry(2, 0)); err != nil {
		t.Fatal(err)
	}
	e, ok := know(t, r, "decisions/record-1.json", digest(1, 0))
	if !ok || e.Quotes[0] != entry(1, 0).Quotes[0] || e.Findings[0] != 1 || !e.At.Equal(at) {
		t.Fatalf("%+v %v", e, ok)
	}
	for _, c := range [][2]string{
		{"decisions/record-1.json", digest(1, 1)}, {"decisions/record-2.json", digest(1, 0)},
		{"decisions/record-1.json", ""},
		{"decisions/record-1.json", digest(1, 0)[:32]}, {"", digest(1, 0)},
	} {
		if e, ok := know(t, r, c[0], c[1]); ok {
			t.Errorf("%v: %+v", c, e)
		}
	}
	if err := r.Accept(trust.Refused, at.Add(time.Hour), e); err != nil {
		t.Fatal(err)
	}
	e, _ = know(t, r, e.Path, e.Digest)
	if e.Act != trust.Refused || !e.Held() || e.Quotes == nil {
		t.Errorf("%+v", e)
	}
	if err := r.Accept(trust.Saved, at, e); err == nil {
		t.Error("saved is no answer")
	}
	if err := r.Add(trust.Entry{Path: "x"}); err == nil {
		t.Error("an entry without a digest names no record")
	}
	info, err := os.Stat(filepath.Join(r.Dir, "records.jsonl"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

// TestModel holds the log with its index, however it was cut short or written anew,
// to a map.
func TestModel(t *testing.T) {
	r := trust.Records{Dir: filepath.Join(t.TempDir(), "state", "project")}
	random := rand.New(rand.NewPCG(1, 2))
	want := map[[2]string]trust.Act{}
	log := filepath.Join(r.Dir, "records.jsonl")
	for i := range 300 {
		var some []trust.Entry
		for range 1 + random.IntN(20) {
			e := entry(random.IntN(60), random.IntN(4))
			e.Act = []trust.Act{trust.Saved, trust.Accepted, trust.Refused}[random.IntN(3)]
			e.Why = strings.Repeat("why ", random.IntN(60))
			some = append(some, e)
			want[[2]string{e.Path, e.Digest}] = e.Act
		}
		if err := r.Add(some...); err != nil {
			t.Fatal(err)
		}
		switch {
		case i%41 == 0: // a write that was cut short
			f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(`{"path":"decisions/record-1.json","dig`); err != nil {
				t.Fatal(err)
			}
			f.Close()
		case i%53 == 0:
			os.Remove(filepath.Join(r.Dir, "records.idx"))
		case i%67 == 0:
			if err := os.WriteFile(filepath.Join(r.Dir, "records.idx"), []byte("keepsake records 1\nbroken"),
				0o600); err != nil {
				t.Fatal(err)
			}
		}
		if i%10 > 0 && i < 290 {
			continue
		}
		for n := range 60 {
			for version := range 5 {
				e := entry(n, version)
				got, ok := know(t, r, e.Path, e.Digest)
				if act, known := want[[2]string{e.Path, e.Digest}]; ok != known || got.Act != act {
					t.Fatalf("after %d: %s %d: %q %v, want %q", i, e.Path, version, got.Act, ok, act)
				}
			}
		}
	}
	info, err := os.Stat(log)
	if err != nil || info.Size() > 600<<10 {
		t.Errorf("the log grows: %v %v", info.Size(), err)
	}
	n := 0
	v, err := r.View()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if err := v.Each(func(trust.Entry) bool { n++; return true }); err != nil || n != len(want) {
		t.Errorf("%d of %d, %v", n, len(want), err)
	}
}

// TestVersions holds that the newest versions of a record stay known.
func TestVersions(t *testing.T) {
	r := trust.Records{Dir: filepath.Join(t.TempDir(), "state", "project")}
	for version := range 400 {
		e := entry(1, version)
		e.Why = strings.Repeat("why ", 100)
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	for version := 390; version < 400; version++ {
		if _, ok := know(t, r, entry(1, version).Path, digest(1, version)); !ok {
			t.Errorf("version %d is gone", version)
		}
	}
}

func TestTogether(t *testing.T) {
	r := trust.Records{Dir: filepath.Join(t.TempDir(), "state", "project")}
	var group sync.WaitGroup
	for p := range 4 {
		group.Go(func() {
			for i := range 30 {
				if err := r.Add(entry(p*1000+i, 0)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for p := range 4 {
		for i := range 30 {
			if _, ok := know(t, r, entry(p*1000+i, 0).Path, digest(p*1000+i, 0)); !ok {
				t.Errorf("%d %d is lost", p, i)
			}
		}
	}
}

func TestNoLink(t *testing.T) {
	r := trust.Records{Dir: filepath.Join(t.TempDir(), "state", "project")}
	if err := r.Add(entry(1, 0)); err != nil {
		t.Fatal(err)
	}
	log, other := filepath.Join(r.Dir, "records.jsonl"), filepath.Join(t.TempDir(), "other.jsonl")
	if err := os.Rename(log, other); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, log); err != nil {
		t.Fatal(err)
	}
	if v, err := r.View(); err == nil {
		v.Close()
		t.Error("a link was followed")
	}
	if err := r.Add(entry(2, 0)); err == nil {
		t.Error("a link was written through")
	}
}

func BenchmarkKnow(b *testing.B) {
	r := trust.Records{Dir: filepath.Join(b.TempDir(), "state", "project")}
	var all []trust.Entry
	for n := range 10_000 {
		all = append(all, entry(n, 0))
	}
	if err := r.Add(all...); err != nil {
		b.Fatal(err)
	}
	for n := range 20 { // a tail behind the index
		if err := r.Add(entry(n, 1)); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for i := range b.N {
		v, err := r.View()
		if err != nil {
			b.Fatal(err)
		}
		for j := range 3 {
			if _, ok := v.Know(all[(i*31+j*977)%len(all)].Path, all[(i*31+j*977)%len(all)].Digest); !ok {
				b.Fatal("unknown")
			}
		}
		v.Close()
	}
}
