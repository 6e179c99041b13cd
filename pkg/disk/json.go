package disk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// A JSONFolder is a private folder of JSON files of ours. Each file is an object with a "version". The folder
// need not exist yet, nor the one that it lies in.
type JSONFolder struct {
	Dir     string
	Lock    string // name of the file that is locked while one is changed
	Version int    // of the files' form. A file of a newer version is neither read nor changed
}

// maxJSON bounds a file, in bytes.
const maxJSON = 64 << 20

// jsonWait is how long a change waits for another process.
const jsonWait = 2 * time.Second

// ErrNewer is the error for a file of a version that is not known yet.
var ErrNewer = errors.New("written by a newer version of keepsake")

// Load reads a file into into. A missing file, or folder, changes nothing.
func (f JSONFolder) Load(name string, into any) error {
	if f.Dir == "" {
		return nil
	}
	path := filepath.Join(f.Dir, name)
	b, err := Read(path, maxJSON)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	var form struct {
		Version int `json:"version"`
	}
	if err = json.Unmarshal(b, &form); form.Version > f.Version {
		return fmt.Errorf("%s: version %d: %w", path, form.Version, ErrNewer)
	} else if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		return fmt.Errorf("%s: broken: %w; hint: mend it by hand, or move it away to begin anew", path, err)
	}
	return nil
}

// Save replaces a file. v has a version, that of the folder.
func (f JSONFolder) Save(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	if len(b) >= maxJSON { // it could not be read any more
		return fmt.Errorf("%s: %w", filepath.Join(f.Dir, name), ErrTooLarge)
	}
	return Write(filepath.Join(f.Dir, name), append(b, '\n'), 0o600)
}

// Change calls do under the lock.
func (f JSONFolder) Change(do func() error) error {
	if f.Dir == "" {
		return errors.New("no folder for Keepsake's state: neither HOME nor XDG_STATE_HOME is set")
	}
	for _, dir := range []string{filepath.Dir(f.Dir), f.Dir} {
		if err := Private(dir); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), jsonWait)
	defer cancel()
	lock, err := Exclusive(ctx, filepath.Join(f.Dir, f.Lock))
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}
