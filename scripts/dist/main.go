// Dist makes a release: the plugin without its sources, with programs for each platform. It writes
//
//   - payload/, the plugin with the programs of all platforms: what a git repository of releases holds,
//   - keepsake-VERSION-OS-ARCH.tar.gz, the same with the programs of one platform,
//   - npm/, the plugin and the programs of each platform as packages of npm,
//   - marketplace/, a marketplace that offers the plugin by npm (that in payload offers it by git),
//   - SHA256SUMS of all archives.
//
// The same commit gives the same bytes wherever it is built; -verify builds one platform twice, in two
// places and without a shared cache, and compares. It is run by `make dist` and fetches nothing but modules.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A platform is one that programs are made for.
type platform struct{ os, arch string }

// String returns the name that folders and packages have.
func (p platform) String() string { return p.os + "-" + p.arch }

// platforms are what platform.sh tells apart.
var platforms = []platform{{"darwin", "amd64"}, {"darwin", "arm64"}, {"linux", "amd64"}, {"linux", "arm64"}}

func main() {
	out := flag.String("o", "dist", "folder that is written; it must not exist")
	only := flag.String("platforms", "", "comma-separated, such as linux-amd64; empty means all")
	dirty := flag.Bool("dirty", false, "allow changes that are not committed: no build for others")
	verify := flag.Bool("verify", false, "build the platforms twice from HEAD, compare, and write nothing")
	flag.Parse()
	wanted, err := parsePlatforms(*only)
	if err == nil && *verify {
		err = buildTwice(wanted)
	} else if err == nil {
		err = release(".", *out, wanted, *dirty)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func parsePlatforms(names string) (wanted []platform, err error) {
	if names == "" {
		return platforms, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("no platform %q: %v", name, platforms)
		}
		wanted = append(wanted, platforms[i])
	}
	return wanted, nil
}

// A source is a checkout that a release is made from.
type source struct {
	root    string
	dirty   bool      // it may hold what is not committed
	version string    // of plugin.json
	commit  string    // the whole hash
	at      time.Time // of the commit: the time of every file
}

func openSource(root string, dirty bool) (s source, err error) {
	s.root, s.dirty = root, dirty
	if s.version, err = versionOf(root); err != nil {
		return s, err
	}
	line, err := output(root, nil, "git", "log", "-1", "--format=%H %cI")
	if err != nil {
		return s, err
	}
	hash, at, _ := strings.Cut(strings.TrimSpace(line), " ")
	s.commit = hash
	if s.at, err = time.Parse(time.RFC3339, at); err != nil {
		return s, err
	}
	s.at = s.at.UTC()
	changed, err := output(root, nil, "git", "status", "--porcelain")
	if err != nil {
		return s, err
	}
	if changed != "" && !dirty {
		return s, fmt.Errorf("not everything is committed:\n%shint: commit, or use -dirty to try", changed)
	}
	return s, nil
}

// compression is the level that archives have. A build for nobody else need not be small: the best one takes
// four times as long.
func (s source) compression() int {
	if s.dirty {
		return gzip.BestSpeed
	}
	return gzip.BestCompression
}

func versionOf(root string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, "plugin.json"))
	if err != nil {
		return "", err
	}
	var manifest struct{ Version string }
	if err := json.Unmarshal(b, &manifest); err != nil {
		return "", err
	}
	if manifest.Version == "" {
		return "", errors.New("plugin.json has no version")
	}
	return manifest.Version, nil
}

// release makes a release of the checkout at root.
func release(root, out string, wanted []platform, dirty bool) error {
	if _, err := os.Stat(out); err == nil {
		return fmt.Errorf("%s is there already; hint: remove it first", out)
	}
	s, err := openSource(root, dirty)
	if err != nil {
		return err
	}
	out, err = filepath.Abs(out)
	if err != nil {
		return err
	}
	payload := filepath.Join(out, "payload")
	if err := s.copyPlugin(payload); err != nil {
		return err
	}
	for _, p := range wanted {
		if err := s.buildPrograms(p, filepath.Join(payload, "bin", p.String())); err != nil {
			return err
		}
	}
	if err := s.writeDependencies(payload, wanted); err != nil {
		return err
	}
	if err := s.writePackages(payload, out, wanted); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(out, "*.tar.gz"))
	if err != nil {
		return err
	}
	packages, err := filepath.Glob(filepath.Join(out, "npm", "*.tgz"))
	if err != nil {
		return err
	}
	return writeSums(out, append(archives, packages...))
}

// Which files of the checkout are part of the plugin, and which folders with all that is committed in them.
var (
	pluginFiles   = []string{".claude-plugin/plugin.json", "plugin.json", "hooks/hooks.json", "LICENSE"}
	pluginFolders = []string{"skills", "agents", "assets"}
)

// copyPlugin copies all of the plugin but the programs.
func (s source) copyPlugin(to string) error {
	listed, err := output(s.root, nil, "git", append([]string{"ls-files", "-z", "--"}, pluginFolders...)...)
	if err != nil {
		return err
	}
	files := slices.Concat(pluginFiles, strings.Split(strings.TrimSuffix(listed, "\x00"), "\x00"))
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(to, name), b, 0o644); err != nil {
			return err
		}
	}
	for name, text := range launchers() {
		if err := writeFile(filepath.Join(to, "bin", name), text, 0o755); err != nil {
			return err
		}
	}
	market, err := s.marketplace(nil)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(to, marketplaceName), market, 0o644); err != nil {
		return err
	}
	return writeFile(filepath.Join(to, "README.md"), s.readme(), 0o644)
}

// The programs: below bin what of cmd, of hooks and of cmd again is built.
var programs = []struct {
	folder   string
	packages []string
}{
	{"", []string{"./cmd/keepsake"}},
	{"hooks", []string{"./hooks/..."}},
	{"libexec", []string{"./cmd/palace", "./cmd/mempalace", "./cmd/parsers", "./cmd/tui"}},
}

// sums is the name of the file with the digests of what lies beside it and below.
const sums = "SHA256SUMS"

// buildPrograms builds the programs for a platform, as make build does, and writes their digests.
func (s source) buildPrograms(p platform, to string) error {
	env := append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOFLAGS=-trimpath",
		"GOAMD64=v1", "GOARM64=v8.0", "GOTOOLCHAIN=local", "GOEXPERIMENT=", "GOWORK=off")
	for _, group := range programs {
		dir := filepath.Join(to, group.folder)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		args := append([]string{"build", "-buildvcs=true",
			"-ldflags=-s -w -X keepsake/pkg/layout.version=" + s.version,
			"-o", dir + string(filepath.Separator)}, group.packages...)
		if _, err := output(s.root, env, "go", args...); err != nil {
			return err
		}
	}
	files, err := filesBelow(to)
	if err != nil {
		return err
	}
	for _, f := range files { // whatever the umask is
		if err := os.Chmod(f, 0o755); err != nil {
			return err
		}
	}
	return writeSums(to, files)
}

// filesBelow returns the files in a folder and below, sorted.
func filesBelow(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	slices.Sort(files)
	return files, err
}

func writeFile(path string, b []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, b, mode); err != nil {
		return err
	}
	return os.Chmod(path, mode) // whatever the umask is
}

// output runs a program in a folder and returns what it prints.
func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.Bytes())
	}
	return string(out), nil
}
