package libexec

import "context"

// A Review is what the page of keepsake review shows: one thing that waits for the person, and where it
// stands among the others. All texts are safe to print.
type Review struct {
	IDs      []string `json:"ids"` // of all that waits, in order
	ID       string   `json:"id"`  // of the one that is shown, "" if nothing waits any more
	Text     string   `json:"text"`
	Near     string   `json:"near"` // the nearest memory, "" for none
	Question string   `json:"question"`
	Keys     string   `json:"keys"`     // that answer it, out of y, n, e, l
	Terminal string   `json:"terminal"` // those of them for which keepsake needs the terminal itself
	Alone    string   `json:"alone"`    // why it is answered by itself, "" if it may be answered with others
	Said     string   `json:"said"`     // what came of the last answer, in lines
	Failed   bool     `json:"failed"`   // the last answer could not be carried out
	Undo     bool     `json:"undo"`     // there is an answer that can be taken back
}

// Keys of a ReviewAnswer beside those of a thing.
const (
	ReviewShow = ""  // the thing with this id is to be shown
	ReviewUndo = "u" // the last answer is to be taken back
	ReviewQuit = "q"
)

// A ReviewAnswer is the key that the person pressed, and the things that it answers.
type ReviewAnswer struct {
	Key string   `json:"key"`
	IDs []string `json:"ids"`
}

// A Reviewer draws the page of keepsake review at the person's terminal, in a program of its own.
type Reviewer struct{ program Program }

// maxReviewAnswer is the longest answer of the program, in bytes: it may name all that waits.
const maxReviewAnswer = 1 << 20

// NewReviewer returns a Reviewer. The caller must call End.
func NewReviewer(ctx context.Context) *Reviewer {
	return &Reviewer{Program{Ctx: ctx, Name: "tui", Does: "draws keepsake review", Most: maxReviewAnswer,
		Person: true}}
}

// Ask shows something, and returns what the person answers. The program has left the terminal to the caller
// if the answer needs it.
func (r *Reviewer) Ask(show Review) (a ReviewAnswer, err error) {
	err = r.program.Ask("keepsake review", show, &a)
	return a, err
}

// End ends the program, which restores the terminal.
func (r *Reviewer) End() { r.program.End() }
