package shell

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// findCommand judges find with its actions.
func (s *shell) findCommand(f []string) {
	var start []string
	i := 1
	for ; i < len(f) && (f[i] == "" || f[i][0] != '-' && f[i] != "(" && f[i] != "!"); i++ {
		start = append(start, f[i])
	}
	if len(start) == 0 {
		start = []string{"."}
	}
	for _, p := range start {
		if base := path.Base(p); strings.EqualFold(base, ".claude") && s.swallows(p, s.cwd) != 0 {
			start = append(start, p+"/memory")
		}
	}
	given, tests := start, i
	// the one file it can mean, once looked for
	only, sure := "", false
	seeks := palace.IsNamed(strings.Join(f[tests:], " ")) && // -path '*mempalace*'
		!slices.ContainsFunc(f[tests:], func(a string) bool { return listed(a, "-prune ! -not") })
	start = append(start[:len(start):len(start)], soughtZones(f[i:])...)
	for _, p := range start[:min(len(start), 64)] { // what it prints
		s.saw.zones |= s.foundTranscripts(p, f)
	}
	for ; i < len(f); i++ {
		switch f[i] {
		case "-delete":
			for _, p := range start {
				s.call.Watch.Changed(s.absolute(p, s.cwd))
				if seeks && s.swallows(p, s.cwd)&inPalace != 0 {
					s.addFinding(rules.RuleUndecided, commandText(f))
				}
				s.findWrite(s.zoneOf(p, s.cwd)|s.narrowed(p, f)|s.foundTranscripts(p, f), f)
				if finds(f, ".md") {
					s.memory(p, s.cwd, removed, func() string { return commandText(f) })
				}
			}
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(f) {
				s.findWrite(s.zoneOf(f[i+1], s.cwd), f)
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			k := i + 1
			for k < len(f) && f[k] != ";" && f[k] != "+" {
				k++
			}
			cmd := append([]string(nil), f[i+1:k]...)
			some := start[:min(len(start), 64)]
			at := slices.IndexFunc(some, func(p string) bool { return s.zoneOf(p, s.cwd) != 0 })
			found := start[max(at, 0)] + "/" + quotedHole
			if !sure {
				only, sure = s.foundFile(given, f[tests:i]), true
			}
			if only != "" {
				found = only
			}
			for _, p := range some {
				if s.foundTranscripts(p, f) != 0 {
					found = spokenHole
				}
				if seeks && s.swallows(p, s.cwd)&inPalace != 0 || strings.HasPrefix(p, palaceFile) {
					found = "/.mempalace/" + quotedHole
				}
			}
			for n := range cmd {
				cmd[n] = strings.ReplaceAll(cmd[n], "{}", found)
			}
			c := s.sub()
			if found == spokenHole && strings.HasSuffix(f[i], "dir") { // it runs beside what is found
				c.given = "."
			}
			c.depth++
			c.command(cmd, source{})
			i = k
		}
	}
}

// finds reports whether the tests of a find leave files with a given ending.
func finds(f []string, ending string) bool {
	for k, a := range f {
		if (a == "-name" || a == "-iname") && k+1 < len(f) && !strings.HasSuffix(f[k+1], ending) &&
			!strings.HasSuffix(f[k+1], "*") {
			return false
		}
	}
	return true
}

// foundTranscripts reports whether a find below p may come upon the client's transcripts: it looks
// for them by name, or for files of any name.
func (s *shell) foundTranscripts(p string, f []string) zone {
	if finds(f, ".jsonl") {
		return s.takesTranscripts(p, s.cwd)
	}
	return 0
}

// soughtZones returns the names and paths that the tests of a find look for, as far as they name a
// zone. What the find acts on then lies there.
func soughtZones(tests []string) []string {
	var out []string
	for k, a := range tests {
		if !listed(a, "-name -iname -path -ipath -wholename") || k+1 == len(tests) ||
			zoneNamed(tests[k+1]) == 0 {
			continue
		}
		not := k > 0 && (tests[k-1] == "!" || tests[k-1] == "-not")
		if pruned := k+2 < len(tests) && tests[k+2] == "-prune"; !not && !pruned {
			out = append(out, tests[k+1])
		}
	}
	return out
}

// narrowed returns which zones a find that deletes reaches below p: all of them, unless its tests
// name other places.
func (s *shell) narrowed(p string, f []string) zone {
	if slices.ContainsFunc(f, func(a string) bool { return listed(a, "-name -iname -path -type -empty") }) {
		return 0
	}
	return s.swallows(p, s.cwd)
}
