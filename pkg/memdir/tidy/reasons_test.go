package tidy

import (
	"strings"
	"testing"

	"keepsake/pkg/memdir"
)

// TestReasonsGoAlong: the Why and the How of a fact are deleted and moved with it, and stay where another
// statement has them too.
func TestReasonsGoAlong(t *testing.T) {
	const why = "**Why:** one server less.\n\n**How to apply:** no Redis.\n"
	d := dirOf("MEMORY.md", "- [A](a.md) — what is queued\n- [B](b.md) — what is stored\n", "a.md",
		"# A\n\n## One\n\nJobs wait in Postgres.\n\n"+why+
			"\n## Two\n\nFirst of two.\n\nSecond of two.\n\n"+why,
		"b.md", "# B\n\nOrders.\n")
	p, _ := memdir.Named("pointer")
	for _, tt := range []struct {
		a      Answer
		with   int
		a1, b1 string
	}{
		{Answer{Place: Place{"a.md", 5, "Jobs wait in Postgres."}, Action: "delete", Reason: "r"}, 2,
			"# A\n\n## Two\n", "# B\n\nOrders.\n"},
		{Answer{Place: Place{"a.md", 5, "Jobs wait in Postgres."}, Action: "move", To: "b.md",
			Reason: "r"}, 2,
			"# A\n\n## Two\n", "Orders.\n\nJobs wait in Postgres.\n\n" + why},
		{Answer{Place: Place{"a.md", 15, "Second of two."}, Action: "delete", Reason: "r"}, 0,
			"First of two.\n\n" + why, "# B\n\nOrders.\n"},
	} {
		out := Plan(d, p, nil, []Answer{tt.a})
		if len(out.Done) != 1 || len(out.Done[0].With) != tt.with {
			t.Fatalf("%+v", out.Report)
		}
		if a, b := after(d, out.Plan, "a.md"), after(d, out.Plan, "b.md"); !strings.Contains(a, tt.a1) ||
			!strings.Contains(b, tt.b1) {
			t.Errorf("%s %s:\n%s\n--\n%s", tt.a.Action, tt.a.Text, a, b)
		}
	}
}
