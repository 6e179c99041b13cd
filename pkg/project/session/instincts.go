package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/secret"
)

// Limits of the instincts that are read.
const (
	maxInstincts = 50
	maxInstinct  = 8 << 10 // bytes of one
)

// Instincts returns the active instincts of the project's Markdown memories, ordered by their
// files' names, with the secrets known by their shape redacted. The error is of those that can't be
// read. The others are returned with it.
func (md *Memdir) Instincts() (out []lessons.Instinct, err error) {
	dir := filepath.Join(md.MemoryDir(), filepath.FromSlash(lessons.Instincts))
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	errs := []error{err}
	for _, e := range entries[:min(len(entries), maxInstincts)] {
		if !strings.HasSuffix(e.Name(), ".yaml") || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		b, err := disk.Read(filepath.Join(dir, e.Name()), maxInstinct)
		i, ok := lessons.ParseInstinct(b)
		switch {
		case err != nil:
			errs = append(errs, err)
		case !ok:
			errs = append(errs, fmt.Errorf("%s: has no trigger or no action", filepath.Join(dir, e.Name())))
		case i.Status == "active":
			i.Trigger, i.Action = secret.Redact(i.Trigger), secret.Redact(i.Action)
			out = append(out, i)
		}
	}
	return out, errors.Join(errs...)
}
