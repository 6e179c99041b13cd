package shell

import (
	"path"
	"strings"
)

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

// remembered returns the stored answer to a question about a path, or asks.
func remembered[T any](answers *map[string]T, p string, ask func(p string) T) T {
	v, ok := (*answers)[p]
	if !ok {
		v = ask(p)
		if *answers == nil {
			*answers = make(map[string]T)
		}
		(*answers)[p] = v
	}
	return v
}

// script returns the text of a file.
func (j *judge) script(p string) (string, bool) {
	s := remembered(&j.scripts, p, func(p string) script {
		b, ok := j.call.Script(p)
		return script{string(b), ok}
	})
	return s.text, s.ok
}

// resolve returns a path without links.
func (j *judge) resolve(p string) string { return remembered(&j.links, p, j.call.Resolve) }

// lstat returns the kind of a file.
func (j *judge) lstat(p string) File { return remembered(&j.kinds, p, j.call.Lstat) }

// leadsTo returns a path without links, if they may be asked for and it has some.
func (j *judge) leadsTo(p string) (real string, ok bool) {
	if !path.IsAbs(p) || j.call.Resolve == nil || j.resolved >= maxResolved || hasHole(p) ||
		strings.ContainsAny(p, "*?[") {
		return "", false
	}
	j.resolved++
	real = path.Clean(j.resolve(p))
	return real, real != p
}
