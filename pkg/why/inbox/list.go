package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/doctor"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/text"
	"keepsake/pkg/why/candidate"
)

// A List is everything that waits, in a form for people and one for programs.
type List struct {
	Findings   []listedFinding       `json:"findings"`   // newest first; those that are sure, then the others
	Candidates []candidate.Candidate `json:"candidates"` // those put off included
	Calls      []Call                `json:"calls"`
	Drafts     []listedDraft         `json:"drafts"`
	Disputes   []doctor.Dispute      `json:"disputes,omitempty"`
	Partly     int                   `json:"compared_partly,omitempty"` // memories not held against all others
	Unused     []listedUnused        `json:"unused,omitempty"`          // given often and never used: to be forgotten?
	// memories that no agent is told of before you say yes
	Held      []listedHeld      `json:"held"`
	Approvers string            `json:"approvers,omitempty"` // id of the list of who may approve such, if it waits
	Merged    []listedMerged    `json:"merged,omitempty"`    // memories whose branch was merged: keep them?
	Changes   []listedChange    `json:"changes,omitempty"`   // of the Markdown memories, proposed by agents
	Failing   []listedFailing   `json:"failing,omitempty"`   // memories of which a check fails, or that expired
	Drawers   []listedDrawer    `json:"drawers,omitempty"`   // promoted, and their memories hold no longer
	Last      *candidate.Report `json:"last,omitempty"`

	text groups
}

// Text returns the list as a person reads it.
func (l List) Text() string { return l.text.text() }

// A listedFinding is a finding that waits to be saved.
type listedFinding struct {
	Number   int             `json:"number"`
	Category memory.Category `json:"category,omitempty"`
	// in the place of a category: it belongs into the Markdown memories
	Moment  memory.Moment   `json:"moment,omitempty"`
	Text    string          `json:"text"`
	By      finding.Speaker `json:"by"`
	Origin  finding.Origin  `json:"origin"`
	Time    time.Time       `json:"time"`
	Session string          `json:"session,omitempty"`
	Level   finding.Level   `json:"level"`
	State   finding.State   `json:"state"`
	Denied  bool            `json:"denied,omitempty"`  // something that was said later turns against it
	Against string          `json:"against,omitempty"` // that: the path of a memory, or "#" and the number of a finding
}

// A listedDraft is a draft that could not be saved.
type listedDraft struct {
	ID      string          `json:"id"`
	Mended  bool            `json:"mended"` // somebody made a better one out of it, which waits to be saved
	Session string          `json:"session"`
	At      time.Time       `json:"at,omitzero"`
	Why     string          `json:"reason"`
	Title   string          `json:"title,omitempty"`
	Kind    memory.Category `json:"category"`
}

// A listedHeld is one question about memories.
type listedHeld struct {
	ID      string         `json:"id"`
	Records []listedRecord `json:"records"` // none for an agent
	Why     string         `json:"why"`     // "" for an agent, which is shown no words of them
	Origin  finding.Origin `json:"origin,omitempty"`
}

// A listedRecord is one of these memories.
type listedRecord struct {
	Path  string `json:"path"` // below the store's root
	Title string `json:"title,omitempty"`
}

// A listedMerged is the question about the memories of a merged branch.
type listedMerged struct {
	ID      string         `json:"id"`
	Branch  string         `json:"branch"`
	Records []listedRecord `json:"records"`
}

// A listedChange is a change of Markdown memories that an agent proposes.
type listedChange struct {
	ID      string    `json:"id"`
	Dir     string    `json:"dir"`
	Files   []string  `json:"files"`
	Session string    `json:"session"`
	Made    time.Time `json:"made_at"`
	Trouble string    `json:"trouble,omitempty"` // why it can't be written
}

// A listedFailing is a memory of which a check fails, or that expired.
type listedFailing struct {
	ID     string          `json:"id"`
	Path   string          `json:"path"`
	Title  string          `json:"title"`
	Why    []string        `json:"why"`
	Choice standing.Choice `json:"choice,omitempty"`
}

// A listedUnused is a memory that came with many prompts and was never used.
type listedUnused struct {
	ID    string      `json:"id"`
	Path  string      `json:"path"`
	Title string      `json:"title"`
	Count usage.Count `json:"count"`
}

