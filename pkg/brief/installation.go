package brief

import "strings"

// Versions tells the person that several versions of Keepsake work in one session, "" for one or none.
func Versions(all []string) string {
	if len(all) < 2 {
		return ""
	}
	last := len(all) - 1
	return "keepsake: versions " + Line(strings.Join(all[:last], ", ")) + " and " + Line(all[last]) +
		" work in this session. Restart the client, so that all of it is of one."
}

// Newer tells the person that the marketplace has a newer version of a plugin, "" for none.
func Newer(plugin, version string) string {
	if version == "" {
		return ""
	}
	return "keepsake: version " + Line(version) + " is there. To update: claude plugin update " + Line(plugin)
}

// LinkHint tells the person how the command line becomes a command of their terminal, "" where it is one.
func LinkHint(program string) string {
	if program == "" {
		return ""
	}
	return "keepsake: to type keepsake in a terminal, run this there once: " + ShellWord(program) + " link"
}
