package memdir

import (
	"path"
	"strings"

	"keepsake/pkg/markdown"
)

// indexes yields MEMORY.md and INDEX.md, as far as they are there.
func (v *view) indexes(yield func(*page) bool) {
	for _, name := range [...]string{Index, v.base + overview} {
		if p := v.at[name]; p != nil && (p.role == l0 || p.role == l1) && !yield(p) {
			return
		}
	}
}

func (v *view) pointerDangling() {
	for p := range v.indexes {
		for _, r := range p.refs {
			_, there, known := v.lead(r.Target)
			if there || !known {
				continue
			}
			real, ok := v.elsewhereIs(r)
			_, fixable := v.retarget(p, r, real)
			switch {
			case ok && strings.EqualFold(real, path.Clean(r.Target)):
				v.find(p.Path, r.Line, fixable, "leads to %s, which is spelled %s", short(r.Target),
					short(real))
			case ok:
				v.find(p.Path, r.Line, fixable, "leads to %s, and the one file of that name lies elsewhere",
					short(r.Target))
			default:
				v.find(p.Path, r.Line, v.removable(p, r), "leads to %s, which isn't there", short(r.Target))
			}
		}
	}
}

func (v *view) pointerTwice() {
	for p := range v.indexes {
		first := map[string]Ref{}
		for _, r := range p.refs {
			to, there, _ := v.lead(r.Target)
			if !there || strings.HasSuffix(to, "/") {
				continue
			}
			key := to + "#" + r.Anchor
			if f, again := first[key]; !again {
				first[key] = r
			} else if f.Line != r.Line {
				exact := strings.TrimSpace(p.doc.Lines[f.Line-1].Text) ==
					strings.TrimSpace(p.doc.Lines[r.Line-1].Text)
				v.find(p.Path, r.Line, exact && v.removable(p, r), "leads to %s, as line %d does", short(to),
					f.Line)
			}
		}
	}
}

func (v *view) orphan() {
	if v.index() == nil {
		return // index-missing says it of all
	}
	known := v.reached()
	to := v.pointable()
	room := 0
	if to != nil && to.role == l0 {
		lines, bytes := v.rest()
		room = v.room() + len(to.doc.Lines) - lines
		if bytes < len(to.Bytes) {
			room = max(room, 0)
		}
	}
	for p := range v.topics {
		if !known[p.Path] {
			fixable := v.listable(p) && to != nil && (to.role == l1 || room > 0)
			room--
			v.find(p.Path, 0, fixable, "no line of %s leads here", v.indexNames())
		}
	}
}

func (v *view) indexNames() string {
	if v.at[v.base+overview] != nil && v.in == inDensity {
		return "MEMORY.md or INDEX.md"
	}
	return Index
}

// reached returns the files that the indexes lead to: by themselves, by their folder, or by links of files
// that are reached.
func (v *view) reached() map[string]bool {
	known := map[string]bool{}
	var next []*page
	reach := func(target, from string) {
		to, there, _ := v.lead(target)
		if !there && from != "." {
			to, there, _ = v.lead(path.Join(from, target))
		}
		if !there || known[to] {
			return
		}
		known[to] = true
		if p := v.at[to]; p != nil && p.role == topic {
			next = append(next, p)
		}
	}
	for p := range v.indexes {
		for _, r := range p.refs {
			reach(r.Target, ".")
		}
		next = append(next, p) // for links in what is no pointer
	}
	for p := range v.topics {
		for dir := path.Dir(p.Path); dir != "."; dir = path.Dir(dir) {
			if known[dir+"/"] && !known[p.Path] {
				known[p.Path] = true
				next = append(next, p)
			}
		}
	}
	for len(next) > 0 {
		p := next[0]
		next = next[1:]
		for _, l := range p.doc.Body() {
			if l.Kind == markdown.Code || !strings.Contains(l.Text, "](") {
				continue
			}
			for t := markdown.Clip(l.Text); ; {
				i := strings.IndexByte(t, '[')
				if i < 0 {
					break
				}
				t = t[i:]
				_, target, rest, ok := markdown.ParseLink(t)
				if ok && leads(target) {
					reach(ref("", target).Target, path.Dir(p.Path))
				}
				if t = t[1:]; ok {
					t = rest
				}
			}
		}
	}
	return known
}
