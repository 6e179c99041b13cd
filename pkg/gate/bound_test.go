package gate

import (
	"strings"
	"testing"
	"time"
)

// TestBounded: no text makes the gate run away. The limit is for a machine under
// heavy load; the real times are in BenchmarkJudge.
func TestBounded(t *testing.T) {
	unit := map[string]string{
		"subshells": "(", "substitutions": "$(", "ifs": "if ", "pipes": "a|", "arithmetic": "((1+", "braces": "{a,b}", "backquotes": "`",
		"assignments": "a=1;", "doubling": "x=$x$x;", "index": "x[$(", "heredocs": "cat <<A\nA\n", "names": "echo mempalace;",
		"removals": "rm a/b/c;", "redirects": "echo hi >> f\n", "nested": "x=$(echo a$(echo b));", "functions": "f(){ f; };", "dense": "echo $x 'a b' \"$(ls)\" && foo\n",
		"finds": "find a b -exec ", "sshs": "ssh ", "dockers": "docker run a ", "envs": "env ", "evals": "eval ", "mempalaces": "mempalace ", "mines": "mempalace mine --dry-run ",
		"replace": "x=${x//a/aaaa};", "printf": "x=$(printf '%s%s' $x $x);", "args": "$x ", "list": "${a[@]} ", "quotes": "'mempalace mine .' ", "watch": "watch 'ls' ", "xargs": "xargs ", "escapes": `\`, "aliases": "alias a=b;",
		"python": "python -c 'import x' ", "find -delete": "find . -delete;", "cds": "cd a;", "for": "for i in a b; do echo $i; done;", "case": "case x in x) a;; esac;", "and": "a&&", "here-strings": "cat <<< $x;", "process": "cat <(echo a);", "dots": "../",
	}
	before := "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; a=(1 2 3 4 5 6 7 8); x=$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x;"
	for name, u := range unit {
		for _, size := range []int{100 << 10, 1 << 20} {
			for _, text := range []string{strings.Repeat(u, size/len(u)), before + strings.Repeat(u, size/len(u)), "bash -c '" + strings.ReplaceAll(strings.Repeat(u, size/len(u)), "'", "") + "'"} {
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
	}
}
