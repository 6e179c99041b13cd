// Package source says of the text of a project's file what a memory's check asks: which version of a module
// it requires, and whether it defines a name.
package source

import (
	"encoding/json"
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"golang.org/x/mod/modfile"

	"keepsake/pkg/text/version"
)

// Requirements are what a manifest requires.
type Requirements struct {
	// Lowest has for each name the lowest version that is allowed, "" if that can't be told.
	Lowest map[string]string
	// More says why the project may require more than the manifest names, "" if there is no reason.
	More string
}

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
	return Requirements{}, ErrNoManifest
}

// Of returns the version of a name, and whether it is required at all. Names of Python packages are compared
// as PyPI does, and others as people write them: "React" is react, where only one name reads so.
func (r Requirements) Of(file, name string) (version string, is bool) {
	if path.Base(file) == "pyproject.toml" {
		name = pythonName(name)
	}
	if version, is = r.Lowest[name]; is {
		return version, true
	}
	same := 0
	for as, v := range r.Lowest {
		if strings.EqualFold(as, name) {
			version, same = v, same+1
		}
	}
	if same != 1 {
		return "", false
	}
	return version, true
}

// goModules reads a go.mod: what it requires or replaces by another version, and as "go" the later one of its
// lines go and toolchain. A module whose place is taken by a folder or another module has no version.
func goModules(text []byte) (r Requirements, err error) {
	f, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		return r, err
	}
	r.Lowest = map[string]string{}
	for _, m := range f.Require {
		r.Lowest[m.Mod.Path] = m.Mod.Version
	}
	if f.Go != nil {
		r.Lowest["go"] = f.Go.Version
	}
	statement := func(words []string) {
		switch {
		case len(words) == 2 && words[0] == "toolchain":
			chain := strings.TrimPrefix(words[1], "go")
			if n, ok := version.Compare(chain, r.Lowest["go"]); ok && n > 0 {
				r.Lowest["go"] = chain
			}
		case len(words) > 3 && words[0] == "replace":
			r.replace(words[1:])
		}
	}
	// Parsed strictly, a directive of a newer Go would make the whole file unreadable.
	for _, s := range f.Syntax.Stmt {
		switch s := s.(type) {
		case *modfile.Line:
			statement(s.Token)
		case *modfile.LineBlock:
			for _, line := range s.Line {
				statement(slices.Concat(s.Token, line.Token))
			}
		}
	}
	return r, nil
}

// replace does what a replacement in a go.mod says: "path [version] => path [version]".
func (r Requirements) replace(words []string) {
	arrow := slices.Index(words, "=>")
	if arrow < 1 || arrow+1 >= len(words) {
		return
	}
	unquoted := func(s string) string { return strings.Trim(s, "\"`") }
	name, with := unquoted(words[0]), words[arrow+1:]
	required, is := r.Lowest[name]
	switch {
	case !is, arrow == 2 && unquoted(words[1]) != required:
	case len(with) == 2 && unquoted(with[0]) == name:
		r.Lowest[name] = unquoted(with[1])
	default:
		r.Lowest[name] = ""
	}
}

