package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
)

func init() {
	children["lives"] = liveForever
	children["numbers"] = writeNumbers
	children["indexer"] = indexForever
	children["updater"] = updateMany
	children["few"] = fewFiles
}

// torture reports whether make torture runs, which takes the long form of these tests.
var torture = os.Getenv("KEEPSAKE_TORTURE") == "1"

// amount returns how often a test does something, by the form that runs.
func amount(short, usual, long int) int {
	switch {
	case torture:
		return long
	case testing.Short():
		return short
	}
	return usual
}

// killing starts a child again and again, kills it at a random instant, and calls check to look at what it
// left. reported is the last number that the child printed, after the save of that number had returned, or
// -1.
func killing(t *testing.T, what, root string, kills int, check func(reported int)) {
	t.Helper()
	killingWhen(t, soon, what, root, kills, check)
}

// soon waits for as long as a save or two can take.
func soon() { time.Sleep(rand.N(15 * time.Millisecond)) }

// killingWhen is killing at the end of a wait.
func killingWhen(t *testing.T, wait func(), what, root string, kills int, check func(reported int),
	number ...int) {
	t.Helper()
	last, saved := -1, 0
	for kill := range kills {
		cmd := child(t, what, root, number...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var printed bytes.Buffer
		// Every other child lives until it has saved something, then for a moment.
		first := make([]byte, 2)
		if kill%2 == 0 {
			first = first[:1] // it has begun
		}
		if _, err := io.ReadFull(out, first); err != nil {
			t.Fatalf("child %d: %v", kill, err)
		}
		printed.Write(first)
		wait()
		cmd.Process.Signal(syscall.SIGKILL)
		if _, err := io.Copy(&printed, out); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		text := printed.String()
		if i := strings.LastIndexByte(text, '\n'); i >= 0 {
			lines := strings.Fields(strings.TrimLeft(text[:i], "."))
			if len(lines) > 0 {
				if n, err := strconv.Atoi(lines[len(lines)-1]); err == nil {
					last = n
				}
			}
		}
		check(last)
		if t.Failed() {
			t.Fatalf("after kill %d", kill+1)
		}
		saved = max(saved, last)
	}
	t.Logf("%d kills, %d saves reported", kills, saved+1)
	if saved < 0 {
		t.Error("the children did not get to save")
	}
}

// indexOf compares index.md with the records.
func indexOf(t *testing.T, s *Store, records []memory.Stored) {
	t.Helper()
	if b, err := os.ReadFile(s.file(indexName)); err != nil || !bytes.Equal(b, memory.Index(records)) {
		t.Errorf("index.md is of another time: %v\n%s", err, b)
	}
}

const (
	alive = 5 // sessions in the window of liveForever
	grace = 3 // days until gc; each session takes a day
)

// dayOf is the date of a session of liveForever.
func dayOf(n int) time.Time {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n)
}

// liveForever deletes what is over its grace with gc, then saves a session summary for the day, with the
// window in the same plan, and goes on to the next day.
func liveForever(root string) {
	s := Open(root, Options{})
	os.Stdout.Write([]byte{'.'})
	rules := upkeep.Rules{MaxRetained: alive, GraceDays: grace}
	for {
		l, err := s.Load()
		if err != nil {
			panic(err)
		}
		n := 0
		for _, r := range l.Records {
			n = max(n, 1+number(r))
		}
		due, _ := upkeep.Find(l.Records, rules, dayOf(n))
		if p, _, _ := upkeep.Make(due, dayOf(n)); len(p.Edits) > 0 {
			if err := s.Apply(background, p); err != nil {
				panic(err)
			}
			if l, err = s.Load(); err != nil {
				panic(err)
			}
		}
		stamp := memory.Stamp(dayOf(n))
		r := memory.Record{
			Category: memory.SessionSummary, ID: fmt.Sprint("s", n), Title: fmt.Sprint("Session ", n),
			Status:    memory.Active,
			CreatedAt: stamp, UpdatedAt: stamp, Tags: []string{"x"},
			Content: memory.Content{"goal": "g", "outcome": "success", "completed": []string{},
				"next_actions": []string{}},
		}
		p, _ := upkeep.Save(planOf(create(r)), l.Records, rules, dayOf(n))
		if err := s.Apply(background, p); err != nil {
			panic(err)
		}
		fmt.Printf("%d\n", n)
	}
}

