package stage

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

func TestUpdateKeepsEveryChange(t *testing.T) {
	s := Sessions{filepath.Join(t.TempDir(), "sessions")}
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range 8 {
		wg.Go(func() {
			for range 5 {
				err := s.Update("s1", State{}, func(st *State) error { st.Saves++; return nil })
				mu.Lock()
				if err == nil {
					done++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	st, err := s.Load("s1")
	if err != nil || st.Saves != done || done == 0 {
		t.Errorf("%d updates reported, %d kept, %v", done, st.Saves, err)
	}
}

func TestUpdateThatFailsWritesNothing(t *testing.T) {
	s := Sessions{filepath.Join(t.TempDir(), "sessions")}
	oops := errors.New("oops")
	if err := s.Update("s1", State{}, func(*State) error { return oops }); !errors.Is(err, oops) {
		t.Error(err)
	}
	if _, err := s.Load("s1"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestNewerStateIsLeftAlone(t *testing.T) {
	s := Sessions{t.TempDir()}
	newer := `{"version": 99, "mark": "in another form"}`
	os.WriteFile(s.file("s1"), []byte(newer), 0o600)
	err := s.Update("s1", State{}, func(*State) error { t.Error("changed"); return nil })
	if !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
	if b, _ := os.ReadFile(s.file("s1")); string(b) != newer {
		t.Errorf("now %s", b)
	}
}

// TestMarks: of every other session, and not of files that can't be read.
func TestMarks(t *testing.T) {
	s := Sessions{t.TempDir()}
	if got := s.Marks("s1"); len(got) != 0 {
		t.Errorf("no sessions: %v", got)
	}
	for _, name := range []string{"s1", "s2", "s3"} {
		err := s.Update(name, State{}, func(st *State) error {
			st.Mark = finding.Mark{UUID: "u" + name, Said: "d" + name}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(s.file("newer"), []byte(`{"version": 99, "mark": {"uuid": "u"}}`), 0o600)
	os.WriteFile(s.file("broken"), []byte(`{"mark": {"uuid": "u"}`), 0o600)
	want := []finding.Mark{{UUID: "us2", Said: "ds2"}, {UUID: "us3", Said: "ds3"}}
	if got := s.Marks("s1"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRest: a session at rest is found by its name and among all, costs the others nothing, wakes whole, and
// is forgotten with its month.
func TestRest(t *testing.T) {
	s := Sessions{t.TempDir()}
	seen := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	for _, name := range []string{"s1", "s2", "s3"} {
		if err := s.Update(name, State{Seen: seen}, func(st *State) error {
			st.Saves, st.Stage, st.Mark.UUID = 7, "/desk/"+name, name
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	rest := func(name string, at time.Time) {
		if err := s.Rest(State{Session: name, Seen: at}); err != nil {
			t.Fatal(err)
		}
	}
	rest("s1", seen)
	rest("s2", seen)
	rest("s3", seen.Add(-time.Second)) // it has gone on since somebody looked
	if awake, err := s.Awake(); err != nil || !slices.Equal(awake, []string{"s3"}) {
		t.Errorf("awake: %v, %v", awake, err)
	}
	recent, rerr := s.Recent()
	all, err := s.All()
	if rerr != nil || err != nil || len(recent) != 1 || len(all) != 3 || len(s.Marks("s3")) != 2 {
		t.Errorf("%d recent, %d in all, %v; %v, %v", len(recent), len(all), s.Marks("s3"), rerr, err)
	}
	if got := s.DeskOf("s1"); got != "/desk/s1" {
		t.Errorf("desk: %q", got)
	}
	if err := s.Update("s1", State{}, func(st *State) error { st.Saves++; return nil }); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Load("s1"); err != nil || st.Saves != 8 || !st.Seen.Equal(seen) {
		t.Errorf("awake again: %+v, %v", st, err)
	}
	if all, err := s.All(); err != nil || len(all) != 3 {
		t.Errorf("%d in all, %v", len(all), err)
	}
	broken := filepath.Join(s.Dir, restFolder, "2026-11", "s2.json")
	os.WriteFile(broken, []byte("{"), 0o600)
	if err := s.Update("s2", State{Root: "/p"}, func(*State) error { return nil }); err != nil {
		t.Error(err)
	}
	if kept, _ := filepath.Glob(s.file("s2") + ".broken.*"); len(kept) != 1 {
		t.Errorf("a broken one at rest: kept %v", kept)
	}
	rest("s3", seen)
	if err := s.ForgetRested(seen); err != nil {
		t.Error(err)
	}
	if _, err := s.Load("s3"); err != nil {
		t.Errorf("in its own month: %v", err)
	}
	if err := s.ForgetRested(seen.AddDate(0, 0, 1)); err != nil {
		t.Error(err)
	}
	if _, err := s.Load("s3"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a month later: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(s.Dir, "s3.lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its lock stays: %v", err)
	}
}

// TestKilledWhileWaking: of the states that a killed process left, the latest counts, and once.
func TestKilledWhileWaking(t *testing.T) {
	s := Sessions{t.TempDir()}
	for i, at := range []string{"2026-11", "2026-09"} {
		dir := filepath.Join(s.Dir, restFolder, at)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		b := printState(State{Version: StateVersion, Session: "s1", Saves: 9 - i})
		if err := os.WriteFile(filepath.Join(dir, "s1.json"), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	once := func(saves int) {
		t.Helper()
		if all, err := s.All(); err != nil || len(all) != 1 || all[0].Saves != saves {
			t.Errorf("%+v, %v", all, err)
		}
	}
	once(9)
	b := printState(State{Version: StateVersion, Session: "s1", Saves: 10})
	if err := os.WriteFile(s.file("s1"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	once(10)
}

func TestBrokenStateIsPutAside(t *testing.T) {
	for name, broken := range map[string]string{"half": `{"version": 1, "sav`, "list": `[]`,
		"types": `{"version":1,"shown":7}`, "empty": ""} {
		t.Run(name, func(t *testing.T) {
			s := Sessions{t.TempDir()}
			os.WriteFile(s.file("s1"), []byte(broken), 0o600)
			if err := s.Update("s1", State{Root: "/p"}, func(st *State) error {
				st.Saves = 2
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if st, err := s.Load("s1"); err != nil || st.Root != "/p" || st.Saves != 2 {
				t.Errorf("%+v, %v", st, err)
			}
			kept, _ := filepath.Glob(s.file("s1") + ".broken.*")
			if len(kept) != 1 {
				t.Fatalf("kept %v", kept)
			}
			if b, err := os.ReadFile(kept[0]); err != nil || string(b) != broken {
				t.Errorf("kept %q, %v", b, err)
			}
		})
	}
}

func TestHeldLockIsNotWaitedFor(t *testing.T) {
	s := Sessions{t.TempDir()}
	held := make(chan bool)
	free := make(chan bool)
	done := make(chan error)
	go func() { done <- s.Update("s1", State{}, func(*State) error { held <- true; <-free; return nil }) }()
	<-held
	start := time.Now()
	err := s.Update("s1", State{}, func(*State) error { return nil })
	if err == nil || time.Since(start) > 10*time.Second {
		t.Errorf("waited %v, %v", time.Since(start), err)
	}
	close(free)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestCompactionIsCountedOnce(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	st := State{Saves: 3, Shown: []string{"a"}}
	st.Compacted(at)
	if st.Saves != 0 || st.Shown != nil {
		t.Errorf("%+v", st)
	}
	st.Shown = []string{"b"}
	for _, apart := range []time.Duration{-time.Second, 40 * time.Millisecond} {
		st.Compacted(at.Add(apart)) // the boundary that the transcript tells of later
		if len(st.Shown) != 1 {
			t.Errorf("forgot what was shown after the compaction, told again %v apart", apart)
		}
	}
	st.Compacted(at.Add(time.Hour))
	if st.Shown != nil {
		t.Error("did not see the next compaction")
	}
}

func TestListsAreBounded(t *testing.T) {
	s := Sessions{t.TempDir()}
	err := s.Update("s1", State{}, func(st *State) error {
		for i := range 2 * maxShown {
			st.Shown = append(st.Shown, strconv.Itoa(i))
			st.Digests = append(st.Digests, strconv.Itoa(i))
			st.Claimed, st.Saved = append(st.Claimed, strconv.Itoa(i)), append(st.Saved, strconv.Itoa(i))
		}
		return nil
	})
	st, _ := s.Load("s1")
	if err != nil || len(st.Shown) != maxShown || len(st.Digests) != maxDigests ||
		len(st.Claimed) != maxDigests || len(st.Saved) != maxDigests ||
		st.Shown[maxShown-1] != strconv.Itoa(2*maxShown-1) {
		t.Errorf("%d shown, %d digests, %v", len(st.Shown), len(st.Digests), err)
	}
}

func TestPending(t *testing.T) {
	dir := t.TempDir()
	p := Pending{filepath.Join(dir, "pending")}
	from := Desk{filepath.Join(dir, "run", "p", "s1")}
	intent := []byte(`{"category":"decision"}`)
	from.Put(Context{Category: memory.Decision, Score: .5, Excerpt: "A", Snippets: []Snippet{{Text: "one"}}})
	from.Write(IntentName(memory.Decision), intent)
	from.Write(TriageName, []byte("{}"))
	if err := p.Take("s1", from); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(from.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the desk is still there: %v", err)
	}
	p.Add("s2", Context{Category: memory.Decision, Score: .9, Excerpt: "B",
		Snippets: []Snippet{{Text: "two"}}})
	waiting, err := p.Waiting()
	if want := map[string][]memory.Category{"s1": {memory.Decision}, "s2": {memory.Decision}}; err != nil ||
		!maps.EqualFunc(waiting, want, slices.Equal) {
		t.Errorf("%v, %v", waiting, err)
	}

	to := Desk{filepath.Join(dir, "run", "p", "s3")}
	to.Write(IntentName(memory.Decision), []byte(`{"mine":true}`))
	got, err := p.Claim(to)
	if err != nil || !slices.Equal(got, []string{"s1", "s2"}) {
		t.Errorf("claimed %v, %v", got, err)
	}
	c, err := to.Context(memory.Decision)
	texts := c.Texts()
	slices.Sort(texts)
	if err != nil || !slices.Equal(texts, []string{"one", "two"}) {
		t.Errorf("%+v, %v", c, err)
	}
	intents, err := to.Intents()
	if err != nil || len(intents) != 2 || intents[0].Name != "intent-decision.2.json" ||
		string(intents[0].Data) != string(intent) || string(intents[1].Data) != `{"mine":true}` {
		t.Errorf("%+v, %v", intents, err)
	}
	if again, err := p.Claim(to); err != nil || len(again) != 0 {
		t.Errorf("claimed twice: %v, %v", again, err)
	}
}

func TestTwoClaimsShareNothing(t *testing.T) {
	dir := t.TempDir()
	p := Pending{filepath.Join(dir, "pending")}
	for i := range 20 {
		p.Add("s"+strconv.Itoa(i), Context{Category: memory.Decision, Excerpt: "x",
			Snippets: []Snippet{{Text: strconv.Itoa(i)}}})
	}
	desks := []Desk{{filepath.Join(dir, "r", "a")}, {filepath.Join(dir, "r", "b")}}
	var wg sync.WaitGroup
	for _, d := range desks {
		wg.Go(func() { p.Claim(d) })
	}
	wg.Wait()
	p.Claim(desks[0]) // what a busy lock left
	var all []string
	for _, d := range desks {
		if c, err := d.Context(memory.Decision); err == nil {
			all = append(all, c.Texts()...)
		}
	}
	slices.Sort(all)
	if len(all) != 20 || len(slices.Compact(all)) != 20 {
		t.Errorf("%d of 20: %v", len(all), all)
	}
}

func TestProcess(t *testing.T) {
	if ProcessOf(os.Getpid()).Ended() {
		t.Error("this process counts as ended")
	}
	if (Process{}).Ended() || (Process{PID: 1}).Ended() {
		t.Error("what isn't known counts as ended")
	}
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := ProcessOf(cmd.Process.Pid)
	if p.Ended() {
		t.Error("a running process counts as ended")
	}
	cmd.Process.Kill()
	cmd.Wait()
	if !p.Ended() {
		t.Error("a killed process counts as alive")
	}
}

func FuzzState(f *testing.F) {
	f.Add([]byte(`{"version":1,"session":"s","mark":{"offset":5}}`))
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if st, err := parseState(b, "x"); err == nil && st.Version > StateVersion {
			t.Fatal("took a newer file")
		}
	})
}
