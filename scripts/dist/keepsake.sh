#!/bin/sh
# keepsake starts the command line of this machine: see platform beside it.
here=${0%/*}
k=$here/hooks/../keepsake
if [ ! -x "$k" ]; then
	bin=$("$here/platform") || exit 1
	k=$bin/keepsake
fi
exec "$k" "$@"
