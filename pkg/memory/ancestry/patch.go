package ancestry

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

// A patch is what a commit changes, whatever else its files say and where in them: the names of files, and
// the lines that go and come. Two commits with the same sum did the same.
type patch struct {
	authored
	sum [sha256.Size]byte
}

// begins is the beginning of a line that names a commit before its changes, in the output that patches reads:
// no line of a diff without context begins so.
const begins = "commit "

// patches returns the patch of each commit in what git log -p -U0 printed, in its order. A commit that changes
// nothing has none.
func patches(log []byte) (all []patch) {
	var p patch
	var index []byte // the line that names the two versions of a file
	sum, filled := sha256.New(), false
	end := func() {
		if filled {
			sum.Sum(p.sum[:0])
			all = append(all, p)
		}
		sum.Reset()
		filled = false
	}
	for line := range bytes.Lines(log) {
		if name, is := bytes.CutPrefix(line, []byte(begins)); is {
			end()
			p.commit, p.by, _ = strings.Cut(strings.TrimSpace(string(name)), " ")
			continue
		}
		switch {
		case bytes.HasPrefix(line, []byte("index ")):
			index = bytes.Clone(line)
			continue
		case bytes.HasPrefix(line, []byte("Binary files ")):
			line = index // its lines are not shown
		case bytes.IndexByte([]byte("+-d"), line[0]) < 0:
			continue // of the lines before the first hunk only names count
		}
		sum.Write(bytes.TrimRight(line, "\r\n"))
		sum.Write([]byte{'\n'})
		filled = true
	}
	end()
	return all
}
