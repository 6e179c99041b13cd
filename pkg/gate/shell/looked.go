package shell

// looked is what one call found out about paths: a command that names the same
// path a thousand times has it looked at once. The zero value knows nothing.
type looked map[glance]zone

// A glance is one question about a path as a call names it.
type glance struct {
	path, cwd string
	question  question
}

type question uint8

const (
	asZone        question = iota // where it lies
	asChanged                     // what a change of its bytes changes
	asSwallowed                   // what lies below it
	asTranscripts                 // whether transcripts lie below it
)

// maxLooked bounds how many answers are kept: past it, remembering costs more
// than it saves.
const maxLooked = 4096

// once answers a question from what is known, or else by calling find.
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

// resolve returns where a path leads, and asks once.
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

// lstat returns what a file is, and asks once.
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
