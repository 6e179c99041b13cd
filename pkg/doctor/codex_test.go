package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCodex(t *testing.T) {
	const plugin = "[plugins.\"keepsake@keepsake\"]\nenabled = true\n"
	trusted := plugin
	for _, event := range codexEvents {
		trusted += "[hooks.state.\"keepsake@keepsake:hooks/hooks.json:" + event +
			":0:0\"]\ntrusted_hash = \"sha256:1\"\n"
	}
	for name, tt := range map[string]struct{ settings, state, says string }{
		"no Codex":     {"", "", ""},
		"no plugin":    {"model = \"x\"\n", "", ""},
		"another":      {"[plugins.\"other@x\"]\nenabled = true\n", "", ""},
		"broken":       {"[plugins\n", Noted, "config.toml"},
		"switched off": {strings.Replace(plugin, "true", "false", 1), Noted, "switched off"},
		"not trusted": {plugin, Wrong,
			"(pre_tool_use, user_prompt_submit, post_tool_use, session_start, stop)"},
		"one left":      {strings.Replace(trusted, ":stop:", ":stopped:", 1), Wrong, "(stop)"},
		"one disabled":  {trusted + "enabled = false\n", Wrong, "(stop)"},
		"without hooks": {"[features]\nhooks = false\n" + trusted, Wrong, "switches hooks off"},
		"trusted":       {trusted, Fine, "are trusted"},
	} {
		home := t.TempDir()
		t.Setenv("CODEX_HOME", home)
		if tt.settings != "" {
			err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(tt.settings), 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}
		var r report
		checkCodex(Patient{}, &r)
		switch {
		case tt.state == "" && len(r.found) == 0:
		case len(r.found) != 1 || r.found[0].State != tt.state || !strings.Contains(r.found[0].What, tt.says):
			t.Errorf("%s: %+v", name, r.found)
		}
	}
}
