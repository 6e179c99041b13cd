// Package source says of the text of a project's file what a memory's check asks: which version of a module
// it requires, and whether it defines a name.
package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// Requirements are what a manifest requires: names, and for each the lowest version that it allows, "" if it
// says none.
type Requirements map[string]string

// ErrNoManifest is the error for a file that is none of those that are read.
var ErrNoManifest = errors.New("is no go.mod, package.json or pyproject.toml")

// RequirementsOf returns what the text of a go.mod, a package.json or a pyproject.toml requires. Beside
// modules these are "go" in a go.mod, what stands in engines in a package.json, and "python" in a
// pyproject.toml.
func RequirementsOf(file string, text []byte) (Requirements, error) {
	switch path.Base(file) {
	case "go.mod":
		return goModules(text)
	case "package.json":
		return nodePackages(text)
	case "pyproject.toml":
		return pythonPackages(text)
	}
	return nil, ErrNoManifest
}

// Of returns the version of a name, and whether it is required at all. Names of Python packages are compared
// as PyPI does.
func (r Requirements) Of(file, name string) (version string, is bool) {
	if path.Base(file) == "pyproject.toml" {
		name = pythonName(name)
	}
	version, is = r[name]
	return version, is
}

func goModules(text []byte) (Requirements, error) {
	f, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	all := Requirements{}
	for _, r := range f.Require {
		all[r.Mod.Path] = r.Mod.Version
	}
	if f.Go != nil {
		all["go"] = f.Go.Version
	}
	return all, nil
}

func nodePackages(text []byte) (Requirements, error) {
	var m struct {
		Dependencies         map[string]string `json:"dependencies"`
		DevDependencies      map[string]string `json:"devDependencies"`
		PeerDependencies     map[string]string `json:"peerDependencies"`
		OptionalDependencies map[string]string `json:"optionalDependencies"`
		Engines              map[string]string `json:"engines"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	all := Requirements{}
	for _, some := range []map[string]string{m.PeerDependencies, m.OptionalDependencies, m.DevDependencies,
		m.Dependencies, m.Engines} {
		for name, spec := range some {
			all[name] = lowest(spec)
		}
	}
	return all, nil
}

func pythonPackages(text []byte) (Requirements, error) {
	var m struct {
		Project struct {
			RequiresPython       string              `toml:"requires-python"`
			Dependencies         []string            `toml:"dependencies"`
			OptionalDependencies map[string][]string `toml:"optional-dependencies"`
		} `toml:"project"`
		Groups map[string][]any `toml:"dependency-groups"`
		Tool   struct {
			Poetry struct {
				Dependencies map[string]any `toml:"dependencies"`
				Group        map[string]struct {
					Dependencies map[string]any `toml:"dependencies"`
				} `toml:"group"`
			} `toml:"poetry"`
		} `toml:"tool"`
	}
	if err := toml.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	all := Requirements{}
	add := func(name, spec string) { all[pythonName(name)] = lowest(spec) }
	line := func(s string) { // PEP 508
		s, _, _ = strings.Cut(s, ";")
		i := strings.IndexFunc(s, func(r rune) bool {
			return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' ||
				r == '-' || r == '_' || r == '.')
		})
		if i < 0 {
			i = len(s)
		}
		spec := strings.TrimSpace(s[i:])
		if strings.HasPrefix(spec, "[") {
			_, spec, _ = strings.Cut(spec, "]")
		}
		if name := s[:i]; name != "" {
			add(name, strings.Trim(spec, " ()"))
		}
	}
	poetry := func(some map[string]any) {
		for name, v := range some {
			spec, _ := v.(string)
			if table, ok := v.(map[string]any); ok {
				spec, _ = table["version"].(string)
			}
			add(name, spec)
		}
	}
	for _, g := range m.Groups {
		for _, v := range g {
			if s, ok := v.(string); ok {
				line(s)
			}
		}
	}
	for _, g := range m.Tool.Poetry.Group {
		poetry(g.Dependencies)
	}
	poetry(m.Tool.Poetry.Dependencies)
	for _, list := range m.Project.OptionalDependencies {
		for _, s := range list {
			line(s)
		}
	}
	for _, s := range m.Project.Dependencies {
		line(s)
	}
	if m.Project.RequiresPython != "" {
		add("python", m.Project.RequiresPython)
	}
	return all, nil
}

// pythonName returns the name of a Python package as PyPI compares it (PEP 503).
func pythonName(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == '-' || r == '_' || r == '.'
	}), "-")
}

// lowest returns the lowest version that a range of npm, PyPI or Poetry allows, "" if it says none.
func lowest(spec string) string {
	best := ""
	for _, one := range strings.Split(spec, "||") {
		low := lowestOfAll(one)
		if low == "" {
			return ""
		}
		if n, ok := Compare(low, best); best == "" || ok && n < 0 {
			best = low
		}
	}
	return best
}

// specParts matches the parts of a version specification: ">=1.2", "~=1.4".
var specParts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[<>=~^!]*\s*[^\s,<>=~^!]+`)
})