// A listedDrawer was promoted, and its memory holds no longer.
type listedDrawer struct {
	Path    string   `json:"path"` // wing/room/drawer
	Records []string `json:"records"`
	By      string   `json:"superseded_by,omitempty"`
}

// groups are the lines of groups: one that names the group, and below it one for each entry.
type groups []string

// text returns the lines as a text.
func (g groups) text() string {
	var b strings.Builder
	for _, l := range g {
		b.WriteString(l + "\n")
	}
	return b.String()
}

// add adds a group, if there is something in it.
func (g *groups) add(head string, lines ...string) {
	if len(lines) > 0 && head != "" {
		*g = append(*g, head)
	}
	for _, l := range lines {
		*g = append(*g, "  "+l)
	}
}

// List returns everything that waits in the project, and the candidates of the memory-keeper's last
// document that were not taken. The error is about what can't be read; the rest is returned with it.
func (b *Inbox) List(s *save.Saver) (List, error) {
	l := List{Findings: []listedFinding{}, Candidates: []candidate.Candidate{}, Calls: []Call{},
		Drafts: []listedDraft{}, Held: []listedHeld{}}
	now := b.Now()
	w, errs := b.gather(s)
	person := b.Person()
	l.addFindings(w.findings, person)
	l.addCandidates(w.candidates, now)
	var lines []string
	for _, c := range b.calls(w.calls) {
		l.Calls = append(l.Calls, c)
		lines = append(lines, c.lines(now)...)
	}
	l.text.add("Stopped by the gate (keepsake inbox approve or reject ID, ID-ID or all):", lines...)
	l.addDrafts(s.Pending(), w.drafts, now)
	lines = nil
	for _, h := range w.held {
		lines = append(lines, heldLine(h, person))
		held := listedHeld{ID: h.ID(), Records: []listedRecord{}, Origin: h[0].Trust.Origin}
		if person {
			held.Why = h[0].Trust.Why
			for _, r := range h {
				held.Records = append(held.Records, listedRecord{r.Path, r.Title})
			}
		}
		l.Held = append(l.Held, held)
	}
	if w.approvers.Waits() {
		lines = append(lines, approversLine(w.approvers))
		l.Approvers = approversID(w.approvers)
	}
	l.text.add("Memories that no agent is told of before you say yes (keepsake review, approve or reject "+
		"ID):", lines...)
	lines = nil
	for _, m := range w.merged {
		shown := slices.DeleteFunc(slices.Clone(m.Records), func(r memory.Stored) bool {
			return !person && s.TrustOf(r).Held
		})
		lines = append(lines, mergedLine(m, shown))
		merged := listedMerged{ID: mergedID(m), Branch: m.Branch, Records: []listedRecord{}}
		for _, r := range shown {
			merged.Records = append(merged.Records, listedRecord{r.Path, r.Title})
		}
		l.Merged = append(l.Merged, merged)
	}
	l.text.add("Came with a merge; a no retires them (keepsake review, approve or reject ID):", lines...)
	lines = nil
	var unwritable []string
	for _, c := range w.changes {
		listed := listedChange{ID: c.ID, Dir: c.Dir, Files: c.Plan.Paths(), Session: c.Session, Made: c.Made}
		if c.trouble == nil {
			lines = append(lines, changeLine(c, now))
		} else {
			listed.Trouble = c.trouble.Error()
			unwritable = append(unwritable, changeLine(c, now), fmt.Sprintf("%9s%s", "",
				inLine(listed.Trouble)))
		}
		l.Changes = append(l.Changes, listed)
	}
	l.text.add("Changes of your notes that agents propose (keepsake review, approve or reject ID):", lines...)
	l.text.add("Proposed changes that can't be written, as things are now (keepsake inbox reject ID drops "+
		"one):", unwritable...)
	lines = nil
	ctx, cancel := context.WithTimeout(context.Background(), blameLimit)
	defer cancel()
	for i, f := range w.failing {
		lines = append(lines, f.lines(ctx, b, s, i)...)
		l.Failing = append(l.Failing, listedFailing{f.ID(), f.Path, f.Title, f.Texts, f.Choice})
	}
	l.text.add("Memories that may not hold any more (keepsake review, approve ID retires, reject ID keeps; "+
		"keepsake records blame):", lines...)
	lines = nil
	for _, o := range w.drawers {
		lines = append(lines, text.Safe(o.Path)+": "+o.Why())
		l.Drawers = append(l.Drawers, listedDrawer{o.Path, o.Records, o.By})
	}
	l.text.add("Promoted, and no longer true; recalled no more (keepsake review, or keepsake forget "+
		"WING/ROOM/DRAWER withdraws it):", lines...)
	lines = nil
	for _, d := range w.disputes {
		line := d.Line() + ": " + d.Remedy()
		if d.ID != "" {
			line = fmt.Sprintf("%-8s %s", d.ID, line)
		}
		lines = append(lines, line)
	}
	l.Disputes, l.Partly = w.disputes, w.partly
	l.text.add("Memories that contradict each other (keepsake review, approve ID retires the older, "+
		"reject ID says that both hold):", lines...)
	if w.partly > 0 {
		l.text.add("", doctor.ComparedPartly(w.partly)+": others may contradict each other")
	}
	lines = nil
	for _, m := range w.unused {
		lines = append(lines, unusedLine(m))
		l.Unused = append(l.Unused, listedUnused{unusedID(m), m.Path, m.Title, m.Count})
	}
	l.text.add("Memories that seem to help nobody, and come after others (keepsake review, approve ID "+
		"retires, reject ID keeps):", lines...)
	if len(l.text) == 0 {
		l.text = groups{"nothing waits for you"}
	}
	last, err := s.Inbox().Told()
	l.addLast(last)
	return l, errors.Join(append(errs, err)...)
}

