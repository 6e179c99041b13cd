package guard

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

func TestMatchCommand(t *testing.T) {
	for _, c := range []struct {
		guard, command string
		want           bool
	}{
		{"npm install", "npm install", true},
		{"npm install", "npm i", true},
		{"npm i", "npm install react", true},
		{"npm install", "/usr/bin/npm --prefix web install", true},
		{"npm install", "npm run install", false},
		{"npm install", "npm ci", false},
		{"npm install", "npm", false},
		{"npm", "npm run build", true},
		{"npm", "pnpm i", false},
		{"yarn install", "yarn", true},
		{"yarn install", "yarn --version", false},
		{"git push --force", "git push --force origin main", true},
		{"git push --force", "git push origin main -f", true},
		{"git push --force", "git push -uf origin main", true},
		{"git push --force", "git push --force-with-lease", false},
		{"git push --force", "git push origin -- -f", false},
		{"git push main", "git push origin main", true},
		{"git push main", "git push origin maintenance", false},
		{"git push --force", "git push origin +main", true},
		{"git push --force", "git push -u origin +HEAD:main", true},
		{"git push --force", "git push origin HEAD:main", false},
		{"git push --force main", "git push origin +main", true},
		{"git push --force main", "git push origin +fix", false},
		{"git push main", "git push origin HEAD:main", true},
		{"git push main", "git push origin HEAD:refs/heads/main", true},
		{"git push main", "git push origin main:fix", false},
		{"git push main", "git push --all origin", true},
		{"git push main", "git push --mirror", true},
		{"git push main", "git push", false},
		{"git push --delete", "git push origin :old", true},
		{"git push --delete", "git push origin HEAD:old", false},
		{"git push", "git -C web push", true},
		{"git push", "git commit -m push", false},
		{"git push", "git -c a.b=c --no-pager push", true},
		{"git commit --no-verify", "git commit -nm x", true},
		{"git commit --no-verify", "git commit -m x", false},
		{"git add -A", "git add -A", true},
		{"git add -A", "git add a.go", false},
		{"pip install", "python3 -m pip install x", true},
		{"pip install", "pip3 install x", true},
		{"docker compose up", "docker-compose -f x.yml up", true},
		{"docker compose up", "docker-compose up -d", true},
		{"docker compose", "docker --context c compose down", true},
		{"rm -rf", "rm -fr build", true},
		{"rm -rf", "rm -r -f build", true},
		{"rm -rf", "rm -r --force build", true},
		{"rm -rf", "rm --recursive --force build", true},
		{"rm -rf", "rm -Rf build", true},
		{"rm -rf", "rm -R build", false},
		{"rm -rf", "rm -rf-x", false},
		{"kubectl delete", "kubectl -n prod delete pod x", true},
		{"make deploy", "make -C infra deploy", true},
		{"go test --count=1", "go test --count=1 ./...", true},
		{"npm run deploy", "npm run-script deploy", true},
		{"terraform apply", "terraform plan", false},
	} {
		got := Matches(strings.Fields(c.guard), strings.Fields(c.command))
		if got != c.want {
			t.Errorf("%q about %q: %v", c.guard, c.command, got)
		}
	}
}

// A push without a name is of the branch that is checked out.
func TestPushWithoutAName(t *testing.T) {
	packed := Pack([]Rule{rule("a", memory.Deny, memory.Guard{Command: []string{"git", "push", "main"}})}, "")
	for command, want := range map[string]map[string]bool{
		"git push":                   {"main": true, "fix": false, "": false},
		"git push origin":            {"main": true, "fix": false},
		"git push -u origin HEAD":    {"main": true, "fix": false},
		"git push origin fix":        {"main": false},
		"git push origin main:other": {"main": false},
		"git pull":                   {"main": false},
	} {
		for branch, hit := range want {
			w, err := NewWatch(packed, "Bash", "/p", "/p")
			if err != nil {
				t.Fatal(err)
			}
			w.Branch = func() string { return branch }
			if w.Command(strings.Fields(command)); len(w.Hits) > 0 != hit {
				t.Errorf("%q on %q: %v", command, branch, w.Hits)
			}
		}
	}
}

