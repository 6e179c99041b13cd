package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A member is one file of an archive.
type member struct {
	name string
	from string // path of the file; "" means that text is in it
	text []byte
	mode int64
}

// archive returns a gzipped tar of members. It depends on nothing but its arguments: no owner, no time of
// a file, no order of a folder.
func archive(members []member, at time.Time, level int) ([]byte, error) {
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		return nil, err
	}
	to := tar.NewWriter(zip)
	for _, m := range members {
		text := m.text
		if m.from != "" {
			if text, err = os.ReadFile(m.from); err != nil {
				return nil, err
			}
		}
		err := to.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: m.name, Size: int64(len(text)),
			Mode: m.mode, ModTime: at, Format: tar.FormatUSTAR})
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(text); err != nil {
			return nil, err
		}
	}
	if err := to.Close(); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// membersBelow returns the files below dir that keep wants, by their path from there, below prefix.
func membersBelow(dir, prefix string, keep func(name string) bool) (all []member, err error) {
	files, err := filesBelow(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		name, err := filepath.Rel(dir, f)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(f)
		if err != nil {
			return nil, err
		}
		mode := int64(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		if name = filepath.ToSlash(name); keep(name) {
			all = append(all, member{name: prefix + name, from: f, mode: mode})
		}
	}
	return all, nil
}

// writeSums writes the digests of files below dir in the form of sha256sum.
func writeSums(dir string, files []string) error {
	var text strings.Builder
	for _, f := range files {
		name, err := filepath.Rel(dir, f)
		if err != nil {
			return err
		}
		digest, err := digestOf(f)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", digest, filepath.ToSlash(name))
	}
	return writeFile(filepath.Join(dir, sums), []byte(text.String()), 0o644)
}

func digestOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}
