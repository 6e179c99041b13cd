package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memdir/lessons"
)

// maxJournal bounds what is read of the journal of lessons, in bytes.
const maxJournal = 16 << 20

// Lessons reads the lessons of the directory.
func (f Folder) Lessons() (k classify.Lessons, err error) {
	journal, err := disk.Read(filepath.Join(f.Root, filepath.FromSlash(lessons.Journal)), maxJournal)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	entries, err := os.ReadDir(filepath.Join(f.Root, filepath.FromSlash(lessons.Instincts)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	var instincts []string
	for _, e := range entries {
		instincts = append(instincts, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return classify.ReadLessons(f.Dir, f.Profile, journal, instincts), nil
}
