package shell

import (
	"slices"
	"strings"
)

// palaceProgram reports whether a command word runs MemPalace: its console scripts,
// ports and versions of them, by base name.
func palaceProgram(word string) bool {
	b := program(word)
	if i := strings.LastIndexByte(word, '/') + 1; strings.ContainsAny(word[i:], "[?*") {
		b = lower(word[i:]) // a pattern, which may mean its file
	}
	switch b {
	case "mempalace", "mempal":
		return true
	}
	if matchesName(b, "mempalace") && b != "mempalace" {
		return strings.Contains(b, "mem") || strings.Contains(b, "pal")
	}
	rest, ok := strings.CutPrefix(b, "mempal")
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(rest, "ace")
	return rest != "" && strings.IndexByte("-_.@=[0123456789", rest[0]) >= 0
}

// program returns the base name of a command word in lower case, without holes, without .exe, and
// without what package runners put behind a name: a version or extras.
func program(word string) string {
	if everyday(word) {
		return word
	}
	w := withoutHoles(word)
	if len(w) > 1 && (w[0] == '=' || w[0] == '^') { // zsh: =name is the path of name; nu: ^name
		w = w[1:]
	}
	if i := strings.LastIndexAny(w, "/#"); i >= 0 {
		w = w[i+1:]
	}
	w = strings.TrimSuffix(strings.ToLower(w), ".exe")
	if i := strings.IndexAny(w, "@=[:"); i > 0 {
		w = w[:i]
	}
	return w
}

// everyday reports whether a word has only lower-case letters and dashes, as the names of most
// programs do.
func everyday(word string) bool {
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return true
}

// serves reports whether a program is one of MemPalace's servers. Starting one opens
// a way to write that no hook sees.
func serves(prog string) bool {
	return containsAny(prog, "mcp", "light", "daemon", "serve")
}

// A use is the effect of the arguments of the MemPalace command line.
type use uint8

const (
	useRead    use = iota
	useWrite       // a sub-command that is known to write
	useUnknown     // anything else: a write, unless the word was only mentioned
)

// palaceUse returns the use of the arguments behind `mempalace`. It parses them as the real parser
// (argparse) does: options before the sub-command, unambiguous abbreviations, the last of two
// contradicting flags. Arguments that are not known to read do not count as a read.
func palaceUse(prog string, args []string) use {
	if serves(prog) {
		if len(args) == 1 && (args[0] == "--help" || args[0] == "-h" || args[0] == "--version") {
			return useRead
		}
		return useWrite
	}
	i := 0
	for ; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			continue
		}
		if hasHole(a) && (a == "" || a[0] != '-') {
			return useUnknown
		}
		if len(a) < 2 || a[0] != '-' {
			break
		}
		name, _, joined := strings.Cut(a, "=")
		switch {
		case a == "-h" || abbreviates(a, "--help", 4) || abbreviates(a, "--version", 3):
			return useRead
		case abbreviates(name, "--palace", 3) || abbreviates(name, "--backend", 3):
			if !joined {
				i++
				if i < len(args) && strings.Contains(args[i], bareHole) {
					return useUnknown // may be several words, the sub-command among them
				}
			}
		default:
			return useUnknown
		}
	}
	if i >= len(args) {
		return useRead // prints its help
	}
	verb, rest := args[i], args[i+1:]
	use := verbUse(verb, rest)
	if use != useRead && helps(rest) {
		return useRead
	}
	return use
}

