package doctor

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/text"
)

// installation are the checks that look at nothing but the programs and the files of the plugin.
var installation = []string{"plugin", "binaries", "release", "network", "gate"}

// SelfCheck makes the checks of Examine that look at the installation alone.
func SelfCheck(p Patient) iter.Seq[Diagnosis] {
	return examine(p, func(check string) bool { return slices.Contains(installation, check) })
}

// checkRelease compares every program with its digest in the release. What was built here has no digests.
func checkRelease(p Patient, r *report) {
	if layout.Bin() == "" {
		return
	}
	list, err := disk.Read(layout.Sums(), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		r.ok("built here: there are no digests of a release to compare the programs with")
		return
	}
	if err != nil {
		r.bad(p.repair(), "%v", err)
		return
	}
	digests, err := parseSums(list)
	if err != nil {
		r.bad(p.repair(), "%s: %v", layout.Sums(), err)
		return
	}
	var there []string
	err = filepath.WalkDir(layout.Bin(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path != layout.Sums() {
			there = append(there, path)
		}
		return err
	})
	if err != nil {
		r.bad(p.repair(), "%v", err)
	}
	for _, path := range there {
		name, err := filepath.Rel(layout.Bin(), path)
		if err != nil {
			r.bad(p.repair(), "%v", err)
			continue
		}
		want, known := digests[filepath.ToSlash(name)]
		delete(digests, filepath.ToSlash(name))
		program, err := disk.Read(path, maxProgram)
		switch {
		case !known:
			r.bad("remove it", "%s is not in the release", path)
		case err != nil:
			r.bad(p.repair(), "%v", err)
		case sha256.Sum256(program) != want:
			r.bad(p.repair(), "%s is not what was released: its digest differs", path)
		}
	}
	for name := range digests {
		r.bad(p.repair(), "%s is missing", filepath.Join(layout.Bin(), name))
	}
	if len(r.found) == 0 {
		r.ok("%s as released, by %s", text.Count(len(there), "program"), layout.Sums())
	}
}

// parseSums reads the lines of sha256sum, by name.
func parseSums(list []byte) (map[string][sha256.Size]byte, error) {
	digests := map[string][sha256.Size]byte{}
	for line := range strings.Lines(string(list)) {
		digest, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		b, err := hex.DecodeString(digest)
		if !ok || err != nil || len(b) != sha256.Size || name == "" {
			return nil, fmt.Errorf("not a line of sha256sum: %q", text.Shorten(line, shownRunes))
		}
		digests[name] = [sha256.Size]byte(b)
	}
	if len(digests) == 0 {
		return nil, errors.New("is empty")
	}
	return digests, nil
}

// connects are names of functions that a Go program has, also without symbols, if it can open a connection.
var connects = [][]byte{[]byte("syscall.connect\x00"), []byte("syscall.socket\x00"),
	[]byte("net.(*netFD).")}

// linksNetwork reports whether a Go program has a function that opens connections.
func linksNetwork(program []byte) bool {
	return slices.ContainsFunc(connects, func(name []byte) bool { return bytes.Contains(program, name) })
}

// checkNetwork looks whether a program that answers the client, or one that lies beside those, could open a
// connection. It first looks at the one that can, so that it can't take everything for harmless.
func checkNetwork(p Patient, r *report) {
	talks := layout.Libexec("mempalace")
	if program, err := disk.ReadLinked(talks, maxProgram); err != nil || !linksNetwork(program) {
		r.bad(p.repair(), "can't tell which programs could open a connection: %s, which can, shows none (%v)",
			talks, err)
		return
	}
	files, err := os.ReadDir(filepath.Dir(layout.Hook("event")))
	if err != nil {
		r.bad(p.repair(), "%v", err)
		return
	}
	started, answer := hookPrograms(), 0
	for _, f := range files {
		path := layout.Hook(f.Name())
		if slices.Contains(started, path) {
			answer++
		}
		program, err := disk.ReadLinked(path, maxProgram)
		switch {
		case err != nil:
			r.bad(p.repair(), "%v", err)
		case linksNetwork(program):
			r.bad(p.repair(), "%s could open a connection; no hook of Keepsake's can", path)
		}
	}
	if len(r.found) == 0 {
		r.ok("none of the %s that answer the client can open a connection", text.Count(answer, "program"))
	}
}
