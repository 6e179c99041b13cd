package brief

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
)

// Tidy is the skill that puts a directory of Markdown memories in order.
const Tidy = "keepsake:tidy"

// SnapshotTime is the layout of a snapshot's name: its second in UTC, without the Z.
const SnapshotTime = "2006-01-02T15:04:05"

// maxGone is how many deleted files are named.
const maxGone = 3

// Vanished returns a line for the person about Markdown memories that are gone since a time, and how to
// bring them back. It is "" without names. root is the root scope's directory if the files were there,
// and "" if they were the project's.
func Vanished(names []string, since time.Time, root string) string {
	if len(names) == 0 {
		return ""
	}
	count, were := "1 memory file", "was"
	if len(names) > 1 {
		count, were = strconv.Itoa(len(names))+" memory files", "were"
	}
	of := ""
	if root != "" {
		count += " of the root scope"
		of = " --dir " + ShellWord(Line(root))
	}
	var shown []string
	for _, n := range names[:min(len(names), maxGone)] {
		shown = append(shown, cut(Line(n), maxDescription))
	}
	list := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		list += " and " + strconv.Itoa(more) + " more"
	}
	from := since.UTC().Format(SnapshotTime) + "Z" + of
	return fmt.Sprintf("keepsake: %s %s deleted since %s, not by keepsake: %s (keepsake md snapshot diff "+
		"%s shows them, keepsake md snapshot restore --from %s brings them back)",
		count, were, since.UTC().Format("2006-01-02 15:04Z"), list, from, from)
}

// Rewritten is a memory file of which statements are gone since it was written anew, or of which some have
// other numbers.
type Rewritten struct {
	Name    string
	Lines   int
	Changed []memdir.Renumbered
}

// Limits of what is told of lines with other numbers.
const (
	maxChanged     = 2
	maxChangedText = 60
)

// LostLines returns a line for the person about statements that are gone from memory files since a time, or
// have other numbers, as Vanished does for files.
func LostLines(files []Rewritten, since time.Time, root string) string {
	n, changed := 0, 0
	var lost, now []string
	for _, f := range files {
		name := cut(Line(f.Name), maxDescription)
		if f.Lines > 0 {
			n += f.Lines
			lost = append(lost, fmt.Sprintf("%s (%d)", name, f.Lines))
		}
		for _, c := range f.Changed {
			if changed++; changed <= maxChanged {
				was, is := sameBegun(c.Was, c.Is)
				now = append(now, fmt.Sprintf("%s was %s, now %s", name, quoted(was, maxChangedText),
					quoted(is, maxChangedText)))
			}
		}
	}
	of, scope := "", ""
	if root != "" {
		scope, of = " of the root scope", " --dir "+ShellWord(Line(root))
	}
	at := since.UTC().Format("2006-01-02 15:04Z")
	other := ""
	if changed > 0 {
		lines, have := "1 line", "has"
		if changed > 1 {
			lines, have = strconv.Itoa(changed)+" lines", "have"
		}
		if n > 0 {
			other = fmt.Sprintf("; %s %s other numbers: %s", lines, have, strings.Join(now, "; "))
		} else {
			other = fmt.Sprintf("%s%s %s other numbers since %s, not by keepsake: %s", lines, scope, have, at,
				strings.Join(now, "; "))
		}
		if more := changed - len(now); more > 0 {
			other += "; and " + strconv.Itoa(more) + " more"
		}
	}
	said := ""
	if n > 0 {
		lines, were := "1 line", "was"
		if n > 1 {
			lines, were = strconv.Itoa(n)+" lines", "were"
		}
		list := strings.Join(lost[:min(len(lost), maxGone)], ", ")
		if more := len(lost) - maxGone; more > 0 {
			list += " and " + strconv.Itoa(more) + " more"
		}
		said = fmt.Sprintf("%s%s %s lost since %s where memory files were written anew, not by keepsake: %s",
			lines, scope, were, at, list)
	}
	if said += other; said == "" {
		return ""
	}
	from := since.UTC().Format(SnapshotTime) + "Z" + of
	return fmt.Sprintf("keepsake: %s (keepsake md snapshot diff %s shows them, keepsake md snapshot restore "+
		"FILE --from %s brings the old version back)", said, from, from)
}

// sameBegun returns two lines without most of what both begin with, if that is long.
func sameBegun(a, b string) (string, string) {
	a, b = strings.TrimSpace(markdown.TrimMarks(a)), strings.TrimSpace(markdown.TrimMarks(b))
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if at := strings.LastIndexByte(a[:max(0, same-maxChangedText/3)], ' '); at > maxChangedText/3 {
		return "…" + a[at:], "…" + b[at:]
	}
	return a, b
}

// ShellWord returns a path as one word of a command.
func ShellWord(path string) string {
	if strings.ContainsAny(path, " \t") {
		return `"` + path + `"`
	}
	return path
}

// Overgrown returns a suggestion to put MEMORY.md, the file at path, in order. found are lint's findings;
// without any it returns "".
func Overgrown(found []memdir.Finding, path string) string {
	if len(found) == 0 {
		return ""
	}
	var faults []string
	say := func(fault string, rules ...string) {
		if slices.ContainsFunc(found, func(f memdir.Finding) bool { return slices.Contains(rules, f.Rule) }) {
			faults = append(faults, fault)
		}
	}
	say("is longer than what is loaded of it", "index-cut")
	say("has more lines than an index should", "index-long")
	say("holds paragraphs", "index-paragraph")
	say("holds content instead of pointers", "index-content", "index-stream", "index-history")
	last := len(faults) - 1
	said := faults[last]
	if last > 0 {
		said = strings.Join(faults[:last], ", ") + " and " + said
	}
	return "<memory-note>The index of this project's memory files " + said + " [source: " + Text(path, 0) +
		"]. " +
		"If the user wants it in order: the skill `" + Tidy +
		"`, or `keepsake md fix -d`, which only shows what rules would change.</memory-note>"
}

// A Pointer is a memory file that a prompt is about.
type Pointer struct{ Path, Description string }

// Pointed returns a line for each memory file that may help with a prompt.
func Pointed(files []Pointer) string {
	var b strings.Builder
	for _, f := range files {
		b.WriteString("<memory-note>Memory file that may help: " + Text(f.Path, 0) + " — " +
			Text(f.Description, maxDescription) + "</memory-note>\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Doubtful returns a warning about the age of a memory file that an agent is about to read.
func Doubtful(d memdir.Doubt) string {
	if d.Bare {
		return "Keepsake: this memory file doesn't say how old it is: treat it as stale and check its " +
			"entries before relying on them."
	}
	return fmt.Sprintf("Keepsake: this memory file %s %s, %d days ago: check its entries before relying on "+
		"them.", d.Says, d.At.Format(time.DateOnly), d.Days)
}

// Stale returns the same warning for a result of a search.
func Stale(d memdir.Doubt) string {
	if d.Bare {
		return "nobody knows how old it is; check it"
	}
	return fmt.Sprintf("%s %s, %d days ago; check it", strings.TrimPrefix(d.Says, "was "),
		d.At.Format(time.DateOnly), d.Days)
}
