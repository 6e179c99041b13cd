// Package layout knows where things are: Keepsake's folders under the XDG
// homes, the project a call belongs to, and the private directory for work in
// flight. It creates nothing but the staging base of the last tier.
package layout

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Dirs are Keepsake's own folders, one under each XDG home, or ""
// where there is no home, and the base of what is staged. None is created here.
type Dirs struct {
	Config string // the person's settings: config.json
	Data   string // what was promoted and must never be lost: drawers
	State  string // what must outlive a logout: sessions, pending, ledger
	Cache  string // what can be deleted: search indexes
	// Runtime is XDG_RUNTIME_DIR itself, "" where it is not set. StageBase says what is staged where.
	Runtime string
}

// Load reads from the environment where they are: below the XDG homes, or the usual ones below HOME. A
// variable that is no absolute path does not count, as the specification has it: below the working directory
// the folders would be the project's.
func Load() Dirs {
	var d Dirs
	if home := os.Getenv("HOME"); filepath.IsAbs(home) {
		d = UsualDirs(home)
	}
	for _, f := range [...]struct {
		dir      *string
		variable string
	}{{&d.Config, "XDG_CONFIG_HOME"}, {&d.Data, "XDG_DATA_HOME"}, {&d.State, "XDG_STATE_HOME"},
		{&d.Cache, "XDG_CACHE_HOME"}} {
		if home := os.Getenv(f.variable); filepath.IsAbs(home) {
			*f.dir = filepath.Join(home, "keepsake")
		}
	}
	d.Runtime = os.Getenv("XDG_RUNTIME_DIR")
	return d
}

// resolve returns p as an absolute path without links, as far as it exists.
func resolve(p string) string {
	abs, err := filepath.Abs(p)
	if err != nil {
		return p
	}
	return Resolved(abs)
}

// Key returns the name of a project's folder under State and Cache: its base name in plain letters, for
// people, and 12 hex digits of SHA-256 over "uid:root", which distinguish projects (claude-memory hashes
// the same two things).
func Key(root string) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(os.Geteuid()) + ":" + root))
	return plain(filepath.Base(root)) + "-" + hex.EncodeToString(sum[:6])
}

// plain returns a file name as at most 40 lower-case ASCII letters, digits and hyphens.
func plain(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if b.Len() == 40 {
			break
		}
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "project"
}

// Session returns a session id as one safe path component. The client's ids (UUIDs) stay as they
// are, and anything else becomes its hash.
func Session(id string) string {
	ok := id != "" && len(id) <= 64
	for i := 0; ok && i < len(id); i++ {
		c := id[i]
		ok = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' && i > 0
	}
	if ok {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "s" + hex.EncodeToString(sum[:16])
}
