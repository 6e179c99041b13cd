package permissions

import (
	"errors"
	"strings"
	"testing"
)

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
	const command = "/opt/ks/bin/keepsake remember 'x y'"
	for rule, want := range map[string]bool{
		"Bash": true, "Bash(*)": true, "Bash(:*)": true, "Bash(keepsake *)": true,
		"Bash(/opt/keepsake/bin/keepsake remember:*)": true, "Bash(rm *)": false,
		"Read(//keepsake/**)": false,
		"Bash(/opt/*)":        true, "Bash(/opt/**)": true, "Bash(*remember*)": true, "Bash(/opt:*)": true,
		"Bash(* 'x y')": true, "Bash(/opt*remember*y*)": true, "Bash(/opt)": false, "Bash(/srv/*)": false,
		"Bash(*forget*)": false, "Bash(/opt*remember*z')": false, "Bash(opt*)": false,
		"Write": false, "": false,
	} {
		for _, list := range []string{"deny", "ask"} {
			text := `{"permissions":{"` + list + `":["Bash(ls)","` + rule + `","Edit"]}}`
			if got := Restricts([]byte(text), "keepsake", command); got != want {
				t.Errorf("%s: %v", text, got)
			}
		}
	}
	if Restricts([]byte(`{"permissions":{"allow":["Bash"]}}`), "keepsake", command) {
		t.Error("an allow rule restricts")
	}
}

func TestAddSandbox(t *testing.T) {
	paths := []string{"/h/.mempalace", "/h/own"}
	for name, tt := range map[string]struct{ text, want string }{
		"no file": {"", `{
  "sandbox": {
    "enabled": true,
    "failIfUnavailable": true,
    "allowUnsandboxedCommands": false,
    "filesystem": {
      "denyWrite": [
        "/h/.mempalace",
        "/h/own"
      ]
    }
  }
}
`},
		"a sandbox": {`{
	"sandbox": {
		"enabled": true, "allowUnsandboxedCommands": true,
		"filesystem": {"allowWrite": ["~/x"], "denyWrite": ["/h/own", "/y"]}
	},
	"z": "\u00e9"
}
`, `{
	"sandbox": {
		"enabled": true, "allowUnsandboxedCommands": false,
		"filesystem": {"allowWrite": ["~/x"], "denyWrite": ["/h/own", "/y", "/h/.mempalace"]},
		"failIfUnavailable": true
	},
	"z": "\u00e9"
}
`},
		"one line": {`{"sandbox":{"network":{}}}`, `{"sandbox":{"network":{}, "enabled": true, ` +
			`"failIfUnavailable": true, "allowUnsandboxedCommands": false, "filesystem": {"denyWrite": ` +
			`["/h/.mempalace", "/h/own"]}}}`},
		"all there": {`{"sandbox":{"enabled":true,"failIfUnavailable":true,"allowUnsandboxedCommands":false,` +
			`"filesystem":{"denyWrite":["/h/own","/h/.mempalace"]}}}`, ""},
	} {
		if tt.want == "" {
			tt.want = tt.text
		}
		got, c, err := AddSandbox(tt.text, paths)
		if err != nil || got != tt.want {
			t.Errorf("%s: got\n%s\n%v, want\n%s", name, got, err, tt.want)
			continue
		}
		if c.Empty() != (tt.want == tt.text) {
			t.Errorf("%s: %+v", name, c)
		}
		if s := ReadSandbox([]byte(got)); len(s.Off())+len(s.Missing("/h", paths)) > 0 {
			t.Errorf("%s: off %v", name, s.Off())
		}
		want := tt.text
		if want == "" {
			want = "{}\n"
		}
		if back, err := DropSandbox(got, c); err != nil || back != want {
			t.Errorf("%s: taken out again:\n%s\n%v", name, back, err)
		}
		again, more, err := AddSandbox(got, append(paths, "/h/new"))
		if err != nil || len(more.DenyWrite) != 1 || len(more.Were) != 0 {
			t.Errorf("%s: a second time: %+v, %v", name, more, err)
		}
		if back, err := DropSandbox(again, c.And(more)); err != nil || back != want {
			t.Errorf("%s: two taken out again:\n%s\n%v", name, back, err)
		}
	}
}

