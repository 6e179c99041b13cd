// Demo plays one decision through Keepsake in half a minute: noticed at the
// end of a turn, drafted, planned, written, and brought back in the next
// session; and a write to a MemPalace that nobody approved, refused. It is run
// by `make demo`, after `make build`.
//
// It needs no Claude Code and no network. Everything happens in a temporary
// directory that is its own home, so that it neither reads nor changes
// anything of yours. The conversation is transcript.jsonl; the hooks and the
// command line are the built binaries, called just as the client calls them.
// What it prints fits a screen of 80 by 24; with -whole it prints all that was
// said.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"keepsake/hooks"
	"keepsake/pkg/text"
)

//go:embed transcript.jsonl
var transcript []byte

const (
	firstSession  = "6513270e-269e-4d37-b2a7-4de452e6b438" // the session transcript.jsonl is of
	secondSession = "0a4a2c5e-7d0f-4f8e-9d0c-3a1f5b6c7d8e"
	question      = "Where does the job queue keep its jobs, and why?"
)

func main() {
	bin := flag.String("bin", "bin", "folder with the built binaries")
	whole := flag.Bool("whole", false, "print all that was said, more than a screen")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := play(ctx, *bin, *whole, os.Stdout); err != nil {
		stop()
		fmt.Fprintf(os.Stderr, "\ndemo: %v\n", err)
		os.Exit(1)
	}
}

// play runs the story and returns an error at the first step that did not do
// what the text says it does. The temporary directory is gone when it returns.
func play(ctx context.Context, bin string, whole bool, out io.Writer) (err error) {
	d, err := setUp(ctx, bin, out)
	if err != nil {
		return err
	}
	d.whole = whole
	defer func() { err = errors.Join(err, os.RemoveAll(d.dir)) }()

	for _, scene := range []struct {
		title string
		play  func() error
	}{
		{"A session ends a turn, and the Stop hook reads what was said:", d.notice},
		{"The agent saves it in one command, and you are asked nothing:", d.remember},
		{"A new session asks: " + question, d.recall},
		{"What would be kept for good needs your yes. With claude -p it is refused:", d.gate},
	} {
		d.number++
		if d.number > 1 {
			d.say("")
		}
		d.say("%d. %s", d.number, scene.title)
		if err := scene.play(); err != nil {
			return fmt.Errorf("step %d: %w", d.number, err)
		}
	}
	d.say("\nNext: make build && claude --plugin-dir .   All: go run ./scripts/demo -whole")
	return nil
}

// stage is the demo's world: binaries, a home and a project.
type stage struct {
	ctx     context.Context
	out     io.Writer
	bin     string // absolute
	dir     string // everything the demo writes is below
	project string
	number  int
	whole   bool // print more than a screen
}

func setUp(ctx context.Context, bin string, out io.Writer) (*stage, error) {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(bin, "keepsake")); err != nil {
		return nil, fmt.Errorf("%w\nhint: run make build first", err)
	}
	dir, err := os.MkdirTemp("", "keepsake-demo-")
	if err != nil {
		return nil, err
	}
	d := &stage{ctx: ctx, out: out, bin: bin, dir: dir, project: filepath.Join(dir, "shop")}
	// The runtime folder is private, as a login session's is; Keepsake refuses any other.
	for _, sub := range []string{"home/.claude/projects/shop", "run", "shop"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	if err := errors.Join(os.WriteFile(d.transcript(firstSession), transcript, 0o600),
		os.WriteFile(d.client(), []byte(client), 0o700)); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return d, nil
}

// client is a program by the client's name that runs what it is given: Keepsake looks for the client that
// called it, to know whether a person sits there.
const client = "#!/bin/sh\n\"$@\"\nexit $?\n"

func (d *stage) client() string { return filepath.Join(d.dir, "claude") }

func (d *stage) transcript(session string) string {
	return filepath.Join(d.dir, "home/.claude/projects/shop", session+".jsonl")
}

