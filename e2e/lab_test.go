//go:build e2e

package e2e

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Lab is one developer's machine in a directory: a home, a runtime directory, a project that is a git
// repository, a plugin, and a scripted model. Nothing of the surrounding environment is inherited.
// The directory is removed when the story passes; when it fails it stays, and its path is logged.
type Lab struct {
	Client  Client
	Model   *Model
	Root    string
	Home    string
	Runtime string // XDG_RUNTIME_DIR
	Project string
	Plugin  string            // loaded with --plugin-dir; "" loads none
	Env     map[string]string // added to, or with "" removed from, the client's environment

	t         *testing.T
	terminals int          // opened so far
	answering sync.RWMutex // held while a dialog is being answered

	mu     sync.Mutex
	prompt string // the newest
}

// prompted notes what the person just asked.
func (l *Lab) prompted(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.prompt = text
}

// ready waits until the model may answer: no dialog is being answered, and the client has written into
// its transcript the newest prompt, when the request holds it, and what the newest tools came to, when
// the answer ends the turn. A real model takes longer than the client takes to write, which on a busy
// machine is a second or more; hooks read what is written.
func (l *Lab) ready(r *Request, answer Reply) {
	l.mu.Lock()
	prompt := l.prompt
	l.mu.Unlock()
	if prompt != "" && strings.Contains(r.Text(), prompt) {
		l.awaitWritten(jsonText(prompt))
	}
	if answer.stopReason() == "end_turn" {
		for _, m := range r.newest() {
			for id := range m.Results {
				l.awaitWritten(`"tool_use_id":` + jsonText(id))
			}
		}
	}
	l.answering.RLock()
	defer l.answering.RUnlock()
}

// awaitWritten waits until a transcript, a subagent's too, holds the text, at most patience.
func (l *Lab) awaitWritten(text string) {
	start := time.Now()
	for ; time.Since(start) < patience && !l.Model.over(); time.Sleep(20 * time.Millisecond) {
		for _, pattern := range []string{"*.jsonl", filepath.Join("*", "*", "*.jsonl")} {
			paths, err := filepath.Glob(filepath.Join(filepath.Dir(l.transcripts()), pattern))
			if err != nil ||
				slices.ContainsFunc(paths, func(path string) bool { return written(path, text) }) {
				return
			}
		}
	}
}

// written reports whether a transcript holds the text in a whole line. A prompt typed while the model
// works is first written as queued, and again when the model gets it.
func written(path, text string) bool {
	b, err := os.ReadFile(path)
	return err == nil && slices.ContainsFunc(strings.SplitAfter(string(b), "\n"), func(line string) bool {
		return strings.Contains(line, text) && strings.HasSuffix(line, "\n") &&
			!strings.Contains(line, `"type":"queue-operation"`)
	})
}

// jsonText is a text as the client writes it.
func jsonText(text string) string {
	var quoted strings.Builder
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always encodes
	return strings.TrimSpace(quoted.String())
}

