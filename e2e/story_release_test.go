//go:build e2e

package e2e

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// aRelease makes a release for this platform, once for all stories, and returns its folder.
var aRelease = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "keepsake-release-")
	if err != nil {
		return "", err
	}
	releases = append(releases, dir)
	out := filepath.Join(dir, "dist")
	cmd := exec.Command("go", "run", "./scripts/dist", "-dirty", "-o", out, "-platforms",
		runtime.GOOS+"-"+runtime.GOARCH)
	cmd.Dir = ".."
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, said)
	}
	return out, nil
})

// releases are folders that TestMain removes.
var releases []string

func release(t *testing.T) string {
	t.Helper()
	dir, err := aRelease()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// plugin runs claude plugin and returns what it prints.
func (l *Lab) plugin(args ...string) string {
	l.t.Helper()
	run := l.Claude(append([]string{"plugin"}, args...)...)
	if run.Code != 0 {
		l.t.Fatalf("claude plugin %q: exit %d\n%s%s", args, run.Code, run.Stdout, run.Stderr)
	}
	return run.Stdout
}

// A release is installed from a folder and from npm. Its hooks run, its gate stops what it must, its programs
// are what was released, and when it is uninstalled the memories stay. TestUpdatesARelease installs from git.
func TestInstallsARelease(t *testing.T) {
	t.Parallel()
	for name, market := range map[string]func(*Lab, string) string{
		"folder": func(l *Lab, dist string) string {
			dir := filepath.Join(l.Root, "payload")
			l.copyTree(filepath.Join(dist, "payload"), dir)
			return dir
		},
		"npm": npmMarket,
	} {
		t.Run(name, func(t *testing.T) {
			eachClient(t, func(t *testing.T, c Client) {
				l := NewLab(t, c)
				l.install(market(l, release(t)))
				palace, args := l.Palace()
				l.Model.Script("main", Match{}, Turn(func(*Request) Reply {
					return store("one").after(palace)
				}), Fixed(Say("Done.")))
				run := l.Headless("store one", append(args, "--allowedTools", addDrawer)...)
				checkLoaded(t, run)
				checkRefused(t, l, palace)
				l.checkInstalled()
				l.checkUninstalled()
			})
		})
	}
}

// install installs what a marketplace offers, in a project that has a memory. What follows loads the plugin
// only if that worked.
func (l *Lab) install(market string) {
	l.t.Helper()
	l.Plugin = ""
	l.plugin("marketplace", "add", market)
	l.plugin("install", "keepsake@keepsake")
	l.rememberSession()
}

// checkInstalled checks that the hooks of an installed release ran, that its programs are what was released,
// and that its command can be put on the PATH.
func (l *Lab) checkInstalled() {
	l.t.Helper()
	if len(l.Model.Tails(sessionBrief)) == 0 {
		l.t.Errorf("the installed SessionStart hook did not run\n%s", l.Model.Digest())
	}
	l.selfCheck()
	l.link()
}

// checkUninstalled uninstalls the plugin and checks that the memories stay, and little else.
func (l *Lab) checkUninstalled() {
	l.t.Helper()
	memories := l.Files(l.memories("."))
	l.plugin("uninstall", "keepsake@keepsake")
	l.plugin("marketplace", "remove", "keepsake")
	l.unlinked()
	l.checkLeftovers()
	if after := l.Files(l.memories(".")); len(memories) == 0 || len(after) != len(memories) {
		l.t.Errorf("memories before %v, after %v", memories, after)
	}
	settings, _ := os.ReadFile(filepath.Join(l.Home, ".claude", "settings.json"))
	if strings.Contains(string(settings), "keepsake@keepsake\": true") {
		l.t.Errorf("the settings still enable it: %s", settings)
	}
}

// linked runs the command that keepsake link put on the PATH.
func (l *Lab) linked(args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(l.Home, ".local", "bin", "keepsake"), args...)
	cmd.Env, cmd.Dir = l.environ(), l.Project
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// link puts keepsake on the PATH, as a person does.
func (l *Lab) link() {
	l.t.Helper()
	said := l.AtTerminalOf(filepath.Join(l.installed(), "bin", "keepsake"), []string{"link"}, "y")
	if out, err := l.linked("dev", "version"); err != nil || !strings.HasPrefix(out, "keepsake 0.1.0") {
		l.t.Errorf("keepsake link said\n%s\nand what it wrote: %v\n%s", said, err, out)
	}
}

// unlinked checks that the command says what is the matter once the plugin is uninstalled, and removes it as
// it says.
func (l *Lab) unlinked() {
	l.t.Helper()
	command := filepath.Join(l.Home, ".local", "bin", "keepsake")
	out, err := l.linked("dev", "version")
	if err == nil || !strings.Contains(out, "the plugin is not installed any more") ||
		!strings.Contains(out, "rm '"+command+"' removes this command") {
		l.t.Errorf("after the uninstall the linked command: %v\n%s", err, out)
	}
	if err := os.Remove(command); err != nil {
		l.t.Error(err)
	}
}

// ours are the folders below HOME that README names as what stays.
var ours = []string{".local/share/keepsake/drawers/", ".local/state/keepsake/", ".cache/keepsake/",
	".claude/keepsake/", ".config/keepsake/"}

// checkLeftovers checks that of Keepsake nothing is below HOME but what README names: its own folders, the
// versions that the client keeps for a few days, which it has marked, and its cache of npm.
func (l *Lab) checkLeftovers() {
	l.t.Helper()
	const cache = ".claude/plugins/cache/keepsake/keepsake/"
	left := 0
	for _, file := range l.Files(l.Home) {
		if strings.HasPrefix(file, ".claude/projects/") || strings.HasPrefix(file, ".cache/claude") ||
			strings.HasPrefix(file, ".claude/plugins/npm-cache/") {
			continue // the client's transcripts and logs, by the name of the project; and its cache of npm
		}
		if slices.ContainsFunc(ours, func(dir string) bool { return strings.HasPrefix(file, dir) }) {
			left++
			continue
		}
		if rest, is := strings.CutPrefix(file, cache); is {
			version, _, _ := strings.Cut(rest, "/")
			if _, err := os.Stat(filepath.Join(l.Home, cache, version, ".orphaned_at")); err == nil {
				continue
			}
		}
		if strings.Contains(strings.ToLower(file), "keepsake") {
			l.t.Errorf("after the uninstall there is ~/%s, which README does not name", file)
		}
	}
	if left == 0 {
		l.t.Error("nothing is left of Keepsake: has this test gone blind?")
	}
}

// A release is installed from git. A new version of it is installed and taken back while a session is open;
// what the session runs are whole programs. Then all is as after any installation.
func TestUpdatesARelease(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		repo := l.gitRelease(release(t), "0.1.0", "0.2.0")
		l.Git(repo, "checkout", "-q", "v0.1.0")
		l.install(l.gitMarket(repo))
		palace, args := l.Palace()
		l.Model.Script("main", Match{}, Turn(func(*Request) Reply {
			// In the middle of a turn: the session goes on with the version that it began with.
			for _, version := range []string{"0.2.0", "0.1.0"} {
				l.Git(repo, "checkout", "-q", "v"+version)
				l.plugin("marketplace", "update", "keepsake")
				l.plugin("update", "keepsake@keepsake")
				if got := l.installed(); !strings.HasSuffix(got, version) {
					t.Errorf("after the update to %s, %s is installed", version, got)
				}
				// The programs are those of 0.1.0 in both, which self-check says of 0.2.0.
				if out, _ := l.runSelfCheck(); !strings.Contains(out, "programs as released") ||
					!strings.Contains(out, "ok    gate") {
					t.Errorf("self-check of %s:\n%s", version, out)
				}
			}
			return store("one").after(palace)
		}), Fixed(Say("Done.")))
		l.Headless("store one", append(args, "--allowedTools", addDrawer)...)
		checkRefused(t, l, palace)
		l.checkInstalled()
		l.checkUninstalled()
	})
}

