package tidy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// A Repo is the known facts of the project that memories are about. The zero Repo has none, so nothing
// contradicts it.
type Repo struct {
	// Has reports whether a file or folder is below the project's folder. A memory may name it by the end
	// of its path only.
	Has      func(path string) bool
	Versions []Version
	Targets  map[string]bool // of the Makefile; nil without one
	Scripts  map[string]bool // of package.json; nil without one
}

// against returns what in the repository contradicts a statement, "" for nothing.
func (r Repo) against(s Statement) string {
	var why []string
	for _, p := range pathsIn(s.Text) {
		if r.Has != nil && !r.Has(p.path) && (p.sure || r.Has(first(p.path))) {
			why = append(why, p.path+" isn't there")
		}
	}
	for _, c := range commandsIn(s.Text) {
		known := r.Targets
		if c.in == "package.json" {
			known = r.Scripts
		}
		if known != nil && !known[c.name] {
			why = append(why, fmt.Sprintf("%s has no %s", c.in, c.name))
		}
	}
	why = append(why, r.versions(s.Text)...)
	slices.Sort(why)
	return strings.Join(slices.Compact(why), "; ")
}

func first(p string) string {
	dir, _, _ := strings.Cut(p, "/")
	return dir
}

type pathIn struct {
	path string
	sure bool // it has the ending of a file: nothing else looks like that
}

// maxPaths bounds the paths of one statement.
const maxPaths = 8

var fileLike = late(`^[\w@+-][\w@.+-]*(/[\w@.+-]+)+$`)

// pathsIn returns the paths of files that a text names. A path has a slash. It also has an ending, or is in
// a code span.
func pathsIn(text string) (out []pathIn) {
	code := false
	for i, span := range strings.Split(text, "`") {
		code = i%2 == 1
		for w := range strings.FieldsSeq(span) {
			w = strings.Trim(w, ",;:()[]{}\"'*!?<>")
			w = strings.TrimRight(w, ".")
			if strings.Contains(w, "://") || strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~") ||
				strings.HasPrefix(w, "@") || strings.HasPrefix(w, "www.") {
				continue
			}
			w, _, _ = strings.Cut(w, ":") // a line
			w, _, _ = strings.Cut(w, "#")
			w = strings.TrimSuffix(strings.TrimPrefix(w, "./"), "/...")
			w = strings.TrimSuffix(w, "/")
			if !fileLike().MatchString(w) || strings.Contains(w, "..") || strings.Contains(w, "YYYY") ||
				len(w) > 200 {
				continue
			}
			ext := path.Ext(w)
			sure := len(ext) > 1 && len(ext) <= 6 && strings.Trim(ext[1:], "0123456789") != "" &&
				!host(first(w))
			if (sure || code) && len(out) < maxPaths {
				out = append(out, pathIn{w, sure})
			}
		}
	}
	return out
}

// host reports whether the first part of a path names a site, as in github.com/owner/name.
func host(s string) bool {
	return strings.Contains(strings.TrimLeft(s, "."), ".")
}

type commandIn struct{ in, name string }

var (
	makes = late(`^make ((?:[\w.-]+=\S+ )*)([A-Za-z][\w.-]*)`)
	runs  = late(`^(?:npm run|npm run-script|pnpm run|yarn run|bun run) ([\w:.-]+)`)
)

// commandsIn returns the targets and scripts that a text names in code spans.
func commandsIn(said string) (out []commandIn) {
	for i, span := range strings.Split(said, "`") {
		if i%2 == 0 {
			continue
		}
		for part := range strings.SplitSeq(strings.ReplaceAll(span, "&&", ";"), ";") {
			part = text.OneLine(part)
			if m := makes().FindStringSubmatch(part); m != nil {
				out = append(out, commandIn{"Makefile", m[2]})
			}
			if m := runs().FindStringSubmatch(part); m != nil {
				out = append(out, commandIn{"package.json", m[1]})
			}
		}
	}
	return out
}

// versions returns where the versions that a text names differ from those of the project. If the project
// has several versions of a tool, one that agrees is enough.
func (r Repo) versions(text string) (why []string) {
	words := strings.Fields(strings.ToLower(strings.Map(func(c rune) rune {
		if strings.ContainsRune("`*_,;()[]\"'=@|", c) {
			return ' '
		}
		return c
	}, text)))
	for i := 1; i < len(words); i++ {
		v, ok := versionOf(words[i])
		if !ok {
			continue
		}
		name := words[i-1]
		if (name == "version" || name == "v") && i > 1 {
			name = words[i-2]
		}
		name = toolOf(strings.Trim(name, ":."))
		var others []string
		holds := false
		for _, has := range r.Versions {
			if has.Tool != name {
				continue
			}
			if agree(v, has.Version) {
				holds = true
			} else {
				others = append(others, has.At+" says "+has.Version)
			}
		}
		if !holds && len(others) > 0 {
			why = append(why, fmt.Sprintf("%s %s: %s", name, v, others[0]))
		}
	}
	return why
}

// versionOf reads 14, v1.25.3, 3.12+ and 18.x as versions.
func versionOf(w string) (string, bool) {
	w = strings.TrimPrefix(strings.TrimRight(w, ".:+!?"), "v")
	w = strings.TrimSuffix(strings.TrimSuffix(w, ".x"), ".*")
	if w == "" || w[0] < '0' || w[0] > '9' || strings.Trim(w, "0123456789.") != "" ||
		strings.Count(w, ".") > 3 {
		return "", false
	}
	return w, true
}

// agree reports whether two versions are the same, or one is the beginning of the other.
func agree(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	n := min(len(x), len(y))
	return slices.Equal(x[:n], y[:n])
}

// toolOf returns the one name of a tool that has several.
func toolOf(name string) string {
	switch name {
	case "postgresql", "pg":
		return "postgres"
	case "nodejs", "node.js":
		return "node"
	case "golang":
		return "go"
	case "python3", "cpython":
		return "python"
	case "reactjs", "react.js":
		return "react"
	case "next.js", "nextjs":
		return "next"
	case "vue.js", "vuejs":
		return "vue"
	}
	return name
}
