#!/bin/sh
# Brings the real MemPalace into mempalace/venv. Safe to run again: what is there stays, and takes no time.
set -eu
cd "$(dirname "$0")/mempalace"

fail() { echo "e2e/install-mempalace.sh: $1" >&2; exit 1; }

if cmp -s requirements.txt venv/installed && venv/bin/mempalace --version >/dev/null 2>&1; then
	exit 0
fi
rm -rf venv
command -v python3 >/dev/null || fail 'python3 is missing: install Python 3.11 or newer'
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "$(python3 --version) is too old: install Python 3.11 or newer"
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
	# Debian and Ubuntu have these two in a package of their own.
	if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
		apt-get install -y -q python3-venv >/dev/null 2>&1 || { apt-get update -q >/dev/null && apt-get install -y -q python3-venv >/dev/null; }
	else
		fail "python3 has no venv: install your system's package python3-venv"
	fi
fi
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check --no-deps --no-compile --only-binary :all: -r requirements.txt || fail 'pip could not install mempalace/requirements.txt'
venv/bin/mempalace --version >/dev/null || fail 'mempalace was installed and does not start'
cp requirements.txt venv/installed
