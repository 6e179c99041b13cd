// Package memtool carries out the commands of the client's memory tool (memory_20250818) on a directory of
// notes: view, create, str_replace, insert, delete and rename. What is answered has the words in which the
// tool's documentation answers, since models know these.
//
// A command touches no file. It gets the notes as they are, and returns what it would change.
package memtool

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// Root is what the tool calls the directory.
const Root = "/memories"

// A Refusal is why a command is not carried out, in words for the model. They are the documentation's, which
// is why some are sentences.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// refused returns a Refusal.
func refused(format string, args ...any) error { return Refusal(fmt.Sprintf(format, args...)) }

// A Call is one call of the tool, as a model writes it.
type Call struct {
	Command    string  `json:"command"`
	Path       string  `json:"path,omitempty"`
	ViewRange  []int   `json:"view_range,omitempty"` // first and last line, from 1; -1 is the end
	FileText   *string `json:"file_text,omitempty"`
	OldStr     string  `json:"old_str,omitempty"`
	NewStr     string  `json:"new_str,omitempty"`
	InsertLine *int    `json:"insert_line,omitempty"` // behind this line, 0 for the beginning
	InsertText *string `json:"insert_text,omitempty"`
	OldPath    string  `json:"old_path,omitempty"`
	NewPath    string  `json:"new_path,omitempty"`
}

// Notes are the notes of a directory, by their paths below it, with slashes.
type Notes struct {
	Files  map[string]string
	Unread map[string]string // why there is no text of a file that is there
	Most   int               // bytes of one note; a larger one could not be read again
}

// Edits are what becomes of notes: their new texts, nil for those that go.
type Edits map[string]*string

// commands are those that a call can name.
var commands = []string{"view", "create", "str_replace", "insert", "delete", "rename"}

// Do carries out a call. It returns what the model is told, and what the call would change.
func (c Call) Do(n Notes) (said string, edits Edits, err error) {
	if !slices.Contains(commands, c.Command) {
		return "", nil, refused("Error: Unknown command: %s. The commands are view, create, str_replace, "+
			"insert, delete and rename", strconv.Quote(text.Shorten(c.Command, 40)))
	}
	path := c.Path
	if c.Command == "rename" {
		path = c.OldPath
	}
	at, err := n.parse(path)
	if err != nil {
		return "", nil, err
	}
	switch c.Command {
	case "view":
		said, err = n.view(at, c.ViewRange)
	case "create":
		said, edits, err = n.create(at, c.FileText)
	case "str_replace":
		said, edits, err = n.replace(at, c.OldStr, c.NewStr)
	case "insert":
		said, edits, err = n.insert(at, c.InsertLine, c.InsertText)
	case "delete":
		said, edits, err = n.remove(at)
	case "rename":
		said, edits, err = n.rename(at, c.NewPath)
	}
	if err == nil {
		err = edits.check(n.Most)
	}
	if err != nil {
		return "", nil, err
	}
	return said, edits, nil
}

// check returns an error if something can't be written as it is.
func (e Edits) check(most int) error {
	for _, path := range slices.Sorted(maps.Keys(e)) {
		after := e[path]
		if after == nil {
			continue
		}
		shown := Root + "/" + path
		if err := plan.CheckMarkdown(path); err != nil {
			var wrong *plan.PathError
			if errors.As(err, &wrong) {
				err = errors.New(wrong.Trouble)
			}
			return refused("Error: Invalid path %s. It %s", shown, err)
		}
		switch kinds := secret.Kinds(*after); {
		case len(kinds) > 0:
			return refused("Error: %s would hold a secret (%s). Leave it out", shown,
				strings.Join(kinds, ", "))
		case text.HasUnseen(*after): // a person says yes to what they see
			return refused("Error: %s would hold characters that nobody sees (%s). Leave them out", shown,
				unseen(*after))
		case strings.TrimSpace(*after) == "":
			return refused("Error: %s would be empty. Delete it instead", shown)
		case len(*after) > most:
			return refused("Error: %s would have %d KiB. A note has at most %d", shown, len(*after)>>10,
				most>>10)
		}
	}
	return nil
}

// unseen names the first character of a text that nobody sees: "U+200B".
func unseen(s string) string {
	for r := range text.Unseen(s) {
		return fmt.Sprintf("%U", r)
	}
	return ""
}

