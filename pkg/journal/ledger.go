package journal

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

// A Failure is one entry of a project's failure ledger, a line of JSON: something that was refused or
// lost. So nothing fails silently: keepsake doctor shows it, and the next prompt mentions once that there
// is a new one. It holds no text of the conversation.
type Failure struct {
	Time    time.Time `json:"time"`              // UTC
	Where   string    `json:"where"`             // the hook or verb
	Session string    `json:"session,omitempty"` // the client's session id
	What    string    `json:"what"`              // what was refused or lost
	Why     string    `json:"why,omitempty"`
}

// maxFailures is the size in bytes past which the ledger starts afresh; the full
// one is kept beside it as ledger.jsonl.1.
const maxFailures = 1 << 20

// failureFlags keep a symlink or a FIFO in the ledger's place from being followed
// or waited for.
const failureFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// maxFailureText bounds What and Why, in bytes, so that one line is one write.
const maxFailureText = 1000

// AppendFailure adds one failure to a ledger. Lines are written whole with O_APPEND, so several
// processes can share a ledger without a lock.
func AppendFailure(path string, e Failure) error {
	e.Time = e.Time.UTC()
	e.What, e.Why = text.CutBytes(e.What, maxFailureText), text.CutBytes(e.Why, maxFailureText)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return disk.AppendLine(path, line, maxFailures)
}

// Failures returns the last n failures, oldest first. Lines that can't be read are
// passed over. No ledger is no entries.
func Failures(path string, n int) ([]Failure, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|failureFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []Failure
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<10)
	for sc.Scan() {
		var e Failure
		if json.Unmarshal(bytes.TrimSpace(sc.Bytes()), &e) == nil && e.What != "" {
			all = append(all, e)
		}
	}
	return all[max(0, len(all)-n):], sc.Err()
}