// NewLab prepares a lab without a plugin.
func NewLab(t *testing.T, c Client) *Lab {
	t.Helper()
	// Not t.TempDir: its long name would not leave room for the sockets of tmux and the client, whose
	// paths may have about 100 bytes.
	root, err := os.MkdirTemp("", "keepsake-e2e-")
	if err != nil {
		t.Fatal(err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	l := &Lab{Client: c, Root: root, t: t, Env: map[string]string{},
		Home: filepath.Join(root, "home"), Runtime: filepath.Join(root, "run"),
		Project: filepath.Join(root, "shop")}
	t.Cleanup(l.remove) // runs last: everything the lab starts is closed by later cleanups
	for _, dir := range []string{l.Home, l.Runtime, l.Project, filepath.Join(root, "tmp")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	l.Model = NewModel(t, filepath.Join(root, "requests.jsonl"))
	l.Model.Before = l.ready
	l.seedHome()
	l.seedProject()
	return l
}

func (l *Lab) remove() {
	if l.t.Failed() {
		l.t.Logf("the lab of client %s is kept in %s", l.Client.Version, l.Root)
		return
	}
	// A client that was told to end may still be writing its last lines.
	var err error
	for range 20 {
		if err = os.RemoveAll(l.Root); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	l.t.Logf("remove the lab: %v", err)
}

// seedHome gets the client past its first-run dialogs: onboarding, the approval of the API key, trust in
// the project, and the warning of bypass mode.
func (l *Lab) seedHome() {
	l.Trust(l.Project)
	l.Settings(nil)
}

// Trust says that the person trusts these folders and no others.
func (l *Lab) Trust(folders ...string) {
	l.t.Helper()
	projects := map[string]any{}
	for _, f := range folders {
		projects[f] = map[string]any{
			"hasTrustDialogAccepted":        true,
			"hasCompletedProjectOnboarding": true,
			"allowedTools":                  []string{},
		}
	}
	l.WriteJSON(filepath.Join(l.Home, ".claude.json"), map[string]any{
		"hasCompletedOnboarding": true, "lastOnboardingVersion": l.Client.Version, "theme": "dark",
		"numStartups":           3,
		"customApiKeyResponses": map[string]any{"approved": []string{apiKey}, "rejected": []string{}},
		"projects":              projects,
	})
}

const apiKey = "dummy"

// Settings writes the user's settings, with a hook that records every permission request and decides nothing.
func (l *Lab) Settings(s map[string]any) {
	l.t.Helper()
	record := "cat >> " + quote(l.permissionLog())
	all := map[string]any{
		"skipDangerousModePermissionPrompt": true,
		"hooks": map[string]any{
			"PermissionRequest": []any{
				map[string]any{"hooks": []any{map[string]any{"type": "command", "command": record}}},
			},
		},
	}
	for k, v := range s {
		all[k] = v
	}
	l.WriteJSON(filepath.Join(l.Home, ".claude", "settings.json"), all)
}

func (l *Lab) permissionLog() string { return filepath.Join(l.Root, "permission-requests.jsonl") }

// PermissionRequests are the client's questions to the person so far, as JSON lines. Without a terminal the
// client asks nothing.
func (l *Lab) PermissionRequests() []string {
	l.t.Helper()
	return lines(l.Read(l.permissionLog()))
}

// ProjectSettings writes the settings that the project itself carries.
func (l *Lab) ProjectSettings(s map[string]any) {
	l.t.Helper()
	l.WriteJSON(filepath.Join(l.Project, ".claude", "settings.json"), s)
}

// queueFile is the one source file of the lab's project.
const queueFile = "internal/queue/queue.go"

func (l *Lab) seedProject() {
	for name, text := range map[string]string{
		"README.md": "# shop\n\nSells things; sends mail and invoices from a job queue.\n",
		"Makefile":  "migrate:\n\t@echo 0007_jobs.sql applied\n",
		queueFile: "package queue\n\nfunc Open(addr string) *Queue {\n" +
			"\tclient := redis.NewClient(&redis.Options{Addr: addr})\n\treturn &Queue{client}\n}\n",
	} {
		l.Write(filepath.Join(l.Project, name), text)
	}
	l.Git(l.Project, "init", "-q", "-b", "main")
	l.Git(l.Project, "add", ".")
	l.Git(l.Project, "commit", "-q", "-m", "shop: begin")
}

// Run runs a program in a directory as the lab's developer would.
func (l *Lab) Run(dir, name string, args ...string) {
	l.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, l.environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		l.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// Git runs git in a directory, with an author.
func (l *Lab) Git(dir string, args ...string) {
	l.t.Helper()
	l.Run(dir, "git", append([]string{"-c", "user.name=Dev", "-c", "user.email=dev@example.com"}, args...)...)
}

// environ is the whole environment of everything the lab runs.
func (l *Lab) environ() []string {
	env := map[string]string{
		"HOME": l.Home, "XDG_RUNTIME_DIR": l.Runtime, "PATH": systemPath(), "LANG": "C.UTF-8",
		"TERM": "xterm-256color", "ANTHROPIC_API_KEY": apiKey,
		"DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1", "DISABLE_AUTOUPDATER": "1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "CLAUDE_CODE_TMPDIR": filepath.Join(l.Root, "tmp"),
		// Most stories are of what drafters write; without, the agent writes a little by itself.
		"KEEPSAKE_CAPTURE_DRAFTERS": "always",
	}
	if l.Model != nil {
		env["ANTHROPIC_BASE_URL"] = l.Model.URL
	}
	if os.Geteuid() == 0 {
		env["IS_SANDBOX"] = "1" // without it the client refuses bypass mode to root
	}
	for k, v := range l.Env {
		env[k] = v
	}
	var out []string
	for k, v := range env {
		if v != "" {
			out = append(out, k+"="+v)
		}
	}
	return out
}

// systemPath is a PATH with git and the system's tools, and no program of ours.
func systemPath() string {
	path := "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin"
	if git, err := exec.LookPath("git"); err == nil {
		path = filepath.Dir(git) + ":" + path
	}
	return path
}

// arguments are the client's arguments with the lab's plugin in front.
func (l *Lab) arguments(args []string) []string {
	if l.Plugin == "" {
		return args
	}
	return append([]string{"--plugin-dir", l.Plugin}, args...)
}

// ago is the time so many days ago, as records have it.
func ago(days int) string {
	return time.Now().UTC().AddDate(0, 0, -days).Format(time.RFC3339)
}

// Write writes a file of the lab, with its directory.
func (l *Lab) Write(path, text string) {
	l.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// WriteProgram writes an executable file of the lab.
func (l *Lab) WriteProgram(path, text string) {
	l.t.Helper()
	l.Write(path, text)
	if err := os.Chmod(path, 0o700); err != nil {
		l.t.Fatal(err)
	}
}

// WriteJSON writes a JSON file of the lab.
func (l *Lab) WriteJSON(path string, v any) {
	l.t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		l.t.Fatal(err)
	}
	l.Write(path, string(b)+"\n")
}

// Read returns a file's text, "" when there is none.
func (l *Lab) Read(path string) string {
	l.t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.t.Fatal(err)
	}
	return string(b)
}

// lines are the lines of a text, none for an empty one.
func lines(text string) []string {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// Exists reports whether a path is there.
func (l *Lab) Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Files are the regular files under a directory of the lab, relative and in order.
func (l *Lab) Files(dir string) []string {
	l.t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		if d.Type().IsRegular() {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			out = append(out, rel)
		}
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func (l *Lab) transcripts() string {
	return filepath.Join(l.Home, ".claude", "projects", "*", "*.jsonl")
}

// Transcripts are the client's session files, subagents' excluded.
func (l *Lab) Transcripts() []string {
	l.t.Helper()
	paths, err := filepath.Glob(l.transcripts())
	if err != nil {
		l.t.Fatal(err)
	}
	return paths
}
