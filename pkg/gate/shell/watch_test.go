package shell

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
)

// heard is a Watch that wants to hear everything.
type heard struct{ commands, changed []string }

func (h *heard) watch() *rules.Watch {
	return &rules.Watch{
		Text:    func(string) bool { return true },
		Command: func(words []string) { h.commands = append(h.commands, strings.Join(words, " ")) },
		File:    func(path string) { h.changed = append(h.changed, path) },
	}
}

// TestWatch: what a call runs and changes is heard in whatever form it is written.
func TestWatch(t *testing.T) {
	const npm = "npm install"
	for command, want := range map[string]string{ // a command, or the path of a file
		"npm install":                               npm,
		"env X=1 npm install":                       npm,
		"X=1 npm install":                           npm,
		"sudo -u me npm install":                    npm,
		"sudo npm install":                          "sudo npm install",
		"sh -c 'npm install'":                       npm,
		`bash -lc "cd web && npm install"`:          npm,
		"cd web && npm install":                     npm,
		"timeout 60 nice npm install":               npm,
		"echo install | xargs npm":                  npm,
		"find . -name x -exec npm install \\;":      npm,
		"if true; then npm install; fi":             npm,
		"f() { npm install; }; f":                   npm,
		"c=install; npm $c":                         npm,
		"eval 'npm install'":                        npm,
		"n''pm install":                             npm,
		"(npm install) >/dev/null 2>&1 &":           npm,
		"echo $(npm install)":                       npm,
		"python3 -m pip install x":                  "python3 -m pip install x",
		"echo x > db/1.sql":                         "/p/db/1.sql",
		"cd db && rm 1.sql":                         "/p/db/1.sql",
		"cat a | tee -a db/1.sql":                   "/p/db/1.sql",
		"sed -i s/a/b/ db/1.sql":                    "/p/db/1.sql",
		"mv db/1.sql db/2.sql":                      "/p/db/1.sql",
		"mv db/1.sql db/2.sql ":                     "/p/db/2.sql",
		"cp x db/1.sql":                             "/p/db/1.sql",
		"git rm -q db/1.sql":                        "/p/db/1.sql",
		"cat > db/1.sql <<'EOF'\nselect 1\nEOF":     "/p/db/1.sql",
		"find . -delete -name x; rm -f -- db/1.sql": "/p/db/1.sql",
	} {
		args, _ := json.Marshal(map[string]string{"command": command})
		h := &heard{}
		Judge(Call{Tool: "Bash", Args: args, Cwd: "/p", Watch: h.watch()})
		if all := append(h.commands, h.changed...); !slices.Contains(all, want) {
			t.Errorf("%s: %q, want %q", command, all, want)
		}
	}
	for tool, field := range map[string]string{"Write": "file_path", "Edit": "file_path",
		"NotebookEdit": "notebook_path", "SomeTool": "path"} {
		args, _ := json.Marshal(map[string]string{field: "db/1.sql"})
		h := &heard{}
		Judge(Call{Tool: tool, Args: args, Cwd: "/p", Watch: h.watch()})
		if !slices.Contains(h.changed, "/p/db/1.sql") {
			t.Errorf("%s: %q", tool, h.changed)
		}
	}
	for command, not := range map[string]string{ // what is only spoken of
		"echo npm install":                    npm,
		"git commit -m 'npm install'":         npm,
		"cat <<'EOF'\nnpm install\nEOF":       npm,
		"grep -r 'npm install' db/1.sql":      "/p/db/1.sql",
		"# npm install":                       npm,
		"cat db/1.sql":                        "/p/db/1.sql",
		"printf 'npm install' > notes.txt":    npm,
		"python3 -c 'print(\"npm install\")'": npm,
	} {
		args, _ := json.Marshal(map[string]string{"command": command})
		h := &heard{}
		Judge(Call{Tool: "Bash", Args: args, Cwd: "/p", Watch: h.watch()})
		if all := append(h.commands, h.changed...); slices.Contains(all, not) {
			t.Errorf("%s: %q", command, all)
		}
	}
}