// lowestOfAll is lowest for comparators that all must hold.
func lowestOfAll(spec string) string {
	spec, _, _ = strings.Cut(spec,
		" - ") // npm's range from one to another
	if _, version, is := strings.Cut(spec, ":"); is && !strings.Contains(spec,
		"/") { // workspace:^1.2, npm:a@1
		spec = version[strings.LastIndex(version, "@")+1:]
	}
	best := ""
	for _, part := range specParts().FindAllString(spec, 50) {
		i := strings.IndexFunc(part, func(r rune) bool { return !strings.ContainsRune("<>=~^! ", r) })
		switch op, v := strings.TrimSpace(part[:i]), trimWild(part[i:]); op {
		case "", "=", "==", "===", ">=", ">", "^", "~", "~=", "~>":
			if n, ok := Compare(v, best); IsVersion(v) && (best == "" || ok && n > 0) {
				best = v
			}
		}
	}
	return best
}

// trimWild returns a version without the parts that stand for any: "1.x" becomes "1".
func trimWild(v string) string {
	parts := strings.Split(v, ".")
	for i, p := range parts {
		if p == "x" || p == "X" || p == "*" {
			return strings.Join(parts[:i], ".")
		}
	}
	return v
}

// IsVersion reports whether Compare can read a text as a version.
func IsVersion(v string) bool { _, _, ok := numbers(v); return ok }

// Compare compares two versions of one to four numbers, with or without a v before them. What stands behind a
// hyphen makes it an earlier one, as in semantic versions. ok is false if one of them can't be read.
func Compare(a, b string) (n int, ok bool) {
	x, preA, okA := numbers(a)
	y, preB, okB := numbers(b)
	if !okA || !okB {
		return 0, false
	}
	if n := slices.Compare(x[:], y[:]); n != 0 {
		return n, true
	}
	return semver.Compare("v1.0.0"+preA, "v1.0.0"+preB), true
}

// numbers returns the numbers of a version, and what stands behind a hyphen, with it.
func numbers(v string) (n [4]int, pre string, ok bool) {
	v, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(v), "v"), "+")
	core, rest, has := strings.Cut(v, "-")
	if has {
		if pre = "-" + rest; !semver.IsValid("v1.0.0" + pre) {
			return n, "", false
		}
	}
	parts := strings.Split(core, ".")
	if len(parts) > len(n) {
		return n, "", false
	}
	for i, p := range parts {
		m, err := strconv.Atoi(p)
		if err != nil || m < 0 || p[0] == '+' {
			return n, "", false
		}
		n[i] = m
	}
	return n, pre, true
}

// NextMajor returns the version from which on another API may be expected: the next major version, or before
// 1.0 the next minor one. It is "" for a text that is no version.
func NextMajor(v string) string {
	n, _, ok := numbers(v)
	switch {
	case !ok:
		return ""
	case n[0] == 0:
		return fmt.Sprintf("0.%d", n[1]+1)
	}
	return strconv.Itoa(n[0] + 1)
}

// Names returns the names, in order.
func (r Requirements) Names() []string { return slices.Sorted(maps.Keys(r)) }
