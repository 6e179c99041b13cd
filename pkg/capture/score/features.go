package score

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/text"
)

// Source is what kind of text a statement is from.
type Source uint8

// The sources.
const (
	Typed   Source = iota // the person typed it
	Agent                 // the agent said it
	Plan                  // of a plan that the person approved or handed over
	Answer                // a question of the client's and the person's answer
	Refusal               // the person's words in a refused tool call
	Picked                // a pick or an agreement, with what it refers to
	sources               // how many there are
)

var sourceNames = [sources]string{"typed", "agent", "plan", "answer", "refusal", "picked"}

// Input is what the model knows of a statement.
type Input struct {
	Text     string
	From     Source
	Heading  bool
	Item     bool // of a list
	Question bool
	Pasted   bool // in the middle of a long message
	Foreign  bool // written by somebody else, or by a program, and pasted
	Index    int  // its place in the message
	Of       int  // units in the message
	Size     int  // bytes of the message

	Table  [5]float64 // what the table of phrases says, by Categories
	Cues   cues.Set   // in it
	Before cues.Set   // in the unit before it in the message
	After  cues.Set   // in the unit behind it
	Under  cues.Set   // in the nearest heading above it
	Reply  cues.Set   // in the last words of the other side before it
	Events uint32     // what happened around it, a bit set
	Heard  Heard      // what else heard it
}

// Heard is what heard a statement besides the model.
type Heard uint8

// What hears statements.
const (
	ByNothing Heard = iota
	ByPhrase
	ByAnswer
	ByOption
	ByAgreement
	ByPlan
	ByRepair
	ByRefusal
	ByReversal
	heardBy // how many there are
)

var heardNames = [heardBy]string{"nothing", "a phrase", "an answer", "a pick", "an agreement",
	"a plan's choice", "a repaired command", "a refusal", "a reversal"}

// Events is how many events there can be.
const Events = 32

// Layout of the named features.
const (
	atBias   = 0
	atSource = atBias + 1
	atForm   = atSource + int(sources)
	atLength = atForm + forms
	atTable  = atLength + lengths
	atCue    = atTable + tables
	atTyped  = atCue + cueBits // cues in what a person typed or chose
	atBefore = atTyped + cueBits
	atAfter  = atBefore + cueBits
	atUnder  = atAfter + cueBits
	atReply  = atUnder + cueBits
	atPair   = atReply + cueBits
	atEvent  = atPair + len(pairs)
	atPerson = atEvent + Events // events of what a person typed or chose
	atHeard  = atPerson + Events
	named    = atHeard + int(heardBy)

	cueBits = 64
	lengths = 10
	tables  = 5*3 + 2
)

// Forms of a statement.
const (
	isHeading = iota
	isItem
	isQuestion
	isPasted
	isFirst
	isLast
	isOnly
	isLong // the message
	endsInColon
	hasCode
	hasBold
	hasNumber
	hasPath
	isShortTyped
	isForeign
	isFormal
	isNamed
	hasArrow
	hasParens
	depth // how far into the message
	forms
)

var formNames = [forms]string{"heading", "item", "question", "pasted", "first", "last", "only",
	"long message", "ends in a colon", "code", "bold", "number", "path", "short and typed",
	"pasted from elsewhere", "formal", "many names", "arrow", "parentheses", "depth"}

// A Value is a named feature that a statement has.
type Value struct {
	At    uint16
	Value float32
}

// Features are what the model reads of a statement.
type Features struct {
	Named []Value
	Words []uint32 // buckets, each once
	Share float32  // the value of each word: all of them together have the length 1

	texts map[uint32]string    // of buckets, to explain them
	seen  [buckets / 64]uint64 // a bit for each bucket in Words
}

// Extract reads the features of a statement into f, whose slices it uses again.
func (f *Features) Extract(in *Input) {
	f.names(in)
	f.words(in)
}

