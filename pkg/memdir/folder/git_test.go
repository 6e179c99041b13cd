package folder

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memdir"
	"keepsake/pkg/project/session"
)

// TestBlamedLines has a line that was committed, a second of its commit, and one that was not.
func TestBlamedLines(t *testing.T) {
	a, none := strings.Repeat("a1", 20), strings.Repeat("0", 40)
	out := a + " 1 1 2\nauthor Ada\nauthor-time 1700000000\nsummary author-time 5\n" +
		"previous " + none + " m/a.md\n\tauthor-time 7\n" +
		a + " 2 2\nauthor-time 1700000000\n\t\n" + none + " 3 3 1\nauthor-time 1800000000\n\tnew\n"
	at := time.Unix(1700000000, 0)
	want := []blamed{{"author-time 7", at, none + ":m/a.md"}, {"", at, ""}, {"new", time.Time{}, ""}}
	if got := blamedLines(out); !slices.Equal(got, want) {
		t.Error(got)
	}
}

// TestLinesOf: a line has the day of its commit wherever it stands now, unless it stands there more often.
func TestLinesOf(t *testing.T) {
	one, two := time.Unix(1, 0), time.Unix(2, 0)
	last := []blamed{{"# A", one, ""}, {"Broke today.", one, ""}, {"", one, ""},
		{"Mended  today.", two, "c:a.md"}, {"", two, ""}, {"Twice.", one, ""}}
	now := "Mended today.\n\n# A\nNew.\n\nTwice.\nTwice.\nBroke today."
	want := []blamed{{"Mended today.", two, "c:a.md"}, {"", one, ""}, {"# A", one, ""},
		{"New.", time.Time{}, ""}, {"", two, ""}, {"Twice.", time.Time{}, ""},
		{"Twice.", time.Time{}, ""}, {"Broke today.", one, ""}}
	if got := linesOf([]byte(now), last); !slices.Equal(got, want) {
		t.Error(got)
	}
}

// TestNothingOfTheRepositoryRuns: git runs none of the filters, text conversions and signature programs that
// a repository names, and what it says of the files stays right.
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	dir, programs := t.TempDir(), t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c",
			"user.email=a@b.example", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2026-10-02T09:00:00Z",
			"GIT_AUTHOR_DATE=2026-10-02T09:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"user/events/same.md", "user/events/other.md"}
	run("init", "-q")
	for _, name := range names {
		write(filepath.Join(dir, name), "Yesterday it broke.\n", 0o600)
	}
	run("add", ".")
	run("commit", "-qm", "one")
	write(filepath.Join(dir, names[1]), "Yesterday it broke.\nToday it runs.\n", 0o600)
	write(filepath.Join(dir, ".gitattributes"), "*.md diff=evil filter=evil\n", 0o600)
	// A commit that says that it is signed, so that a program would be asked.
	commit, err := exec.Command("git", "-C", dir, "cat-file", "commit", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	signed := filepath.Join(programs, "commit")
	write(signed, strings.Replace(string(commit), "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n"+
		" iQ==\n -----END PGP SIGNATURE-----\n\n", 1), 0o600)
	name, err := exec.Command("git", "-C", dir, "hash-object", "-t", "commit", "-w", signed).Output()
	if err != nil {
		t.Fatal(err)
	}
	run("update-ref", "HEAD", strings.TrimSpace(string(name)))
	program, ran := filepath.Join(programs, "evil"), filepath.Join(programs, "ran")
	write(program, "#!/bin/sh\necho \"$@\" >>'"+ran+"'\ncat\n", 0o700)
	for key, value := range map[string]string{"diff.evil.textconv": program + " textconv",
		"diff.evil.command": program, "filter.evil.clean": program + " clean", "gpg.program": program,
		"log.showSignature": "true"} {
		run("config", key, value)
	}
	s, err := session.Open(session.Call{ID: "s1", Cwd: dir})
	if err != nil {
		t.Fatal(err)
	}
	f := Folder{Root: dir, session: s}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		// What lstat says is not what the index has, so that git can't go by it.
		if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		f.Files = append(f.Files, memdir.File{Path: name, Bytes: text})
	}
	f.Blame(t.Context())
	f.MarkRewritten(t.Context())
	if said, err := os.ReadFile(ran); !os.IsNotExist(err) {
		t.Errorf("the repository's programs ran: %s, %v", said, err)
	}
	same, other := f.Files[0], f.Files[1]
	if same.Rewritten || !other.Rewritten {
		t.Error(same.Rewritten, other.Rewritten)
	}
	if len(same.Written) != 1 || len(other.Written) != 2 || same.Written[0].IsZero() ||
		other.Written[0] != same.Written[0] || !other.Written[1].IsZero() {
		t.Error(same.Written, other.Written)
	}
}
