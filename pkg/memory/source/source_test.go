package source

import (
	"errors"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/text/version"
)

func TestRequirements(t *testing.T) {
	for file, text := range map[string]string{
		"go.mod": "module a\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/jackc/pgx/v5 v5.6.0\n" +
			"\tgolang.org/x/mod v0.0.0-20230101000000-0123456789ab // indirect\n)\n",
		"web/package.json": `{"dependencies": {"react": "^18.2.0", "@a/b": "~1.2", "any": "*", "git": "git+https://x.example/a.git#v1",
			"near": ">=1.2.3 <2", "alias": "npm:other@^4.1", "ws": "workspace:^3.0.0", "either": "^16 || ^17.1", "wild": "1.x"},
			"devDependencies": {"typescript": "5.4.5", "react": "17", "hy": "1.2 - 2.0"}, "engines": {"node": ">= 20"}}`,
		"pyproject.toml": "[project]\nrequires-python = \">=3.12\"\ndependencies = [\"Django>=5.0,<6\", " +
			"\"zope.interface ~= 6.1; python_version < '4'\",\n" +
			"\"requests[socks]==2.32.0\", \"bare\"]\n[project.optional-dependencies]\ntest = " +
			"[\"pytest>=8\"]\n" +
			"[dependency-groups]\ndev = [\"ruff>0.4\", {include-group = \"x\"}]\n" +
			"[tool.poetry.dependencies]\nflask = \"^3.0\"\nlocal = {path = \"../x\"}\n" +
			"pin = {version = \"1.2\"}\n[tool.poetry.group.dev.dependencies]\nblack = \"24.1\"\n",
	} {
		want := map[string]map[string]string{
			"go.mod": {"github.com/jackc/pgx/v5": "v5.6.0", "go": "1.26.0",
				"golang.org/x/mod": "v0.0.0-20230101000000-0123456789ab"},
			"web/package.json": {"react": "18.2.0", "@a/b": "1.2", "any": "", "git": "", "near": "1.2.3",
				"alias": "4.1", "ws": "3.0.0", "either": "16", "wild": "1", "typescript": "5.4.5",
				"hy": "1.2", "node": "20"},
			"pyproject.toml": {"python": "3.12", "django": "5.0", "Zope_Interface": "6.1",
				"requests": "2.32.0", "bare": "",
				"pytest": "8", "ruff": "0.4", "flask": "3.0", "local": "", "pin": "1.2", "black": "24.1"},
		}[file]
		all, err := RequirementsOf(file, []byte(text))
		if err != nil {
			t.Fatal(file, err)
		}
		for name, version := range want {
			if got, is := all.Of(file, name); !is || got != version {
				t.Errorf("%s: %s: %q, %v, want %q", file, name, got, is, version)
			}
		}
		if len(all.Lowest) != len(want) {
			t.Errorf("%s: %v", file, all)
		}
		if v, is := all.Of(file, "none"); is {
			t.Error(file, v)
		}
	}
	for file, text := range map[string]string{"go.mod": "require (", "package.json": "[1]",
		"pyproject.toml": "[a"} {
		if all, err := RequirementsOf(file, []byte(text)); err == nil {
			t.Errorf("%s: %v", file, all)
		}
	}
	if _, err := RequirementsOf("Cargo.toml", nil); !errors.Is(err, ErrNoManifest) {
		t.Error(err)
	}
}

