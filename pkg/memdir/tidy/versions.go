package tidy

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// A Version is the version of a tool in a file of the project.
type Version struct{ Tool, Version, At string }

// Files returns the names of the project's files that list its versions, targets and scripts.
func Files() []string {
	return []string{
		"go.mod", "package.json", "pyproject.toml", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml",
		".tool-versions", ".nvmrc", ".node-version", ".python-version", ".ruby-version", ".go-version",
		"Dockerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml", "Makefile",
		"makefile", "GNUmakefile",
	}
}

var (
	goLine     = late(`^go (\d\S*)`)
	goRequire  = late(`^\s*(?:require )?(\S+\.\S+/\S+) v(\d\S*)`)
	image      = late(`(?i)^\s*(?:image:|from|- image:)\s*["']?(?:\S*/)?([a-z][\w.-]*):v?(\d[\d.]*)`)
	quotedPair = late(`^\s*"?([\w.@/-]+)"?\s*=\s*(?:\{\s*version\s*=\s*)?"[\^~>=<v ]*(\d[\d.]*)`)
	listed3    = late(`^\s*"([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*[~>=<!^]=?\s*(\d[\d.]*)`)
	loose      = late(`^[\^~>=<v ]*(\d[\d.]*)`)
	target     = late(`^([A-Za-z0-9_./-]+(?: [A-Za-z0-9_./-]+)*)\s*::?(?:[^=]|$)`)
	phony      = late(`^\.PHONY\s*:(.*)`)
)

// Read adds what a file of the project says. name is one of Files.
func (r *Repo) Read(name string, b []byte) {
	switch name {
	case "package.json":
		r.packages(b)
		return
	case "Makefile", "makefile", "GNUmakefile":
		r.makefile(b)
		return
	case ".nvmrc", ".node-version":
		r.only("node", name, b)
		return
	case ".python-version", ".ruby-version", ".go-version":
		r.only(strings.TrimSuffix(strings.TrimPrefix(name, "."), "-version"), name, b)
		return
	case "rust-toolchain":
		r.only("rust", name, b)
		return
	}
	for i, l := range strings.Split(string(b), "\n") {
		at := fmt.Sprintf("%s:%d", name, i+1)
		add := func(tool, version string) {
			if version = strings.Trim(version, "."); version != "" {
				r.Versions = append(r.Versions, Version{toolOf(strings.ToLower(tool)), version, at})
			}
		}
		switch name {
		case "go.mod":
			if m := goLine().FindStringSubmatch(l); m != nil {
				add("go", m[1])
			} else if m := goRequire().FindStringSubmatch(l); m != nil {
				tool := path.Base(m[1])
				if strings.Trim(tool, "v0123456789") == "" {
					tool = path.Base(path.Dir(m[1]))
				}
				add(tool, numeric(m[2]))
			}
		case ".tool-versions":
			if f := strings.Fields(l); len(f) > 1 {
				add(f[0], numeric(strings.TrimPrefix(f[1], "v")))
			}
		case "pyproject.toml", "Cargo.toml", "rust-toolchain.toml":
			if m := quotedPair().FindStringSubmatch(l); m != nil {
				switch m[1] {
				case "version": // of the project itself
				case "requires-python", "python":
					add("python", m[2])
				case "rust-version", "channel":
					add("rust", m[2])
				default:
					add(m[1], m[2])
				}
			} else if m := listed3().FindStringSubmatch(l); m != nil {
				add(m[1], m[2])
			}
		default: // images
			if m := image().FindStringSubmatch(l); m != nil {
				add(m[1], m[2])
			}
		}
	}
}

// numeric returns a version up to the end of its numbers.
func numeric(v string) string {
	end := 0
	for end < len(v) && (v[end] == '.' || v[end] >= '0' && v[end] <= '9') {
		end++
	}
	return v[:end]
}

func (r *Repo) only(tool, name string, b []byte) {
	line, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	if m := loose().FindStringSubmatch(line); m != nil {
		r.Versions = append(r.Versions, Version{tool, strings.Trim(m[1], "."), name})
	}
}

func (r *Repo) packages(b []byte) {
	var p struct {
		Scripts                                map[string]string
		Engines, Dependencies, DevDependencies map[string]string
	}
	if json.Unmarshal(b, &p) != nil {
		return
	}
	if r.Scripts == nil {
		r.Scripts = map[string]bool{}
	}
	for name := range p.Scripts {
		r.Scripts[name] = true
	}
	for _, all := range [...]map[string]string{p.Engines, p.Dependencies, p.DevDependencies} {
		for _, tool := range slices.Sorted(maps.Keys(all)) {
			if m := loose().FindStringSubmatch(all[tool]); m != nil {
				r.Versions = append(r.Versions,
					Version{toolOf(strings.ToLower(path.Base(tool))), strings.Trim(m[1], "."),
						"package.json"})
			}
		}
	}
}

func (r *Repo) makefile(b []byte) {
	if r.Targets == nil {
		r.Targets = map[string]bool{}
	}
	for l := range strings.Lines(string(b)) {
		l = strings.TrimRight(l, "\r\n")
		if m := phony().FindStringSubmatch(l); m != nil {
			for name := range strings.FieldsSeq(m[1]) {
				r.Targets[name] = true
			}
		} else if m := target().FindStringSubmatch(l); m != nil {
			for name := range strings.FieldsSeq(m[1]) {
				r.Targets[name] = true
			}
		}
		if strings.HasPrefix(l, "include ") || strings.Contains(l, "%:") {
			r.Targets = nil // targets that are not to be seen from here
			return
		}
	}
}