// names reads the named features of a statement into f.
func (f *Features) names(in *Input) {
	f.Named, f.Words = f.Named[:0], f.Words[:0]
	f.on(atBias)
	f.on(atSource + int(in.From))
	f.on(atHeard + int(in.Heard))
	f.forms(in)
	f.on(atLength + min(lengths-1, max(0, bits(len(in.Text))-2)))
	f.table(in)
	mine := in.From != Agent && in.From != Plan && !in.Pasted
	f.cues(atCue, in.Cues)
	if mine {
		f.cues(atTyped, in.Cues)
	}
	f.cues(atBefore, in.Before)
	f.cues(atAfter, in.After)
	f.cues(atUnder, in.Under)
	f.cues(atReply, in.Reply)
	near := in.Before | in.After
	for i, p := range pairs {
		switch {
		case in.Cues.Has(p.a) && in.Cues.Has(p.b):
			f.add(atPair+i, 1)
		case in.Cues.Has(p.a) && near.Has(p.b), near.Has(p.a) && in.Cues.Has(p.b):
			f.add(atPair+i, 0.5)
		}
	}
	for i := range Events {
		if in.Events>>i&1 != 0 {
			f.on(atEvent + i)
			if mine {
				f.on(atPerson + i)
			}
		}
	}
}

func (f *Features) on(at int) { f.Named = append(f.Named, Value{uint16(at), 1}) }

func (f *Features) add(at int, v float32) { f.Named = append(f.Named, Value{uint16(at), v}) }

func (f *Features) cues(at int, set cues.Set) {
	for i := 0; set != 0; i, set = i+1, set>>1 {
		if set&1 != 0 {
			f.on(at + i)
		}
	}
}

// bits returns how many binary digits a number has.
func bits(n int) (digits int) {
	for ; n > 0; n >>= 1 {
		digits++
	}
	return digits
}

func (f *Features) forms(in *Input) {
	said := in.Text
	mine := in.From == Typed && !in.Pasted
	for i, is := range [forms]bool{
		isHeading: in.Heading, isItem: in.Item, isQuestion: in.Question, isPasted: in.Pasted,
		isFirst: in.Index == 0, isLast: in.Index == in.Of-1, isOnly: in.Of == 1, isLong: in.Of > 10,
		endsInColon:  strings.HasSuffix(strings.TrimRight(said, " *_"), ":"),
		hasCode:      strings.Contains(said, "`"),
		hasBold:      strings.Contains(said, "**"),
		hasNumber:    strings.ContainsAny(said, "0123456789"),
		hasPath:      hasPathIn(said),
		isShortTyped: mine && in.Size < 160,
		isForeign:    in.Foreign,
		isFormal:     mine && isWritten(said) && !in.Cues.Has(cues.We) && !in.Cues.Has(cues.You),
		isNamed:      mine && programNames(said) > 1,
		hasArrow:     strings.Contains(said, "→") || strings.Contains(said, "->"),
		hasParens:    strings.Contains(said, "("),
	} {
		if is {
			f.on(atForm + i)
		}
	}
	f.add(atForm+depth, float32(in.Index)/float32(max(1, in.Of)))
}

// isWritten reports whether a text is a whole sentence as it stands in a document: from a capital letter to a
// full stop, with no fewer than twelve words. People type such sentences to an agent seldom.
func isWritten(said string) bool {
	return said != "" && said[0] >= 'A' && said[0] <= 'Z' && strings.Count(said, " ") >= 11 &&
		strings.HasSuffix(strings.TrimRight(said, "*_`\")"), ".")
}

// programNames returns how many words of a text are names of a program: with a capital or an underscore
// inside.
func programNames(said string) (n int) {
	for w := range strings.FieldsSeq(said) {
		for i := 1; i+1 < len(w); i++ {
			if w[i] == '_' || w[i] >= 'A' && w[i] <= 'Z' && w[i-1] >= 'a' && w[i-1] <= 'z' {
				n++
				break
			}
		}
	}
	return n
}

