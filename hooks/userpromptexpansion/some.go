package userpromptexpansion

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/git"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// all names every call of the session that waits.
const all = "all"

// isSeveral reports whether a person typed more than one id, a range of ids, or all.
func isSeveral(typed string) bool {
	return len(strings.Fields(typed)) > 1 || strings.Contains(typed, "-") || strings.EqualFold(typed, all)
}

// answerSome takes the person's answer to several calls, if a person can have typed it. A range and all are
// of the calls that this session asked about. They are approved only if it is known that their words came
// from nowhere else. To approve all, the person first has to be shown what waits: nobody knows what they have
// seen of it.
func answerSome(verb string, ids []string, in hook.UserPromptExpansion) (a hook.ContextAnswer) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	d := approval.Dir(layout.Approvals(layout.Client(in.Transcript)))
	if err == nil && d == "" {
		err = errors.New("the client's folder can't be told; answer in a terminal with `keepsake inbox`")
	}
	if err == nil {
		err = session.Person()
	}
	var waiting []approval.Request
	if err == nil {
		waiting, err = d.WaitingIn(layout.Session(in.Session), time.Now())
	}
	if err == nil && len(waiting) == 0 {
		err = errors.New("no call of this session waits; `keepsake inbox` in a terminal lists all")
	}
	approve := verb == "approve"
	switch {
	case err != nil:
		a.Context, a.Message = brief.NotAnswered("", err.Error())
		log(in, verb, approval.Request{}, err)
		return a
	case approve && slices.Contains(ids, all):
		a.Context, a.Message = brief.ShowWaiting(waitingLines(s, waiting), "/keepsake:approve "+
			waiting[0].ID+"-"+waiting[len(waiting)-1].ID+", or single ids")
		return a
	}
	var done, left []string
	answered := map[string]bool{}
	take := func(id string) {
		r, err := takeAnswer(verb, id, in)
		if log(in, verb, r, err); err != nil {
			left = append(left, err.Error())
			return
		}
		answered[r.ID] = true
		done = append(done, r.ID+" of "+rules.ShortTool(r.Tool))
	}
	for _, id := range ids {
		first, last, isRange := strings.Cut(id, "-")
		some := waiting
		switch {
		case !isRange && id != all:
			take(id)
			continue
		case isRange:
			if some = approval.Range(waiting, first, last); len(some) == 0 {
				left = append(left, id+" is no range of calls of this session that wait")
			}
		}
		for i, o := range s.CallOrigins(some, git.Committed(s.Root)) {
			switch r := some[i]; {
			case answered[r.ID]:
			case approve && o.Doubtful():
				left = append(left, fmt.Sprintf("%s, %s; approve it by itself", r.ID,
					strings.ToLower(o.String())))
			default:
				take(r.ID)
			}
		}
	}
	switch {
	case len(done) == 0:
		a.Context, a.Message = brief.NotAnswered("", strings.Join(left, "; "))
	case approve:
		a.Context, a.Message = brief.ApprovedSome(done, left, int(approval.Valid.Minutes()))
	default:
		a.Context, a.Message = brief.RejectedSome(done, left)
	}
	return a
}

// waitingLines returns a line for each call: its id, whose words it has, its tool and the beginning of its
// text.
func waitingLines(s *session.Session, waiting []approval.Request) (lines []string) {
	for i, o := range s.CallOrigins(waiting, git.Committed(s.Root)) {
		r := waiting[i]
		lines = append(lines, fmt.Sprintf("%s %s, %s: \"%s\"", r.ID, o, rules.ShortTool(r.Tool),
			rules.Says(r.Args)))
	}
	return lines
}