// TestSandboxChangedSince: what somebody changed since stays as they want it.
func TestSandboxChangedSince(t *testing.T) {
	text, c, err := AddSandbox(`{"sandbox":{"enabled":false}}`, []string{"/a"})
	if err != nil {
		t.Fatal(err)
	}
	text = strings.Replace(text, `["/a"]`, `["/mine", "/a"], "allowWrite": ["/b"]`, 1)
	text = strings.Replace(text, `"failIfUnavailable": true`, `"failIfUnavailable": false`, 1)
	want := `{"sandbox":{"enabled":false, "failIfUnavailable": false, ` +
		`"filesystem": {"denyWrite": ["/mine"], "allowWrite": ["/b"]}}}`
	if back, err := DropSandbox(text, c); err != nil || back != want {
		t.Errorf("%s, %v", back, err)
	}
	for _, broken := range []string{"{", "[]", `{"sandbox":[]}`, `{"sandbox":{"filesystem":1}}`,
		`{"sandbox":{"filesystem":{"denyWrite":{}}}}`, `{"sandbox":{},"sandbox":{}}`,
		`{"sandbox":{"enabled":"yes"}}`} {
		if _, _, err := AddSandbox(broken, []string{"/a"}); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: %v", broken, err)
		}
	}
}

// TestOpens holds what 2.1.197 was seen to do with an allowWrite beside a denyWrite.
func TestOpens(t *testing.T) {
	for text, want := range map[string]bool{
		`{"sandbox":{"filesystem":{"allowWrite":["/"]}}}`:                   true,
		`{"sandbox":{"filesystem":{"allowWrite":["//"]}}}`:                  true,
		`{"sandbox":{"filesystem":{"allowWrite":["/."]}}}`:                  true,
		`{"sandbox":{"filesystem":{"allowWrite":["/tmp/.."]}}}`:             true,
		`{"sandbox":{"filesystem":{"allowWrite":["/**"]}}}`:                 true,
		`{"sandbox":{"filesystem":{"allowWrite":["~/.mempalace/palace"]}}}`: true,
		`{"sandbox":{"filesystem":{"allowWrite":["/h/.mempalace"]}}}`:       true,
		`{"permissions":{"allow":["Read","Edit(//**)"]}}`:                   true,
		`{"permissions":{"allow":["Edit(~/.mempalace/**)"]}}`:               true,
		`{"permissions":{"additionalDirectories":["/"]}}`:                   true,
		`{"sandbox":{"filesystem":{"allowWrite":["../.mempalace"]}}}`:       true,
		`{"sandbox":{"filesystem":{"allowWrite":["./../../h/own/x"]}}}`:     true,
		`{"sandbox":{"filesystem":{"allowWrite":["../other","./own"]}}}`:    false,
		`{"sandbox":{"filesystem":{"allowWrite":["~/"]}}}`:                  false,
		`{"sandbox":{"filesystem":{"allowWrite":["~","/h/.mempalaces"]}}}`:  false,
		`{"permissions":{"allow":["Edit","Edit(~/**)","Edit(src/**)"]}}`:    false,
		`{}`: false,
	} {
		got := ReadSandbox([]byte(text)).Opens("/h", []string{"/h/.mempalace", "/h/own"})
		if (len(got) == 1) != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestSandboxOver(t *testing.T) {
	person := ReadSandbox([]byte(`{"sandbox":{"enabled":true,"failIfUnavailable":true,` +
		`"allowUnsandboxedCommands":false,"filesystem":{"denyWrite":["~/.mempalace"]}}}`))
	project := ReadSandbox([]byte(`{"sandbox":{"enabled":false,"excludedCommands":["docker *"]}}`))
	all := person.Over(project)
	if person.Off() != nil || all.Enabled() || len(all.Off()) != 1 || len(project.Turned()) != 1 ||
		len(all.Excluded) != 1 || len(all.Missing("/h", []string{"/h/.mempalace/palace"})) != 0 ||
		len(all.Missing("/h", []string{"/h/.mempalaces"})) != 1 {
		t.Errorf("%+v", all)
	}
}
