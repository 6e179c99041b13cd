package tidy

import (
	"fmt"
	"path"
	"strings"
	"time"

	"keepsake/pkg/memdir"
)

// emptied removes the topic files that have nothing left.
func (w *planner) emptied() {
	for _, p := range w.paths {
		if f := w.files[p]; w.m.Topic(p) && !f.gone && f.changed() && len(f.said) > 0 && f.says() == 0 {
			f.gone = true
		}
	}
}

// pointers takes the lines of the indexes away that lead to files which go.
func (w *planner) pointers() {
	for _, name := range [...]string{memdir.Index, w.m.Overview()} {
		f := w.files[name]
		if f == nil {
			continue
		}
		leads, goes := map[int]int{}, map[int]int{}
		for _, r := range memdir.Refs(f.doc) {
			leads[r.Line]++
			if to, ok := w.m.Leads(r); ok && w.files[to] != nil && w.files[to].gone {
				goes[r.Line]++
			}
		}
		for _, s := range f.said {
			switch n := goes[s.Line]; {
			case n == 0:
			case n < leads[s.Line]:
				w.out.Notes = append(w.out.Notes,
					fmt.Sprintf("%s:%d leads to a file that goes, and to others: mend it", name, s.Line))
			case s.whole > s.last, memdir.Mentions(f.doc.Lines[s.Line-1]):
				w.out.Notes = append(w.out.Notes,
					fmt.Sprintf("%s:%d leads to a file that goes, and says more: mend it", name, s.Line))
			default:
				delete(f.put, s.Line)
				f.remove(s)
			}
		}
	}
	for _, p := range w.paths {
		if !w.files[p].gone {
			continue
		}
		for _, q := range w.paths {
			if f := w.files[q]; q != p && !f.gone && (w.m.Topic(q) || w.m.Once(q)) {
				for i, l := range f.doc.Lines {
					if !f.drop[i+1] && strings.Contains(l.Text, path.Base(p)) {
						w.out.Notes = append(w.out.Notes,
							fmt.Sprintf("%s:%d names %s, which goes", q, i+1, p))
						break
					}
				}
			}
		}
	}
}

// dates brings last_updated and the dates of a routing table up to the day where something new is said, and
// to the newer day where one file joined another. What is only moved has no new date.
func (w *planner) dates() {
	index := w.files[memdir.Index]
	for _, p := range w.paths {
		f := w.files[p]
		if f.gone || !f.changed() || !w.m.Topic(p) || len(f.doc.Front.Faults) > 0 {
			continue
		}
		if f.fresh {
			f.day = w.now
		}
		if f.day.IsZero() {
			continue
		}
		f.date(f.day, false)
		today := f.day.Format(time.DateOnly)
		if index == nil {
			continue
		}
		for _, r := range memdir.Refs(index.doc) {
			if to, ok := w.m.Leads(r); !ok || to != p || r.Form != memdir.Table || r.Date == "" ||
				index.drop[r.Line] {
				continue
			}
			if _, err := time.Parse(time.DateOnly, r.Date); err == nil && r.Date != today {
				text := index.doc.Lines[r.Line-1].Text
				at := strings.LastIndex(text, r.Date)
				index.drop[r.Line] = true
				index.put[r.Line] = []string{text[:at] + today + text[at+len(r.Date):]}
			}
		}
	}
}
