package memdir

import (
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// storyLines returns those lines of a topic that is done which only tell how it came about: a step that was
// taken, what was seen meanwhile. What holds on is none of them: rules, limits, reasons, causes, decisions,
// open points, and everything that can't be told for sure. A statement is one with all that belongs to it,
// so that it goes as a whole or stays. Headings go with the last line below them.
func storyLines(lines []markdown.Line) map[int]bool {
	d := markdown.Doc{Lines: lines}
	parts := partsOfTopic(d)
	gone := map[int]bool{}
	named := plain // by a line in bold
	for i := 0; i < len(lines); {
		b, ok := blockAt(d, i)
		if !ok {
			break
		}
		i = b.To
		if b.Kind == markdown.Heading {
			named = plain
			continue
		}
		if name, ok := boldLine(d, b); ok {
			named = partNamed(name)
			continue
		}
		end := d.Extent(b)
		if name, _ := fieldOf(lines[b.From]); name != "" {
			if i = end; !lists(lines[b.From]) {
				i = max(end, fieldEnd(lines, b.From))
			}
			continue
		}
		end = beforeField(lines, b.From, end)
		i = end
		part := parts[b.From]
		if named != plain {
			part = named
		}
		if part != lasting && !leadsField(lines, end) && isStory(d, b, end, part == telling) {
			for j := b.From; j < end; j++ {
				gone[j] = lines[j].Kind != markdown.Blank
			}
		}
	}
	dropHeadings(d, gone)
	return gone
}

// fieldEnd returns the index of the line behind a named part that begins at the line i: up to a blank line,
// and to a list that its name doesn't introduce.
func fieldEnd(lines []markdown.Line, i int) int {
	list, depth := false, len(markdown.Indent(lines[i].Text))
	for ; i < len(lines) && lines[i].Kind != markdown.Blank && lines[i].Kind != markdown.Heading; i++ {
		name, value := fieldOf(lines[i])
		if name == "" && lists(lines[i]) && !list && len(markdown.Indent(lines[i].Text)) <= depth {
			break
		}
		if name != "" {
			list = value == ""
		}
	}
	return i
}

// beforeField returns where a statement ends that begins at the line i: at the index end, or before the first
// named part that stands right below it.
func beforeField(lines []markdown.Line, i, end int) int {
	depth := len(markdown.Indent(lines[i].Text))
	for j := i + 1; j < end; j++ {
		if name, _ := fieldOf(lines[j]); name != "" && len(markdown.Indent(lines[j].Text)) <= depth {
			return j
		}
	}
	return end
}

// leadsField reports whether the next line with text begins the reasons of the statement above it.
func leadsField(lines []markdown.Line, next int) bool {
	for _, l := range lines[next:] {
		if l.Kind != markdown.Blank {
			name, _ := fieldOf(l)
			return name == "why" || name == "how to apply"
		}
	}
	return false
}

// blockAt returns the first block of a topic at the line i or below it. A table is one block.
func blockAt(d markdown.Doc, i int) (b markdown.Block, ok bool) {
	d.Lines = d.Lines[i:]
	for b = range d.Blocks {
		for b.Kind == markdown.Row && b.To < len(d.Lines) && d.Lines[b.To].Kind == markdown.Row {
			b.To++
		}
		return markdown.Block{From: b.From + i, To: b.To + i, Kind: b.Kind}, true
	}
	return b, false
}

// dropHeadings adds the headings that have nothing left below them, without the first, which is the title.
func dropHeadings(d markdown.Doc, gone map[int]bool) {
	for i, s := range slices.Backward(d.Sections()) {
		was, left := false, false
		for j := s.Body; j < s.End; j++ {
			if k := d.Lines[j].Kind; k != markdown.Blank && k != markdown.Break {
				was, left = true, left || !gone[j]
			}
		}
		if i == 0 || !was || left || holdsOn(s.Title) {
			continue
		}
		for j := s.At; j < s.End; j++ {
			gone[j] = gone[j] || d.Lines[j].Kind != markdown.Blank
		}
	}
}

// A partKind is what stands below a heading, or behind a name in bold.
type partKind uint8

const (
	plain   partKind = iota
	lasting          // it holds on, whatever its words are
	telling          // it tells what happened, unless its words hold on
)

// Names of parts, as headings or in bold.
const (
	lastingNames = "key point,key points,key fact,key facts,key finding,key findings,fact,facts," +
		"rule,rules,constraint,constraints,limit,limits,limitation,limitations,decision,decisions," +
		"follow-up,follow-ups,follow up,still open,open,to do,todo,todos,next,next step,next steps," +
		"remaining,left,why,reason,reasons,rationale,how to apply,gotcha,gotchas,caveat,caveats,pitfall," +
		"pitfalls,warning,warnings,exception,exceptions,lesson,lessons,learned,learnings,takeaway," +
		"takeaways,result,results,outcome,conclusion,conclusions,summary,root cause,cause,causes,fix," +
		"workaround,workarounds,known issue,known issues,configuration,details,status"
	tellingNames = "log,logs,worklog,work log,timeline,chronology,history,journal,diary,progress," +
		"steps,steps taken,what happened,what we did,what was done,what i did,investigation,debugging," +
		"attempts,what we tried,what was tried,course of events,verlauf,ablauf,chronik,was geschah"
)

// partNamed returns which kind of part a name stands for. What holds on may have more words behind its name,
// such as "Rules for the queue".
func partNamed(name string) partKind {
	name = strings.ToLower(strings.Trim(markdown.PlainText(name), " *_:.!✅🔄→-"))
	for of := range strings.SplitSeq(lastingNames, ",") {
		rest, ok := strings.CutPrefix(name, of)
		if ok && (rest == "" || rest[0] < utf8.RuneSelf && notWord(rune(rest[0]))) {
			return lasting
		}
	}
	for of := range strings.SplitSeq(tellingNames, ",") {
		if name == of {
			return telling
		}
	}
	return plain
}

// partsOfTopic returns the kind of part that each line of a topic stands in, by the headings above it. The
// first heading is the title.
func partsOfTopic(d markdown.Doc) []partKind {
	parts := make([]partKind, len(d.Lines))
	for i, s := range d.Sections() {
		if k := partNamed(s.Title); i > 0 && k != plain {
			for j := s.Body; j < s.End; j++ {
				parts[j] = k
			}
		}
	}
	return parts
}

// boldLine returns the text of a paragraph of one line that is bold as a whole, as a heading is.
func boldLine(d markdown.Doc, b markdown.Block) (name string, ok bool) {
	t := strings.TrimRight(strings.TrimSpace(d.Lines[b.From].Text), ": ")
	if b.Kind != markdown.Paragraph || b.To-b.From > 1 || len(t) < len("**x**") {
		return "", false
	}
	for _, mark := range [...]string{"**", "__"} {
		if in := strings.TrimSuffix(strings.TrimPrefix(t, mark), mark); len(in) == len(t)-2*len(mark) &&
			!strings.Contains(in, mark) {
			return in, true
		}
	}
	return "", false
}

// isStory reports whether a statement with all that belongs to it, up to the line end, only tells what
// happened. log reports whether it stands in a part that does.
func isStory(d markdown.Doc, b markdown.Block, end int, log bool) bool {
	if b.Kind == markdown.Comment || b.Kind == markdown.Break || markdown.IsException(d.Lines[b.From].Text) {
		return false
	}
	if !log && (b.Kind == markdown.Code || b.Kind == markdown.Row || b.Kind == markdown.Quote) {
		return false
	}
	intro := b.Kind == markdown.Paragraph && end > b.To // it only names what stands below it
	for i := b.From; i < end; {
		in, ok := blockAt(d, i)
		if !ok || in.From >= end {
			break
		}
		in.To = min(in.To, end)
		i = in.To
		for _, l := range d.Lines[in.From:in.To] {
			name, _ := fieldOf(l)
			if label, _ := markdown.LinkDefinition(l.Text); name != "" || label != "" ||
				strings.HasPrefix(strings.TrimSpace(l.Text), "[^") {
				return false
			}
		}
		said := markdown.PlainText(d.BlockText(in))
		switch {
		case in.Kind == markdown.Code:
		case holdsOn(said) || stampOnly(d.BlockText(in)):
			return false
		case intro && in.From == b.From && partNamed(said) == telling:
			log = true
		case intro && in.From == b.From && partNamed(said) == lasting:
			return false
		case !tells(d, in, said, log):
			return false
		}
	}
	return true
}

// lastingFamilies are the phrases that no story has, or only one that somebody needs again.
const lastingFamilies = 1<<cues.Choice | 1<<cues.Rejection | 1<<cues.Reason | 1<<cues.Tradeoff |
	1<<cues.Rationale | 1<<cues.Cause | 1<<cues.Caveat | 1<<cues.Limit | 1<<cues.Deferral | 1<<cues.Gap |
	1<<cues.Rule | 1<<cues.Want | 1<<cues.Reversal | 1<<cues.Remember |
	1<<cues.Question | 1<<cues.Condition | 1<<cues.Emphasis | 1<<cues.Expected | 1<<cues.Migration |
	1<<cues.Setting | 1<<cues.Security | 1<<cues.Compat | 1<<cues.Lasting

// holdsOn reports whether a text has a word of a rule, a limit, a reason, a decision, or of what is open.
func holdsOn(said string) bool {
	return cues.Find(said)&lastingFamilies != 0 || strings.Contains(said, "[ ]")
}

// tells reports whether a block only tells what happened. In a log, and behind a date, a time or a checked
// box, it is enough that it doesn't say how something is now.
func tells(d markdown.Doc, b markdown.Block, said string, log bool) bool {
	own := markdown.TrimMarks(d.Lines[b.From].Text)
	if _, dated := dayAt(own); dated || timed(own) || strings.HasPrefix(strings.ToLower(own), "[x] ") {
		log = true
	}
	for s := range sentencesOf(said) {
		ws := wordsOf(lower(s))
		switch {
		case slices.ContainsFunc(ws, isPresent):
			return false
		case log:
		case !inPast(ws):
			return false
		}
	}
	return true
}

// timed reports whether a text begins with a time of day.
func timed(s string) bool {
	s = strings.TrimLeft(s, "[(*_` ")
	at := strings.IndexByte(s, ':')
	return (at == 1 || at == 2) && len(s) > at+2 && strings.Trim(s[:at]+s[at+1:at+3], "0123456789") == ""
}

// sentencesOf yields the sentences of a text, and the clauses that a semicolon separates.
func sentencesOf(said string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		from := 0
		for i := range len(said) {
			c := said[i]
			end := i+1 == len(said)
			if !end && (c != '.' && c != '!' && c != ';' || said[i+1] != ' ') {
				continue
			}
			if s := strings.TrimSpace(said[from : i+1]); s != "" && !yield(s) {
				return
			}
			from = i + 1
		}
	}
}

