package memdir

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// Kept reports whether files look like a directory of memories that somebody keeps, and not like documents
// that Format should not touch. Such a directory has a MEMORY.md or topic files with frontmatter. An index
// leads to most of its topic files, or they have frontmatter. None of its files is a usual document of a
// project, like README.md. If it isn't one, why is the reason.
func Kept(files []File, p Profile) (ok bool, why string) {
	v := look(Dir{Files: files}, p)
	known := v.reached()
	all, ours, headed := 0, 0, 0
	for pg := range v.topics {
		head := pg.doc.Front.Has("description") || pg.doc.Front.Has("topics") ||
			pg.doc.Front.Has("last_updated") || pg.doc.Front.Has("metadata")
		if !head {
			switch name := strings.ToUpper(markdown.TrimExt(path.Base(pg.Path))); name {
			case "README", "CLAUDE", "AGENTS", "GEMINI", "CHANGELOG", "CONTRIBUTING", "LICENSE", "SECURITY",
				"CODE_OF_CONDUCT", "SKILL":
				return false, pg.Path + " is a document of a project"
			}
		}
		all++
		if head {
			headed++
		}
		if head || known[pg.Path] || v.fits(strings.TrimPrefix(pg.Path, v.base)) {
			ours++
		}
	}
	switch {
	case v.index() == nil && v.at[v.base+overview] == nil && headed == 0:
		return false, "it has neither a MEMORY.md nor a file with frontmatter"
	case 2*ours < all:
		return false, "most of its files have no frontmatter, and no MEMORY.md leads to them"
	}
	return true, ""
}

// Undated reports whether a file has frontmatter that lacks the date that the profile wants in it.
func Undated(f File, p Profile) bool {
	if !slices.Contains(p.Keys, "last_updated") {
		return false
	}
	h := Parse(f.Bytes).Front
	return h.Lines > 0 && valueOf(h, "last_updated") == ""
}

// Timely reports whether a file has relative dates that can be replaced if it is known when their lines
// were written.
func Timely(f File) bool {
	if !timely(lower(string(f.Bytes))) {
		return false
	}
	for _, l := range Parse(f.Bytes).Lines {
		for _, s := range spots(l.Text) {
			if s.exact {
				return true
			}
		}
	}
	return false
}
