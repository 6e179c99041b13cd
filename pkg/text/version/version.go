// Package version reads and compares versions of one to four numbers, as Go, npm and most of PyPI write them.
package version

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxLength is how long a version may be, in bytes.
const maxLength = 60

// parsed is a version. What stands behind a hyphen makes it an earlier one, as in semantic versions.
type parsed struct {
	numbers [4]int
	before  []string
}

// parse reads a version, with or without a v before it. What stands behind a plus says nothing of its order.
func parse(s string) (p parsed, ok bool) {
	s = strings.TrimPrefix(s, "v")
	if len(s) > maxLength {
		return p, false
	}
	s, build, built := strings.Cut(s, "+")
	core, pre, has := strings.Cut(s, "-")
	if has {
		p.before = strings.Split(pre, ".")
	}
	if has && !areParts(p.before) || built && !areParts(strings.Split(build, ".")) {
		return p, false
	}
	parts := strings.Split(core, ".")
	if len(parts) > len(p.numbers) {
		return p, false
	}
	for i, n := range parts {
		if !isNumber(n) || len(n) > 9 {
			return p, false
		}
		p.numbers[i], _ = strconv.Atoi(n)
	}
	return p, true
}

// areParts reports whether texts can stand between the dots behind a hyphen or a plus.
func areParts(all []string) bool {
	return !slices.ContainsFunc(all, func(s string) bool {
		return s == "" || strings.ContainsFunc(s, func(r rune) bool {
			return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-')
		})
	})
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Valid reports whether a text is a version.
func Valid(s string) bool { _, ok := parse(s); return ok }

// Compare compares two versions. ok is false if one of the texts is none.
func Compare(a, b string) (n int, ok bool) {
	x, okA := parse(a)
	y, okB := parse(b)
	if !okA || !okB {
		return 0, false
	}
	if n := slices.Compare(x.numbers[:], y.numbers[:]); n != 0 {
		return n, true
	}
	if len(x.before) == 0 || len(y.before) == 0 {
		return cmp.Compare(len(y.before), len(x.before)), true
	}
	return slices.CompareFunc(x.before, y.before, comparePart), true
}

// comparePart compares two parts behind the hyphen: numbers as such, and before words.
func comparePart(a, b string) int {
	x, y := isNumber(a), isNumber(b)
	switch {
	case x && y:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	case x:
		return -1
	case y:
		return 1
	}
	return cmp.Compare(a, b)
}

// NextMajor returns the version from which on another API may be expected: the next major version, or before
// 1.0 the next minor one. It is "" for a text that is no version.
func NextMajor(s string) string {
	p, ok := parse(s)
	switch {
	case !ok:
		return ""
	case p.numbers[0] == 0:
		return fmt.Sprintf("0.%d", p.numbers[1]+1)
	}
	return strconv.Itoa(p.numbers[0] + 1)
}
