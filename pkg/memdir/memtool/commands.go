package memtool

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/secret"
)

// deep is how many levels a view of a directory shows.
const deep = 2

func (n Notes) view(at string, lines []int) (string, error) {
	if content, is := n.Files[at]; is {
		return viewFile(at, secret.Redact(content), lines)
	}
	paths := n.below(at)
	switch {
	case at != "" && len(paths) == 0:
		return "", n.missing(at)
	case len(lines) > 0:
		return "", refused("Error: The `view_range` parameter is not allowed when `path` points to a " +
			"directory.")
	}
	sizes := map[string]int{}
	for _, path := range paths {
		size := len(n.Files[path])
		sizes[at] += size
		rest := strings.TrimPrefix(strings.TrimPrefix(path, at), "/")
		names := strings.Split(rest, "/")
		if slices.ContainsFunc(names, func(s string) bool { return strings.HasPrefix(s, ".") }) ||
			slices.Contains(names, "node_modules") {
			continue
		}
		for i := range min(len(names), deep) {
			sizes[strings.TrimPrefix(at+"/"+strings.Join(names[:i+1], "/"), "/")] += size
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Here're the files and directories up to %d levels deep in %s, excluding hidden items "+
		"and "+
		"node_modules:\n%s\t%s", deep, shown(at), size(sizes[at]), shown(at))
	delete(sizes, at)
	all := make([]string, 0, len(sizes))
	for path := range sizes {
		all = append(all, path)
	}
	slices.Sort(all)
	for _, path := range all {
		fmt.Fprintf(&b, "\n%s\t%s", size(sizes[path]), shown(path))
	}
	return b.String(), nil
}

// size returns a number of bytes as a list of files shows it.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%dB", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1fK", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1fM", float64(n)/(1<<20))
}

// linesOf returns the lines of a text, without their ends.
func linesOf(content string) []string {
	return strings.Split(strings.TrimSuffix(content, "\n"), "\n")
}

func viewFile(at, content string, of []int) (string, error) {
	lines := linesOf(content)
	first, last := 1, len(lines)
	if len(of) > 0 {
		bad := len(of) != 2
		if !bad {
			if first = of[0]; of[1] != -1 {
				last = of[1]
			}
			bad = first < 1 || first > len(lines) || last < first
		}
		if bad {
			return "", refused("Error: Invalid `view_range` parameter: %v. It should be two lines of the "+
				"file, from 1 to %d, or -1 for its end", of, len(lines))
		}
		last = min(last, len(lines))
	}
	return fmt.Sprintf("Here's the content of %s with line numbers:\n%s", shown(at),
		numbered(lines, first, last)), nil
}

// numbered returns lines from first to last, each behind its number.
func numbered(lines []string, first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		if i > first {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%6d\t%s", i, lines[i-1])
	}
	return b.String()
}

func (n Notes) create(at string, content *string) (string, Edits, error) {
	if content == nil {
		return "", nil, refused("Error: create needs `file_text`")
	}
	if err := n.free(at, fmt.Sprintf("Error: File %s already exists", shown(at))); err != nil {
		return "", nil, err
	}
	if strings.TrimSpace(*content) == "" {
		return "", nil, refused("Error: %s would be empty. Give it a text", shown(at))
	}
	return "File created successfully at: " + shown(at), Edits{at: content}, nil
}

// around is how many lines are shown on each side of a change.
const around = 3

func (n Notes) replace(at, old, with string) (string, Edits, error) {
	content, is := n.Files[at]
	if !is {
		return "", nil, n.missing(at)
	}
	switch count := strings.Count(content, old); {
	case old == "" || count == 0:
		return "", nil, refused("No replacement was performed, old_str `%s` did not appear verbatim in %s.",
			old, shown(at))
	case count > 1:
		var lines []string
		for from := 0; ; {
			i := strings.Index(content[from:], old)
			if i < 0 {
				break
			}
			lines = append(lines, fmt.Sprint(1+strings.Count(content[:from+i], "\n")))
			from += i + len(old)
		}
		return "", nil, refused("No replacement was performed. Multiple occurrences of old_str `%s` in "+
			"lines: "+
			"%s. Please ensure it is unique", old, strings.Join(lines, ", "))
	}
	begin := strings.Index(content, old)
	after := content[:begin] + with + content[begin+len(old):]
	lines := linesOf(secret.Redact(after))
	line := 1 + strings.Count(content[:begin], "\n")
	last := min(len(lines), line+strings.Count(with, "\n")+around)
	return "The memory file has been edited. Here's the snippet of " + shown(at) + " with line numbers:\n" +
		numbered(lines, min(max(1, line-around), last), last), Edits{at: &after}, nil
}

func (n Notes) insert(at string, line *int, inserted *string) (string, Edits, error) {
	if inserted == nil {
		return "", nil, refused("Error: insert needs `insert_text`")
	}
	content, is := n.Files[at]
	if !is {
		return "", nil, n.missing(at)
	}
	lines := linesOf(content)
	if line == nil || *line < 0 || *line > len(lines) {
		given := "none"
		if line != nil {
			given = fmt.Sprint(*line)
		}
		return "", nil, refused("Error: Invalid `insert_line` parameter: %s. It should be within the "+
			"range of "+
			"lines of the file: [0, %d]", given, len(lines))
	}
	after := strings.Join(slices.Insert(lines, *line, linesOf(*inserted)...), "\n")
	if strings.HasSuffix(content, "\n") || *line == len(lines) && strings.HasSuffix(*inserted, "\n") {
		after += "\n"
	}
	return fmt.Sprintf("The file %s has been edited.", shown(at)), Edits{at: &after}, nil
}

func (n Notes) remove(at string) (string, Edits, error) {
	if at == "" {
		return "", nil, refused("Error: Cannot delete the " + Root + " directory itself")
	}
	if err := n.whole(at); err != nil {
		return "", nil, err
	}
	edits := Edits{}
	for _, path := range n.below(at) {
		edits[path] = nil
	}
	if len(edits) == 0 {
		return "", nil, refused("Error: The path %s does not exist", shown(at))
	}
	return "Successfully deleted " + shown(at), edits, nil
}

func (n Notes) rename(at, newPath string) (string, Edits, error) {
	to, err := n.parse(newPath)
	switch {
	case err != nil:
		return "", nil, err
	case at == "":
		return "", nil, refused("Error: Cannot rename the " + Root + " directory itself")
	case strings.HasPrefix(to+"/", at+"/") && to != at:
		return "", nil, refused("Error: Invalid path %s. It lies in %s", shown(to), shown(at))
	}
	if err := n.whole(at); err != nil {
		return "", nil, err
	}
	paths := n.below(at)
	if len(paths) == 0 {
		return "", nil, refused("Error: The path %s does not exist", shown(at))
	}
	if err := n.free(to, fmt.Sprintf("Error: The destination %s already exists", shown(to))); err != nil {
		return "", nil, err
	}
	edits := Edits{}
	for _, path := range paths {
		content := n.Files[path]
		edits[path] = nil
		edits[to+strings.TrimPrefix(path, at)] = &content
	}
	return fmt.Sprintf("Successfully renamed %s to %s", shown(at), shown(to)), edits, nil
}
