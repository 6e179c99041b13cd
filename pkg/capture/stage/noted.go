package stage

import "slices"

// Noted is what one subagent wrote into the Markdown memories.
type Noted struct {
	By    string
	Paths []string // below the directory of memories
}

// maxNoted bounds the list. A longer one is cut, since the files themselves have the rest.
const maxNoted = 20

// Note adds to what a subagent wrote.
func (st *State) Note(n Noted) {
	for i := range st.Notes {
		if st.Notes[i].By != n.By {
			continue
		}
		for _, p := range n.Paths {
			if !slices.Contains(st.Notes[i].Paths, p) && len(st.Notes[i].Paths) < maxNoted {
				st.Notes[i].Paths = append(st.Notes[i].Paths, p)
			}
		}
		return
	}
	if len(st.Notes) < maxNoted {
		st.Notes = append(st.Notes, n)
	}
}
