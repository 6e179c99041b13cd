#!/bin/sh
# Brings what the end-to-end suite needs: the pinned clients, MemPalace, QMD and tmux. Safe to run again: what is there stays.
set -eu
cd "$(dirname "$0")"

os=$(uname -s | tr '[:upper:]' '[:lower:]')
case $(uname -m) in
x86_64 | amd64) arch=x64 ;;
arm64 | aarch64) arch=arm64 ;;
*) echo "e2e/install.sh: no client for machine $(uname -m)" >&2; exit 1 ;;
esac

# client prints the path of an installed client, glibc build first, or nothing.
client() {
	for suffix in "" -musl; do
		bin="clients/$1/node_modules/@anthropic-ai/claude-code-$os-$arch$suffix/claude"
		if [ "$("$bin" --version 2>/dev/null | cut -d' ' -f1)" = "$1" ]; then
			echo "$bin"
			return
		fi
	done
}

for dir in clients/*/; do
	version=$(basename "$dir")
	[ -n "$(client "$version")" ] && continue
	command -v npm >/dev/null || { echo "e2e/install.sh: npm is missing: install Node 20 or newer" >&2; exit 1; }
	# The package's postinstall only links the platform binary, which the suite runs directly.
	(cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	[ -n "$(client "$version")" ] || { echo "e2e/install.sh: client $version does not start after npm ci in e2e/$dir" >&2; exit 1; }
done

# codex prints the path of the installed Codex CLI, or nothing.
codex() {
	for bin in "codex/$1/node_modules/@openai/codex-$os-$arch"/vendor/*/bin/codex; do
		if [ "$("$bin" --version 2>/dev/null | cut -d' ' -f2)" = "$1" ]; then
			echo "$bin"
			return
		fi
	done
}

for dir in codex/*/; do
	version=$(basename "$dir")
	[ -n "$(codex "$version")" ] && continue
	command -v npm >/dev/null || { echo "e2e/install.sh: npm is missing: install Node 20 or newer" >&2; exit 1; }
	(cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	[ -n "$(codex "$version")" ] || { echo "e2e/install.sh: Codex CLI $version does not start after npm ci in e2e/$dir" >&2; exit 1; }
done

./install-mempalace.sh
./install-qmd.sh

# debian installs packages of the system where a program is missing: debian PROGRAM PACKAGE...
debian() {
	command -v "$1" >/dev/null && return
	program=$1
	shift
	if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
		apt-get install -y -q "$@" >/dev/null 2>&1 ||
			{ apt-get update -q >/dev/null && apt-get install -y -q "$@" >/dev/null; }
	else
		echo "e2e/install.sh: $program is missing: install your system's package $*" >&2
		exit 1
	fi
}

debian tmux tmux
# The client's sandbox needs them on Linux; macOS has one of its own.
if [ "$os" = linux ]; then
	debian bwrap bubblewrap
	debian socat socat
fi
