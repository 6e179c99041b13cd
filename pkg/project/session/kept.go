package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"keepsake/pkg/disk"
	"keepsake/pkg/search/kept"
)

// keptVersion is the version of the forms of what countKept keeps.
const keptVersion = 1

// maxKept bounds such a file, in bytes.
const maxKept = 1 << 20

// keptCount is a file in the cache that has what was counted, and what it was counted of.
type keptCount[T any] struct {
	Of    string `json:"of"`
	Count T      `json:"count"`
}

// countKept returns what count counts, or what it gave when it was last called with the same name and of. of
// says which state of its files is counted; "" for one that can't be told, of which nothing is kept. A status
// line asks often, and mostly nothing has changed.
func countKept[T any](pl *Place, name, of string, count func() (T, error)) (T, error) {
	path := pl.CachePath(fmt.Sprintf("count-%s-%d.json", name, keptVersion))
	if path == "" || of == "" {
		return count()
	}
	var was keptCount[T]
	if b, err := disk.Read(path, maxKept); err == nil && json.Unmarshal(b, &was) == nil && was.Of == of {
		return was.Count, nil
	}
	now, err := count()
	if err != nil || pl.looks && absent(string(pl.state())) {
		return now, err
	}
	b, err := json.Marshal(keptCount[T]{of, now})
	if err == nil && len(b) <= maxKept {
		err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), disk.Replace(path, b, 0o600))
	}
	if err != nil {
		pl.Fault("count", "what is counted can't be kept, and is counted again by every call", err)
	}
	return now, nil
}

// CountHeld returns what count counts of the records and of what is known of them, or what it gave when both
// were as they are now.
func (ms *Memories) CountHeld(at Look, count func() (int, error)) (int, error) {
	if at.records == "" {
		return count()
	}
	log := "-"
	if info, err := os.Lstat(ms.Records().Log()); err == nil {
		log = fmt.Sprint(kept.FileOf(info))
	}
	return countKept(ms.Place, "held", fmt.Sprint(at.records, " ", log, " ", ms.isGitTracked()), count)
}