// TestReplaced: what stands in for a requirement counts, and what can't be told has no version.
func TestReplaced(t *testing.T) {
	for _, c := range []struct{ file, text, name, want string }{
		{"go.mod", "module a\nrequire b.c/d v1.2.0\nreplace b.c/d => b.c/d v1.5.0\n", "b.c/d", "v1.5.0"},
		{"go.mod", "module a\nrequire b.c/d v1.2.0\nreplace (\n\tb.c/d v1.2.0 => b.c/d v1.1.0\n)\n", "b.c/d",
			"v1.1.0"},
		{"go.mod", "module a\nrequire b.c/d v1.2.0\nreplace b.c/d v1.1.0 => b.c/d v1.5.0\n", "b.c/d",
			"v1.2.0"},
		{"go.mod", "module a\nrequire b.c/d v1.2.0\nreplace b.c/d => ../d\n", "b.c/d", ""},
		{"go.mod", "module a\nrequire b.c/d v1.2.0\nreplace b.c/d => x.y/d v0.1.0\n", "b.c/d", ""},
		{"go.mod", "module a\nrequire b.c/d v1.2.0\nreplace b.c/e => ../d\nnewer directive\n", "b.c/d",
			"v1.2.0"},
		{"go.mod", "module a\ngo 1.25\ntoolchain go1.26.1\n", "go", "1.26.1"},
		{"go.mod", "module a\ngo 1.25\ntoolchain go1.24.1\n", "go", "1.25"},
		{"go.mod", "module a\ngo 1.25\ntoolchain default\n", "go", "1.25"},
		{"package.json", `{"dependencies": {"a": ">=1.2 <2"}}`, "a", "1.2"},
		{"package.json", `{"dependencies": {"a": "workspace:*"}}`, "a", ""},
		{"package.json", `{"dependencies": {"a": "workspace:^"}}`, "a", ""},
		{"package.json", `{"dependencies": {"a": "catalog:"}}`, "a", ""},
		{"package.json", `{"dependencies": {"a": "file:../a-1.2"}}`, "a", ""},
		{"package.json", `{"dependencies": {"a": "<2"}}`, "a", ""},
		{"package.json", `{"dependencies": {"a": "user/repo#1.2"}}`, "a", ""},
		{"package.json", `{"dependencies": {"a": "https://x.example/a-1.2.tgz"}}`, "a", ""},
		{"package.json", `{"dependencies": {"a": "npm:@x/a@^4.1"}}`, "a", "4.1"},
		{"package.json", `{"dependencies": {"a": "^17"}, "overrides": {"a": "19.1.0"}}`, "a", "19.1.0"},
		{"package.json", `{"dependencies": {"a": "^17"}, "overrides": {"a": {"b": "1"}}}`, "a", ""},
		{"package.json", `{"dependencies": {"a": "^17"}, "overrides": {"a": "$a"}}`, "a", "17"},
		{"package.json", `{"dependencies": {"a": "^17"}, "resolutions": {"a": "18"}}`, "a", "18"},
		{"package.json", `{"dependencies": {"a": "^17"}, "pnpm": {"overrides": {"a": "18"}}}`, "a", "18"},
		{"pyproject.toml", "[tool.poetry.dev-dependencies]\na = \"^3\"\n", "a", "3"},
		{"pyproject.toml", "[tool.poetry.dependencies]\na = [{version = \"1\"}, {version = \"2\"}]\n", "a",
			""},
		{"pyproject.toml", "[tool.poetry.dependencies]\na = {git = \"https://x.example/1.2\"}\n", "a", ""},
		{"pyproject.toml", "[tool.pdm.dev-dependencies]\nx = [\"a>=3\"]\n", "a", "3"},
		{"pyproject.toml", "[tool.uv]\ndev-dependencies = [\"a==3.1\"]\n", "a", "3.1"},
		{"pyproject.toml", "[tool.hatch.envs.x]\nextra-dependencies = [\"a~=3.1\"]\n", "a", "3.1"},
		{"pyproject.toml", "[build-system]\nrequires = [\"a>61\"]\n", "a", "61"},
		{"pyproject.toml", "[project]\ndependencies = [\"a @ https://x.example/a-1.2.whl\"]\n", "a", ""},
		{"pyproject.toml", "[project]\ndependencies = [\"a>=5.0rc1\"]\n", "a", ""},
		{"pyproject.toml", "[project]\ndependencies = [\"a (>=1.2,<2)\"]\n", "a", "1.2"},
	} {
		all, err := RequirementsOf(c.file, []byte(c.text))
		if got, is := all.Of(c.file, c.name); err != nil || !is || got != c.want || all.More != "" {
			t.Errorf("%q: %q, %v, %v, want %q", c.text, got, is, err, c.want)
		}
	}
	for text, file := range map[string]string{
		`{"workspaces": ["packages/*"]}`:                       "package.json",
		`{"workspaces": {"packages": ["a"]}}`:                  "package.json",
		"[project]\ndynamic = [\"version\", \"dependencies\"]": "pyproject.toml",
		"[tool.uv.workspace]\nmembers = [\"a\"]":               "pyproject.toml",
	} {
		if all, err := RequirementsOf(file, []byte(text)); err != nil || all.More == "" {
			t.Errorf("%q: %v, %v", text, all, err)
		}
	}
}

