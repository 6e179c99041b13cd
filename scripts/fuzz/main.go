// Fuzz runs every fuzz test of the project in turn, each for the time given
// (30s by default). It is run by `make fuzz`.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	time := "30s"
	if len(os.Args) > 1 {
		time = os.Args[1]
	}
	declared := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	failed := false
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+string(m[1])+"$", "-fuzztime", time,
				"-fuzzminimizetime", "10x", "./"+filepath.Dir(path))
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			fmt.Printf("== %s %s\n", filepath.Dir(path), m[1])
			failed = cmd.Run() != nil || failed
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
	}
	if err != nil || failed {
		os.Exit(1)
	}
}
