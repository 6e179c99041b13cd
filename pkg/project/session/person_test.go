package session

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/capture/stage"
)

// lineage reads "name: arg arg" of each ancestor, the nearest first.
func lineage(lines ...string) []stage.Ancestor {
	var all []stage.Ancestor
	for i, l := range lines {
		name, args, _ := strings.Cut(l, ": ")
		all = append(all, stage.Ancestor{PID: 1000 - i, Name: name, Args: strings.Fields(args)})
	}
	return all
}

func TestPersonIn(t *testing.T) {
	for _, c := range []struct {
		name string
		up   []stage.Ancestor
		want error
	}{
		{"typed", lineage("sh: sh -c hook", "claude: claude", "bash: -bash", "sshd: sshd"), nil},
		{"with options", lineage("sh: sh -c hook", "claude: claude --permission-mode plan --resume",
			"zsh: zsh"), nil},
		{"through npm's wrapper",
			lineage("sh: sh", "claude: claude",
				"node: node /usr/lib/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs", "bash: bash"),
			nil},
		{"an older client on node", lineage("sh: sh", "node: node /usr/bin/claude", "bash: bash"), nil},
		{"prints", lineage("sh: sh", "claude: claude -p hello", "bash: bash"), ErrNobody},
		{"prints, long", lineage("sh: sh", "claude: claude --print=x", "bash: bash"), ErrNobody},
		{"prints, bundled", lineage("sh: sh", "claude: claude -cp hello", "bash: bash"), ErrNobody},
		{"driven by another program", lineage("sh: sh", "claude: claude --input-format stream-json",
			"code: code"), ErrNobody},
		{"started by the agent", lineage("sh: sh", "claude: claude", "bash: bash -c claude", "claude: claude",
			"bash: bash"), ErrNested},
		{"started by the agent under a terminal of its own",
			lineage("sh: sh", "claude: claude", "script: script -c claude", "bash: bash", "claude: claude",
				"bash: bash"), ErrNested},
		{"in the place of the agent's shell",
			lineage("sh: sh", "claude: claude", "claude: claude", "bash: bash"), ErrNested},
		{"by another name", lineage("sh: sh", "claude: claude", "bash: bash",
			"x: /opt/node_modules/@anthropic-ai/claude-code-linux-x64/x", "bash: bash"), ErrNested},
		{"Codex CLI", lineage("sh: sh", "codex: /x/bin/codex -p work", "node: node /usr/bin/codex",
			"bash: bash"), nil},
		{"its server", lineage("sh: sh", "codex: /x/codex app-server", "codex: /x/codex", "bash: bash"), nil},
		{"Codex CLI started by the agent", lineage("sh: sh", "codex: codex", "bash: bash", "claude: claude",
			"bash: bash"), ErrNested},
		{"in its sandbox", lineage("sh: sh", "claude: claude", "bash: bash -c claude",
			"codex-linux-san: /h/codex-linux-sandbox --x"), ErrNested},
		{"no client", lineage("sh: sh", "bash: bash"), ErrLineage},
		{"nothing known", nil, ErrLineage},
	} {
		if err := personIn(c.up); !errors.Is(err, c.want) || err == nil != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if got := nestedIn(c.up); got != (c.want == ErrNested) {
			t.Errorf("%s: nested %v", c.name, got)
		}
	}
	printing := lineage("sh: sh", "claude: claude -p hello", "bash: bash", "claude: claude", "bash: bash")
	if !nestedIn(printing) {
		t.Error("a client that prints, started by the agent, is not nested")
	}
}

func TestPersonNeedsATerminalClient(t *testing.T) {
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
	if err := Person(); !errors.Is(err, ErrNobody) {
		t.Error(err)
	}
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
	for _, name := range []string{"CLAUDE_EFFORT", "CLAUDE_CODE_EXECPATH"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("CLAUDE_EFFORT", "")
			t.Setenv("CLAUDE_CODE_EXECPATH", "")
			t.Setenv(name, "x")
			if err := Person(); !errors.Is(err, ErrNested) {
				t.Error(err)
			}
		})
	}
}