// addFindings adds findings. An agent is shown no words of those that only the person may know of.
func (l *List) addFindings(all []noticed, person bool) {
	var lines [len(findingGroups)][]string
	for _, f := range all {
		if !person && f.PersonOnly() {
			f.Text = ""
		}
		l.Findings = append(l.Findings, listedFinding{f.Number, f.Category, f.Moment, f.Text, f.By, f.Origin,
			f.Time, f.Session, f.Level, f.State, f.denied, f.by.Ref})
		lines[f.group()] = append(lines[f.group()], f.line())
	}
	for g, head := range findingGroups {
		l.text.add(head, lines[g]...)
	}
}

func (l *List) addCandidates(all []candidate.Candidate, now time.Time) {
	var lines []string
	off := 0
	for _, c := range all {
		if l.Candidates = append(l.Candidates, c); c.Waits(now) {
			lines = append(lines, candidateLines(c, now)...)
		} else {
			off++
		}
	}
	l.text.add("For good keeping (keepsake inbox approve, reject, edit or later ID):", lines...)
	if off > 0 {
		l.text.add("", fmt.Sprintf("%d put off", off))
	}
}

func (l *List) addDrafts(p stage.Pending, all []stage.Kept, now time.Time) {
	var questions, failed []string
	for _, k := range all {
		_, err := p.Amended(k)
		line, mended := draftLine(k, now), err == nil
		if mended {
			line += " (mended; next: keepsake records triage --pending, then keepsake records commit)"
		}
		if isQuestion(k) {
			questions = append(questions, line)
		} else {
			failed = append(failed, line)
		}
		l.Drafts = append(l.Drafts, listedDraft{k.ID(), mended, k.Session, k.At, k.Reason, k.Title,
			k.Category})
	}
	l.text.add("An agent would end, replace or add to what you said; a yes does that, a no drops the draft "+
		"(keepsake review, approve or reject ID):", questions...)
	l.text.add("Drafts of memories that could not be saved (keepsake inbox edit or reject ID):", failed...)
}

func (l *List) addLast(r candidate.Report) {
	if r.Time.IsZero() {
		return
	}
	l.Last = &r
	var lines []string
	for _, i := range r.Items {
		if i.Why != "" {
			lines = append(lines, NotTaken(i))
		}
	}
	l.text.add("Not taken from the last memory-keeper's document, of "+r.Time.Format("2006-01-02 15:04")+
		" UTC:", lines...)
}

// NotTaken returns why a candidate of a document is not on the inbox.
func NotTaken(i candidate.Item) string {
	at := fmt.Sprintf("line %d", i.Line)
	if i.Title != "" {
		at += ` "` + text.Shorten(brief.Line(i.Title), 60) + `"`
	}
	if i.Source != "" {
		at += " [source: " + brief.Line(i.Source) + "]"
	}
	return at + ": " + brief.Line(i.Why)
}
