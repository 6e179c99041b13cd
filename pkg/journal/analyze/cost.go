package analyze

import (
	"time"

	"keepsake/pkg/journal/event"
)

// A Cost is what memory cost, and what it brought, in some time.
type Cost struct {
	Noticed  int `json:"noticed"`  // findings
	Saved    int `json:"saved"`    // of them, into new memories or those that there were
	Recalled int `json:"recalled"` // memories and statements that prompts were given
	Used     int `json:"used"`     // of the memories, those whose words the agent then used
	Refused  int `json:"refused"`  // findings that the person rejected
	Requests int `json:"requests"` // that were made for nothing else
	Bytes    int `json:"bytes"`    // of text that the model was given
	Tokens   int `json:"tokens"`   // about
}

// Add adds another cost.
func (c *Cost) Add(o Cost) {
	c.Noticed += o.Noticed
	c.Saved += o.Saved
	c.Recalled += o.Recalled
	c.Used += o.Used
	c.Refused += o.Refused
	c.Requests += o.Requests
	c.Bytes += o.Bytes
	c.Tokens += o.Tokens
}

// CostOf returns what an event says of the cost: what was recalled, and the requests, bytes and tokens.
func CostOf(e event.Event) (c Cost) {
	switch e.Type {
	case event.RetrievalInject:
		c.Recalled = int(e.Data.Number("count"))
	case event.RetrievalHeard:
		c.Recalled = 1
	case event.Cost:
		c.Requests, c.Bytes = int(e.Data.Number("requests")), int(e.Data.Number("bytes"))
		c.Tokens = int(e.Data.Number("tokens"))
	}
	return c
}

// Day returns the day of a time where the person is, as 2026-11-20.
func Day(at time.Time, in *time.Location) string { return at.In(in).Format(time.DateOnly) }
