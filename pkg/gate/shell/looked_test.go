package shell

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// crowd is a megabyte of calls that name many files: the shapes that ask the disk
// most, and those whose texts were once parsed or copied most.
func crowd() map[string]Call {
	names := func(format string, most int) string {
		var b strings.Builder
		for i := 0; b.Len() < most; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	bash := func(command string) Call { return named("Bash", map[string]any{"command": command}) }
	const dense = 100 << 10
	var paths []string
	for i := range 60000 {
		paths = append(paths, fmt.Sprintf("a%d/x", i))
	}
	return map[string]Call{
		"git mv":        bash("git mv " + names("a%d/b ", dense)),
		"cp":            bash("cp " + names("a%d/b ", dense) + "Makefile"),
		"rm":            bash("rm " + names("~/.x/../y%d ", dense)),
		"cps":           bash(names("cp x%d/mempalace Makefile;", dense)),
		"redirections":  bash(names(">a%d;", dense)),
		"programs":      bash(names("./a%d mempalace;", dense)),
		"scripts":       bash(names("bash a%d.sh;", dense)),
		"find":          bash("find . " + names(`-exec rm a%d {} \; `, dense)),
		"here-document": bash("cat > x.md <<'E'\n" + names("mempalace mine %d\n", 1<<20) + "E"),
		"paths":         named("mcp__x__call", map[string]any{"paths": paths}),
		"code": named("mcp__x__call",
			map[string]any{"code": names("mempalace_search(%d)\n", 1<<20)}),
		"Makefile": named("Write",
			map[string]any{"file_path": "/src/p/Makefile",
				"content": names("a:\n\tmempalace search %d\n", 1<<20)}),
		"hidden text": named("mcp__mempalace__mempalace_add_drawer",
			map[string]any{"wing": "a", "room": "b", "content": strings.Repeat("\u202e\x1b[31m", 60000)}),
	}
}

// named is one call in the world of the corpus.
func named(tool string, args map[string]any) Call {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	c := world()
	c.Tool, c.Args, c.Cwd = tool, b, "/src/p"
	return c
}

// TestLooked: however many files a call names, the machine is asked a bounded
// number of questions, and about the same file once.
func TestLooked(t *testing.T) {
	const most = 3*maxLooked + maxTwins // scripts are read where they are run, each once
	for name, c := range crowd() {
		asked := 0
		again := map[string]int{}
		lstat, resolve, script := c.Lstat, c.Resolve, c.Script
		c.Lstat = func(p string) File { asked++; return lstat(p) }
		c.Resolve = func(p string) string { asked++; return resolve(p) }
		c.Script = func(p string) ([]byte, bool) { again[p]++; return script(p) }
		Judge(c)
		if asked > most {
			t.Errorf("%s: the machine was asked %d times", name, asked)
		}
		for p, n := range again {
			if n > 1 {
				t.Errorf("%s: %s was read %d times", name, p, n)
			}
		}
	}
	c := named("Bash", map[string]any{"command": "rm " + strings.Repeat("a/b ", 20000)})
	asked := 0
	lstat := c.Lstat
	c.Lstat = func(p string) File { asked++; return lstat(p) }
	if Judge(c); asked > 10 {
		t.Errorf("one file, named often, was looked at %d times", asked)
	}
}

// BenchmarkCrowd times the shapes: each is to stay below 50 ms.
func BenchmarkCrowd(b *testing.B) {
	for name, c := range crowd() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c.Args)))
			for b.Loop() {
				Judge(c)
			}
		})
	}
}