// verbUse classes one sub-command.
func verbUse(verb string, rest []string) use {
	switch verb {
	case "search", "status", "wake-up", "repair-status", "mcp", "instructions":
		return useRead
	case "audit", "rules", "hallways":
		return unlessTold(rest)
	case "tunnels", "rooms": // a proposal is saved
		if len(rest) > 0 && listed(rest[0], "prune apply") {
			return unlessTold(rest[1:])
		}
		return useWrite
	case "mine":
		if flag(rest, "--redetect-origin", 3) {
			return useWrite
		}
		return dryRun(rest)
	case "compress", "migrate", "migrate-wings", "split":
		return dryRun(rest)
	case "sync":
		if holed(rest) {
			return useWrite
		}
		last := useRead
		for _, a := range options(rest) {
			switch {
			case abbreviates(a, "--apply", 3), abbreviates(a, "--no-dry-run", 4):
				last = useWrite
			case abbreviates(a, "--dry-run", 3):
				last = useRead
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
		if len(rest) > 0 && rest[0] == "get" && !outs(rest) && !holed(rest) {
			return useRead
		}
		return useWrite
	case "init", "sweep", "repair", "hook", "serve", "palace", "replica", "oplog", "migrate-ids", "export",
		"import", "add", "delete":
		return useWrite
	}
	return useUnknown
}

// helps reports whether argparse prints help and stops before it does anything.
func helps(args []string) bool {
	return flag(args, "--help", 4) || slices.Contains(options(args), "-h")
}

// outs reports whether a file to write is named: --out file or --out=file.
func outs(args []string) bool {
	for _, a := range options(args) {
		if name, _, _ := strings.Cut(a, "="); abbreviates(name, "--out", 3) {
			return true
		}
	}
	return false
}

// unlessTold returns useRead if no option tells a command that prints to write.
func unlessTold(args []string) use {
	for i, a := range options(args) {
		if strings.Contains(a, bareHole) || hasHole(a) && (i == 0 || !strings.HasPrefix(args[i-1], "--")) {
			return useWrite // it may be one
		}
	}
	for _, told := range [...]string{"--yes", "--fix", "--apply", "--rebuild"} {
		if flag(args, told, 3) {
			return useWrite
		}
	}
	if outs(args) || len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return useWrite
	}
	return useRead
}

// options returns the arguments before "--".
func options(args []string) []string {
	for i, a := range args {
		if a == "--" {
			return args[:i]
		}
	}
	return args
}

// dryRun returns useRead when --dry-run is among the arguments and nothing takes it back or is unknown.
func dryRun(args []string) use {
	if !holed(args) && flag(args, "--dry-run", 3) && !flag(args, "--no-dry-run", 4) {
		return useRead
	}
	return useWrite
}

func flag(args []string, name string, least int) bool {
	for _, a := range options(args) {
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

func onlyReads(args []string, reads ...string) use {
	if len(args) > 0 && slices.Contains(reads, args[0]) {
		return useRead
	}
	return useWrite
}

// palaceModule classes `python -m module args`.
func palaceModule(module string, args []string) (use, bool) {
	m := strings.ToLower(module)
	switch m {
	case "mempalace", "mempalace.cli", "mempalace.__main__":
		return palaceUse("mempalace", args), true
	case "mempalace.layers", "mempalace.fact_checker", "mempalace.normalize", "mempalace.entity_detector",
		"mempalace.general_extractor", "mempalace.project_scanner", "mempalace.spellcheck",
		"mempalace.hook_shell":
		return useRead, true
	case "mempalace.repair":
		return onlyReads(args, "status"), true
	case "mempalace.dedup":
		if !holed(args) && (flag(args, "--dry-run", 3) || flag(args, "--stats", 3)) || helps(args) {
			return useRead, true
		}
		return useWrite, true
	}
	if strings.HasPrefix(m, "mempalace.") || strings.HasPrefix(m, "mempalace_") {
		return useWrite, true
	}
	return useRead, false
}

// palaceRead reports whether a tool of MemPalace stores nothing whatever its arguments are. Names
// change between versions, so a tool that is not listed counts as a write.
func palaceRead(tool string) bool {
	switch tool {
	case "mempalace_status", "mempalace_list_wings", "mempalace_list_rooms", "mempalace_get_taxonomy",
		"mempalace_get_aaak_spec", "mempalace_search", "mempalace_check_duplicate", "mempalace_get_drawer",
		"mempalace_get_drawers", "mempalace_list_drawers", "mempalace_kg_query", "mempalace_kg_timeline",
		"mempalace_kg_stats", "mempalace_traverse", "mempalace_find_tunnels", "mempalace_graph_stats",
		"mempalace_list_tunnels", "mempalace_follow_tunnels", "mempalace_diary_read", "mempalace_reconnect",
		"mempalace_memories_filed_away", "mempalace_list_hallways", "mempalace_find_duplicates",
		"mempalace_mesh_peers", "mempalace_event_list", "mempalace_event_wait",
		"mempalace_artifact_get", "palace_query":
		return true
	}
	return false
}
