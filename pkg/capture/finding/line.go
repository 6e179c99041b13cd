package finding

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// Peek returns the number of the finding of a rewritten journal's line and what it
// turns against, without reading the rest: a prompt looks at hundreds of them. In a text
// the quotes of what is looked for would be escaped. The number is 0 for any other line.
func Peek(line []byte) (number int, target string) {
	_, rest, ok := bytes.Cut(line, []byte(`"finding":{"number":`))
	if !ok {
		return 0, ""
	}
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		number = 10*number + int(c-'0')
	}
	if _, rest, ok = bytes.Cut(rest, []byte(`"target":`)); ok {
		r := reader{s: string(rest)}
		target = r.text()
	}
	return number, target
}

// Moved returns the numbers of the findings whose state lines of a journal change.
func Moved(lines []byte) map[int]bool {
	moved := map[int]bool{}
	for line := range bytes.Lines(lines) {
		for _, n := range gjson.GetBytes(line, "numbers").Array() {
			moved[int(n.Int())] = true
		}
	}
	return moved
}
