package shell

import (
	"encoding/json"
	"path"
	"strings"
	"testing"

	"keepsake/pkg/gate/guard"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/memory"
)

// TestPathsOfGuards: a pattern of a guard's meets whatever way a command changes what it names, and nothing
// that a command does beside it.
func TestPathsOfGuards(t *testing.T) {
	for pattern, commands := range map[string]struct{ meets, leaves string }{
		"db/migrations/": {`
			rm -rf db
			rm -r ./db
			cd db && rm -rf migrations
			rm -rf *
			rm -rf .
			rm -rf d*
			rm db/migrations/*.sql
			rm -f db/*/1.sql
			mv db old
			git rm -rq db
			git restore db/migrations
			git restore --staged --worktree db/migrations/1.sql
			git checkout HEAD~1 -- db/migrations/1.sql
			git checkout db
			git checkout db/migrations
			git -C db checkout migrations/1.sql
			git clean -fd db
			git stash push db/migrations
			find db -name '*.sql' -delete
			find . -type f -delete
			find db/migrations -type f -exec sed -i s/a/b/ {} +
			find db -exec rm -rf {} \;
			chmod -R a+w db
			rsync -a --delete x/ db/
			rm link/1.sql
			sed -i s/a/b/ link/1.sql
			echo x > link/2.sql`, `
			rm -rf web
			rm db/*.md
			rm -rf web/*
			mv new.sql db
			mkdir -p db
			touch db
			cp x db
			rmdir web
			git switch db/migrations
			git checkout -b db/migrations
			git checkout main
			git checkout .
			git reset --hard
			git merge db/migrations
			git checkout db/migrations -- web/x
			git add db/migrations
			git log -- db/migrations
			find db -name '*.sql'
			find web -delete
			find . -name '*.pyc' -delete
			find . -name '*.orig' -exec rm {} +
			find db/migrations -exec grep -l x {} +
			cat db/migrations/1.sql
			chmod a+w db
			rm other/1.sql`},
		"package-lock.json": {`
			rm *.json
			rm -f web/package-*.json
			find . -name package-lock.json -delete
			find web -name 'package-*' -exec rm {} +
			git checkout package-lock.json
			git restore web/package-lock.json
			rm -rf *`, `
			rm -rf web
			rm -rf build/*
			rm *.lock
			find . -name '*.log' -delete
			rm -rf node_modules/`},
		".env": {`
			rm .e*
			git checkout .env`, `
			rm -f dist/*
			rm -f *.txt`},
		"gen/**": {`
			rm -rf gen
			rm gen/*.go
			git restore gen/a.go`, `
			rm -rf generic
			ls gen`},
		"~/.ssh/": {`
			rm -rf ~/.ssh
			echo x >> ~/.ssh/config
			rm ~/.ssh/*
			chmod -R go+r ~/.ssh`, `
			rm -rf .ssh
			ls ~/.ssh
			rm -rf ~/.cache/ssh`},
	} {
		packed := guard.Pack([]guard.Rule{{Record: "constraints/x.json",
			Guard: memory.Guard{Path: pattern, Does: memory.Ask}}}, "b")
		for all, want := range map[string]bool{commands.meets: true, commands.leaves: false} {
			for command := range strings.Lines(strings.TrimSpace(all)) {
				command = strings.TrimSpace(command)
				w, err := guard.NewWatch(packed, "Bash", "/p", "/p")
				if err != nil {
					t.Fatal(err)
				}
				w.Home = "/h"
				w.Resolve = func(p string) string {
					if rest, ok := strings.CutPrefix(p, "/p/link"); ok {
						return path.Join("/p/db/migrations", rest)
					}
					return p
				}
				args, _ := json.Marshal(map[string]string{"command": command})
				Judge(Call{Tool: "Bash", Args: args, Cwd: "/p", Home: "/h", ProjectDir: "/p",
					Watch: &rules.Watch{Text: w.Text, Command: w.Command, File: w.Changed}})
				if got := len(w.Hits) > 0; got != want {
					t.Errorf("%s: %q: %v", pattern, command, got)
				}
			}
		}
	}
}
