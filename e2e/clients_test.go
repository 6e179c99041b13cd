//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// patience bounds every single wait of the suite. The longest measured is a client that starts, is typed
// into and answers inside of another one, on two cores with a load of 17: about 20 s.
const patience = 60 * time.Second

// versions are the supported clients, each pinned by a package-lock.json under clients/.
var versions = []string{"2.1.197", "2.1.329"}

// Client is one installed Claude Code.
type Client struct {
	Version string
	Path    string
}

// Backgrounds reports whether the client runs subagents in the background by default.
func (c Client) Backgrounds() bool { return c.Version != "2.1.197" }

// eachClient runs the story once in every supported client, in parallel with other stories.
func eachClient(t *testing.T, story func(t *testing.T, c Client)) {
	t.Parallel()
	for _, v := range versions {
		t.Run(v, func(t *testing.T) {
			t.Parallel()
			story(t, Client{Version: v, Path: clientPath(t, v)})
		})
	}
}

// eachMode runs the story in every client, once in manual mode and once in auto mode.
func eachMode(t *testing.T, story func(t *testing.T, c Client, mode string)) {
	eachModeOf(t, []string{"default", "auto"}, story)
}

// eachModeOf runs the story in every client, once in each of the permission modes.
func eachModeOf(t *testing.T, modes []string, story func(t *testing.T, c Client, mode string)) {
	t.Parallel()
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			eachClient(t, func(t *testing.T, c Client) { story(t, c, mode) })
		})
	}
}

// clientPath finds the platform binary that npm brought as an optional dependency of the client's package.
func clientPath(t *testing.T, version string) string {
	t.Helper()
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	for _, suffix := range []string{"", "-musl"} {
		pkg := "claude-code-" + runtime.GOOS + "-" + arch + suffix
		path, err := filepath.Abs(
			filepath.Join("clients", version, "node_modules", "@anthropic-ai", pkg, "claude"),
		)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	t.Fatalf("client %s is not installed: run e2e/install.sh", version)
	return ""
}
