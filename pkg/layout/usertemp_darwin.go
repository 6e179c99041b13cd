package layout

import (
	"os/exec"
	"strings"
)

// userTemp asks the system for this user's own temp directory. TMPDIR is not
// trusted (anything can set it), and confstr(3) cannot be called without cgo.
func userTemp() string {
	out, err := exec.Command("/usr/bin/getconf", "DARWIN_USER_TEMP_DIR").Output()
	if err != nil {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(string(out)), "/")
}
