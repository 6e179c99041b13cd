//go:build e2e

package e2e

import (
	"path/filepath"
	"slices"
	"testing"
)

// checkLoaded asserts that the plugin was loaded without errors, with its skills and its drafter.
func checkLoaded(t *testing.T, run Run) {
	t.Helper()
	start := run.Init()
	if errs := string(start.PluginErrors); errs != "" && errs != "null" && errs != "[]" {
		t.Errorf("plugin errors: %s", errs)
	}
	loaded := false
	for _, p := range start.Plugins {
		loaded = loaded || p.Name == "keepsake"
	}
	if !loaded {
		t.Errorf("keepsake is not among the plugins %v", start.Plugins)
	}
	for _, skill := range []string{"keepsake:save", "keepsake:recall"} {
		if !slices.Contains(start.Skills, skill) {
			t.Errorf("skill %s is not among %q", skill, start.Skills)
		}
	}
	if !slices.Contains(start.Agents, "keepsake:drafter") {
		t.Errorf("agent keepsake:drafter is not among %q", start.Agents)
	}
	for _, e := range run.Events {
		if e.Tag == "hook_no_verdict" {
			t.Errorf("a hook gave no usable answer: %s", e.Raw)
		}
	}
	if run.Code != 0 {
		t.Errorf("exit %d\n%s", run.Code, run.Stderr)
	}
}

// The client's own validator accepts the plugin and its marketplace.
func TestValidates(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		if run := l.Claude("plugin", "validate", l.Plugin); run.Code != 0 {
			t.Errorf("claude plugin validate: exit %d\n%s%s", run.Code, run.Stdout, run.Stderr)
		}
	})
}

// Marketplace add and install work offline, and the hooks run from there.
func TestInstallsFromMarketplace(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		dir := l.Plugin
		l.Plugin = "" // what follows loads the plugin only if it was installed
		for _, args := range [][]string{{"plugin", "marketplace", "add", dir},
			{"plugin", "install", "keepsake@keepsake"}} {
			if run := l.Claude(args...); run.Code != 0 {
				t.Fatalf("claude %q: exit %d\n%s%s", args, run.Code, run.Stdout, run.Stderr)
			}
		}
		l.rememberSession()
		palace, args := l.Palace()
		l.Model.Script("main", Match{}, Turn(func(*Request) Reply {
			return store("one").after(palace)
		}), Fixed(Say("Done.")))
		run := l.Headless("store one", append(args, "--allowedTools", addDrawer)...)
		checkLoaded(t, run)
		checkRefused(t, l, palace)
		if r := l.Model.Requests(); len(l.Model.Tails(sessionBrief)) == 0 {
			t.Errorf("no session brief in %d requests: the installed SessionStart hook did not run\n%s",
				len(r), l.Model.Digest())
		}
		if got := l.Files(filepath.Join(l.Home, ".claude", "plugins")); len(got) == 0 {
			t.Error("the client keeps no record of the installed plugin")
		}
	})
}
