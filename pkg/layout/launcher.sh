#!/bin/sh
# keepsake starts the version of Keepsake that is installed. `keepsake link` wrote this file; `keepsake link
# --remove` takes it away.
newest=
for program in @PROGRAMS@; do
	# The client keeps versions that are not in use any more for a while, and marks them.
	[ -x "$program" ] && [ ! -e "${program%/bin/keepsake}/.orphaned_at" ] || continue
	[ -n "$newest" ] && [ "$newest" -nt "$program" ] || newest=$program
done
[ -z "$newest" ] || exec "$newest" "$@"
echo "keepsake: the plugin is not installed any more, at least not in" @FOLDER@ >&2
echo "hint: install it again, and run 'keepsake link' of the new one if it is elsewhere; rm '$0' removes this command" >&2
exit 127
