package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

func TestBlame(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A B", "-c",
			"user.email=a@b.example",
			"-c", "commit.gpgsign=false"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, "sub", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(subject string) string {
		t.Helper()
		run("add", "-A")
		run("commit", "-q", "--allow-empty", "-m", subject)
		return run("rev-parse", "HEAD")
	}
	run("init", "-q", "-b", "main")
	redis := "package queue\n\nimport \"x\"\n\nfunc Push() {}\n\nfunc Pop() {}\n\nconst a, b, c, d = 1, 2, " +
		"3, 4\n"
	put("queue/redis.go", redis+"\nfunc Drain() {}\n")
	put("queue/a.go", "package queue\n\nfunc Run() {}\n")
	put("config.yaml", "pool: 20\nsize: 1\n")
	put("go.mod", "module m\n\ngo 1.26\n\nrequire a.example/b v1.5.0\n")
	put("moved.go", redis+"// moved\n")
	first := commit("first")
	want := map[string]string{}
	commit("nothing")
	put("config.yaml", "pool: 30\nsize: 1\n")
	want[`file_contains config.yaml "pool: 20"`] = commit("config: a larger pool")
	put("config.yaml", "pool: 30\nsize: 2\n")
	commit("config: size")
	run("rm", "-q", "sub/queue/redis.go")
	want["path_exists queue/redis.go"] = commit("queue: <b>drop</b> Redis")
	want["symbol_defined queue Drain"] = want["path_exists queue/redis.go"]
	put("queue/a.go", "package queue\n\nfunc Go() { Run() }\n\nfunc Serve() {}\n")
	want["symbol_defined queue/a.go Run"] = commit("queue: rename Run")
	put("go.mod", "module m\n\ngo 1.26\n\nrequire a.example/b v1.4.0\n")
	want["requires go.mod a.example/b v1.5"] = commit("go.mod: back to 1.4")
	run("mv", "sub/moved.go", "sub/queue/now.go")
	want["path_exists moved.go"] = commit("move it")
	commit("last")
	ctx, root := context.Background(), filepath.Join(dir, "sub")
	for line, hash := range want {
		c, err := memory.ParseCheck(line)
		if err != nil {
			t.Fatal(line, err)
		}
		got, err := Blame(ctx, root, c)
		if err != nil || got.Hash != hash || got.Author != "A B" || got.Date == "" ||
			got.Subject != run("log", "-1", "--format=%s", hash) || !strings.HasPrefix(hash, got.Short()) {
			t.Errorf("%s: %+v, %v, want %s", line, got, err, hash)
		}
		if moved := map[bool]string{true: "queue/now.go"}[line == "path_exists "+
			"moved.go"]; got.MovedTo != moved {
			t.Errorf("%s: moved to %q", line, got.MovedTo)
		}
	}
	if err := os.Remove(filepath.Join(root, "queue/a.go")); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]error{"path_exists queue/a.go": ErrUncommitted,
		"path_exists never/was.go": ErrNoCommit, "before 2020-01-01": ErrNoCommit} {
		c, _ := memory.ParseCheck(line)
		if got, err := Blame(ctx, root, c); !errors.Is(err, want) {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	if is, err := HasCommit(ctx, root, first[:9]); !is || err != nil {
		t.Error(is, err)
	}
	run("checkout", "-q", "-b", "other", first)
	if is, err := HasCommit(ctx, root, want["path_exists moved.go"]); is || err != nil {
		t.Error(is, err)
	}
	if is, err := HasCommit(ctx, root, strings.Repeat("1", 40)); is || err == nil {
		t.Error("a commit that is not here:", is, err)
	}
}

// TestBlameBounds: what is too much is not read, and blame says so.
func TestBlameBounds(t *testing.T) {
	dir := t.TempDir()
	run := func(stdin string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c",
			"user.email=a@b.example", "-c", "commit.gpgsign=false", "-c", "gc.auto=0"}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	run("", "init", "-q", "-b", "main")
	// The stream has commits of a file that had the word once, and of one that is changed often.
	var stream strings.Builder
	n := 0
	commit := func(file, text string) {
		n++
		fmt.Fprintf(&stream, "commit refs/heads/main\nmark :%d\ncommitter a <a@b.example> %d +0000\n"+
			"data 1\nx", n, 1_790_000_000+n)
		if n > 1 {
			fmt.Fprintf(&stream, "\nfrom :%d", n-1)
		}
		fmt.Fprintf(&stream, "\nM 100644 inline %s\ndata %d\n%s\n", file, len(text), text)
	}
	commit("large.txt", "word "+strings.Repeat("x", 1<<20))
	commit("large.txt", "gone")
	commit("go.mod", "module a\nrequire b.c/d v1.9.0\n")
	for i := range 4 {
		commit("go.mod", fmt.Sprintf("module a\nrequire b.c/d v1.1.%d\n", i))
	}
	run(stream.String(), "fast-import", "--quiet")
	run("", "reset", "-q", "--hard")
	for line, want := range map[string]string{
		"file_contains large.txt word": "large.txt is too large in a commit to be read " +
			"(more than 1024 KiB)",
		"path_exists go.sum":         ErrNoCommit.Error(),
		"requires go.mod b.c/d v1.5": ErrCapped.Error(),
	} {
		c, err := memory.ParseCheck(line)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := blame(context.Background(), dir, c, 3); err == nil || err.Error() != want {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	c, _ := memory.ParseCheck("requires go.mod b.c/d v1.5")
	if got, err := Blame(context.Background(), dir, c); err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	past := history{ask: Reader(context.Background(), dir), left: 3}
	if _, err := (&committed{&past, "HEAD"}).Read("go.mod"); err == nil || past.capped == nil {
		t.Errorf("%v, %v", err, past.capped)
	}
}
