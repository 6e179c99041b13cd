package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/hooks"
	"keepsake/pkg/gate/armed"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
)

// A world is a home, a project and sessions for the hooks to work in.
type world struct {
	dir, bin, empty, fsyncs, peak, project string
	env                                    []string
	ctx                                    context.Context // ends when bench is told to stop
}

// newWorld makes a world below dir with copies of the built programs. A program is
// timed as its users have it: what a linker wrote lies in the system's cache in
// small pages, and takes 0.1 ms (an empty one) to 0.4 ms longer to start than a
// copy of it.
func newWorld(ctx context.Context, dir, built string) (*world, error) {
	bin := filepath.Join(dir, "plugin", "bin")
	w := &world{ctx: ctx, dir: dir, bin: bin, empty: filepath.Join(bin, "empty"),
		fsyncs: filepath.Join(bin, "fsyncs"), peak: filepath.Join(bin, "peak"),
		project: filepath.Join(dir, "project")}
	w.env = []string{"PATH=/usr/bin:/bin", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_PROJECT_DIR=" + w.project,
		"HOME=" + filepath.Join(dir, "home")}
	for name, d := range map[string]string{"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
		"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run"} {
		w.env = append(w.env, name+"="+filepath.Join(dir, d))
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			return nil, err
		}
	}
	if err := os.Mkdir(w.project, 0o755); err != nil {
		return nil, err
	}
	src := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(src, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return nil, err
	}
	linked := filepath.Join(dir, "linked")
	for name, src := range map[string]string{"empty": src, "fsyncs": "./scripts/bench/fsyncs",
		"peak": "./scripts/bench/peak"} {
		build := w.command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(linked, name),
			src)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if said, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building %s: %v\n%s", src, err, said)
		}
	}
	for _, from := range []string{built, linked} {
		if err := os.CopyFS(bin, os.DirFS(from)); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// in is another project in the same home.
func (w *world) in(name string) *world {
	other := *w
	other.project = filepath.Join(w.dir, name)
	other.env = append(slices.DeleteFunc(slices.Clone(w.env), func(v string) bool {
		return strings.HasPrefix(v, "CLAUDE_PROJECT_DIR=")
	}), "CLAUDE_PROJECT_DIR="+other.project)
	return &other
}

// hook returns the command that answers an event.
func (w *world) hook(event string) []string {
	program, args := hooks.Call(event)
	return append([]string{filepath.Join(w.bin, "hooks", program)}, args...)
}

// A set is benches that can be asked for by name.
type set struct {
	name string
	make func() ([]bench, error)
}

func (w *world) sets(large int64) []set {
	return []set{
		{"hooks", func() ([]bench, error) { return w.hooks(large) }},
		{"precompact", w.preCompacts},
		{"listen", w.listens},
		{"palace", func() ([]bench, error) { return w.palaces(10_000) }},
		{"drawers", func() ([]bench, error) { return w.drawers(10_000) }},
		{"recall", func() ([]bench, error) { return w.recalls(10_000, "<= 3") }},
		{"capture", func() ([]bench, error) { return w.captures(100_000) }},
		{"given", w.givens},
		{"findings", func() ([]bench, error) { return w.findings(100_000) }},
		{"team", func() ([]bench, error) { return w.teams(1000, 100) }},
		{"notes", w.notes},
		{"lint", w.lint},
		{"status", w.statuses},
		{"memories", w.memories},
		{"checks", w.checks},
		{"branches", w.branches},
		{"save", func() ([]bench, error) { return w.saves(10_000, "<= 15") }},
		{"where", w.wheres},
		{"why", func() ([]bench, error) { return w.whys(10_000) }},
		{"recall-large", func() ([]bench, error) { return w.recalls(100_000, "<= 6") }},
	}
}

func (w *world) hooks(large int64) ([]bench, error) {
	stop50, err := w.stop50()
	if err != nil {
		return nil, err
	}
	stopLarge, err := w.stopLarge(large)
	if err != nil {
		return nil, err
	}
	prompt, err := w.prompt(1000)
	if err != nil {
		return nil, err
	}
	line, err := w.commandLine("PreToolUse")
	if err != nil {
		return nil, err
	}
	ordinary := w.call("Bash", map[string]any{"command": "go test ./... && git status --short",
		"description": "run the tests"})
	heredoc := w.call("Bash", map[string]any{"command": "cat > notes.md <<'EOF'\n" +
		strings.Repeat("Nothing of interest happens on this line, but it is there.\n", 1700) + "EOF"})
	mib := w.call("Write", map[string]any{"file_path": filepath.Join(w.project, "big.txt"),
		"content": strings.Repeat("0123456789abcdef", 1<<16)})
	stored := w.ran("mcp__mempalace__mempalace_add_drawer",
		map[string]any{"wing": "shop", "room": "decisions", "content": "Jobs live in a Postgres table."})
	return []bench{
		{name: "PreToolUse, ordinary Bash", aim: "<= 1.6", argv: w.hook("PreToolUse"),
			stdin: ordinary},
		{name: "PreToolUse, whole command line", aim: "<= 2.6", argv: []string{"/bin/sh", "-c", line},
			stdin: ordinary},
		{name: "PreToolUse, heredoc of 100 KB", aim: "<= 5", argv: w.hook("PreToolUse"),
			stdin: heredoc},
		{name: "PreToolUse, Write of 1 MiB", aim: "< 30 MB", argv: w.hook("PreToolUse"),
			stdin: mib},
		{name: "PostToolUse of a palace's tool", aim: "<= 1.6", argv: w.hook("PostToolUse"),
			stdin: stored},
		stop50,
		stopLarge,
		prompt,
		// Last, since the guards stay.
		{name: "PreToolUse, ordinary Bash, 200 guards", aim: "<= 1.6", argv: w.hook("PreToolUse"),
			stdin: ordinary, prepare: w.guards(200)},
	}, nil
}

// commandLine is what hooks.json has the client run, with the plugin's folder
// put in as the client does.
func (w *world) commandLine(event string) (string, error) {
	b, err := os.ReadFile("hooks/hooks.json")
	if err != nil {
		return "", err
	}
	var file struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return "", err
	}
	return strings.ReplaceAll(file.Hooks[event][0].Hooks[0].Command, "${CLAUDE_PLUGIN_ROOT}",
		filepath.Dir(w.bin)), nil
}

