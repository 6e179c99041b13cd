package shell

import (
	"strings"
	"testing"
	"time"
)

// TestBounded: no text makes the gate run away. The limit is for a machine under
// heavy load; the real times are in BenchmarkJudge.
func TestBounded(t *testing.T) {
	unit := map[string]string{
		"subshells": "(", "substitutions": "$(", "ifs": "if ", "pipes": "a|", "arithmetic": "((1+",
		"braces": "{a,b}", "backquotes": "`",
		"assignments": "a=1;", "doubling": "x=$x$x;", "index": "x[$(", "heredocs": "cat <<A\nA\n",
		"names":    "echo mempalace;",
		"removals": "rm a/b/c;", "redirects": "echo hi >> f\n", "nested": "x=$(echo a$(echo b));",
		"functions": "f(){ f; };", "dense": "echo $x 'a b' \"$(ls)\" && foo\n",
		"finds": "find a b -exec ", "sshs": "ssh ", "dockers": "docker run a ", "envs": "env ",
		"evals": "eval ", "mempalaces": "mempalace ", "mines": "mempalace mine --dry-run ",
		"replace": "x=${x//a/aaaa};", "printf": "x=$(printf '%s%s' $x $x);", "args": "$x ",
		"list": "${a[@]} ", "quotes": "'mempalace mine .' ", "watch": "watch 'ls' ", "xargs": "xargs ",
		"escapes": `\`, "aliases": "alias a=b;",
		"python": "python -c 'import x' ", "find -delete": "find . -delete;", "cds": "cd a;",
		"for": "for i in a b; do echo $i; done;", "case": "case x in x) a;; esac;", "and": "a&&",
		"here-strings": "cat <<< $x;", "process": "cat <(echo a);", "dots": "../",
		"settings":       "echo '{}' > ~/.claude/settings.json;",
		"settings by jq": "jq .x a > .claude/settings.json;",
		"start-up files": "echo 'mempalace status' >> ~/.bashrc;",
		"notes":          "rm kb/memory/archive/x.md;", "note folders": "rm -r x/memory/events;",
		"approvals": "echo keepsake: ",
		"written":   "echo a>>$q;cat $q>>$q;", "written and read": "cat f>>f;echo a>>f;",
		"calls":  "f(){ f;g; };g(){ f;g; };f;",
		"rounds": "for i in a b c; do for k in a b c; do f; done; done;",
	}
	before := "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; a=(1 2 3 4 5 6 7 8); x=$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x;"
	sizes := []int{100 << 10, 1 << 20}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for name, u := range unit {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, size := range sizes {
				for _, text := range []string{strings.Repeat(u, size/len(u)),
					before + strings.Repeat(u, size/len(u)), "bash -c '" +
						strings.ReplaceAll(strings.Repeat(u, size/len(u)), "'", "") + "'"} {
					c := world()
					c.Tool, c.Args = "Bash", mustJSON(t, map[string]string{"command": text})
					start := time.Now()
					Judge(c)
					if d := time.Since(start); d > 10*time.Second {
						t.Errorf("%s, %d bytes: %v", name, size, d)
					} else if d > 40*time.Millisecond {
						t.Logf("%s, %d bytes: %v", name, size, d)
					}
				}
			}
		})
	}
}

// TestBoundedFiles is TestBounded for what a file tool writes.
func TestBoundedFiles(t *testing.T) {
	for file, unit := range map[string]string{
		"/home/u/.claude/settings.json": `"keepsake@x": true, "disableAllHooks": false, `,
		"/home/u/proj/Makefile":         "\tmempalace status\n",
		"/home/u/.bashrc":               "mempalace status; echo $(mempalace search x)\n",
		"/home/u/proj/package.json":     `"a": "mempalace status", `,
		"/etc/cron.d/x":                 "0 * * * * u mempalace status\n",
		"/home/u/proj/lefthook.yml":     "- run: mempalace status\n",
	} {
		for _, args := range []map[string]any{
			{"file_path": file, "content": strings.Repeat(unit, 1<<20/len(unit))},
			{"file_path": file, "old_string": "a", "new_string": strings.Repeat(unit, 1<<20/len(unit))},
		} {
			c := world()
			c.Tool, c.Args = "Edit", mustJSON(t, args)
			if args["content"] != nil {
				c.Tool = "Write"
			}
			start := time.Now()
			Judge(c)
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("%s %s: %v", c.Tool, file, d)
			} else if d > 40*time.Millisecond {
				t.Logf("%s %s: %v", c.Tool, file, d)
			}
		}
	}
}
