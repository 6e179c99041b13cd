package shell

import (
	"path"
	"strings"

	"keepsake/pkg/gate/rules"
)

// unwrapRunner takes off a program that runs another one out of a package or an
// environment. A package named with --from or --with counts as the program when
// it is MemPalace's.
func (s *shell) unwrapRunner(name string, f []string) ([]string, bool) {
	verbs := "run exec x dlx tool shell develop"
	i := 1
	switch name {
	case "uvx", "npx", "bunx", "pnpx", "pkgx", "with-env":
		verbs = ""
	case "aws-vault", "direnv", "asdf", "mise", "rtx", "rbenv", "pyenv", "nodenv", "bundle":
		verbs = "exec x"
	case "op", "doppler", "infisical", "devbox", "flox", "dotenv":
		verbs = "run activate"
	case "npm":
		verbs = "exec x"
	case "snap", "flatpak":
		verbs = "run"
	}
	const long = "from with with-editable python project directory package extra group env-file index " +
		"index-url default-index extra-index-url spec pip-args call prefix name environment config profile " +
		"cwd filter workspace refresh-package"
	values := "pnwCc"
	if name == "poetry" || name == "pdm" {
		values = "CpP"
	}
	if verbs != "" {
		i = skip(f, values, long)
		if i >= len(f) || !listed(f[i], verbs) {
			return nil, false
		}
		tool := f[i] == "tool"
		i++
		if tool {
			if i >= len(f) || f[i] != "run" {
				return nil, false
			}
			i++
		}
	}
	start := i
	g := append([]string{name}, tail(f, i)...)
	if name == "uv" {
		values = "pw"
	}
	k := skip(g, values, long)
	rest := tail(g, k)
	opts := g[:min(k, len(g))]
	if (name == "direnv" || name == "mise" || name == "rtx" || name == "asdf" || name == "aws-vault" ||
		name == "dotenv" || name == "nix" || name == "conda") && start < len(f) {
		s.judgeAmong(tail(f, start), source{}) // a directory, a profile or a tool stands before the command
	}
	for n, o := range opts {
		switch {
		case strings.HasPrefix(o, "--command=") && name == "flatpak": // in place of the application's own
			return append([]string{o[len("--command="):]}, tail(rest, 1)...), true
		case (o == "-c" || o == "--call" || o == "--command") && n+1 < len(opts):
			s.judgeHanded(opts[n+1])
		case (o == "-m" || o == "--module") && len(g) > n+1:
			return append([]string{"python", "-m"}, g[n+1:]...), true
		}
	}
	if len(rest) == 0 {
		return nil, true
	}
	if listed(path.Ext(rest[0]), ".js .mjs .cjs .ts .mts") { // of bun
		return append([]string{"node"}, rest...), true
	}
	if (name == "uv" || name == "pipx") && (rest[0] == "-" || strings.HasSuffix(rest[0], ".py")) {
		return append([]string{"python"}, rest...), true
	}
	from := false
	for n, o := range opts {
		if v, ok := strings.CutPrefix(o, "--from="); ok {
			from = from || palaceProgram(v)
		} else if v, ok := strings.CutPrefix(o, "--spec="); ok {
			from = from || palaceProgram(v)
		} else if (o == "--from" || o == "--spec" || o == "--package" || o == "-p") && n+1 < len(opts) {
			from = from || palaceProgram(opts[n+1])
		}
	}
	if from && !palaceProgram(rest[0]) && !interpreter(program(rest[0])) {
		if palaceUse("mempalace", rest[1:]) != useRead {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	}
	return rest, true
}