// What only the shell will know of a command is shown as such.
func TestHitIsLegible(t *testing.T) {
	packed := Pack([]Rule{rule("a", memory.Deny, memory.Guard{Command: []string{"terraform", "apply"}})}, "")
	w, err := NewWatch(packed, "Bash", "/p", "/p")
	if err != nil {
		t.Fatal(err)
	}
	w.Command([]string{"terraform", "apply", "./\x00", "\x01<0", "-auto-approve"})
	if len(w.Hits) != 1 || w.Hits[0].What != "terraform apply ./… … -auto-approve" {
		t.Errorf("%+v", w.Hits)
	}
}

func TestRehearses(t *testing.T) {
	for _, c := range []struct {
		needs, command string
		want           bool
	}{
		{"make fmt", "make fmt", false}, {"make fmt", "make -n fmt", true},
		{"make fmt", "make -Bn fmt", true},
		{"make fmt", "make fmt --dry-run", true}, {"make fmt", "make --just-print fmt", true},
		{"make fmt", "make -j4 -k fmt", false}, {"go test", "go test -run TestN ./...", false},
		{"go test", "go test -list . ./...", true}, {"go build", "go build -n ./...", true},
		{"cargo test", "cargo test --no-run", true}, {"cargo test", "cargo test -- --list", false},
		{"pytest", "pytest --collect-only", true}, {"pytest", "pytest -n 4", false},
		{"npm run lint", "npm run lint --help", true}, {"terraform plan", "terraform plan -out x", false},
		{"npm publish --dry-run", "npm publish --dry-run", false},
	} {
		if got := rehearses(strings.Fields(c.needs), normal(strings.Fields(c.command))); got != c.want {
			t.Errorf("%q, needed is %q: %v", c.command, c.needs, got)
		}
	}
}

func TestMatchPath(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"db/migrations/", "db/migrations/001.sql", true},
		{"db/migrations/", "db/migrations", true},
		{"db/migrations/", "web/db/migrations/001.sql", false},
		{"migrations/", "web/migrations/a/b.sql", true},
		{"migrations", "migrations.go", false},
		{"package-lock.json", "package-lock.json", true},
		{"package-lock.json", "web/package-lock.json", true},
		{"/package-lock.json", "web/package-lock.json", false},
		{"*.lock", "web/yarn.lock", true},
		{"*.lock", "yarn.locks", false},
		{"internal/legacy/**", "internal/legacy/a/b.go", true},
		{"internal/legacy/**", "internal/legacy2/a.go", false},
		{"internal/**/gen.go", "internal/a/b/gen.go", true},
		{"internal/**/gen.go", "internal/gen.go", true},
		{"**/testdata/", "a/b/testdata/x", true},
		{"a/*.go", "a/b/c.go", false},
		{"a/?.go", "a/b.go", true},
		{"vendor/", "../vendor/x", true},
		{".env", "a/.env", true},
		{".env*", ".env.local", true},
	} {
		if got := MatchPath(c.pattern, c.path); got != c.want {
			t.Errorf("%q about %q: %v", c.pattern, c.path, got)
		}
	}
}

// TestPathologicalPattern: no pattern that may stand in a record takes long.
func TestPathologicalPattern(t *testing.T) {
	for _, pattern := range []string{strings.Repeat("**/", 60) + "x", strings.Repeat("a*", 99) + "b",
		strings.Repeat("*/", 99) + "b", strings.Repeat("*a*a*a*/", 20)} {
		if err := (memory.Guard{Path: pattern, Does: memory.Deny}).Valid(); err != nil {
			t.Fatal(err)
		}
		path := strings.Repeat("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/", 80) + "c"
		begun := time.Now()
		MatchPath(pattern, path)
		if took := time.Since(begun); took > 200*time.Millisecond {
			t.Errorf("%.20q…: %v", pattern, took)
		}
	}
}

func rule(id, does string, g memory.Guard) Rule {
	g.Does = does
	return Rule{Guard: g, Record: "preferences/" + id + ".json", Title: "Title of " + id,
		Words: "Words of " + id}
}