func event(fields map[string]any) []byte {
	b, err := json.Marshal(fields)
	if err != nil {
		panic(err) // plain values always encode
	}
	return append(b, '\n')
}

func (w *world) call(tool string, args map[string]any) []byte {
	return event(map[string]any{
		"session_id": "bench", "transcript_path": filepath.Join(w.dir, "none.jsonl"), "cwd": w.project,
		"hook_event_name": "PreToolUse",
		"permission_mode": "default", "tool_name": tool, "tool_input": args, "tool_use_id": "toolu_1",
	})
}

// guards returns a function that gives the project so many guards.
func (w *world) guards(n int) func() error {
	return func() error {
		rules := make([]guard.Rule, n)
		for i := range rules {
			g := memory.Guard{Command: []string{fmt.Sprintf("tool%d", i), "install"}, Does: memory.Deny}
			if i%4 == 0 {
				g = memory.Guard{Path: fmt.Sprintf("folder%d/", i), Does: memory.Ask}
			}
			rules[i] = guard.Rule{Guard: g, Record: fmt.Sprintf("preferences/rule-%d.json", i),
				Title: "Never do this in this project", Words: "Never do this in this project"}
		}
		state := filepath.Join(w.dir, "state", "keepsake", layout.Key(layout.Project(w.project, "").Home))
		return armed.Folder(state).Pack(rules, "bench", true)
	}
}

// ran is a call that has run and that nobody had to approve.
func (w *world) ran(tool string, args map[string]any) []byte {
	return event(map[string]any{
		"session_id": "bench", "transcript_path": filepath.Join(w.dir, "none.jsonl"), "cwd": w.project,
		"hook_event_name": "PostToolUse",
		"permission_mode": "default", "tool_name": tool, "tool_input": args, "tool_response": "done",
		"tool_use_id": "toolu_1",
	})
}

