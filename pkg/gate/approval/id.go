package approval

import (
	"crypto/sha256"
	"encoding/hex"

	"keepsake/pkg/text"
)

// shortID returns n letters of a digest of everything that an answer must match: the call's digest, its
// session and project, its working directory, what the person was told and what a promotion would write.
func shortID(r Request, n int) string {
	about := r.Digest + "\x00" + r.Session + "\x00" + r.Project + "\x00" + r.Cwd + "\x00" +
		firstLine(r.Reason)
	if r.Writes != "" {
		about += "\x00" + r.Writes
	}
	return text.ShortID(about, n)
}

// isID reports whether s can be an id, and so the name of a file.
func isID(s string) bool {
	return len(s) >= 6 && len(s) <= 12 && text.IsShortID(s)
}

// useName returns the file name for the client's id of a call: the id if it has only plain letters, else a
// digest of it. If use is "", it returns the id of the request.
func useName(use, id string) string {
	if use == "" {
		return id
	}
	for i := 0; i < len(use); i++ {
		c := use[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') ||
			len(use) > 100 {
			sum := sha256.Sum256([]byte(use))
			return hex.EncodeToString(sum[:12])
		}
	}
	return use
}