func (d *stage) notice() error {
	for l := range strings.Lines(string(transcript)) {
		if who, text := spoken(l); text != "" && (d.whole || who == "person") {
			d.say("%s: %s", who, text)
		}
	}
	if _, err := d.hook("SessionStart", firstSession, "cli",
		map[string]any{"source": "startup"}); err != nil {
		return err
	}
	answer, err := d.hook("Stop", firstSession, "cli", map[string]any{
		"permission_mode": "default", "stop_hook_active": false,
		"last_assistant_message": lastSaid(transcript), "background_tasks": []any{},
	})
	if err != nil {
		return err
	}
	d.quote(answer.context(), "keepsake: keep [1]", "keepsake: keep [2]")
	return want(answer.context(), "keepsake: keep [1] decision", "keepsake: keep [2] preference")
}

// drafts are what a model makes of the two things that Stop named.
const drafts = `[{"covers":[1],"category":"decision","title":"Keep the job queue in PostgreSQL","tags":["job-queue"],"content":` +
	`{"context":"Jobs must survive a restart.","decision":"PostgreSQL instead of Redis","rationale":["A restart must lose no job","We already run Postgres"]}},` +
	`{"covers":[2],"category":"preference","title":"Run migrations with make migrate","tags":["migrations"],"content":` +
	`{"topic":"migrations","value":"make migrate, never by hand","reason":"staging and production stay the same"}}]`

func (d *stage) remember() error {
	said, err := d.keepsake(firstSession, "remember", drafts)
	if err != nil {
		return err
	}
	d.more("$ keepsake remember '%s'", drafts)
	d.quote(said)
	files, err := filepath.Glob(filepath.Join(d.memories(), "[^.]*", "*.json"))
	if err != nil {
		return err
	}
	d.more("In the project, as plain files you can read, diff and share:")
	for _, f := range files {
		rel, err := filepath.Rel(d.project, f)
		if err != nil {
			return err
		}
		d.more("    %s", rel)
	}
	if len(files) < 2 {
		return fmt.Errorf("expected a decision and a preference in the store, found %d files", len(files))
	}
	return want(said, "Saved: decision (create)", "Saved: preference (create)")
}

func (d *stage) recall() error {
	if _, err := d.hook("SessionEnd", firstSession, "cli",
		map[string]any{"reason": "prompt_input_exit"}); err != nil {
		return err
	}
	if _, err := d.hook("SessionStart", secondSession, "cli",
		map[string]any{"source": "startup"}); err != nil {
		return err
	}
	answer, err := d.hook("UserPromptSubmit", secondSession, "cli",
		map[string]any{"permission_mode": "default", "prompt": question})
	if err != nil {
		return err
	}
	d.more("UserPromptSubmit puts beside the question:")
	d.quote(answer.context(), "[DECISION]", "said:", "Decision:", "Rationale")
	return want(answer.context(), "PostgreSQL", "survive a restart")
}

func (d *stage) gate() error {
	write := map[string]any{
		"tool_name": "mcp__mempalace__mempalace_add_drawer", "tool_use_id": "toolu_demo",
		"permission_mode": "default",
		"tool_input": map[string]any{"wing": "shop", "room": "architecture",
			"content": "The job queue lives in PostgreSQL."},
	}
	d.more("An agent calls mempalace_add_drawer. Where a person sits at the terminal, PreToolUse has them " +
		"asked:")
	asked, err := d.hook("PreToolUse", secondSession, "cli", write)
	if err != nil {
		return err
	}
	if d.whole {
		d.quote(asked.Specific.Reason)
	}
	d.more("Where nobody is asked (claude -p), it refuses:")
	refused, err := d.hook("PreToolUse", secondSession, "sdk-cli", write)
	if err != nil {
		return err
	}
	d.quote(refused.Specific.Reason, "permanent memory write", "Nothing was stored", "It waits as")
	if asked.Specific.Decision != "ask" || refused.Specific.Decision != "deny" {
		return fmt.Errorf("the gate said %q and %q; it must ask, and deny", asked.Specific.Decision,
			refused.Specific.Decision)
	}
	return want(asked.Specific.Reason, "permanent memory write")
}

func (d *stage) memories() string { return filepath.Join(d.project, ".claude", "memory") }

