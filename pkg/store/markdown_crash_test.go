package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/plan"
)

func init() {
	children["reorganiser"] = reorganise
	children["appender"] = appendLines
}

// markdownSteps are those of Apply on the plan of TestMarkdownStopAtEachStep.
var markdownSteps = []string{"recover", "guards", "prepare", "log", "file 0", "file 1", "file 2", "sync",
	"derive", "drop", "done"}

// TestMarkdownStopAtEachStep stops a move with a pointer before each of its steps, as a crash would. The next
// process, even one that only reads, finds all of it or nothing.
func TestMarkdownStopAtEachStep(t *testing.T) {
	for i, at := range markdownSteps {
		for _, next := range []string{"History", "Tidy", "Apply", "Undo"} {
			t.Run(at+", then "+next, func(t *testing.T) {
				s := newNotes(t)
				apply(t, s, edit(t, s, "MEMORY.md", []byte("- [A](a.md)\n")),
					edit(t, s, "a.md", []byte("a\n")))
				was := tree(t, s.root)
				var seen []string
				s.step = func(step string) error {
					seen = append(seen, step)
					if step == at {
						return errStopped
					}
					return nil
				}
				err := s.Apply(background, planOf(
					edit(t, s, "archive/a.md", []byte("a\n")),
					edit(t, s, "MEMORY.md", []byte("- [A](archive/a.md)\n")), edit(t, s, "a.md", nil),
				))
				if !errors.Is(err, errStopped) || !slices.Equal(seen, markdownSteps[:i+1]) {
					t.Fatalf("got %v after %v", err, seen)
				}
				logged := i > slices.Index(markdownSteps, "log")
				if errors.Is(err, ErrUnfinished) != logged {
					t.Errorf("logged %v, but: %v", logged, err)
				}
				want, plans := was, 1
				if logged {
					want, plans = map[string]string{"MEMORY.md": "----------- [A](archive/a.md)\n",
						"archive/a.md": "----------a\n"}, 2
				}
				s = OpenNotes(s.root, s.own, Options{})
				if next == "Tidy" {
					s.Tidy()
				}
				if got := len(past(t, s)); got != plans {
					t.Errorf("%d plans in the history, want %d", got, plans)
				}
				switch next {
				case "Apply":
					apply(t, s, edit(t, s, "b.md", []byte("b\n")))
					want = maps.Clone(want)
					want["b.md"] = "----------b\n"
				case "Undo":
					undo(t, s, past(t, s)[0])
					want = was
					if !logged {
						want = map[string]string{}
					}
				}
				got := tree(t, s.root)
				maps.DeleteFunc(got, func(name, _ string) bool {
					return next == "History" && markdownLeftover(filepath.Base(name))
				})
				if !maps.Equal(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
				for name := range tree(t, s.own) {
					if strings.HasPrefix(name, redoName) && next != "History" {
						t.Errorf("left behind: %s", name)
					}
				}
			})
		}
	}
}

// TestMarkdownChangedMeanwhile lets the client write a file, without our lock, before each step. Its text is
// never lost, and the caller is told.
func TestMarkdownChangedMeanwhile(t *testing.T) {
	for i, at := range markdownSteps[:8] {
		for _, theirs := range []string{"MEMORY.md", "a.md", "archive/a.md"} {
			t.Run(at+" "+theirs, func(t *testing.T) {
				s := newNotes(t)
				var told []string
				s.opt.Tell = func(b Bad) { told = append(told, b.Path) }
				apply(t, s, edit(t, s, "MEMORY.md", []byte("- [A](a.md)\n")),
					edit(t, s, "a.md", []byte("a\n")))
				p := planOf(edit(t, s, "archive/a.md", []byte("a\n")),
					edit(t, s, "MEMORY.md", []byte("- [A](archive/a.md)\n")), edit(t, s, "a.md", nil))
				s.step = func(step string) error {
					if step == at {
						write(t, s.file(theirs), "what the client learned")
					}
					return nil
				}
				err := s.Apply(background, p)
				got := tree(t, s.root)
				if got[theirs] != "----------what the client learned" {
					t.Errorf("lost; there is %q, %v", got, err)
				}
				place := slices.IndexFunc(p.Edits, func(e plan.Edit) bool { return e.Path == theirs })
				switch written := slices.Index(markdownSteps, "file 0") + place; {
				case i > written: // it was in place, and was changed later
					if err != nil || len(told) > 0 {
						t.Errorf("%v, told %v", err, told)
					}
				case i > slices.Index(markdownSteps, "log"):
					if !errors.Is(err, ErrByHand) || !strings.Contains(err.Error(), theirs) ||
						!slices.Equal(told, []string{theirs}) {
						t.Errorf("got %v, told %v", err, told)
					}
					delete(got, theirs)
					for _, e := range p.Edits {
						if text, there := got[e.Path]; e.Path != theirs &&
							(there == e.Deletes() || there && text != "----------"+string(e.After)) {
							t.Errorf("the rest is not in place: %q", got)
						}
					}
				case theirs == "archive/a.md" && !errors.Is(err, ErrExists) && !errors.Is(err, ErrConflict),
					theirs != "archive/a.md" && !errors.Is(err, ErrConflict):
					t.Errorf("got %v", err)
				}
				if s.inUse() {
					t.Error("the log is still there")
				}
				for name := range got {
					if markdownLeftover(filepath.Base(name)) {
						t.Errorf("left behind: %s", name)
					}
				}
			})
		}
	}
}

// TestMarkdownEditedAfterTheCrash: finishing a plan does not overwrite what the client wrote after the plan
// was cut short, and reports it.
func TestMarkdownEditedAfterTheCrash(t *testing.T) {
	s := newNotes(t)
	apply(t, s, edit(t, s, "MEMORY.md", []byte("1")), edit(t, s, "a.md", []byte("1")))
	s.step = func(step string) error {
		if step == "file 0" {
			return errStopped
		}
		return nil
	}
	if err := s.Apply(background,
		planOf(edit(t, s, "MEMORY.md", []byte("2")), edit(t, s, "a.md", []byte("2")))); !errors.Is(err,
		ErrUnfinished) {
		t.Fatal(err)
	}
	write(t, s.file("MEMORY.md"), "mine")
	var told []string
	s = OpenNotes(s.root, s.own, Options{Tell: func(b Bad) { told = append(told, b.Path) }})
	last := past(t, s)[0]
	if got := tree(t, s.root); got["MEMORY.md"] != "----------mine" || got["a.md"] != "----------2" ||
		!slices.Equal(told, []string{"MEMORY.md"}) {
		t.Errorf("got %q, told %v", got, told)
	}
	if string(last.Edits[0].After) != "2" || string(last.Edits[0].Old) != "1" {
		t.Errorf("the plan's versions are lost: %q", last.Edits[0])
	}
}

// TestMarkdownForeignRedo: a log of records is refused in a directory of memories, and the other way round.
func TestMarkdownForeignRedo(t *testing.T) {
	cut, _ := cutShort(t)
	log, err := os.ReadFile(cut.file(redoName))
	if err != nil {
		t.Fatal(err)
	}
	s := newNotes(t)
	apply(t, s, edit(t, s, "a.md", []byte("a")))
	write(t, s.ownFile(redoName), string(log))
	before := tree(t, s.root)
	past(t, s)
	if got := tree(t, s.root); !maps.Equal(got, before) {
		t.Errorf("got %q", got)
	}
	if s.inUse() {
		t.Error("the log was not set aside")
	}
}

// TestMarkdownKill kills a process that moves a file to and fro, with its pointer, at
// random instants. The directory is always that of one of its plans.
func TestMarkdownKill(t *testing.T) {
	t.Parallel()
	s := newNotes(t)
	top := filepath.Dir(filepath.Dir(filepath.Dir(s.root)))
	s = notesBelow(top)
	last := -1
	killing(t, "reorganiser", top, amount(5, 30, 300), func(reported int) {
		past(t, s) // reading finishes the plan
		got := tree(t, s.root)
		maps.DeleteFunc(got, func(name, _ string) bool { return markdownLeftover(filepath.Base(name)) })
		if len(got) == 0 && last < 0 {
			return
		}
		var n int
		if _, err := fmt.Sscanf(got["MEMORY.md"], "----------- %d", &n); err != nil || n < reported ||
			n < last {
			t.Fatalf("it had reported %d, before it was %d; there is %q, %v", reported, last, got, err)
		}
		if want := stateOf(n); !maps.Equal(got, want) {
			t.Fatalf("half of plan %d: %q, want %q", n, got, want)
		}
		last = n
	})
	apply(t, s, edit(t, s, "end.md", []byte("x")))
	for name := range tree(t, s.root) {
		if markdownLeftover(filepath.Base(name)) {
			t.Errorf("left behind by the killed: %s", name)
		}
	}
}

func notesBelow(top string) *Store {
	return OpenNotes(filepath.Join(top, "memory"), filepath.Join(top, "own"), Options{LockWait: time.Minute})
}

// stateOf returns the directory after plan n of reorganise.
func stateOf(n int) map[string]string {
	out := map[string]string{}
	for path, text := range filesOf(n) {
		out[path] = "----------" + text
	}
	return out
}

func filesOf(n int) map[string]string {
	folder := [...]string{"", "archive/", "archive/2026/"}[n%3]
	return map[string]string{"MEMORY.md": fmt.Sprintf("- %d\n", n),
		folder + "topic.md": fmt.Sprintf("number %d\n", n), "user/role.md": fmt.Sprintf("%d\n", n)}
}

// reorganise turns the directory into what filesOf returns, for one number after the other.
func reorganise(top string) {
	s := notesBelow(top)
	os.Stdout.Write([]byte{'.'})
	n := 0
	if err := s.History(func(Applied) bool { n++; return true }, nil); err != nil {
		panic(err)
	}
	for ; ; n++ {
		var p plan.Plan
		now := filesOf(n)
		for path, text := range now {
			e := plan.Edit{Path: path, Verb: plan.Create, After: []byte(text)}
			if was, err := os.ReadFile(s.file(path)); err == nil {
				e.Verb, e.Before = plan.Update, plan.DigestOf(was)
			}
			p.Edits = append(p.Edits, e)
		}
		for path := range filesOf(n + 2) { // where it was
			if was, err := os.ReadFile(s.file(path)); now[path] == "" && err == nil {
				p.Edits = append(p.Edits,
					plan.Edit{Path: path, Verb: plan.Delete, Before: plan.DigestOf(was)})
			}
		}
		if err := s.Apply(background, p); err != nil {
			panic(err)
		}
		fmt.Println(n)
	}
}

const (
	appenders = 4
	additions = 15
)

// TestMarkdownManyWriters: processes add lines to one file and make files of their own, at once. No line is
// lost, and every conflict is reported.
func TestMarkdownManyWriters(t *testing.T) {
	top := t.TempDir()
	s := notesBelow(top)
	apply(t, s, edit(t, s, "shared.md", []byte("# Shared\n")))
	var wg sync.WaitGroup
	for range appenders {
		wg.Go(func() {
			if out, err := child(t, "appender", top).Output(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	b, err := os.ReadFile(s.file("shared.md"))
	if err != nil || strings.Count(string(b), "\n") != 1+appenders*additions {
		t.Errorf("%d lines, want %d; %v", strings.Count(string(b), "\n"), 1+appenders*additions, err)
	}
	if got := len(tree(t, s.root)); got != 1+appenders*additions {
		t.Errorf("%d files, want %d", got, 1+appenders*additions)
	}
	if got := len(past(t, s)); got != 1+appenders*additions {
		t.Errorf("%d plans, want %d", got, 1+appenders*additions)
	}
}

func appendLines(top string) {
	s := notesBelow(top)
	for i := 0; i < additions; {
		was, err := disk.Read(s.file("shared.md"), markdownLimit)
		if err != nil {
			panic(err)
		}
		err = s.Apply(context.Background(), planOf(
			plan.Edit{Path: "shared.md", Verb: plan.Update, Before: plan.DigestOf(was),
				After: fmt.Appendf(was, "- %d %d\n", os.Getpid(), i)},
			plan.Edit{Path: fmt.Sprintf("own/%d-%d.md", os.Getpid(), i), Verb: plan.Create,
				After: []byte("x")},
		))
		switch {
		case err == nil:
			i++
		case !errors.Is(err, ErrConflict):
			panic(err)
		}
	}
}
