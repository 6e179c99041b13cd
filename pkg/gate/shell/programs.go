package shell

import (
	"strings"
	"sync"
)

// A kind is what a program does with its arguments. It determines which handler judges a call of it.
type kind uint8

const (
	kindUnknown  kind = iota
	kindReads         // does nothing to files, or nothing that the gate is about
	kindBuiltin       // changes the shell that runs it
	kindWraps         // only runs the command behind its options
	kindAround        // a wrapper with a syntax of its own
	kindLaunches      // runs a command that stands somewhere among its arguments
	kindShell         // runs shell text
	kindPython        // runs Python
	kindCode          // runs code of another language
	kindModule        // runs a module of Python under a watch
	kindTests         // runs a project's tests
	kindBuilds        // runs the file of tasks of a folder
	kindPackages      // a package manager that keeps scripts
	kindJobs          // runs commands at a time
	kindAgent         // starts a coding agent
	kindServices      // starts services and containers
	kindSends         // sends what it is given over a network
	kindDatabase      // sends SQL to a server
	kindSQLite        // runs SQL on a file
	kindFind          // runs and deletes what it finds
	kindVersions      // version control but for git
	kindGit           // git
	kindRemoves       // removes or moves files
	kindChanges       // changes the files in its operands
	kindCopies        // copies files
	kindBackups       // copies files to a place of its own
	kindFilters       // edits files in place when an option says so
	kindOutputs       // writes the file of an option
	kindArchives      // packs and unpacks archives
	kindKeepsake      // Keepsake's own program
)

// A row is what is known of one or several programs with the same options.
type row struct {
	names        string // separated by blanks
	kind         kind
	values, long string // options of a wrapper that take a value: letters, and words
	words        int    // how many words stand between its options and the command
	runner       bool   // it runs a command out of a package or an environment
	verbs        string // the words behind which a runner has the command; "" if it needs none
	within       bool   // a directory, a profile or a tool stands before that command
	deed         deed   // done to the operands
	prints       bool   // it may print, and leave its operands as they are
	codes        string // letters of the options whose value is code
	runs         string // options whose value is a command
	loads        string // options whose value is a module that it loads first
	puts         string // options whose value is a file that it writes
	leaves       bool   // its commands go on without the client, or under another parent
}

