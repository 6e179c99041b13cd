package checks

import (
	"bytes"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/project/verify"
)

// How the file of a cache begins, how many records it may have, and how large it may be, in bytes.
const cacheHead, maxChecked, maxCheckCache = "checks 2\n", 200_000, 32 << 20

// A checkCache is what is known of the checks of this worktree's records. It is derived and made anew.
//
// Its file has a line for each record and, below, one for each check of it, of parts between tabs. A
// session's start reads it whole, which takes a tenth of the time that JSON does.
type checkCache struct {
	Records map[string]*checkedRecord // by path
}

// A checkedRecord is what is known of the checks of one version of a record's file.
type checkedRecord struct {
	Time, Size int64 // of the file, as memory.File has them
	Digest     string
	Checks     []checkedLine // none for a record that can't become false, or is not active
	Expires    *checkedLine
}

// A checkedLine is a check, or what a field expires says, with its verdict. A text that expires has Fails.
type checkedLine struct {
	Line  string
	State string // what it looked at, when it had its verdict; see verify.Project.State
	Was   verify.Result
}

// The kinds of lines.
const recordLine, checkLine, expiryLine = "r", "c", "e"

// readChecks returns the cache at a path, empty where there is none that can be read.
func readChecks(path string) checkCache {
	none := checkCache{Records: map[string]*checkedRecord{}}
	if path == "" {
		return none
	}
	b, err := disk.Read(path, maxCheckCache)
	if err != nil {
		return none
	}
	if c, ok := parseChecks(string(b)); ok {
		return c
	}
	return none
}

// parseChecks reads a cache. ok is false for a text that this program did not write.
func parseChecks(text string) (c checkCache, ok bool) {
	rest, ok := strings.CutPrefix(text, cacheHead)
	if !ok || len(rest) > 0 && !strings.HasSuffix(rest, "\n") {
		return c, false
	}
	c.Records = make(map[string]*checkedRecord, strings.Count(rest, "\n"+recordLine+"\t")+1)
	var r *checkedRecord
	for line := range strings.Lines(rest) {
		var f [5]string
		n := 0
		for part := range strings.SplitSeq(strings.TrimSuffix(line, "\n"), "\t") {
			if n == len(f) {
				return c, false
			}
			f[n] = part
			n++
		}
		switch {
		case n == len(f) && f[0] == recordLine && f[1] != "" && len(c.Records) < maxChecked:
			r = &checkedRecord{Digest: f[4]}
			var err1, err2 error
			r.Time, err1 = strconv.ParseInt(f[2], 10, 64)
			r.Size, err2 = strconv.ParseInt(f[3], 10, 64)
			if err1 != nil || err2 != nil {
				return c, false
			}
			c.Records[f[1]] = r
		case n == len(f) && r != nil && f[0] == checkLine:
			r.Checks = append(r.Checks, checkedLineOf(f))
		case n == len(f) && r != nil && f[0] == expiryLine:
			l := checkedLineOf(f)
			r.Expires = &l
		default:
			return c, false
		}
	}
	return c, true
}

func checkedLineOf(f [5]string) checkedLine {
	return checkedLine{Line: f[1], State: f[2], Was: verify.Result{Verdict: verify.Verdict(f[3]), Why: f[4]}}
}

// encode returns the text of a cache. A record with a part that has a tab or ends a line is left out: it is
// read again the next time.
func (c checkCache) encode() []byte {
	var b bytes.Buffer
	b.WriteString(cacheHead)
	for name, r := range c.Records {
		from, whole := b.Len(), true
		line := func(parts ...string) {
			for i, p := range parts {
				whole = whole && !strings.ContainsAny(p, "\t\n")
				if i > 0 {
					b.WriteByte('\t')
				}
				b.WriteString(p)
			}
			b.WriteByte('\n')
		}
		line(recordLine, name, strconv.FormatInt(r.Time, 10), strconv.FormatInt(r.Size, 10), r.Digest)
		for _, l := range r.Checks {
			line(checkLine, l.Line, l.State, string(l.Was.Verdict), l.Was.Why)
		}
		if l := r.Expires; l != nil {
			line(expiryLine, l.Line, l.State, string(l.Was.Verdict), l.Was.Why)
		}
		if !whole {
			b.Truncate(from)
		}
	}
	return b.Bytes()
}

func writeChecks(path string, c checkCache) error {
	if path == "" {
		return nil
	}
	if err := disk.MakeDir(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text := c.encode()
	if len(text) > maxCheckCache {
		return errors.New("the cache of checks is too large")
	}
	return disk.Replace(path, text, 0o600)
}