func TestWatch(t *testing.T) {
	packed := Pack([]Rule{
		rule("npm", memory.Deny, memory.Guard{Command: []string{"npm", "install"}}),
		rule("tested", memory.Deny, memory.Guard{Command: []string{"git", "commit"},
			Needs: []string{"make", "test"}}),
		rule("schema", memory.Ask, memory.Guard{Path: "db/migrations/"}),
		rule("fetch", memory.Say, memory.Guard{Tool: "WebFetch"}),
		rule("github", memory.Ask, memory.Guard{Tool: "mcp__github"}),
	}, "b")
	type call struct {
		tool, cwd string
		text      string
		commands  []string
		changed   []string
	}
	for name, c := range map[string]struct {
		call
		read bool // the text is parsed
		want string
	}{
		"another tool":  {call{tool: "Read"}, false, ""},
		"the tool":      {call{tool: "WebFetch"}, false, "fetch"},
		"of a server":   {call{tool: "mcp__github__create_issue"}, false, "github"},
		"of another":    {call{tool: "mcp__github2__create_issue"}, false, ""},
		"nothing in it": {call{tool: "Bash", text: "ls -l"}, false, ""},
		"a command":     {call{tool: "Bash", text: "npm i", commands: []string{"npm i"}}, true, "npm"},
		"only named":    {call{tool: "Bash", text: "echo npm", commands: []string{"echo npm"}}, true, ""},
		"with a wrapper": {call{tool: "Bash", text: "sudo npm i", commands: []string{"sudo npm i", "npm i"}},
			true, "npm"},
		"a file": {call{tool: "Write", changed: []string{"/p/db/migrations/1.sql"}}, false, "schema"},
		"a link's file": {call{tool: "Write", changed: []string{"/real/p/db/migrations/1.sql"}}, false,
			"schema"},
		"elsewhere": {call{tool: "Write", changed: []string{"/q/db/migrations/1.sql"}}, false, ""},
		"by a command": {call{tool: "Bash", text: "rm db/migrations/1.sql", commands: []string{"rm x"},
			changed: []string{"/p/db/migrations/1.sql"}}, true, "schema"},
		"in the folder": {call{tool: "Bash", cwd: "/p/db/migrations", text: "rm 1.sql"}, true, ""},
		"a rehearsal of it": {call{tool: "Bash", text: "make -n test && git commit",
			commands: []string{"make -n test", "git commit -m x"}}, true, "tested"},
		"its help": {call{tool: "Bash", text: "make test --help && git commit",
			commands: []string{"make test --help", "git commit -m x"}}, true, "tested"},
		"not to rehearse": {call{tool: "Bash", text: "make -k test && git commit",
			commands: []string{"make -k test", "git commit -m x"}}, true, "tested ready; ran tested"},
		"whether it failed or not": {call{tool: "Bash", text: "make test; git commit",
			commands: []string{"make test", "git commit -m x"}}, true, "tested; ran tested"},
		"if it failed": {call{tool: "Bash", text: "make test || git commit",
			commands: []string{"make test", "git commit -m x"}}, true, "tested; ran tested"},
		"in a pipe": {call{tool: "Bash", text: "make test | tail && git commit",
			commands: []string{"make test", "tail", "git commit -m x"}}, true, "tested; ran tested"},
		"with its output": {call{tool: "Bash", text: "make test >log 2>&1 && cd x && git commit",
			commands: []string{"make test", "cd x", "git commit -m x"}}, true, "tested ready; ran tested"},
		"after set -e": {call{tool: "Bash", text: "set -e; make test; git commit",
			commands: []string{"set -e", "make test", "git commit -m x"}}, true, "tested ready; ran tested"},
		"without the need": {call{tool: "Bash", text: "git commit", commands: []string{"git commit -m x"}},
			true, "tested"},
		"with the need": {call{tool: "Bash", text: "make test && git commit", commands: []string{"make test",
			"git commit -m x"}},
			true, "tested ready; ran tested"},
		"the need too late": {call{tool: "Bash", text: "git commit; make test",
			commands: []string{"git commit -m x", "make test"}},
			true, "tested; ran tested"},
		"twice": {call{tool: "Bash", text: "npm i; npm i", commands: []string{"npm i", "npm i x"}}, true,
			"npm"},
	} {
		w, err := NewWatch(packed, c.tool, c.cwd, "/p/", "/real/p")
		if err != nil {
			t.Fatal(err)
		}
		if read := w.Text(c.text) && c.text != ""; read != c.read {
			t.Errorf("%s: parsed %v", name, read)
		}
		for _, words := range c.commands {
			w.Command(strings.Fields(words))
		}
		for _, p := range c.changed {
			w.Changed(p)
		}
		got := ""
		for _, h := range w.Hits {
			got += h.ID()
			if h.Ready {
				got += " ready"
			}
		}
		for _, r := range w.Ran {
			got += "; ran " + r.ID()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestPack(t *testing.T) {
	all := []Rule{
		rule("a", memory.Deny, memory.Guard{Command: []string{"pip3", "install"}}),
		rule("b", memory.Say, memory.Guard{Path: "[ab]/x"}),
		{Guard: memory.Guard{Tool: "WebFetch", Does: memory.Say}, Record: "constraints/c.json", Once: true,
			Words: "line\nbreak"},
	}
	packed := Pack(all, "b")
	back, err := Unpack(packed)
	if err != nil || fmt.Sprint(back) != fmt.Sprint(all) {
		t.Errorf("%v, %v", back, err)
	}
	if none, err := Unpack(Pack(nil, "")); err != nil || len(none) > 0 {
		t.Errorf("%v, %v", none, err)
	}
	if none, err := Unpack(nil); err != nil || len(none) > 0 {
		t.Errorf("no file: %v, %v", none, err)
	}
	if Basis(packed) != "b" || Basis(packed[1:]) != "" || Basis(nil) != "" {
		t.Errorf("%q", Basis(packed))
	}
	for i := range packed {
		for _, broken := range [][]byte{packed[:i], append(append([]byte(nil), packed[:i]...),
			packed[i+1:]...)} {
			if _, err := NewWatch(broken, "Bash", "/"); i > 0 && (i < 26 || i > 27) && !errors.Is(err,
				ErrPacked) {
				t.Fatalf("broken at %d: %v", i, err)
			}
		}
	}
	if a, b := all[0].Key(), rule("a", memory.Ask, memory.Guard{Command: []string{"pip3",
		"install"}}).Key(); a == b {
		t.Error("another guard has the same key")
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(Pack(nil, ""))
	f.Add(Pack([]Rule{rule("a", memory.Deny, memory.Guard{Command: []string{"npm", "i"}})}, ""))
	f.Fuzz(func(t *testing.T, packed []byte) {
		all, err := Unpack(packed)
		w, werr := NewWatch(packed, "Bash", "/p", "/p")
		if err == nil && werr != nil {
			t.Errorf("%v, %v", err, werr)
		}
		if w == nil {
			return
		}
		w.Text(string(packed))
		w.Command(strings.Fields(string(packed)))
		w.Changed(string(packed))
		if len(w.Hits) > len(all) && err == nil {
			t.Errorf("%d hits of %d", len(w.Hits), len(all))
		}
	})
}

func FuzzMatchCommand(f *testing.F) {
	f.Add("git push --force", "git push -f")
	f.Fuzz(func(t *testing.T, guard, command string) {
		g, c := strings.Fields(guard), strings.Fields(command)
		if len(c) > 0 {
			Matches(g, c)
		}
		if len(g) > 0 && len(c) > 0 && (memory.Guard{Command: g, Does: memory.Say}).Valid() == nil {
			longer := append(append([]string(nil), c...), "--zzz")
			if Matches(g, c) && !Matches(g, longer) {
				t.Errorf("%q is about %q, and not with an option more", g, c)
			}
		}
	})
}

func BenchmarkWatch(b *testing.B) {
	var all []Rule
	for i := range 200 {
		g := memory.Guard{Command: []string{fmt.Sprintf("tool%d", i), "install"}}
		if i%4 == 0 {
			g = memory.Guard{Path: fmt.Sprintf("folder%d/", i)}
		}
		all = append(all, rule(fmt.Sprint(i), memory.Deny, g))
	}
	packed := Pack(all, "b")
	for b.Loop() {
		w, err := NewWatch(packed, "Bash", "/p", "/p")
		if err != nil || w.Text("git status && ls -l") {
			b.Fatal(err)
		}
	}
}
