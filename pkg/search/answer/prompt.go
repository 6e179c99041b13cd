package answer

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"keepsake/pkg/brief"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
)

// A Prompt is one that is given along what it is about.
type Prompt struct {
	*session.Session
	Text   string
	Now    time.Time
	Hook   string        // that asks
	Events []event.Event // what happened, for the log
	Came   Outcome       // what was found, for the log of prompts
	Given  []string      // the paths of the memories that are shown

	left leftOut
}

// Why a prompt is not looked up, as the log has it.
const (
	Unasked  = "notification" // a report, no prompt
	Command  = "command"      // of a client or of ours, and nothing with it
	Empty    = "empty"
	Failed   = "failed"
	off      = "off"         // by the settings
	noMemory = "no_memories" // there is nothing to find
)

// Skipped returns the event of a prompt that is not looked up. Prompts that are skipped by design are
// logged at level debug.
func Skipped(hook, why string, length int) event.Event {
	e := event.Event{Type: event.RetrievalSkip, Hook: hook, Took: event.Untimed,
		Data: event.Data{"reason": why, "prompt_length": length}}
	if why == Unasked || why == Command {
		e.Level = event.Debug
	}
	return e
}

// candidates is how many hits are looked at for the few that are shown: some
// were shown before, some are gone.
const candidates = 12

// Recall returns the memories that the prompt is about and the model has not
// seen, and the paths of those that are shown.
func (p *Prompt) Recall() (text string, shown []string, err error) {
	started := time.Now()
	limit := p.Config.Retrieval.MaxInject
	if !p.Config.Retrieval.Enabled || limit <= 0 {
		p.Events = append(p.Events, Skipped(p.Hook, off, len(p.Text)))
		return "", nil, nil
	}
	got, weak, err := p.find(limit)
	if err != nil {
		return "", nil, err
	}
	got.Held = slices.DeleteFunc(got.Held, func(m session.Found) bool { return weak[m.Path] })
	if got.Memories == 0 {
		p.Events = append(p.Events, Skipped(p.Hook, noMemory, len(p.Text)))
		text, shown = p.heard(p.hearing(), nil, got, nil)
		p.Came.Skipped = noMemory
		p.came(got, nil, shown)
		return text, shown, nil
	}
	memories := p.contested(got, weak)
	about := brief.Descriptions{}
	for _, m := range memories {
		about[m.Category] = p.Config.Categories[m.Category].Description
	}
	said := p.hearing()
	disputed(memories, said)
	text, shown = p.heard(said, memories, got, about)
	if n := len(got.Held); n > 0 && !slices.Contains(p.State.Shown, heldTold) {
		text, shown = strings.TrimSpace(text+"\n"+brief.Held(n)), append(shown, heldTold)
	}
	p.searched(got, time.Since(started))
	p.shown(memories, shown, len(text))
	p.came(got, memories, shown)
	return text, shown, nil
}

// find returns up to limit memories for the prompt, and which of them are shown only if they contradict a
// choice that is known.
func (p *Prompt) find(limit int) (got session.Result, weak map[string]bool, err error) {
	in := intentOf(p.Text, p.Now)
	wanted, weak := p.wanted(in, nil)
	if in.all {
		got, err = p.Newest(in.categories, limit+candidates, func(h records.Hit) bool {
			return in.isOfTime(h) && wanted(h)
		})
		got.Found = p.newsOf(got, func(m session.Found) bool { return !settled(m.Record) })
		got.Found = got.Found[:min(limit, len(got.Found))]
		return got, weak, err
	}
	q := records.PromptQuery(cmp.Or(in.about, p.Text), limit+candidates)
	if len(in.categories) > 0 {
		q.Floor = records.Floor
	}
	q.FewFloor, q.Now = rivalFloor, p.Now
	if got, err = p.SearchNews(q, limit, wanted, p.isNews); err == nil && len(got.Held) > 0 {
		// What is held back says nothing of how near the others are. It turned out only as its file was read.
		p.left.why = nil
		wanted, weak = p.wanted(in, got.Held)
		got, err = p.SearchNews(q, limit, wanted, p.isNews)
	}
	if err != nil {
		return got, weak, err
	}
	slices.SortStableFunc(got.Found, func(a, b session.Found) int {
		return in.rank(a.Category) - in.rank(b.Category)
	})
	return got, weak, nil
}

// settled reports whether a memory is a debt that is paid, or never will be.
func settled(r memory.Record) bool {
	status, _ := r.Content["status"].(string)
	return r.Category == memory.TechDebt && (status == "resolved" || status == "wont_fix")
}

