package records

import (
	"strings"
	"testing"
	"unicode/utf8"

	"keepsake/pkg/memory"
)

func TestSnippet(t *testing.T) {
	decision := memory.Record{Category: memory.Decision, Title: "Job queue", Content: memory.Content{
		"status": "accepted", "context": "Jobs were lost when Redis restarted. Nobody noticed for a week.",
		"decision":  "Postgres holds the queue. Workers take rows with SKIP LOCKED.",
		"rationale": []string{"One system less to run", "Backups are there: see pg_dump."},
		"alternatives": []map[string]string{{"option": "RabbitMQ with quorum queues",
			"rejected_reason": "another cluster to run"}},
	}}
	long := memory.Record{Category: memory.Constraint,
		Content: memory.Content{"rule": strings.Repeat("Lorem ipsum dolor sit amet ", 20) +
			"the vendor throttles webhooks " + strings.Repeat("and so on and so forth ", 20)}}
	chinese := memory.Record{Category: memory.Preference,
		Content: memory.Content{"topic": "评审", "value": "所有代码都要经过评审。数据库迁移由两个人评审！紧急修复除外。", "reason": "质量"}}
	tests := map[string]struct {
		r     memory.Record
		query string
		limit int
		want  string
	}{
		"its sentence": {decision, "how do workers take rows?", 160,
			"Workers take rows with SKIP LOCKED."},
		"a list":                 {decision, "backup", 160, "Backups are there: see pg_dump."},
		"what is not decisive":   {decision, "why not rabbitmq", 160, "RabbitMQ with quorum queues"},
		"the decisive one first": {decision, "queue", 160, "Postgres holds the queue."},
		"nothing of the query":   {decision, "zebra", 40, "Jobs were lost when Redis restarted.…"},
		"a window round the match": {long, "webhooks", 60,
			"…vendor throttles webhooks and so on and so forth and so…"},
		"Chinese":       {chinese, "数据库迁移", 160, "数据库迁移由两个人评审！"},
		"Chinese, cut":  {chinese, "数据库迁移", 8, "数据库迁移由两…"},
		"no room":       {decision, "queue", 0, ""},
		"one rune":      {decision, "queue", 1, "…"},
		"nothing in it": {memory.Record{Category: memory.Decision}, "queue", 160, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Snippet(tt.r, tt.query, tt.limit); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("Workers take rows. 数据库迁移由两个人评审！", "rows 迁移", 9)
	f.Add("\xff\xfe broken\nlines", "broken", 5)
	f.Fuzz(func(t *testing.T, text, query string, limit int) {
		got := Snippet(memory.Record{Category: memory.Constraint, Content: memory.Content{"rule": text}},
			query, limit)
		if n := utf8.RuneCountInString(got); n > max(0, limit) || !utf8.ValidString(got) ||
			strings.ContainsAny(got, "\n\r") {
			t.Errorf("%q is %d runes of %d", got, n, limit)
		}
	})
}

func TestPassage(t *testing.T) {
	const text = "# Queue\r\n\r\nJobs are kept in Postgres. Redis lost them.\r\n- retry twice\n- Redis is " +
		"the cache now\n"
	for query, want := range map[string]struct {
		line int
		says string
	}{
		"why postgres":      {3, "Jobs are kept in Postgres."},
		"redis":             {3, "Redis lost them."},
		"redis cache":       {5, "- Redis is the cache now"},
		"queue":             {1, "# Queue"},
		"retrying the jobs": {3, "Jobs are kept in Postgres."},
		"kubernetes":        {0, ""},
		"":                  {0, ""},
	} {
		if line, says := Passage(text, query, 60); line != want.line || says != want.says {
			t.Errorf("%q: line %d %q, want line %d %q", query, line, says, want.line, want.says)
		}
	}
	if _, says := Passage(strings.Repeat("word ", 100)+"zebra "+strings.Repeat("word ", 100), "zebra",
		40); !strings.Contains(says, "zebra") || len([]rune(says)) > 40 {
		t.Errorf("cut to %q", says)
	}
}
