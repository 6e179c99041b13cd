package lessons

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// Merge merges two versions of a journal that come from base, which is empty if there was none. Lessons that
// either side added are there, those that one side took out are not, and of one that came up on both sides
// the days are united. ok is false if both sides changed the words of one lesson, or what stands above the
// first: then a person has to choose. The line breaks are those of ours.
func Merge(base, ours, theirs []byte) (merged []byte, ok bool) {
	mine := markdown.Parse(ours)
	if len(ours) == 0 {
		mine = markdown.Parse(theirs)
	}
	b, ok1 := blocksOf(markdown.Parse(base))
	o, ok2 := blocksOf(markdown.Parse(ours))
	t, ok3 := blocksOf(markdown.Parse(theirs))
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	names := []string{""} // what stands above the first lesson stays there
	for _, all := range []blocks{o, t} {
		for _, name := range all.names {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	var out []string
	for _, name := range names {
		text, ok := mergeBlock(b.text[name], o.text[name], t.text[name])
		if !ok {
			return nil, false
		}
		if text != "" {
			out = append(out, text)
		}
	}
	text := strings.Join(out, "\n\n") + "\n"
	return []byte(strings.ReplaceAll(text, "\n", mine.EOL())), true
}

// mergeBlock returns the text of one lesson, "" if one side took it out.
func mergeBlock(base, ours, theirs string) (string, bool) {
	switch {
	case ours == theirs, base == theirs:
		return ours, true
	case base == ours:
		return theirs, true
	case ours == "" || theirs == "":
		return "", false
	}
	o, oDays, at := withoutDays(ours)
	t, tDays, _ := withoutDays(theirs)
	_, bDays, _ := withoutDays(base)
	switch {
	case !slices.Equal(o, t):
		return "", false
	case at < 0: // nobody counted it there
		return mergeBlock(base, theirs, ours)
	}
	for _, day := range tDays {
		if !slices.Contains(oDays, day) && !slices.Contains(bDays, day) {
			oDays = append(oDays, day)
		}
	}
	oDays = slices.DeleteFunc(oDays, func(day string) bool {
		return slices.Contains(bDays, day) && !slices.Contains(tDays, day)
	})
	slices.Sort(oDays)
	lines := strings.Split(ours, "\n")
	label, _, _ := strings.Cut(lines[at], ":")
	closing := ""
	if strings.HasPrefix(lines[at], label+":**") {
		closing = "**"
	}
	lines[at] = label + ":" + closing + " " + strings.Join(oDays, ", ")
	return strings.Join(lines, "\n"), true
}

// withoutDays returns the lines of a lesson without the one that has its days, the days, and where that line
// stands; -1 for none.
func withoutDays(block string) (rest, days []string, at int) {
	at = -1
	for i, line := range strings.Split(block, "\n") {
		if all, ok := seen(strings.TrimSpace(line)); ok && at < 0 {
			days, at = all, i
			continue
		}
		rest = append(rest, line)
	}
	return rest, days, at
}

// blocks are a journal in parts: what stands above the first heading of a lesson, and each lesson by its
// heading, with plain line breaks.
type blocks struct {
	names []string
	text  map[string]string
}

// blocksOf cuts a journal. ok is false if two lessons have one heading, or if code is not closed: what is put
// behind it would be a part of that.
func blocksOf(journal markdown.Doc) (all blocks, ok bool) {
	all.text = map[string]string{}
	name, lines, twice := "", []string{}, false
	end := func() {
		text := strings.Trim(strings.Join(lines, "\n"), "\n")
		if text == "" {
			return
		}
		if _, there := all.text[name]; there {
			twice = true
		}
		all.names, all.text[name] = append(all.names, name), text
	}
	for i, line := range journal.Lines {
		if journal.HeadingLevel(i) == 2 {
			end()
			name, lines = line.Text, nil
		}
		lines = append(lines, line.Text)
	}
	end()
	return all, !twice && !journal.Open
}
