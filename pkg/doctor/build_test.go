package doctor

import (
	"runtime/debug"
	"testing"
)

func TestSameBuild(t *testing.T) {
	info := func(version, module string, settings ...string) *debug.BuildInfo {
		i := &debug.BuildInfo{GoVersion: version, Path: module + "/cmd/x",
			Main: debug.Module{Path: module, Version: "(devel)"}}
		for n := 0; n < len(settings); n += 2 {
			i.Settings = append(i.Settings, debug.BuildSetting{Key: settings[n], Value: settings[n+1]})
		}
		return i
	}
	const other = "was built from another source than this program"
	clean := []string{"vcs.revision", "aaaa", "vcs.modified", "false"}
	for name, tt := range map[string]struct {
		program, own *debug.BuildInfo
		want         string
	}{
		"the same": {info("go1.26.8", "keepsake", clean...), info("go1.26.8", "keepsake", clean...),
			""},
		"nothing recorded": {info("go1.26.8", "keepsake"), info("go1.26.8", "keepsake"), ""},
		"another program": {info("go1.26.8", "keep", clean...), info("go1.26.8", "keepsake", clean...),
			"is not a program of keepsake"},
		"another commit": {info("go1.26.8", "keepsake", "vcs.revision", "bbbb", "vcs.modified", "false"),
			info("go1.26.8", "keepsake", clean...), other},
		"changed since": {info("go1.26.8", "keepsake", "vcs.revision", "aaaa", "vcs.modified", "true"),
			info("go1.26.8", "keepsake", clean...), other},
		"only its own": {info("go1.26.8", "keepsake", clean...), info("go1.26.8", "keepsake"), other},
		"only ours":    {info("go1.26.8", "keepsake"), info("go1.26.8", "keepsake", clean...), other},
		"another Go": {info("go1.25.1", "keepsake", clean...), info("go1.26.8", "keepsake", clean...),
			other},
	} {
		got := ""
		if err := sameBuild([]byte("\x7fELF\x00"+tt.program.String()+"\x00"), tt.own); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
