// Package script runs a program's testscripts, each in a home of its own:
// testdata/*.txtar, with HOME, the XDG folders and CLAUDE_PROJECT_DIR below the
// script's work directory ($WORK/home, config, state, cache, run, project).
// Only tests use it.
package script

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main makes programs callable by name from scripts and runs the tests.
func Main(m *testing.M, programs map[string]func()) {
	testscript.Main(m, programs)
}

// Run runs the scripts of the package under test. With KEEPSAKE_GOLDEN set, a
// cmp that fails rewrites what was expected.
func Run(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("KEEPSAKE_GOLDEN") != "",
		Setup: func(env *testscript.Env) error {
			for name, dir := range map[string]string{
				"HOME": "home", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
				"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache",
				"XDG_RUNTIME_DIR": "run", "CLAUDE_PROJECT_DIR": "project",
			} {
				path := filepath.Join(env.WorkDir, dir)
				if err := os.MkdirAll(path, 0o700); err != nil {
					return err
				}
				env.Setenv(name, path)
			}
			env.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
			return nil
		},
	})
}
