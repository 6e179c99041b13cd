package shell

// looked holds the answers to one call's questions about paths, so that a path that a command names a
// thousand times is looked at once. The zero value is empty.
type looked map[glance]zone

// A glance is one question about a path as a call names it.
type glance struct {
	path, cwd string
	question  question
}

type question uint8

const (
	asZone        question = iota // where it lies
	asChanged                     // which zones a change of its bytes changes
	asSwallowed                   // which zones lie below it
	asTranscripts                 // whether transcripts lie below it
)

// maxLooked is how many answers are kept. Past it, remembering costs more than it saves.
const maxLooked = 4096

// once returns the stored answer to a question. If there is none, it calls find.
func (l *looked) once(q question, p, cwd string, find func(p, cwd string) zone) zone {
	key := glance{p, cwd, q}
	if z, ok := (*l)[key]; ok {
		return z
	}
	z := find(p, cwd)
	if len(*l) < maxLooked {
		if *l == nil {
			*l = make(looked)
		}
		(*l)[key] = z
	}
	return z
}

// A script is the text of a file that a command names, when it could be read.
type script struct {
	text string
	ok   bool
}

// script returns the text of a file, which it reads once.
func (j *judge) script(p string) (string, bool) {
	if s, ok := j.scripts[p]; ok {
		return s.text, s.ok
	}
	b, ok := j.call.Script(p)
	if j.scripts == nil {
		j.scripts = make(map[string]script)
	}
	j.scripts[p] = script{string(b), ok}
	return string(b), ok
}

// resolve returns a path without links. It asks once for each path.
func (j *judge) resolve(p string) string {
	if real, ok := j.links[p]; ok {
		return real
	}
	real := j.call.Resolve(p)
	if len(j.links) < maxLooked {
		if j.links == nil {
			j.links = make(map[string]string)
		}
		j.links[p] = real
	}
	return real
}

// lstat returns the kind of a file. It asks once for each path.
func (j *judge) lstat(p string) File {
	if f, ok := j.kinds[p]; ok {
		return f
	}
	f := j.call.Lstat(p)
	if len(j.kinds) < maxLooked {
		if j.kinds == nil {
			j.kinds = make(map[string]File)
		}
		j.kinds[p] = f
	}
	return f
}
