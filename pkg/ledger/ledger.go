// Package ledger keeps what was refused or lost, so that nothing fails
// silently: one JSON object per line in ledger.jsonl under the project's state
// folder. `keepsake doctor` shows it and the next prompt mentions once that
// there is something new. It holds no text of the conversation.
package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/text"
)

// An Entry is one failure.
type Entry struct {
	Time    time.Time `json:"time"`              // UTC
	Where   string    `json:"where"`             // the hook or verb
	Session string    `json:"session,omitempty"` // the client's session id
	What    string    `json:"what"`              // what was refused or lost
	Why     string    `json:"why,omitempty"`
}

// MaxSize is the size in bytes past which the ledger starts afresh; the full
// one is kept beside it as ledger.jsonl.1.
const MaxSize = 1 << 20

// openFlags keep a symlink or a FIFO in the ledger's place from being followed
// or waited for.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// maxText bounds What and Why, in bytes, so that one line is one write.
const maxText = 1000

// Append adds one entry. Lines are written whole with O_APPEND, so several
// processes can share a ledger without a lock.
func Append(path string, e Entry) error {
	e.Time = e.Time.UTC()
	e.What, e.Why = text.CutBytes(e.What, maxText), text.CutBytes(e.Why, maxText)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return disk.AppendLine(path, line, MaxSize)
}

// Tail returns the last n entries, oldest first. Lines that can't be read are
// passed over. No ledger is no entries.
func Tail(path string, n int) ([]Entry, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []Entry
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<10)
	for sc.Scan() {
		var e Entry
		if json.Unmarshal(bytes.TrimSpace(sc.Bytes()), &e) == nil && e.What != "" {
			all = append(all, e)
		}
	}
	return all[max(0, len(all)-n):], sc.Err()
}