// turn writes the records of one turn of a session: a prompt, a tool, an answer.
func turn(out *bufio.Writer, n int, pad int) {
	record := func(v map[string]any) {
		v["uuid"] = fmt.Sprintf("00000000-0000-4000-8000-%012d", 10*n+len(v))
		v["timestamp"] = "2026-11-20T09:00:00.000Z"
		out.Write(event(v))
	}
	record(map[string]any{"type": "user", "promptSource": "typed", "origin": map[string]any{"kind": "human"},
		"message": map[string]any{"role": "user",
			"content": fmt.Sprintf("Please look at step %d of the importer and tell me what it does.", n)}})
	record(map[string]any{"type": "assistant",
		"message": map[string]any{"id": fmt.Sprint("m", n), "role": "assistant",
			"content": []any{map[string]any{"type": "tool_use", "id": fmt.Sprint("t", n), "name": "Read",
				"input": map[string]any{"file_path": "/p/importer.go"}}}}})
	record(map[string]any{"type": "user", "toolUseResult": true,
		"message": map[string]any{"role": "user",
			"content": []any{map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint("t", n),
				"content": strings.Repeat("func step() error { return nil }\n", 20+pad)}}}})
	record(map[string]any{"type": "assistant", "isApiErrorMessage": false,
		"message": map[string]any{"id": fmt.Sprint("n", n), "role": "assistant",
			"content": []any{map[string]any{"type": "text",
				"text": "It reads a row, checks it and hands it on. Nothing else happens there, and the " +
					"error is passed up as it is."}}}})
}

// transcript writes turns until size bytes are reached, or n turns when n > 0. Their
// numbers are those of no other transcript: a session whose records another one has
// read is taken for its fork, and reads nothing twice.
func (w *world) transcript(name string, n int, size int64) (path string, err error) {
	path = filepath.Join(w.dir, name)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	own := int(crc32.ChecksumIEEE([]byte(name)))
	pad := 0
	if size > 1<<20 {
		pad = 2000 // fewer and larger records, as in real long sessions
	}
	for i := 0; ; i++ {
		if n > 0 && i == n {
			break
		}
		if n == 0 && i%50 == 0 {
			if err := out.Flush(); err != nil {
				return "", err
			}
			if fi, err := f.Stat(); err != nil || fi.Size() >= size {
				break
			}
		}
		turn(out, own+i, pad)
	}
	if err := out.Flush(); err != nil {
		return "", err
	}
	return path, f.Sync() // or the system writes it while others are timed
}

func (w *world) stopEvent(session, transcript string) []byte {
	return event(map[string]any{
		"session_id": session, "transcript_path": transcript, "cwd": w.project, "hook_event_name": "Stop",
		"permission_mode":  "default",
		"stop_hook_active": false, "last_assistant_message": "That is all.", "background_tasks": []any{},
		"session_crons": []any{},
	})
}

// stop50 is a Stop that reads 50 messages from the beginning.
func (w *world) stop50() (bench, error) {
	path, err := w.transcript("fifty.jsonl", 25, 0) // 25 prompts, 25 answers
	if err != nil {
		return bench{}, err
	}
	start, err := w.session("fifty", path, func(s map[string]any) { s["fresh"] = true })
	return bench{name: "Stop, 50 messages", aim: "<= 3", argv: w.hook("Stop"),
		stdin: w.stopEvent("fifty", path), prepare: start}, err
}

// stopLarge compares a Stop at the end of a huge transcript with one at the end
// of a small one, both with a watermark one turn back.
func (w *world) stopLarge(size int64) (bench, error) {
	end := func(name string, size int64) (stdin []byte, restore func() error, err error) {
		path, err := w.transcript(name+".jsonl", 0, size)
		if err != nil {
			return nil, nil, err
		}
		stdin = w.stopEvent(name, path)
		if _, err := w.session(name, path, nil); err != nil {
			return nil, nil, err
		}
		if _, _, err := w.once(w.hook("Stop"), stdin); err != nil {
			return nil, nil, err
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return nil, nil, err
		}
		out := bufio.NewWriter(f)
		turn(out, 1<<30, 0)
		out.Flush()
		if err := f.Close(); err != nil {
			return nil, nil, err
		}
		restore, err = w.keep(name)
		return stdin, restore, err
	}
	smallIn, smallRestore, err := end("small", 50<<10)
	if err != nil {
		return bench{}, err
	}
	largeIn, largeRestore, err := end("large", size)
	if err != nil {
		return bench{}, err
	}
	file := func(name string, b []byte) string {
		path := filepath.Join(w.dir, name+".event")
		os.WriteFile(path, b, 0o600)
		return fmt.Sprintf("exec %s <%s", strings.Join(w.hook("Stop"), " "), path)
	}
	return bench{
		name: fmt.Sprintf("Stop, %d MB against 50 KB", size>>20), aim: "<= 1.3",
		argv: []string{"/bin/sh", "-c", file("large", largeIn)}, prepare: largeRestore,
		base: []string{"/bin/sh", "-c", file("small", smallIn)}, pre: smallRestore,
	}, nil
}

