#!/bin/sh
# platform prints the folder of the programs for this machine: an installation may have those of several. It
# leaves the link bin/hooks, which hooks.json looks at first, so that this runs once. It fetches nothing.
here=${0%/*}
case $(PATH=/usr/bin:/bin:/run/current-system/sw/bin uname -sm) in
'Linux x86_64') p=linux-amd64 ;;
'Linux aarch64' | 'Linux arm64') p=linux-arm64 ;;
'Darwin x86_64') p=darwin-amd64 ;;
'Darwin arm64') p=darwin-arm64 ;;
*) p=none ;;
esac
for bin in "$p" "../node_modules/@NPM@-$p/bin"; do
	if [ -x "$here/$bin/keepsake" ]; then
		[ -e "$here/hooks" ] ||
			PATH=/usr/bin:/bin:/run/current-system/sw/bin ln -s "$bin/hooks" "$here/hooks" 2>/dev/null
		echo "$here/$bin"
		exit 0
	fi
done
echo "keepsake: this installation has no programs for this machine ($p). hint: reinstall the plugin" >&2
exit 1
