package promote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"keepsake/pkg/gate/approval"
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/candidate"
	"keepsake/pkg/why/drawer"
)

var (
	now = time.Date(2026, 4, 23, 10, 30, 0, 0, time.UTC)
	ctx = context.Background()
)

// childVar has this binary run one promotion in the folder that it names, and kill
// itself before the step that its argument names.
const childVar = "KEEPSAKE_PROMOTE_TEST_CHILD"

func TestMain(m *testing.M) {
	root := os.Getenv(childVar)
	if root == "" {
		os.Exit(m.Run())
	}
	w := world{root}
	p, err := w.sources().Named(ctx, "embedded", os.Args[2:])
	if err == nil {
		_, err = run(ctx, w.hands(func(step string) error {
			if step == os.Args[1] {
				self, _ := os.FindProcess(os.Getpid())
				_ = self.Kill()
				select {}
			}
			return nil
		}), p)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// world is a project, and the folders of a person.
type world struct{ root string }

func (w world) notes() tiers.Scratch { return tiers.Scratch{Root: w.root} }
func (w world) box() candidate.Box {
	return candidate.Box{Dir: filepath.Join(w.root, "state", "inbox")}
}
func (w world) approvals() approval.Dir {
	return approval.Dir(filepath.Join(w.root, "client", "approvals"))
}
func (w world) keeper() *tiers.Drawers { return &tiers.Drawers{Dir: filepath.Join(w.root, "drawers")} }

func (w world) register() Register {
	return Register{filepath.Join(w.root, "state", "drawers.json")}
}

func (w world) sources() Sources {
	return Sources{Notes: w.notes(), Box: w.box(), Tag: "shop"}
}

func (w world) hands(step func(string) error) hands {
	return hands{
		Keeper: w.keeper(), Dir: filepath.Join(w.root, "state", "promotions"), Register: w.register(),
		Notes: w.notes(), Box: w.box(), Now: now,
		Settle: func(ids []string) error {
			g := approval.ByPerson("keepsake promote", "digest",
				"/shop", now)
			return w.approvals().SettlePromotion(g,
				approval.Outcome{Time: now, Result: approval.Stored, Stored: ids})
		},
		Warn: func(err error) { panic(err) },
		step: step,
	}
}

// save appends a note and returns its id.
func (w world) save(t *testing.T, text string) string {
	t.Helper()
	if _, err := w.notes().Save(ctx, text, now); err != nil {
		t.Fatal(err)
	}
	all, err := w.notes().All(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return all[len(all)-1].ID()
}

// propose puts a candidate on the inbox and returns its id.
func (w world) propose(t *testing.T, c candidate.Candidate) string {
	t.Helper()
	if c.Quote == "" {
		c.Quote = c.Text
	}
	added, err := w.box().Add([]candidate.Candidate{c}, 10, now, func(a, b candidate.Candidate) bool {
		return a.Text == b.Text
	})
	if err != nil || added[0].ID == "" {
		t.Fatal(added, err)
	}
	return added[0].ID
}

// counts is how many drawers, marks and settle lines there are.
func (w world) counts(t *testing.T) (drawers, marks, settled int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(w.root, "drawers", "*", "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := w.notes().All(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range all {
		marks += len(n.Promoted)
	}
	done, err := w.approvals().Settled(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return len(files), marks, len(done)
}

// TestStopAtEachStep stops a promotion of a note and a candidate before each of its
// steps, and runs it again: each drawer, each mark and the settle line are there
// once, and nothing is left behind.
func TestStopAtEachStep(t *testing.T) {
	var steps []string
	prepare := func(t *testing.T) (world, []string) {
		w := world{t.TempDir()}
		id := w.save(t, "Decided to use Postgres over SQLite.")
		noted := w.save(t, "Retries are capped at five. Nobody knows why.")
		c := w.propose(t, candidate.Candidate{Text: "Retries are capped at five.", Entry: noted,
			Source: "x:1",
			Wing:   "shop", Room: "http"})
		return w, []string{id, c}
	}
	w, ids := prepare(t)
	if err := w.run(ids, func(step string) error { steps = append(steps, step); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(steps) != 11 {
		t.Errorf("the steps are %q", steps)
	}
	stop := errors.New("stopped by the test")
	for i, at := range steps {
		for _, killed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, killed %v", at, killed), func(t *testing.T) {
				w, ids := prepare(t)
				if killed {
					kill(t, w, at, ids)
				} else if err := w.run(ids, func(step string) error {
					if step == at {
						return stop
					}
					return nil
				}); !errors.Is(err, stop) {
					t.Fatal(err)
				}
				p, err := w.sources().Named(ctx, "embedded", ids)
				if err != nil {
					t.Fatal(err)
				}
				if un := unfinished(w.hands(nil).Dir, p); un != (i > slices.Index(steps, "intent")) {
					t.Errorf("unfinished: %v", un)
				}
				if err := w.run(ids, nil); err != nil {
					t.Fatal(err)
				}
				if drawers, marks, settled := w.counts(t); drawers != 2 || marks != 2 || settled != 1 {
					t.Errorf("%d drawers, %d marks, %d settle lines", drawers, marks, settled)
				}
				c, err := w.box().Find(ids[1])
				if err != nil || c.State != candidate.Promoted || len(c.Stored) != 1 {
					t.Errorf("%+v, %v", c, err)
				}
				kept, err := w.register().All()
				if err != nil || len(kept) != 2 || len(kept[0].IDs) != 1 {
					t.Errorf("registered %+v, %v", kept, err)
				}
				if left, _ := filepath.Glob(filepath.Join(w.root, "state", "promotions",
					"*.json")); left != nil {
					t.Errorf("left behind: %s", left)
				}
				p, err = w.sources().Named(ctx, "embedded", ids)
				if err != nil || p.done() == nil {
					t.Errorf("it can be promoted again: %v", err)
				}
			})
		}
	}
}

func (w world) run(ids []string, step func(string) error) error {
	p, err := w.sources().Named(ctx, "embedded", ids)
	if err != nil {
		return err
	}
	_, err = run(ctx, w.hands(step), p)
	return err
}

func kill(t *testing.T, w world, at string, ids []string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{at}, ids...)...)
	cmd.Env = append(os.Environ(), childVar+"="+w.root)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestAnyCrashes: however often and wherever a promotion is cut off, and whoever
// runs it beside, in the end each thing is there once and the texts are whole.
func TestAnyCrashes(t *testing.T) {
	names := []string{"near", "intent", "add 0", "add 1", "written", "settle", "done"}
	rapid.Check(t, func(rt *rapid.T) {
		w := world{tempDir(rt)}
		texts := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Z][a-z]{3,9} (é|'|\$x|"|\\|  )[a-z ]{1,9}(\n[a-z#]{1,9}){0,2}[a-z]`), 2, 2, rapid.ID).Draw(rt, "texts")
		var ids []string
		for _, text := range texts {
			ids = append(ids, w.save(t, text))
		}
		for range rapid.IntRange(0, 4).Draw(rt, "crashes") {
			at := rapid.SampledFrom(names).Draw(rt, "at")
			_ = w.run(ids, func(step string) error {
				if step == at {
					return errors.New("stopped")
				}
				return nil
			})
		}
		if err := w.run(ids, nil); err != nil {
			rt.Fatal(err)
		}
		if drawers, marks, settled := w.counts(t); drawers != 2 || marks != 2 || settled != 1 {
			rt.Fatalf("%d drawers, %d marks, %d settle lines", drawers, marks, settled)
		}
		files, _ := filepath.Glob(filepath.Join(w.root, "drawers", "shop", "decisions", "*.md"))
		var kept []string
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				rt.Fatal(err)
			}
			d, err := drawer.Parse(b)
			if err != nil {
				rt.Fatal(err)
			}
			kept = append(kept, d.Text)
		}
		want := []string{scratch.Clean(texts[0]), scratch.Clean(texts[1])}
		slices.Sort(want)
		slices.Sort(kept)
		if !slices.Equal(kept, want) {
			rt.Fatalf("kept %q, want %q", kept, want)
		}
	})
}

