package stage

// An Ancestor is one process above this one.
type Ancestor struct {
	PID  int
	Name string   // the command's name
	Args []string // its command line, the program first
}

// maxLineage bounds how far up processes are followed.
const maxLineage = 64
