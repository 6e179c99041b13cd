package triage

import "strings"

// isMachine reports whether a line was printed by a program or is code: log lines, compiler messages, stack
// traces, prompts, diffs, JSON.
func isMachine(line string) bool {
	switch {
	case hasAnyPrefix(line, "Traceback (", "goroutine ", "panic:", "npm ERR", "npm WARN", "=== ", "--- ",
		"+++ ", "@@ ", "diff --git", "$ ", "% ", "PASS", "FAIL", "ok  \t", "❯ ", "⎿",
		"error:", "error[", "fatal:", "warning:", "Caused by:", "at Object.", "//", "/*", "*/", "#!",
		"#include", "</", "import ", "func ", "def ", "public ", "private ", "export ", "create mode "):
		return true
	case hasStamp(line), isCompilerMessage(line), isThrown(line):
		return true
	case hasAnyPrefix(line, "at ", "File \""):
		return strings.ContainsAny(line, "(:\"") && strings.ContainsAny(line, "0123456789")
	case hasAnyPrefix(line, "{", "[{", "}", "]", "\""):
		return strings.Contains(line, "\":") || len(line) < 4
	}
	if level, _, ok := strings.Cut(strings.TrimLeft(line, "["), " "); ok {
		switch strings.TrimRight(level, ":]") {
		case "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "TRACE", "FATAL", "CRITICAL":
			return true
		}
	}
	switch line[len(line)-1] {
	case '{', ';', '}', '\\':
		return true
	}
	return strings.HasSuffix(line, "=>") || isSymbols(line)
}

// hasStamp reports whether a line begins with a date or a time of day.
func hasStamp(line string) bool {
	line = strings.TrimLeft(line, "[(")
	return hasShape(line, "0000-00-00") || hasShape(line, "00:00:00") || hasShape(line, "0000/00/00")
}

func hasShape(line, shape string) bool {
	if len(line) < len(shape) {
		return false
	}
	for i := range shape {
		digit := line[i] >= '0' && line[i] <= '9'
		if shape[i] == '0' && !digit || shape[i] != '0' && line[i] != shape[i] {
			return false
		}
	}
	return true
}

// isCompilerMessage reports whether a line is a compiler's message: path.ext:12:5: ...
func isCompilerMessage(line string) bool {
	path, _, ok := strings.Cut(line, " ")
	i := strings.IndexByte(path, ':')
	return ok && i > 2 && strings.Contains(path[:i], ".") && len(path) > i+1 && path[i+1] >= '0' &&
		path[i+1] <= '9'
}

// isThrown reports whether a line is the first of a stack trace: TypeError: ...
func isThrown(line string) bool {
	kind, _, ok := strings.Cut(line, ":")
	return ok && !strings.Contains(kind, " ") && len(kind) > 5 &&
		(strings.HasSuffix(kind, "Error") || strings.HasSuffix(kind, "Exception"))
}

// isSymbols reports whether a line is mostly not letters.
func isSymbols(line string) bool {
	letters, all, code := 0, 0, false
	for _, r := range line {
		if r == '`' {
			code = !code
		}
		if code {
			continue
		}
		all++
		if r == ' ' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 {
			letters++
		}
	}
	return all > 12 && letters*100 < all*62
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// ownTag returns the name of Keepsake's tag with which a line begins, or "".
func ownTag(line string) string {
	for _, tag := range []string{"triage_data_file", "triage_data", "transcript_data", "memory-context",
		"memory-brief", "memory-note", "memory-"} {
		if strings.HasPrefix(line[1:], tag) {
			return tag
		}
	}
	return ""
}

// sourced is a text in every line that names the source of a memory.
const sourced = "[source: "

// isOwn reports whether Keepsake wrote a line, or the model on its behalf: what the hooks say, and the line
// that ends a save. Triage has seen its words where they were first said.
func isOwn(line string) bool {
	if rest, ok := strings.CutPrefix(line, "Saved: "); ok {
		return rest == "nothing" || strings.ContainsAny(rest, "(")
	}
	return hasAnyPrefix(line, "Keepsake noticed", "Keepsake heard", "Keepsake: the conversation fills",
		"Keepsake keeps this project's memory", "From before the compaction, noticed",
		"From an earlier session: Keepsake", "Nothing of it is stored yet", "Stop hook feedback",
		"Stored notes of this project", "Where the work on this project stands",
		"How the last session ended:", "How the last session of this project") ||
		strings.Contains(line, "<triage_data") || strings.Contains(line, "keepsake:save")
}
