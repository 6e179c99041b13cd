package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"time"

	"keepsake/hooks"
	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/text"
)

// hookEntry is one entry of hooks.json below its event. Each hook is kept whole, to be compared.
type hookEntry struct {
	Matcher string
	Hooks   []map[string]any
}

// readHooks returns the entries of the plugin's hooks.json, by event.
func readHooks(plugin string) (map[string][]hookEntry, error) {
	path := layout.HooksFile(plugin)
	b, err := disk.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	events, err := parseHooks(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return events, nil
}

func parseHooks(b []byte) (map[string][]hookEntry, error) {
	var file struct{ Hooks map[string][]hookEntry }
	err := json.Unmarshal(b, &file)
	return file.Hooks, err
}

// checkGate reports whether the client's hooks call the gate and stop the call when the gate fails, and
// whether the gate answers.
func checkGate(p Patient, r *report) {
	events, err := readHooks(p.plugin)
	if err != nil {
		r.bad(p.repair(), "no gate: %v", err)
		return
	}
	gate, ok := gateCommand(events["PreToolUse"])
	if !ok {
		r.bad(p.repairHooks(), "hooks.json does not call the gate: permanent memory writes pass unseen")
		return
	}
	if !strings.Contains(gate, "exit 2") {
		r.bad(p.repairHooks(), "hooks.json lets calls through when the gate fails")
		return
	}
	shipped, err := parseHooks(hooks.JSON)
	if err != nil || !reflect.DeepEqual(events["PreToolUse"], shipped["PreToolUse"]) {
		r.bad(p.repairHooks(),
			"hooks.json does not call the gate as this program was built to be called")
		return
	}
	took, err := tryGate(p.plugin, gate)
	if err != nil {
		r.bad(p.repair(), "the gate does not judge: %v", err)
		return
	}
	r.ok("asks before permanent memory writes, and stops them when it fails (a sample was stopped in %d ms)",
		took.Milliseconds())
}

func gateCommand(entries []hookEntry) (command string, ok bool) {
	for _, e := range entries {
		for _, h := range e.Hooks {
			if command, _ := h["command"].(string); strings.Contains(command, "hooks/pretooluse") {
				return command, true
			}
		}
	}
	return "", false
}

// gateSample is a call that no gate lets through: a write to a MemPalace.
const gateSample = `{"hook_event_name":"PreToolUse","session_id":"doctor","cwd":"/","permission_mode":"default",` +
	`"tool_name":"mcp__mempalace__mempalace_add_drawer",` +
	`"tool_input":{"wing":"keepsake","room":"doctor","content":"a sample that nobody runs"}}`

// gateLook is how long doctor waits for the gate, which takes a few milliseconds.
const gateLook = 3 * time.Second

// tryGate calls the gate as the client does, with a call that must be stopped.
func tryGate(plugin, command string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), gateLook)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	// a sample is no event
	cmd.Env = append(os.Environ(), "CLAUDE_PLUGIN_ROOT="+plugin, "KEEPSAKE_LOGGING_ENABLED=off")
	cmd.Stdin = strings.NewReader(gateSample)
	cmd.WaitDelay = gateLook
	var errs strings.Builder
	cmd.Stderr = &errs
	began := time.Now()
	out, err := cmd.Output()
	took := time.Since(began)
	if err != nil {
		return took, fmt.Errorf("%w: %s", err, text.Shorten(brief.Line(errs.String()), shownRunes))
	}
	var answer struct {
		HookSpecificOutput struct{ PermissionDecision string }
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return took, fmt.Errorf("a write to a MemPalace got %q: %w",
			text.Shorten(brief.Line(string(out)), shownRunes), err)
	}
	if d := answer.HookSpecificOutput.PermissionDecision; d != "ask" && d != "deny" {
		return took, fmt.Errorf("a write to a MemPalace got the decision %q, want ask or deny", d)
	}
	return took, nil
}