// TestStartedInside: a client that an agent started and that is below nothing of it any
// more, as in a terminal of its own that runs on, still has what it was started with.
func TestStartedInside(t *testing.T) {
	client := lineage("sh: sh", "claude: claude", "sh: sh", "tmux: tmux new-session -d claude")
	for name, c := range map[string]struct {
		up   []stage.Ancestor
		pid  int // that has the variable
		want bool
	}{
		"a person's":           {client, 0, false},
		"an agent's":           {client, client[1].PID, true},
		"the shell's below it": {client, client[0].PID, false},
		"no client":            {lineage("sh: sh", "bash: bash"), 1000, false},
		"nothing known":        {nil, 1000, false},
	} {
		environ := func(pid int) func(string) string {
			return func(name string) string {
				if pid == c.pid && name == execPath {
					return "/usr/bin/claude"
				}
				return ""
			}
		}
		if got := startedInside(c.up, environ); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if !startedInside(lineage("sh: sh", "codex: codex", "codex: codex"), func(int) func(string) string {
		return func(name string) string { return map[string]string{codexThread: "t1"}[name] }
	}) {
		t.Error("Codex CLI in the place of its agent's shell is not seen")
	}
	if startedInside(client, func(int) func(string) string { return nil }) {
		t.Error("what can't be read says that a client is nested")
	}
}

// TestAttendsWithTheClientsVariables: the client gives them to every hook of a tool and of
// a turn's end, so there they say nothing of who sits at it.
func TestAttendsWithTheClientsVariables(t *testing.T) {
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
	if err := (&Place{}).attends(); !errors.Is(err, ErrNobody) {
		t.Error(err)
	}
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
	t.Setenv("CLAUDE_EFFORT", "")
	t.Setenv("CLAUDE_CODE_EXECPATH", "")
	without := (&Place{}).attends()
	t.Setenv("CLAUDE_EFFORT", "high")
	t.Setenv("CLAUDE_CODE_EXECPATH", "/usr/bin/claude")
	if with := (&Place{}).attends(); with != without {
		t.Errorf("%v with the variables, %v without", with, without)
	}
}

func TestAloneIn(t *testing.T) {
	first := stage.Ancestor{PID: 1, Name: "init", Args: []string{"init"}}
	shell := stage.Ancestor{PID: 1, Name: "bash", Args: []string{"bash"}}
	for _, c := range []struct {
		name   string
		up     []stage.Ancestor
		inside int // what a client's tool started, by its number
		sid    int
		want   error
	}{
		{"in a terminal", lineage("bash: -bash", "sshd: sshd"), 0, 1000, nil},
		{"in a client's shell", lineage("bash: bash", "claude: claude", "bash: -bash"), 0, 1000, ErrNested},
		{"below a client that a container runs as its first process",
			lineage("bash: bash", "script: script -c x", "claude: claude"), 0, 1000, ErrNested},
		{"in a shell that a client started and that was cut loose",
			append(lineage("bash: bash -c (sleep 1; keepsake) &"), first), 1000, 900, ErrNested},
		{"cut loose itself", []stage.Ancestor{first}, 0, 900, ErrLineage},
		{"in a container's shell", []stage.Ancestor{shell}, 0, 1, nil},
		{"nothing known", nil, 0, 1000, ErrLineage},
	} {
		environ := func(pid int) func(string) string {
			return func(name string) string {
				if pid == c.inside && name == "CLAUDECODE" {
					return "1"
				}
				return ""
			}
		}
		if err := aloneIn(c.up, environ, c.sid); !errors.Is(err, c.want) || err == nil != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// TestAlone runs this test again below a program that is called claude.
func TestAlone(t *testing.T) {
	if os.Getenv("KEEPSAKE_TEST_ALONE") == "1" {
		os.Unsetenv("CLAUDECODE")
		os.Unsetenv("CLAUDE_CODE_SESSION_ID")
		if err := Alone(); !errors.Is(err, ErrNested) {
			t.Errorf("below a client: %v", err)
		}
		return
	}
	t.Setenv("CLAUDECODE", "1")
	if err := Alone(); !errors.Is(err, ErrNested) {
		t.Error(err)
	}
	sh, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to name a process with")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(sh, "-c", `"$1" -test.run '^TestAlone$'; exit $?`, "claude", self)
	cmd.Args[0] = "claude"
	cmd.Env = append(os.Environ(), "KEEPSAKE_TEST_ALONE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestAloneCutLoose: what a client's tool leaves in the background runs under no client any
// more, and is still no person's.
func TestAloneCutLoose(t *testing.T) {
	if said := os.Getenv("KEEPSAKE_TEST_CUT_LOOSE"); said != "" {
		text := fmt.Sprint(Alone())
		if err := os.WriteFile(said+".part", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(said+".part", said); err != nil {
			t.Fatal(err)
		}
		return
	}
	sh, err := exec.LookPath("bash")
	if err != nil || stage.SessionID() == 0 {
		t.Skip("no bash, or no /proc")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]string{
		"a shell above it": `(sleep 0.2; unset CLAUDECODE; "$0" -test.run '^TestAloneCutLoose$'; exit $?) &`,
		"nothing above it": `(sleep 0.2; unset CLAUDECODE; exec "$0" -test.run '^TestAloneCutLoose$') &`,
	} {
		said := filepath.Join(t.TempDir(), "said")
		cmd := exec.Command(sh, "-c", line, self)
		cmd.Env = append(os.Environ(), "CLAUDECODE=1", "KEEPSAKE_TEST_CUT_LOOSE="+said)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as the client starts a tool's shell
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for wait := 0; got == nil && wait < 200; wait++ {
			time.Sleep(50 * time.Millisecond)
			got, _ = os.ReadFile(said)
		}
		if string(got) != ErrNested.Error() && string(got) != ErrLineage.Error() {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOutermostClient: the approvals lie where the client keeps them that a person has
// started, wherever what runs in it says.
func TestOutermostClient(t *testing.T) {
	environs := map[int]map[string]string{
		1000: {"HOME": "/tmp/x"},
		999:  {"HOME": "/home/u", "CLAUDE_CONFIG_DIR": "/tmp/x", "CODEX_HOME": "/srv/codex"},
		998:  {"HOME": "/home/u"}, 997: {"HOME": "/home/u", "CLAUDE_CONFIG_DIR": "/home/u/.other"},
	}
	for _, c := range []struct {
		name string
		up   []stage.Ancestor
		want string
	}{
		{"a variable of the command", lineage("make: make", "bash: bash", "claude: claude", "bash: bash"),
			"/home/u/.claude"},
		{"a client in between", lineage("bash: bash", "claude: claude", "claude: claude", "bash: bash"),
			"/home/u/.claude"},
		{"the person's own", lineage("bash: bash", "bash: bash", "bash: bash", "claude: claude"),
			"/home/u/.other"},
		{"Codex", lineage("make: make", "bash: bash", "codex: codex", "bash: bash"), "/home/u/.codex"},
		{"Codex elsewhere", lineage("bash: bash", "codex: codex"), "/srv/codex"},
		{"not readable", lineage("a: a", "b: b", "c: c", "d: d", "claude: claude"), ""},
		{"no client", lineage("bash: bash"), ""},
		{"nothing known", nil, ""},
	} {
		got := clientDirIn(c.up, func(pid int) func(string) string {
			if environs[pid] == nil {
				return nil
			}
			return func(name string) string { return environs[pid][name] }
		})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
