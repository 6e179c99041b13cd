package classify

import (
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
)

// Dated is the plan of a file of the directory that is to say something else: with the
// bytes now, and with its date and that of its row in the routing table in step.
func Dated(d memdir.Dir, p memdir.Profile, path string, now []byte) plan.Plan {
	j := newJob(d, p)
	s := j.open(path)
	s.doc = memdir.Parse(now)
	if s.doc.Front.Lines > 0 {
		j.front(path, s)
	}
	if p.Form == memdir.Table && knows(j.leads(memdir.Index), path) > 0 {
		j.route(path)
	}
	return j.plan()
}
