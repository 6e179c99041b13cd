package blackboard_test

import (
	"slices"
	"testing"
	"time"

	"keepsake/pkg/memdir/blackboard"
)

func TestOpenTasks(t *testing.T) {
	c := blackboard.Card{Open: []blackboard.Item{{Text: "write tests", Done: true}, {Text: "ask legal"},
		{Text: "Legal text, 12 pages"}}}
	for want, marks := range map[string][]string{
		"": {"1", "2"}, "1": {"1"}, "2": {"2"}, "12": {"2"}, "legal": {"1", "2"}, "ASK": {"1"}, "tests": {},
		"3": {},
	} {
		got := []string{}
		for _, task := range c.OpenTasks(want) {
			got = append(got, task.Mark())
		}
		if !slices.Equal(got, marks) {
			t.Errorf("%q: %q, want %q", want, got, marks)
		}
	}
}

func TestDue(t *testing.T) {
	at := time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)
	for _, tt := range []struct{ status, deadline, want string }{
		{"active", "2026-11-20", "2026-11-20, Friday, today"},
		{"active", "2026-11-21", "2026-11-21, Saturday, in 1 day"},
		{"blocked", "2026-11-13", "2026-11-13, Friday, 7 days ago"},
		{"done", "2026-11-13", "2026-11-13, Friday"},
		{"dropped", "2026-12-01", "2026-12-01, Tuesday"}, {"active", "none", ""}, {"active", "", ""},
		{"active", "soon", ""},
	} {
		p := blackboard.Project{Told: true, Row: blackboard.Row{Status: tt.status, Deadline: tt.deadline}}
		if got := p.Due(at); got != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.status, tt.deadline, got, tt.want)
		}
	}
}

func TestIDs(t *testing.T) {
	registry := "| Project | Status | Deadline | Progress | Updated |\n| --- | --- | --- | --- | --- |\n" +
		"| Shop | active | none |  |  |\n"
	if got := blackboard.IDs([]byte(registry), []string{"shop", "blog"}); !slices.Equal(got,
		[]string{"Shop", "blog"}) {
		t.Errorf("%q", got)
	}
}