// installed returns the folder that the client has the plugin in.
func (l *Lab) installed() string {
	l.t.Helper()
	var file struct {
		Plugins map[string][]struct{ InstallPath string }
	}
	b, err := os.ReadFile(filepath.Join(l.Home, ".claude", "plugins", "installed_plugins.json"))
	if err == nil {
		err = json.Unmarshal(b, &file)
	}
	entries := file.Plugins["keepsake@keepsake"]
	if err != nil || len(entries) != 1 {
		l.t.Fatalf("installed plugins: %v\n%s", err, b)
	}
	return entries[0].InstallPath
}

// selfCheck lets the installed program compare itself with the release.
func (l *Lab) selfCheck() {
	l.t.Helper()
	if out, err := l.runSelfCheck(); err != nil || !strings.Contains(out, "programs as released") {
		l.t.Errorf("self-check: %v\n%s", err, out)
	}
}

func (l *Lab) runSelfCheck() (string, error) {
	cmd := exec.Command(filepath.Join(l.installed(), "bin", "keepsake"), "self-check")
	cmd.Env, cmd.Dir = l.environ(), l.Project
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// gitRelease returns a repository with the payload of a release, one tag for each version.
func (l *Lab) gitRelease(dist string, versions ...string) string {
	l.t.Helper()
	repo := filepath.Join(l.Root, "releases")
	l.copyTree(filepath.Join(dist, "payload"), repo)
	l.Git(repo, "init", "-q", "-b", "main")
	// The programs are large: to compress them takes most of a minute for each clone.
	l.Git(repo, "config", "core.compression", "0")
	l.Git(repo, "config", "core.bigFileThreshold", "1m") // no deltas either
	for _, v := range versions {
		for _, name := range []string{"plugin.json", ".claude-plugin/plugin.json"} {
			path := filepath.Join(repo, name)
			b, err := os.ReadFile(path)
			if err != nil {
				l.t.Fatal(err)
			}
			if err := os.Remove(path); err != nil { // it may be a link to the release
				l.t.Fatal(err)
			}
			var manifest map[string]any
			if err := json.Unmarshal(b, &manifest); err != nil {
				l.t.Fatal(err)
			}
			manifest["version"] = v
			l.WriteJSON(path, manifest)
		}
		l.Git(repo, "add", "-A")
		l.Git(repo, "commit", "-q", "--allow-empty", "-m", v)
		l.Git(repo, "tag", "v"+v)
	}
	return repo
}

// gitMarket returns a marketplace that offers what is checked out in a repository.
func (l *Lab) gitMarket(repo string) string {
	dir := filepath.Join(l.Root, "market")
	l.WriteJSON(filepath.Join(dir, ".claude-plugin", "marketplace.json"), map[string]any{
		"name": "keepsake", "owner": map[string]any{"name": "x"}, "plugins": []any{map[string]any{
			"name": "keepsake", "source": map[string]any{"source": "url", "url": "file://" + repo}}}})
	return dir
}

// npmMarket serves the packages of a release from a registry on loopback and returns the marketplace that
// offers them.
func npmMarket(l *Lab, dist string) string {
	packages := filepath.Join(dist, "npm")
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, file, isFile := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/-/")
		if isFile {
			http.ServeFile(w, r, filepath.Join(packages, filepath.Base(file)))
			return
		}
		const version = "0.1.0"
		b, err := os.ReadFile(filepath.Join(packages, filepath.Base(name)+"-"+version+".tgz"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		digest := sha512.Sum512(b)
		json.NewEncoder(w).Encode(map[string]any{"name": name,
			"dist-tags": map[string]any{"latest": version},
			"versions": map[string]any{version: map[string]any{"name": name, "version": version,
				"_hasShrinkwrap": true,
				"dist": map[string]any{
					"tarball": server.URL + "/" + name + "/-/" + filepath.Base(name) + "-" + version +
						".tgz",
					"integrity": "sha512-" + base64.StdEncoding.EncodeToString(digest[:])}}}})
	}))
	l.t.Cleanup(server.Close)
	npm, err := exec.LookPath("npm")
	if err != nil {
		l.t.Fatal("npm is missing, with which e2e/install.sh brings the clients")
	}
	l.Env["PATH"] = filepath.Dir(npm) + ":" + systemPath()
	l.Env["npm_config_registry"] = server.URL + "/"
	return filepath.Join(dist, "marketplace")
}
