package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/records"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A MemoryFile is a topic file of the project's Markdown memories, with what its frontmatter says.
type MemoryFile struct {
	Path string // below the directory, with slashes
	memdir.About
}

// Drafters are told of the maxManifest files of a directory that changed last. A prompt looks
// through maxPointed of them.
const (
	maxManifest = 40
	maxPointed  = 1000
)

// maxAbout is how much of a description a drafter is told, in runes.
const maxAbout = 160

// listMemories returns the files of a directory of memories, none where it does not exist.
func listMemories(dir string) ([]mdwalk.Stat, error) {
	all, _, err := mdwalk.List(dir)
	if dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return all, err
}

// describeTopics returns what at most n topic files of a directory say of themselves, the one that
// changed last first. Files without a description are left out.
func describeTopics(dir string, all []mdwalk.Stat, n int) (files []MemoryFile) {
	paths := make([]string, len(all))
	modified := make(map[string]time.Time, len(all))
	for i, f := range all {
		paths[i], modified[f.Name] = f.Name, f.Modified
	}
	topics := memdir.Topics(paths)
	slices.SortStableFunc(topics, func(a, b string) int { return modified[b].Compare(modified[a]) })
	for _, name := range topics[:min(n, len(topics))] {
		begin, _, _, err := mdwalk.Head(filepath.Join(dir, filepath.FromSlash(name)), memdir.HeadBytes)
		if err != nil {
			continue // it was taken away meanwhile, or nobody may read it
		}
		if f := (MemoryFile{name, memdir.AboutOf(begin)}); f.Description != "" {
			files = append(files, f)
		}
	}
	return files
}

// Manifest returns a line "[type] file: description" for each topic file of the project's Markdown
// memories. It tells a drafter what the client's own memory has.
func (md *Memdir) Manifest() ([]string, error) {
	dir := md.MemoryDir()
	all, err := listMemories(dir)
	var lines []string
	for _, f := range describeTopics(dir, all, maxManifest) {
		line := f.Path + ": " + text.Shorten(secret.Redact(f.Description), maxAbout)
		if f.Type != "" {
			line = "[" + f.Type + "] " + line
		}
		lines = append(lines, line)
	}
	return lines, err
}

// Pointed returns at most n topic files of the project's Markdown memories that a prompt is clearly
// about, by what their frontmatter says, best first. It leaves out those that wanted rejects. As
// long as no file changed it costs a look at the folder and a search.
func (md *Memdir) Pointed(prompt string, n int, wanted func(path string) bool) (found []MemoryFile,
	err error) {
	dir := md.MemoryDir()
	all, err := listMemories(dir)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	ix, err := md.topicIndex(dir, all)
	if err != nil {
		return nil, err
	}
	hits, err := ix.Search(records.PromptQuery(withoutDigits(prompt), n+maxManifest))
	hits = slices.DeleteFunc(hits, func(h records.Hit) bool { return !wanted(h.Path) })
	for i, h := range hits {
		if len(found) == n {
			break
		}
		if i > 0 && h.Score == hits[i-1].Score || i+1 < len(hits) && h.Score == hits[i+1].Score {
			continue // as near as another one: the prompt is clearly about neither
		}
		found = append(found, MemoryFile{h.Path, memdir.About{Description: h.Title}})
	}
	return found, err
}

// withoutDigits returns a prompt without its words of one digit, as in "step 2": they are of no subject.
func withoutDigits(prompt string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(prompt), func(w string) bool {
		w = strings.Trim(w, ".,:;!?()[]#\"'`")
		return len(w) == 1 && w[0] >= '0' && w[0] <= '9'
	}), " ")
}

// topicIndex returns the search index of what topic files say of themselves. It is in the cache as
// long as no file of the directory changed.
func (md *Memdir) topicIndex(dir string, all []mdwalk.Stat) (*records.Index, error) {
	var state strings.Builder
	fmt.Fprintf(&state, "%s\n", dir)
	for _, f := range all {
		fmt.Fprintf(&state, "%s %s\n", f.Name, f.State)
	}
	key := plan.DigestOf([]byte(state.String()))
	path := md.CachePath(fmt.Sprintf("memdir-%d.idx", records.Version))
	if path != "" {
		if b, err := disk.Read(path, maxTopics); err == nil && len(b) > len(key) &&
			string(b[:len(key)]) == key {
			if ix, err := openTopics(b[len(key):]); err == nil {
				return ix, nil
			}
		}
	}
	change := records.New().Change()
	for _, f := range describeTopics(dir, all, maxPointed) {
		// The index knows only records, and their category makes no difference to it.
		change.Put(memory.Stored{Path: f.Path, Record: memory.Record{
			Category: memory.Preference, Status: memory.Active, Title: f.Description,
			Content: memory.Content{"topic": f.Name + "\n" + f.Title},
		}})
	}
	base, _, err := change.Done()
	if err != nil {
		return nil, err
	}
	if path != "" {
		err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			disk.Replace(path, slices.Concat([]byte(key), base), 0o600))
	}
	if err != nil {
		md.Fault("memdir",
			"what memory files say of themselves is read again at every prompt, since it can't be kept", err)
	}
	return openTopics(base)
}

func openTopics(base []byte) (*records.Index, error) {
	return records.Open(bytes.NewReader(base), int64(len(base)), nil)
}

// maxTopics bounds the index of topic files, in bytes.
const maxTopics = 16 << 20
