package memdir

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// NewerMark is the text behind the date below a statement that a newer one replaced: "_Updated: 2026-11-23"
// and then this.
const NewerMark = "_ (the new version is at the end)"

// A Replacement is a statement that no longer holds, and what took its place.
type Replacement struct {
	From, To int       // its lines as indices, with its mark and its reasons; To is not included
	On       time.Time // when it was replaced
	By       int       // the line of the statement that holds now, as an index; -1 if that can't be told
}

// Replacements returns the statements of a file that Keepsake marked as replaced, in order.
func Replacements(d markdown.Doc) (out []Replacement) {
	marked := func(l markdown.Line) bool { return strings.Contains(l.Text, NewerMark) }
	if !slices.ContainsFunc(d.Lines, marked) {
		return nil
	}
	var all []markdown.Block
	for b := range d.Blocks {
		all = append(all, b)
	}
	for i, b := range all {
		on, marked := markedIn(d, b)
		if !marked {
			continue
		}
		r := Replacement{From: b.From, To: d.Extent(b), On: on, By: -1}
		if b.Kind == markdown.Paragraph && markdown.IsStamp(d.Lines[b.From].Text) {
			if i == 0 {
				continue
			}
			r.From = all[i-1].From
		}
		for _, next := range all[i+1:] {
			if first := d.Lines[next.From].Text; !isReason(first) && !markdown.IsStamp(first) {
				break
			}
			r.To = max(r.To, next.To)
		}
		out = append(out, r)
	}
	byDay := versions(d, all)
	for i := range out {
		out[i].By = versionOf(d, out, i, byDay)
	}
	return out
}

// isReason reports whether a line gives the reason of the statement above it, or how to apply that.
func isReason(line string) bool { return Label(line, "why") || Label(line, "how to apply") }

// markedIn returns the date of the mark in a block, if it has one.
func markedIn(d markdown.Doc, b markdown.Block) (on time.Time, ok bool) {
	if b.Kind == markdown.Code || b.Kind == markdown.Comment {
		return on, false
	}
	for _, l := range d.Lines[b.From:b.To] {
		before, _, marked := strings.Cut(l.Text, NewerMark)
		if !marked || len(before) < len(time.DateOnly) {
			continue
		}
		if on, ok = day(before[len(before)-len(time.DateOnly):]); ok {
			return on, true
		}
	}
	return on, false
}

// A version is a statement that may have replaced an older one.
type version struct {
	line  int
	roots []string // of its words
}

// versions returns the statements of a file by the day on which they were written.
func versions(d markdown.Doc, all []markdown.Block) map[time.Time][]version {
	byDay := map[time.Time][]version{}
	p := &page{doc: d}
	for _, b := range all {
		first := d.Lines[b.From].Text
		if b.Kind != markdown.Item && b.Kind != markdown.Paragraph || markdown.IsIndented(first) ||
			markdown.IsStamp(first) || isReason(first) {
			continue
		}
		if at := p.saidOn(b.From); !at.IsZero() {
			byDay[at] = append(byDay[at], version{b.From, rootsIn(text.CutBytes(d.BlockText(b), maxVersion))})
		}
	}
	return byDay
}

// maxVersion is as much of a statement as is compared with those that may have replaced it, in bytes.
const maxVersion = 400

// versionOf returns the line of the statement that holds in the place of the i-th replaced one, -1 if that
// can't be told: of those below it that were written on that day the one that shares most words with it, and
// what replaced that one in turn.
func versionOf(d markdown.Doc, replaced []Replacement, i int, byDay map[time.Time][]version) int {
	r := replaced[i]
	old := rootsIn(text.CutBytes(d.Lines[r.From].Text, maxVersion))
	best, most, tied := -1, -1, false
	for _, v := range byDay[r.On] {
		if v.line < r.To {
			continue
		}
		both := 0
		for _, w := range v.roots {
			if slices.Contains(old, w) {
				both++
			}
		}
		if both > most {
			best, most, tied = v.line, both, false
		} else if both == most {
			tied = true
		}
	}
	if tied {
		return -1
	}
	for j := i + 1; j < len(replaced); j++ {
		if replaced[j].From == best {
			return versionOf(d, replaced, j, byDay)
		}
	}
	return best
}

// rootsIn returns the stems of a text's words that carry meaning.
func rootsIn(s string) (out []string) {
	apart := func(r rune) bool { return r < utf8.RuneSelf && !letterOrDigit(byte(r)) }
	for w := range strings.FieldsFuncSeq(lower(s), apart) {
		root := string(text.Stem([]byte(w)))
		if !text.IsStopWord([]byte(w)) && !slices.Contains(out, root) {
			out = append(out, root)
		}
	}
	return out
}

// SaidOn returns the day on which the statement of a line was written or last confirmed, or before which it
// was known to be, by a date of its own: that of its entry, or of the stamp right below it. It is the zero
// time if it has none. The date of the mark below a replaced statement says nothing of when that was true.
func SaidOn(d markdown.Doc, line int) time.Time { return (&page{doc: d}).saidOn(line) }

func (p *page) saidOn(line int) time.Time {
	if at, ok := dayAt(p.doc.Lines[line].Text); ok {
		return at
	}
	if at, ok := p.stampBelow(line, true); ok {
		return at
	}
	if at, _ := p.writtenAt(line, 0); !at.IsZero() {
		return at
	}
	for at, level, title := p.doc.HeadingAbove(line); level > 0; at, level, title = p.doc.HeadingAbove(at) {
		if _, said, ok := strings.Cut(title, asOf); ok && len(said) >= len(time.DateOnly) {
			if on, ok := day(said[:len(time.DateOnly)]); ok {
				return on
			}
		}
		if at = outerLine(p.doc, at, level); at < 0 {
			break
		}
	}
	return time.Time{}
}

// Stamp returns the line that dates the text above it.
func Stamp(day time.Time) string { return "_Updated: " + day.Format(time.DateOnly) + "_" }

// StampBefore returns the line that says how old the text above it is at least. On that day the file that
// it was moved out of was last known to be true, so no other date is worked out from it.
func StampBefore(day time.Time) string { return "_Updated: " + day.Format(time.DateOnly) + orBefore }

const orBefore = " or before_"

// AsOf returns what a heading ends in to say the same of all below it as StampBefore says of a text.
func AsOf(day time.Time) string { return asOf + day.Format(time.DateOnly) + " or before)" }

const asOf = "(as of "
