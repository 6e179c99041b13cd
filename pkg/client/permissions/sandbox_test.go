package permissions

import "testing"

func TestSandboxed(t *testing.T) {
	for text, want := range map[string]bool{
		`{"sandbox":{"enabled":true}}`: true, `{"sandbox":{"enabled":false}}`: false,
		`{"sandbox":{}}`: false, `{}`: false, ``: false, `{"sandbox":true}`: false, `[`: false,
		`{"model":"opus","sandbox":{"filesystem":{},"enabled": true}}`: true,
	} {
		if got := Sandboxed([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestRestricts(t *testing.T) {
	for rule, want := range map[string]bool{
		"Bash": true, "Bash(*)": true, "Bash(:*)": true, "Bash(keepsake *)": true,
		"Bash(/opt/keepsake/bin/keepsake remember:*)": true, "Bash(rm *)": false,
		"Read(//keepsake/**)": false,
		"Write":               false, "": false,
	} {
		for _, list := range []string{"deny", "ask"} {
			text := `{"permissions":{"` + list + `":["Bash(ls)","` + rule + `","Edit"]}}`
			if got := Restricts([]byte(text), "keepsake"); got != want {
				t.Errorf("%s: %v", text, got)
			}
		}
	}
	if Restricts([]byte(`{"permissions":{"allow":["Bash"]}}`), "keepsake") {
		t.Error("an allow rule restricts")
	}
}
