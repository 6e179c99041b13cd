//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The client's own memory has grown as usual: a paragraph in the index, a pointer with another spelling of
// the file, a note without a pointer. md fix mends it, the next session loads the mended index, and undo
// brings back what was. All the while the client warns of the age of each memory as before.
func TestFmtOfTheClientsMemory(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const messy = "# Memory\n\n- [Role](Role.md) — what the user does\n\nThe staging hosts are heron " +
			"and ibis; both are rebuilt every night.\n"
		const role = "---\nname: role\ndescription: The user looks after the logging pipeline\nmetadata:\n " +
			" type: user\n---\n\nThe user looks after the logging pipeline.\n"
		const loose = "Deploys run from the main branch only.\n"
		l := NewLab(t, c)
		l.InstallKeepsake()
		var start struct {
			Paths struct{ Auto string } `json:"memory_paths"`
		}
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			switch last, tail := r.LastCall(), r.Tail(); {
			case last.Name == "" && strings.Contains(tail, "Mend the memory"):
				return Bash(l.keepsake() + " fmt -w")
			case last.Name == "" && strings.Contains(tail, "Is all of it in order now"):
				return Bash(l.keepsake() + " lint")
			case last.Name == "" && strings.Contains(tail, "How old is the role"):
				return Call("Read", map[string]any{"file_path": filepath.Join(start.Paths.Auto, "role.md")})
			case last.Name == "" && strings.Contains(tail, "Take that back"):
				return Bash(l.keepsake() + " undo last --dir " + start.Paths.Auto)
			case last.Name == "Bash", last.Name == "Read":
				_, says, _ := strings.Cut(tail, "[result] ")
				return Say("It says: " + says)
			}
			return Say("Fine.")
		})
		loads := func(want string) {
			t.Helper()
			if r := l.Model.Requests(); !strings.Contains(r[len(r)-1].First(), want) {
				t.Errorf("the client does not load %q\n%s", want, r[len(r)-1].First())
			}
		}

		if err := json.Unmarshal([]byte(l.Headless("Hello.").Init().Raw), &start); err != nil ||
			start.Paths.Auto == "" {
			t.Fatalf("the client names no memory: %v", err)
		}
		files := map[string]string{"MEMORY.md": messy, "role.md": role, "deploys.md": loose}
		for name, text := range files {
			path := filepath.Join(start.Paths.Auto, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Time{}, time.Now().AddDate(0, 0, -265)); err != nil {
				t.Fatal(err)
			}
		}
		old := func(talk *Talk, when string) {
			t.Helper()
			talk.Say("How old is the role?")
			if r := l.Model.Requests(); !strings.Contains(r[len(r)-1].Text(), "265 days old") {
				t.Errorf("%s the client says no age\n%s", when, l.Model.Digest())
			}
		}
		talk := l.Talk("--permission-mode", "bypassPermissions")
		old(talk, "before")
		loads("The staging hosts are heron and ibis; both are rebuilt every night.")

		mended := talk.Say("Mend the memory.").Result
		talk.End()
		for _, want := range []string{"files: 1 created, 2 changed, 0 merged, 0 moved",
			"takes it back"} {
			if !strings.Contains(mended, want) {
				t.Errorf("fmt says %q, want %q\n%s", mended, want, l.Model.Digest())
			}
		}
		talk = l.Talk()
		if got := talk.Say("Is all of it in order now?").Result; !strings.Contains(got,
			"0 errors, 2 warnings; 0 fixable") || strings.Count(got, "265 days ago [date-old]") != 2 {
			t.Errorf("lint says %q\n%s", got, l.Model.Digest())
		}
		for _, want := range []string{"- [Role](role.md) — what the user does",
			"](the-staging-hosts-are-heron-and.md) — The staging hosts are heron and ibis",
			"- [Deploys](deploys.md) — Deploys run from the main branch only"} {
			loads(want)
		}

		old(talk, "mended")
		talk.End()
		talk = l.Talk("--permission-mode", "bypassPermissions", "--allowedTools", "Bash")
		if got := talk.Say("Take that back.").Result; !strings.Contains(got, "as it was: MEMORY.md") {
			t.Errorf("undo says %q\n%s", got, l.Model.Digest())
		}
		for name, text := range files {
			if b, err := os.ReadFile(filepath.Join(start.Paths.Auto, name)); err != nil || string(b) != text {
				t.Errorf("%s is not as it was: %v\n%s", name, err, b)
			}
		}
		old(talk, "taken back")

		// Where nobody can be asked, nothing is merged, whatever is allowed.
		twin := filepath.Join(start.Paths.Auto, "twin.md")
		l.Write(twin, role)
		if got := talk.Say("Mend the memory.").Result; !strings.Contains(got, "1 merged") ||
			!strings.Contains(got, "twin.md goes") || !strings.Contains(got, "only a person can say so") {
			t.Errorf("a merge that nobody was asked about came to %q\n%s", got, l.Model.Digest())
		}
		talk.End()
		if l.Read(twin) != role {
			t.Error("merged without a person")
		}
		if err := os.Remove(twin); err != nil {
			t.Fatal(err)
		}
		l.Headless("Hello once more.")
		loads("The staging hosts are heron and ibis; both are rebuilt every night.")
	})
}
