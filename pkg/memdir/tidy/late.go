package tidy

import (
	"regexp"
	"sync"
)

// late is an expression that is compiled when it is first asked for: every start of
// keepsake would pay for it, and only tidy needs it.
func late(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
