//go:build e2e

package e2e

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// shipped are the parts of the repository that make the plugin.
var shipped = []string{".claude-plugin", "plugin.json", "bin", "hooks", "skills", "agents", "scripts",
	"LICENSE", "README.md"}

// InstallKeepsake gives the lab a copy of the built plugin, which the story may damage.
func (l *Lab) InstallKeepsake() {
	l.t.Helper()
	l.Plugin = filepath.Join(l.Root, "plugin")
	for _, part := range shipped {
		l.copyTree(filepath.Join("..", part), filepath.Join(l.Plugin, part))
	}
}

// InstallProbe gives the lab the recording plugin of testdata, with answers for some events.
func (l *Lab) InstallProbe(answers map[string]any) {
	l.t.Helper()
	l.Plugin = filepath.Join(l.Root, "probe")
	l.copyTree(filepath.Join("testdata", "probe"), l.Plugin)
	for event, answer := range answers {
		l.WriteJSON(filepath.Join(l.Plugin, "answers", event+".json"), answer)
	}
}

// Recorded are the events that the probe saw, as JSON lines.
func (l *Lab) Recorded(event string) []string {
	return lines(l.Read(filepath.Join(l.Plugin, "log", event+".jsonl")))
}

// copyTree copies a file or directory, Go sources left out. Binaries are linked, not copied: the suite
// makes dozens of labs. Nothing writes to a file of the plugin in place.
func (l *Lab) copyTree(from, to string) {
	l.t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular() || strings.HasSuffix(path, ".go"):
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if os.Link(path, target) == nil {
			return nil
		}
		return copyFile(path, target)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.t.Fatal(err)
	}
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
