package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
)

type triageCmd struct {
	Pending  bool     `help:"Instead claim what ended sessions of the project left unsaved."`
	Category []string `help:"Stage this category also when nothing in it was noticed: the person asked for it. May be repeated." placeholder:"CATEGORY" sep:","`
	JSON     bool     `help:"Print one JSON object: the triage data and its path."`
}

func (triageCmd) Help() string {
	return `A run by hand: looks at the whole conversation of the session again, stages the categories worth keeping with their context for drafters, and prints the file that the save skill reads. Drafts and a plan that an earlier run left are cleared first; what was noticed and not saved stays.

Examples:

    keepsake records triage
    keepsake records triage --category decision
    keepsake records triage --pending`
}

// triageJSON is what triage --json prints.
type triageJSON struct {
	Path    string           `json:"path"` // of triage-data.json; "" when nothing was noticed
	Data    stage.TriageData `json:"triage_data"`
	Cleared []string         `json:"cleared"` // files taken off the stage first
	Claimed []string         `json:"claimed"` // sessions whose leftovers came onto the stage
	// Remade are findings of this session that lay on a stage which has vanished.
	Remade []int `json:"remade,omitempty"`
}

func (v triageCmd) Run(c *call) error {
	c.json = v.JSON
	forced, err := categories(v.Category)
	if err != nil {
		return err
	}
	s, err := c.staged()
	if err != nil {
		return err
	}
	out := triageJSON{Cleared: []string{}, Claimed: []string{}}
	if v.Pending {
		book, err := s.Book()
		if err != nil {
			c.note("%v", err)
		}
		out.Remade = remake(c, s, book, false).numbers // before others' drafts lie there
		if err := claims(s); err != nil {
			return err
		}
		if out.Claimed, err = s.Pending().Claim(s.Desk); err != nil {
			return err
		}
		from, err := claim(c, s, book)
		if err != nil {
			return err
		}
		for _, id := range from {
			if !slices.Contains(out.Claimed, id) {
				out.Claimed = append(out.Claimed, id)
			}
		}
		slices.Sort(out.Claimed)
		if len(out.Claimed)+len(out.Remade) == 0 {
			c.line("nothing pending")
			c.value(out)
			return nil
		}
		if err := s.Update(func(st *stage.State) error { begin(s, st); return nil }); err != nil {
			return err
		}
		if len(out.Claimed) > 0 {
			c.line("claimed what %s left: %s", count(len(out.Claimed), "session"),
				strings.Join(out.Claimed, ", "))
		}
		return announce(c, s, triage.Notice{}, out)
	}
	if s.State.Transcript == "" {
		if s, err = latest(s); err != nil {
			return err
		}
		c.note("session %s (the latest) of %s", s.ID, s.Root)
	}
	if out.Cleared, err = clearDrafts(s.Desk); err != nil {
		return err
	}
	if len(out.Cleared) > 0 {
		c.line("cleared from the stage: %s", strings.Join(out.Cleared, ", "))
	}
	explicit, err := look(c, s, forced)
	if err != nil {
		return err
	}
	return announce(c, s, triage.Notice{Explicit: explicit}, out)
}

// categories reads category names as people write them.
func categories(names []string) ([]memory.Category, error) {
	var out []memory.Category
	for _, n := range names {
		cat, err := memory.ParseCategory(n)
		if err != nil {
			return nil, &failure{exitUsage, err, nil}
		}
		out = append(out, cat)
	}
	return out, nil
}

// latest is the session of the project that a hook saw last.
func latest(s *session.Session) (*session.Session, error) {
	all, err := s.Sessions().All()
	if err != nil {
		return nil, err
	}
	for _, st := range all {
		if st.Transcript != "" {
			return session.Find(st.Session)
		}
	}
	return nil, failed(fmt.Errorf("%s: no session is known here", s.Root),
		"keepsake learns of a session when its hooks run in it; is the plugin installed and enabled?")
}

// clearDrafts takes drafts and plans of an earlier run off the desk. Contexts
// stay: what they hold was noticed and is not saved.
func clearDrafts(d stage.Desk) ([]string, error) {
	names, err := d.Files()
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		_, intent := intentCategory(n)
		return !intent && !stage.IsVerify(n) && n != stage.TriageName && n != stage.PlanName && n != stage.PendingName
	})
	gone, err := d.Remove(names...)
	return append([]string{}, gone...), err
}