// hasPathIn reports whether a text names a file: a slash or a full stop between letters.
func hasPathIn(said string) bool {
	for i := 1; i+1 < len(said); i++ {
		if (said[i] == '/' || said[i] == '.') && isLetter(said[i-1]) && isLetter(said[i+1]) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// table notes what the table of phrases says: how much, that it is audible, that it is clear.
func (f *Features) table(in *Input) {
	best := 0.0
	for i, s := range in.Table {
		if s == 0 {
			continue
		}
		best = max(best, s)
		f.add(atTable+3*i, float32(s))
		if s >= 0.25 {
			f.on(atTable + 3*i + 1)
		}
		if s >= 0.5 {
			f.on(atTable + 3*i + 2)
		}
	}
	if best >= 0.25 {
		f.on(atTable + 15)
		if in.From != Agent {
			f.on(atTable + 16)
		}
	}
}

// maxWords is how many words of a statement are hashed.
const maxWords = 120

// words hashes the words of a statement and each two that follow one another. In scripts without blanks a
// word is two characters.
func (f *Features) words(in *Input) {
	var buf [64]byte
	clear(f.seen[:])
	before, n := uint32(0), 0
	last := ""
	take := func(word []byte) {
		h := hash(word)
		f.bucket(h, f.texted(word))
		if before != 0 {
			f.bucket(before*31+h, last+" "+f.texted(word))
		}
		before, last = h, f.texted(word)
		n++
	}
	word := buf[:0]
	end := func() {
		if len(word) > 0 {
			take(word)
		}
		word = buf[:0]
	}
	var dense rune // the character before in a script without blanks
	for i := 0; i < len(in.Text) && n < maxWords; {
		c := in.Text[i]
		if c < utf8.RuneSelf {
			i++
			dense = 0
			switch {
			case c >= 'A' && c <= 'Z':
				word = append(word, c|0x20)
			case c >= 'a' && c <= 'z' || c == '\'' && len(word) > 0:
				word = append(word, c)
			case c >= '0' && c <= '9':
				if len(word) == 0 || word[len(word)-1] != '0' {
					word = append(word, '0') // any number
				}
			default:
				end()
				if c == '.' || c == '!' || c == '?' || c == ';' || c == ':' {
					before = 0
				}
			}
			if len(word) >= cap(buf)-8 {
				end()
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(in.Text[i:])
		i += size
		switch {
		case r == '’':
			if len(word) > 0 {
				word = append(word, '\'')
			}
		case text.IsUnspaced(r):
			end()
			if dense != 0 {
				var two [8]byte
				before = 0
				take(utf8.AppendRune(utf8.AppendRune(two[:0], dense), r))
			}
			dense = r
			continue
		case unicode.IsLetter(r) || unicode.IsMark(r):
			word = utf8.AppendRune(word, unicode.ToLower(r))
			if len(word) >= cap(buf)-8 {
				end()
			}
		default:
			end()
		}
		dense = 0
	}
	end()
	f.Share = 0
	if len(f.Words) > 0 {
		f.Share = float32(1 / math.Sqrt(float64(len(f.Words))))
	}
}

// texted returns a word as a text, where the features are to be explained.
func (f *Features) texted(word []byte) string {
	if f.texts == nil {
		return ""
	}
	return string(word)
}

// hash is FNV-1a.
func hash(word []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range word {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

func (f *Features) bucket(h uint32, said string) {
	at := (h ^ h>>15) % buckets
	if f.seen[at/64]>>(at%64)&1 != 0 {
		return
	}
	f.seen[at/64] |= 1 << (at % 64)
	f.Words = append(f.Words, at)
	if f.texts != nil {
		f.texts[at] = said
	}
}

// name returns the name of a named feature. events are the names of the bits of Input.Events.
func name(at int, events []string) string {
	cue := func(from int, where string) string { return where + cues.Family(at-from).String() }
	switch {
	case at == atBias:
		return "any statement"
	case at < atForm:
		return "from: " + sourceNames[at-atSource]
	case at < atLength:
		return "form: " + formNames[at-atForm]
	case at < atTable:
		return "length: up to " + strconv.Itoa(4<<(at-atLength))
	case at < atTable+15:
		i := at - atTable
		return "phrases: " + string(Categories[i/3]) + [...]string{"", ", audible", ", clear"}[i%3]
	case at < atCue:
		return [...]string{"phrases: any", "phrases: any, not the agent's"}[at-atTable-15]
	case at < atTyped:
		return cue(atCue, "cue: ")
	case at < atBefore:
		return cue(atTyped, "the person's cue: ")
	case at < atAfter:
		return cue(atBefore, "cue before: ")
	case at < atUnder:
		return cue(atAfter, "cue behind: ")
	case at < atReply:
		return cue(atUnder, "cue in its heading: ")
	case at < atPair:
		return cue(atReply, "cue in what it answers: ")
	case at < atEvent:
		p := pairs[at-atPair]
		return "cues: " + p.a.String() + " and " + p.b.String()
	case at < atPerson:
		return "happened: " + events[at-atEvent]
	case at >= atHeard:
		return "heard by: " + heardNames[at-atHeard]
	}
	return "happened to the person's words: " + events[at-atPerson]
}
