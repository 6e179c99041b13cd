package erase

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

// A Target is the memory or the finding that is to be forgotten.
type Target struct {
	Path    string         // of the record, "" for none
	Record  *memory.Stored // nil if it is gone and only its history is left
	Finding *finding.Status
}

// FindTarget returns the memory or finding that what names: by the number of a finding, by an id or the
// beginning of one, or by words that only one title or statement has. With forGood it also finds one that
// no longer holds, and a record of which only the history is left. An agent finds no finding that only the
// person may know of, and names what is only in the history by its whole id, since it may be held.
func FindTarget(st *store.Store, loaded store.Loaded, book *finding.Book, what string,
	forGood, agent bool) (t Target, err error) {
	named := loaded.Paths()
	if n, ok := finding.ParseNumber(what); ok && !slices.ContainsFunc(named,
		func(p string) bool { return store.IsNamed(p, what) }) {
		if f, ok := book.Find(n); ok && agent && f.State.Waits() && f.PersonOnly() {
			return t, fmt.Errorf("[%d] waits for the person: no agent is told of it, or answers it", n)
		}
		return findNumber(loaded, book, n, forGood)
	}
	if forGood {
		err := st.History(func(a store.Applied) bool {
			for _, e := range a.Edits {
				if !agent || store.IsNamed(e.Path, what) {
					named = append(named, e.Path)
				}
			}
			return true
		}, nil)
		if err != nil {
			return t, err
		}
		for _, f := range book.Each(nil) { // of one that was deleted, and not all of it
			if plan.CheckRecord(f.To) == nil && !slices.Contains(named, f.To) &&
				(!agent || store.IsNamed(f.To, what)) {
				named = append(named, f.To)
			}
		}
	}
	for _, b := range loaded.Bad { // a file that can't be read is not another one
		if path, _ := store.Named("forget", what, []string{b.Path}); path != "" {
			return t, fmt.Errorf("%s: %w; hint: keepsake doctor says what to do about it", b.Path, b.Err)
		}
	}
	path, err := store.Named("forget", what, named)
	if err != nil || path != "" && store.IsNamed(path, what) {
		return Target{Path: path, Record: loaded.At(path)}, err
	}
	var found []Target
	hints := ""
	if path != "" { // by the beginning of its id, which may be a word of others
		found = append(found, Target{Path: path, Record: loaded.At(path)})
		hints += "; hint: keepsake forget " + store.IDOf(path)
	}
	words := wordsIn(what)
	for i, r := range loaded.Records {
		if r.Path != path && hasWords(r.Title, words) && (forGood || r.Status == memory.Active) {
			found = append(found, Target{Path: r.Path, Record: &loaded.Records[i]})
			hints += fmt.Sprintf("; hint: keepsake forget %s: %s", r.ID, brief.Line(r.Title))
		}
	}
	for _, w := range book.Waiting() {
		if hasWords(w.Text, words) && !(agent && w.PersonOnly()) {
			found = append(found, Target{Finding: &w})
			hints += fmt.Sprintf("; hint: keepsake forget %d: %q", w.Number,
				text.Shorten(brief.Line(w.Text), answer.SnippetRunes))
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return t, fmt.Errorf("%s: no such memory or finding; hint: keepsake list shows the ids, keepsake "+
			"recall finds by words", what)
	}
	return t, fmt.Errorf("%s: %d fit, and nothing was forgotten%s", what, len(found), hints)
}

// findNumber returns a finding by its number, or the memory that it became.
func findNumber(loaded store.Loaded, book *finding.Book, number int, forGood bool) (t Target, err error) {
	s, ok := book.Find(number)
	switch {
	case !ok:
		return t, fmt.Errorf("[%d]: there is no such finding; hint: keepsake inbox lists what waits in this "+
			"project", number)
	case s.State.Kept() && plan.CheckRecord(s.To) == nil:
		return Target{Path: s.To, Record: loaded.At(s.To)}, nil
	case !s.State.Waits() && !forGood:
		return t, fmt.Errorf("[%d] no longer waits: %s; hint: --for-good deletes what it says", number,
			s.Became())
	}
	return Target{Finding: &s}, nil
}

// wordsIn returns the words of a text, in lower case.
func wordsIn(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// hasWords reports whether a text has all of some words.
func hasWords(s string, words []string) bool {
	all := wordsIn(s)
	return len(words) > 0 && !slices.ContainsFunc(words,
		func(w string) bool { return !slices.Contains(all, w) })
}