// look reads the session's conversation afresh, notes what the journal does not have,
// and stages what waits of this session. The watermark moves to the end, so that the
// coming Stop does not notice the same again. It reports whether the person asked to
// have something remembered.
func look(c *call, s *session.Session, forced []memory.Category) (explicit bool, err error) {
	file, err := session.OpenTranscript(s.State.Transcript)
	if err != nil {
		return false, err
	}
	defer file.Close()
	return explicit, s.Update(func(st *stage.State) error {
		span, err := s.Listen(file, *st, "")
		if err != nil {
			return err
		}
		session.Count(&st.Activity, span.Entries)
		entries := session.EntriesSince(file, 0)
		noticed := s.Notice(nil, entries)
		explicit = noticed.Explicit
		added, err := s.AddFindings(st, span.Next, noticed.Findings, c.now().UTC())
		if err != nil {
			return err
		}
		if err := s.MoveFindings(noticed.Turned...); err != nil {
			return err
		}
		contexts := s.Contexts(noticed, added, false)
		book, err := s.Recent()
		if err != nil {
			c.note("%v", err)
		}
		earlier, _ := s.Waiting(book, false)
		contexts = append(contexts, s.ContextsOf(notOn(s, earlier, finding.NumbersOf(added)))...)
		for _, cat := range forced {
			if !slices.ContainsFunc(contexts, func(c stage.Context) bool { return c.Category == cat }) {
				context, err := asked(c, s, st, cat, session.Passages(entries))
				if err != nil {
					return err
				}
				contexts = append(contexts, context)
			}
		}
		for _, context := range contexts {
			if err := s.Desk.Put(context); err != nil {
				return err
			}
		}
		if summary, _, enough := s.Summary(st, file, false); enough {
			if err := s.Desk.Put(summary); err != nil {
				return err
			}
			st.Activity = stage.Activity{From: st.Mark.Offset}
		}
		begin(s, st)
		return nil
	})
}

// notOn are findings that neither lie on the desk nor are among some numbers.
func notOn(s *session.Session, findings []finding.Status, numbers []int) []finding.Status {
	lies := append(onDesk(s), numbers...)
	return slices.DeleteFunc(slices.Clone(findings),
		func(f finding.Status) bool { return slices.Contains(lies, f.Number) })
}

// claims notes whose work a session is about to take over, before it does: what their
// drafts say was said there.
func claims(s *session.Session) error {
	waiting, err := s.Pending().Waiting()
	if err != nil || len(waiting) == 0 {
		return err
	}
	return s.Update(func(st *stage.State) error {
		for _, id := range slices.Sorted(maps.Keys(waiting)) {
			if id != s.ID && !slices.Contains(st.Claimed, id) {
				st.Claimed = append(st.Claimed, id)
			}
		}
		return nil
	})
}

// batch is how many findings that wait are staged for drafters at once. Those that are
// left wait for the next call.
const batch = 60

// claim stages what ended sessions of the project noticed and nothing became of, with
// what others were told of and did not take up, and returns those sessions. From then on
// it is this session's to save. What was settled since is taken off the desk.
func claim(c *call, s *session.Session, book *finding.Book) (from []string, err error) {
	waiting := notOn(s, s.Claimable(book), nil)
	if len(waiting) > batch {
		c.line("%s wait; these are the first %d", count(len(waiting), "finding"), batch)
		waiting = waiting[:batch]
	}
	settled := finding.Numbers(book.Each(func(f finding.Status) bool { return !f.State.Waits() }))
	if err := s.Restage(waiting, settled); err != nil {
		return nil, err
	}
	for _, f := range waiting {
		if !slices.Contains(from, f.Session) {
			from = append(from, f.Session)
		}
	}
	return from, s.MoveFindings(finding.Move{At: c.now().UTC(), Act: finding.Offer,
		Numbers: finding.Numbers(waiting), By: "keepsake"})
}

// A remadeStage is what lies on the stage again.
type remadeStage struct {
	numbers    []int // of the findings
	categories []string
	path       string // of the triage data, "" where none was written
}

