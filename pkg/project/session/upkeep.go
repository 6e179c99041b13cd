package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/memdir"
)

// DueLogs counts the daily logs among the project's Markdown memories that are more than a week
// old, by their names alone. It returns the count once a day, to whichever session asks first, and
// 0 after that.
func (md *Memdir) DueLogs(now time.Time) (int, error) {
	dir := md.MemoryDir()
	t := md.readTold(dir)
	if t.Upkeep == today(now) {
		return 0, nil
	}
	names, err := logNames(dir)
	due := len(memdir.Due(names, now))
	if err != nil || due == 0 {
		return 0, err
	}
	t.Upkeep = today(now)
	return due, md.writeTold(dir, t)
}

func today(now time.Time) string { return now.Local().Format(time.DateOnly) }

// logNames returns the names in a directory of Markdown memories where daily logs may lie. Names of
// folders end in a slash.
func logNames(dir string) (names []string, err error) {
	if dir == "" {
		return nil, nil
	}
	for below := ""; ; below = "memory/" {
		entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(below)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			switch {
			case e.IsDir():
				names = append(names, below+e.Name()+"/")
			case e.Type().IsRegular():
				names = append(names, below+e.Name())
			}
		}
		if below != "" || !slices.Contains(names, "memory/") {
			return names, nil
		}
	}
}

// Limits of what a hook archives by itself.
const (
	upkeepLimit = 2 * time.Second // when the writing must be over, the reading before it
	upkeepBytes = 4 << 20         // of all memories together: what is read
)

// Upkeep archives what is due among the project's Markdown memories, once a day. It returns what it
// did and the digest of its plan.
func (md *Memdir) Upkeep(ctx context.Context, now time.Time) (acts []memdir.Act, digest string, err error) {
	dir := md.MemoryDir()
	t := md.readTold(dir)
	if dir == "" || t.Upkeep == today(now) {
		return nil, "", nil
	}
	all, err := listMemories(dir)
	if err != nil || len(all) == 0 {
		return nil, "", err
	}
	t.Upkeep = today(now)
	if err := md.writeTold(dir, t); err != nil {
		return nil, "", err
	}
	ctx, stop := context.WithTimeout(ctx, upkeepLimit)
	defer stop()
	size := int64(0)
	for _, f := range all {
		size += f.Size
	}
	if size > upkeepBytes {
		return nil, "",
			fmt.Errorf("%s: %d bytes of memories are too many for a hook; hint: keepsake md upkeep -w", dir,
				size)
	}
	d, err := ReadMemories(dir, now, func(string, string) {})
	if err != nil || d.Unread[memdir.Index] != "" { // lint says it
		return nil, "", err
	}
	k := memdir.Upkeep(d, md.profile(d.Files))
	if len(k.Plan.Edits) == 0 {
		return nil, "", nil
	}
	if err := md.Notes(dir).Apply(ctx, k.Plan); err != nil {
		return nil, "", err
	}
	return k.Acts, k.Plan.Digest(), nil
}
