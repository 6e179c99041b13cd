package main

import (
	"time"

	"keepsake/pkg/journal"
	"keepsake/pkg/project/session"
	"keepsake/pkg/status"
)

type statsCmd struct {
	Since string `help:"Since a date, a time or for so long." default:"7d" placeholder:"WHEN"`
	JSON  bool   `help:"Print one JSON object."`
}

func (statsCmd) Help() string {
	return `Prints for each day how much was noticed, saved and recalled, how often the agent then used words of a
memory, how much you refused, how many requests were made only for memory, how many bytes of text it gave the
model, and about how many tokens that came to. What the client read from its cache counts a tenth, as it is
billed. The setting budget.tokens_per_day limits the tokens of a day.

Examples:

    keepsake stats
    keepsake stats --since 30d`
}

func (v statsCmd) Run(c *call, s *session.Session) error {
	from, err := journal.ParseSince(v.Since, c.now())
	if err != nil {
		return usage("--since %v", err)
	}
	costs, err := status.CostsSince(s, from, time.Local)
	for _, line := range costs.Lines() {
		c.line("%s", line)
	}
	c.value(costs)
	return err
}
