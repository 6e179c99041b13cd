package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"keepsake/pkg/verbs"
)

// helpPages are the verbs and groups whose help is kept as a file: each verb by its earlier
// spelling, where it has one, and all groups.
func helpPages() []string {
	var out []string
	for _, v := range verbs.All() {
		words := strings.Fields(cmp.Or(v.Old, v.Name))
		group, _, _ := strings.Cut(v.Name, " ")
		out = append(out, group)
		for n := range words {
			out = append(out, strings.Join(words[:n+1], " "))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// help runs --help for a verb.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	t.Setenv("COLUMNS", "100")
	var out, errs bytes.Buffer
	code := run(&call{ctx: context.Background(), args: args, cwd: "/", now: time.Now,
		voice: voice{out: &out, err: &errs}})
	if code != exitDone || errs.Len() > 0 {
		t.Fatalf("%v: exit %d, said %q", args, code, errs.String())
	}
	return out.String()
}

// TestHelp compares what every verb says of itself with testdata/help, to be
// reviewed as prose.
func TestHelp(t *testing.T) {
	for _, verb := range append(helpPages(), "") {
		t.Run(verb, func(t *testing.T) {
			args := append(strings.Fields(verb), "--help")
			path := filepath.Join("testdata", "help", strings.ReplaceAll(verb, " ", "-")+".golden")
			if verb == "" {
				args, path = nil, filepath.Join("testdata", "help", "keepsake.golden")
			}
			out := helpOf(t, args...)
			v, _ := verbs.Find(strings.Fields(verb))
			if v != nil && verb != "version" && !strings.Contains(out, "Example") {
				t.Errorf("the help of %s shows no example", verb)
			}
			if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := read(t, path); out != want {
				t.Errorf("%s differs; KEEPSAKE_GOLDEN=1 rewrites it\n%s", path, out)
			}
		})
	}
}

// TestSpellings: a verb explains itself in the same words by every spelling.
func TestSpellings(t *testing.T) {
	for _, v := range verbs.All() {
		if v.Old == "" {
			continue
		}
		now, before := helpOf(t, append(strings.Fields(v.Name), "--help")...),
			helpOf(t, append(strings.Fields(v.Old), "--help")...)
		want := strings.Replace(before, "Usage: keepsake "+v.Old, "Usage: keepsake "+v.Name, 1)
		if strings.Replace(now, " [flags]\n", "\n", 1) != strings.Replace(want, " [flags]\n", "\n", 1) {
			t.Errorf("keepsake %s --help:\n%s\nand keepsake %s --help:\n%s", v.Name, now, v.Old, before)
		}
		if asked := helpOf(t, append([]string{"help"}, strings.Fields(v.Name)...)...); asked != now {
			t.Errorf("keepsake help %s:\n%s", v.Name, asked)
		}
		all := helpOf(t, append(append([]string{"--session", "x"}, strings.Fields(v.Old)...), "--help")...)
		lines := slices.DeleteFunc(strings.SplitAfter(all, "\n"), func(l string) bool {
			return strings.Contains(l, "  --version  ")
		})
		if strings.Join(lines, "") != before {
			t.Errorf("keepsake --session x %s --help:\n%s", v.Old, all)
		}
	}
}

// TestTableIsTheGrammar: each verb of the command line has its row in package verbs and each
// row its verb, in the same order, and the flags that a row names are the verb's.
func TestTableIsTheGrammar(t *testing.T) {
	c := &call{voice: voice{out: io.Discard, err: io.Discard}}
	rows := verbs.All()
	next := 0
	for _, leaf := range c.grammar().Leaves(false) {
		name := pathOf(leaf)
		v, n := verbs.Find(strings.Fields(name))
		switch {
		case v == nil || n != len(strings.Fields(name)):
			t.Errorf("keepsake %s has no row in package verbs", name)
			continue
		case name == v.Old && !hidden(leaf):
			t.Errorf("keepsake %s is an earlier spelling and not hidden", name)
		case name == v.Old:
			continue
		}
		if next >= len(rows) || rows[next].Name != name {
			t.Errorf("keepsake %s: its row stands elsewhere", name)
		}
		next++
		if v.Default != (leaf.Parent.DefaultCmd == leaf) {
			t.Errorf("keepsake %s: Default is %v in its row", name, v.Default)
		}
		has := map[string]bool{}
		for _, f := range leaf.Flags {
			for _, spelling := range append(flagNames(f), aliases(f)...) {
				has[spelling] = true
			}
		}
		for _, flag := range strings.Fields(v.Looks + " " + v.With + " " + v.Only) {
			if !has[flag] {
				t.Errorf("keepsake %s: its row has %s, which it does not take", name, flag)
			}
		}
		if has["--dry-run"] != (v.Looks == "--dry-run") {
			t.Errorf("keepsake %s takes --dry-run: %v; its row says that it only looks with %q", name,
				has["--dry-run"], v.Looks)
		}
		if has["--write"] != (v.With == "--write") {
			t.Errorf("keepsake %s takes --write: %v; its row says that it writes only with %q", name,
				has["--write"], v.With)
		}
		for _, spelling := range v.Spellings()[1:] {
			if _, known := commandOf(strings.Fields(spelling)[0]); !known {
				t.Errorf("keepsake %s is not in the grammar", spelling)
			}
		}
	}
	if next != len(rows) {
		t.Errorf("package verbs has %d rows, the command line %d verbs", len(rows), next)
	}
}

// hidden reports whether help does not show a verb, or the group that it is in.
func hidden(n *kong.Node) bool { return n != nil && (n.Hidden || hidden(n.Parent)) }

func aliases(f *kong.Flag) (all []string) {
	for _, a := range f.Aliases {
		all = append(all, "--"+a)
	}
	return all
}

// TestCommandLineDocs holds what docs/cli.md says of each verb to package verbs and the grammar.
func TestCommandLineDocs(t *testing.T) {
	const path, begin, end = "../../docs/cli.md", "<!-- verbs -->\n", "<!-- end of verbs -->\n"
	before, rest, _ := strings.Cut(read(t, path), begin)
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no place for its table", path)
	}
	want := before + begin + verbTables() + end + after
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, path) != want {
		t.Errorf("%s differs; KEEPSAKE_GOLDEN=1 rewrites it", path)
	}
}