func TestDefines(t *testing.T) {
	const goFile = "package a\n\n// Gone was here.\ntype Queue struct{ Size int }\n\nfunc (q *Queue) " +
		"Push() {}\n" +
		"func (l List[T]) Len() int { return 0 }\n\ntype Store interface{ Put() }\n\nconst Limit = 1\n\n" +
		"func New() { Called() }\n"
	const jsFile = "// function gone() {}\nexport async function enqueue(job) {\n  call(job);\n  return " +
		"missing(1);\n}\n" +
		"export const retry = 3\nclass Worker extends Base {\n  start() {\n  }\n}\nmodule.exports.helper = " +
		"1\nimport { imported } from 'x'\n" +
		"const { other } = lib\n"
	const pyFile = "def push(job):\n    text = \"def quoted\"\n    called(job)\n\nclass Queue(Base):\n    " +
		"limit = 3\n# def gone():\n\nasync def run():\n    pass\n"
	const cFile = "#define MAX_JOBS 10\nstatic int push(struct job *j) {\n  drop(j);\n  return pop(j);\n}\n" +
		"void declared(int x);\n" +
		"struct queue {\n  int n;\n};\n"
	const rsFile = "pub struct Queue<T> { n: T }\nimpl<T> Queue<T> {\n    pub(crate) async fn push(&self) " +
		"{}\n}\nmacro_rules! no { }\n"
	const javaFile = "public class Jobs {\n  public static List<String> names(int n) throws X {\n    " +
		"other();\n  }\n}\n"
	for _, c := range []struct {
		file, text string
		has, lacks []string
	}{
		{"a.go", goFile, []string{"Queue", "Queue.Push", "Push", "Queue.Size", "List.Len", "Store.Put",
			"Limit", "New"},
			[]string{"Gone", "Called", "Queue.Len", "Queue.Pop", "Size", "New.x", "ush"}},
		{"a.js", jsFile, []string{"enqueue", "retry", "Worker", "helper"}, []string{"gone", "missing", "call",
			"enque"}},
		{"a.py", pyFile, []string{"push", "Queue", "Queue.limit", "run"}, []string{"gone", "called",
			"quoted"}},
		{"a.c", cFile, []string{"MAX_JOBS", "push", "queue", "declared"}, []string{"drop", "pop"}},
		{"a.rs", rsFile, []string{"Queue", "push", "Queue.push"}, []string{"Stack"}},
		{"A.java", javaFile, []string{"Jobs", "names"}, []string{"other"}},
	} {
		for _, name := range c.has {
			if Defines(c.file, []byte(c.text), name) != Yes {
				t.Errorf("%s defines %s", c.file, name)
			}
		}
		for _, name := range c.lacks {
			if Defines(c.file, []byte(c.text), name) != No {
				t.Errorf("%s does not define %s", c.file, name)
			}
		}
	}
}

// TestForms goes through definitions and mentions in many languages: file, name and text in each line of a
// table. The tables were written before the code. What is surely no definition is told, and all else counts
// as one.
func TestForms(t *testing.T) {
	for file, want := range map[string]Answer{"definitions": Yes, "mentions": No} {
		table, err := os.ReadFile("testdata/" + file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(string(table)) {
			row := strings.SplitN(strings.ReplaceAll(strings.TrimRight(line, "\n"), `\|`, "\x00"), "|", 3)
			text := strings.NewReplacer(`\n`, "\n", `\t`, "\t", "\x00", "|").Replace(row[2])
			if got := Defines(row[0], []byte(text), row[1]); got != want {
				t.Errorf("%s: %s: %v, want %v of\n%s", row[0], row[1], got, want, text)
			}
			n++
		}
		if n < 50 {
			t.Errorf("%d rows in %s", n, file)
		}
	}
}

// TestDefinesNotKnown: of a language that is not known, and of a Go file that somebody is at, nothing is
// known.
func TestDefinesNotKnown(t *testing.T) {
	for file, text := range map[string]string{"a.zig": "pub fn main() void {}", "README.md": "# main",
		"a.go": "package a\nfunc main( {\n", "LICENSE": "main"} {
		if got := Defines(file, []byte(text), "main"); got != NotKnown {
			t.Errorf("%s: %v", file, got)
		}
	}
}

// TestDefinesBounds: a file that is made to be slow is not.
func TestDefinesBounds(t *testing.T) {
	const size = 1 << 17
	begun := time.Now()
	for _, text := range []string{"/*", "`", "a(", "a\n", "a ", "/* a", "'", "\"\"\"", "(", "{a",
		"=/", "\n"} {
		for _, file := range []string{"x.js", "x.c", "x.py", "x.rs", "x.sh", "x.sql", "x.php"} {
			Defines(file, []byte(strings.Repeat(text, size/len(text))), "a")
		}
	}
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

func FuzzSource(f *testing.F) {
	f.Add("go.mod", "module a\nrequire b v1.2.3\n", "b")
	f.Add("package.json", `{"engines": {"node": ">=1 <2 || x"}}`, "node")
	f.Add("pyproject.toml", "[project]\ndependencies = [\"a>=1\"]\n", "a")
	f.Add("x.ts", "export const a = 1", "a")
	f.Fuzz(func(t *testing.T, file, text, name string) {
		if all, err := RequirementsOf(file, []byte(text)); err == nil {
			for _, n := range all.Names() {
				if v := all.Lowest[n]; v != "" && path.Base(file) != "go.mod" && !version.Valid(v) {
					t.Errorf("%s: %q", n, v)
				}
			}
		}
		if name != "" && len(name) < 100 && len(text) < 4096 {
			Defines(file, []byte(text), name)
		}
	})
}
