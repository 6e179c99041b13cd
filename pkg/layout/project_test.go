package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// grow makes folders (a name that ends in /) and files below a base.
func grow(t *testing.T, base string, tree map[string]string) {
	t.Helper()
	for name, text := range tree {
		path := filepath.Join(base, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "BASE", base)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestProject(t *testing.T) {
	base := real(t, t.TempDir())
	grow(t, base, map[string]string{
		"repo/.git/": "", "repo/a/b/": "", "store/.claude/memory/": "", "store/x/": "", "plain/y/": "",
		"repo/a/inner/.git/": "",
		"plain/.gitignore":   "", "odd/.git": "gitdir: elsewhere", "odd/z/": "",
		"mono/.git/": "", "mono/packages/a/.claude/memory/": "", "mono/packages/a/src/deep/": "",
		"mono/packages/b/src/": "", "mono/.claude/memory/": "",
		"mono/packages/linked/":       "",
		"super/.git/modules/sub/HEAD": "", "super/sub/.git": "gitdir: ../.git/modules/sub",
		"super/sub/src/": "", "super/.claude/memory/": "",
		"home/.git/": "", "home/.claude/memory/": "", "home/scratch/x/": "", "home/work/.git/": "",
	})
	for link, to := range map[string]string{"link": "repo", "mono/packages/linked/.claude": base +
		"/store/.claude"} {
		if err := os.Symlink(filepath.Join(base, filepath.Base(to)), filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", filepath.Join(base, "home"))
	for name, c := range map[string]struct{ dir, cwd, want, top string }{
		"the client's word wins over cwd": {"store", "repo/a", "store", ""},
		"it is where the search begins":   {"repo/a/b", "store", "repo", "repo"},
		"git root above":                  {"", "repo/a/b", "repo", "repo"},
		"nearest root":                    {"", "repo/a/inner", "repo/a/inner", "repo/a/inner"},
		"a .git file of no repository":    {"", "odd/z", "odd", "odd"},
		"a store above, outside of git":   {"", "store/x", "store", ""},
		"nothing marks it":                {"", "plain/y", "plain/y", ""},
		"through a link":                  {"link", "", "repo", "repo"},
		"cwd through a link":              {"", "link/a", "repo", "repo"},
		"gone":                            {"gone", "repo", "gone", ""},
		"a package with a store":          {"mono/packages/a", "", "mono/packages/a", "mono"},
		"below a package with a store": {"mono/packages/a/src/deep", "mono", "mono/packages/a",
			"mono"},
		"a package without a store":                 {"mono/packages/b/src", "", "mono", "mono"},
		"a store behind a link is none":             {"mono/packages/linked", "", "mono", "mono"},
		"a submodule has its own root":              {"super/sub/src", "", "super/sub", "super/sub"},
		"the home directory is nobody's project":    {"home/scratch/x", "", "home/scratch/x", ""},
		"but a client started there is":             {"home", "", "home", "home"},
		"a repository below a home that is one":     {"home/work", "", "home/work", "home/work"},
		"a relative project folder is not believed": {"", "repo", "repo", "repo"},
	} {
		t.Run(name, func(t *testing.T) {
			abs := func(p string) string {
				if p == "" {
					return ""
				}
				return filepath.Join(base, p)
			}
			dir := abs(c.dir)
			if strings.HasPrefix(name, "a relative") {
				dir = "relative/dir"
			}
			want := Place{Dir: abs(c.want), Home: abs(c.want), Memory: abs(c.want + "/.claude/memory"),
				Top: abs(c.top)}
			if got := Project(dir, abs(c.cwd)); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestAMarkThatIsNotOurs(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs files of another user")
	}
	base := real(t, t.TempDir())
	grow(t, base, map[string]string{"shared/.git/": "", "shared/mine/": "", "theirs/.git/": "",
		"theirs/src/": ""})
	for _, d := range []string{"shared/.git", "theirs", "theirs/.git", "theirs/src"} {
		if err := os.Chown(filepath.Join(base, d), 65534, 65534); err != nil {
			t.Skip(err)
		}
	}
	if got := Project(filepath.Join(base, "shared/mine"), "").Dir; got != filepath.Join(base, "shared/mine") {
		t.Errorf("somebody else's mark in a shared folder was believed: %s", got)
	}
	// As in a container that runs as root on a user's files.
	if got := Project(filepath.Join(base, "theirs/src"), "").Dir; got != filepath.Join(base, "theirs") {
		t.Errorf("a project that is wholly another user's: %s", got)
	}
}

// worktree is the form that git gives a repository with a linked worktree.
func worktree(extra map[string]string) map[string]string {
	tree := map[string]string{
		"main/.git/HEAD":                  "ref: refs/heads/main\n",
		"main/.git/worktrees/w/HEAD":      "ref: refs/heads/w\n",
		"main/.git/worktrees/w/commondir": "../..\n",
		"main/.git/worktrees/w/gitdir":    "BASE/w/.git\n",
		"main/pkg/a/":                     "",
		"w/.git":                          "gitdir: BASE/main/.git/worktrees/w\n",
		"w/pkg/a/":                        "",
	}
	for k, v := range extra {
		tree[k] = v
	}
	return tree
}

func TestWorktrees(t *testing.T) {
	const row = ".claude/memory/**/*.json merge=keepsake\n"
	for name, c := range map[string]struct {
		extra             map[string]string
		start             string
		dir, home, memory string
	}{
		"share the main store": {nil, "w/pkg/a", "w", "main", "main"},
		"the main worktree":    {nil, "main/pkg/a", "main", "main", "main"},
		"settings alone are no own store": {map[string]string{"w/.claude/memory/memory-config.json": "{}"},
			"w", "w", "main", "main"},
		"a committed store is each one's": {map[string]string{"w/.gitattributes": row}, "w/pkg/a", "w",
			"main", "w"},
		"committed in main only, not here": {map[string]string{"main/.gitattributes": row}, "w", "w", "main",
			"main"},
		"a package with a store in main": {map[string]string{"main/pkg/a/.claude/memory/": ""}, "w/pkg/a",
			"w/pkg/a", "main/pkg/a", "main/pkg/a"},
		"a committed store of a package": {map[string]string{"w/pkg/a/.claude/memory/": "",
			"w/pkg/a/.gitattributes": row}, "w/pkg/a", "w/pkg/a", "main/pkg/a", "w/pkg/a"},
		"a package of this branch only": {map[string]string{"w/pkg/new/.claude/memory/": ""}, "w/pkg/new",
			"w/pkg/new", "w/pkg/new", "w/pkg/new"},
		"relative pointers": {map[string]string{
			"w/.git":                       "gitdir: ../main/.git/worktrees/w\n",
			"main/.git/worktrees/w/gitdir": "../../../../w/.git\n",
		}, "w", "w", "main", "main"},
		"below the main worktree": {map[string]string{
			"main/.claude/worktrees/x/.git":   "gitdir: BASE/main/.git/worktrees/x\n",
			"main/.git/worktrees/x/commondir": "../..\n",
			"main/.git/worktrees/x/gitdir":    "BASE/main/.claude/worktrees/x/.git\n",
		}, "main/.claude/worktrees/x", "main/.claude/worktrees/x", "main", "main"},

		// A .git file alone must not lead to another project's memories.
		"the repository knows another place": {map[string]string{
			"main/.git/worktrees/w/gitdir": "BASE/other/.git\n"}, "w", "w", "w", "w"},
		"the repository knows none": {map[string]string{"w/.git": "gitdir: BASE/main/.git\n",
			"main/.git/commondir": ".\n"}, "w", "w", "w", "w"},
		"a pointer into itself": {map[string]string{"w/.git": "gitdir: .\n"}, "w", "w", "w",
			"w"},
		"a common folder elsewhere": {map[string]string{
			"main/.git/worktrees/w/commondir": "BASE/elsewhere/.git\n", "elsewhere/.git/HEAD": ""},
			"w", "w", "w", "w"},
		"an empty pointer": {map[string]string{"w/.git": ""}, "w", "w", "w", "w"},
		"a bare repository called .git": {map[string]string{"main/.git/config": "[core]\n\tbare = true\n"},
			"w", "w", "main", "main"},
		"no main worktree (bare)": {map[string]string{
			"bare.git/worktrees/w/commondir": "../..\n", "bare.git/worktrees/w/gitdir": "BASE/w/.git\n",
			"w/.git": "gitdir: BASE/bare.git/worktrees/w\n",
		}, "w", "w", "w", "w"},
		"of a submodule: its own": {map[string]string{
			"main/vendor/lib/.git":                               "gitdir: ../../.git/modules/vendor/lib\n",
			"main/.git/modules/vendor/lib/HEAD":                  "ref: refs/heads/l\n",
			"main/.git/modules/vendor/lib/worktrees/w/commondir": "../..\n",
			"main/.git/modules/vendor/lib/worktrees/w/gitdir":    "BASE/w/.git\n",
			"w/.git": "gitdir: BASE/main/.git/modules/vendor/lib/worktrees/w\n",
		}, "w", "w", "w", "w"},
	} {
		t.Run(name, func(t *testing.T) {
			base := real(t, t.TempDir())
			grow(t, base, worktree(c.extra))
			got := Project(filepath.Join(base, c.start), "/")
			if got.Dir != filepath.Join(base, c.dir) || got.Home != filepath.Join(base, c.home) ||
				got.Memory != filepath.Join(base, c.memory, ".claude/memory") {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestRealGit holds the reading of git's files to git itself.
func TestRealGit(t *testing.T) {
	base := real(t, t.TempDir())
	t.Setenv("HOME", base)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	git := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git",
			append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c",
				"protocol.file.allow=always", "-C", dir}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	repo := filepath.Join(base, "we ird", "repo")
	if err := os.MkdirAll(repo, 0o755); err != nil {
		t.Fatal(err)
	}
	git(repo, "init", "-q", "-b", "trunk")
	git(repo, "commit", "-q", "--allow-empty", "-m", "one")
	git(base, "clone", "-q", repo, "lib")
	git(repo, "submodule", "--quiet", "add", filepath.Join(base, "lib"), "vendor/lib")
	git(repo, "commit", "-q", "-m", "two")
	wt := filepath.Join(base, "wt")
	git(repo, "worktree", "add", "-q", "-b", "feature/x", wt)
	git(wt, "submodule", "--quiet", "update", "--init")
	store := func(dir string) string { return filepath.Join(dir, ".claude", "memory") }

	for start, want := range map[string]Place{
		repo: {repo, repo, store(repo), repo},
		wt:   {wt, repo, store(repo), wt},
		filepath.Join(repo, "vendor", "lib"): {filepath.Join(repo, "vendor/lib"),
			filepath.Join(repo, "vendor/lib"), store(filepath.Join(repo, "vendor/lib")),
			filepath.Join(repo, "vendor/lib")},
		filepath.Join(wt, "vendor", "lib"): {filepath.Join(wt, "vendor/lib"),
			filepath.Join(wt, "vendor/lib"), store(filepath.Join(wt, "vendor/lib")),
			filepath.Join(wt, "vendor/lib")},
	} {
		if got := Project(start, ""); got != want {
			t.Errorf("%s\ngot  %+v\nwant %+v", start, got, want)
		}
		branch, commit := Head(Project(start, "").Top)
		wantBranch := git(start, "rev-parse", "--abbrev-ref", "HEAD")
		if wantBranch == "HEAD" {
			wantBranch = ""
		}
		if sum := git(start, "rev-parse", "HEAD"); branch != wantBranch || commit != sum[:12] {
			t.Errorf("%s: %q %q, git says %q %q", start, branch, commit, wantBranch, sum)
		}
	}
	git(repo, "pack-refs", "--all")
	if branch, commit := Head(wt); branch != "feature/x" || commit != git(wt, "rev-parse", "HEAD")[:12] {
		t.Errorf("packed: %q %q", branch, commit)
	}

	// A worktree that was moved by hand is on its own until git knows it again.
	moved := filepath.Join(base, "moved")
	if err := os.Rename(wt, moved); err != nil {
		t.Fatal(err)
	}
	if got := Project(moved, ""); got.Home != moved {
		t.Errorf("moved: %+v", got)
	}
	git(moved, "worktree", "repair")
	if got := Project(moved, ""); got.Home != repo {
		t.Errorf("repaired: %+v", got)
	}
}

// What a hook pays for its root: resolving links was paid before there were
// worktrees.
func BenchmarkProject(b *testing.B) {
	base := b.TempDir()
	for name, text := range worktree(nil) {
		path := filepath.Join(base, name)
		if strings.HasSuffix(name, "/") {
			path += "x"
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "BASE", base)), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("links only", func(b *testing.B) {
		for b.Loop() {
			resolve(filepath.Join(base, "main"))
		}
	})
	for _, dir := range []string{"main", "w"} {
		b.Run(dir, func(b *testing.B) {
			for b.Loop() {
				Project(filepath.Join(base, dir), "/")
			}
		})
	}
}
