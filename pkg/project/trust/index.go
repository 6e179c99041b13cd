package trust

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sort"

	"keepsake/pkg/disk"
)

// The index is a header and sorted rows of fixed size. The header says how much of
// the log it covers, and has the digest of the last bytes of that: a log that was
// written anew has another index.
const (
	magic  = "keepsake records 1\n"
	header = len(magic) + 8 + 16
	row    = 8 + 8 + 4 + 4 // keys of path and digest, and where the line begins and how long it is
	ending = 512           // bytes before the end that are looked at
)

// A key finds the rows of a path, and among them the one of a digest.
type key struct{ path, digest uint64 }

func keyOf(path, digest string) key {
	sum := sha256.Sum256([]byte(path))
	var d [8]byte
	_, _ = hex.Decode(d[:], []byte(digest[:min(len(digest), 16)&^1])) // a digest that is none finds nothing
	return key{binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(d[:])}
}

func (k key) compare(l key) int {
	return cmp.Or(cmp.Compare(k.path, l.path), cmp.Compare(k.digest, l.digest))
}

// A span is where a line stands in the log.
type span struct{ from, to int }

// lastLines returns the last line of each record and version that counts.
func lastLines(text []byte) map[key]span {
	last := map[key]span{}
	versions := map[uint64][]key{} // the oldest first
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			break // being written, or cut short
		}
		if e, ok := parse(text[at : at+end]); ok {
			k := keyOf(e.Path, e.Digest)
			all := slices.DeleteFunc(versions[k.path], func(l key) bool { return l == k })
			if len(all) == maxVersions {
				delete(last, all[0])
				all = all[1:]
			}
			versions[k.path] = append(all, k)
			last[k] = span{at, at + end}
		}
		at += end + 1
	}
	return last
}

// cover makes the index anew where much of the log stands behind it, and the log
// where most of it is over. What fails costs time, and nothing else.
func (r Records) cover() {
	v, err := r.View()
	if err != nil {
		return
	}
	stale := len(v.tail) > maxTail
	v.Close()
	if !stale {
		return
	}
	text, err := disk.Read(r.Log(), maxLog)
	if err != nil {
		return
	}
	last := lastLines(text)
	live := 0
	for _, s := range last {
		live += s.to - s.from + 1
	}
	if len(text) > slack && live < len(text)/2 {
		spans := make([]span, 0, len(last))
		for _, s := range last {
			spans = append(spans, s)
		}
		slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
		fresh := make([]byte, 0, live)
		for _, s := range spans {
			fresh = append(append(fresh, text[s.from:s.to]...), '\n')
		}
		if disk.Write(r.Log(), fresh, 0o600) != nil {
			return
		}
		text, last = fresh, lastLines(fresh)
	}
	_ = disk.Write(r.index(), indexOf(text, last), 0o600)
}

// indexOf returns the index of a log.
func indexOf(text []byte, last map[key]span) []byte {
	covered := bytes.LastIndexByte(text, '\n') + 1
	keys := make([]key, 0, len(last))
	for k := range last {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, key.compare)
	b := append(make([]byte, 0, header+len(keys)*row), magic...)
	b = binary.BigEndian.AppendUint64(b, uint64(covered))
	b = append(b, seal(text[max(0, covered-ending):covered])...)
	for _, k := range keys {
		b = binary.BigEndian.AppendUint64(b, k.path)
		b = binary.BigEndian.AppendUint64(b, k.digest)
		b = binary.BigEndian.AppendUint32(b, uint32(last[k].from))
		b = binary.BigEndian.AppendUint32(b, uint32(last[k].to-last[k].from))
	}
	return b
}

func seal(end []byte) []byte {
	sum := sha256.Sum256(end)
	return sum[:16]
}

// openIndex opens the index if it is one of the log, and returns how much it covers.
func (v *View) openIndex(path string) (covered int64) {
	f, info, err := disk.Open(path)
	if err != nil {
		return 0
	}
	head := make([]byte, header)
	if _, err := f.ReadAt(head, 0); err == nil && string(head[:len(magic)]) == magic {
		covered = int64(binary.BigEndian.Uint64(head[len(magic):]))
		if covered > 0 && covered <= v.size && (info.Size()-int64(header))%int64(row) == 0 {
			end := make([]byte, min(covered, ending))
			if _, err := v.log.ReadAt(end, covered-int64(len(end))); err == nil &&
				bytes.Equal(seal(end), head[len(magic)+8:]) {
				v.index, v.rows = f, int((info.Size()-int64(header))/int64(row))
				return covered
			}
		}
	}
	f.Close()
	return 0
}

// find returns the entry of a version of a record from the index.
func (v *View) find(path, digest string) (Entry, bool) {
	k := keyOf(path, digest)
	at := sort.Search(v.rows, func(i int) bool { return v.row(i).key.compare(k) >= 0 })
	for ; at < v.rows; at++ {
		r := v.row(at)
		if r.key != k || r.to-r.from > maxLine {
			break
		}
		line := make([]byte, r.to-r.from)
		if _, err := v.log.ReadAt(line, int64(r.from)); err != nil {
			break
		}
		if e, ok := parse(line); ok && e.Path == path && e.Digest == digest {
			return e, true
		}
	}
	return Entry{}, false
}

// maxLine bounds a line that is read, in bytes.
const maxLine = 1 << 20

type indexRow struct {
	key
	span
}

// row reads a row of the index; one that can't be read stands behind all others.
func (v *View) row(i int) indexRow {
	var b [row]byte
	if _, err := v.index.ReadAt(b[:], int64(header+i*row)); err != nil {
		return indexRow{key{^uint64(0), ^uint64(0)}, span{}}
	}
	from := int(binary.BigEndian.Uint32(b[16:]))
	return indexRow{
		key{binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])},
		span{from, from + int(binary.BigEndian.Uint32(b[20:]))},
	}
}
