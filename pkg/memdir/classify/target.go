package classify

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/memdir"
)

// once reports whether the statement becomes a file of its own, which is never changed.
func (j *job) once() bool { return j.p.Tree != nil && j.where.once }

// among reports whether a file may hold an entry that says nearly the same: a file of the same folder, or
// of the same type.
func (j *job) among(file string) bool {
	switch {
	case j.m.Once(file):
		return false
	case j.p.Tree != nil:
		dir := j.m.Base() + j.where.density
		return file == dir || strings.HasSuffix(dir, "/") && strings.HasPrefix(file, dir)
	case j.p.Types:
		doc, _, _ := j.m.Doc(file)
		t, _ := doc.Front.Get("metadata.type", "type")
		return t == "" || t == j.where.pointer
	}
	return true
}

// target returns the path of the file that the statement goes to.
func (j *job) target() (string, error) {
	switch {
	case j.p.Tree != nil:
		return j.layered()
	case j.p.Types:
		return j.typed(), nil
	}
	return j.tabled(), nil
}

// layered returns the path of the statement's file in user/ or agent/.
func (j *job) layered() (string, error) {
	dir := j.m.Base() + j.where.density
	switch {
	case !strings.HasSuffix(dir, "/"):
		return dir, nil
	case j.where.once:
		name := j.Topic
		if name == "" {
			name = j.name()
		}
		if j.where.density == "user/events/" {
			name = j.date[:len("2006-01")] + "-" + name
		}
		return j.free(dir + name), nil
	case j.Topic != "":
		return j.like(dir + j.Topic + ".md"), nil
	}
	if file := j.belongs(dir); file != "" {
		return file, nil
	}
	switch j.where.density {
	case "user/entities/":
		name := j.entity()
		if name == "" {
			return "", &Wrong{"nothing says whether this is about people, tools or projects",
				"say --topic people, --topic tools or --topic projects"}
		}
		return dir + name + ".md", nil
	case "user/preferences/":
		return dir + preference(j.Text) + ".md", nil
	}
	return j.free(dir + j.name()), nil
}

// entity returns the name of the file for an entity, by the kind or by the words. It is "" if neither
// decides.
func (j *job) entity() string {
	switch j.where.kind {
	case "project":
		return "projects"
	case "reference":
		return "tools"
	}
	said := spaced(j.Text)
	best, name, tied := 0, "", false
	for _, c := range [...]struct{ name, words string }{
		{"people",
			"owner lead maintains maintainer contact on-call responsible colleague manager email phone " +
				"team he she person vendor supplier engineer designer customer client"},
		{"tools",
			"tool tools editor version database server service hosted cli library framework plugin runs " +
				"installed dashboard api account license ci"},
		{"projects", "project deadline milestone release roadmap repository repo product launch status"},
	} {
		n := 0
		for w := range strings.FieldsSeq(c.words) {
			if strings.Contains(said, " "+w+" ") {
				n++
			}
		}
		switch {
		case n > best:
			best, name, tied = n, c.name, false
		case n == best:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return name
}

// preference returns which file of preferences a statement belongs to. It is "tech" unless the words decide
// otherwise.
func preference(text string) string {
	said := spaced(text)
	for _, c := range [...]struct{ name, words string }{
		{"communication",
			"answer answers reply replies tone language emoji concise brief verbose wording summary " +
				"summaries explain explanations formal informal english german french"},
		{"learning", "learn learning learns course tutorial tutorials book books study practise practice"},
		{"lifestyle",
			"coffee tea music travel sleep food vegetarian vegan morning mornings evening evenings weekend " +
				"weekends holiday holidays sport"},
	} {
		for w := range strings.FieldsSeq(c.words) {
			if strings.Contains(said, " "+w+" ") {
				return c.name
			}
		}
	}
	return "tech"
}

// belongs returns the only file of a folder whose name consists of words of the statement. It is "" if
// there is none, or more than one.
func (j *job) belongs(dir string) (found string) {
	said := spaced(j.Text)
	for file := range j.m.Topics {
		if path.Dir(file)+"/" != dir {
			continue
		}
		all := true
		for _, w := range strings.FieldsFunc(strings.ToLower(strings.TrimSuffix(path.Base(file), ".md")),
			func(r rune) bool {
				return r == '-' || r == '_'
			}) {
			all = all && (strings.Contains(said, " "+w+" ") ||
				strings.Contains(said, " "+strings.TrimSuffix(w, "s")+" "))
		}
		if !all {
			continue
		}
		if found != "" {
			return ""
		}
		found = file
	}
	return found
}

// typed returns the path of a file in the client's form: a new one, or the one that --topic names.
func (j *job) typed() string {
	t := j.where.pointer
	if j.Topic != "" {
		for _, name := range [...]string{j.Topic, t + "_" + j.Topic,
			t + "_" + strings.ReplaceAll(j.Topic, "-", "_")} {
			if file := j.like(name + ".md"); j.has(file) {
				return file
			}
		}
		return t + "_" + j.Topic + ".md"
	}
	return j.free(t + "_" + j.name())
}

// tabled returns the path of the topic file of the kind: the file of that name in any folder, else the only
// file that has the name among its topics.
func (j *job) tabled() string {
	name := j.Topic
	if name == "" {
		name = j.where.table
	}
	var listed []string
	for file := range j.m.Topics {
		if isNamed(file, name) {
			return file
		}
		doc, _, _ := j.m.Doc(file)
		topics, _ := doc.Front.Get("topics")
		if slices.Contains(strings.FieldsFunc(strings.ToLower(topics), func(r rune) bool {
			return strings.ContainsRune("[], \"'", r)
		}), name) {
			listed = append(listed, file)
		}
	}
	if len(listed) == 1 {
		return listed[0]
	}
	return name + ".md"
}

// name returns the name for a file of its own, without the ending.
func (j *job) name() string {
	switch s := memdir.Slug(j.heading()); {
	case s == "":
		return "note"
	case dateLike(s):
		return "of-" + s // a date alone names a log, a month an event
	default:
		return s
	}
}

// heading returns the title of the statement.
func (j *job) heading() string {
	if j.Title != "" {
		return j.Title
	}
	if t := title(j.Text); t != "" {
		return t
	}
	return "Note of " + j.date
}

// isNamed reports whether a file's name without the ending is the slug name, or becomes that slug. Names
// that people wrote, and those of older versions of Keepsake, need not be slugs.
func isNamed(file, name string) bool {
	stem, ok := strings.CutSuffix(strings.ToLower(path.Base(file)), ".md")
	return ok && (stem == name || memdir.Slug(stem) == name)
}

// like returns a path as the directory spells it.
func (j *job) like(file string) string {
	for _, f := range j.dir.Files {
		if strings.EqualFold(f.Path, file) {
			return f.Path
		}
	}
	for _, f := range j.dir.Files {
		if path.Dir(f.Path) == path.Dir(file) && isNamed(f.Path, strings.TrimSuffix(path.Base(file), ".md")) {
			return f.Path
		}
	}
	return file
}

func (j *job) has(file string) bool {
	return slices.ContainsFunc(j.dir.Files, func(f memdir.File) bool {
		return strings.EqualFold(f.Path, file)
	})
}

// free returns a path with the ending that no file has. It puts a number behind the stem if needed.
func (j *job) free(stem string) string {
	file := stem + ".md"
	for n := 2; j.has(file); n++ {
		file = stem + "-" + strconv.Itoa(n) + ".md"
	}
	return file
}
