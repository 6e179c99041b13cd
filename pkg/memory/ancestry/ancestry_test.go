package ancestry

import (
	"errors"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

// TestDecide goes through every combination of facts. Only what is surely not here is left out.
func TestDecide(t *testing.T) {
	count := map[State]int{}
	for _, bits := range [][3]bool{{}, {true}, {false, true}, {false, false, true}} {
		for here := Unknown; here <= Yes; here++ {
			for def := Unknown; def <= Yes; def++ {
				for branch := Unknown; branch <= Yes; branch++ {
					f := Facts{On: bits[0], Committed: bits[1], AtTip: bits[2], Here: here, Default: def,
						Branch: branch}
					s := Decide(f)
					count[s]++
					surely := here == No && def != Unknown && !f.On && !f.Committed && !f.AtTip
					if !s.Counts() && !surely {
						t.Errorf("%+v is left out as %v", f, s)
					}
					if s == Deleted && (def != No || branch != No) {
						t.Errorf("%+v is %v", f, s)
					}
					if s == Merged && (here != Yes || def != Yes) {
						t.Errorf("%+v is %v", f, s)
					}
				}
			}
		}
	}
	for s := Untold; s <= Deleted; s++ {
		if count[s] == 0 || s.String() == "" {
			t.Errorf("no facts give %v", s)
		}
	}
}

func TestMoved(t *testing.T) {
	v := View{On: "feat/y", Head: "1", Main: "main", Default: []string{"2"}}
	elsewhere := Facts{Here: No, Default: No, Branch: Yes}
	has := Facts{Here: Yes, Default: No, Branch: Yes}
	committed := Facts{Committed: true, Here: No, Default: No, Branch: Yes}
	for name, tt := range map[string]struct {
		facts    Facts
		on, head string
		grew     Growth
		want     State
	}{
		"where it was":                {elsewhere, "feat/y", "1", Jumped, Elsewhere},
		"a new branch there":          {elsewhere, "feat/z", "1", Jumped, Elsewhere},
		"a commit":                    {elsewhere, "feat/y", "3", Grew, Elsewhere},
		"a merge of who knows what":   {elsewhere, "feat/y", "3", Gained, Untold},
		"a merge keeps what it had":   {has, "feat/y", "3", Gained, Own},
		"a reset may lose it":         {has, "feat/y", "3", Jumped, Untold},
		"its own branch":              {elsewhere, "feat/x", "4", Jumped, Own},
		"main, as it was looked at":   {has, "main", "2", Jumped, Elsewhere},
		"main, which has moved":       {has, "main", "5", Jumped, Untold},
		"another branch":              {has, "feat/z", "6", Jumped, Untold},
		"a commit on another branch":  {elsewhere, "feat/z", "6", Grew, Untold},
		"no branch":                   {elsewhere, "", "6", Jumped, Untold},
		"no branch, where it was":     {elsewhere, "", "1", Jumped, Elsewhere},
		"main, whose commit is gone":  {elsewhere, "main", "", Jumped, Untold},
		"committed there, not here":   {committed, "main", "2", Jumped, Elsewhere},
		"committed, and one more now": {committed, "feat/y", "3", Grew, Own},
	} {
		if got := Decide(Moved(tt.facts, "feat/x", v, tt.on, tt.head, tt.grew)); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// TestLeft: whoever leaves a branch without work for its commit may still work on it.
func TestLeft(t *testing.T) {
	v := View{On: "feat/x", Head: "1", Main: "main", Default: []string{"1"}}
	made := New(memory.Branch{Name: "feat/x", Head: "1", Base: "1"}, v)
	left := Moved(made, "feat/x", v, "", "1", Jumped)
	if got := Decide(left); got != Untold || !left.AtTip {
		t.Errorf("%v, %+v", got, left)
	}
	v.On = ""
	if again := Moved(left, "feat/x", v, "", "1", Jumped); !again.AtTip {
		t.Errorf("%+v", again)
	}
	if other := Moved(left, "feat/x", v, "feat/y", "1", Jumped); Decide(other) != Elsewhere {
		t.Errorf("%+v", other)
	}
}

func TestRenamed(t *testing.T) {
	why := func(from, to string) Move {
		return Move{"1", "1", "Branch: renamed refs/heads/" + from + " to refs/heads/" + to}
	}
	moves := []Move{why("a", "b"), why("a", "b"), {"1", "2", "commit: a"}, why("b", "c"), why("x", "y"),
		{"2", "2", "Branch: renamed refs/heads/z"}}
	for name, want := range map[string]string{"a": "c", "b": "c", "x": "y", "z": "z"} {
		if got := Renamed(name, moves); got != want {
			t.Errorf("%s is called %s, want %s", name, got, want)
		}
	}
}

// TestReused: a branch was renamed, and another one has its name. The memory goes with its work.
func TestReused(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	h := newHistory(t, 1)
	h.branch()
	h.remember()
	h.commit()
	h.look()
	h.rename("feat/1")
	h.checkout("main")
	h.commit()
	h.git("checkout", "-q", "-b", "feat/1")
	h.heads["feat/1"], h.on = h.heads["main"], "feat/1"
	h.commit()
	h.look() // the new one does not have the memory
	h.checkout("renamed/1")
	h.look()
	if w := h.works["decisions/m1.json"]; w.Called != "renamed/1" {
		t.Errorf("%+v", w)
	}
}

// TestMovedUp: a branch that was merged and then moved up along the default one has no work of its own in
// that.
func TestMovedUp(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	h := newHistory(t, 1)
	h.branch()
	h.commit()
	h.branch()
	h.remember()
	h.checkout("main")
	h.git("merge", "-q", "--no-ff", "-m", "merge feat/2", "feat/2")
	h.head(&commit{parents: append(h.parents(), h.heads["feat/2"])})
	h.commit()
	h.commit()
	h.checkout("feat/2")
	h.rebase()
	h.checkout("main")
	h.remove("feat/2")
	h.look()
	h.checkout("feat/1") // it has the commit of the memory, and none of the later ones
	h.look()
}

// TestDropped: a rebase left out the commit of a memory, which the default branch has. The work is what came
// then.
func TestDropped(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	h := newHistory(t, 1)
	h.branch()
	h.commit()
	h.squash("feat/1")
	h.commit()
	h.checkout("feat/1")
	h.remember()
	h.rebase()
	h.commit()
	h.look()
	h.checkout("main")
	h.look()
}

func TestSince(t *testing.T) {
	for name, tt := range map[string]struct {
		moves []Move
		want  Growth
	}{
		"nothing":       {nil, Jumped},
		"two commits":   {[]Move{{"1", "2", "commit: a"}, {"2", "3", "commit (amend): b"}}, Grew},
		"earlier ones":  {[]Move{{"0", "1", "reset: moving to x"}, {"1", "2", "revert: a"}}, Grew},
		"a merge":       {[]Move{{"1", "2", "merge feat/x: Fast-forward"}, {"2", "3", "commit: b"}}, Gained},
		"a pull":        {[]Move{{"1", "2", "pull: Fast-forward"}}, Gained},
		"a pull rebase": {[]Move{{"1", "2", "pull --rebase (finish): x"}}, Jumped},
		"a reset":       {[]Move{{"1", "2", "commit: a"}, {"2", "1", "reset: moving to HEAD~1"}}, Jumped},
		"a checkout":    {[]Move{{"1", "2", "checkout: moving from a to b"}}, Jumped},
		"from nowhere":  {[]Move{{"5", "6", "commit: a"}}, Jumped},
	} {
		if got := Since(tt.moves, "1"); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestTrails(t *testing.T) {
	all := trails([]Move{
		{"0", "1", "commit (initial): one"},
		{"1", "1", "checkout: moving from main to feat/x"},
		{"1", "2", "commit: two"},
		{"2", "3", "merge main: Merge made by the 'ort' strategy."},
		{"3", "4", "rebase (start): checkout main"},
		{"4", "5", "rebase (pick): two"},
		{"5", "5", "rebase (finish): returning to refs/heads/feat/x"},
		{"5", "0123456789abcdef0123456789abcdef01234567", "checkout: moving from feat/x to 0123456"},
		{"0123456789abcdef0123456789abcdef01234567", "6", "commit: nowhere"},
		{"6", "1", "checkout: moving from 0123456789abcdef0123456789abcdef01234567 to main"},
		{"1", "7", "cherry-pick: three"},
	}, "main")
	x, main := all["feat/x"], all["main"]
	if len(all) != 2 || x == nil || main == nil {
		t.Fatalf("%v", all)
	}
	if made, seen := x.madeSince("1"); !seen || !reflect.DeepEqual(made, []string{"2", "5"}) || x.tip != "5" {
		t.Errorf("feat/x is at %s, made %v, %v", x.tip, made, seen)
	}
	if made, seen := x.madeSince("3"); !seen || !reflect.DeepEqual(made, []string{"5"}) {
		t.Errorf("after the merge %v, %v", made, seen)
	}
	made, seen := main.madeSince("?")
	if seen || !reflect.DeepEqual(made, []string{"1", "7"}) || main.tip != "7" {
		t.Errorf("main is at %s, made %v, %v", main.tip, made, seen)
	}
}

func TestPatches(t *testing.T) {
	diff := func(file, from, hunk string) string {
		return "\ndiff --git a/" + file + " b/" + file + "\nindex " + from + "..3 100644\n" + hunk
	}
	text := func(lines string) string { return "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n" + lines }
	log := "commit 1 9 a@b one\n" + diff("f", "1", text("-x\n+y\n+commit 2\n")) +
		"commit 2 9 a@b two\n" + diff("f", "2", text("-x\n+y\n")) +
		"commit 3 9 a@b three\n" + diff("g", "2", text("-x\n+y\n")) +
		"commit 4 9 a@b four\n" + diff("p.png", "7", "Binary files a/p.png and b/p.png differ\n") +
		"commit 5 9 a@b nothing\n"
	all := patches([]byte(log))
	if len(all) != 5 {
		t.Fatalf("%d", len(all))
	}
	for i, a := range all {
		for j, b := range all {
			want := i == j && i != 4 || i == 0 && j == 1 // the first does what the second does, and more
			if got := a.hasAll(b); got != want {
				t.Errorf("%s has all of %s: %v", a.by, b.by, got)
			}
		}
	}
}

// TestLookFails: where git can't tell, nothing is known and nothing is forgotten.
func TestLookFails(t *testing.T) {
	sum := strings.Repeat("1", 40)
	of := memory.Branch{Name: "feat/x", Head: sum, Base: sum}
	works := map[string]Work{"decisions/a.json": {Branch: of}}
	broken := func(...string) ([]byte, error) { return nil, errors.New("no git") }
	_, facts, after, err := Look(broken, Checkout{On: "main", Main: "main"}, works, time.Now())
	if err == nil || facts != nil || !reflect.DeepEqual(after, works) {
		t.Errorf("%v, %v, %v", facts, after, err)
	}
	refs := func(args ...string) ([]byte, error) {
		if args[0] == "for-each-ref" {
			return []byte("refs/heads/main " + sum + "\n"), nil
		}
		return nil, errors.New("no object")
	}
	works["decisions/a.json"] = Work{Branch: memory.Branch{Name: "feat/x", Head: sum}}
	if _, _, _, err := Look(refs, Checkout{On: "main", Main: "main"}, works, time.Now()); err == nil {
		t.Error("an answer without git")
	}
}

// TestOutskirts: a shallow clone and no default branch leave nothing out. A detached HEAD is told by its
// commit.
func TestOutskirts(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	h := newHistory(t, 1)
	h.branch()
	h.commit()
	h.remember() // with work of its own
	h.checkout("main")
	h.commit()
	shallow := filepath.Join(t.TempDir(), "clone")
	h.git("clone", "-q", "--depth=1", "--no-single-branch", "file://"+h.dir, shallow)
	whole := h.dir
	for name, tt := range map[string]struct {
		dir  string
		at   Checkout
		want State
	}{
		"whole":       {whole, Checkout{On: "main", Main: "main"}, Elsewhere},
		"shallow":     {shallow, Checkout{On: "main", Main: "main", Shallow: true}, Untold},
		"no default":  {whole, Checkout{On: "main"}, Untold},
		"detached":    {whole, Checkout{Head: h.heads["main"].sum, Main: "main"}, Elsewhere},
		"at its work": {whole, Checkout{Head: h.heads["feat/1"].sum, Main: "main"}, Own},
		"rebasing it": {whole, Checkout{On: "feat/1", Head: h.heads["main"].sum, Main: "main"}, Own},
		"on it":       {whole, Checkout{On: "feat/1"}, Own},
	} {
		h.dir = tt.dir
		_, facts, _, err := Look(h.run, tt.at, h.works, time.Now())
		if got := Decide(facts["decisions/m1.json"]); err != nil || got != tt.want {
			t.Errorf("%s: %v, want %v, %v", name, got, tt.want, err)
		}
	}
}

func FuzzTrails(f *testing.F) {
	f.Add("1 2 commit: x\n2 2 checkout: moving from a to b\n2 3 commit: y", "b")
	f.Add("1 2 checkout: moving from  to \n", "")
	f.Fuzz(func(t *testing.T, log, on string) {
		var moves []Move
		for line := range strings.Lines(log) {
			if f := strings.SplitN(strings.TrimRight(line, "\n"), " ", 3); len(f) == 3 {
				moves = append(moves, Move{f[0], f[1], f[2]})
			}
		}
		for name, tr := range trails(moves, on) {
			if made, _ := tr.madeSince(tr.tip); name == "" || len(made) > len(moves) {
				t.Errorf("%q: %v", name, tr)
			}
		}
		Since(moves, "1")
	})
}

func FuzzPatches(f *testing.F) {
	f.Add([]byte("commit 1 a\n\ndiff --git a/f b/f\nindex 1..2\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"))
	f.Add([]byte("Binary files \n+\ncommit \n-\n\\ No newline\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		for _, p := range patches(log) {
			if len(p.lines) > 0 && !p.hasAll(p) {
				t.Error("a patch lacks its own lines")
			}
		}
	})
}
