package main

import (
	"bufio"
	"fmt"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/learn"
	"keepsake/pkg/project/session"
)

type learnedGroup struct {
	Explain learnedExplainCmd `cmd:"" help:"Show what your answers taught."`
	Reset   learnedResetCmd   `cmd:"" help:"Forget what your answers taught."`
}

func (learnedGroup) Help() string {
	return `What you keep or reject in keepsake review, keepsake inbox and, in a terminal, with keepsake forget
moves a little what is noticed in this project: by at most 1 in log odds, which turns .60 into .35 or .80.
What an agent or a small model settles teaches nothing. What you ask to have remembered is always noticed,
and a rule in your words is never lowered. The setting triage.learn switches it off.

Examples:

    keepsake dev triage explain
    keepsake dev triage reset`
}

type learnedExplainCmd struct {
	JSON bool `help:"Print one JSON object: on, answers, kept, rejected, since, weights."`
}

func (learnedExplainCmd) Help() string {
	return `Prints the weights that your answers about findings of this project made, the greatest first. A
statement gets those of its category that fit it: one for the category, one for whose words it has, one for
what heard it, and the mean of those of its cues. Single ones are at most .5, all together at most 1.

The last 200 answers count. They are kept without any text.

Examples:

    keepsake dev triage explain
    keepsake dev triage explain --json`
}

// learnedJSON is what dev triage explain --json prints.
type learnedJSON struct {
	On       bool           `json:"on"` // the setting triage.learn
	Answers  int            `json:"answers"`
	Kept     int            `json:"kept"`
	Rejected int            `json:"rejected"`
	Since    string         `json:"since,omitempty"` // of the oldest answer that counts
	Weights  []learn.Weight `json:"weights"`
}

func (v learnedExplainCmd) Run(c *call, s *session.Session) error {
	c.json = v.JSON
	all, err := s.Answers()
	if err != nil {
		return failed(err)
	}
	l := learn.New(all)
	out := learnedJSON{On: s.Config.Triage.Learn, Answers: l.Kept() + l.Rejected(), Kept: l.Kept(),
		Rejected: l.Rejected(), Weights: l.Weights()}
	if l == nil {
		out.Weights = []learn.Weight{}
		c.line("nothing was learned yet: you answered nothing about what was noticed in this project")
	} else {
		out.Since = l.Since().UTC().Format(time.RFC3339)
		c.line("%s since %s: %d kept, %d rejected", count(out.Answers, "answer"),
			l.Since().Local().Format(time.DateOnly), out.Kept, out.Rejected)
	}
	for _, w := range out.Weights {
		c.line("%+.2f  %-11s %-26s %d kept, %d rejected", w.Adds, w.Category, weightName(w), w.Kept,
			w.Rejected)
	}
	if !out.On {
		c.line("it changes nothing: the setting triage.learn is off")
	}
	c.value(out)
	return nil
}

// weightName returns which statements of a category a weight is for.
func weightName(w learn.Weight) string {
	switch w.Of {
	case "by":
		return "by: " + brief.Line(w.Name)
	case "heard":
		return "heard by: " + brief.Line(w.Name)
	case "cue":
		return "cue: " + brief.Line(w.Name)
	}
	return "any"
}

type learnedResetCmd struct{}

func (learnedResetCmd) Help() string {
	return `Deletes the answers from which this project learned, after a yes at the controlling terminal. What
was saved and rejected stays as it is.

Example:

    keepsake dev triage reset`
}

func (learnedResetCmd) Run(c *call, s *session.Session) error {
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	all, _ := s.Answers() // what can't be read is deleted all the same
	l := learn.New(all)
	question := fmt.Sprintf("Forget what %s taught?", count(l.Kept()+l.Rejected(), "answer"))
	if ask(tty, bufio.NewReader(tty), question, yesOrNo...) != yes {
		c.line("nothing was forgotten")
		return nil
	}
	n, err := s.Unlearn()
	if err != nil {
		return failed(err)
	}
	c.line("forgotten: what %s taught", count(n, "answer"))
	return nil
}