func number(r memory.Stored) int {
	n, err := strconv.Atoi(strings.TrimPrefix(r.ID, "s"))
	if err != nil {
		panic(err)
	}
	return n
}

// TestKillWindowAndGC: whenever the process dies, the window has exactly the last sessions, all earlier ones
// are retired or gone in order, and no session that was reported as saved is missing.
func TestKillWindowAndGC(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	killing(t, "lives", root, amount(4, 16, 700), func(reported int) {
		s := Open(root, Options{})
		l := load(t, s)
		if len(l.Bad) > 0 {
			t.Fatalf("bad: %v", l.Bad)
		}
		slices.SortFunc(l.Records, func(a, b memory.Stored) int { return number(a) - number(b) })
		for i, r := range l.Records {
			newest := number(l.Records[len(l.Records)-1])
			want := memory.Active
			if number(r) <= newest-alive {
				want = memory.Retired
			}
			if r.Status != want || number(r) != newest-len(l.Records)+1+i {
				t.Errorf("%s is %s of %d..%d", r.ID, r.Status, number(l.Records[0]), newest)
			}
			if want == memory.Retired && *r.RetiredReason != upkeep.WindowReason {
				t.Errorf("%s: %s", r.ID, *r.RetiredReason)
			}
		}
		if n := len(l.Records); reported >= 0 && (n == 0 || number(l.Records[n-1]) < reported) {
			t.Errorf("session %d was reported saved and is not there", reported)
		} else if n > alive+grace+2 {
			t.Errorf("%d sessions: gc did not run", n)
		}
		if len(l.Records) > 0 {
			indexOf(t, s, l.Records)
		}
	})
}

// indexForever saves, removes or damages the search file, and has it made again.
func indexForever(root string) {
	cache := filepath.Join(filepath.Dir(root), "cache", "x.idx")
	s := Open(root, Options{Derive: titles, Cache: cache})
	os.Stdout.Write([]byte{'.'})
	for i := 0; ; i++ {
		l, err := s.Load()
		if err != nil {
			panic(err)
		}
		n := 0
		e := create(preference("a", 0))
		if len(l.Records) > 0 {
			n = l.Records[0].TimesUpdated + 1
			e = update(l.Records[0], preference("a", n))
		}
		if err := s.Apply(background, planOf(e)); err != nil {
			panic(err)
		}
		fmt.Printf("%d\n", n)
		switch i % 3 {
		case 0:
			os.Remove(cache)
		case 1:
			os.Truncate(cache, 20)
		}
		if _, err := indexed(s); err != nil {
			panic(err)
		}
		// This rewrites index.md when its lines are lost.
		if err := os.Remove(s.file(indexName)); err != nil {
			panic(err)
		}
		ix, err := s.Rebuild()
		if err != nil {
			panic(err)
		}
		ix.Close()
		if b, err := os.ReadFile(s.file(indexName)); err != nil ||
			!bytes.Contains(b, []byte("preferences/a.json")) {
			panic(fmt.Sprintf("index.md was not rebuilt: %q, %v", b, err))
		}
	}
}

