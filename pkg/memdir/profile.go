package memdir

import "strings"

// A Profile is how a directory of memories is laid out.
type Profile struct {
	Name, Says string
	// Under is the number of lines that MEMORY.md stays under; 0 leaves it to the
	// client's own limit.
	Under int
	Topic int    // the most lines of a topic file; 0 for any number
	Form  Form   // of the index lines
	Shape string // the form, to be shown
	Keys  []string
	Types bool     // topic files have a type
	Title bool     // they begin with "# Title"
	Tree  []string // where topic files belong; none says anywhere
	Words int      // the most words of INDEX.md; 0 for profiles without it

	in scope
}

// scope is a set of profiles.
type scope uint8

const (
	inPointer scope = 1 << iota
	inDensity
	inTable
	anywhere = inPointer | inDensity | inTable
)

// profiles are all profiles. The first one is for an empty directory.
var profiles = [...]Profile{
	{
		Name: "pointer", Says: "MEMORY.md has one line for each topic file; the client's own form",
		Topic: 200, Form: Link, Shape: "- [Title](file.md) — hook",
		Keys: []string{"name", "description", "type"}, Types: true,
		in: inPointer,
	},
	{
		Name:  "density",
		Says:  "MEMORY.md has a sentence for each category, INDEX.md the overview, user/ and agent/ the text",
		Under: 30, Form: Keyword, Shape: "- **keyword**: one sentence → `path`", Title: true, Words: 1000,
		Tree: []string{"user/profile.md", "user/preferences/*.md", "user/entities/*.md",
			"user/events/DATE-*.md", "agent/cases/*.md", "agent/patterns/*.md"},
		in: inDensity,
	},
	{
		Name: "table", Says: "MEMORY.md is a routing table with the date of each topic file",
		Under: 50, Topic: 150, Form: Table, Shape: "| [file](file.md) | what it has | YYYY-MM-DD |",
		Keys: []string{"last_updated", "topics"},
		in:   inTable,
	},
}

// Profiles returns all profiles.
func Profiles() []Profile { return profiles[:] }

// Named returns the profile of that name.
func Named(name string) (Profile, bool) {
	for _, p := range profiles {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}

// ProfileOf returns the profile of that name, or the one that the files have; named reports which.
func ProfileOf(name string, files []File) (p Profile, named bool) {
	if p, named = Named(name); !named {
		p = Detect(files)
	}
	return p, named
}

// Detect finds the profile that a directory has: density by its INDEX.md or its
// folders, table by the rows of its index or the heads of its topic files, else
// pointer.
func Detect(files []File) Profile {
	base := baseOf(files)
	var index *File
	dated, typed := 0, 0
	for i, f := range files {
		if f.Path == base+overview {
			return profiles[1]
		}
		rest := strings.TrimPrefix(f.Path, base)
		for _, below := range [...]string{"user/profile.md", "user/preferences/", "user/entities/",
			"user/events/", "agent/cases/", "agent/patterns/"} {
			if strings.HasPrefix(rest, below) {
				return profiles[1]
			}
		}
		if f.Path == Index {
			index = &files[i]
		} else if roleOf(f.Path, base) == topic {
			head := string(f.Bytes[:min(len(f.Bytes), 1024)])
			switch {
			case strings.Contains(head, "last_updated:") && strings.Contains(head, "topics:"):
				dated++
			case strings.Contains(head, "description:"):
				typed++
			}
		}
	}
	forms := [Table + 1]int{}
	if index != nil {
		for _, r := range Refs(Parse(index.Bytes)) {
			forms[r.Form]++
		}
	}
	switch {
	case forms[Keyword] > forms[Link] && forms[Keyword] >= forms[Table]:
		return profiles[1]
	case forms[Table] > forms[Link], forms[Link] == 0 && dated > typed:
		return profiles[2]
	}
	return profiles[0]
}
