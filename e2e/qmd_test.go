//go:build e2e

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"keepsake/pkg/search/tiers"
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
		if strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "QMD_") ||
			strings.HasPrefix(name, "CLAUDE") || strings.HasPrefix(name, "KEEPSAKE") || name == "INDEX_PATH" {
			t.Setenv(name, "")
		}
	}
	t.Setenv("HOME", q.home)
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	for path, text := range map[string]string{
		"src/auth/login.ts": "// The login handler checks name and password.\nexport function " +
			"loginHandler() {\n  return issueToken();\n}\n",
		"docs/auth.md": "# Signing in\n\nThe login handler lives in src/auth/login.ts.\n",
		"docs/gone.md": "# Gone\n\nThe invoice archive.\n",
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
	_, end := q.start(args...)
	return end()
}

// start starts the built program in the project; end waits for it.
func (q *RealQMD) start(args ...string) (p *os.Process, end func() (out, said string, code int)) {
	q.t.Helper()
	bin, err := filepath.Abs(filepath.Join("..", "bin", "keepsake"))
	if err != nil {
		q.t.Fatal(err)
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir = q.project
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		q.t.Fatal(err)
	}
	return cmd.Process, func() (string, string, int) {
		q.t.Helper()
		if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
			q.t.Fatal(err)
		}
		return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
	}
}

