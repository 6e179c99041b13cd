// Fsyncs is what saving is compared with: a program that makes so many fsyncs in
// a folder and nothing else. As a save does, it writes small files beside their
// places, names them, and makes the names durable, so that every second one is of
// a file and every other of the folder.
//
//	fsyncs FOLDER COUNT
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	count, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = fsyncs(os.Args[1], count)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fsyncs:", err)
		os.Exit(1)
	}
}

func fsyncs(folder string, count int) error {
	text := make([]byte, 1000)
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	for i := range count {
		if i%2 == 1 {
			if err := dir.Sync(); err != nil {
				return err
			}
			continue
		}
		name := filepath.Join(folder, fmt.Sprint("fsyncs-", i))
		f, err := os.Create(name + ".new")
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		if err := errors.Join(err, f.Sync(), f.Close(), os.Rename(name+".new", name)); err != nil {
			return err
		}
	}
	return nil
}