// ParsePath returns the path below the directory that a path of the tool names, "" for the directory. It
// never leads out of the directory.
func ParsePath(path string) (string, error) {
	wrong := func(why string) (string, error) {
		return "", refused("Error: Invalid path %s. %s", strconv.Quote(text.Shorten(path, 200)), why)
	}
	rest, ok := strings.CutPrefix(path, Root)
	if !ok || rest != "" && rest[0] != '/' {
		return wrong("Every path begins with " + Root)
	}
	if rest == "" || rest == "/" {
		return "", nil
	}
	rest = strings.TrimSuffix(rest[1:], "/")
	for name := range strings.SplitSeq(rest, "/") {
		switch {
		case name == "" || name == "." || name == "..":
			return wrong("It must name one place below " + Root + " directly")
		case strings.HasPrefix(name, "."):
			return wrong("Hidden files are not shown")
		case strings.Contains(name, `\`) || text.Safe(name) != name:
			return wrong("It has characters that a name may not have")
		}
	}
	return rest, nil
}

// parse returns the path below the directory that a path of the tool names, as Resolve does.
func (n Notes) parse(path string) (string, error) {
	at, err := ParsePath(path)
	if err != nil {
		return "", err
	}
	there := slices.AppendSeq(slices.Collect(maps.Keys(n.Files)), maps.Keys(n.Unread))
	return Resolve(there, at), nil
}

// Resolve returns a path below a directory in the names that are there: two names that differ by their case
// only are one name, as they are on some disks. there are the paths of the files of the directory. What is
// not there stays as it is, and so does what several names there differ from.
func Resolve(there []string, at string) string {
	names := strings.Split(at, "/")
	for i, name := range names {
		above := strings.Join(append(slices.Clone(names[:i]), ""), "/")
		exact, like := false, []string(nil)
		for _, path := range there {
			rest, below := strings.CutPrefix(path, above)
			if is, _, _ := strings.Cut(rest, "/"); !below {
				continue
			} else if is == name {
				exact = true
				break
			} else if strings.EqualFold(is, name) && !slices.Contains(like, is) {
				like = append(like, is)
			}
		}
		switch {
		case exact:
		case len(like) == 1:
			names[i] = like[0]
		default:
			return strings.Join(names, "/")
		}
	}
	return strings.Join(names, "/")
}

// missing is the error for a path at which there is nothing that the command could work on.
func (n Notes) missing(at string) error {
	if why := n.Unread[at]; why != "" {
		return refused("Error: The path %s can't be read: it %s", shown(at), text.OneLine(why))
	}
	return refused("Error: The path %s does not exist. Please provide a valid path.", shown(at))
}

// shown returns a path as the tool names it.
func shown(at string) string { return strings.TrimSuffix(Root+"/"+at, "/") }

// taken reports whether something is at a path, or something whose name differs from it by its case only:
// for some file systems that is the same.
func (n Notes) taken(at string) bool {
	is := func(path string) bool {
		return strings.EqualFold(path, at) || len(path) > len(at) && path[len(at)] == '/' &&
			strings.EqualFold(path[:len(at)], at)
	}
	for path := range n.Files {
		if is(path) {
			return true
		}
	}
	for path := range n.Unread {
		if is(path) {
			return true
		}
	}
	return at == ""
}

// free returns an error if no note can be put at a path.
func (n Notes) free(at, taken string) error {
	if n.taken(at) {
		return Refusal(taken)
	}
	for above, i := at, strings.LastIndexByte(at, '/'); i > 0; i = strings.LastIndexByte(above, '/') {
		above = above[:i]
		if _, is := n.Files[above]; is {
			return refused("Error: Invalid path %s. %s is a file", shown(at), shown(above))
		}
	}
	return nil
}

// below returns the notes at a path or below it.
func (n Notes) below(at string) (paths []string) {
	for path := range n.Files {
		if at == "" || path == at || strings.HasPrefix(path, at+"/") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// whole returns an error if something at a path or below it has no text here, so that it can be neither
// moved nor deleted.
func (n Notes) whole(at string) error {
	for _, path := range slices.Sorted(maps.Keys(n.Unread)) {
		if path == at || strings.HasPrefix(path, at+"/") {
			return n.missing(path)
		}
	}
	return nil
}