// answer is what a hook may put on its standard output.
type answer struct {
	Specific struct {
		Context  string `json:"additionalContext"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
}

func (a answer) context() string { return a.Specific.Context }

// hook calls one hook binary as the client does: the event as JSON on standard
// input, the answer as JSON on standard output. Silence is the zero answer.
func (d *stage) hook(name, session, entrypoint string, event map[string]any) (answer, error) {
	in := map[string]any{
		"hook_event_name": name, "session_id": session,
		"transcript_path": d.transcript(session), "cwd": d.project,
	}
	for k, v := range event {
		in[k] = v
	}
	b, err := json.Marshal(in)
	if err != nil {
		return answer{}, err
	}
	program, args := hooks.Call(name)
	out, err := d.run(filepath.Join("hooks", program), session, b,
		[]string{"CLAUDE_PROJECT_DIR=" + d.project, "CLAUDE_CODE_ENTRYPOINT=" + entrypoint}, args...)
	if err != nil || len(out) == 0 {
		return answer{}, err
	}
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		return answer{}, fmt.Errorf("%s: the hook answered no JSON: %w\n%s", name, err, out)
	}
	return a, nil
}

// keepsake runs the command line as the agent's Bash tool does, and returns
// its standard output.
func (d *stage) keepsake(session string, args ...string) (string, error) {
	out, err := d.run("keepsake", session, nil, nil, args...)
	return string(out), err
}

// run starts one binary with nothing of the caller's environment but PATH, and
// returns its standard output.
func (d *stage) run(name, session string, in []byte, env []string, args ...string) ([]byte, error) {
	env = append(env,
		"PATH="+os.Getenv("PATH"),
		"HOME="+filepath.Join(d.dir, "home"),
		"XDG_RUNTIME_DIR="+filepath.Join(d.dir, "run"),
		"CLAUDECODE=1",
		"CLAUDE_PLUGIN_ROOT="+filepath.Dir(d.bin),
		"CLAUDE_CODE_SESSION_ID="+session,
	)
	cmd := exec.CommandContext(d.ctx, d.client(), append([]string{filepath.Join(d.bin, name)}, args...)...)
	cmd.Env, cmd.Dir, cmd.Stdin = env, d.project, bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return out, nil
}

// spoken returns who said what in a line of the transcript, "" for lines that
// are not conversation.
func spoken(line string) (who, text string) {
	var l struct {
		Type    string
		Message struct{ Content json.RawMessage }
	}
	if json.Unmarshal([]byte(line), &l) != nil {
		return "", ""
	}
	if l.Type == "user" && json.Unmarshal(l.Message.Content, &text) == nil {
		return "person", text
	}
	var blocks []struct{ Type, Text string }
	if l.Type == "assistant" && json.Unmarshal(l.Message.Content, &blocks) == nil {
		for _, b := range blocks {
			if b.Type == "text" {
				return "agent", b.Text
			}
		}
	}
	return "", ""
}

// lastSaid is the agent's last text, which Stop is told beside the file.
func lastSaid(transcript []byte) (last string) {
	for l := range strings.Lines(string(transcript)) {
		if who, text := spoken(l); who == "agent" {
			last = text
		}
	}
	return last
}

// columns is how wide the screen is that the demo fits.
const columns = 80

// say prints a line of the story, cut at the edge of the screen.
func (d *stage) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if !d.whole {
		line = text.Shorten(line, columns-1)
	}
	fmt.Fprintln(d.out, line)
}

// more prints a line that the short form leaves out.
func (d *stage) more(format string, args ...any) {
	if d.whole {
		d.say(format, args...)
	}
}

// quote prints what a binary said, set off from the demo's own words. The short form has only the lines with
// one of some words, or all where none is named.
func (d *stage) quote(said string, words ...string) {
	for l := range strings.Lines(strings.TrimRight(said, "\n")) {
		names := func(word string) bool { return strings.Contains(l, word) }
		if d.whole || len(words) == 0 || slices.ContainsFunc(words, names) {
			d.say("  | %s", strings.TrimRight(l, "\n"))
		}
	}
}

// want is an error naming the first of the words that text lacks.
func want(text string, words ...string) error {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return fmt.Errorf("expected %q in:\n%s", w, text)
		}
	}
	return nil
}