// wanted returns what reports whether a hit may be shown; it is to be asked in order. A hit must be near the
// best one of its question, which may be known already but not held back. One that the prompt asks for by its
// form needs less. weak has the paths of those that have too little, and are shown only if they contradict a
// choice that is shown or known.
func (p *Prompt) wanted(in intent, held []session.Found) (wanted func(records.Hit) bool,
	weak map[string]bool) {
	best := map[int]float64{} // by question
	var known []string        // titles of choices
	weak = map[string]bool{}
	return func(h records.Hit) bool {
		if slices.ContainsFunc(held, func(m session.Found) bool { return m.Path == h.Path }) {
			return true // the search itself leaves it out
		}
		best[h.Question] = max(best[h.Question], h.Score)
		if p.knows(h.Path) {
			p.leave(h.Path, SaidBefore, "")
			if h.Category.IsChoice() {
				known = append(known, h.Title)
			}
			return false
		}
		if !p.Config.Categories[h.Category].Enabled {
			p.leave(h.Path, Off, "")
			return false
		}
		if h.Score < p.Config.Retrieval.Floor {
			return false
		}
		floor, near := records.PromptFloor, records.PromptNear
		if in.rank(h.Category) == 0 {
			floor, near = records.Floor, nearOfForm
		}
		if h.Score >= max(floor, records.Below(best[h.Question], near)) {
			return true
		}
		if h.Score >= floor {
			p.leave(h.Path, FarBelow, "")
		}
		weak[h.Path] = h.Category.IsChoice() && (h.Score >= floor ||
			slices.ContainsFunc(known, func(title string) bool { return alikeTitles(title, h.Title) }))
		return weak[h.Path]
	}, weak
}

// nearOfForm is records.PromptNear for a memory that a prompt asks for by its form.
const nearOfForm = 2.5

const (
	// rivals is how many other memories are compared with those that are shown. An old memory shown alone
	// would be taken for the truth.
	rivals = 2
	// rivalFloor is how much of a prompt they must have: who asks of one choice does not
	// name the other. In a large store only those are looked at that have enough of it.
	rivalFloor = records.Floor / 3
)

// contested returns the memories to show, with the other hits that contradict one of them: hits that were
// shown before, or have too few words of the prompt. Of two opposed memories the newer one stays, with a
// mark. Weak ones that contradict none are left out.
func (p *Prompt) contested(got session.Result, weak map[string]bool) (memories []brief.Recalled) {
	fresh := map[string]bool{}
	for _, m := range got.Found {
		fresh[m.Path] = true
		memories = append(memories, m.Trust.Recalled(m.Stored))
	}
	for _, h := range got.Hits {
		if len(memories) == len(fresh)+rivals || len(fresh) == 0 {
			break
		}
		if fresh[h.Path] || !h.Category.IsChoice() || !p.Config.Categories[h.Category].Enabled ||
			!slices.ContainsFunc(got.Found, func(m session.Found) bool {
				return m.Category.IsChoice() && alikeTitles(m.Title, h.Title)
			}) {
			continue
		}
		if m, err := p.ReadRecord(h.Path); err == nil && m.Status == memory.Active {
			trust := p.TrustOf(m)
			if _, leftOut := standing.LeftOut(trust.Standing); !trust.Held && !leftOut {
				memories = append(memories, trust.Recalled(m))
			}
		}
	}
	return slices.DeleteFunc(brief.Undisputed(memories, p.BothHold), func(m brief.Recalled) bool {
		return weak[m.Path] && len(m.Disputes) == 0 || !fresh[m.Path] && (p.knows(m.Path) ||
			!slices.ContainsFunc(m.Disputes, func(d alike.Dispute) bool { return fresh[d.Path] }))
	})
}

// alikeTitles reports whether half of the longer words of one title begin like words of the other. Titles
// of opposed memories mostly name the same subject. The check saves reading the files of all others.
func alikeTitles(a, b string) bool {
	const begins = 4 // bytes
	words := func(s string) (all []string) {
		for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			if len(w) >= begins {
				all = append(all, w[:begins])
			}
		}
		return all
	}
	mine, others, shared := words(a), words(b), 0
	for _, w := range mine {
		if slices.Contains(others, w) {
			shared++
		}
	}
	return shared > 0 && 2*shared >= min(len(mine), len(others))
}

// heldTold is listed among the shown memories once a conversation heard that something is held back.
const heldTold = "#held"

// searched logs a search: how many memories there are and were found, and how
// many of these the model has seen before.
func (p *Prompt) searched(got session.Result, took time.Duration) {
	best, known, hits := 0.0, 0, 0
	for _, h := range got.Hits {
		if h.Score < records.PromptFloor {
			continue
		}
		hits++
		best = max(best, h.Score)
		if slices.Contains(p.State.Shown, h.Path) {
			known++
		}
	}
	p.Events = append(p.Events, event.Event{Type: event.RetrievalSearch, Hook: p.Hook, Took: took,
		Data: event.Data{
			"prompt_length": len(p.Text), "memories": got.Memories, "hits": hits, "known": known,
			"best": best,
		}})
}

// shown notes and logs what a prompt was given. An id is made of a title and so of what
// somebody said: the log has a memory's category and a digest of its path.
func (p *Prompt) shown(found []brief.Recalled, paths []string, size int) {
	if len(paths) == 0 {
		return
	}
	var ids []string
	for _, m := range found {
		if slices.Contains(paths, m.Path) {
			p.Given = append(p.Given, m.Path)
			ids = append(ids, string(m.Category)+"/"+plan.DigestOf([]byte(m.Path))[:8])
		}
	}
	p.Events = append(p.Events, event.Event{Type: event.RetrievalInject, Hook: p.Hook,
		Took: event.Untimed, Data: event.Data{
			"count": len(ids), "memories": ids, "bytes": size,
		}})
}