// verbTables prints the verbs group by group, and their earlier spellings.
func verbTables() string {
	const head = "\n| verb | does | an agent may run it | only looks | writes |\n| --- | --- | --- | --- |" +
		" --- |\n"
	var b, old strings.Builder
	c := &call{voice: voice{out: io.Discard, err: io.Discard}}
	group := "-"
	for child := range eachVerb(c.grammar().Node) {
		top := child
		for top.Parent.Parent != nil {
			top = top.Parent
		}
		if key := top.Group.Key; key == "day" && group != key {
			group = key
			fmt.Fprintf(&b, "## Every day\n%s", head)
		} else if key == "more" && group != top.Name {
			group = top.Name
			fmt.Fprintf(&b, "\n## keepsake %s\n\n%s\n%s", top.Name, top.Help, head)
		}
		v, _ := verbs.Find(strings.Fields(pathOf(child)))
		b.WriteString(row(child, v))
		if v.Old != "" {
			fmt.Fprintf(&old, "| `%s` | `%s` |\n", v.Old, v.Name)
		}
	}
	return b.String() +
		"\n## Earlier spellings\n\nThese still work, and help does not show them.\n\n| then | now |\n|" +
		" --- | --- |\n| `lint` | `md check --each` |\n" + old.String()
}

func row(n *kong.Node, v *verbs.Verb) string {
	may := [...]string{verbs.Free: "yes", verbs.Saves: "yes, not in plan mode",
		verbs.Adds:  "yes, where the settings let it",
		verbs.Looks: "to look; else it asks", verbs.Asked: "its client asks", verbs.Person: "no"}[v.Agent]
	looks, writes := "always", cmp.Or(v.Writes, "")
	switch {
	case v.With != "":
		may, looks = "to look; else it asks", "without `"+v.With+"`"
	case v.Looks != "":
		looks = "with `" + v.Looks + "`"
	case writes != "":
		looks = ""
	}
	name := strings.TrimSuffix(n.Summary(), " [flags]")
	if v.Default {
		name = strings.TrimPrefix(name, n.Parent.Path())
		name = n.Parent.Path() + " [" + n.Name + "]" + strings.TrimPrefix(name, " "+n.Name)
	}
	cells := []string{"`keepsake " + name + "`", n.Help, may, looks, writes}
	for i := range cells {
		cells[i] = strings.ReplaceAll(cells[i], "|", "\\|")
	}
	return strings.TrimRight("| "+strings.Join(cells, " | "), " ") + " |\n"
}