// hints say how to go on from it.
func (r remadeStage) hints() []string {
	if r.path == "" {
		return nil
	}
	return []string{"what drafters wrote went with the stage; they can begin anew from " + r.path}
}

// remake has the stage made again from the journal where it vanished after the session
// was told of what lay there. With announced, drafters are to go on from it.
func remake(c *call, s *session.Session, book *finding.Book, announced bool) (r remadeStage) {
	made, err := s.Remake(book)
	if err != nil {
		c.note("the stage has vanished and can't be made again: %v", err)
		return remadeStage{}
	}
	if len(made) == 0 {
		return r
	}
	r.numbers = finding.Numbers(made)
	for _, context := range s.ContextsOf(made) {
		r.categories = append(r.categories, string(context.Category))
	}
	c.note("the stage had vanished; what lay there was made again from the journal: %s",
		count(len(made), "finding"))
	if !announced {
		return r
	}
	if err := s.Relate(); err != nil {
		c.note("drafters are not shown the memories there are: %v", err)
	}
	if r.path, _, err = s.Desk.Announce(s.Parallel(), c.now().UTC()); err != nil {
		c.note("%v", err) // then no drafter is waited for
		r.path = ""
	}
	return r
}

// begin notes that a save begins, with drafters of its own. From here to the end
// of the turn that applies, the agent speaks about the save.
func begin(s *session.Session, st *stage.State) {
	st.Due, st.Drafters = false, nil
	st.Saving = st.Saving || inside(s)
}

// asked is the context of a category that nothing was noticed in but somebody asked
// for: the recent conversation, and the person's last words as its finding.
func asked(c *call, s *session.Session, st *stage.State, cat memory.Category,
	said []triage.Passage) (stage.Context, error) {
	context := stage.Context{
		Category: cat, Description: s.Config.Categories[cat].Description,
		// The excerpt of a session summary is the conversation itself.
		Excerpt: triage.Excerpt(said, triage.Signal{Category: memory.SessionSummary}),
	}
	if cat == memory.SessionSummary {
		return context, nil
	}
	for _, p := range slices.Backward(said) {
		if p.By != triage.Person {
			continue
		}
		f := finding.Finding{
			Text: brief.Line(secret.Redact(p.Text)), By: finding.Typed, Session: s.ID, Record: p.ID,
			Time: c.now().UTC(), Category: cat,
			Score: triage.Max, Level: finding.Sure, Explicit: true, Cue: "asked for",
			Origin: finding.FromPerson,
		}
		if session.Person() != nil && session.Alone() != nil {
			f.Origin = finding.FromAgent
		}
		added, err := s.AddFindings(st, transcript.Mark(st.Mark), []finding.Finding{f}, c.now().UTC())
		if err != nil {
			return context, err
		}
		for _, f := range added {
			context.Snippets = append(context.Snippets, stage.Snippet{Number: f.Number, Text: f.Text})
		}
		break
	}
	return context, nil
}

// announce writes the triage data for all that lies on the stage and prints it
// as Stop would.
func announce(c *call, s *session.Session, notice triage.Notice, out triageJSON) error {
	if err := s.Relate(); err != nil {
		c.note("drafters are not shown the memories there are: %v", err)
	}
	contexts, err := s.Desk.Contexts()
	if err != nil && len(contexts) == 0 {
		return err
	}
	if err != nil {
		c.note("%v", err)
	}
	if len(contexts) == 0 {
		c.line("nothing noticed")
		c.value(out)
		return nil
	}
	path, data, err := s.Desk.Announce(s.Parallel(), c.now().UTC())
	if err != nil {
		return err
	}
	about := brief.Descriptions{}
	for _, context := range contexts {
		about[context.Category] = context.Description
		if !slices.ContainsFunc(notice.Signals, func(sig triage.Signal) bool { return sig.Category == context.Category }) {
			sig := triage.Signal{Category: context.Category, Score: context.Score}
			for _, q := range context.Snippets {
				sig.Quotes = append(sig.Quotes, triage.Quote{Text: q.Text})
			}
			notice.Signals = append(notice.Signals, sig)
		}
	}
	c.block(brief.Feedback(notice, path, about))
	out.Path, out.Data = path, data
	c.value(out)
	return nil
}
