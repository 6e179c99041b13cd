package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A scripted conversation writes the transcript of a session, line by line, as the client does.
type scripted struct {
	t     *testing.T
	cwd   string
	now   time.Time
	n     int
	lines []string
	agent bool   // the lines of an agent within it
	last  string // the id of the last call
}

// talking begins a session in a folder, an hour after what stands there.
func talking(t *testing.T, cwd string) *scripted { return &scripted{t: t, cwd: cwd, now: then} }

// line adds a line.
func (k *scripted) line(kind string, fields map[string]any) {
	k.t.Helper()
	k.n++
	k.now = k.now.Add(10 * time.Second)
	all := map[string]any{"type": kind, "uuid": fmt.Sprintf("u%d", k.n), "cwd": k.cwd, "isSidechain": k.agent,
		"timestamp": k.now.UTC().Format(time.RFC3339Nano)}
	for name, v := range fields {
		all[name] = v
	}
	b, err := json.Marshal(all)
	if err != nil {
		k.t.Fatal(err)
	}
	k.lines = append(k.lines, string(b))
}

func (k *scripted) types(text string) {
	k.t.Helper()
	k.line("user", map[string]any{"promptSource": "typed", "origin": map[string]any{"kind": "human"},
		"message": map[string]any{"role": "user", "content": text}})
}

func (k *scripted) says(text string) {
	k.t.Helper()
	k.line("assistant", map[string]any{"message": map[string]any{"id": fmt.Sprintf("m%d", k.n),
		"role":    "assistant",
		"content": []any{map[string]any{"type": "text", "text": text}}}})
}

// calls adds a call and its result.
func (k *scripted) calls(tool string, input map[string]any, result string) {
	k.t.Helper()
	k.answered(tool, input, result, nil)
}

// returns adds a call and its result, of these blocks.
func (k *scripted) returns(tool string, blocks ...any) {
	k.t.Helper()
	k.answered(tool, map[string]any{}, blocks, nil)
}

func (k *scripted) answered(tool string, input map[string]any, result any, more map[string]any) {
	k.t.Helper()
	id := fmt.Sprintf("t%d", k.n)
	k.last = id
	k.line("assistant", map[string]any{"message": map[string]any{"id": "m" + id, "role": "assistant",
		"content": []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}}}})
	fields := map[string]any{"message": map[string]any{"role": "user",
		"content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": result}}}}
	for name, v := range more {
		fields[name] = v
	}
	k.line("user", fields)
}

func (k *scripted) runs(command, result string) {
	k.t.Helper()
	k.calls("Bash", map[string]any{"command": command, "description": "Run it"}, result)
}

func (k *scripted) reads(path, result string) {
	k.t.Helper()
	k.calls("Read", map[string]any{"file_path": path}, result)
}

func (k *scripted) attaches(attachment map[string]any) {
	k.t.Helper()
	k.line("attachment", map[string]any{"attachment": attachment})
}

// save writes the transcript of a session.
func (k *scripted) save(dir, id string) string {
	k.t.Helper()
	path := filepath.Join(dir, id+".jsonl")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(k.lines, "\n")+"\n"), 0o600); err != nil {
		k.t.Fatal(err)
	}
	return path
}

// runGit is git in a folder.
func runGit(dir string) Git {
	return func(args ...string) ([]byte, error) {
		out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 && len(exit.Stderr) == 0 {
			err = nil
		}
		return out, err
	}
}

// commits commits all that stands in a folder, or the paths that are named, at a time.
func commits(t *testing.T, dir string, at time.Time, paths ...string) {
	t.Helper()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, args := range [][]string{append([]string{"add", "-A", "--"}, paths...),
		{"commit", "-q", "-m", "work"}} {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A B", "-c",
			"user.email=a@b.example"},
			args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+at.Format(time.RFC3339),
			"GIT_AUTHOR_DATE="+at.Format(time.RFC3339))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}
