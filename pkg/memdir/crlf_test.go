package memdir_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
)

// TestLineEnds mends and shortens messy directories whose lines end in CRLF: no line gets another end.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(120) {
		p := memdir.Profiles()[seed%3]
		g := &messy{r: rand.New(rand.NewPCG(seed, 8)), profile: p}
		d := g.dir()
		for i, f := range d.Files {
			lf := bytes.ReplaceAll(f.Bytes, []byte("\r\n"), []byte("\n"))
			d.Files[i].Bytes = bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))
		}
		for range 2 {
			for what, mend := range map[string]func(memdir.Dir, memdir.Profile) plan.Plan{
				"fix":    func(d memdir.Dir, p memdir.Profile) plan.Plan { return memdir.Format(d, p).Plan },
				"upkeep": func(d memdir.Dir, p memdir.Profile) plan.Plan { return memdir.Upkeep(d, p).Plan },
				"tidy": func(d memdir.Dir, _ memdir.Profile) plan.Plan {
					return g.tidied(d, map[string]bool{})
				},
			} {
				after := applied(t, d, mend(d, p))
				for _, f := range after.Files {
					if n := bytes.Count(f.Bytes, []byte("\n")) - bytes.Count(f.Bytes, []byte("\r\n")); n > 0 {
						t.Errorf("seed %d, %s: %d lines of %s end in LF:\n%q", seed, what, n, f.Path, f.Bytes)
					}
				}
				if t.Failed() {
					t.FailNow()
				}
				d = after
			}
		}
	}
}