// TestRealQMD asks QMD itself.
func TestRealQMD(t *testing.T) {
	q := realQMD(t)
	choice := tiers.PickWhere("auto", q.project)
	if choice.Backend != "qmd" || !slices.Equal(choice.Collections, []string{"shop"}) {
		t.Fatalf("picked %+v", choice)
	}
	find := func(question string) (places []string) {
		t.Helper()
		hits, err := tiers.QMD{Root: q.project, Collections: choice.Collections}.Find(t.Context(), question,
			5)
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
	if code != 0 || !strings.Contains(out,
		"WHERE    qmd: tiers.where is auto, and qmd has a collection of this project") || said != "" {
		t.Errorf("tiers: exit %d\n%s%s", code, out, said)
	}

	out, said, code = q.keepsake("recall", "where", "is", "the", "login", "handler")
	if code != 0 || !strings.Contains(out, "[source: WHERE] src/auth/login.ts:") {
		t.Errorf("recall: exit %d\n%s%s", code, out, said)
	}

	// What somebody said of it goes before what QMD finds.
	if out, said, code := q.keepsake("save", "--tier", "where",
		"login handler: src/auth/login.ts"); code != 0 ||
		out != "Saved to WHERE / .agents/memory/where.md:3\n" {
		t.Errorf("save: exit %d\n%s%s", code, out, said)
	}
	out, said, code = q.keepsake("recall", "where is the login handler")
	if code != 0 || !strings.HasPrefix(out, "[source: WHERE] .agents/memory/where.md:3 (") ||
		!strings.Contains(out, "\n[source: WHERE] src/auth/login.ts:") {
		t.Errorf("recall: exit %d\n%s%s", code, out, said)
	}
}

// TestRealQMDInTrouble: when QMD fails, nothing else answers in its place, the message says what helps, and
// no process of it is left.
func TestRealQMDInTrouble(t *testing.T) {
	q := realQMD(t)
	const embedded = "\nhint: keepsake config set tiers.where embedded"
	fails := func(t *testing.T, out, said string, code int, want ...string) {
		t.Helper()
		if code != 1 || out != "" {
			t.Errorf("exit %d\n%s", code, out)
		}
		for _, w := range append(want, embedded) {
			if !strings.Contains(said, w) {
				t.Errorf("does not say %q:\n%s", w, said)
			}
		}
	}
	ask := func(t *testing.T, want ...string) {
		t.Helper()
		out, said, code := q.keepsake("recall", "where is the login handler")
		fails(t, out, said, code, want...)
		if _, said, code := q.keepsake("tiers"); code != 1 {
			t.Errorf("tiers: exit %d\n%s", code, said)
		}
	}
	system := filepath.Join(t.TempDir(), "bin") // no qmd, whatever this machine has
	q.link(system, "git")

	t.Run("missing", func(t *testing.T) {
		t.Setenv("PATH", system)
		out, said, code := q.keepsake("tiers")
		if code != 0 || !strings.Contains(out,
			"WHERE    embedded: tiers.where is auto, and qmd is not installed") {
			t.Errorf("auto: exit %d\n%s%s", code, out, said)
		}
		t.Setenv("KEEPSAKE_TIERS_WHERE", "qmd")
		ask(t,
			"keepsake: qmd: is not installed\nhint: npm install -g @tobilu/qmd@2.8.3, with Node 22 or newer")
	})
	t.Run("no Node", func(t *testing.T) {
		t.Setenv("PATH", q.link(filepath.Join(t.TempDir(), "bin"), "qmd", "git", "env"))
		ask(t, "hint: npm install -g @tobilu/qmd@2.8.3, with Node 22 or newer")
	})
	t.Run("an old Node", func(t *testing.T) {
		bin := q.link(filepath.Join(t.TempDir(), "bin"), "qmd", "git", "env")
		old, err := filepath.Abs("qmd/node_modules/old-node/bin")
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", old+":"+bin)
		ask(t, "keepsake: qmd: crashed, as it does with a Node older than 22\nhint: install Node 22 or newer")
	})
	t.Run("garbage", func(t *testing.T) {
		noise := filepath.Join(t.TempDir(), "noise.js")
		q.write(noise, "console.log('Debugger attached.')\n")
		t.Setenv("NODE_OPTIONS", "--require="+noise)
		ask(t, `keepsake: qmd: answered "Debugger attached. Debugger attached. [`,
			"which is no list of results", "hint: it is tested with version 2.8.3")
	})
	t.Run("slow", func(t *testing.T) {
		defer q.lock()()
		begun := time.Now()
		out, said, code := q.keepsake("recall", "where is the login handler")
		fails(t, out, said, code,
			"keepsake: qmd: did not answer within 5s and was stopped\nhint: try it by hand: qmd search")
		if took := time.Since(begun); took > 15*time.Second {
			t.Errorf("it took %s", took)
		}
		q.gone("login handler")
	})
	t.Run("killed", func(t *testing.T) {
		defer q.lock()()
		_, end := q.start("recall", "where is the login handler")
		inner := q.await("dist/cli/qmd.js search login handler")
		if err := syscall.Kill(inner, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		out, said, code := end()
		fails(t, out, said, code, "keepsake: qmd: was stopped by a signal (killed)", "hint: qmd status")
		q.gone("login handler")
	})
	t.Run("Ctrl-C", func(t *testing.T) {
		defer q.lock()()
		p, end := q.start("recall", "where is the login handler")
		q.await("dist/cli/qmd.js search login handler")
		if err := p.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if out, said, code := end(); code == 0 || out != "" {
			t.Errorf("exit %d\n%s%s", code, out, said)
		}
		q.gone("login handler")
	})

	// The last ones leave nothing of the index.
	index := filepath.Join(q.home, ".cache", "qmd", "index.sqlite")
	damage := func(t *testing.T, text []byte) {
		t.Helper()
		if err := os.WriteFile(index, text, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{"-wal", "-shm"} {
			os.Remove(index + left)
		}
	}
	t.Run("half an index", func(t *testing.T) {
		whole, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		damage(t, whole[:len(whole)/2])
		ask(t, "keepsake: qmd: failed with exit code 1: ", "malformed", "hint: qmd status")
	})
	t.Run("no index", func(t *testing.T) {
		damage(t, bytes.Repeat([]byte("junk"), 4096))
		ask(t, "keepsake: qmd: failed with exit code 1: ", "not a database", "hint: qmd status")
	})
}

// link makes a folder with these programs alone, and returns it.
func (q *RealQMD) link(dir string, programs ...string) string {
	q.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		q.t.Fatal(err)
	}
	for _, p := range programs {
		at, err := exec.LookPath(p)
		if err == nil {
			err = os.Symlink(at, filepath.Join(dir, p))
		}
		if err != nil {
			q.t.Fatal(err)
		}
	}
	return dir
}

// lock holds QMD's index as another program would that works on it for long, and
// returns how to let it go. QMD waits for it.
func (q *RealQMD) lock() (unlock func()) {
	q.t.Helper()
	db, err := sqlite3.Open(filepath.Join(q.home, ".cache", "qmd", "index.sqlite"))
	if err == nil {
		err = db.Exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
	}
	if err != nil {
		q.t.Fatal(err)
	}
	return func() {
		if err := db.Close(); err != nil {
			q.t.Error(err)
		}
	}
}

// processes are those of this QMD whose command line has a text: another run of the suite has a home of its
// own.
func (q *RealQMD) processes(text string) (pids []int) {
	q.t.Helper()
	// e adds the environment
	out, err := exec.Command("/bin/ps", "axeww", "-o", "pid=", "-o", "stat=", "-o", "args=").Output()
	if err != nil {
		q.t.Fatal(err)
	}
	for _, line := range lines(string(out)) {
		fields := strings.Fields(line)
		if pid, err := strconv.Atoi(fields[0]); err == nil && strings.Contains(line, "qmd") &&
			strings.Contains(line, text) && strings.Contains(line, "HOME="+q.home) &&
			!strings.HasPrefix(fields[1], "Z") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// await waits until a process of QMD runs.
func (q *RealQMD) await(text string) (pid int) {
	q.t.Helper()
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		if pids := q.processes(text); len(pids) > 0 {
			return pids[0]
		}
	}
	q.t.Fatalf("no process of %q within %s", text, patience)
	return 0
}

// gone waits until none runs: what was killed takes a moment to end.
func (q *RealQMD) gone(text string) {
	q.t.Helper()
	left := []int{0}
	for begun := time.Now(); len(left) > 0 &&
		time.Since(begun) < 3*time.Second; time.Sleep(20 * time.Millisecond) {
		left = q.processes(text)
	}
	if len(left) > 0 {
		q.t.Errorf("of QMD runs on: %v", left)
	}
}
