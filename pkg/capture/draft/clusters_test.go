package draft

import (
	"slices"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

var three = []string{
	"We decided to use PostgreSQL instead of MySQL because we need jsonb.",
	"We decided to deploy with Nomad because Kubernetes is too much for two people.",
	"We decided to go with Kafka rather than RabbitMQ because we must replay events.",
}

func TestSplit(t *testing.T) {
	one := `{"category":"decision","new_info_summary":"a","partial_content":{"title":"A","content":{}}}`
	for name, c := range map[string]struct {
		in   string
		want int
	}{
		"object": {one, 1}, "list of one": {"[" + one + "]", 1},
		"list of two":    {"[" + one + "," + one + "]", 2},
		"fenced list":    {"Here:\n```json\n[" + one + ",\n" + one + "]\n```", 2},
		"other category": {"[" + one + `,{"category":"runbook","action":"noop"}]`, 1},
		"with a noop": {"[" + one + `,{"category":"decision","action":"noop","noop_reason":"chatter"}]`,
			2},
		"garbage": {"nope", 1}, "empty": {"", 1}, "empty list": {"[]", 1},
	} {
		t.Run(name, func(t *testing.T) {
			parts := Split([]byte(c.in), memory.Decision)
			if len(parts) != c.want {
				t.Errorf("%d parts: %s", len(parts), parts)
			}
			if c.want == 1 && string(parts[0]) != c.in {
				t.Errorf("a single draft came back as %s", parts[0])
			}
		})
	}
}

// Without a model, each decision becomes a memory of its own.
func TestExtractKeepsThingsApart(t *testing.T) {
	b, ok := Extract(memory.Decision,
		append(slices.Clone(three), "Postgres and not MySQL it is: decided, because we need jsonb."), Quoted,
		time.Now())
	if !ok {
		t.Fatal("nothing")
	}
	parts := Split(b, memory.Decision)
	if len(parts) != 3 {
		t.Fatalf("%d drafts: %s", len(parts), b)
	}
	var drafts []Draft
	for _, p := range parts {
		d, notes, err := Parse(p, memory.Decision)
		if err != nil {
			t.Fatalf("%v, %v", err, notes)
		}
		drafts = append(drafts, d)
	}
	var open []Statement
	for i, q := range three {
		open = append(open, Statement{i + 1, memory.Decision, q})
	}
	taken := slices.Sorted(slices.Values(slices.Concat(Assign(open, drafts)...)))
	if !slices.Equal(taken, []int{1, 2, 3}) {
		t.Errorf("taken up: %v", taken)
	}
}
