package userpromptexpansion

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/internal/script"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/scratch"
)

func TestMain(m *testing.M) {
	script.Main(m, map[string]func(){"userpromptexpansion": func() { os.Exit(Run()) },
		"event": printEvent, "ask": askOne, "standing": standing, "propose": propose,
		"candidates": candidates, "findings": findings})
}

// TestScripts runs the hook below a process that is called claude, as the client
// is, so it can't run below a real one.
func TestScripts(t *testing.T) {
	if err := session.Alone(); err != nil {
		t.Skip(err)
	}
	script.Run(t)
}

// printEvent prints a UserPromptExpansion event: event COMMAND ARGS SESSION. SOURCE
// in the environment is where the command comes from, if not from a plugin, and MODE the
// permission mode.
func printEvent() {
	source := cmp.Or(os.Getenv("SOURCE"), "plugin")
	b, err := json.Marshal(map[string]any{
		"session_id": os.Args[3], "cwd": "/", "hook_event_name": "UserPromptExpansion",
		"permission_mode": cmp.Or(os.Getenv("MODE"), "default"),
		"transcript_path": filepath.Join(os.Getenv("HOME"), ".claude", "projects", "-project", "s1.jsonl"),
		"expansion_type":  "slash_command", "command_name": os.Args[1], "command_args": os.Args[2],
		"command_source": source,
		"prompt":         "/" + os.Args[1] + " " + os.Args[2],
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(b))
}

func folder() approval.Dir {
	return approval.Dir(layout.Approvals(filepath.Join(os.Getenv("HOME"), ".claude")))
}

// askOne writes down a stopped call of a session and prints its id: ask SESSION DIGEST [CONTENT].
func askOne() {
	args := []byte("{}")
	if len(os.Args) > 3 {
		args = fmt.Appendf(nil, `{"content":%q}`, os.Args[3])
	}
	id, _, err := folder().Ask(approval.Request{Digest: os.Args[2], Tool: "mcp__m__mempalace_add_drawer",
		Session: os.Args[1], Project: "/p", Args: args, Asked: time.Now()})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(id)
}

// standing prints how many calls are approved, rejected and waiting.
func standing() {
	given, refused, err := folder().Answered(time.Now())
	waiting, werr := folder().Waiting(time.Now())
	fmt.Println(len(given), "approved,", len(refused), "rejected,", len(waiting), "waiting", err, werr)
}

func project() *session.Session {
	s, err := session.Open(session.Call{ID: "s1", Cwd: "/"})
	if err != nil {
		panic(err)
	}
	return s
}

// propose puts a note of the project on its inbox and prints the candidate's id.
func propose() {
	s := project()
	dir := filepath.Join(s.Root, scratch.Dir)
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "general.md"),
			scratch.Encode(scratch.Entry{At: time.Now(), Text: "Decided to use Postgres."}), 0o644)
	}
	r, perr := s.Propose("> Decided to use Postgres.\nSource: "+scratch.Dir+"/general.md:2", time.Now(),
		time.Now())
	if err != nil || perr != nil || r.Taken() != 1 {
		panic(fmt.Sprint(r, err, perr))
	}
	fmt.Print(r.Items[0].ID)
}

// candidates prints how the candidates of the project stand.
func candidates() {
	all, err := project().Inbox().All()
	for _, c := range all {
		fmt.Println(c.State, err)
	}
}

// findings prints what the journal of the project has.
func findings() {
	book, err := project().Book()
	if err != nil {
		panic(err)
	}
	for _, f := range book.Each(nil) {
		explicit := ""
		if f.Explicit {
			explicit = " explicit"
		}
		fmt.Printf("%d %s %s %s %s%s %s: %s\n", f.Number, f.Category, f.By, f.Origin, f.Level,
			explicit, f.State,
			f.Text)
	}
}
