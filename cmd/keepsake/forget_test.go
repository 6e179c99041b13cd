package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/project/session"
)

// filesWith returns the files below folders that have a word.
func filesWith(t *testing.T, word string, dirs ...string) (files []string) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			b, err := os.ReadFile(path)
			if strings.Contains(strings.ToLower(string(b)), word) ||
				strings.Contains(strings.ToLower(path), word) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestForgetForGood: after a yes the words of a memory are nowhere any more, what else
// the plans did stays, and nothing brings it back.
func TestForgetForGood(t *testing.T) {
	now := time.Now()
	s := findingsLab(t, now, "We decided to feed the zebra because it was hungry.",
		"We decided to use tabs because they are short.")
	noteOne(t, s, finding.Finding{Text: "We decided to feed the zebra at noon.",
		Context: []finding.Line{{By: finding.Typed,
			Text: "We decided to feed the zebra because it was hungry. And when?"}}})
	noteOne(t, s, finding.Finding{Text: "The other animals sleep.",
		Context: []finding.Line{{By: finding.Typed,
			Text: "We decided to feed the zebra because it was hungry. And they?"},
			{By: finding.Agent, Text: "They sleep."}}})
	ask := func(typed string, args ...string) (string, int) {
		out, errs, shown, code := answering(typed, now, append([]string{"--project", s.Root}, args...)...)
		return out + errs + shown, code
	}
	must := func(typed string, args ...string) string {
		said, code := ask(typed, args...)
		if code != exitDone {
			t.Fatalf("%v: exit %d, %q", args, code, said)
		}
		return said
	}
	must("", "remember",
		`[{"covers":[1],"category":"decision","title":"Feed the zebra","content":{"context":"It was hungry.","decision":"Feed the zebra.","rationale":["It was hungry."]}},`+
			`{"covers":[2],"category":"decision","title":"Use tabs","content":{"context":"They are short.","decision":"Use tabs.","rationale":["They are short."]}}]`)
	takenBack := func(when string, want bool) {
		t.Helper()
		if got := strings.Contains(must("", "status"), "ago), taken back since"); got != want {
			t.Errorf("%s: the last save is taken back: %v", when, got)
		}
	}
	must("", "retire", "feed-the-zebra")
	takenBack("one of two memories is retired", false)
	must("", "restore", "feed-the-zebra")
	if _, err := s.Hearing(); err != nil {
		t.Fatal(err)
	}
	inGit := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", s.Root, "-c", "user.name=x", "-c", "user.email=x@x"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	inGit("init", "-q")
	dirs := []string{filepath.Join(s.Root, ".claude"), os.Getenv("XDG_STATE_HOME"),
		os.Getenv("XDG_CACHE_HOME")}
	if len(filesWith(t, "zebra", dirs...)) < 6 {
		t.Fatal("the test looks in the wrong places")
	}
	for _, typed := range []string{"", "n\n", "\nx\n"} {
		if said := must(typed, "forget", "feed-the-zebra", "--for-good"); !strings.Contains(said,
			"nothing was deleted") || !strings.Contains(said, "[1] \"We decided to feed the zebra because") {
			t.Errorf("%q: %q", typed, said)
		}
	}
	said := must("y\n", "forget", "feed-the-zebra", "--for-good")
	for _, want := range []string{"deleted for good: decisions/feed-the-zebra.json, 3 plans of its " +
		"history, [1]", "another statement has its words: keepsake forget 3 --for-good"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	if strings.Contains(said, "git keeps") || strings.Contains(said, "still has") {
		t.Errorf("%q", said) // nothing was ever committed
	}
	takenBack("one of two memories is deleted", false)
	must("y\n", "forget", "3", "--for-good")
	if left := filesWith(t, "feed the zebra", dirs...); len(left) > 0 {
		t.Errorf("left in %v", left)
	}
	if f := stateOf(t, s, 4); len(f.Context) != 1 || f.Text == "" || !f.State.Waits() {
		t.Errorf("%+v", f)
	}
	for number, want := range map[int]finding.State{1: finding.SetAside, 2: finding.Saved,
		3: finding.Rejected} {
		if f := stateOf(t, s, number); f.State != want {
			t.Errorf("[%d] is %s, want %s", number, f.State, want)
		}
	}
	// The same sentence, said again, is not noticed again.
	noteOne(t, s, finding.Finding{Text: "We decided to feed the zebra at noon."})
	if out := must("", "inbox"); strings.Contains(out, "zebra") {
		t.Errorf("%q", out)
	}

	if said, code := ask("", "undo"); code != exitFailed || !strings.Contains(said,
		"what was done last: a memory was forgotten for good") {
		t.Errorf("exit %d, %q", code, said)
	}
	tabs := must("", "history", "use-tabs")
	digest := strings.Fields(tabs)[2]
	if said, code := ask("", "history", "feed-the-zebra"); code != exitFailed {
		t.Errorf("exit %d, %q", code, said)
	}
	if out := must("", "list"); !strings.Contains(out, "use-tabs") || strings.Contains(out, "zebra") {
		t.Errorf("%q", out)
	}
	list, err := os.ReadFile(filepath.Join(s.Root, ".claude", "memory", ".history", "expunged.json"))
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Split(strings.SplitN(string(list), `"now":"`+digest[:8], 2)[0], `"digest":"`)
	was := old[len(old)-1][:12]
	if said, code := ask("", "undo", was); code != exitFailed ||
		!strings.Contains(said, "one whose memory was forgotten for good") ||
		!strings.Contains(said, "keepsake undo "+digest[:8]) {
		t.Errorf("%s: exit %d, %q", was, code, said)
	}
	said = must("", "undo", digest)
	_, again, _ := strings.Cut(said, "keepsake undo ")
	if again, _, _ = strings.Cut(again, " "); !strings.Contains(said, "gone: decisions/use-tabs.json") {
		t.Errorf("%q", said)
	}
	if f := stateOf(t, s, 2); f.State != finding.SetAside {
		t.Errorf("%+v", f)
	}
	takenBack("one is deleted, the rest of the plan undone", true)
	must("", "undo", again)
	must("", "show", "use-tabs")
	takenBack("the rest is done again", false)

	// What a commit has is named, also where the file is in no branch any more.
	inGit("add", "-f", ".claude/memory/decisions/use-tabs.json")
	inGit("commit", "-q", "-m", "x")
	inGit("rm", "-q", "--cached", ".claude/memory/decisions/use-tabs.json")
	inGit("commit", "-q", "-m", "y")
	if said := must("y\n", "forget", "use-tabs", "--for-good"); !strings.Contains(said,
		"git keeps what was committed: git log --all -- .claude/memory/decisions/use-tabs.json") {
		t.Errorf("%q", said)
	}
	takenBack("both are deleted", true)
}

// TestForgetForGoodBesideBroken: a file that can't be changed keeps no words anywhere else, and the command
// that is named then takes away what is left.
func TestForgetForGoodBesideBroken(t *testing.T) {
	now := time.Now()
	for name, broken := range map[string]func(s *session.Session) (path, whole string){
		"choices": func(s *session.Session) (string, string) {
			return s.Choices().Path, `{"version":1,"chosen":[{"path":"decisions/feed-the-zebra.json",` +
				`"digest":"x","choice":"keep"},{"path":"decisions/use-tabs.json","digest":"y","choice":"keep"}]}`
		},
		"guards": func(s *session.Session) (string, string) {
			return filepath.Join(string(s.Armed()), "guards.json"), "[]"
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := findingsLab(t, now, "We decided to feed the zebra because it was hungry.")
			run := func(args ...string) (string, int) {
				args = append([]string{"--project", s.Root}, args...)
				out, errs, shown, code := answering("y\n", now, args...)
				return out + errs + shown, code
			}
			if said, code := run("remember", `[{"covers":[1],"category":"decision","title":"Feed the zebra",`+
				`"content":{"context":"It was hungry.","decision":"Feed the zebra.",`+
				`"rationale":["It was hungry."]}}]`); code != exitDone {
				t.Fatal(said)
			}
			run("recall", "zebra") // makes the index
			path, whole := broken(s)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
			said, code := run("forget", "zebra", "--for-good")
			if code != exitFailed || !strings.Contains(said, path+": ") ||
				!strings.HasSuffix(said[:strings.Index(said, "decisions/")],
					"hint: keepsake forget feed-the-zebra --for-good goes on from there\n") {
				t.Errorf("exit %d, %q", code, said)
			}
			dirs := []string{filepath.Join(s.Root, ".claude"), os.Getenv("XDG_STATE_HOME"),
				os.Getenv("XDG_CACHE_HOME")}
			for _, words := range []string{"feed the zebra", "hungry"} {
				if left := filesWith(t, words, dirs...); len(left) > 0 {
					t.Errorf("%q is left in %v", words, left)
				}
			}
			if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
				t.Fatal(err)
			}
			if said, code := run("forget", "feed-the-zebra", "--for-good"); code != exitDone {
				t.Errorf("exit %d, %q", code, said)
			}
			if left := filesWith(t, "zebra", dirs...); len(left) > 0 {
				t.Errorf("left in %v", left)
			}
			if b, err := os.ReadFile(path); err != nil || strings.Contains(whole, "use-tabs") &&
				!strings.Contains(string(b), "use-tabs") {
				t.Errorf("%s, %v", b, err)
			}
		})
	}
}
