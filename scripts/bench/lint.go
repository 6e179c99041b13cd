package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// lint is a look at a directory of the client's own memories that is in order: a
// usual one of 30 files, and one of 2,000; and what fmt would do about one of 2,000
// of which every tenth file has no frontmatter and a relative date.
func (w *world) lint() ([]bench, error) {
	var out []bench
	for _, n := range []int{30, 2000} {
		aim := "<= 4"
		if n > 30 {
			aim = "< 300 ms"
		}
		dir := filepath.Join(w.dir, fmt.Sprintf("memories-%d", n))
		if err := memoryFiles(dir, n); err != nil {
			return nil, err
		}
		out = append(out, bench{name: fmt.Sprintf("keepsake lint, %d files", n), aim: aim,
			argv: []string{filepath.Join(w.bin, "keepsake"), "lint", dir, "--profile", "pointer"}})
	}
	dir := filepath.Join(w.dir, "memories-faulty")
	if err := memoryFiles(dir, 1800); err != nil {
		return nil, err
	}
	for i := range 200 {
		text := fmt.Sprintf("Job %d was moved to the new queue yesterday, and its table with it.\n", i)
		if err := os.WriteFile(filepath.Join(dir, "teams", fmt.Sprintf("job_%d.md", i)), []byte(text),
			0o644); err != nil {
			return nil, err
		}
	}
	return append(out, bench{name: "keepsake fmt -d, 2000 files", aim: "< 300 ms",
		argv: []string{filepath.Join(w.bin, "keepsake"), "fmt", "-d", dir, "--profile", "pointer"}}), nil
}

// memoryFiles makes a directory of n topic files that is in order.
func memoryFiles(dir string, n int) error {
	nouns := strings.Fields("billing gateway search importer queue scheduler mailer ledger cache proxy " +
		"worker planner")
	if err := os.MkdirAll(filepath.Join(dir, "teams"), 0o755); err != nil {
		return err
	}
	var index strings.Builder
	for i := range n {
		noun, other := nouns[i%len(nouns)], nouns[(5*i+i/len(nouns))%len(nouns)]
		name := fmt.Sprintf("teams/feedback_%s_%d.md", noun, i)
		fmt.Fprintf(&index, "- [The %s %d](%s) — how it talks to the %s\n", noun, i, name, other)
		text := fmt.Sprintf("---\nname: %s-%d\ndescription: How the %s of team %d talks to the "+
			"%s\nmetadata:\n  type: feedback\n---\n\nThe %s of team %d calls the %s in batches of "+
			"%d.\n\n**Why:** single calls lost %d jobs in a restart.\n\n**How to apply:** change both "+
			"sides in one commit.\n",
			noun, i, noun, i, other, noun, i, other, 3*i+1, i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if n > 200 { // the client would cut off an index of one line for each
		index.Reset()
		index.WriteString("- [Teams](teams/) — how they talk to each other\n")
	}
	return os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte(index.String()), 0o644)
}
