package palace

import (
	"slices"
	"strings"
)

// Serves reports whether a program is one of MemPalace's servers. Starting one opens
// a way to write that no hook sees.
func Serves(prog string) bool {
	return containsAny(prog, "mcp", "light", "daemon", "serve")
}

// A use is the effect of the arguments of the MemPalace command line.
type Use uint8

const (
	Reads   Use = iota
	Writes      // a sub-command that is known to write
	Unknown     // anything else: a write, unless the word was only mentioned
)

// Command returns the use of the arguments behind `mempalace`. It parses them as the real parser
// (argparse) does: options before the sub-command, unambiguous abbreviations, the last of two
// contradicting flags. Arguments that are not known to read do not count as a read.
func Command(prog string, args []string) Use {
	if Serves(prog) {
		if len(args) == 1 && (args[0] == "--help" || args[0] == "-h" || args[0] == "--version") {
			return Reads
		}
		return Writes
	}
	i := 0
	for ; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			continue
		}
		if hasHole(a) && (a == "" || a[0] != '-') {
			return Unknown
		}
		if len(a) < 2 || a[0] != '-' {
			break
		}
		name, _, joined := strings.Cut(a, "=")
		switch {
		case a == "-h" || abbreviates(a, "--help", 4) || abbreviates(a, "--version", 3):
			return Reads
		case abbreviates(name, "--palace", 3) || abbreviates(name, "--backend", 3):
			if !joined {
				i++
				if i < len(args) && strings.Contains(args[i], Holes) {
					return Unknown // may be several words, the sub-command among them
				}
			}
		default:
			return Unknown
		}
	}
	if i >= len(args) {
		return Reads // prints its help
	}
	verb, rest := args[i], args[i+1:]
	use := verbUse(verb, rest)
	if use != Reads && Helps(rest) {
		return Reads
	}
	return use
}

// verbUse classes one sub-command.
func verbUse(verb string, rest []string) Use {
	switch verb {
	case "search", "status", "wake-up", "repair-status", "mcp", "instructions":
		return Reads
	case "audit", "rules", "hallways":
		return unlessTold(rest)
	case "tunnels", "rooms": // a proposal is saved
		if len(rest) > 0 && listed(rest[0], "prune apply") {
			return unlessTold(rest[1:])
		}
		return Writes
	case "mine":
		if flag(rest, "--redetect-origin", 3) {
			return Writes
		}
		return dryRun(rest)
	case "compress", "migrate", "migrate-wings", "split":
		return dryRun(rest)
	case "sync":
		if holed(rest) {
			return Writes
		}
		last := Reads
		for _, a := range Options(rest) {
			switch {
			case abbreviates(a, "--apply", 3), abbreviates(a, "--no-dry-run", 4):
				last = Writes
			case abbreviates(a, "--dry-run", 3):
				last = Reads
			}
		}
		return last
	case "daemon":
		return onlyReads(rest, "status", "jobs")
	case "logstream", "event":
		return onlyReads(rest, "list", "wait", "watch")
	case "update":
		return onlyReads(rest, "check", "plan")
	case "task":
		return onlyReads(rest, "list")
	case "artifact":
		if len(rest) > 0 && rest[0] == "get" && !namesFile(rest) && !holed(rest) {
			return Reads
		}
		return Writes
	case "init", "sweep", "repair", "hook", "serve", "palace", "replica", "oplog", "migrate-ids", "export",
		"import", "add", "delete":
		return Writes
	}
	return Unknown
}

// Helps reports whether argparse prints help and stops before it does anything.
func Helps(args []string) bool {
	return flag(args, "--help", 4) || slices.Contains(Options(args), "-h")
}

// namesFile reports whether a file to write is named: --out file or --out=file.
func namesFile(args []string) bool {
	for _, a := range Options(args) {
		if name, _, _ := strings.Cut(a, "="); abbreviates(name, "--out", 3) {
			return true
		}
	}
	return false
}

// unlessTold returns Reads if no option tells a command that prints to write.
func unlessTold(args []string) Use {
	for i, a := range Options(args) {
		if strings.Contains(a, Holes) || hasHole(a) && (i == 0 || !strings.HasPrefix(args[i-1], "--")) {
			return Writes // it may be one
		}
	}
	for _, told := range [...]string{"--yes", "--fix", "--apply", "--rebuild"} {
		if flag(args, told, 3) {
			return Writes
		}
	}
	if namesFile(args) || len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return Writes
	}
	return Reads
}

// Options returns the arguments before "--".
func Options(args []string) []string {
	for i, a := range args {
		if a == "--" {
			return args[:i]
		}
	}
	return args
}

// dryRun returns Reads when --dry-run is among the arguments and nothing takes it back or is unknown.
func dryRun(args []string) Use {
	if !holed(args) && flag(args, "--dry-run", 3) && !flag(args, "--no-dry-run", 4) {
		return Reads
	}
	return Writes
}

func flag(args []string, name string, least int) bool {
	for _, a := range Options(args) {
		if abbreviates(a, name, least) {
			return true
		}
	}
	return false
}

// abbreviates reports whether a is a prefix of an option that argparse completes; the
// shortest one that can mean nothing else has least bytes.
func abbreviates(a, option string, least int) bool {
	return len(a) >= least && strings.HasPrefix(option, a)
}

func holed(args []string) bool {
	return slices.ContainsFunc(args, hasHole)
}

func onlyReads(args []string, reads ...string) Use {
	if len(args) > 0 && slices.Contains(reads, args[0]) {
		return Reads
	}
	return Writes
}

// Module classes `python -m module args`.
func Module(module string, args []string) (Use, bool) {
	m := strings.ToLower(module)
	switch m {
	case "mempalace", "mempalace.cli", "mempalace.__main__":
		return Command("mempalace", args), true
	case "mempalace.layers", "mempalace.fact_checker", "mempalace.normalize", "mempalace.entity_detector",
		"mempalace.general_extractor", "mempalace.project_scanner", "mempalace.spellcheck",
		"mempalace.hook_shell":
		return Reads, true
	case "mempalace.repair":
		return onlyReads(args, "status"), true
	case "mempalace.dedup":
		if !holed(args) && (flag(args, "--dry-run", 3) || flag(args, "--stats", 3)) || Helps(args) {
			return Reads, true
		}
		return Writes, true
	}
	if strings.HasPrefix(m, "mempalace.") || strings.HasPrefix(m, "mempalace_") {
		return Writes, true
	}
	return Reads, false
}