func tempDir(t *rapid.T) string {
	dir, err := os.MkdirTemp("", "promote")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestTogether: two runs at once write once.
func TestTogether(t *testing.T) {
	w := world{t.TempDir()}
	id := w.save(t, "Decided to use Postgres over SQLite.")
	p, err := w.sources().Named(ctx, "embedded", []string{id})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 4 {
		go func() {
			h := w.hands(nil)
			_, err := run(ctx, h, p)
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if drawers, marks, settled := w.counts(t); drawers != 1 || marks != 1 || settled != 1 {
		t.Errorf("%d drawers, %d marks, %d settle lines", drawers, marks, settled)
	}
}

// near is a back end to which everything is near.
type near struct {
	tiers.Keeper
	err error
}

func (n near) Near(context.Context, string, int) ([]tiers.Hit, error) {
	return []tiers.Hit{{Path: "shop/decisions/other", Text: "Use Postgres"}}, n.err
}

// same is a keeper that finds one drawer near whatever is asked.
type same struct {
	tiers.Keeper
	hit tiers.Hit
}

func (s same) Near(context.Context, string, int) ([]tiers.Hit, error) {
	return []tiers.Hit{s.hit}, nil
}

// TestNear: what says nearly what is kept is written only when the person was shown
// that, or has said to write it anyway.
func TestNear(t *testing.T) {
	w := world{t.TempDir()}
	id := w.save(t, "Decided to use Postgres over SQLite.")
	p, err := w.sources().Named(ctx, "embedded", []string{id})
	if err != nil {
		t.Fatal(err)
	}
	h := w.hands(nil)
	h.Keeper = near{w.keeper(), nil}
	var is *Near
	if _, err := run(ctx, h, p); !errors.As(err, &is) || len(is.Hits) != 1 {
		t.Fatal(err)
	}
	h.Keeper = near{w.keeper(), errors.New("too slow")}
	if _, err := run(ctx, h, p); err == nil || err.Error() != "too slow" {
		t.Fatal(err)
	}
	if drawers, marks, settled := w.counts(t); drawers+marks+settled != 0 || unfinished(h.Dir, p) {
		t.Errorf("%d drawers, %d marks, %d settle lines", drawers, marks, settled)
	}
	// It is remembered for the person who is asked again, as long as an approval counts.
	if hits := lately(h.Dir, p, now.Add(foundFor)); len(hits) != 1 || hits[0].Path != "shop/decisions/other" {
		t.Errorf("found %+v", hits)
	}
	if hits := lately(h.Dir, p, now.Add(foundFor+time.Second)); len(hits) != 0 {
		t.Errorf("found long ago %+v", hits)
	}
	h.Keeper, h.Shown = near{w.keeper(), nil}, []string{"shop/decisions/other"}
	if _, err := run(ctx, h, p); err != nil {
		t.Fatal(err)
	}
	if hits := lately(h.Dir, p, now); len(hits) != 0 {
		t.Errorf("found what is written %+v", hits)
	}
	// The same drawer by the back end's own id is not nearly the same; one of another room is.
	for room, want := range map[string]int{p.Items[0].Drawer.Room: 0, "lessons": 1} {
		hit := tiers.Hit{Path: p.Items[0].Drawer.Wing + "/" + room + "/drawer_1",
			Whole: p.Items[0].Drawer.Text}
		if hits, err := p.Near(ctx, same{w.keeper(), hit}); err != nil || len(hits) != want {
			t.Errorf("%s: %v, %v", room, hits, err)
		}
	}
	h.Keeper, h.Shown, h.Anyway = near{w.keeper(), errors.New("too slow")}, nil, true
	if r, err := run(ctx, h, p); err != nil || !r.Existed[0] {
		t.Fatal(r, err)
	}
	if drawers, marks, settled := w.counts(t); drawers != 1 || marks != 1 || settled != 1 {
		t.Errorf("%d drawers, %d marks, %d settle lines", drawers, marks, settled)
	}
}

// TestNamed: what ids come to.
func TestNamed(t *testing.T) {
	w := world{t.TempDir()}
	key := "AKIA" + strings.Repeat("Q7ZX", 4)
	id := w.save(t, "Decided to use Postgres.")
	c := w.propose(t, candidate.Candidate{Text: "Retries are capped.", Wing: "infra", Room: "http",
		Source: "docs/x.md:3"})
	no := w.propose(t, candidate.Candidate{Text: "Not this.", Wing: "infra", Room: "http",
		Source: "docs/x.md:4"})
	if _, err := w.box().Mark(no, candidate.Rejected, now); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(w.root, scratch.Dir, "general.md")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(b, "\n## 2026-04-24T10:30:00Z\nthe key is "+key+"\n"...),
		0o600); err != nil {
		t.Fatal(err)
	}
	all, _ := w.notes().All(ctx)
	secret := all[1].ID()
	s := w.sources()
	p, err := s.Named(ctx, "embedded", []string{strings.ToUpper(id), c, secret})
	if err != nil {
		t.Fatal(err)
	}
	want := []drawer.Drawer{
		{Wing: "shop", Room: "decisions", Text: "Decided to use Postgres.",
			Source: ".agents/memory/scratch/general.md:1"},
		{Wing: "infra", Room: "http", Text: "Retries are capped.", Source: "docs/x.md:3"},
		{Wing: "shop", Room: "decisions", Text: "the key is [redacted]",
			Source: ".agents/memory/scratch/general.md:4"},
	}
	if !slices.Equal(p.Drawers(), want) || len(p.Secrets) != 1 {
		t.Errorf("got %+v, %q", p.Drawers(), p.Secrets)
	}
	s.Wing, s.Room = "mine", "notes"
	if p, err = s.Named(ctx, "embedded", []string{c}); err != nil || p.Items[0].Drawer.Wing != "mine" ||
		p.Items[0].Drawer.Room != "notes" {
		t.Errorf("%+v, %v", p, err)
	}
	s = w.sources()
	for _, ids := range [][]string{{"s00000"}, {"c00000"}, {"x"}, {""}, {id, id}, {no}, {"../x"}} {
		if _, err := s.Named(ctx, "embedded", ids); err == nil {
			t.Errorf("%q: no error", ids)
		}
	}
	s.Person = true
	if _, err := s.Named(ctx, "embedded", []string{no}); err != nil {
		t.Error(err)
	}
	for _, bad := range []Sources{{Notes: w.notes(), Box: w.box(), Tag: "shop", Wing: "../x"},
		{Notes: w.notes(), Box: w.box(), Tag: "shop", Room: "a/b"}} {
		if _, err := bad.Named(ctx, "embedded", []string{id}); err == nil {
			t.Errorf("%q %q: no error", bad.Wing, bad.Room)
		}
	}
	if _, err := s.Text(ctx, "embedded", " \n"); err == nil {
		t.Error("nothing can be promoted")
	}
	p, err = s.Text(ctx, "embedded", "Decided to use Postgres.\n")
	if err != nil || len(p.Items[0].Notes) != 1 || p.Items[0].Drawer.Text != "Decided to use Postgres." {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestAnswered: what a promotion says waits on the inbox no more, whichever way it was
// promoted; what it doesn't say does, and a No stays one.
func TestAnswered(t *testing.T) {
	for name, promoted := range map[string]func(w world, id, text string) error{
		"by the id of its note": func(w world, id, _ string) error { return w.run([]string{id}, nil) },
		"as a text": func(w world, _, text string) error {
			p, err := w.sources().Text(ctx, "embedded", text)
			if err == nil {
				_, err = run(ctx, w.hands(nil), p)
			}
			return err
		},
		"by another way": func(w world, _, text string) error {
			return Noted(ctx, w.notes(), w.box(), text, []string{"drawer_1"}, now)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{t.TempDir()}
			const text = "Decided to use Postgres. Retries are capped at five."
			id := w.save(t, text)
			want := map[string]candidate.State{}
			for text, state := range map[string]candidate.State{
				text: candidate.Promoted, "Retries are capped at five.": candidate.Promoted,
				"Retries are capped at ten.": candidate.Waiting,
				"Decided to use Postgres.":   candidate.Rejected,
			} {
				c := w.propose(t, candidate.Candidate{Text: text, Entry: id, Source: "x:1", Wing: "shop",
					Room: "http"})
				if want[c] = state; state == candidate.Rejected {
					if _, err := w.box().Mark(c, state, now); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := promoted(w, id, text); err != nil {
				t.Fatal(err)
			}
			for c, state := range want {
				if is, err := w.box().Find(c); err != nil || is.State != state ||
					(state == candidate.Promoted) != (len(is.Stored) == 1) {
					t.Errorf("%+v, %v, want %s", is, err, state)
				}
			}
		})
	}
}

// TestSameID: a text that was noted twice at once is marked in both places. Two notes
// that share an id by chance are told apart.
func TestSameID(t *testing.T) {
	w := world{t.TempDir()}
	id := w.save(t, "Decided to use Postgres.")
	w.save(t, "Another note.")
	w.save(t, "Decided to use Postgres.")
	for range 2 {
		if err := w.run([]string{id}, nil); err != nil {
			t.Fatal(err)
		}
		if drawers, marks, _ := w.counts(t); drawers != 1 || marks != 2 {
			t.Errorf("%d drawers, %d marks", drawers, marks)
		}
	}

	ids := map[string]string{}
	for n := 0; ; n++ {
		text := fmt.Sprintf("Note %d.", n)
		id := scratch.Entry{At: now, Text: text}.ID("general")
		other, ok := ids[id]
		if ids[id] = text; !ok {
			continue
		}
		w.save(t, text)
		w.save(t, other)
		if err := w.run([]string{id}, nil); err == nil ||
			!strings.Contains(err.Error(), "is the id of two notes") {
			t.Errorf("%s: %v", id, err)
		}
		p, err := w.sources().Text(ctx, "embedded", other)
		if err == nil {
			_, err = run(ctx, w.hands(nil), p)
		}
		if drawers, marks, _ := w.counts(t); err != nil || drawers != 2 || marks != 3 {
			t.Errorf("%d drawers, %d marks, %v", drawers, marks, err)
		}
		return
	}
}

// TestMark: the mark is a line below the entry, and nothing else changes.
func TestMark(t *testing.T) {
	w := world{t.TempDir()}
	id := w.save(t, "Decided to use Postgres.")
	w.save(t, "Another note.")
	file := filepath.Join(w.root, scratch.Dir, "general.md")
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.run([]string{id}, nil); err != nil {
		t.Fatal(err)
	}
	is, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := drawer.Drawer{Wing: "shop", Room: "decisions", Text: "Decided to use Postgres."}
	mark := "PROMOTED to MemPalace at 2026-04-23T10:30:00Z (" + d.ID() + ")\n"
	if !bytes.Equal(is, bytes.Replace(was, []byte("Postgres.\n"), []byte("Postgres.\n"+mark), 1)) {
		t.Errorf("got %s", is)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}
