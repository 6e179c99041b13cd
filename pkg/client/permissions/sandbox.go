package permissions

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Sandboxed reports whether a settings file switches on the client's sandbox, in which Bash, and all that it
// starts, can write to little more than the project.
func Sandboxed(settings []byte) bool { return gjson.GetBytes(settings, "sandbox.enabled").Bool() }

// Restricts reports whether a settings file has a rule that denies, or asks about, every command of Bash, or
// a command that names a program.
func Restricts(settings []byte, program string) (found bool) {
	for _, list := range [...]string{"permissions.deny", "permissions.ask"} {
		gjson.GetBytes(settings, list).ForEach(func(_, v gjson.Result) bool {
			of, ok := strings.CutPrefix(strings.TrimSpace(v.Str), "Bash")
			found = ok && (strings.Trim(of, "(:*)") == "" || strings.Contains(of, program))
			return !found
		})
		if found {
			break
		}
	}
	return found
}
