package approval

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
)

// Forget removes something that the person has deleted for good. It deletes requests in which has finds it,
// however they were answered, and puts the log through clean. The request of a call that may still be running
// is deleted when that is settled.
func (d Dir) Forget(has func(string) bool, clean func(string) string, now time.Time) error {
	if d == "" {
		return nil
	}
	var errs []error
	for _, where := range folders {
		dir := filepath.Join(string(d), where)
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			b, info, err := disk.ReadInfo(path, maxFile)
			switch {
			case errors.Is(err, fs.ErrNotExist), errors.Is(err, disk.ErrNotRegular):
			case err != nil:
				errs = append(errs, err)
			case where == "taken" && now.Sub(info.ModTime()) < inFlight:
			default:
				found := false
				memory.RewriteJSON(b, func(text string) string {
					found = found || has(text)
					return text
				})
				if found {
					errs = append(errs, disk.Remove(path))
				}
			}
		}
	}
	for _, path := range []string{d.logPath() + ".1", d.logPath()} {
		b, err := disk.Read(path, 2*maxLog+maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if next := memory.RewriteJSON(b, clean); string(next) != string(b) {
			errs = append(errs, disk.Write(path, next, 0o600))
		}
	}
	return errors.Join(errs...)
}
