package ancestry

import (
	"bytes"
	"hash/maphash"
	"strings"
)

// A patch is a commit with what it changes: the lines that go and come in each file, wherever in it.
type patch struct {
	authored
	lines map[uint64]bool
	files map[string]bool // as the diff names them
}

// sharesFile reports whether two patches change the same file.
func (p patch) sharesFile(other patch) bool {
	for f := range p.files {
		if other.files[f] {
			return true
		}
	}
	return false
}

// hasAll reports whether a patch changes all that another one does, which is something.
func (p patch) hasAll(other patch) bool {
	for l := range other.lines {
		if !p.lines[l] {
			return false
		}
	}
	return len(other.lines) > 0
}

// begins is the beginning of a line that names a commit before its changes, in the output that patches reads:
// no line of a diff without context begins so.
const begins = "commit "

// seed makes the numbers of lines, which no other process sees.
var seed = maphash.MakeSeed()

// patches returns the patch of each commit in what git log -p -U0 printed, in its order.
func patches(log []byte) (all []patch) {
	var p patch
	var file, index []byte // the lines that name a file, and its two versions
	change := func(line []byte) {
		var h maphash.Hash
		h.SetSeed(seed)
		h.Write(file)
		h.Write(bytes.TrimRight(line, "\r\n"))
		p.lines[h.Sum64()] = true
	}
	for line := range bytes.Lines(log) {
		name, is := bytes.CutPrefix(line, []byte(begins))
		switch {
		case is:
			p = patch{lines: map[uint64]bool{}, files: map[string]bool{}}
			p.commit, p.by, _ = strings.Cut(strings.TrimSpace(string(name)), " ")
			all = append(all, p)
		case p.lines == nil: // nothing is named yet
		case bytes.HasPrefix(line, []byte("diff ")):
			file = line
			p.files[string(line)] = true
		case bytes.HasPrefix(line, []byte("index ")):
			index = line
		case bytes.HasPrefix(line, []byte("Binary files ")):
			change(index) // its lines are not shown
		case bytes.HasPrefix(line, []byte("deleted file ")):
			change(line)
		case line[0] != '+' && line[0] != '-', len(bytes.TrimSpace(line[1:])) == 0:
		case bytes.HasPrefix(line, []byte("+++ ")), bytes.HasPrefix(line, []byte("--- ")):
		default:
			change(line)
		}
	}
	return all
}