// nodePackages reads a package.json. What overrides says of a package counts for it.
func nodePackages(text []byte) (r Requirements, err error) {
	var m struct {
		Dependencies         map[string]string `json:"dependencies"`
		DevDependencies      map[string]string `json:"devDependencies"`
		PeerDependencies     map[string]string `json:"peerDependencies"`
		OptionalDependencies map[string]string `json:"optionalDependencies"`
		Engines              map[string]any    `json:"engines"`
		Overrides            map[string]any    `json:"overrides"`
		Resolutions          map[string]any    `json:"resolutions"`
		PNPM                 struct {
			Overrides map[string]any `json:"overrides"`
		} `json:"pnpm"`
		Workspaces any `json:"workspaces"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return r, err
	}
	r.Lowest = map[string]string{}
	for _, some := range []map[string]string{m.PeerDependencies, m.OptionalDependencies, m.DevDependencies,
		m.Dependencies} {
		for name, spec := range some {
			r.Lowest[name] = lowest(spec)
		}
	}
	for name, v := range m.Engines {
		spec, _ := v.(string)
		r.Lowest[name] = lowest(spec)
	}
	for _, some := range []map[string]any{m.Overrides, m.Resolutions, m.PNPM.Overrides} {
		for name, v := range some {
			spec, _ := v.(string)
			if strings.HasPrefix(spec, "$") {
				continue // that is what it requires itself
			}
			if _, is := r.Lowest[name]; is {
				r.Lowest[name] = lowest(spec)
			}
		}
	}
	if m.Workspaces != nil {
		r.More = "it has workspaces"
	}
	return r, nil
}

// pythonPackages reads a pyproject.toml: the standard's tables, and those of Poetry, PDM, Hatch, Flit and uv.
func pythonPackages(text []byte) (r Requirements, err error) {
	type table = map[string]any
	var m struct {
		Build struct {
			Requires any `toml:"requires"`
		} `toml:"build-system"`
		Project struct {
			RequiresPython       string `toml:"requires-python"`
			Dependencies         any    `toml:"dependencies"`
			OptionalDependencies table  `toml:"optional-dependencies"`
			Dynamic              any    `toml:"dynamic"`
		} `toml:"project"`
		Groups table `toml:"dependency-groups"`
		Tool   struct {
			Poetry struct {
				Dependencies    table `toml:"dependencies"`
				DevDependencies table `toml:"dev-dependencies"`
				Group           map[string]struct {
					Dependencies table `toml:"dependencies"`
				} `toml:"group"`
			} `toml:"poetry"`
			PDM struct {
				DevDependencies table `toml:"dev-dependencies"`
			} `toml:"pdm"`
			Hatch struct {
				Envs map[string]struct {
					Dependencies      any `toml:"dependencies"`
					ExtraDependencies any `toml:"extra-dependencies"`
				} `toml:"envs"`
			} `toml:"hatch"`
			Flit struct {
				Metadata struct {
					Requires any `toml:"requires"`
				} `toml:"metadata"`
			} `toml:"flit"`
			UV struct {
				DevDependencies any   `toml:"dev-dependencies"`
				Workspace       table `toml:"workspace"`
			} `toml:"uv"`
		} `toml:"tool"`
	}
	if err := toml.Unmarshal(text, &m); err != nil {
		return r, err
	}
	r.Lowest = map[string]string{}
	list := func(v any) { // of PEP 508
		all, _ := v.([]any)
		for _, v := range all {
			s, _ := v.(string) // else it includes another group
			if name, spec := pythonLine(s); name != "" {
				r.Lowest[pythonName(name)] = lowest(spec)
			}
		}
	}
	lists := func(some table) {
		for _, v := range some {
			list(v)
		}
	}
	poetry := func(some table) {
		for name, v := range some {
			spec, _ := v.(string)
			if t, ok := v.(table); ok {
				spec, _ = t["version"].(string)
			}
			r.Lowest[pythonName(name)] = lowest(spec)
		}
	}
	list(m.Build.Requires)
	for _, env := range m.Tool.Hatch.Envs {
		list(env.Dependencies)
		list(env.ExtraDependencies)
	}
	list(m.Tool.UV.DevDependencies)
	lists(m.Tool.PDM.DevDependencies)
	lists(m.Groups)
	for _, g := range m.Tool.Poetry.Group {
		poetry(g.Dependencies)
	}
	poetry(m.Tool.Poetry.DevDependencies)
	poetry(m.Tool.Poetry.Dependencies)
	list(m.Tool.Flit.Metadata.Requires)
	lists(m.Project.OptionalDependencies)
	list(m.Project.Dependencies)
	if m.Project.RequiresPython != "" {
		r.Lowest["python"] = lowest(m.Project.RequiresPython)
	}
	dynamic, _ := m.Project.Dynamic.([]any)
	switch {
	case slices.Contains(dynamic, any("dependencies")),
		slices.Contains(dynamic, any("optional-dependencies")):
		r.More = "its dependencies are dynamic"
	case m.Tool.UV.Workspace != nil:
		r.More = "it has a workspace"
	}
	return r, nil
}

// pythonLine returns the name in a requirement of PEP 508, and which versions it allows.
func pythonLine(s string) (name, spec string) {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ";")
	i := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' ||
			r == '-' || r == '_' || r == '.')
	})
	if i < 0 {
		i = len(s)
	}
	spec = strings.TrimSpace(s[i:])
	if strings.HasPrefix(spec, "[") {
		_, spec, _ = strings.Cut(spec, "]")
	}
	if spec = strings.Trim(spec, " ()"); strings.HasPrefix(spec, "@") {
		spec = "" // an address
	}
	return s[:i], spec
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
		if n, ok := version.Compare(low, best); best == "" || ok && n < 0 {
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
	spec, _, _ = strings.Cut(spec, " - ") // npm's range from one to another
	if _, rest, is := strings.Cut(spec, ":"); is && !strings.Contains(spec, "/") {
		// workspace:^1.2, npm:a@1
		spec = rest[strings.LastIndex(rest, "@")+1:]
	}
	best := ""
	for _, part := range specParts().FindAllString(spec, 50) {
		i := strings.IndexFunc(part, func(r rune) bool { return !strings.ContainsRune("<>=~^! ", r) })
		switch op, v := strings.TrimSpace(part[:i]), trimWild(part[i:]); op {
		case "", "=", "==", "===", ">=", ">", "^", "~", "~=", "~>":
			if n, ok := version.Compare(v, best); version.Valid(v) && (best == "" || ok && n > 0) {
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

// Names returns the names, in order.
func (r Requirements) Names() []string { return slices.Sorted(maps.Keys(r.Lowest)) }
