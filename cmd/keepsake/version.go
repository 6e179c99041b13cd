package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"keepsake/pkg/layout"
)

type versionCmd struct {
	JSON bool `help:"Print one JSON object."`
}

// built is what the binary knows about itself.
type built struct {
	Version string `json:"version"`
	// of the source, when the build recorded it; "+" appended if it was changed
	Commit string `json:"commit,omitempty"`
	Go     string `json:"go"`
}

func (v versionCmd) Run(c *call) error {
	b := self()
	c.line("%s", b)
	c.value(b)
	return nil
}

func (b built) String() string {
	return fmt.Sprintf("keepsake %s (%s, %s)", b.Version, cmp.Or(b.Commit, "commit not recorded"), b.Go)
}

func self() built {
	b := built{Version: layout.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Go = info.GoVersion
	b.Commit = commitOf(info)
	return b
}

// commitOf is the abbreviated source commit recorded in a binary, "" if none is.
func commitOf(info *debug.BuildInfo) string {
	var commit, changed string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}
