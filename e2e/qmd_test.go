//go:build e2e

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/tiers"
)

// RealQMD is QMD itself, from npm, with a home of its own and a project that it has indexed.
type RealQMD struct {
	t       *testing.T
	home    string
	project string
}

func realQMD(t *testing.T) *RealQMD {
	t.Helper()
	bin, err := filepath.Abs(filepath.Join("qmd", "node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"qmd", "node"} {
		if _, err := os.Stat(filepath.Join(bin, program)); err != nil {
			t.Fatalf("QMD is not installed: %v\nhint: run e2e/install-qmd.sh", err)
		}
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	q := &RealQMD{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "shop")}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "QMD_") || strings.HasPrefix(name, "CLAUDE") || strings.HasPrefix(name, "KEEPSAKE") || name == "INDEX_PATH" {
			t.Setenv(name, "")
		}
	}
	t.Setenv("HOME", q.home)
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	for path, text := range map[string]string{
		"src/auth/login.ts": "// The login handler checks name and password.\nexport function loginHandler() {\n  return issueToken();\n}\n",
		"docs/auth.md":      "# Signing in\n\nThe login handler lives in src/auth/login.ts.\n",
		"docs/gone.md":      "# Gone\n\nThe invoice archive.\n",
	} {
		q.write(filepath.Join(q.project, path), text)
	}
	q.write(filepath.Join(q.home, "notes", "diary.md"), "# Diary\n\nabout the login handler\n")
	q.qmd("collection", "add", q.project, "--name", "shop", "--mask", "**/*.{md,ts}")
	q.qmd("collection", "add", filepath.Join(q.home, "notes"), "--name", "notes")
	return q
}

func (q *RealQMD) write(path, text string) {
	q.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		q.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		q.t.Fatal(err)
	}
}

func (q *RealQMD) qmd(args ...string) {
	q.t.Helper()
	cmd := exec.Command("qmd", args...)
	cmd.Dir = q.project
	if out, err := cmd.CombinedOutput(); err != nil {
		q.t.Fatalf("qmd %v: %v\n%s", args, err, out)
	}
}

// keepsake runs the built program in the project.
func (q *RealQMD) keepsake(args ...string) (out, said string, code int) {
	q.t.Helper()
	bin, err := filepath.Abs(filepath.Join("..", "bin", "keepsake"))
	if err != nil {
		q.t.Fatal(err)
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir = q.project
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		q.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// TestRealQMD asks QMD itself, and hurts it.
func TestRealQMD(t *testing.T) {
	q := realQMD(t)
	choice := tiers.PickWhere("auto", q.project)
	if choice.Backend != "qmd" || !slices.Equal(choice.Collections, []string{"shop"}) {
		t.Fatalf("picked %+v", choice)
	}
	find := func(question string) (places []string) {
		t.Helper()
		hits, err := tiers.QMD{Root: q.project, Collections: choice.Collections}.Find(t.Context(), question, 5)
		if err != nil {
			t.Fatalf("%s: %v", question, err)
		}
		for _, h := range hits {
			if h.Source != "WHERE" || h.Line < 1 || h.Text == "" || h.Date == "" {
				t.Errorf("%s: %+v", question, h)
			}
			places = append(places, h.Path)
		}
		slices.Sort(places)
		return places
	}
	both := []string{"docs/auth.md", "src/auth/login.ts"}
	for question, want := range map[string][]string{
		"where is the login handler":               both,
		`which file has the "login handler`:        both,
		"find src/auth/login.ts":                   both,
		"locate loginHandler":                      both[1:],
		"where is the login -handler of kangaroos": nil,
		"where is the invoice archive":             {"docs/gone.md"},
		"kubernetes":                               nil,
	} {
		if got := find(question); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}

	// QMD shows what is gone until its next update; Keepsake doesn't.
	if err := os.Remove(filepath.Join(q.project, "docs", "gone.md")); err != nil {
		t.Fatal(err)
	}
	if got := find("where is the invoice archive"); got != nil {
		t.Errorf("a file that is gone is found: %v", got)
	}

	out, said, code := q.keepsake("tiers")
	if code != 0 || !strings.Contains(out, "WHERE    qmd: tiers.where is auto, and qmd has a collection of this project") || said != "" {
		t.Errorf("tiers: exit %d\n%s%s", code, out, said)
	}

	out, said, code = q.keepsake("recall", "where", "is", "the", "login", "handler")
	if code != 0 || !strings.Contains(out, "[source: WHERE] src/auth/login.ts:") {
		t.Errorf("recall: exit %d\n%s%s", code, out, said)
	}

	// With a damaged index nothing else answers.
	if err := os.WriteFile(filepath.Join(q.home, ".cache", "qmd", "index.sqlite"), bytes.Repeat([]byte("junk"), 4096), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, left := range []string{"-wal", "-shm"} {
		os.Remove(filepath.Join(q.home, ".cache", "qmd", "index.sqlite"+left))
	}
	if out, said, code := q.keepsake("tiers"); code != 1 || !strings.Contains(said, "keepsake: qmd: failed with exit code 1: ") || !strings.Contains(said, "hint: qmd status") {
		t.Errorf("tiers with a damaged index: exit %d\n%s%s", code, out, said)
	}
	if out, said, code := q.keepsake("recall", "where is the login handler"); code != 1 || out != "" || !strings.Contains(said, "keepsake config set tiers.where embedded") {
		t.Errorf("recall with a damaged index: exit %d\n%s%s", code, out, said)
	}
}
