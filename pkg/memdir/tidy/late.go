package tidy

import (
	"regexp"
	"sync"
)

// late returns a function that compiles an expression when it is first called. Only tidy needs these
// expressions, and compiling them would slow down every start of keepsake.
func late(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
