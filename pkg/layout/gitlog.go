package layout

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/disk"
)

// A HeadMove is one line of git's log of HEAD: when a checkout came to a commit, and by what command.
type HeadMove struct {
	From, Commit string // From is all zeros in the first line
	Time         time.Time
	Why          string // "commit: …", "checkout: moving from …", "pull: …"
}

// maxHeadLog is how much of such a log is read, in bytes.
const maxHeadLog = 32 << 20

// HeadMoves returns the moves of a checkout's HEAD, the oldest first. It is empty if git keeps no log,
// and outside of a checkout. It runs no git.
func (g GitIndex) HeadMoves() (moves []HeadMove, err error) {
	if g.File == "" {
		return nil, nil
	}
	text, err := disk.Read(filepath.Join(g.dir, "logs", "HEAD"), maxHeadLog)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return headMoves(text), nil
}

// maxLastMoves is how much of the end of such a log LastMoves reads, in bytes: some thirty moves.
const maxLastMoves = 8 << 10

// LastMoves returns the latest moves of a checkout's HEAD, the oldest first. A hook has time for it.
func (r *GitRefs) LastMoves() []HeadMove {
	f, info, err := disk.Open(filepath.Join(r.dir, "logs", "HEAD"))
	if r.dir == "" || err != nil {
		return nil
	}
	defer f.Close()
	from := max(0, info.Size()-maxLastMoves)
	text, err := io.ReadAll(io.NewSectionReader(f, from, maxLastMoves))
	if err != nil {
		return nil
	}
	if from > 0 { // the first line may have lost its beginning
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return headMoves(text)
}

// headMoves returns the moves that lines of the log say.
func headMoves(text []byte) (moves []HeadMove) {
	for line := range bytes.Lines(text) {
		head, why, _ := strings.Cut(strings.TrimRight(string(line), "\n"), "\t")
		f := strings.Fields(head)
		if len(f) < 4 {
			continue
		}
		// The name between may have blanks, the time and its zone have none.
		seconds, err := strconv.ParseInt(f[len(f)-2], 10, 64)
		if err != nil || !isObject(f[0]) || !isObject(f[1]) {
			continue
		}
		moves = append(moves, HeadMove{From: f[0], Commit: f[1], Time: time.Unix(seconds, 0), Why: why})
	}
	return moves
}

// isObject reports whether a text is the full name of an object.
func isObject(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
