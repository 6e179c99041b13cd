package userpromptsubmit

import (
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/config"
)

// riding returns a text that asks the agent, beside the prompt, to write up what this session noticed
// (capture.on_stop: ride), and the findings in it. In plan mode it returns nothing.
func (p *prompt) riding() (said string, told []finding.Status) {
	if p.Config.Capture.OnStop != config.Ride || !p.Attended() || p.mode == "plan" || !p.Listens() {
		return "", nil
	}
	book, err := p.Recent()
	if err != nil {
		p.Fault(hookName, "what was noticed could not be asked for", err)
		return "", nil
	}
	statements, _ := p.Waiting(book, false)
	left := p.State.Saves < p.Config.Capture.MaxSaves
	statements = slices.DeleteFunc(statements,
		func(f finding.Status) bool { return !p.AsksFor(p.State, f, left) })
	if len(statements) == 0 {
		return "", nil
	}
	statements = statements[:min(len(statements), rides)]
	err = p.MoveFindings(finding.Move{At: p.Now, Act: finding.Offer, Numbers: finding.Numbers(statements),
		By: "keepsake"})
	if err != nil {
		p.Fault(hookName, "what was noticed could not be asked for", err)
		return "", nil
	}
	var all []brief.Offered
	for _, f := range statements {
		all = append(all, brief.Offered{Number: f.Number, Category: f.Category, Text: f.Text})
	}
	if err := p.Near(statements, func(i int, ids []string) { all[i].Near = ids }); err != nil {
		p.Fault(hookName, "the memories that there are could not be named beside what was noticed", err)
	}
	said = brief.Riding(all)
	if !p.State.Form {
		said += "\n" + brief.Form(layout.CommandPath())
	}
	return said, statements
}

// counts reports whether what was told is taken from the budget of a session.
func (p *prompt) counts(told []finding.Status) bool {
	return slices.ContainsFunc(told, func(f finding.Status) bool {
		return !f.Explicit && !slices.Contains(p.State.Again, f.Number)
	})
}

// rides is how many findings are asked for beside one prompt. The others come with the
// next.
const rides = 5