// Words by which a sentence is told to be in the past, or not to be.
const (
	pastWords = "was were had did went came got began broke died stood ran took gave lost sent saw " +
		"wrote left said told thought knew grew fell felt held led met rose slept spent threw won built " +
		"bought brought caught drew drove flew forgot froze hung hid woke swapped restarted"
	presentWords = "is are am isn't aren't has have hasn't haven't does do can may shall should " +
		"will would need needs use uses mean means remain remains stay stays keep keeps now today " +
		"currently always never every each allows runs lives writes reads returns answers retries dies " +
		"fails accepts rejects expects takes sends stores holds contains supports works wants waits " +
		"makes gives gets goes comes says loads drops checks belongs depends refers shows sets knows " +
		"starts stops ist sind hat haben muss darf soll kann wird werden"
	articles = "the a an this that these those our its their his her my your some no any all both " +
		"every each"
	joiners = "that which who whose when if because although though while since until where how " +
		"what why whether unless so"
	behindVerb = "the a an this that these it them him her us our its their all both one two three " +
		"again by on in at to for from with after before until over under into out up down off and then " +
		"twice once for"
	// What somebody found, decided or changed holds on, though it is told in the past.
	outcomes = "found learned learnt noticed realised realized discovered decided agreed chose " +
		"meant proved fixed solved resolved repaired raised lowered increased reduced decreased changed " +
		"set bumped extended limited capped pinned enabled disabled turned added removed deleted dropped " +
		"replaced renamed moved migrated split merged switched upgraded downgraded introduced adopted " +
		"documented stored put made became named called configured allowed forbade banned granted " +
		"assigned scheduled planned"
	adjectives = "need feed seed speed indeed embed exceed proceed succeed unlimited related based " +
		"shared nested"
)