// programs is the table of programs. A new program is a row here.
var programs = [...]row{
	{kind: kindKeepsake, names: "keepsake"},
	{kind: kindBuiltin, names: `cd pushd chdir popd eval . source alias hash trap set shift read mapfile readarray
		unset printf`},

	// What runs another command.
	{kind: kindWraps, names: "sudo doas", values: "ugpChrTtRDUa", long: `user group prompt host chdir chroot role
		type other-user command-timeout close-from`},
	{kind: kindWraps, names: "timeout gtimeout", values: "sk", long: "signal kill-after", words: 1},
	{kind: kindWraps, names: "nice", values: "n", long: "adjustment"},
	{kind: kindWraps, names: "ionice", values: "cnpPut", long: "class classdata"},
	{kind: kindWraps, names: "chrt", values: "TPD", words: 1},
	{kind: kindWraps, names: "taskset setarch chroot", values: "gmNCpi", words: 1},
	{kind: kindWraps, names: "numactl cgexec", values: "gmNCpi"},
	{kind: kindWraps, names: "stdbuf", values: "ioe", long: "input output error"},
	{kind: kindWraps, names: "time gtime", values: "of", long: "output format"},
	{kind: kindWraps, names: "exec", values: "a"},
	{kind: kindWraps, names: "caffeinate", values: "tw"},
	{kind: kindWraps, names: "strace ltrace", values: "oepusaPIbXEn"},
	{kind: kindWraps, names: "unshare", values: "RwSGl", long: "root wd setuid setgid"},
	{kind: kindWraps, names: "nohup", values: "f", leaves: true},
	{kind: kindWraps, names: "setsid", leaves: true},
	{kind: kindWraps, names: "ld.so", long: "library-path inhibit-rpath audit preload argv0"},
	{kind: kindWraps, values: "f", names: `builtin command unbuffer noglob nocorrect rlwrap chronic torsocks tsocks
		busybox toybox arch ifne dbus-run-session eatmydata proxychains proxychains4 - winpty catchsegv valgrind
		spawn`},
	{kind: kindAround, names: "env xargs gxargs faketime flock"},
	{kind: kindFind, names: "find gfind"},
	{kind: kindLaunches, names: `parallel watch hyperfine entr nodemon nsenter firejail bwrap xvfb-run sem
		fd fdfind concurrently expect perf watchexec reflex rtk mosh vagrant lxc distrobox toolbox xdotool ydotool
		wtype machinectl sg pkexec su runuser`},
	{kind: kindLaunches, names: "script tmux screen systemd-run start-stop-daemon daemonize", leaves: true},
	{kind: kindLaunches, names: "nix-shell", runs: "--run --command"},
	{kind: kindLaunches, names: "ssh", runs: "-o -S"},
	{kind: kindLaunches, names: "gdb lldb", runs: "-ex --ex -o -eval-command --eval-command"},
	{kind: kindLaunches, names: "salt salt-call", runs: "cmd"},
	{kind: kindJobs, names: "crontab at batch", leaves: true},
	{kind: kindAgent, names: `claude codex gemini opencode aider cursor-agent amp goose qwen copilot droid crush
		cline claude-code gemini-cli`},
	{kind: kindServices, names: `systemctl service launchctl pm2 supervisorctl brew docker podman nerdctl
		docker-compose kubectl oc`},
	{names: "ansible ansible-console", runs: "-a --args"},
	{names: "chokidar", runs: "-c --command"},
	{names: "watchman-make", runs: "--run"},
	{names: "sftp sshfs", runs: "-o -S"},

	// What runs a command out of a package or an environment.
	{runner: true, names: "uvx npx bunx pnpx pkgx with-env"},
	{runner: true, names: "uv pipx pipenv hatch rye pixi mamba micromamba", verbs: anyRunner},
	{runner: true, names: "conda nix", verbs: anyRunner, within: true},
	{runner: true, names: "poetry pdm", verbs: anyRunner, values: "CpP"},
	{runner: true, names: "bundle rbenv pyenv nodenv", verbs: "exec x"},
	{runner: true, names: "aws-vault direnv asdf mise rtx", verbs: "exec x", within: true},
	{runner: true, names: "op doppler infisical devbox flox", verbs: "run activate"},
	{runner: true, names: "dotenv", verbs: "run activate", within: true},
	{runner: true, names: "snap flatpak", verbs: "run"},
	{runner: true, kind: kindPackages, names: "npm", verbs: "exec x"},
	{runner: true, kind: kindPackages, names: "pnpm yarn", verbs: anyRunner},
	{runner: true, kind: kindCode, names: "bun", verbs: anyRunner, codes: "ep", loads: ofNode},
	{kind: kindPackages, names: "husky composer"},

	// What runs code.
	{kind: kindShell, names: `sh bash zsh dash ksh mksh ash fish rbash yash csh tcsh nu elvish xonsh pwsh powershell
		newgrp`},
	{kind: kindPython, names: "python ipython pypy"},
	{kind: kindModule, names: "coverage pdb ipdb kernprof memray pyinstrument scalene viztracer"},
	{kind: kindTests, names: "pytest py.test", loads: "-p"},
	{kind: kindTests, names: "eslint"}, // its settings are code
	{kind: kindTests, names: "mocha", loads: ofNode},
	{kind: kindCode, names: "node nodejs tsx ts-node", codes: "ep", loads: ofNode},
	{kind: kindCode, names: "deno", codes: "e", loads: ofNode},
	{kind: kindCode, names: "ruby", codes: "e", loads: "-r --require"},
	{kind: kindCode, names: "perl", codes: "eE"},
	{kind: kindCode, names: "php", codes: "rRBE"},
	{kind: kindCode, names: "guile", codes: "ec"},
	{kind: kindCode, names: "dc", codes: "e", runs: "-e --expression"},
	{kind: kindCode, codes: "e", names: `lua osascript rscript r awk gawk mawk nawk jshell elixir erl groovy tclsh
		julia racket sbcl scala swift raku crystal nim ocaml ghc runghc kotlin m4`},
	{kind: kindBuilds, names: "make gmake", runs: "--eval SHELL MAKE CC"},
	{kind: kindBuilds, names: "cargo", runs: "-s -x --shell --exec"},
	{kind: kindBuilds, names: "just", runs: "-c --command"},
	{kind: kindBuilds, names: "task ninja go"},

	// What sends.
	{kind: kindSends, names: `curl wget http https xh xhs curlie nc ncat netcat socat telnet websocat grpcurl
		hurl`},
	{kind: kindDatabase, names: "psql pgcli mysql mycli mariadb clickhouse-client mongosh"},
	{kind: kindSQLite, names: "sqlite3 sqlite sqlcipher duckdb litecli"},

	// What changes files.
	{kind: kindGit, names: "git", runs: `-x -O --open-files-in-pager --extcmd --tree-filter --index-filter
		--msg-filter`},
	{kind: kindVersions, names: "jj hg svn"},
	{kind: kindRemoves, names: "rm rmdir unlink shred trash trash-put rip mv gmv grm"},
	{kind: kindChanges, names: "truncate fallocate tee gtee sponge", deed: replaced},
	{kind: kindChanges, names: "gzip bzip2 xz gunzip bunzip2 unxz zstd", deed: replaced, prints: true},
	{kind: kindChanges, deed: edited, names: `patch dos2unix unix2dos vi vim nvim ex ed nano emacs pico micro hx
		kak`},
	{kind: kindChanges, deed: touched, names: `touch gtouch mkdir chmod chown chgrp chattr setfacl xattr csplit
		mktemp mkfifo mknod link symlink ln gln`},
	{kind: kindChanges, deed: touched, names: "split", runs: "--filter"},
	{kind: kindCopies, names: "cp gcp install ginstall ditto rclone dd aws gsutil s5cmd"},
	{kind: kindCopies, names: "rsync", runs: "-e --rsh --rsync-path"},
	{kind: kindCopies, names: "scp", runs: "-o -S"},
	{kind: kindBackups, names: "restic borg kopia"},
	{kind: kindFilters, names: "sed gsed yq prettier jsonnetfmt shfmt gofmt black isort biome"},
	{kind: kindOutputs, names: "jq gron pandoc gpg gpg2 age", puts: "-o --output"},
	{kind: kindOutputs, names: "sort", puts: "-o --output", runs: "--compress-program"},
	{kind: kindOutputs, names: "openssl", puts: "-out"},
	{kind: kindArchives, names: "tar gtar bsdtar unzip 7z cpio ar"},
	{kind: kindArchives, names: "zip", runs: "-TT --unzip-command"},

	// What reads.
	{kind: kindReads, names: "xxd uniq base64 base32 tree gh glab", puts: "-o --output"},
	{kind: kindReads, names: "less", puts: "-o --output", runs: "+!"},
	{kind: kindReads, names: "man", puts: "--output", runs: "-P --pager"},
	{kind: kindReads, names: "fzf sk", puts: "--output", runs: "--bind --preview"},
	{kind: kindReads, puts: "--output", names: `echo cat bat batcat more head tail tac nl rev ls ll la eza exa lsd
		stat file wc du df grep egrep fgrep rg ag ack ugrep hexdump od strings diff cmp comm colordiff delta difft
		cut tr paste column fold fmt md5sum md5 sha1sum sha256sum sha512sum shasum cksum b2sum zcat zgrep bzcat
		xzcat basename dirname realpath readlink test [ [[ pwd which whereis type info help tldr apropos date
		export code cursor open xdg-open subl true false : sleep wait exit return break continue lsof fuser pip
		pip3 apt apt-get dnf yum pacman apk port pbcopy pbpaste xclip xsel wl-copy ps pgrep pkill kill killall top
		htop id whoami uname hostname ping dig nslookup look locate mdfind jless fx glow mdcat say notify-send
		logger seq yes expr bc let umask ulimit history jobs fg bg disown complete compgen bind shopt setopt
		unsetopt getopts caller times tput clear reset stty tty msgfmt ncdu dust peco markdownlint
		markdownlint-cli2 vale codespell cspell aspell shellcheck yamllint jsonlint ajv tokei cloc scc mail hub
		journalctl pydoc pydoc3 tsc mypy pyright ruff staticcheck golangci-lint inotifywait
		get-childitem get-content get-item select-string test-path`},
}

