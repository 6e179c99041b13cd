package layout

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
)

// Client returns the client's configuration directory, from the path of a session's transcript:
// <dir>/projects/<slug>/<session>.jsonl of Claude Code, <dir>/sessions/<year>/<month>/<day>/rollout-….jsonl
// of Codex CLI. The client computes that path itself, so no file and no variable of a project can move it.
// It is "" if the path has another form.
func Client(transcript string) string {
	if IsCodex(transcript) {
		sessions := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(transcript))))
		if filepath.Base(sessions) != "sessions" || !filepath.IsAbs(sessions) {
			return ""
		}
		return filepath.Dir(sessions)
	}
	projects := filepath.Dir(filepath.Dir(transcript))
	if filepath.Base(projects) != "projects" || !filepath.IsAbs(projects) {
		return ""
	}
	return filepath.Dir(projects)
}

// IsCodex reports whether a transcript is one of Codex CLI, by its name.
func IsCodex(transcript string) bool {
	return strings.HasPrefix(filepath.Base(transcript), "rollout-")
}

// homeOfClient returns the home that a client's configuration directory lies in, "" if it is elsewhere.
func homeOfClient(client string) string {
	if base := filepath.Base(client); base != ".claude" && base != ".codex" {
		return ""
	}
	return filepath.Dir(client)
}

// ClientsBeside returns a client's configuration directory, and the other client's in the same home: what a
// person has approved in one counts in both. It goes by no variable.
func ClientsBeside(client string) []string {
	switch home := homeOfClient(client); {
	case client == "":
		return nil
	case home == "":
		return []string{client}
	default:
		return []string{ClientIn(home), CodexIn(home)}
	}
}

// Owns returns Keepsake's own folders below the configuration directories of all clients: below each home,
// and where the environment says that they are.
func Owns(homes []string) (all []string) {
	for _, h := range homes {
		all = append(all, ClientOwn(ClientIn(h)), ClientOwn(CodexIn(h)))
	}
	for _, client := range ClientsHere() {
		all = append(all, ClientOwn(client))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ClientOwn returns Keepsake's own folder below the client's. No file and no variable of a project
// moves it.
func ClientOwn(client string) string { return at(client, "keepsake") }

// Transcript returns the path to which the client writes a session in a folder.
func Transcript(client, folder, session string) string {
	return at(client, "projects", ClientSlug(folder), session+".jsonl")
}

// TranscriptsOf returns the transcripts of a session in whatever folder it worked: mostly one. A folder of
// them may have been copied. The client is either.
func TranscriptsOf(client, session string) []string {
	var all []string
	add := func(path string) {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			all = append(all, path)
		}
	}
	id := Session(session)
	entries, _ := os.ReadDir(ClientSessions(client)) // without it there are none
	for _, e := range entries {
		add(at(ClientSessions(client), e.Name(), id+".jsonl"))
	}
	for _, in := range [...]string{"sessions/*/*/*", "archived_sessions"} {
		names, _ := fs.Glob(os.DirFS(client), in+"/rollout-*"+id+".jsonl")
		for _, name := range names {
			if CodexSession(name) == id {
				add(at(client, name))
			}
		}
	}
	return all
}

// ClientSessions returns the folder in which the client keeps the transcripts of all projects, those of a
// folder in one that has its ClientSlug. Two folders can have the same.
func ClientSessions(client string) string { return at(client, "projects") }

// CodexSessions returns the folder in which Codex CLI keeps the transcripts of all projects, by the day on
// which each began.
func CodexSessions(codex string) string { return at(codex, "sessions") }

// CodexArchive returns the folder to which Codex CLI moves the transcripts that a person archives.
func CodexArchive(codex string) string { return at(codex, "archived_sessions") }

// CodexSession returns the session of a transcript of Codex CLI by its name, rollout-TIME-ID.jsonl.
func CodexSession(path string) string {
	id := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(path), ".jsonl"), "rollout-")
	if n := len("2006-01-02T15-04-05-"); len(id) > n {
		id = id[n:]
	}
	return Session(id)
}

// Approvals returns the folder of the person's answers, below the client's configuration directory.
// It is not in the plugin's data, which is deleted with the plugin. It is "" for no directory.
func Approvals(client string) string {
	return at(client, "keepsake", "approvals")
}

// Counted returns the file that is there until a counted call has run, by the id that the client gave it. It
// is "" for no id, or for one that is no name.
func Counted(client, use string) string {
	if use == "" || len(use) > 100 || strings.ContainsFunc(use, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return ""
	}
	return at(client, "keepsake", "counted", use)
}

// ClientHere returns the client's configuration directory by the environment of a terminal:
// CLAUDE_CONFIG_DIR, else ~/.claude, or "" without a home. It is only for programs that a person runs,
// never for a hook.
func ClientHere() string { return ClientOf(os.Getenv) }

// ClientOf is ClientHere for an environment, such as another process's.
func ClientOf(getenv func(name string) string) string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return ClientIn(home)
	}
	return ""
}

// ClientsHere returns the configuration directories of all clients in the same way, Claude Code's first. That
// of Codex CLI is CODEX_HOME, else ~/.codex.
func ClientsHere() (all []string) {
	for _, dir := range []string{ClientHere(), CodexOf(os.Getenv)} {
		if dir != "" {
			all = append(all, dir)
		}
	}
	return all
}

// CodexOf returns the configuration directory of Codex CLI by an environment, or "" without a home.
func CodexOf(getenv func(name string) string) string {
	if dir := getenv("CODEX_HOME"); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return CodexIn(home)
	}
	return ""
}

// ClientMemory returns the folder of the client's own memory of a project: <client>/projects/<slug
// of top>/memory. top is the project's main checkout, whose memory its worktrees share. It is ""
// for no client. Codex CLI has none; there it is that of Claude Code in the same home.
func ClientMemory(client, top string) string {
	if filepath.Base(client) == ".codex" {
		client = ClientIn(filepath.Dir(client))
	}
	return at(client, "projects", ClientSlug(top), "memory")
}

// ClientSlug returns the client's name for a folder: every UTF-16 unit but ASCII
// letters and digits is a hyphen.
func ClientSlug(path string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(path)) {
		if u < 0x80 && (u >= 'a' && u <= 'z' || u >= 'A' && u <= 'Z' || u >= '0' && u <= '9') {
			b.WriteByte(byte(u))
		} else {
			b.WriteByte('-')
		}
	}
	return b.String()
}

// Instructions returns the paths of the files with instructions that the client loads when a session begins
// in a folder or below it. They need not exist.
func Instructions(dir string) []string {
	return []string{at(dir, "CLAUDE.md"), at(dir, ".claude", "CLAUDE.md"), at(dir, "CLAUDE.local.md")}
}

// Rules returns the folder of a client's folder with more instructions, each file of which is loaded when a
// session begins, unless it says for which paths it is meant.
func Rules(client string) string { return at(client, "rules") }
