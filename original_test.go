package keepsake_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFailuresOfTheOriginalAreTested holds docs/failures-of-the-original.md to
// the tree: a test that a row names exists, every row has one, and no section is
// missing.
func TestFailuresOfTheOriginalAreTested(t *testing.T) {
	text, err := os.ReadFile("docs/failures-of-the-original.md")
	if err != nil {
		t.Fatal(err)
	}
	known := testNames(t)
	number, name := regexp.MustCompile(`^(\d)\.(\d+)( \[ran\])?$`), regexp.MustCompile("`([^`]+)`")
	rows := map[string]int{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		m := number.FindStringSubmatch(strings.TrimSpace(cells[0]))
		if m == nil {
			if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| no. ") &&
				!strings.HasPrefix(line, "| ---") {
				t.Errorf("a row without a number: %s", line)
			}
			continue
		}
		rows[m[1]]++
		if len(cells) != 4 {
			t.Errorf("%s: %d cells, want 4", cells[0], len(cells))
			continue
		}
		tests := name.FindAllStringSubmatch(cells[3], -1)
		if len(tests) == 0 {
			t.Errorf("%s names no test", cells[0])
		}
		for _, test := range tests {
			if !known[test[1]] {
				t.Errorf("%s names %s, which does not exist", cells[0], test[1])
			}
		}
	}
	for section, atLeast := range map[string]int{"1": 12, "2": 7, "3": 10, "4": 6, "5": 4, "6": 3, "7": 4} {
		if rows[section] < atLeast {
			t.Errorf("section %s has %d rows, want at least %d", section, rows[section], atLeast)
		}
	}
}

// testNames are the names of all tests and fuzz targets, and the paths of all
// scripts.
func testNames(t *testing.T) map[string]bool {
	known := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".txtar") {
			known[filepath.ToSlash(path)] = true
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil &&
				(strings.HasPrefix(fn.Name.Name, "Test") || strings.HasPrefix(fn.Name.Name, "Fuzz")) {
				known[fn.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}
