// Package finding says what a finding is: one statement of a conversation that is worth keeping, who said it,
// what explains it, and what became of it.
//
// A project's findings stand in its journal, one line for each turn that had some and one for each change of
// their states; Book folds those lines. A finding is in exactly one state at any time:
//
//	open ──▶ offered ──▶ saved, merged, known, set aside, rejected, expired
//
// An open one may go to each of those ends as well. The package is pure.
package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Speaker is whose words a finding holds.
type Speaker string

// The speakers.
const (
	Typed   Speaker = "typed"   // the person typed them
	Chosen  Speaker = "chosen"  // the person picked them among options, or approved a plan
	Agent   Speaker = "agent"   // the agent said them
	Program Speaker = "program" // a command printed them
)

// Person reports whether the words are the person's.
func (s Speaker) Person() bool { return s == Typed || s == Chosen }

// Approved reports whether words that somebody said are of a plan that the person
// approved, by what explains them: the plan and no answer. The agent wrote them.
func Approved(by Speaker, context []Line) bool {
	return by == Chosen && !slices.ContainsFunc(context, func(l Line) bool { return l.Role == Answer })
}

// Origin is how far the words of a finding, a draft or a record can be trusted.
type Origin string

// The origins, best first.
const (
	FromPerson Origin = "person"  // typed or chosen in a session that a person attends
	FromAgent  Origin = "agent"   // said by the agent
	Tainted    Origin = "tainted" // out of web or MCP content, or a file that git does not track
	NoOrigin   Origin = "none"    // nothing in the transcript supports it
)

// rank orders origins; an unknown one is as bad as none.
func (o Origin) rank() int {
	switch o {
	case FromPerson:
		return 3
	case FromAgent:
		return 2
	case Tainted:
		return 1
	}
	return 0
}

// Worse returns the worse of two origins.
func (o Origin) Worse(p Origin) Origin {
	if o.rank() < p.rank() {
		return o
	}
	return p
}

// Level is how sure it is that a finding is worth keeping.
type Level string

// The levels.
const (
	Sure      Level = "sure"      // clear by itself: offered when the turn ends
	Candidate Level = "candidate" // may be worth keeping; it is shown to nobody before it was judged
)

// Kind separates findings that state something from those that take something back.
type Kind string

// The kinds.
const (
	Statement Kind = ""       // it says something
	Change    Kind = "change" // it turns against what Target says
)

// Role is the part that a line plays in an explanation.
type Role string

// The roles.
const (
	Said     Role = ""         // somebody said it
	Question Role = "question" // the agent asked it, with its options
	Answer   Role = "answer"   // the person answered it
	Plan     Role = "plan"     // the plan that was approved
	Failed   Role = "failed"   // a command that failed, and what it printed
	Passed   Role = "passed"   // the command that passed afterwards
	Quoted   Role = "quoted"   // other words for the finding itself, said elsewhere
)

// A Line is a part of the conversation that explains a finding.
type Line struct {
	By   Speaker
	Role Role
	Text string // secrets redacted
}

// A Finding is one statement that is worth keeping.
type Finding struct {
	Number   int       // in its project, from 1: how people and agents name it
	Text     string    // word for word, one line, secrets redacted; "" once it was settled for long
	By       Speaker   //
	Session  string    // the client's session id
	Record   string    // uuid of the transcript's line; "" when it came with the event
	Offset   int64     // of that line in the transcript, in bytes; -1 when it came with the event
	Time     time.Time // when it was said, UTC
	Branch   string    // of the project then, "" when there is none
	Commit   string    //
	Category memory.Category
	Moment   memory.Moment // in the place of a category: it belongs into the Markdown memories
	Score    float64       // 0 to 1
	Cue      string        // the phrase or event that made it one
	Level    Level
	Explicit bool // the person asked to have it remembered
	// Imported is set if it was found in what was there before Keepsake. Whatever is said later, only the
	// person's yes makes anything of it.
	Imported bool
	Kind     Kind   //
	Target   string // what a Change turns against: "decisions/use-redis.json" or "#7"
	Context  []Line // what explains it, oldest first
	Origin   Origin
	Digest   string // of the text, see Digest: it outlives the text
}

// Filed reports whether a file of the repository says it, and nobody said it in a session.
func (f Finding) Filed() bool { return f.Imported && f.Session == "" }

// PersonOnly reports whether no agent is told of the finding before the person says yes to it: nobody vouches
// for its words, or keepsake init found it.
func (f Finding) PersonOnly() bool {
	return f.Origin == NoOrigin || f.Origin == Tainted || f.Imported
}

// Digest names a statement whatever its case, blanks and punctuation, and whatever leads
// into it ("Remember:", "OK, so"): 64 bits in hexadecimal.
func Digest(said string) string {
	words := strings.FieldsFunc(strings.ToLower(text.WithoutLeadIn(said)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '+' && r != '#'
	})
	kept := words[:0]
	for _, w := range words {
		if w = strings.TrimLeft(w, "+#"); w != "" { // of "C#" it is part, and of "# Use" it is not
			kept = append(kept, w)
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(kept, " ")))
	return hex.EncodeToString(sum[:8])
}
