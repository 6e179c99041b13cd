package cues

import "math/bits"

// Family is a family of phrases with the same meaning.
type Family uint8

// Set is a set of families.
type Set uint64

// The families. Data files name them as String does; what each is for stands in data/en.txt or data/any.txt.
const (
	Choice Family = iota
	Agreement
	Pick
	Proposal
	Rejection
	Contrast
	Reason
	Advantage
	Drawback
	Tradeoff
	Rationale
	Symptom
	Cause
	Fix
	Verified
	Trigger
	Caveat
	Limit
	Source
	Deferral
	Gap
	Rule
	Scope
	Style
	Want
	Reversal
	Correction
	Before
	Plan
	Sequence
	Remember
	We
	You
	Hedge
	Question
	Wish
	Condition
	Narration
	Report
	Verdict
	Changelog
	Story
	Trace
	Measure
	Version
	Code
	Emphasis
	Expected
	Migration
	Setting
	Security
	Performance
	Compat
	Answer
	Praise
	Negation
	Lasting

	// Count is the number of families.
	Count = iota
)

// names are the names of the families in the data files.
var names = [Count]string{
	Choice: "choice", Agreement: "agreement", Pick: "pick", Proposal: "proposal", Rejection: "rejection",
	Contrast: "contrast", Reason: "reason", Advantage: "advantage", Drawback: "drawback",
	Tradeoff:  "tradeoff",
	Rationale: "rationale", Symptom: "symptom", Cause: "cause", Fix: "fix", Verified: "verified",
	Trigger: "trigger", Caveat: "caveat", Limit: "limit", Source: "source", Deferral: "deferral", Gap: "gap",
	Rule: "rule", Scope: "scope", Style: "style", Want: "want", Reversal: "reversal",
	Correction: "correction", Before: "before", Plan: "plan", Sequence: "sequence", Remember: "remember",
	We: "we", You: "you", Hedge: "hedge", Question: "question", Wish: "wish", Condition: "condition",
	Narration: "narration", Report: "report", Verdict: "verdict", Changelog: "changelog", Story: "story",
	Trace: "trace", Measure: "measure", Version: "version", Code: "code", Emphasis: "emphasis",
	Expected: "expected", Migration: "migration", Setting: "setting", Security: "security",
	Performance: "performance", Compat: "compat", Answer: "answer", Praise: "praise", Negation: "negation",
	Lasting: "lasting",
}

// String returns the name of the family in the data files.
func (f Family) String() string {
	if int(f) < Count {
		return names[f]
	}
	return "unknown"
}

// Has reports whether the set has the family.
func (s Set) Has(f Family) bool { return s>>f&1 != 0 }

// Len returns the number of families in the set.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }
