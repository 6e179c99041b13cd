package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRunEnds: git waits for ever for a pipe in a file's place; Run doesn't.
func TestRunEnds(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	if _, err := Run(t.Context(), dir, "init", "-q"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if err := syscall.Mkfifo(filepath.Join(dir, ".gitignore"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "f"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Run(ctx, dir, "check-ignore", "f")
	if err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("%v", err)
	}
}

// TestTakes: a file is warned of where the next commit of everything would have it.
func TestTakes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	repo, outside := t.TempDir(), t.TempDir()
	for _, dir := range []string{repo + "/deep", repo + "/private"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ignored := "*.html\n!deep/kept.html\nprivate/\n"
	for name, text := range map[string]string{".gitignore": ignored, "old.html": ""} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(repo, filepath.Join(outside, "link")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "old.html"}} {
		if _, err := Run(t.Context(), repo, args...); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(path string, want, told bool) {
		t.Helper()
		if got, err := Takes(t.Context(), path); got != want || (err == nil) != told {
			t.Errorf("Takes(%s) = %v, %v", path, got, err)
		}
	}
	for path, want := range map[string]bool{
		repo + "/page": true, repo + "/deep/page": true, repo + "/deep/kept.html": true,
		repo + "/old.html": true, // it is tracked
		repo + "/:page":    true, outside + "/link/page": true,
		repo + "/page.html": false, repo + "/private/page": false, outside + "/page": false,
		outside + "/link/page.html": false,
	} {
		ask(path, want, true)
	}
	ask(repo+"/gone/page", false, false)
	if err := syscall.Mkfifo(filepath.Join(repo, "deep", ".gitignore"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask(repo+"/deep/page", false, false)
	t.Setenv("PATH", "")
	ask(repo+"/page", false, false)
	ask(outside+"/page", false, true)
}

// TestNothingIsFetched: in a clone that left objects out, git would fetch them by a program that the
// repository names.
func TestNothingIsFetched(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	source, clone := filepath.Join(dir, "source"), filepath.Join(dir, "clone")
	up, ran := filepath.Join(dir, "up"), filepath.Join(dir, "ran")
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q", source)
	write(filepath.Join(source, ".gitignore"), "page\n", 0o600)
	run("-C", source, "add", ".")
	run("-C", source, "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "one")
	run("-C", source, "config", "uploadpack.allowFilter", "true")
	run("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+source, clone)
	run("-C", clone, "read-tree", "HEAD")
	run("-C", clone, "update-index", "--skip-worktree", ".gitignore")
	write(up, "#!/bin/sh\necho >>'"+ran+"'\nexec git-upload-pack \"$@\"\n", 0o700)
	run("-C", clone, "config", "remote.origin.uploadpack", up)
	if is, err := HasCommit(t.Context(), clone, strings.Repeat("1", 40)); is || err == nil {
		t.Error("a commit that is not here:", is, err)
	}
	_, _ = Takes(t.Context(), filepath.Join(clone, "page"))
	_, _ = Committed(clone)("cat-file", "blob", "HEAD:.gitignore")
	if _, err := os.Stat(ran); !os.IsNotExist(err) {
		t.Error("the repository's program ran:", err)
	}
	run("-C", clone, "cat-file", "blob", "HEAD:.gitignore") // git alone would have
	if _, err := os.Stat(ran); err != nil {
		t.Error(err)
	}
}

// TestProjectsGit: a program of the project is not run, whichever of its folders PATH names.
func TestProjectsGit(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	project, outside := t.TempDir(), t.TempDir()
	if _, err := Run(t.Context(), project, "init", "-q"); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(project, "bin")
	if err := os.MkdirAll(filepath.Join(project, "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho mine\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	if said, err := Run(t.Context(), outside, "version"); said != "mine" || err != nil {
		t.Errorf("from elsewhere: %q, %v", said, err)
	}
	if said, err := Run(t.Context(), filepath.Join(project, "deep"), "version"); !errors.Is(err, errNoGit) {
		t.Errorf("%q, %v", said, err)
	}
	t.Chdir(filepath.Join(project, "deep"))
	t.Setenv("PATH", bin+":"+filepath.Dir(real))
	for _, dir := range []string{outside, project, "."} {
		if said, err := Run(t.Context(), dir, "version"); said == "mine" || err != nil {
			t.Errorf("%s: %q, %v", dir, said, err)
		}
	}
}

// TestIsBlob has the names that git hash-object gives.
func TestIsBlob(t *testing.T) {
	name := "ce013625030ba8dba906f756967f9e9ca394464a"
	for text, want := range map[string]bool{"hello\n": true, "hello\r\n": true, "hello": false} {
		if got := IsBlob(name, []byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !IsBlob("2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4", []byte("hello\n")) {
		t.Error("by SHA-256")
	}
}
