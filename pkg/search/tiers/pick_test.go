package tiers

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestPickWhy(t *testing.T) {
	palace := t.TempDir()
	file := put(t, t.TempDir(), "file", "")
	missing := errors.New("not installed")
	for _, tt := range []struct {
		setting   string
		installed error
		palaces   []string
		want      Choice
	}{
		{"embedded", nil, []string{palace}, Choice{Backend: "embedded", Why: "tiers.why is embedded"}},
		{"mempalace", missing, nil, Choice{Backend: "mempalace", Why: "tiers.why is mempalace"}},
		{"auto", missing, []string{palace},
			Choice{Backend: "embedded", Why: "tiers.why is auto, and MemPalace is not installed"}},
		{"auto", nil, nil, Choice{Backend: "embedded",
			Why: "tiers.why is auto, and MemPalace has no palace"}},
		{"auto", nil, []string{filepath.Join(palace, "none"), file},
			Choice{Backend: "embedded", Why: "tiers.why is auto, and MemPalace has no palace"}},
		{"auto", nil, []string{filepath.Join(palace, "none"), palace},
			Choice{Backend: "mempalace",
				Why: "tiers.why is auto, and MemPalace is installed and has a palace"}},
	} {
		got := PickWhy(tt.setting, tt.installed, tt.palaces)
		if got.Backend != tt.want.Backend || got.Why != tt.want.Why {
			t.Errorf("%s, %v, %q: %+v", tt.setting, tt.installed, tt.palaces, got)
		}
	}
}