// TestKillIndexRebuild: whenever the process dies, the search file that comes back fits the records. So does
// index.md, which is never there in part.
func TestKillIndexRebuild(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	killing(t, "indexer", root, amount(4, 16, 650), func(reported int) {
		s := Open(root, Options{Derive: titles, Cache: filepath.Join(filepath.Dir(root), "cache", "x.idx")})
		got, err := indexed(s)
		l := load(t, s)
		if err != nil || !bytes.Equal(got, titlesOf(l.Records)) {
			t.Errorf("search file %q, %v; records %s", got, err, summary(l))
		}
		if b, err := os.ReadFile(s.file(indexName)); !errors.Is(err, fs.ErrNotExist) &&
			!bytes.Equal(b, memory.Index(l.Records)) {
			t.Errorf("a part of index.md: %q, %v", b, err)
		}
		if ix, err := s.Rebuild(); err != nil || ix.Close() != nil {
			t.Error(err)
		}
		if len(l.Records) > 0 {
			indexOf(t, s, l.Records)
		}
		if reported >= 0 && (len(l.Records) != 1 || l.Records[0].TimesUpdated < reported) {
			t.Errorf("update %d was reported saved: %s", reported, summary(l))
		}
	})
}

// TestKillApply is the same for plain saves of three records at once.
func TestKillApply(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	killNumbers(t, root, soon, 3, amount(4, 16, 650))
}

// TestKillManyEdits does the same with plans that are finished in several parts, and kills mostly while files
// get their names.
func TestKillManyEdits(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	s := Open(root, Options{})
	killNumbers(t, root, func() {
		for range rand.IntN(500) {
			if s.inUse() {
				break
			}
			time.Sleep(time.Millisecond)
		}
		soon()
	}, 20*hands, amount(2, 4, 100))
}

// killNumbers kills children that give this many records one number.
func killNumbers(t *testing.T, root string, wait func(), records, kills int) {
	s := Open(root, Options{})
	unfinished := 0
	killingWhen(t, wait, "numbers", root, kills, func(reported int) {
		if s.inUse() {
			unfinished++
		}
		l := load(t, s)
		if len(l.Bad) > 0 || len(l.Records) != 0 && len(l.Records) != records {
			t.Fatal(summary(l))
		}
		for _, r := range l.Records {
			if r.TimesUpdated != l.Records[0].TimesUpdated || r.TimesUpdated < reported {
				t.Errorf("%s, reported %d", summary(l), reported)
			}
		}
		if len(l.Records) > 0 {
			indexOf(t, s, l.Records)
		} else if reported >= 0 {
			t.Errorf("nothing is there, reported %d", reported)
		}
	}, records)
	t.Logf("%d kills left a plan to finish", unfinished)
}

// writeNumbers gives all records one number, and then the next.
func writeNumbers(root string) {
	s := Open(root, Options{})
	records := childNumber()
	os.Stdout.Write([]byte{'.'})
	for {
		l, err := s.Load()
		if err != nil {
			panic(err)
		}
		var p plan.Plan
		n := 0
		if len(l.Records) > 0 {
			n = l.Records[0].TimesUpdated + 1
		}
		for i := range records {
			id := fmt.Sprint("r", i)
			path := memory.Path(memory.Preference, id)
			if i := slices.IndexFunc(l.Records, func(r memory.Stored) bool {
				return r.Path == path
			}); i >= 0 {
				p.Edits = append(p.Edits, update(l.Records[i], preference(id, n)))
			} else {
				p.Edits = append(p.Edits, create(preference(id, n)))
			}
		}
		if err := s.Apply(background, p); err != nil {
			panic(err)
		}
		fmt.Printf("%d\n", n)
	}
}

