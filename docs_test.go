package keepsake_test

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"keepsake/pkg/verbs"
)

// pages calls with for each page of prose of the repository.
func pages(t *testing.T, with func(path, text string)) {
	t.Helper()
	for _, root := range []string{"README.md", "CONTRIBUTING.md", "docs", "skills", "agents",
		"e2e/README.md"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil {
				with(path, string(text))
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

var codeSpan = regexp.MustCompile("`([^`\n]+)`")

// TestNamedFilesExist looks for files and folders of this repository in code spans and links.
func TestNamedFilesExist(t *testing.T) {
	ours := regexp.MustCompile(`^(?:pkg|cmd|hooks|skills|agents|docs|e2e|scripts|assets|internal)/[\w./-]+$`)
	link := regexp.MustCompile(`\]\(([\w./-]+)(?:#[\w-]+)?\)`)
	checked := 0
	pages(t, func(page, text string) {
		exists := func(path string) {
			checked++
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s names %s, which does not exist", page, path)
			}
		}
		for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
			if ours.MatchString(m[1]) {
				exists(m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(text, ""), -1) {
			exists(filepath.Join(filepath.Dir(page), m[1]))
		}
	})
	if checked < 100 {
		t.Errorf("only %d paths were found; has the test gone blind?", checked)
	}
}

// TestNamedFunctionsExist looks for `package.Name` and `Type.Name` in the code spans of the pages that
// describe the code.
func TestNamedFunctionsExist(t *testing.T) {
	known, owners := map[string]bool{}, map[string]bool{}
	add := func(owner, name string) { known[owner+"."+name], owners[owner] = true, true }
	for dir, pkg := range packages(t) {
		for _, f := range pkg.files {
			addNames(f, func(owner, name string) {
				if owner == "" {
					owner = filepath.Base(dir)
				}
				add(owner, name)
			})
		}
	}
	name := regexp.MustCompile(`^([A-Za-z]+)\.([A-Z][A-Za-z]*)(?:\.([A-Z][A-Za-z]*))?(?:\(\))?$`)
	checked := 0
	described, _ := filepath.Glob("docs/adr/*.md")
	for _, page := range append(described, "docs/tour.md", "docs/threat-model.md", "docs/memdir.md",
		"CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codeSpan.FindAllStringSubmatch(string(text), -1) {
			n := name.FindStringSubmatch(m[1])
			if n == nil || !owners[n[1]] {
				if n != nil {
					t.Errorf("%s names %s: no package or type of ours is called %s", page, m[1], n[1])
				}
				continue
			}
			checked++
			if !known[n[1]+"."+n[2]] || n[3] != "" && !known[n[2]+"."+n[3]] {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
	if checked < 40 {
		t.Errorf("only %d names were found; has the test gone blind?", checked)
	}
}

// addNames calls add with what a file declares: with "" and its name for what belongs to the package, with
// the name of the type for methods and fields.
func addNames(f *ast.File, add func(owner, name string)) {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			owner := ""
			if decl.Recv != nil {
				recv := decl.Recv.List[0].Type
				if star, ok := recv.(*ast.StarExpr); ok {
					recv = star.X
				}
				if id, ok := recv.(*ast.Ident); ok {
					owner = id.Name
				}
			}
			add(owner, decl.Name.Name)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add("", id.Name)
					}
				case *ast.TypeSpec:
					add("", spec.Name.Name)
					if s, ok := spec.Type.(*ast.StructType); ok {
						for _, field := range s.Fields.List {
							for _, id := range field.Names {
								add(spec.Name.Name, id.Name)
							}
						}
					}
				}
			}
		}
	}
}

// TestNamedFlagsExist looks for `keepsake VERB … --flag` in code spans and blocks: the flag is in the help of
// the verb.
func TestNamedFlagsExist(t *testing.T) {
	command := regexp.MustCompile("(?m)(?:`|^\\s*(?:\\$ )?|bin/)keepsake ([a-z][a-z -]*[^`\n|]*)")
	flag := regexp.MustCompile(`(?:^| )(--[a-z][a-z-]*)`)
	checked := 0
	pages(t, func(page, text string) {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			v, _ := verbs.Find(strings.Fields(m[1]))
			if v == nil {
				continue
			}
			name := v.Name
			if v.Old != "" {
				name = v.Old
			}
			help := ""
			for _, of := range []string{name, name[:strings.LastIndex(" "+name, " ")]} {
				b, err := os.ReadFile(filepath.Join("cmd/keepsake/testdata/help",
					strings.ReplaceAll(strings.TrimSpace(of), " ", "-")+".golden"))
				if err == nil {
					help += string(b)
				}
			}
			for _, f := range flag.FindAllStringSubmatch(m[1], -1) {
				checked++
				if !strings.Contains(help, f[1]) {
					t.Errorf("%s names keepsake %s, which has no %s", page, m[1], f[1])
				}
			}
		}
	})
	if checked < 20 {
		t.Errorf("only %d flags were found; has the test gone blind?", checked)
	}
}

// TestNamedTargetsExist looks for `make TARGET` in code spans and blocks: the Makefile has the target.
func TestNamedTargetsExist(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("(?m)(?:`| {4})make ([a-z][a-z0-9]*)(?:`|\\s)")
	checked := 0
	pages(t, func(page, text string) {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			checked++
			if !strings.Contains(string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s names make %s, which does not exist", page, m[1])
			}
		}
	})
	if checked < 15 {
		t.Errorf("only %d targets were found; has the test gone blind?", checked)
	}
}

// TestNamedPluginCommandsAreTold looks for `claude plugin …` and `codex plugin …`: a story of e2e runs each.
func TestNamedPluginCommandsAreTold(t *testing.T) {
	stories := ""
	files, _ := filepath.Glob("e2e/*_test.go")
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		stories += string(b)
	}
	command := regexp.MustCompile("(?m)(?:`| {4})(claude|codex) plugin ([a-z@ -]+)")
	checked := 0
	pages(t, func(page, text string) {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			checked++
			words := `"` + strings.Join(strings.Fields(m[2]), `", "`) + `"`
			if !strings.Contains(stories, `l.plugin(`+words) && !strings.Contains(stories, `"plugin", `+words) {
				t.Errorf("%s names %s plugin %s, which no story runs", page, m[1], m[2])
			}
		}
	})
	if checked < 8 {
		t.Errorf("only %d commands were found; has the test gone blind?", checked)
	}
}
