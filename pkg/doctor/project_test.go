package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

func TestMendFile(t *testing.T) {
	root := t.TempDir()
	redo := filepath.Join(root, redoFile)
	for _, tt := range []struct {
		name string
		bad  store.Bad
		redo bool // there is one
		want string
	}{
		{"a log that was kept aside", store.Bad{Path: redoFile, Err: os.ErrInvalid}, false, "save it again"},
		{"a log of a newer version", store.Bad{Path: redoFile, Err: memory.ErrNewer}, true,
			"update keepsake: it finishes"},
		{"a log that is a folder", store.Bad{Path: redoFile, Err: disk.ErrNotRegular}, true, "move " + redo +
			" away"},
		{"a log that is stuck", store.Bad{Path: redoFile, Err: os.ErrPermission}, true, "leave " + redo +
			" as it is"},
		{"a record by hand", store.Bad{Path: "decisions/x.json", Err: store.ErrByHand}, false,
			"keepsake records history x has"},
		{"a record of a newer version", store.Bad{Path: "decisions/x.json", Err: memory.ErrNewer}, false,
			"left alone"},
		{"a record in conflict", store.Bad{Path: "x.json", Err: fmt.Errorf("x: %w", memory.ErrMarkers)},
			false, "git add it"},
		{"any other", store.Bad{Path: "x.json", Err: os.ErrInvalid}, false, "mend or remove " + root},
	} {
		os.Remove(redo)
		if tt.redo {
			if err := os.WriteFile(redo, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := mendFile(root, tt.bad); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCheckSettings(t *testing.T) {
	project := layout.Place{Home: "/p", Memory: "/p/.claude/memory"}
	for warning, want := range map[string]Diagnosis{
		"memory-config.json: triage.x: ignored: unknown key": {State: Noted,
			Remedy: "keepsake config unset triage.x"},
		"memory-config.json: a; rm: ignored: unknown key": {State: Noted, Remedy: "mend it in " +
			project.Settings()},
		"config.json: triage.x: ignored: unknown key": {State: Noted,
			Remedy: "keepsake config unset triage.x --user"},
		"config.json: triage.x: want a number": {State: Wrong,
			Remedy: "mend it in /c/config.json"},
		"environment: KEEPSAKE_X: ignored: unknown": {State: Noted,
			Remedy: "mend or unset the variable"},
		"something else": {State: Wrong, Remedy: "see what is there"},
	} {
		p := Patient{Session: &session.Session{Place: &session.Place{Warnings: []string{warning},
			Place: project,
			Dirs:  layout.Dirs{Config: "/c"}}}}
		r := report{check: "settings"}
		checkSettings(p, &r)
		want.Check, want.What = "settings", warning
		if len(r.found) != 1 || r.found[0] != want {
			t.Errorf("%q: %+v, want %+v", warning, r.found, want)
		}
	}
}

func TestUnwritable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	base := t.TempDir()
	root := filepath.Join(base, "memory")
	if got := unwritable(root); got != "" {
		t.Errorf("where the store would be made: %q", got)
	}
	folder := filepath.Join(root, memory.Decision.Folder())
	if err := errors.Join(os.Mkdir(root, 0o700), os.Mkdir(folder, 0o500)); err != nil {
		t.Fatal(err)
	}
	if got := unwritable(root); got != folder {
		t.Errorf("%q, want %q", got, folder)
	}
}

func TestReportSetAside(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a[b]*")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".redo.json.invalid.17", "index.md", "x.json.invalid.1"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var r report
	if reportSetAside(root, &r); len(r.found) != 2 ||
		!strings.HasPrefix(r.found[0].What, filepath.Join(root, ".redo")) {
		t.Errorf("%+v", r.found)
	}
}

func TestTryBackend(t *testing.T) {
	for want, err := range map[Diagnosis]error{
		{State: Fine, What: "qmd"}: nil,
		{State: Wrong, What: "qmd, which can't be used: gone",
			Remedy: "a; or b"}: fmt.Errorf("gone; hint: a; hint: b"),
	} {
		var r report
		tryBackend(func() (string, error) { return "qmd", err }, &r)
		if len(r.found) != 1 || r.found[0] != want {
			t.Errorf("%v: %+v", err, r.found)
		}
	}
}
