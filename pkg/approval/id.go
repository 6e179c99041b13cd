package approval

import (
	"crypto/sha256"
	"encoding/hex"

	"keepsake/pkg/text"
)

// shortID is n letters of the call's digest, its session and its project, of where
// it would run, of what the person was told and of what a promotion would write: an
// answer to one is none to another.
func shortID(r Request, n int) string {
	about := r.Digest + "\x00" + r.Session + "\x00" + r.Project + "\x00" + r.Cwd + "\x00" +
		firstLine(r.Reason)
	if r.Writes != "" {
		about += "\x00" + r.Writes
	}
	return text.ShortID(about, n)
}

// isID says that s can be an id, and so the name of a file.
func isID(s string) bool {
	return len(s) >= 6 && len(s) <= 12 && text.IsShortID(s)
}

// name is the file name for the client's id of a call: the id itself when it is
// made of plain letters, else a digest of it. A client that gives none is left
// with the id of the request.
func name(use, id string) string {
	if use == "" {
		return id
	}
	for i := 0; i < len(use); i++ {
		c := use[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') || len(use) > 100 {
			sum := sha256.Sum256([]byte(use))
			return hex.EncodeToString(sum[:12])
		}
	}
	return use
}
