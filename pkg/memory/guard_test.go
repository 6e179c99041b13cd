package memory

import (
	"strings"
	"testing"
	"time"
)

func guarded(g *Guard) Record {
	at := Stamp(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	return Record{Category: Preference, ID: "pnpm", Title: "Use pnpm", Status: Active, CreatedAt: at,
		UpdatedAt: at, Tags: []string{"tools"}, Guard: g,
		Content: Content{"topic": "t", "value": "v", "reason": "r", "strength": "strong"}}
}

func TestGuardInAFile(t *testing.T) {
	r := guarded(&Guard{Command: []string{"git", "commit"}, Needs: []string{"make", "test"}, Does: Deny})
	r.SupersededBy, r.Provenance = "", &Provenance{Session: "s"}
	b := r.Encode()
	if !strings.Contains(string(b), `"schema_version": "1.3"`) ||
		strings.Index(string(b), `"provenance"`) > strings.Index(string(b), `"guard"`) {
		t.Errorf("%s", b)
	}
	back, err := Decode(b)
	if err != nil || back.Guard == nil || !back.Guard.Same(*r.Guard) || string(back.Encode()) != string(b) {
		t.Errorf("%+v, %v", back.Guard, err)
	}
	if r.Guard = nil; r.schema() != "1.1" {
		t.Errorf("without a guard: %s", r.schema())
	}
}

func TestGuardIsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		guard Guard
		wrong string // a field that is named; "" for none
	}{
		"a command": {Guard{Command: []string{"npm", "install"}, Does: Deny}, ""},
		"a tool":    {Guard{Tool: "mcp__github__create_issue", Does: Ask}, ""},
		"a folder":  {Guard{Path: "db/migrations/", Does: Say}, ""},
		"a pattern": {Guard{Path: "**/*.lock", Does: Ask}, ""},
		"needs": {Guard{Command: []string{"git", "push"}, Needs: []string{"make"}, Does: Say},
			""},
		"nothing":          {Guard{Does: Deny}, "guard"},
		"two":              {Guard{Tool: "Bash", Path: "x", Does: Deny}, "guard"},
		"no deed":          {Guard{Tool: "Bash"}, "guard.does"},
		"another deed":     {Guard{Tool: "Bash", Does: "allow"}, "guard.does"},
		"every tool":       {Guard{Tool: "*", Does: Deny}, "guard.tool"},
		"a program's path": {Guard{Command: []string{"/bin/sh"}, Does: Deny}, "guard.command"},
		"a line break":     {Guard{Command: []string{"a", "b\nc"}, Does: Deny}, "guard.command"},
		"an empty word":    {Guard{Command: []string{"a", ""}, Does: Deny}, "guard.command"},
		"many words": {Guard{Command: strings.Fields("a b c d e f g h i"), Does: Deny},
			"guard.command"},
		"needs no program":  {Guard{Tool: "Bash", Needs: []string{"-x"}, Does: Deny}, "guard.needs"},
		"every file":        {Guard{Path: "/**", Does: Deny}, "guard.path"},
		"outside":           {Guard{Path: "../x", Does: Deny}, "guard.path"},
		"a broken pattern":  {Guard{Path: "a/[", Does: Deny}, "guard.path"},
		"a long pattern":    {Guard{Path: strings.Repeat("a*", 101), Does: Deny}, "guard.path"},
		"hidden characters": {Guard{Path: "a\u200bb", Does: Deny}, "guard.path"},
	} {
		err := guarded(&c.guard).Validate()
		if (err == nil) != (c.wrong == "") || err != nil && !strings.HasPrefix(err.Error(), c.wrong+":") {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := guarded(&Guard{Tool: "WebFetch", Does: Ask}).Encode()
	for name, change := range map[string][2]string{
		"an unknown key": {`"does": "ask"`, `"does": "ask", "once": true`},
		"another shape":  {`"tool": "WebFetch"`, `"command": "npm"`},
		"an old schema":  {`"schema_version": "1.3"`, `"schema_version": "1.2"`},
	} {
		if broken := strings.Replace(string(b), change[0], change[1], 1); broken == string(b) {
			t.Errorf("%s changes nothing", name)
		} else if _, err := Decode([]byte(broken)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestGuardsMerge(t *testing.T) {
	was := guarded(nil)
	with := func(g *Guard, later bool) Record {
		r := guarded(g)
		if later {
			r.UpdatedAt = "2026-11-21T09:00:00Z"
		}
		return r
	}
	ask, deny, say := &Guard{Tool: "WebFetch", Does: Ask}, &Guard{Tool: "WebFetch", Does: Deny},
		&Guard{Tool: "WebSearch", Does: Ask}
	for name, c := range map[string]struct {
		was, ours, theirs Record
		want              *Guard
		said              bool // the merge says that it left the guard out
	}{
		"one side":        {was, with(ask, false), with(nil, true), ask, false},
		"the same":        {was, with(ask, false), with(ask, true), ask, false},
		"taken out":       {with(ask, false), with(nil, true), with(ask, false), nil, false},
		"a stricter":      {was, with(ask, true), with(deny, false), nil, true},
		"a later":         {was, with(ask, false), with(say, true), nil, true},
		"changed and out": {with(ask, false), with(deny, true), with(nil, false), nil, true},
	} {
		for _, turned := range []bool{false, true} {
			a, b := c.ours, c.theirs
			if turned {
				a, b = b, a
			}
			m, err := Merge(&c.was, a, b)
			same := m.Guard == c.want || m.Guard != nil && c.want != nil && m.Guard.Same(*c.want)
			if err != nil || len(m.Conflicts) > 0 || !same || m.Unguarded != c.said {
				t.Errorf("%s, turned %v: %+v %v, %v", name, turned, m.Guard, m.Unguarded, err)
			}
			if said := strings.Contains(string(m.Text()), "both sides of a merge"); said != c.said {
				t.Errorf("%s, turned %v: the file says so: %v", name, turned, said)
			}
		}
	}
}

func TestGuardIsRewritten(t *testing.T) {
	r := guarded(&Guard{Command: []string{"curl", "hunter2"}, Does: Deny})
	got := r.Rewrite(func(s string) string { return strings.ReplaceAll(s, "hunter2", "[x]") })
	if got.Guard == nil || got.Guard.Command[1] != "[x]" || r.Guard.Command[1] != "hunter2" {
		t.Errorf("%+v, %+v", got.Guard, r.Guard)
	}
	if got := r.Rewrite(func(string) string { return "" }); got.Guard != nil {
		t.Errorf("%+v is no guard", got.Guard)
	}
}
