package finding

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// Peek returns the number of the finding of a rewritten journal's line and what it
// turns against, without reading the rest. The number is 0 for any other line.
func Peek(line []byte) (number int, target string) {
	f := gjson.GetBytes(line, "finding")
	return int(f.Get("number").Int()), f.Get("target").String()
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
