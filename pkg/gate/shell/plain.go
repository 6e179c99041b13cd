package shell

import "strings"

// plain reports whether every command of text is a well-known program that changes no file of ours,
// with nothing quoted, expanded or redirected on the way. It spares the everyday command the shell
// parser, whose code costs more to load than to run. FuzzCommand compares it with what the parser
// finds.
func plain(text, cwd, client string) bool {
	if len(text) > 512 {
		return false
	}
	var words [2]string // the first two of the command under way
	n, start := 0, -1   // words seen; where the current one begins
	named := -1         // whether text names something of ours, once asked: 0 or 1
	ours := func() bool {
		if named < 0 {
			named = 0
			if names(text) || names(cwd) ||
				client != "" && (strings.Contains(text, client) || within(cwd, client)) ||
				// a file that pytest loads, go build writes or npm starts
				strings.Contains(text, " -p") || strings.Contains(text, " -o") ||
				strings.Contains(text, "script-shell") {
				named = 1
			}
		}
		return named == 1
	}
	for i := 0; i <= len(text); i++ {
		c := byte('\n')
		if i < len(text) {
			c = text[i]
		}
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '/', c == '.', c == '-',
			c == '_', c == ',', c == ':', c == '+', c == '@', c == '%', c == '=':
			if start < 0 {
				start = i
			}
			continue
		case c == '>':
			if start >= 0 && text[start:i] == "2" {
				start = -1 // the descriptor, no word
			} else if start >= 0 {
				return false
			}
			k := 0
			for _, to := range [...]string{"&1", "&2", "/dev/null", " /dev/null"} {
				if strings.HasPrefix(text[i+1:], to) {
					k = len(to)
				}
			}
			if i += k; k == 0 || i+1 < len(text) && strings.IndexByte(" \n;|&", text[i+1]) < 0 {
				return false
			}
			continue
		case c != ' ' && c != '\n' && c != ';' && c != '&' && c != '|':
			return false
		}
		if start >= 0 {
			if n < len(words) {
				words[n] = text[start:i]
			}
			n++
			start = -1
		}
		if c != ' ' {
			if n > 0 && !everydayProgram(words, ours) {
				return false
			}
			n, words = 0, [2]string{}
		}
	}
	return true
}

// everydayProgram reports whether a command does nothing the gate is about, whatever
// its literal arguments are; for some, if they name nothing of ours.
func everydayProgram(words [2]string, ours func() bool) bool {
	switch words[0] {
	case "cd":
		return true
	case "git":
		switch words[1] {
		case "diff", "log", "show":
			return !ours() // --output
		case "status", "branch", "add", "commit", "push", "fetch", "rev-parse", "ls-files", "blame", "grep",
			"remote", "tag", "describe":
			return true
		}
		return false
	case "go", "cargo":
		return words[1] != "run" && (words[1] != "build" || !ours())
	case "npm", "yarn", "pnpm":
		switch words[1] {
		case "test", "run", "ci", "install", "build", "lint":
			return !ours()
		}
		return false
	case "make", "pytest", "tsc", "jest", "vitest", "mvn", "gradle":
		return !ours()
	}
	p := programNamed(words[0])
	return p.kind == kindReads && (p.puts == "--output" || !ours())
}

// names reports whether text may name a palace or a zone.
func names(text string) bool {
	return containsAny(lower(text), "palace", "mempal", "memory", ".claude", "keepsake")
}
