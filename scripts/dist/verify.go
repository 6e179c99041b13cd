package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// buildTwice makes a release of HEAD in two clones, in folders of different length, the second without what
// the first left in Go's cache, and compares all that they wrote.
func buildTwice(wanted []platform) error {
	dir, err := os.MkdirTemp("", "keepsake-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	head, err := output(".", nil, "git", "rev-parse", "HEAD") // which may move while this builds
	if err != nil {
		return err
	}
	var outs []string
	for _, name := range []string{"a", "another/place"} {
		root := filepath.Join(dir, name)
		if _, err := output(".", nil, "git", "clone", "--quiet", "--no-hardlinks", here, root); err != nil {
			return err
		}
		if _, err := output(root, nil, "git", "checkout", "--quiet", strings.TrimSpace(head)); err != nil {
			return err
		}
		if err := os.Setenv("GOCACHE", filepath.Join(dir, "cache", name)); err != nil {
			return err
		}
		outs = append(outs, filepath.Join(dir, "out", name))
		if err := release(root, outs[len(outs)-1], wanted, false); err != nil {
			return err
		}
	}
	return sameTree(outs[0], outs[1])
}

// sameTree returns an error that names the first file in which two folders differ.
func sameTree(a, b string) error {
	files, err := filesBelow(a)
	if err != nil {
		return err
	}
	others, err := filesBelow(b)
	if err != nil {
		return err
	}
	if len(files) != len(others) {
		return fmt.Errorf("%s has %d files, %s %d", a, len(files), b, len(others))
	}
	for _, f := range files {
		name, err := filepath.Rel(a, f)
		if err != nil {
			return err
		}
		one, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		other, err := os.ReadFile(filepath.Join(b, name))
		if err != nil {
			return err
		}
		if !bytes.Equal(one, other) {
			return fmt.Errorf("%s is not the same in both places", name)
		}
	}
	fmt.Printf("%d files are the same to the byte\n", len(files))
	return nil
}