// session lets SessionStart begin a session and returns what brings its state
// back to where it is now.
func (w *world) session(id, transcript string, change func(map[string]any)) (func() error, error) {
	_, _, err := w.once(w.hook("SessionStart"),
		event(map[string]any{"session_id": id, "transcript_path": transcript, "cwd": w.project,
			"hook_event_name": "SessionStart", "source": "resume"}))
	if err != nil {
		return nil, err
	}
	path, err := w.state(id)
	if err != nil {
		return nil, err
	}
	if change != nil {
		var s map[string]any
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(b, &s); err != nil {
			return nil, err
		}
		change(s)
		if b, err = json.Marshal(s); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return nil, err
		}
	}
	return w.keep(id)
}

func (w *world) state(id string) (string, error) {
	found, err := filepath.Glob(filepath.Join(w.dir, "state", "keepsake", "*", "sessions", id+".json"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("session %s has no state: %v %v", id, found, err)
	}
	return found[0], nil
}

// keep remembers a session's state and returns what puts it back.
func (w *world) keep(id string) (func() error, error) {
	path, err := w.state(id)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	return func() error { return os.WriteFile(path, b, 0o600) }, err
}

// prompt is a UserPromptSubmit in a project with n records, whose session has
// not seen the answer yet.
func (w *world) prompt(n int) (bench, error) {
	dir := filepath.Join(w.project, ".claude", "memory", "decisions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return bench{}, err
	}
	subjects := strings.Fields("billing search login upload export import cache queue mail report invoice " +
		"tax audit backup deploy metrics tracing settings profile webhook")
	things := strings.Fields("postgres redis kafka sqlite nginx docker terraform grpc graphql protobuf " +
		"parquet s3 lambda cron systemd rust golang python typescript react")
	for i := range n {
		a, b := subjects[i%len(subjects)], things[i/len(subjects)%len(things)]
		record := map[string]any{
			"schema_version": "1.0", "category": "decision", "id": fmt.Sprintf("use-%s-for-%s-%d", b, a, i),
			"title":         fmt.Sprintf("Use %s for %s, part %d", b, a, i),
			"record_status": "active", "created_at": "2026-10-02T09:00:00Z",
			"updated_at": "2026-10-02T09:00:00Z", "tags": []string{a, b}, "times_updated": 0,
			"content": map[string]any{"status": "accepted", "context": "The " + a +
				" service grew and the old way took too long.", "decision": "Move " + a + " to " + b +
				" step by step.",
				"rationale": []string{"It is what the team knows.",
					fmt.Sprintf("Measured %d requests a second.", 100+i)}},
		}
		b2, err := json.MarshalIndent(record, "", "  ")
		if err != nil {
			return bench{}, err
		}
		if err := os.WriteFile(filepath.Join(dir, record["id"].(string)+".json"), append(b2, '\n'),
			0o644); err != nil {
			return bench{}, err
		}
	}
	restore, err := w.session("prompt", filepath.Join(w.dir, "none.jsonl"), nil)
	return bench{
		name: fmt.Sprintf("UserPromptSubmit, %d records", n), aim: "<= 3",
		argv: w.hook("UserPromptSubmit"), prepare: restore,
		stdin: event(map[string]any{"session_id": "prompt",
			"transcript_path": filepath.Join(w.dir, "none.jsonl"), "cwd": w.project,
			"hook_event_name": "UserPromptSubmit", "permission_mode": "default",
			"prompt": "why do we use kafka for the webhook service?"}),
	}, err
}
