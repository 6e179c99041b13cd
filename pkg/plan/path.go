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

// folders are those of the six categories. Package memory owns them; words do
// not import each other, so a test of resolve holds the two together.
var folders = []string{"sessions", "decisions", "runbooks", "constraints", "tech-debt", "preferences"}

// MaxDeep is how many folders of a directory of memories a Markdown file may lie in.
const MaxDeep = 4

const (
	maxName = 255 // bytes of a file's or folder's name

	learnings = ".learnings" // the one hidden folder of a directory of memories
)

// PathError is a path that can be neither a record of a store nor a file of a
// directory of Markdown memories.
type PathError struct{ Path, Trouble string }

func (e *PathError) Error() string { return fmt.Sprintf("path %q: %s", e.Path, e.Trouble) }

// CheckPath says whether p names a record (CheckRecord) or a Markdown file
// (CheckMarkdown). No path names both. The error is a *PathError.
func CheckPath(p string) error {
	if strings.HasSuffix(p, ".json") {
		return CheckRecord(p)
	}
	return CheckMarkdown(p)
}

// CheckRecord says whether p names a record below a store's root: a known folder,
// one slash, a visible name that ends in .json, at most 255 bytes, and nothing
// that could lead elsewhere. The error is a *PathError.
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

// CheckMarkdown says whether p names a file of a directory of Markdown memories:
// it ends in .md, in upper or lower case, lies at most four folders deep, and no
// name on the way is hidden, is longer than 255 bytes or could lead elsewhere. Below
// .learnings, the one hidden folder there is, files may end in .yaml too. No folder
// is named like a file, so no file is ever in the way of another's folder. The
// error is a *PathError.
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

// leadsElsewhere says why a path may lead out of the folder that it is below, or
// show as another one; "" if it does neither.
func leadsElsewhere(p string) string {
	switch {
	case !utf8.ValidString(p) || strings.ContainsFunc(p, misleads):
		return "has characters that a path may not have"
	case path.IsAbs(p) || path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../"):
		return "must be relative, clean and inside the store"
	}
	return ""
}

// misleads reports whether r is not seen, turns what is written around, or parts names elsewhere. The joiners
// and selectors that emoji and some scripts need do not count.
func misleads(r rune) bool {
	switch r {
	case '\\':
		return true
	case '\u200c', '\u200d', '\ufe0e', '\ufe0f':
		return false
	}
	return unicode.IsControl(r) || text.IsInvisible(r)
}
