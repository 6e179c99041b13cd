package handoff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/scratch"
	"keepsake/pkg/secret"
)

// maxProgress is the size of the largest progress.md that is read or added to, in bytes.
const maxProgress = 4 << 20

// Note writes the handoff note: how the work stands, and how to go on. resume says the latter in somebody's
// words; if it is "", it follows from s. Note returns the file with the note, relative to the project's
// folder. If the newest note there says the same, nothing is written. If there is nothing to hand over and
// resume is "", there is no note and path is "".
//
// The note goes on top of the others in Keepsake's own file. With the setting handoff.note it is appended to
// progress.md instead, if that exists and the gate allows changes of planning files.
func (l Look) Note(ctx context.Context, s brief.Standing, resume string) (path string, err error) {
	if resume == "" && !isInWork(s) {
		return "", nil
	}
	n := brief.HandoffNote{At: l.Now, Standing: s, Resume: scratch.Clean(secret.Redact(resume))}
	lock, err := disk.Exclusive(ctx, l.lockFile())
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(l.lockFile()), 0o700); err == nil {
			lock, err = disk.Exclusive(ctx, l.lockFile())
		}
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	file, path, err := l.noteFile()
	switch {
	case err != nil:
		return "", err
	case n.Same(file):
		return path, nil
	case path == progressFile:
		text := scratch.Gap(file[max(0, len(file)-2):]) + n.Print()
		return path, disk.Append(filepath.Join(l.Root, path), func(io.ReaderAt, int64) ([]byte, error) {
			return []byte(text), nil
		})
	}
	if err := l.makeFolder(); err != nil {
		return "", err
	}
	return path, disk.Write(filepath.Join(l.Root, filepath.FromSlash(path)), n.Onto(file), 0o644)
}

// Leave writes the note of a session that is over, if work is in flight. If somebody said in this session how
// to resume, that stays.
func (l Look) Leave(ctx context.Context) error {
	s, err := l.Standing(ctx)
	if !isInWork(s) {
		return err
	}
	resume := ""
	if begun := l.State.Started.Truncate(time.Second); !begun.IsZero() && !s.Said.At.Before(begun) {
		resume = s.Said.Text
	}
	_, werr := l.Note(ctx, s, resume)
	return errors.Join(err, werr)
}

// isInWork reports whether work is in flight, so that there is something for a note.
func isInWork(s brief.Standing) bool {
	return s.Plan || s.Notes.Open+s.Notes.Promoted+len(s.Questions) > 0
}

func (l Look) lockFile() string { return l.Dirs.Of(l.Place.Home).Handoff() }

// noteFile returns the file that has the handoff notes and its path, or nothing if there is none.
func (l Look) noteFile() (file []byte, path string, err error) {
	if l.Config.Handoff.Note == "progress" && l.Config.Gate["before_planning_write"] == "off" {
		file, err = disk.Read(filepath.Join(l.Root, progressFile), maxProgress)
		if errors.Is(err, disk.ErrNotRegular) || errors.Is(err, disk.ErrTooLarge) {
			err = fmt.Errorf("%w; hint: the note goes to a file of the project itself with room in it, or "+
				"elsewhere with: keepsake config set handoff.note own", err)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return file, progressFile, err
		}
	}
	file, err = disk.Read(filepath.Join(l.Root, filepath.FromSlash(brief.Handoff)), 2*brief.MaxHandoffs)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return file, brief.Handoff, err
}

// makeFolder makes the folder of Keepsake's own file, which git ignores.
func (l Look) makeFolder() error {
	dir, err := disk.MakeBelow(l.Root, path.Dir(brief.Handoff), 0o755)
	if err != nil {
		return err
	}
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(ignore); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return disk.Write(ignore,
		[]byte("# The handoff note of this checkout. Delete this line and the next to commit it.\n/"+
			path.Base(brief.Handoff)+"\n"), 0o644)
}
