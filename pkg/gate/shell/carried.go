package shell

import "strings"

// carried judges the commands that a program is told to run by one of its own
// options, beside what it does itself.
func (s *shell) carried(name string, f []string) {
	short, long := carries(name)
	if short == "" && long == "" {
		return
	}
	for i := 1; i < len(f); i++ {
		a := f[i]
		next := ""
		if i+1 < len(f) {
			next = f[i+1]
		}
		option, value, joined := strings.Cut(a, "=")
		switch {
		case !namesPalace(a) && !namesPalace(next):
		case listed(a, short) && next != "":
			s.commandOption(next)
		case len(a) > 2 && listed(a[:2], short):
			s.commandOption(a[2:])
		case listed(option, long) && joined:
			s.commandOption(value)
		case listed(a, long):
			s.commandOption(next)
		case name == "less" && (strings.HasPrefix(a, "+!") || strings.HasPrefix(a, "+|")):
			s.commandOption(a[2:])
		}
	}
}

// carries returns the options of a program whose value is a command, separated by blanks.
func carries(name string) (short, long string) {
	switch name {
	case "ssh", "scp", "sftp", "sshfs":
		return "-o -S", ""
	case "rsync":
		return "-e", "--rsh --rsync-path"
	case "fzf", "sk":
		return "", "--bind --preview"
	case "git": // difftool, mergetool, grep
		return "-x -O", "--open-files-in-pager --extcmd --tree-filter --index-filter --msg-filter"
	case "gdb", "lldb":
		return "-ex --ex -o", "-eval-command --eval-command"
	case "less":
		return "+", ""
	case "man":
		return "-P", "--pager"
	case "zip":
		return "-TT", "--unzip-command"
	case "split":
		return "", "--filter"
	case "sort":
		return "", "--compress-program"
	case "chokidar":
		return "-c", "--command"
	case "cargo":
		return "-s -x", "--shell --exec"
	case "make", "gmake":
		return "", "SHELL MAKE CC"
	case "ansible", "ansible-console":
		return "-a", "--args"
	case "salt", "salt-call":
		return "", "cmd"
	case "watchman-make":
		return "", "--run"
	case "dc":
		return "-e", "--expression"
	}
	return "", ""
}

// commandOption judges the value of such an option. Some have a word before the command:
// ProxyCommand=…, enter:execute(…), a "!" for a shell.
func (s *shell) commandOption(value string) {
	if !strings.ContainsAny(value, " \t\n$") { // a lone word is a name, or MemPalace's help
		return
	}
	s.judgeHanded(value)
	if i := strings.IndexAny(value, "=(:!"); i >= 0 && !s.stopped() {
		s.commandOption(strings.TrimRight(value[i+1:], ") "))
	}
}
