package session

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/memory"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// SaveCommand is the slash command with which a person has a text remembered that they type behind it.
const SaveCommand = "/keepsake:save"

// leastTyped is how many words a text without a category must have to make sense by itself. "that" and
// "the decision" point at what was said before.
const leastTyped = 3

// parseSaveRequest returns the text behind the save command, and the category with which it begins, or
// "". ok is false if there is no text for a memory: only an option or a category, a session summary, or
// words that only point back.
func parseSaveRequest(args string) (as memory.Category, text string, ok bool) {
	text = strings.TrimSpace(args)
	if strings.HasPrefix(text, "-") {
		return "", "", false
	}
	first, rest, _ := strings.Cut(text, " ")
	if c, err := memory.ParseCategory(strings.TrimSuffix(first, ":")); err == nil {
		rest = strings.TrimSpace(rest)
		return c, rest, rest != "" && c != memory.SessionSummary
	}
	return "", text, len(strings.Fields(text)) >= leastTyped
}

// Wanted returns the finding for a text that somebody wants to be remembered. Its origin is the agent;
// the caller sets another one. If as is "", the words decide the category.
func (ca *Capture) Wanted(text string, as memory.Category, cue string, now time.Time) finding.Finding {
	f := finding.Finding{
		Text: requested(text), By: finding.Agent, Origin: finding.FromAgent, Session: ca.ID,
		Offset: -1, Time: now.UTC(), Level: finding.Sure, Score: triage.Max, Cue: cue, Explicit: true,
		Category: as,
	}
	if as == "" {
		f.Category = cmp.Or(explain.CategoryOf(f.Text, ca.Options()), memory.Preference)
		if f.Category == memory.Decision && isRule(f.Text) {
			f.Category = memory.Preference
		}
	}
	f.Digest = finding.Digest(f.Text)
	return f
}

// isRule reports whether a text that reads as a choice, such as "use pnpm, not npm", tells the agent what to
// run: only a rule can have a guard. What we decided stays a choice.
func isRule(said string) bool {
	_, sentence, ok := guard.Propose(said)
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(sentence)), " ")
	return ok && !text.OneOf(first, "we i wir ich")
}

// requested returns a text that somebody wants to be remembered, in one line, without secrets and without
// what nobody sees. A secret that such characters part is one as well.
func requested(said string) string {
	said = secret.Redact(said)
	if plain := brief.Line(said); len(secret.Kinds(plain)) > 0 {
		return secret.Redact(plain)
	}
	return brief.Line(text.PartWords(said))
}

// Proposed is the Cue of a finding that an agent proposed by itself. Nobody vouches for its words, and only
// the person's yes makes anything of it.
const Proposed = "proposed"

// Turn marks the finding of a person's text as a change of mind if the text turns against a memory, which
// it then supersedes. If it turns against a waiting statement, the caller takes that back. named reports that
// the person named the category, and with are the findings that go into one memory with it.
func (ca *Capture) Turn(f *finding.Finding, named bool, with ...int) (Turned, error) {
	t, err := ca.Turns(f.Text, time.Time{}, with...)
	if err != nil || t.Record.Ref == "" {
		return t, err
	}
	if !named {
		f.Category = t.Record.Category
	}
	f.Kind, f.Target = finding.Change, t.Record.Ref
	return t, nil
}

// TakenBack returns the moves that take back the waiting finding against which a text turns, if there is
// one. plan is the digest of the plan that saves the text, "" where none does: who undoes that has the
// finding wait again.
func (t Turned) TakenBack(text, plan string, at time.Time) (moves []finding.Move) {
	if n, ok := findingNumber(t.Finding.Ref); ok {
		moves = append(moves, finding.Move{At: at.UTC(), Act: finding.PutAside, Numbers: []int{n},
			By: "person", Why: "taken back: " + text, Plan: plan})
	}
	return moves
}

// NoteRequest adds a person's text behind the save command to the journal, as a finding that the agent
// has been told of. ok is false if there is nothing to note.
func (ca *Capture) NoteRequest(args string, now time.Time) (f finding.Status, ok bool, err error) {
	as, text, ok := parseSaveRequest(args)
	if !ok {
		return f, false, nil
	}
	request := ca.Wanted(text, as, SaveCommand, now)
	if request.Text == "" {
		return f, false, nil
	}
	request.By, request.Origin = finding.Typed, finding.FromPerson
	request.Branch, request.Commit = ca.Head(ca.Root)
	switch {
	case ca.nested():
		request.Origin = finding.NoOrigin
	case Person() != nil:
		request.Origin = finding.FromAgent
	}
	turned, err := ca.Turn(&request, as != "")
	if err == nil {
		err = ca.MoveFindings(turned.TakenBack(request.Text, "", request.Time)...)
	}
	if err != nil {
		ca.Fault("notice", "what the person takes back could not be held against the memories", err)
	}
	noted, err := ca.NoteFindings([]finding.Finding{request}, now)
	if err != nil || len(noted) == 0 {
		return f, false, err
	}
	f = finding.Status{Finding: noted[0], State: finding.Open}
	return f, true, nil
}

// Noted reports whether an entry is a save command whose text was put into the journal when it was
// typed.
func (ca *Capture) Noted(e transcript.Entry) bool {
	if e.Called != SaveCommand {
		return false
	}
	_, text, ok := parseSaveRequest(e.Text)
	if !ok {
		return false
	}
	digest := finding.Digest(requested(text))
	book, err := ca.Recent()
	return err == nil && len(book.Each(func(f finding.Status) bool {
		return f.Session == ca.ID && f.Digest == digest
	})) > 0
}

// typedBytes is how much of a transcript's end is searched for the line of a save command.
const typedBytes = 1 << 20

// NotTyped returns the numbers of the findings that were noted as typed by a person behind the save
// command, but that no person typed according to the transcript. A prompt that an agent scheduled arrives
// by the same command and looks the same at first.
func (ca *Capture) NotTyped(findings []finding.Status) (numbers []int) {
	asked := slices.DeleteFunc(slices.Clone(findings),
		func(f finding.Status) bool { return !ca.isSaveRequest(f) })
	if len(asked) == 0 {
		return nil
	}
	file, err := OpenTranscript(ca.State.Transcript)
	if err != nil {
		return nil // without a transcript a person's word stands: somebody sat there when it was noted
	}
	defer file.Close()
	entries, err := transcript.Back(file, file.Size(), typedBytes)
	if err != nil {
		return nil
	}
	return ca.Untyped(asked, entries)
}

// isSaveRequest reports whether this session noted a finding as typed behind the save command.
func (ca *Capture) isSaveRequest(f finding.Status) bool {
	return f.Session == ca.ID && f.Cue == SaveCommand && f.Origin == finding.FromPerson
}

// Untyped is NotTyped for given entries of the transcript. A line of a slash command from the older
// client does not say who typed it, and proves nothing against a person: somebody sat there when it was
// noted.
func (ca *Capture) Untyped(findings []finding.Status, entries []transcript.Entry) (numbers []int) {
	for _, f := range findings {
		by, other := false, false // a person typed it; somebody else sent it
		for _, e := range entries {
			if !ca.isSaveRequest(f) || !strings.Contains(requested(e.Text), f.Text) {
				continue
			}
			switch e.Who {
			case transcript.Person:
				by, other = by || e.Marked == transcript.ByHand, other || e.Marked == transcript.BySDK
			case transcript.Scheduled, transcript.Peer, transcript.Notification:
				other = true
			}
		}
		if other && !by {
			numbers = append(numbers, f.Number)
		}
	}
	return numbers
}
