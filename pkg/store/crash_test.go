package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// childVar names what this binary does when a test runs it again, with the root
// as its first argument.
const childVar = "KEEPSAKE_STORE_TEST_CHILD"

var children = map[string]func(root string){"writer": writeForever, "counter": countUp, "full": fillDisk}

func TestMain(m *testing.M) {
	what := os.Getenv(childVar)
	if what == "" {
		os.Exit(m.Run())
	}
	children[what](os.Args[1])
}

// childNumber returns the number that child was given.
func childNumber() int {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	return n
}

func child(t *testing.T, what, root string, number ...int) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, root)
	for _, n := range number {
		cmd.Args = append(cmd.Args, strconv.Itoa(n))
	}
	cmd.Env = append(os.Environ(), childVar+"="+what)
	cmd.Stderr = os.Stderr
	return cmd
}

// steps are those of Apply on a plan with two edits, as its hook sees them.
var steps = []string{"recover", "guards", "prepare", "log", "file 0", "file 1", "file 2", "sync", "derive",
	"drop", "done"}

var errStopped = errors.New("stopped by the test")

// TestStopAtEachStep stops Apply before each of its steps, as a crash would. The next process finds the whole
// plan or nothing of it.
func TestStopAtEachStep(t *testing.T) {
	t.Parallel()
	for i, at := range steps {
		for _, next := range []string{"Load", "Index", "Apply", "Quarantine"} {
			t.Run(at+", then "+next, func(t *testing.T) {
				t.Parallel()
				root := newRoot(t)
				opt := Options{Derive: titles, Cache: filepath.Join(t.TempDir(), "x.idx")}
				s := Open(root, opt)
				apply(t, s, create(preference("a", 0)))
				was, err := s.Read("preferences/a.json")
				if err != nil {
					t.Fatal(err)
				}
				var seen []string
				s.step = func(step string) error {
					seen = append(seen, step)
					if step == at {
						return errStopped
					}
					return nil
				}
				err = s.Apply(background, planOf(update(was, preference("a", 1)), create(preference("b", 1))))
				if !errors.Is(err, errStopped) || !slices.Equal(seen, steps[:i+1]) {
					t.Fatalf("got %v after %v", err, seen)
				}
				logged := i > slices.Index(steps, "log")
				if errors.Is(err, ErrUnfinished) != logged {
					t.Errorf("logged %v, but: %v", logged, err)
				}
				want := "preferences/a.json=0"
				if logged {
					want = "preferences/a.json=1 preferences/b.json=1"
				}

				s = Open(root, opt)
				switch next {
				case "Index":
					if b, err := indexed(s); err != nil || strings.Count(string(b), "\n") != 1+
						strings.Count(want, " ") || !strings.HasSuffix(string(b), want[len(want)-1:]+"\n") {
						t.Errorf("Index: %q, %v; want %s", b, err, want)
					}
				case "Apply":
					apply(t, s, create(preference("c", 0)))
					want += " preferences/c.json=0"
				case "Quarantine":
					write(t, s.file("decisions/bad.json"), "")
					if err := s.Quarantine("decisions/bad.json"); err != nil {
						t.Error(err)
					}
				}
				if got := summary(load(t, s)); got != want {
					t.Errorf("Load: got %s, want %s", got, want)
				}
				after := tree(t, root)
				history := 0
				for name := range after {
					if strings.HasPrefix(name, redoName) || leftover(filepath.Base(name)) && next == "Apply" {
						t.Errorf("left behind: %s", name)
					}
					if strings.HasPrefix(name, historyName) {
						history++
					}
				}
				wantHistory := 1
				if logged {
					wantHistory++
				}
				if next == "Apply" {
					wantHistory++
				}
				if history != wantHistory {
					t.Errorf("%d plans in the history, want %d", history, wantHistory)
				}
				if got, want := strings.TrimPrefix(after[indexName], "----------"),
					string(memory.Index(load(t, s).Records)); got != want {
					t.Errorf("index.md\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// TestUnfinished: a plan that nobody can finish now is read as if it were in place.
func TestUnfinished(t *testing.T) {
	s, root := cutShort(t)
	l, err := disk.Exclusive(background, s.file(lockName))
	if err != nil {
		t.Fatal(err)
	}
	const want = "preferences/a.json=1 preferences/b.json=1"
	if got := summary(load(t, Open(root, Options{}))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if b, err := indexed(Open(root,
		Options{Derive: titles, Cache: filepath.Join(t.TempDir(), "x")})); err != nil ||
		strings.Count(string(b), " 1\n") != 2 {
		t.Errorf("Index: %q, %v", b, err)
	}
	if !s.inUse() {
		t.Error("the log is gone")
	}
	l.Unlock()
	if got := summary(load(t, s)); got != want || s.inUse() {
		t.Errorf("unlocked: %s, log %v", got, s.inUse())
	}
}

// cutShort returns a store with a redo log none of whose files is in place.
func cutShort(t *testing.T) (*Store, string) {
	t.Helper()
	root := newRoot(t)
	s := Open(root, Options{})
	apply(t, s, create(preference("a", 0)))
	was, err := s.Read("preferences/a.json")
	if err != nil {
		t.Fatal(err)
	}
	stopping := Open(root, Options{})
	stopping.step = func(step string) error {
		if step == "file 0" {
			return errStopped
		}
		return nil
	}
	if err := stopping.Apply(background,
		planOf(update(was, preference("a", 1)), create(preference("b", 1)))); !errors.Is(err, ErrUnfinished) {
		t.Fatal(err)
	}
	return s, root
}

// TestEditedAfterTheCrash: finishing a save does not overwrite what a person wrote after it was cut short,
// and reports it.
func TestEditedAfterTheCrash(t *testing.T) {
	s, _ := cutShort(t)
	write(t, s.file("preferences/a.json"), string(preference("a", 7).Encode()))
	l := load(t, s)
	if got := summary(l); got != "preferences/a.json=7 preferences/b.json=1 bad preferences/a.json" {
		t.Error(got)
	}
	if len(l.Bad) == 1 && !strings.Contains(l.Bad[0].Err.Error(), historyName) {
		t.Errorf("does not say where the save's version is: %v", l.Bad[0].Err)
	}
	if got := summary(load(t, s)); got != "preferences/a.json=7 preferences/b.json=1" {
		t.Errorf("the second time: %s", got)
	}

	s, _ = cutShort(t)
	if err := errors.Join(os.Remove(s.file("preferences/a.json")),
		os.Mkdir(s.file("preferences/a.json"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if got := summary(load(t, s)); got != "preferences/b.json=1 bad preferences/a.json bad "+
		"preferences/a.json" {
		t.Errorf("a directory in its place: %s", got)
	}
}

// TestBadRedo: a log that cannot be read does not block the store and is not thrown away. A log of a newer
// version is left to that version.
func TestBadRedo(t *testing.T) {
	good, _ := cutShort(t)
	log, err := os.ReadFile(good.file(redoName))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"half": string(log[:len(log)/2]), "empty": "", "null": "null",
		"other digest": strings.Replace(string(log), `"digest":"`, `"digest":"00`, 1),
		"other bytes":  strings.Replace(string(log), "About b", "About c", 1),
		"outside":      strings.Replace(string(log), "preferences/b.json", "../../b.json", 1),
		"old":          strings.Replace(string(log), `"version":1`, `"version":0`, 1) + "x",
	} {
		s, _ := cutShort(t)
		write(t, s.file(redoName), text)
		l := load(t, s)
		if got := summary(l); got != "preferences/a.json=0 bad .redo.json" {
			t.Errorf("%s: %s", name, got)
		}
		if kept, err := filepath.Glob(s.file(redoName + ".invalid.*")); err != nil || len(kept) != 1 {
			t.Errorf("%s: kept %v", name, kept)
		}
		apply(t, s, create(preference("c", 0)))
	}

	s, _ := cutShort(t)
	newer := strings.Replace(string(log), `"version":1`, `"version":3`, 1)
	write(t, s.file(redoName), newer)
	l := load(t, s)
	if got := summary(l); got != "preferences/a.json=0 bad .redo.json" ||
		!errors.Is(l.Bad[0].Err, memory.ErrNewer) {
		t.Errorf("newer: %s", got)
	}
	if err := s.Apply(background, planOf(create(preference("c", 0)))); !errors.Is(err, memory.ErrNewer) ||
		!strings.Contains(err.Error(), s.file(redoName)) {
		t.Errorf("newer: Apply: %v", err)
	}
	if b, err := os.ReadFile(s.file(redoName)); err != nil || string(b) != newer {
		t.Errorf("newer: the log was touched: %v", err)
	}
}

// TestKill9 kills a process that saves without pause, again and again. Its plans give three records one
// number, so that half a plan shows.
func TestKill9(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	kills := 30
	if testing.Short() {
		kills = 5
	}
	last := -1
	unfinished := 0
	for kill := range kills {
		cmd := child(t, "writer", root)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// One byte says that it has begun, the next that it has saved once. Every
		// other writer gets that far, then a moment of random length.
		if _, err := io.ReadFull(out, make([]byte, 1+kill%2)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(12_000)) * time.Microsecond)
		cmd.Process.Signal(syscall.SIGKILL)
		cmd.Wait()
		s := Open(root, Options{})
		if s.inUse() {
			unfinished++
		}
		l := load(t, s)
		if len(l.Records) == 0 && last < 0 {
			continue
		}
		if len(l.Records) != 3 || len(l.Bad) > 0 {
			t.Fatalf("after a kill: %s", summary(l))
		}
		n := l.Records[0].TimesUpdated
		if l.Records[1].TimesUpdated != n || l.Records[2].TimesUpdated != n || n < last {
			t.Fatalf("after a kill: %s, before it was %d", summary(l), last)
		}
		index, err := os.ReadFile(s.file(indexName))
		if err != nil || !bytes.Equal(index, memory.Index(l.Records)) {
			t.Fatalf("index.md is of another time: %v\n%s", err, index)
		}
		last = n
	}
	t.Logf("%d plans applied, %d of %d kills left a plan to finish", last+1, unfinished, kills)
	apply(t, Open(root, Options{}), create(preference("d", 0)))
	for name := range tree(t, root) {
		if strings.HasPrefix(name, redoName) || leftover(filepath.Base(name)) {
			t.Errorf("left behind by the killed: %s", name)
		}
	}
	if last < 1 {
		t.Error("the writers did not get to write")
	}
}

// writeForever saves three records with one number, and the next.
func writeForever(root string) {
	s := Open(root, Options{})
	os.Stdout.Write([]byte{'.'})
	for {
		l, err := s.Load()
		if err != nil {
			panic(err)
		}
		var p plan.Plan
		for _, id := range []string{"a", "b", "c"} {
			path := memory.Path(memory.Preference, id)
			if i := slices.IndexFunc(l.Records, func(r memory.Stored) bool {
				return r.Path == path
			}); i >= 0 {
				p.Edits = append(p.Edits, update(l.Records[i], preference(id, l.Records[i].TimesUpdated+1)))
			} else {
				p.Edits = append(p.Edits, create(preference(id, 0)))
			}
		}
		if err := s.Apply(background, p); err != nil {
			panic(err)
		}
		os.Stdout.Write([]byte{'.'})
	}
}

const (
	writers = 8
	updates = 20
)

// TestManyWriters: eight processes update one record and create their own, twenty times each. No update is
// lost, and every conflict is reported.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	s := Open(root, Options{})
	apply(t, s, create(preference("shared", 0)))
	var wg sync.WaitGroup
	conflicts := make([]int, writers)
	for w := range writers {
		wg.Go(func() {
			out, err := child(t, "counter", root).Output()
			if err != nil {
				t.Errorf("writer %d: %v", w, err)
				return
			}
			conflicts[w], err = strconv.Atoi(string(out))
			if err != nil {
				t.Errorf("writer %d: %v", w, err)
			}
		})
	}
	wg.Wait()
	l := load(t, s)
	if len(l.Records) != 1+writers*updates || len(l.Bad) > 0 {
		t.Errorf("%d records, %d bad; want %d and 0", len(l.Records), len(l.Bad), 1+writers*updates)
	}
	shared, err := s.Read("preferences/shared.json")
	if err != nil || shared.TimesUpdated != writers*updates {
		t.Errorf("%d updates arrived, want %d; %v", shared.TimesUpdated, writers*updates, err)
	}
	history, err := os.ReadDir(s.file(historyName))
	if err != nil || len(history) != 1+writers*updates {
		t.Errorf("%d plans in the history, want %d; %v", len(history), 1+writers*updates, err)
	}
	total := 0
	for _, n := range conflicts {
		total += n
	}
	t.Logf("%d conflicts told", total)
}

// countUp updates the shared record and creates one of its own in each plan,
// planning again after a conflict. It prints how many there were.
func countUp(root string) {
	s := Open(root, Options{LockWait: time.Minute})
	conflicts := 0
	for i := 0; i < updates; {
		was, err := s.Read("preferences/shared.json")
		if err != nil {
			panic(err)
		}
		err = s.Apply(context.Background(), planOf(
			update(was, preference("shared", was.TimesUpdated+1)),
			create(preference(fmt.Sprintf("p%d-%d", os.Getpid(), i), 0)),
		))
		switch {
		case err == nil:
			i++
		case errors.Is(err, ErrConflict):
			conflicts++
		default:
			panic(err)
		}
	}
	fmt.Print(conflicts)
}

// TestDiskFull makes the kernel refuse bytes in the middle of a save; TestDiskFull in package disk says how.
// Nothing of the plan may be visible, and the error must name the file.
func TestDiskFull(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{})
	apply(t, s, create(preference("a", 0)))
	before := tree(t, root)
	out, err := child(t, "full", root).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(out); !strings.Contains(got, s.file("preferences/a.json")+":") ||
		!strings.Contains(got, syscall.EFBIG.Error()) {
		t.Errorf("the error does not name the path: %s", got)
	}
	after := tree(t, root)
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("left behind: %v", after)
	}
}

func fillDisk(root string) {
	signal.Ignore(syscall.SIGXFSZ)
	s := Open(root, Options{})
	was, err := s.Read("preferences/a.json")
	if err != nil {
		panic(err)
	}
	limit := syscall.Rlimit{Cur: 8 << 10, Max: 8 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
	fmt.Print(s.Apply(background, planOf(create(preference("b", 1)), update(was, preference("a", 20_000)))))
}
