package host

import (
	"encoding/json"
	"fmt"
	"path"

	"keepsake/pkg/client/codex"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/gate/shell"
	"keepsake/pkg/layout"
)

// Judge returns the verdict on an event, of which c is the [Call]. A patch of Codex CLI is judged as one call
// for each file that it changes.
func Judge(e rules.Event, c shell.Call) rules.Verdict {
	text, dir, ok := "", "", false
	switch {
	case e.Tool == codex.Patch:
		text, ok = codex.Command(e.Args), true
	case e.Tool == "Bash" && layout.IsCodex(e.Transcript):
		named := false
		text, dir, ok, named = codex.Patches(codex.Command(e.Args))
		if named && !ok {
			return unreadPatch("in a command of this form it can't be read",
				"call the tool apply_patch by itself")
		}
	}
	if !ok {
		return shell.Judge(c)
	}
	changes, err := codex.ParsePatch(text)
	if err != nil {
		return unreadPatch(err.Error(), "write the patch in the form that apply_patch takes")
	}
	if dir = path.Clean(dir); !path.IsAbs(dir) {
		dir = path.Join(c.Cwd, dir)
	}
	worst, stopped := rules.Verdict{}, 0
	for _, change := range changes {
		for _, part := range calls(change, dir) {
			c.Tool, c.Args = part.tool, part.args
			v := shell.Judge(c)
			if v.Decision == rules.Pass || v.Decision == rules.Allow {
				continue
			}
			if stopped++; stopped == 1 || v.Decision == rules.Deny && !v.Person {
				worst = v
			}
			break // one verdict for a file
		}
	}
	if stopped > 1 && worst.Person { // a yes is for what the person was told, which is one file
		worst.Decision, worst.Person, worst.Held = rules.Deny, false, false
		worst.Reason += fmt.Sprintf("\n%d files of this patch are such ones.\n"+
			"hint: put each of them into a patch of its own", stopped)
	}
	worst.Save, worst.Promotion = nil, nil
	return worst
}

// unreadPatch returns the verdict on a patch that can't be read.
func unreadPatch(why, hint string) rules.Verdict {
	return rules.Verdict{Decision: rules.Deny, Reason: "keepsake: the memory gate could not read this " +
		"patch, so it is stopped: " + rules.Line(why) + "\nhint: " + hint}
}

// A written is a call of a tool that the gate knows.
type written struct {
	tool string
	args []byte
}

// calls returns the calls that do what a change of a patch does. Its paths are relative to dir.
func calls(change codex.Change, dir string) (all []written) {
	at := func(name string) string {
		if path.IsAbs(name) {
			return path.Clean(name)
		}
		return path.Join(dir, name)
	}
	add := func(tool string, args map[string]any) {
		b, _ := json.Marshal(args) // strings and lists of them
		all = append(all, written{tool, b})
	}
	file := at(change.Path)
	switch change.Kind {
	case codex.Add:
		add("Write", map[string]any{"file_path": file, "content": change.Text})
	case codex.Delete:
		add("Bash", map[string]any{"command": "rm -f -- " + rules.Quote(file)})
	case codex.Update:
		var edits []map[string]string
		for _, e := range change.Edit {
			edits = append(edits, map[string]string{"old_string": e.Old, "new_string": e.New})
		}
		if len(edits) > 0 {
			add("MultiEdit", map[string]any{"file_path": file, "edits": edits})
		}
		if change.To != "" {
			add("Bash", map[string]any{"command": "mv -f -- " + rules.Quote(file) + " " +
				rules.Quote(at(change.To))})
		}
	}
	return all
}
