package erase

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/project/session"
)

// unshow takes a record out of what sessions of the project have been shown, and puts
// what their last saves came to through clean.
func unshow(s *session.Session, record string, clean func(string) string) error {
	all, err := s.Sessions().All()
	errs := []error{err}
	for _, st := range all {
		given := func(g usage.Given) bool { return g.Path == record }
		known := slices.Contains(st.Shown, record) || slices.Contains(st.Saved, record) ||
			slices.ContainsFunc(st.Given, given)
		said := st.Result != nil && clean(st.Result.Line) != st.Result.Line
		if !known && !said {
			continue
		}
		errs = append(errs, s.Sessions().Update(st.Session, st, func(st *stage.State) error {
			is := func(path string) bool { return path == record }
			st.Shown, st.Saved = slices.DeleteFunc(st.Shown, is), slices.DeleteFunc(st.Saved, is)
			st.Given = slices.DeleteFunc(st.Given, given)
			if st.Result != nil {
				st.Result.Line = clean(st.Result.Line)
			}
			return nil
		}))
	}
	return errors.Join(errs...)
}

// eraseFromDesks takes what is to be forgotten off the desks of the project's sessions, those
// under way and those that are over: the findings of some numbers, drafts of these, drafts
// and plans in which clean finds something, and what it finds in the rest.
func eraseFromDesks(s *session.Session, numbers []int, clean func(string) string) error {
	var errs []error
	for _, base := range []string{filepath.Dir(s.Desk.Dir), s.Pending().Dir} {
		desks, err := stage.Desks(base)
		errs = append(errs, err)
		for _, desk := range desks {
			errs = append(errs, eraseFromDesk(desk, numbers, clean))
		}
	}
	return errors.Join(errs...)
}

func eraseFromDesk(d stage.Desk, numbers []int, clean func(string) string) error {
	names, err := d.Files()
	errs := []error{err}
	var lost []memory.Category   // a statement that drafters were given
	drafted := false             // a draft of one was there, and perhaps a plan made of it
	for _, name := range names { // contexts come first, by their names
		b, err := d.Read(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		c, cerr := stage.ParseContext(b)
		if cerr != nil {
			if findsIn(b, clean) || coversAny(b, numbers) || draftOfAny(name, b, lost) ||
				drafted && (name == stage.PlanName || stage.IsVerify(name)) {
				drafted = true
				_, err := d.Remove(name)
				errs = append(errs, err)
			}
			continue
		}
		left := c.Without(numbers)
		left.Snippets = slices.DeleteFunc(left.Snippets,
			func(s stage.Snippet) bool { return clean(s.Text) != s.Text })
		text := string(b)
		if len(left.Snippets) < len(c.Snippets) {
			text = string(left.Encode())
			lost = append(lost, c.Category)
		}
		switch next := clean(text); {
		case next == string(b):
		case len(c.Snippets) > 0 && len(left.Snippets) == 0:
			_, err = d.Remove(name)
		default:
			err = d.Write(name, []byte(next))
		}
		errs = append(errs, err)
	}
	if drafted {
		for _, name := range names {
			if name == stage.PlanName || stage.IsVerify(name) {
				_, err := d.Remove(name)
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// findsIn reports whether clean finds something in a text of a file.
func findsIn(b []byte, clean func(string) string) bool {
	found := false
	memory.RewriteJSON(b, func(text string) string {
		found = found || clean(text) != text
		return text
	})
	return found
}

// coversAny reports whether a file has a draft of one of some findings, a plan among
// others.
func coversAny(b []byte, numbers []int) bool {
	return slices.ContainsFunc(coveredIn(b), func(n int) bool { return slices.Contains(numbers, n) })
}

// coveredIn returns the numbers of the findings that the drafts in a file name.
func coveredIn(b []byte) (numbers []int) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // which is what draft.Numbers reads
	var v any
	if d.Decode(&v) == nil {
		numbers = covered(v)
	}
	objects, _ := draft.Objects(b) // what is no JSON but for a slip
	for _, o := range objects {
		numbers = append(numbers, covered(o)...)
	}
	return numbers
}

// covered returns the numbers of the findings that the drafts anywhere in a value name.
func covered(v any) (numbers []int) {
	switch v := v.(type) {
	case []any:
		for _, part := range v {
			numbers = append(numbers, covered(part)...)
		}
	case map[string]any:
		for name, part := range v {
			if name == "covers" || name == "findings" {
				numbers = append(numbers, draft.Numbers(part)...)
			}
			numbers = append(numbers, covered(part)...)
		}
	}
	return numbers
}

// draftOfAny reports whether a file is a draft that names no finding, of one of some
// categories: it may be of what was taken off the desk, and its drafter can draft the
// rest again.
func draftOfAny(name string, b []byte, categories []memory.Category) bool {
	return slices.ContainsFunc(categories, func(c memory.Category) bool {
		return strings.HasPrefix(name, "intent-"+string(c)+".")
	}) && len(coveredIn(b)) == 0
}
