package memdir_test

import (
	"fmt"
	"strings"
	"testing"

	"keepsake/pkg/memdir"
	"keepsake/pkg/search/alike"
)

// many is a directory of n memories that share most of their words.
func many(n int) memdir.Dir {
	d := memdir.Dir{Now: now, Alike: alike.Notes}
	var index strings.Builder
	index.WriteString("# Memory index\n\n")
	nouns := strings.Fields("billing gateway search importer queue scheduler mailer ledger cache proxy " +
		"worker planner")
	for i := range n {
		noun, other := nouns[i%len(nouns)], nouns[i/len(nouns)%len(nouns)]
		name := fmt.Sprintf("project_%s_%d.md", noun, i)
		fmt.Fprintf(&index, "- [The %s %d](%s) — how the %s talks to the %s\n", noun, i, name, noun, other)
		body := fmt.Sprintf("---\nname: %s-%d\ndescription: How the %s of team %d talks to the %s, and "+
			"since when\nmetadata:\n  type: project\n---\n\nThe %s of team %d calls the %s over gRPC since "+
			"2026-%02d-03.\n\n**Why:** the old calls lost %d jobs in a restart; we looked at it last "+
			"week.\n\n**How to apply:** change both sides in one commit.\n\n",
			noun, i, noun, i, other, noun, i, other, i%12+1, i)
		for j := range 12 {
			body += fmt.Sprintf("- call %d of the %s %d needs the scope %s.%d and returns within %d ms\n", j,
				noun, i, other, j, i+j)
		}
		d.Files = append(d.Files, memdir.File{Path: name, Bytes: []byte(body), Modified: now})
	}
	d.Files = append(d.Files, memdir.File{Path: memdir.Index, Bytes: []byte(index.String()), Modified: now})
	return d
}

func BenchmarkLint(b *testing.B) {
	for _, n := range []int{30, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := many(n)
			b.ReportAllocs()
			for b.Loop() {
				memdir.Lint(d, memdir.Detect(d.Files))
			}
		})
	}
}
