package main

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// files is a project of its own in the same home: a git repository with n files
// of code and prose, as many in a folder as is usual, 2 KB each.
func (w *world) files(n int) (*world, error) {
	other := w.in(fmt.Sprint("files-", n))
	const each = 25
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for worker := range errs {
		wg.Go(func() {
			for folder := worker * each; folder < n && errs[worker] == nil; folder += len(errs) * each {
				errs[worker] = writeFolder(other.project, folder, min(each, n-folder))
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		cmd := w.command("git", append([]string{"-C", other.project}, args...)...)
		cmd.Env = append(other.env, "GIT_CONFIG_NOSYSTEM=1")
		if said, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git %s: %v\n%s", args[0], err, said)
		}
	}
	return other, nil
}

// writeFolder writes count files, beginning with the first-th, into one folder.
func writeFolder(project string, first, count int) error {
	rng := rand.New(rand.NewSource(int64(first)))
	dir := filepath.Join(project, "src", text(rng, 1), fmt.Sprint(text(rng, 1), first))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i := first; i < first+count; i++ {
		var b strings.Builder
		ending, define := ".go", "func %s%s() {\n"
		switch i % 4 {
		case 1:
			ending, define = ".ts", "export function %s%s() {\n"
		case 2:
			ending, define = ".py", "def %s_%s():\n"
		case 3:
			ending, define = ".md", "## %s %s\n"
		}
		for range 6 {
			fmt.Fprintf(&b, define, text(rng, 1), text(rng, 1))
			for range 6 {
				fmt.Fprintf(&b, "\t%s\n", text(rng, 8))
			}
			b.WriteString("\n")
		}
		name := fmt.Sprintf("%s_%s%d%s", text(rng, 1), text(rng, 1), i, ending)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// wheres ask where something is, of an index that is there: in a large project,
// and in a smaller one beside QMD, whose index of the large one takes ten minutes.
func (w *world) wheres() ([]bench, error) {
	large, err := w.locate(50_000)
	if err != nil {
		return nil, err
	}
	benches := []bench{{name: "WHERE, 50,000 files", aim: "< 150 ms", argv: large.where(), world: large}}
	qmd, err := filepath.Abs("e2e/qmd/node_modules/.bin")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(qmd, "node")); err != nil {
		fmt.Fprintln(os.Stderr, "bench: no QMD to compare with; e2e/install-qmd.sh brings it")
		return benches, nil
	}
	small, err := w.locate(2000)
	if err != nil {
		return nil, err
	}
	for i, v := range small.env {
		if strings.HasPrefix(v, "PATH=") {
			small.env[i] = "PATH=" + qmd + ":/usr/bin:/bin"
		}
	}
	small.env = append(small.env, "KEEPSAKE_TIERS_WHERE=embedded")
	add := w.command(filepath.Join(qmd, "qmd"), "collection", "add", small.project, "--name", "bench",
		"--mask", "**/*")
	add.Env, add.Dir = small.env, small.project
	if said, err := add.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("qmd collection add: %v\n%s", err, said)
	}
	return append(benches, bench{
		name: "WHERE, 2,000 files, beside qmd search", aim: "< 1", argv: small.where(), world: small,
		base: []string{"/bin/sh", "-c", `exec qmd search "$0" --json -c bench 2>/dev/null`, question},
	}), nil
}

// question has words that are rare and common in the files.
const question = "invoice webhook timeout"

func (w *world) where() []string {
	return []string{filepath.Join(w.bin, "keepsake"), "recall", "--tier", "where", question}
}

// locate makes a project of n files and asks it once, which makes the index.
func (w *world) locate(n int) (*world, error) {
	here, err := w.files(n)
	if err != nil {
		return nil, err
	}
	cmd := w.command(here.where()[0], here.where()[1:]...)
	cmd.Env, cmd.Dir = here.env, here.project
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "[source: WHERE]") {
		return nil, fmt.Errorf("%v: %v\n%s", here.where(), err, out)
	}
	return here, nil
}
