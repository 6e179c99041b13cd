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
		{"embedded", nil, []string{palace}, Choice{"embedded", "tiers.why is embedded", nil}},
		{"mempalace", missing, nil, Choice{"mempalace", "tiers.why is mempalace", nil}},
		{"auto", missing, []string{palace},
			Choice{"embedded", "tiers.why is auto, and MemPalace is not installed", nil}},
		{"auto", nil, nil, Choice{"embedded", "tiers.why is auto, and MemPalace has no palace", nil}},
		{"auto", nil, []string{filepath.Join(palace, "none"), file},
			Choice{"embedded", "tiers.why is auto, and MemPalace has no palace", nil}},
		{"auto", nil, []string{filepath.Join(palace, "none"), palace},
			Choice{"mempalace", "tiers.why is auto, and MemPalace is installed and has a palace", nil}},
	} {
		got := PickWhy(tt.setting, tt.installed, tt.palaces)
		if got.Backend != tt.want.Backend || got.Why != tt.want.Why {
			t.Errorf("%s, %v, %q: %+v", tt.setting, tt.installed, tt.palaces, got)
		}
	}
}
