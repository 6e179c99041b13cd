package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// StageBase returns the private directory under which work in flight is kept
// and the name of the tier it came from. There are four tiers, and the first
// that fits wins: XDG_RUNTIME_DIR, /run/user/UID, the user's temp directory on macOS, and
// a folder in the cache home. The first two must be directories of our own with
// mode 0700 and no symlink; a shared temp directory is never used, which closes
// the whole class of races that live there. Only the last tier creates anything.
func (d Dirs) StageBase() (dir, tier string, err error) {
	uid := strconv.Itoa(os.Geteuid())
	var refused []error
	for _, t := range []struct {
		name, dir string
		mode      func(fs.FileMode) bool
	}{
		{"XDG_RUNTIME_DIR", d.Runtime, exactly0700},
		{"/run/user/UID", "/run/user/" + uid, exactly0700},
		{"macOS user temp", userTemp(), noOthers},
	} {
		if !filepath.IsAbs(t.dir) {
			continue
		}
		if err := private(t.dir, t.mode); err != nil {
			refused = append(refused, err)
			continue
		}
		return t.dir, t.name, nil
	}
	dir = at(d.Cache, "staging")
	if !filepath.IsAbs(dir) {
		return "", "", errors.Join(append(refused,
			errors.New("no private directory for staging: neither XDG_RUNTIME_DIR, XDG_CACHE_HOME nor HOME "+
				"is usable"))...)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", errors.Join(append(refused, err)...)
	}
	if err := private(dir, noOthers); err != nil {
		if cerr := os.Chmod(dir, 0o700); cerr != nil {
			return "", "", errors.Join(append(refused, err)...)
		}
		if err := private(dir, noOthers); err != nil {
			return "", "", errors.Join(append(refused, err)...)
		}
	}
	return dir, "cache", nil
}

// StageName returns the folder of a project under the staging base: a hidden name
// and the same 12 hex digits that end Key.
func StageName(root string) string {
	key := Key(root)
	return ".keepsake-staging-" + key[len(key)-12:]
}

// Desk returns the folder of a session's work in flight. home is its project's, name the session's as
// [Session] returns it. tier is the kind of base folder that StageBase found.
func (d Dirs) Desk(home, name string) (desk, tier string, err error) {
	base, tier, err := d.StageBase()
	if err != nil {
		return "", "", err
	}
	return filepath.Join(base, StageName(home), name), tier, nil
}

func exactly0700(m fs.FileMode) bool { return m.Perm() == 0o700 }
func noOthers(m fs.FileMode) bool    { return m.Perm()&0o077 == 0 }

// private returns an error unless dir is a directory of this user alone.
func private(dir string, mode func(fs.FileMode) bool) error {
	fi, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return fmt.Errorf("%s: not a directory", dir)
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("%s: not owned by this user", dir)
	}
	if !mode(fi.Mode()) {
		return fmt.Errorf("%s: mode %04o lets others in", dir, fi.Mode().Perm())
	}
	return nil
}
