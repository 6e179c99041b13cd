package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// folders are the folders of the six categories. Package memory owns them, but may not be imported here; a
// test of package resolve compares the two.
var folders = []string{"sessions", "decisions", "runbooks", "constraints", "tech-debt", "preferences"}

// MaxDeep is how many folders deep a Markdown file may lie in a directory of memories.
const MaxDeep = 4

const (
	maxName = 255 // bytes of a file's or folder's name

	learnings = ".learnings" // the one hidden folder of a directory of memories
)

// PathError says why a path can be neither that of a record in a store nor that of a file in a directory of
// Markdown memories.
type PathError struct{ Path, Trouble string }

func (e *PathError) Error() string { return fmt.Sprintf("path %q: %s", e.Path, e.Trouble) }

// CheckPath returns an error unless p names a record (CheckRecord) or a Markdown file (CheckMarkdown). No
// path names both. The error is a *PathError.
func CheckPath(p string) error {
	if strings.HasSuffix(p, ".json") {
		return CheckRecord(p)
	}
	return CheckMarkdown(p)
}

// CheckRecord returns an error unless p names a record below a store's root: a known folder, one slash, a
// visible name of at most 255 bytes that ends in .json, and nothing that could lead elsewhere. The error is a
// *PathError.
func CheckRecord(p string) error {
	if trouble := leadsElsewhere(p); trouble != "" {
		return &PathError{p, trouble}
	}
	folder, name, ok := strings.Cut(p, "/")
	switch {
	case !ok || strings.Contains(name, "/") || !slices.Contains(folders, folder):
		return &PathError{p, "must be <folder>/<id>.json with a known folder"}
	case strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".json") || name == ".json" ||
		len(name) > maxName:
		return &PathError{p, "must end in <id>.json"}
	}
	return nil
}

// CheckMarkdown returns an error unless p names a file of a directory of Markdown memories. It must end in
// .md, in any case, and lie at most MaxDeep folders deep. No name on the way may be hidden, longer than 255
// bytes or able to lead elsewhere. The one hidden folder allowed is .learnings, below which files may also
// end in .yaml. No folder may be named like a file, so a file never stands where a folder must go. The error
// is a *PathError.
func CheckMarkdown(p string) error {
	if trouble := leadsElsewhere(p); trouble != "" {
		return &PathError{p, trouble}
	}
	names := strings.Split(p, "/")
	last := len(names) - 1
	lessons := last > 0 && names[0] == learnings
	for i, name := range names {
		switch {
		case len(name) > maxName:
			return &PathError{p, "has a name of more than 255 bytes"}
		case strings.HasPrefix(name, ".") && (i > 0 || !lessons):
			return &PathError{p, "has a hidden name"}
		case i < last && (endsIn(name, ".md") || endsIn(name, ".yaml")):
			return &PathError{p, "has a folder that is named like a file"}
		}
	}
	switch name := names[last]; {
	case last > MaxDeep:
		return &PathError{p, fmt.Sprintf("lies more than %d folders deep", MaxDeep)}
	case !endsIn(name, ".md") && !(lessons && endsIn(name, ".yaml")):
		return &PathError{p, "must end in .md, as a Markdown file does"}
	}
	return nil
}

func endsIn(name, ending string) bool { return strings.EqualFold(path.Ext(name), ending) }

// leadsElsewhere returns why a path may lead out of its root folder or be displayed as another path; "" if it
// does neither.
func leadsElsewhere(p string) string {
	switch {
	case !utf8.ValidString(p) || strings.ContainsFunc(p, isMisleading):
		return "has characters that a path may not have"
	case path.IsAbs(p) || path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../"):
		return "must be relative, clean and inside the store"
	}
	return ""
}

// isMisleading reports whether r is invisible, changes the direction of text, or separates names on another
// system. The joiners and selectors that emoji and some scripts need do not count.
func isMisleading(r rune) bool {
	switch r {
	case '\\':
		return true
	case '\u200c', '\u200d', '\ufe0e', '\ufe0f':
		return false
	}
	return unicode.IsControl(r) || text.IsInvisible(r)
}
