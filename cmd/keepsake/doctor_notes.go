package main

import (
	"fmt"
	"os"
	"path/filepath"

	"keepsake/pkg/notes"
)

// checkNotes says which directories of Markdown memories there are, and what is wrong
// with what Keepsake keeps of them in its own folder.
func checkNotes(p patient) (out []diagnosis) {
	p.Settle()
	for _, at := range p.call.memoryDirs(p.Session, "") {
		own := p.Beside(at.root)
		if redo := filepath.Join(own, redoFile); !isAbsent(lstat(redo)) {
			out = append(out, diagnosis{State: wrong, What: "a plan for " + at.root +
				" is begun and not finished",
				Remedy: "see that " + at.root + " and " + own + " can be written, or update keepsake: the next command then finishes it; leave " + redo + " as it is"})
		}
		out = append(out, setAsideOf(own)...)
		all, more, err := notes.List(at.root)
		switch {
		case isAbsent(err):
			out = append(out, diagnosis{What: "no Markdown memories yet in " + at.root})
		case err != nil:
			out = append(out, diagnosis{State: wrong, What: err.Error(), Remedy: "see what is at " + at.root})
		default:
			files := count(len(all), "file")
			if more {
				files = "more than " + files
			}
			out = append(out, diagnosis{What: fmt.Sprintf("%s of Markdown memories in %s", files, at.root)})
		}
	}
	return out
}

func lstat(path string) error {
	_, err := os.Lstat(path)
	return err
}