// Options and words that several rows share.
const (
	anyRunner  = "run exec x dlx tool shell develop"
	ofNode     = "-r --require --import --loader --experimental-loader --preload"
	ofPackages = `from with with-editable python project directory package extra group env-file index index-url
		default-index extra-index-url spec pip-args call prefix name environment config profile cwd filter
		workspace refresh-package`
)

// byName is programs by name, once asked for: a hook that judges no command doesn't need it.
var byName struct {
	once sync.Once
	rows map[string]*row
}

// programNamed returns what is known of a program, also of python3.12 and its like.
func programNamed(name string) *row {
	byName.once.Do(func() {
		byName.rows = make(map[string]*row, 1024)
		for i := range programs {
			for n := range strings.FieldsSeq(programs[i].names) {
				byName.rows[n] = &programs[i]
			}
		}
	})
	if p := byName.rows[name]; p != nil {
		return p
	}
	switch {
	case strings.HasPrefix(name, "ld-linux"), strings.HasPrefix(name, "ld-musl"):
		return byName.rows["ld.so"]
	case strings.HasPrefix(name, "python"), strings.HasPrefix(name, "pypy"):
		return byName.rows["python"]
	}
	if p := byName.rows[strings.TrimRight(name, "0123456789.-")]; p != nil {
		return p
	}
	return &noProgram
}

var noProgram row
