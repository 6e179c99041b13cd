package userpromptsubmit

import (
	"errors"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/search/answer"
)

const hookName = "userpromptsubmit"

// A prompt is one call of the hook.
type prompt struct {
	answer.Prompt
	mode string // permission_mode
}

// context returns the text that is added to the prompt. It notes afterwards what was told. If that fails,
// the same is told again, which is better than never.
func (p *prompt) context() string {
	news, told := p.News(p.Now)
	memories, shown, err := p.Recall()
	if err != nil {
		p.Events = append(p.Events, answer.Skipped(hookName, answer.Failed, len(p.Text)))
		p.Came.Skipped = answer.Failed
		p.Fault(hookName, "nothing was recalled for a prompt", err)
	}
	p.Log(p.Events...)
	pointers, pointed := p.Point()
	p.Note(pointed)
	shown = append(shown, pointed...)
	ride, rode := p.riding()
	form := ""
	if len(rode) == 0 {
		form = p.FormFor(p.Text)
	}
	parts := []string{memories, pointers, brief.Note(news), ride, form}
	if len(shown) > 0 || told != nil || len(rode) > 0 || form != "" {
		err := p.Update(func(st *stage.State) error {
			st.Shown = append(st.Shown, shown...)
			p.Give(st, usage.Prompt, p.Now, p.Given...)
			if told != nil {
				told(st)
			}
			st.Form = st.Form || form != "" || len(rode) > 0
			if len(rode) > 0 {
				st.Again = slices.DeleteFunc(st.Again, func(n int) bool {
					return slices.Contains(finding.Numbers(rode), n)
				})
			}
			if p.counts(rode) {
				st.Saves++
			}
			return nil
		})
		if err != nil && !errors.Is(err, disk.ErrLocked) {
			p.Fault(hookName, "what a prompt was told could not be noted", err)
		}
	}
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(parts, func(s string) bool {
		return s == ""
	}), "\n"))
}