// TestManyUpdaters: processes that update the same records at random lose no update, and every conflict is
// reported. The long form has 32 processes that make 100 updates each to 20 records.
func TestManyUpdaters(t *testing.T) {
	t.Parallel()
	processes, each, records := amount(4, 8, 32), amount(5, 10, 100), amount(3, 5, 20)
	root := newRoot(t)
	s := Open(root, Options{})
	for i := range records {
		apply(t, s, create(preference(fmt.Sprint("r", i), 0)))
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	conflicts := 0
	for p := range processes {
		wg.Go(func() {
			out, err := child(t, "updater", root, each).Output()
			n, err2 := strconv.Atoi(string(out))
			if err != nil || err2 != nil {
				t.Errorf("process %d: %v %v", p, err, err2)
			}
			mu.Lock()
			conflicts += n
			mu.Unlock()
		})
	}
	wg.Wait()
	l := load(t, s)
	total := 0
	for _, r := range l.Records {
		total += r.TimesUpdated
	}
	if len(l.Records) != records || len(l.Bad) > 0 || total != processes*each {
		t.Errorf("%d records, %d bad, %d updates; want %d, 0, %d", len(l.Records), len(l.Bad), total, records,
			processes*each)
	}
	indexOf(t, s, l.Records)
	t.Logf("%d updates, %d conflicts told", total, conflicts)
}

func updateMany(root string) {
	each := childNumber()
	s := Open(root, Options{LockWait: 2 * time.Minute})
	l, err := s.Load()
	if err != nil {
		panic(err)
	}
	conflicts := 0
	for i := 0; i < each; {
		path := l.Records[rand.IntN(len(l.Records))].Path
		was, err := s.Read(path)
		if err != nil {
			panic(err)
		}
		switch err := s.Apply(background, planOf(update(was, preference(was.ID, was.TimesUpdated+1)))); {
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

// TestFewFiles: without descriptors a save either fails with a clear error or succeeds, and what was derived
// meanwhile is not stored.
func TestFewFiles(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for limit := 4; limit < 24; limit++ {
		root := newRoot(t)
		opt := Options{Derive: titles, Cache: filepath.Join(filepath.Dir(root), "x.idx")}
		s := Open(root, opt)
		apply(t, s, create(preference("a", 0)), create(preference("z", 0)))
		out, err := child(t, "few", root, limit).Output()
		if err != nil {
			t.Fatalf("limit %d: %v %s", limit, err, out)
		}
		got, inUse := summary(load(t, s)), s.inUse()
		old, whole := "preferences/a.json=0 preferences/z.json=0",
			"preferences/a.json=1 preferences/b.json=0 preferences/z.json=0"
		said := string(out)
		switch {
		case said == "saved":
			seen["saved"]++
			if got != whole {
				t.Errorf("limit %d: saved, but %s", limit, got)
			}
		case strings.HasPrefix(said, "unfinished"):
			seen["unfinished"]++
			if got != whole {
				t.Errorf("limit %d: logged, but %s", limit, got)
			}
		default:
			seen["failed"]++
			if got != old || !strings.Contains(said, filepath.Dir(root)) ||
				!strings.Contains(said, syscall.EMFILE.Error()) {
				t.Errorf("limit %d: %s, %s", limit, got, said)
			}
		}
		if inUse {
			t.Errorf("limit %d: a log is left", limit)
		}
		// With descriptors nothing is missing.
		if b, err := indexed(Open(root, opt)); err != nil || !bytes.Equal(b, titlesOf(load(t, s).Records)) {
			t.Errorf("limit %d: search file %q, %v", limit, b, err)
		}
		apply(t, s, create(preference("y", 0)))
		indexOf(t, s, load(t, s).Records)
	}
	t.Logf("%v", seen)
	if seen["saved"] == 0 || seen["failed"] == 0 {
		t.Errorf("the limits did not bite or did not let go: %v", seen)
	}
}

// fewFiles saves with few descriptors, and prints how that went.
func fewFiles(root string) {
	s := Open(root, Options{Derive: titles, Cache: filepath.Join(filepath.Dir(root), "x.idx")})
	was, err := s.Read("preferences/a.json")
	if err != nil {
		panic(err)
	}
	limit := uint64(childNumber())
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		panic(err)
	}
	err = s.Apply(background, planOf(update(was, preference("a", 1)), create(preference("b", 0))))
	indexed(s)
	switch {
	case err == nil:
		fmt.Print("saved")
	case errors.Is(err, ErrUnfinished):
		fmt.Print("unfinished ", err)
	default:
		fmt.Print(err)
	}
}
