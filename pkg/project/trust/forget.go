package trust

import (
	"bytes"
	"errors"
	"io/fs"
	"os"

	"keepsake/pkg/disk"
)

// Forget takes all that is known of the records at some paths out of the log.
func (r Records) Forget(paths ...string) error {
	gone := map[string]bool{}
	for _, p := range paths {
		gone[p] = true
	}
	return r.locked(func() error {
		text, err := disk.Read(r.Log(), maxLog)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		var kept []byte
		for line := range bytes.Lines(text) {
			if e, ok := parse(line); !ok || !gone[e.Path] {
				kept = append(kept, line...)
			}
		}
		if len(kept) == len(text) {
			return nil
		}
		if err := disk.Write(r.Log(), kept, 0o600); err != nil {
			return err
		}
		// it holds digests alone, and is made again
		if err := os.Remove(r.index()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}