func isPresent(w word) bool {
	return text.OneOf(w.text, presentWords) || text.OneOf(w.text, outcomes) || text.OneOf(w.text, adjectives)
}

// isPastForm reports whether a word is a verb in the past, or looks like one.
func isPastForm(w string) bool {
	return text.OneOf(w, pastWords) || len(w) > len("used") && strings.HasSuffix(w, "ed")
}

// inPast reports whether the first verb of a sentence is in the past, and nothing behind it looks like one
// that is not. It is false if that can't be said for sure.
func inPast(ws []word) bool {
	verb := -1
	for i, w := range ws {
		if !isPastForm(w.text) {
			continue
		}
		ed := !text.OneOf(w.text, pastWords)
		if ed && i > 0 && text.OneOf(ws[i-1].text, articles) { // "the failed job"
			continue
		}
		if ed && i == 0 && len(ws) > 1 && !text.OneOf(ws[1].text, behindVerb) { // "failed jobs"
			continue
		}
		verb = i
		break
	}
	if verb < 0 {
		return false
	}
	for i, w := range ws {
		switch {
		case text.OneOf(w.text, joiners):
			return false
		case !isPlural(w):
		case i+1 == verb: // "the tests failed"
		case i < verb, i > 0 && text.OneOf(ws[i-1].text, "it he she they we i you"),
			i > verb+1 && text.OneOf(ws[i-2].text, articles): // "and the queue drops"
			return false
		}
	}
	return true
}

// isPlural reports whether a word has the ending of a plural, which verbs in the present have, too.
func isPlural(w word) bool {
	t := w.text
	return len(t) > 3 && t[len(t)-1] == 's' && !w.of && !strings.HasSuffix(t, "ss") &&
		!strings.HasSuffix(t, "us") && !strings.HasSuffix(t, "is")
}
