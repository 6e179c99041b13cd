// Package cues finds families of phrases in what people and agents write while they code, in nine languages:
// a choice that was made, a reason, a symptom, a fix, a limit, a rule, and what speaks against keeping a
// statement. It judges nothing: what a family is worth is for its callers to learn.
//
// The phrases are in data/<language>.txt, and data/any.txt has symbols and words that every language uses:
//
//	[choice] a choice that somebody made, ours or theirs
//	we'll go with
//	settl* on
//	^go with
//	option #
//
// A section begins with the name of its family and says why the family exists. One phrase a line, in lower
// case. Case, typographic apostrophes and emphasis in the text do not matter. A space or a hyphen matches
// spaces, and a hyphen within a word. "*" at the end of a word stands for any ending, "#" for a number, and
// "^" before a phrase for the beginning of a sentence, a line or a list item.
//
// A phrase matches whole words: "no" is neither in "no-op" nor in "note". Chinese, Japanese and Korean have
// no such boundaries: there, a phrase matches anywhere, and a space in a Korean one is optional. In French,
// Spanish and Portuguese, a phrase of five letters or more also matches without its accents, in German with
// ae, oe, ue and ss.
//
// After a change, KEEPSAKE_GOLDEN=1 go test ./pkg/capture/cues writes the table that Find reads.
package cues

//go:generate env KEEPSAKE_GOLDEN=1 go test -run TestTheTableIsOfTheData .
