package classify

import (
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
)

// Dated returns the plan that gives a file of the directory new bytes. It also brings the date in the
// file's frontmatter, and that of its row in the routing table, up to the day.
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
